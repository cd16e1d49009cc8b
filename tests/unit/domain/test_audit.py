"""The audit record keeps its form, and a chain that was touched is found out."""

import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain.audit import SENT_LIMIT, TEXT_LIMIT, Record, decode, encode, link_hash, shortened, verify
from chatops_bot.domain.intents import Quantity


class Entry(msgspec.Struct, frozen=True):
    id: str
    record: bytes
    previous: str
    hash: str


def chain(count: int, *, head: str = "") -> list[Entry]:
    entries = []
    for number in range(count):
        record = encode(Record(at=number, kind="request", user="alice", text=f"restart web {number}"))
        entry = Entry(f"{number}-0", record, head, hashlib.sha1(head.encode() + record).hexdigest())  # noqa: S324
        entries.append(entry)
        head = entry.hash
    return entries


def test_a_record_survives_its_encoding() -> None:
    record = Record(
        at=1,
        kind="confirmation",
        user="slack:U1",
        room="slack.T1:C1",
        thread="t1",
        service="east/shop/deployment/web",
        action="scale",
        parameters={"replicas": 5, "to": Quantity("by", -1), "grep": "x", "previous": True},
        token="p",
        route="confirm",
        reason="r",
        text="扩到 5 个",
        event="e",
    )
    assert decode(encode(record)) == record


def test_a_long_text_is_cut_with_a_sign() -> None:
    assert decode(encode(Record(at=1, kind="request", text="日" * 10_000))).text == "日" * (TEXT_LIMIT - 1) + "…"
    assert shortened("x" * TEXT_LIMIT) == "x" * TEXT_LIMIT


def test_a_record_of_a_newer_version_can_still_be_read() -> None:
    raw = msgspec.json.encode({"at": 1, "kind": "outcome", "added_later": 3})
    assert decode(raw) == Record(at=1, kind="outcome")


def test_a_sound_chain_holds_from_its_start_and_from_any_known_hash() -> None:
    entries = chain(5)
    verdict = verify(entries)
    assert (verdict.sound, verdict.head, verdict.broken_at) == (5, entries[-1].hash, "")
    assert verify(entries[3:], head=entries[2].hash).sound == 2
    assert verify([]).broken_at == ""


def test_a_hash_covers_the_one_before() -> None:
    assert link_hash("a", b"r") != link_hash("b", b"r")


@given(st.integers(0, 4), st.sampled_from(["record", "hash", "previous"]))
def test_a_tampered_link_is_found_where_it_is(place: int, field: str) -> None:
    entries = chain(5)
    value: str | bytes = encode(Record(at=9, kind="request", user="bob")) if field == "record" else "0" * 40
    entries[place] = msgspec.structs.replace(entries[place], **{field: value})
    verdict = verify(entries)
    assert verdict.broken_at == f"{place}-0"
    assert verdict.sound == place
    assert verdict.reason == ("missing" if field == "previous" else "altered")


@given(st.integers(0, 3))
def test_a_removed_link_is_missed_by_the_next(place: int) -> None:
    entries = chain(5)
    del entries[place]
    verdict = verify(entries)
    assert (verdict.broken_at, verdict.reason) == (f"{place + 1}-0", "missing")


def test_two_links_changed_places_are_found() -> None:
    entries = chain(3)
    entries[1], entries[2] = entries[2], entries[1]
    assert verify(entries).reason == "missing"


@pytest.mark.parametrize("raw", [b"{", b'{"at": 1}', b'{"at": 1, "kind": "party"}'])
def test_bytes_that_are_no_record_are_told(raw: bytes) -> None:
    verdict = verify([Entry("0-0", raw, "", link_hash("", raw))])
    assert (verdict.broken_at, verdict.reason) == ("0-0", "unreadable")


def test_nothing_that_looks_like_a_secret_is_stored() -> None:
    said = "restart it with DB_PASSWORD=hunter2x please"
    record = Record(
        at=1,
        kind="request",
        text=said,
        reason=f"override of peak: {said}",
        parameters={"grep": said, "replicas": 5, "said": Quantity("to", 5)},
        before={"note": said},
        shown=(said,),
        sent=said,
        answered=said,
    )
    stored = encode(record)
    assert b"hunter2x" not in stored
    assert stored.count(b"DB_PASSWORD=***") == 7
    assert decode(stored).parameters["said"] == Quantity("to", 5)


def test_a_long_reason_and_a_long_card_are_cut() -> None:
    stored = decode(encode(Record(at=1, kind="request", reason="x " * 9_000, shown=("y " * 9_000,))))
    assert len(stored.reason) == len(stored.shown[0]) == SENT_LIMIT
