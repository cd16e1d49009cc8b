"""A usable configuration in a few lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from chatops_bot.app.check_config import summary
from chatops_bot.app.configuration import Configuration
from chatops_bot.app.settings import (
    AlertSettings,
    ClusterSettings,
    ConsoleSettings,
    FeishuSettings,
    Settings,
    SlackSettings,
    StoreSettings,
    WeComSettings,
)
from chatops_bot.domain.policy_file import parse


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({}, "store: embedded, data in chatops-data"),
        ({"store": StoreSettings(url=SecretStr("redis://:pw@h"), wait_replicas=1)}, "store: Redis, 1 copies awaited"),
        (
            {"clusters": (ClusterSettings(name="a", in_cluster=True),)},
            "cluster a: service account of the pod; every namespace; environment as the catalog says",
        ),
        (
            {
                "clusters": (
                    ClusterSettings(
                        name="a", kubeconfig=Path("kc"), context="c", namespaces=("x", "y"), environment="dev"
                    ),
                )
            },
            "cluster a: kc, context c; x, y; environment dev",
        ),
        ({}, "clusters: none, so there is nothing to look at"),
        (
            {"slack": SlackSettings(enabled=True, bot_token=SecretStr("b"), app_token=SecretStr("a"))},
            "platforms: slack",
        ),
        (
            {
                "feishu": FeishuSettings(enabled=True, app_id="cli_1", app_secret=SecretStr("a")),
                "wecom": WeComSettings(
                    enabled=True, corp_id="ww1", bot_mode="socket", bot_id="b", bot_secret=SecretStr("a")
                ),
                "console": ConsoleSettings(enabled=True),
            },
            "platforms: feishu, wecom, console",
        ),
        ({"read_only": True}, "policy: read_only is set: every change is refused"),
        ({"alerts": AlertSettings(enabled=True, room="C1", unauthenticated=True)}, "alerts: to C1, 0 routes beside it"),
    ],
)
def test_each_part_is_summed_up(settings: dict[str, Any], line: str) -> None:
    whole = Settings.model_construct(**{**dict(Settings()), **settings})
    assert line in list(summary(Configuration(settings=whole)))


def test_no_secret_is_in_it() -> None:
    settings = Settings(
        store=StoreSettings(url=SecretStr("redis://:hunter22@h")),
        slack=SlackSettings(enabled=True, bot_token=SecretStr("hunter22"), app_token=SecretStr("hunter22")),
    )
    assert "hunter22" not in "\n".join(summary(Configuration(settings=settings)))


def test_the_policy_is_counted() -> None:
    policy = parse({"groups": {"sre": ["a"]}, "rules": [{"confirm": ["sre"]}, {"confirm": []}]})
    assert "policy: 2 rules, 1 groups" in list(summary(Configuration(settings=Settings(), policy=policy)))
    policy = parse({"people": {"p": ["slack:U1"]}, "groups": {"sre": ["p"]}, "rules": []})
    assert "policy: 0 rules, 1 groups, 1 people" in list(summary(Configuration(settings=Settings(), policy=policy)))
