"""The part of the chart's schema that describes the bot's own configuration, made of the bot's settings.

`python -m tests.chart.config_schema` writes it into `values.schema.json`, after a setting was added or changed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from chatops_bot.app.schema import of_file

SCHEMA: Final = Path(__file__).parents[2] / "helm" / "chatops-bot" / "values.schema.json"

GIVEN_BY_THE_CHART: Final = (
    "clusters",
    "services",
    "catalog_file",
    "policy",
    "policy_file",
    "store.url",
    "store.url_file",
    "store.password_file",
    "store.directory",
    "store.appendfsync",
    "slack.bot_token_file",
    "slack.app_token_file",
    "slack.signing_secret_file",
    "feishu.app_secret_file",
    "feishu.encrypt_key_file",
    "feishu.verification_token_file",
    "wecom.app_secret_file",
    "wecom.app_token_file",
    "wecom.app_aes_key_file",
    "wecom.bot_secret_file",
    "wecom.bot_token_file",
    "wecom.bot_aes_key_file",
    "http.port",
    "alerts.token_file",
    "alerts.password_file",
    "model.key_file",
)
"""Settings that follow from other values; given twice, they would contradict each other."""


def config_schema() -> dict[str, Any]:
    """The schema of the value `config`."""
    schema = of_file()
    for path in GIVEN_BY_THE_CHART:
        *sections, name = path.split(".")
        part = schema
        for section in sections:
            part = part["properties"][section]
        del part["properties"][name]
    schema["description"] = "The bot's own configuration, without what other values give."
    return schema


def main() -> None:
    """Write it."""
    whole = json.loads(SCHEMA.read_text(encoding="utf-8"))
    whole["properties"]["config"] = config_schema()
    SCHEMA.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
