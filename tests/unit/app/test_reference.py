"""The configuration page says what the settings say, and its examples work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_origin

import yaml
from pydantic import BaseModel

from chatops_bot.app.reference import POLICY_EXAMPLE, render
from chatops_bot.app.settings import Settings
from chatops_bot.domain.policy_file import parse

PAGE = Path(__file__).resolve().parents[3] / "docs" / "configuration.md"


def fields(model: type[BaseModel], path: str = "") -> Iterator[tuple[str, str]]:
    """Path and description of every setting that can be written."""
    for name, field in model.model_fields.items():
        inner = [item for item in (field.annotation, *get_args(field.annotation)) if isinstance(item, type)]
        below = [item for item in inner if issubclass(item, BaseModel)]
        if below:
            suffix = ".<id>" if str in inner else "[]" if get_origin(field.annotation) is tuple else ""
            yield from fields(below[0], f"{path}{name}{suffix}.")
        else:
            yield f"{path}{name}", " ".join((field.description or "").split())


def test_the_page_in_docs_is_the_one_that_the_settings_make() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), (
        "run: chatops-bot check-config --reference > docs/configuration.md"
    )


def test_every_setting_is_described() -> None:
    page = render()
    found = list(fields(Settings))
    assert len(found) > 50
    for path, description in found:
        assert description, path
        assert f"**`{path}`**" in page, path
        assert description in page, path


def test_the_example_of_a_policy_is_one() -> None:
    policy = parse(yaml.safe_load(POLICY_EXAMPLE)["policy"])
    assert len(policy.rules) == 3
    assert POLICY_EXAMPLE in render()


def test_defaults_and_variables_are_told() -> None:
    page = render()
    assert "**`timeouts.plan_s`** (number, default `900`, 1 to 604800, `CHATOPS_TIMEOUTS__PLAN_S`)" in page
    assert "**`slack.mode`** (`socket` or `http`, default `socket`, `CHATOPS_SLACK__MODE`)" in page
    assert "**`slack.bot_token`** (secret, `CHATOPS_SLACK__BOT_TOKEN`)" in page
    assert "**`clusters[].name`** (text, required)" in page
    assert "**`digest.price`** (number, default `0`, 0 to 10000, `CHATOPS_DIGEST__PRICE`)" in page
    assert "**`metrics.diagnosis`** (list of `" in page
