"""The commands that read and switch the store, on a real one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.app import audit_command, switch_command
from chatops_bot.app.audit_command import Wanted
from chatops_bot.app.opening import Opened, open_store
from chatops_bot.app.settings import StoreSettings
from chatops_bot.domain.audit import Kind, Record, encode
from chatops_bot.domain.intents import Quantity

NOON = 1_767_614_400.0  # 2026-01-05 12:00 UTC
WEB = "east/shop/deployment/web"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Opened]:
    async with open_store(StoreSettings(directory=tmp_path)) as opened:
        yield opened


def wanted(**changes: str) -> Wanted:
    return Wanted.of(**{"since": "", "user": "", "service": "", "action": "", "kind": "", **changes}, now=NOON)


async def add(
    store: Opened, *, shard_of: str = "room", minutes: int = 0, kind: Kind = "request", **fields: Any
) -> None:
    record = Record(at=int((NOON + 60 * minutes) * 1_000), kind=kind, **fields)
    await store.audit.append(shard_of=shard_of, record=encode(record))


async def listed(store: Opened, *, as_json: bool = True, **changes: str) -> list[str]:
    lines: list[str] = []
    await audit_command.list_records(store, wanted=wanted(**changes), as_json=as_json, echo=lines.append)
    return lines


class TestOpening:
    async def test_what_is_written_is_still_there_after_a_restart(self, tmp_path: Path) -> None:
        settings = StoreSettings(directory=tmp_path)
        async with open_store(settings) as first:
            await first.threads.set_read_only("freeze")
        async with open_store(settings) as second:
            assert await second.threads.read_only() == "freeze"

    async def test_a_tool_joins_the_store_of_a_running_bot(self, tmp_path: Path) -> None:
        settings = StoreSettings(directory=tmp_path)
        async with open_store(settings) as bot:
            async with open_store(settings, join=True) as tool:
                await tool.threads.set_read_only("freeze")
            assert await bot.threads.read_only() == "freeze"


class TestList:
    async def test_records_of_all_shards_come_in_the_order_of_the_stores_clock(self, store: Opened) -> None:
        """The clocks of the workers that wrote them are minutes apart."""
        for minutes, room in ((2, "a"), (0, "b"), (1, "c")):
            await add(store, shard_of=room, minutes=minutes, text=room)
            written = await store.threads.now()
            while await store.threads.now() == written:
                pass
        assert [json.loads(line)["text"] for line in await listed(store)] == ["a", "b", "c"]

    @pytest.mark.parametrize(
        ("changes", "texts"),
        [
            ({}, ["one", "two", "three"]),
            ({"user": "alice"}, ["one", "three"]),
            ({"user": "slack:U1"}, ["two"]),
            ({"service": "web"}, ["one"]),
            ({"service": WEB}, ["one"]),
            ({"service": "eb"}, []),
            ({"action": "scale"}, ["one", "two"]),
            ({"kind": "execution"}, ["three"]),
            ({"since": "90m"}, ["two", "three"]),
            ({"since": "2026-01-05T11:30"}, ["three"]),
            ({"since": "2026-01-05T19:30+08:00"}, ["three"]),
            ({"since": "1d", "user": "alice", "action": "scale"}, ["one"]),
        ],
    )
    async def test_filters(self, store: Opened, changes: dict[str, Any], texts: list[str]) -> None:
        await add(store, minutes=-120, user="alice", service=WEB, action="scale", text="one")
        await add(store, minutes=-60, user="slack:U1", service="east/shop/deployment/api", action="scale", text="two")
        await add(store, minutes=-10, user="alice", kind="execution", text="three")
        assert [json.loads(line)["text"] for line in await listed(store, **changes)] == texts

    async def test_a_line_for_a_person(self, store: Opened) -> None:
        await add(
            store,
            kind="confirmation",
            user="alice",
            service=WEB,
            action="scale",
            parameters={"replicas": 5, "said": Quantity("by", 2)},
            reason="words",
            text="好的\n\x1b[2Jscale",
        )
        (line,) = await listed(store, as_json=False)
        assert line.startswith("2026-01-05 12:00:00  confirmation alice")
        assert "scale east/shop/deployment/web replicas=5" in line
        assert line.endswith('words "好的  [2Jscale"')

    async def test_a_person_is_found_by_name_whatever_the_account(self, store: Opened) -> None:
        await add(store, user="slack:U1", person="zhang.san", text="one")
        await add(store, minutes=1, user="feishu:ou_1", person="zhang.san", text="two")
        await add(store, minutes=2, user="slack:U2", text="three")
        assert [json.loads(line)["text"] for line in await listed(store, user="zhang.san")] == ["one", "two"]
        assert [json.loads(line)["text"] for line in await listed(store, user="slack:U1")] == ["one"]
        shown = await listed(store, as_json=False, user="zhang.san")
        assert "slack:U1 (zhang.san)" in shown[0]

    async def test_more_than_a_page_is_read(self, store: Opened) -> None:
        for number in range(5):
            await add(store, text=str(number))
        lines: list[str] = []
        await audit_command.list_records(store, wanted=wanted(), as_json=True, echo=lines.append, page=2)
        assert [json.loads(line)["text"] for line in lines] == list("01234")

    async def test_a_record_that_cannot_be_read_is_counted(self, store: Opened) -> None:
        await store.audit.append(shard_of="room", record=b"{")
        await add(store, text="good")
        lines: list[str] = []
        code = await audit_command.list_records(store, wanted=wanted(), as_json=True, echo=lines.append)
        assert code == 1
        assert json.loads(lines[0])["text"] == "good"
        assert "1 records cannot be read" in lines[1]

    @pytest.mark.parametrize("changes", [{"since": "yesterday"}, {"since": "5 m"}, {"kind": "party"}])
    def test_a_mistaken_filter_is_told(self, changes: dict[str, str]) -> None:
        with pytest.raises(ValueError, match=r"write 30m, 2h|known are request"):
            wanted(**changes)


class TestVerify:
    async def verified(self, store: Opened, *, as_json: bool = False) -> tuple[int, list[str]]:
        lines: list[str] = []
        return await audit_command.verify_chains(store, as_json=as_json, echo=lines.append), lines

    async def test_sound_chains(self, store: Opened) -> None:
        for room in ("a", "a", "b"):
            await add(store, shard_of=room)
        assert await self.verified(store) == (0, ["3 links are sound; no chain is broken."])

    async def test_a_chain_longer_than_a_page_is_checked_across_it(self, store: Opened) -> None:
        for _ in range(5):
            await add(store)
        lines: list[str] = []
        await audit_command.verify_chains(store, as_json=False, echo=lines.append, page=2)
        assert lines == ["5 links are sound; no chain is broken."]

    async def test_a_removed_record_is_found(self, store: Opened) -> None:
        for number in range(3):
            await add(store, text=str(number))
        shard, entry = await self.second(store)
        await store.client.command("XDEL", f"{{{shard}}}:audit", entry, shard=shard)
        code, lines = await self.verified(store)
        assert code == 1
        assert lines[0].startswith(f"shard {shard}: records are missing or were moved at ")
        assert lines[-1] == "1 links are sound; 1 chain is broken."

    async def test_a_chain_cut_off_at_its_end_is_found(self, store: Opened) -> None:
        for number in range(2):
            await add(store, text=str(number))
        shard, last = await self.second(store)
        await store.client.command("XDEL", f"{{{shard}}}:audit", last, shard=shard)
        code, lines = await self.verified(store)
        assert code == 1
        assert lines[0].startswith(f"shard {shard}: the last records are missing at ")

    async def test_json_tells_the_head_of_each_chain(self, store: Opened) -> None:
        await add(store, text="x")
        code, lines = await self.verified(store, as_json=True)
        (found,) = [json.loads(line) for line in lines]
        assert code == 0
        assert found["sound"] == 1
        assert len(found["head"]) == 40

    @staticmethod
    async def second(store: Opened) -> tuple[int, str]:
        """Shard and id of the second link of the one chain."""
        for shard in range(64):
            if entries := await store.audit.entries(shard=shard):
                return shard, entries[1].id
        raise AssertionError("there is no chain")


class TestSwitch:
    async def test_on_refuses_off_allows_and_both_are_recorded(self, store: Opened) -> None:
        lines: list[str] = []
        assert await switch_command.status(store, echo=lines.append) == 0
        assert await switch_command.turn_on(store, reason="release freeze", echo=lines.append) == 0
        assert "release freeze" in await store.threads.read_only()
        assert await switch_command.status(store, echo=lines.append) == 0
        assert await switch_command.turn_off(store, echo=lines.append) == 0
        assert await store.threads.read_only() == ""
        assert lines[0] == "Changes are allowed."
        assert "release freeze" in lines[2]
        records = [json.loads(line) for line in await listed(store, kind="switch")]
        assert [record["action"] for record in records] == ["read-only on", "read-only off"]
        assert all(record["user"].startswith("cli") for record in records)

    async def test_a_reason_is_demanded(self, store: Opened) -> None:
        assert await switch_command.turn_on(store, reason=" ", echo=lambda _line: None) == 2
        assert await store.threads.read_only() == ""

    async def test_off_when_it_is_off_changes_and_records_nothing(self, store: Opened) -> None:
        assert await switch_command.turn_off(store, echo=lambda _line: None) == 0
        assert await listed(store) == []

    async def test_a_secret_in_the_reason_is_masked(self, store: Opened) -> None:
        await switch_command.turn_on(store, reason="leak of password=hunter22", echo=lambda _line: None)
        assert "hunter22" not in await store.threads.read_only() + "".join(await listed(store))
