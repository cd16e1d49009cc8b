"""How long what is kept, as configured: floors that nothing needed falls below."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from chatops_bot.app.configuration import ConfigurationError, load
from chatops_bot.app.settings import Settings
from chatops_bot.ports.store import Retention


def problems(folder: Path, **sections: Any) -> list[str]:
    path = folder / "chatops-bot.yaml"
    path.write_text(yaml.safe_dump(sections), encoding="utf-8")
    try:
        load(path, {})
    except ConfigurationError as error:
        return list(error.problems)
    return []


def test_the_defaults_are_those_of_the_store() -> None:
    assert Settings().retention.of_store() == Retention()


@pytest.mark.parametrize(
    ("sections", "words"),
    [
        ({"retention": {"duplicates_h": 7}}, "retention.duplicates_h"),
        ({"retention": {"plans_days": 0}}, "retention.plans_days"),
        ({"retention": {"conversations_h": 0}}, "retention.conversations_h"),
        ({"retention": {"audit_days": 20}}, "audit_days is less than plans_days"),
        (
            {"retention": {"plans_days": 1}, "timeouts": {"approval_s": 86_400}},
            "retention.plans_days is no longer than",
        ),
        ({"retention": {"cards_days": 1}, "timeouts": {"plan_s": 86_400}}, "retention.cards_days is no longer than"),
        ({"audit": {"required": True, "output": False}}, "name the place that must have the log"),
        ({"audit": {"required_within_s": 5}}, "audit.required_within_s"),
    ],
)
def test_what_would_be_forgotten_too_early_is_a_mistake(tmp_path: Path, sections: dict[str, Any], words: str) -> None:
    assert any(words in problem for problem in problems(tmp_path, **sections))


@pytest.mark.parametrize(
    "retention",
    [
        {"audit_days": 30},
        {"audit_days": 0, "plans_days": 400},
        {
            "duplicates_h": 8,
            "conversations_h": 1,
            "cards_days": 1,
            "summaries_days": 1,
            "plans_days": 1,
            "audit_days": 1,
        },
    ],
)
def test_what_can_be_kept_so_long(tmp_path: Path, retention: dict[str, int]) -> None:
    assert problems(tmp_path, retention=retention) == []
