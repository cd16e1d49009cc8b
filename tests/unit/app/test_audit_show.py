"""The story of one plan, and the records for other programs, on a real store."""

from __future__ import annotations

import csv
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.app import audit_show
from chatops_bot.app.audit_command import Wanted
from chatops_bot.app.opening import Opened, open_store
from chatops_bot.app.settings import StoreSettings
from chatops_bot.domain.audit import Kind, Record, encode, link_hash

NOON_MS = 1_767_614_400_000
WEB = "east/shop/deployment/web"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Opened]:
    async with open_store(StoreSettings(directory=tmp_path)) as opened:
        yield opened


async def add(
    store: Opened, *, minutes: int = 0, shard_of: str = "room", kind: Kind = "request", **fields: Any
) -> None:
    record = Record(at=NOON_MS + 60_000 * minutes, kind=kind, **fields)
    await store.audit.append(shard_of=shard_of, record=encode(record))


async def a_plan(store: Opened, token: str = "a1b2c3d4") -> None:
    await add(store, user="alice", service=WEB, action="scale", event="m1", text="scale it")
    await add(
        store,
        shard_of=WEB,
        minutes=1,
        kind="decision",
        user="alice",
        token=token,
        reason="prepared",
        event="m1.0",
        digest="d1",
        shown=("replicas 2 → 5", "an HPA\x1b[2J looks on"),
        before={"replicas": 2},
    )
    await add(store, minutes=2, kind="confirmation", user="bob", token=token, card="C1:17.2", event="k1", digest="d1")
    await add(store, shard_of=WEB, minutes=3, kind="execution", user="bob", token=token, sent="PATCH x", answered="v9")
    await add(store, minutes=4, user="carol", event="m2", text="something else")


async def shown(store: Opened, wanted: str, *, as_json: bool = False) -> tuple[int, list[str]]:
    lines: list[str] = []
    code = await audit_show.show(store, wanted=wanted, as_json=as_json, echo=lines.append, page=2)
    return code, lines


async def exported(store: Opened, form: audit_show.Format, **filters: Any) -> tuple[int, list[str]]:
    lines: list[str] = []
    code = await audit_show.export(store, wanted=Wanted(**filters), form=form, echo=lines.append, page=2)
    return code, lines


class TestShow:
    async def test_a_plan_from_its_request_to_its_execution(self, store: Opened) -> None:
        await a_plan(store)
        code, lines = await shown(store, "a1b2")
        assert code == 0
        kinds = [line.split()[2] for line in lines if not line.startswith(" ")]
        assert kinds == ["request", "decision", "confirmation", "execution"]
        text = "\n".join(lines)
        for said in ("digest d1", 'before:    {"replicas":2}', "shown:     replicas 2 → 5", "C1:17.2", "PATCH x", "v9"):
            assert said in text
        assert "carol" not in text
        assert "\x1b" not in text

    async def test_an_event_with_what_it_led_to(self, store: Opened) -> None:
        await a_plan(store)
        _, lines = await shown(store, "m1xx", as_json=True)
        assert lines == ["nothing is on record about m1xx"]
        await add(store, event="message-7", text="seven")
        await add(store, event="message-7.1", text="its work")
        await add(store, event="message-77", text="another")
        _, lines = await shown(store, "message-7", as_json=True)
        assert [json.loads(line)["text"] for line in lines] == ["seven", "its work"]

    @pytest.mark.parametrize(("wanted", "said"), [("ffff", "nothing is on record"), ("a1b", "too short")])
    async def test_nothing_is_told(self, store: Opened, wanted: str, said: str) -> None:
        await a_plan(store)
        code, lines = await shown(store, wanted)
        assert code == 1
        assert said in lines[0]

    async def test_a_beginning_of_two_plans_is_told(self, store: Opened) -> None:
        await a_plan(store)
        await a_plan(store, "a1b2ffff")
        code, lines = await shown(store, "a1b2")
        assert (code, lines) == (1, ["a1b2 is the beginning of 2 plans: a1b2c3d4, a1b2ffff"])
        assert (await shown(store, "a1b2f"))[0] == 0


class TestExport:
    async def test_json_lines_can_be_verified_without_the_store(self, store: Opened) -> None:
        await a_plan(store)
        code, lines = await exported(store, "jsonl")
        assert code == 0
        assert len(lines) == 5
        heads: dict[int, str] = {}
        for line in lines:
            link = json.loads(line)
            record = line[line.index('"record":') + len('"record":') : -1].encode()
            assert link["previous"] == heads.get(link["shard"], "")
            assert link["hash"] == link_hash(link["previous"], record)
            heads[link["shard"]] = link["hash"]

    async def test_filters_hold(self, store: Opened) -> None:
        await a_plan(store)
        _, lines = await exported(store, "jsonl", since=NOON_MS + 60_000, until=NOON_MS + 180_000)
        assert sorted(json.loads(line)["record"]["kind"] for line in lines) == ["confirmation", "decision"]
        _, lines = await exported(store, "jsonl", user="bob")
        assert len(lines) == 2

    async def test_csv_has_a_head_and_one_row_a_record(self, store: Opened) -> None:
        await a_plan(store)
        await add(store, user="mallory", text='=cmd|"/c calc"!A1\nsecond, line')
        _, lines = await exported(store, "csv")
        rows = list(csv.DictReader(lines_of(lines)))
        assert len(rows) == 6
        assert tuple(rows[0]) == audit_show.COLUMNS
        confirmed = next(row for row in rows if row["kind"] == "confirmation")
        assert confirmed["at"] == "2026-01-05T12:02:00.000+00:00"
        assert confirmed["card"] == "C1:17.2"
        assert next(row for row in rows if row["reason"] == "prepared")["before"] == '{"replicas":2}'
        hostile = next(row for row in rows if row["user"] == "mallory")
        assert hostile["text"] == '\'=cmd|"/c calc"!A1\nsecond, line'

    async def test_what_cannot_be_read_is_left_out_and_told(self, store: Opened) -> None:
        await store.audit.append(shard_of="room", record=b"{")
        await add(store, text="good")
        code, lines = await exported(store, "jsonl")
        assert code == 1
        assert [json.loads(line)["record"]["text"] for line in lines] == ["good"]


def lines_of(rows: list[str]) -> list[str]:
    """As a file has them."""
    return [line for row in rows for line in f"{row}\n".splitlines(keepends=True)]
