"""Earlier conversations as they were stored: also by a version with more words than this one."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.memory import Fact, Gist, Open
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Summary, encode_beside
from chatops_bot.domain.settling import Reason, Settlement
from chatops_bot.engine.past import summaries_in, with_words
from chatops_bot.engine.turns import Later, beside_of
from chatops_bot.ports.store import Claim
from chatops_bot.ports.summaries import StoredSummary

NEW = Say("memory.of_a_newer_version", {"what": "x"})
KNOWN = Fact("done", say("memory.walk", runbook="r", step=1), 1, "a")


def stored(raw: bytes) -> StoredSummary:
    return StoredSummary("r", "t", 1, raw)


def test_what_only_a_newer_version_has_words_for_is_left_out() -> None:
    lacking = Fact("done", Say("memory.walk", {"runbook": "r"}), 1, "b")
    gist = Gist((KNOWN, msgspec.structs.replace(KNOWN, said=NEW, ref="c"), lacking), turns=3)
    summary = Summary(thread="t", at=1, gist=gist, open=(Open("walk", NEW), Open("walk", KNOWN.said)))
    (found,) = summaries_in([stored(encode_beside(summary))])
    assert found.gist == Gist((KNOWN,), turns=3)
    assert found.open == (Open("walk", KNOWN.said),)


def test_nor_is_it_told_how_it_ended_for_reasons_that_have_no_words() -> None:
    verdict = Settlement("unresolved", 1, (Reason("repeated", 3, KNOWN.said),))
    summary = Summary(thread="t", at=1, settled=verdict)
    assert with_words(summary) == summary
    newer = msgspec.structs.replace(verdict, reasons=(*verdict.reasons, Reason("repeated", 3, NEW)))
    assert with_words(msgspec.structs.replace(summary, settled=newer)).settled is None


def test_what_cannot_be_read_at_all_is_passed_over() -> None:
    raw = encode_beside(Summary(thread="t", at=1, open=(Open("walk", KNOWN.said),)))
    assert not [*summaries_in([stored(raw.replace(b'"kind":"walk"', b'"kind":"newer"')), stored(b"[]")])]
    assert [*summaries_in([stored(raw)])]


def test_whoever_comes_back_to_a_card_waits_for_a_worker_that_can_read_what_it_was_about() -> None:
    raw = encode_beside(Summary(thread="t", at=1, open=(Open("walk", KNOWN.said), Open("walk", NEW))))
    claim = Claim(shard=0, queue="t|t2", token="x", deadline=1.0, extra=raw)
    found = beside_of(claim)
    assert isinstance(found, Summary)
    assert found.open == (Open("walk", KNOWN.said),)
    with pytest.raises(Later):
        beside_of(msgspec.structs.replace(claim, extra=raw.replace(b'"kind":"walk"', b'"kind":"newer"')))
    assert beside_of(msgspec.structs.replace(claim, extra=b"")) is None
