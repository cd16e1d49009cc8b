"""No record, no change: the audit log cannot be written, and whoever asked is told in words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.shards import SHARDS, shard_of
from chatops_bot.domain import audit
from chatops_bot.ports.store import Ledger, LedgerStep
from tests.scenario.playing import Scene, scene

WEB = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 4, "image": "reg/web:1"}


def is_eviction(request: Any) -> bool:
    """A real one, and not what is tried before a plan is shown."""
    return request.path.endswith("/eviction") and "dryRun" not in str(request.body)


def target(playing: Scene) -> str:
    return next(p.entity.key for s in playing.stage.sessions.values() for p in s.pending)


def room(playing: Scene) -> str:
    return next(iter(playing.stage.sessions.values())).room.key


@asynccontextmanager
async def spoiled(playing: Scene, shard: int) -> AsyncIterator[None]:
    """Something else stands where a shard's chain is; put back at the end."""
    client = playing.stage.bot.stores.audit._base.client
    kept, key = f"{{{shard}}}:kept", f"{{{shard}}}:audit"
    if await client.command("EXISTS", key, shard=shard):
        await client.command("RENAME", key, kept, shard=shard)
    await client.command("SET", key, "x", shard=shard)
    yield
    await client.command("DEL", key, shard=shard)
    if await client.command("EXISTS", kept, shard=shard):
        await client.command("RENAME", kept, key, shard=shard)


async def chains_hold(playing: Scene) -> None:
    for shard in range(SHARDS):
        entries = await playing.stage.bot.stores.audit.entries(shard=shard)
        assert not audit.verify(entries).broken_at


@pytest.mark.parametrize(("language", "words"), [("en", "audit log cannot be written"), ("zh", "审计日志写不进去")])
async def test_a_confirmation_is_refused_in_words_and_can_be_given_once_it_is_mended(
    tmp_path: Path, language: str, words: str
) -> None:
    async with scene(tmp_path) as playing:
        asked = {"en": "@bot scale web to 5", "zh": "@bot 把 web 扩容到 5 个副本"}[language]
        await playing.say("alice", asked)
        assert shard_of(target(playing)) != shard_of(room(playing))
        async with spoiled(playing, shard_of(target(playing))):
            refused = await playing.click("alice", "confirm", "1")
            assert words in refused["reply"]
            assert refused["state"] == "confirming"
            assert playing.stage.sandbox.writes() == []
        await playing.click("alice", "confirm", "1")
        assert len(playing.stage.sandbox.writes()) == 1
        await chains_hold(playing)


