"""The doctor on a whole installation: a sandbox cluster, a real store, a fake Slack."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pydantic import SecretStr

from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.adapters.slack.fake.server import FakeSlack
from chatops_bot.adapters.slack.fake.workspace import ROOM
from chatops_bot.app.configuration import Configuration
from chatops_bot.app.doctor.findings import Finding
from chatops_bot.app.doctor_command import examine_all, on_store
from chatops_bot.app.opening import open_store
from chatops_bot.app.settings import ClusterSettings, RoomSettings, Settings, SlackSettings, StoreSettings
from chatops_bot.domain import catalog
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.policy_file import parse
from tests.fakes.clock import ManualClock


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(clock=lambda: 1_767_614_400.0) as running:
        running.apply(
            {
                "workloads": [
                    {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 1, "image": "reg/web:1"}
                ]
            }
        )
        await running.settle()
        yield running


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    async with FakeSlack(ManualClock()) as fake:
        yield fake


def configured(sandbox: Sandbox, slack: FakeSlack, folder: Path, **cluster: Any) -> Configuration:
    """An installation in which nothing is wrong."""
    token = SecretStr("sandbox")
    settings = Settings(
        store=StoreSettings(directory=folder / "data"),
        clusters=(
            ClusterSettings(**{"name": "east", "url": sandbox.url, "token": token, "environment": "prod", **cluster}),
        ),
        slack=SlackSettings(
            enabled=True, bot_token=SecretStr("xoxb-test"), app_token=SecretStr("xapp-test"), base_url=slack.url
        ),
        rooms={ROOM: RoomSettings(platform="slack")},
    )
    services = catalog.parse(
        [{"name": "web", "namespace": "shop", "workload": "deployment/web"}], default_cluster="east"
    )
    policy = parse({"rules": [{"environments": ["prod"], "services": ["web"], "confirm": ["slack:U024BE7LH"]}]})
    return Configuration(settings=settings, services=tuple(services), policy=policy)


def of(findings: list[Finding], severity: str) -> list[str]:
    return [finding.what for finding in findings if finding.severity == severity]


async def test_a_sound_installation_has_nothing_bad(sandbox: Sandbox, slack: FakeSlack, tmp_path: Path) -> None:
    findings = await examine_all(configured(sandbox, slack, tmp_path))
    assert of(findings, "bad") == []
    text = "\n".join(of(findings, "ok"))
    for part in (
        "data is not there yet",
        "cluster east knows the bot as chatops-bot",
        "the catalog is sound: 1 entries",
        "the policy is sound: 1 rules",
        "slack: connected to",
    ):
        assert part in text
    assert [what for what in of(findings, "warn") if not what.startswith(("the embedded store", "east"))] == []


async def test_what_the_account_may_not_is_told(sandbox: Sandbox, slack: FakeSlack, tmp_path: Path) -> None:
    sandbox.access.deny(verb="patch", resource="deployments")
    sandbox.access.deny(verb="list", resource="pods", namespace="shop")
    findings = of(await examine_all(configured(sandbox, slack, tmp_path, namespaces=["shop"])), "bad")
    assert any("namespace shop: the bot cannot see" in what and "list pods" in what for what in findings)
    assert any("scale cannot be carried out; missing: patch deployments.apps" in what for what in findings)


EVERY = [
    name
    for name, action in ACTIONS.items()
    if any(one.verb == "patch" for kind in action.kinds - {"Rollout"} for one in action.permissions(kind))
]
"""All that patch something, but those on a kind that this cluster does not have."""


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ({"actions": ["restart"], "confirm": ["slack:U024BE7LH"]}, ["restart"]),
        ({"confirm": ["slack:U024BE7LH"]}, EVERY),
        ({"confirm": []}, []),
        ({"clusters": ["west"], "confirm": ["*"]}, []),
        ({"clusters": ["west", "east"], "actions": ["scale"], "confirm": ["*"]}, ["scale"]),
    ],
)
async def test_only_actions_that_somebody_may_confirm_there_have_to_be_permitted(
    sandbox: Sandbox, slack: FakeSlack, tmp_path: Path, rule: dict[str, object], told: list[str]
) -> None:
    sandbox.access.deny(verb="patch")
    configuration = configured(sandbox, slack, tmp_path)
    changed = msgspec.structs.replace(configuration, policy=parse({"rules": [rule]}))
    findings = of(await examine_all(changed), "bad")
    assert [what.split()[3] for what in findings if "cannot be carried out" in what] == told
    assert not of(await examine_all(msgspec.structs.replace(changed, policy=Policy.closed())), "bad")


async def test_credentials_that_do_not_arrive_are_bad(sandbox: Sandbox, slack: FakeSlack, tmp_path: Path) -> None:
    findings = of(await examine_all(configured(sandbox, slack, tmp_path, token=None)), "bad")
    assert any("anonymous" in what for what in findings)


async def test_a_cluster_that_is_away_leaves_the_rest_examined(
    sandbox: Sandbox, slack: FakeSlack, tmp_path: Path
) -> None:
    sandbox.down = True
    findings = await examine_all(configured(sandbox, slack, tmp_path))
    assert any("cluster east cannot be used" in what for what in of(findings, "bad"))
    assert any("slack: connected" in what for what in of(findings, "ok"))


async def test_a_kubeconfig_that_is_not_there_is_bad(sandbox: Sandbox, slack: FakeSlack, tmp_path: Path) -> None:
    broken = configured(sandbox, slack, tmp_path, url="", token=None, kubeconfig=tmp_path / "absent")
    assert any("cluster east cannot be used" in what for what in of(await examine_all(broken), "bad"))


async def test_tokens_that_slack_refuses_are_bad_and_not_shown(
    sandbox: Sandbox, slack: FakeSlack, tmp_path: Path
) -> None:
    slack.workspace.valid_tokens.clear()
    findings = await examine_all(configured(sandbox, slack, tmp_path))
    assert any(what.startswith("slack: ") for what in of(findings, "bad"))
    assert "xoxb-test" not in str(findings)


async def test_the_store_of_a_running_bot_is_looked_at(sandbox: Sandbox, slack: FakeSlack, tmp_path: Path) -> None:
    chosen = configured(sandbox, slack, tmp_path)
    async with open_store(chosen.settings.store):
        findings = await examine_all(chosen)
    assert "the store is reachable and keeps what it is given" in of(findings, "ok")


async def test_a_store_that_cannot_be_reached_is_bad(sandbox: Sandbox, slack: FakeSlack, tmp_path: Path) -> None:
    chosen = configured(sandbox, slack, tmp_path)
    settings = chosen.settings.model_copy(update={"store": StoreSettings(url=SecretStr("redis://127.0.0.1:9"))})
    findings = await examine_all(Configuration(settings=settings, services=chosen.services, policy=chosen.policy))
    assert any("127.0.0.1:9 cannot be reached" in what for what in of(findings, "bad"))


async def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data" / "store"
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)  # root may write everywhere
    found = await on_store(Settings(store=StoreSettings(directory=folder)))
    assert of(found, "bad") == [f"{folder} cannot be made: {tmp_path} cannot be written to"]
    assert not folder.exists()
