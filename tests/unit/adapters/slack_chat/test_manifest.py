"""The manifest that people paste asks for exactly what the adapter uses and the check demands."""

from __future__ import annotations

from pathlib import Path

import yaml

from chatops_bot.adapters.slack.doctor import LOST, NEEDED, WISHED
from chatops_bot.adapters.slack.settings import SlackSettings

DOCS = Path(__file__).parents[4] / "docs"
MANIFEST = yaml.safe_load((DOCS / "slack-manifest.yaml").read_text(encoding="utf-8"))


def test_the_manifest_grants_the_scopes_that_the_check_demands() -> None:
    assert set(NEEDED) == set(LOST)
    assert set(MANIFEST["oauth_config"]["scopes"]["bot"]) == {*LOST, *WISHED}


def test_the_manifest_has_the_default_command_and_transport() -> None:
    defaults = SlackSettings(bot_token="x", app_token="y")
    (command,) = MANIFEST["features"]["slash_commands"]
    assert command["command"] == defaults.command
    assert command["should_escape"]
    assert MANIFEST["settings"]["socket_mode_enabled"] == (defaults.mode == "socket")
    assert MANIFEST["settings"]["interactivity"]["is_enabled"]


def test_every_setting_is_explained() -> None:
    text = (DOCS / "slack.md").read_text(encoding="utf-8")
    told = {"bot_token", "mode", "app_token", "signing_secret", "command", "allow_bots", "connections"}
    assert told <= set(SlackSettings.__dataclass_fields__)
    assert not [name for name in told if f"`{name}`" not in text]