async def test_a_plan_that_cannot_be_recorded_is_none(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        await playing.say("alice", "@bot scale web to 5")
        key = target(playing)
        await playing.say("alice", "@bot cancel")
        async with spoiled(playing, shard_of(key)):
            told = await playing.say("alice", "@bot scale web to 6")
            assert "audit log cannot be written" in told["reply"]
            assert told["plan"] is None
            reading = await playing.say("alice", "@bot how is web?")
            assert "web" in reading["reply"]
        assert playing.stage.sandbox.writes() == []


async def test_an_approval_is_refused_too(tmp_path: Path) -> None:
    policy = {"rules": [{"confirm": ["alice"], "approve": ["bob"], "approvals": 1}]}
    async with scene(tmp_path, policy=policy) as playing:
        await playing.say("alice", "@bot scale web to 5")
        await playing.click("alice", "confirm", "1")
        async with spoiled(playing, shard_of(target(playing))):
            refused = await playing.click("bob", "approve", "1")
            assert "audit log cannot be written" in refused["reply"]
            assert refused["state"] == "approving"
            assert playing.stage.sandbox.writes() == []
        await playing.click("bob", "approve", "1")
        assert len(playing.stage.sandbox.writes()) == 1


async def test_a_confirmed_plan_is_not_begun_when_its_end_could_not_be_recorded(tmp_path: Path) -> None:
    """It breaks between the confirmation and the execution."""
    async with scene(tmp_path) as playing:
        await playing.say("alice", "@bot scale web to 5")
        ledger, shard = playing.stage.bot.gate.ledger, shard_of(target(playing))
        breaking = Breaking(ledger, spoiled(playing, shard))
        playing.stage.bot.gate.ledger = cast(Ledger, breaking)
        told = await playing.click("alice", "confirm", "1")
        assert "audit log cannot be written" in told["reply"]
        assert playing.stage.sandbox.writes() == []
        await breaking.mend()
        await playing.wait(90)
        assert playing.stage.sandbox.writes() == []
        await chains_hold(playing)


async def test_no_further_step_is_made_without_its_record_and_the_card_says_why_it_stands_still(tmp_path: Path) -> None:
    nodes = {"workloads": [{**WEB, "pdb": {"min_available": 3}}], "nodes": [{"name": "n1"}, {"name": "n2"}]}
    async with scene(tmp_path, cluster=nodes) as playing:
        await playing.say("alice", "@bot drain n1")
        shard = shard_of(target(playing))
        breaking = Breaking(playing.stage.bot.gate.ledger, spoiled(playing, shard), after="finish")
        playing.stage.bot.gate.ledger = cast(Ledger, breaking)
        told = await playing.click("alice", "confirm", "1")
        assert "0 of 2 pods gone" in told["reply"]
        assert "no further step is made without a record" in told["reply"]
        await playing.wait(60)
        assert not [one for one in playing.stage.sandbox.requests if is_eviction(one)]
        await breaking.mend()
        playing.stage.bot.gate.ledger = breaking.whole
        await playing.wait(300)
        assert len([one for one in playing.stage.sandbox.requests if is_eviction(one)]) >= 2
        assert any("all 2 pods are gone" in shown.card.text() for shown in playing.stage.chat.cards())
        await chains_hold(playing)


async def test_a_plan_that_was_refused_for_want_of_a_record_gives_its_target_back(tmp_path: Path) -> None:
    """Well before its own time is over, which is long where approvals are waited for."""
    policy = {"rules": [{"confirm": ["alice"], "approve": ["bob"], "approvals": 1}]}
    async with scene(tmp_path, policy=policy) as playing:
        await playing.say("alice", "@bot scale web to 5")
        await playing.click("alice", "confirm", "1")
        ledger, key = playing.stage.bot.gate.ledger, target(playing)
        breaking = Breaking(ledger, spoiled(playing, shard_of(key)), after="approve")
        playing.stage.bot.gate.ledger = cast(Ledger, breaking)
        told = await playing.click("bob", "approve", "1")
        assert "audit log cannot be written" in told["reply"]
        assert await ledger.holder(target=key)
        await breaking.mend()
        await playing.wait(60)
        assert not await ledger.holder(target=key)
        assert playing.stage.sandbox.writes() == []
        await chains_hold(playing)


class Breaking:
    """A ledger whose audit chain breaks right after a confirmation, or after another step."""

    def __init__(self, ledger: Ledger, spoil: AbstractAsyncContextManager[None], *, after: str = "confirm") -> None:
        self.whole = ledger
        self._spoil = spoil
        self._after = after

    def __getattr__(self, name: str) -> Any:
        step = getattr(self.whole, name)
        return self._breaking(step) if name == self._after else step

    def _breaking(self, step: Callable[..., Awaitable[LedgerStep]]) -> Callable[..., Awaitable[LedgerStep]]:
        async def stepped(**given: Any) -> LedgerStep:
            made = await step(**given)
            await self._spoil.__aenter__()
            return made

        return stepped

    async def mend(self) -> None:
        await self._spoil.__aexit__(None, None, None)


async def test_where_the_room_has_no_record_nothing_goes_on_and_the_room_is_told_once(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        await playing.say("alice", "@bot scale web to 5")
        async with spoiled(playing, shard_of(room(playing))):
            told = await playing.click("alice", "confirm", "1")
            assert told["reply"].count("audit log cannot be written") == 1
            again = await playing.wait(60)
            assert "audit log cannot be written" not in again["reply"]
            assert playing.stage.sandbox.writes() == []
        await playing.wait(60)
        assert len(playing.stage.sandbox.writes()) == 1
        await chains_hold(playing)


async def test_a_full_store_takes_no_confirmation(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        await playing.say("alice", "@bot scale web to 5")
        client: Client = playing.stage.bot.stores.audit._base.client
        await client.command("CONFIG", "SET", "maxmemory", 1)
        playing.stage.clock.move_to(playing.stage.clock.now() + 5)
        await playing.click("alice", "confirm", "1")
        assert playing.stage.sandbox.writes() == []
        await client.command("CONFIG", "SET", "maxmemory", 0)
        await playing.wait(5)
        await playing.click("alice", "confirm", "1")
        assert len(playing.stage.sandbox.writes()) == 1
        await chains_hold(playing)


async def test_a_server_that_has_become_a_replica_takes_no_confirmation(tmp_path: Path) -> None:
    """Until it is a master again: nothing is lost, and the plan waits as it was."""
    async with scene(tmp_path) as playing:
        await playing.say("alice", "@bot scale web to 5")
        client: Client = playing.stage.bot.stores.audit._base.client
        await client.command("REPLICAOF", "127.0.0.1", 1)
        refused = await playing.click("alice", "confirm", "1")
        assert "store is unavailable" in refused["reply"]
        assert playing.stage.sandbox.writes() == []
        await client.command("REPLICAOF", "NO", "ONE")
        await playing.click("alice", "confirm", "1")
        assert len(playing.stage.sandbox.writes()) == 1
        await chains_hold(playing)
