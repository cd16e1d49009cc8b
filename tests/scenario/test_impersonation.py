"""Changes in people's own names: the cluster sees who confirmed, and its roles decide about that person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chatops_bot.adapters.sandbox.access import Access
from chatops_bot.adapters.sandbox.journal import RequestRecord
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from tests.scenario.running import configured
from tests.scenario.test_run import bot, replicas

PEOPLE = {
    "alice": {"user": "alice@corp", "groups": ["dev"]},
    "bob": {"user": "bob@corp", "groups": ["sre", "on-call"]},
}
CLUSTER: dict[str, Any] = {
    "name": "demo",
    "kubeconfig": "kubeconfig",
    "environment": "prod",
    "impersonate": {"people": PEOPLE},
}


def patches(sandbox: Sandbox) -> list[RequestRecord]:
    return [record for record in sandbox.requests if record.method == "PATCH"]


@pytest.fixture
def told(tmp_path: Path, sandbox: Sandbox) -> Path:
    configured(tmp_path, sandbox, clusters=[CLUSTER])
    return tmp_path


async def test_the_trial_is_the_askers_and_the_write_the_confirmers_with_every_group(
    told: Path, sandbox: Sandbox
) -> None:
    async with bot(told) as (running, room, _):
        await room.say("alice", "@bot scale web to 4")
        card = await room.card("Tried as alice@corp")
        await room.click("bob", card, "confirm")
        await room.card("Done")
        assert await running.end() == 0
    assert replicas(sandbox) == 4
    trial, write = patches(sandbox)
    assert (trial.dry_run, trial.user, trial.acting_as, trial.groups) == (
        True, "chatops-bot", "alice@corp", ("dev", "system:authenticated"),
    )  # fmt: skip
    assert (write.dry_run, write.user, write.acting_as, write.groups) == (
        False, "chatops-bot", "bob@corp", ("sre", "on-call", "system:authenticated"),
    )  # fmt: skip
    others = [record for record in sandbox.requests if record.method == "GET"]
    assert {record.acting_as for record in others} == {""}


async def test_whom_nobody_mapped_is_refused_when_asking_and_when_confirming(told: Path, sandbox: Sandbox) -> None:
    async with bot(told) as (running, room, _):
        await room.say("carol", "@bot scale web to 4")
        await room.card("does not say who carol is there")
        await room.say("alice", "@bot scale web to 5")
        card = await room.card("2 → 5")
        await room.click("dave", card, "confirm")
        await room.card("does not say who dave is there")
        assert await running.end() == 0
    assert replicas(sandbox) == 2
    assert [record for record in patches(sandbox) if not record.dry_run] == []


async def test_what_the_person_lacks_is_named_before_anything_is_shown(told: Path, sandbox: Sandbox) -> None:
    def authorizer(access: Access) -> bool:
        return access.verb != "patch" or access.user.name != "alice@corp"

    sandbox.access.authorizer = authorizer
    async with bot(told) as (running, room, _):
        await room.say("alice", "@bot scale web to 4")
        await room.card(
            "alice@corp, who you are in demo, lacks a permission there: patch deployments.apps web -n shop."
        )
        await room.say("bob", "@bot scale web to 4")
        card = await room.card("Tried as bob@corp")
        # Whoever may not do it in the cluster cannot, although the policy lets them confirm.
        await room.click("alice", card, "confirm")
        await room.card("nothing was changed")
        assert await running.end() == 0
    assert replicas(sandbox) == 2


async def test_what_the_bot_lacks_is_named_too(told: Path, sandbox: Sandbox) -> None:
    sandbox.access.deny(verb="patch", resource="deployments", user="chatops-bot")
    async with bot(told) as (running, room, _):
        await room.say("alice", "@bot scale web to 4")
        await room.card("The bot's own account in demo lacks a permission: patch deployments.apps web -n shop.")
        assert await running.end() == 0
    assert [record for record in patches(sandbox) if not record.dry_run] == []
