"""What is derived from the actions fits them, and their texts exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from chatops_bot.domain.actions.registry import ACTIONS, all_permissions, help_says, offered_for
from chatops_bot.domain.actions.risk import RISK
from chatops_bot.domain.diagnosis.findings import RANKS
from chatops_bot.domain.intents import ACTIONS as NAMES
from chatops_bot.domain.observed import Permission
from chatops_bot.domain.texts.cluster import TEXTS, WORDS
from tests.unit.domain.cluster_objects import spoken

DOMAIN = Path(__file__).resolve().parents[4] / "chatops_bot"


def test_every_action_is_known_and_carries_its_own_name() -> None:
    assert set(ACTIONS) <= set(NAMES)
    assert all(action.name == name for name, action in ACTIONS.items())
    assert set(RISK) >= set(ACTIONS)


def test_help_and_offers_are_derived() -> None:
    assert "scale payment-svc to 5" in spoken(*help_says())
    assert set(offered_for("StatefulSet")) - set(offered_for("DaemonSet")) == {"scale", "set_autoscaler"}
    assert offered_for("StatefulSet")[:2] == ("scale", "restart")
    assert offered_for("Node") == ("cordon", "uncordon", "drain")


def test_permissions_are_derived() -> None:
    assert Permission(group="apps", resource="daemonsets", verb="patch") in all_permissions()
    assert {permission.resource for permission in all_permissions() if permission.verb == "patch"} == {
        "deployments",
        "statefulsets",
        "daemonsets",
        "horizontalpodautoscalers",
        "rollouts",
        "nodes",
    }


def test_every_cause_has_its_words() -> None:
    assert {f"cause.{code}" for code in RANKS} <= set(WORDS)


@pytest.mark.parametrize("key", sorted(TEXTS))
def test_both_languages_use_the_same_fields(key: str) -> None:
    zh, en = ({name for _, name, _, _ in Formatter().parse(text) if name} for text in TEXTS[key])
    assert zh == en, key
    assert key not in WORDS or not zh


def said_keys() -> set[str]:
    """Keys written out in calls of `say` of the modules whose texts are in this table."""
    found = set()
    folders = ("domain/diagnosis", "domain/actions", "adapters/kubernetes")
    paths = [path for folder in folders for path in (DOMAIN / folder).rglob("*.py")]
    for path in [*paths, DOMAIN / "domain/rollout.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(PREFIXES):
                found.add(node.value)
    return found


KEY = re.compile(r"[a-z0-9_]+(?:\.[a-z0-9_]+)+")
PATHS = {"status.message", "status.phase", "status.reason"}
"""Where evidence stands in objects, spelled like keys."""
PREFIXES = tuple(f"{key.partition('.')[0]}." for key in TEXTS if "." in key)


def test_every_key_that_is_said_has_its_texts() -> None:
    fields = {path for action in ACTIONS.values() for path in action.watched({})}
    unknown = {key for key in said_keys() - fields - PATHS if key not in TEXTS and KEY.fullmatch(key)}
    assert not unknown
    assert len(said_keys()) > 100
