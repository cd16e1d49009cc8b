"""Whether somebody is called is looked at before anybody is needed."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from chatops_bot.app.check_config import summary
from chatops_bot.app.configuration import Configuration
from chatops_bot.app.doctor.oncall import on_oncall
from chatops_bot.app.settings import Settings
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.policy_file import parse

SERVICES = (
    Service(Entity("east", "shop", "Deployment", "web", "web"), owners=("team-web", "sre")),
    Service(Entity("east", "shop", "Deployment", "api", "api"), owners=("team-api",)),
)
POLICY = parse({"groups": {"sre": ["slack:U024BE7LH"]}, "rules": []})
SLACK: dict[str, Any] = {"enabled": True, "bot_token": "b", "app_token": "a"}


def settings(**chosen: Any) -> Settings:
    return Settings.model_validate(chosen)


def found(**chosen: Any) -> list[tuple[str, str]]:
    return [(one.severity, one.what) for one in on_oncall(settings(**chosen), SERVICES, POLICY)]


def test_owners_whom_nobody_is_called_for_are_found() -> None:
    assert found() == [("warn", "nobody is mentioned when something of team-web, team-api is handed to a person")]
    sound = {"groups": {"team-web": ["sre"], "team-api": ["slack-group:S0123ABC"]}}
    assert found(oncall=sound, slack=SLACK) == [("ok", "hand-offs find somebody to call: 2 groups")]


def test_names_that_nobody_bears_are_found() -> None:
    groups = {"team-web": ["sre"], "team-api": ["sre"]}
    chosen = {"oncall": {"groups": groups, "default": "ops"}, "rooms": {"C1": {"oncall": "night"}}}
    assert [what for _, what in found(**chosen)] == [
        "oncall.default names the on-call group ops, which there is not",
        "the room C1 names the on-call group night, which there is not",
    ]


def test_a_platform_on_which_nobody_can_be_mentioned_is_found() -> None:
    groups = {"team-web": ["sre"], "team-api": ["feishu:ou_1"]}
    assert found(oncall={"groups": groups}, slack=SLACK) == [
        ("warn", "on slack nobody of team-api can be mentioned"),
    ]


def test_check_config_names_them_too() -> None:
    whole = Configuration(settings=settings(), services=SERVICES, policy=POLICY)
    line = "hand-offs: 0 groups, nobody for what has no owner; nobody is mentioned for team-web, team-api"
    assert line in list(summary(whole))


@pytest.mark.parametrize(
    ("groups", "problem"),
    [
        ({"a:b": ["sre"]}, "no name for a group"),
        ({"sre": ["feishu-department:od-1"]}, "cannot be mentioned"),
        ({"sre": ["teams:x"]}, "is nobody"),
        ({"sre": ["slack:"]}, "is nobody"),
        ({"sre": [" "]}, "is nobody"),
    ],
)
def test_entries_that_call_nobody_are_refused(groups: dict[str, list[str]], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        settings(oncall={"groups": groups})
