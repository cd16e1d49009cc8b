"""The draft of a post-mortem: everything in it, both languages, and nothing of what others wrote breaks out of its cell."""

from __future__ import annotations

from datetime import UTC
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from chatops_bot.domain.incidents import Entry, Incident, Kind, bounded, encode, open_items, people, read
from chatops_bot.domain.intents import Language
from chatops_bot.domain.postmortem import escaped, markdown
from chatops_bot.domain.say import say

START = 1_767_607_200_000  # 2026-01-05 10:00 UTC
MINUTE = 60_000
HOSTILE = "| a | *b* `c` <img src=x> [d](http://e) ![f](g) # h @channel \n## i ~~j~~ $k$ \\ &lt;"


def entry(number: int, kind: Kind, text: str = "", *, user: str = "", name: str = "", ref: str = "") -> Entry:
    return Entry(id=f"e{number}", at=START + number * MINUTE, kind=kind, text=text, user=user, name=name, ref=ref)


def restarted(outcome: str) -> Entry:
    said = say("incident.entry.outcome", action="action.restart", service="web", outcome=f"outcome.{outcome}")
    return replace(entry(6, "outcome", outcome, ref="r1"), said=said)


ENTRIES = (
    entry(0, "firing", "HighLatency"),
    entry(1, "declared", "sev1", user="alice", name="Alice"),
    replace(entry(2, "finding", "web is healthy"), runbooks=("latency", "latency", "dns")),
    replace(
        entry(3, "plan", user="alice", name="Alice", ref="r1"),
        said=say("incident.entry.plan", action="action.restart", service="web", change="2 pods"),
    ),
    entry(4, "confirmed", "restart web", user="bob", name="Bob", ref="r1"),
    entry(5, "approved", "restart web", user="carol", ref="r1"),
    restarted("done"),
    entry(7, "verified", "verified", ref="r1"),
    entry(8, "note", HOSTILE, user="mallory", name="<script>@all"),
)
INCIDENT = Incident(
    id="inc-20260105-1",
    room="slack.T1:C1",
    severity="sev1",
    status="resolved",
    declared_at=START + MINUTE,
    detected_at=START,
    title="checkout | fails",
    declared_by="alice",
    declared_name="Alice",
    commander="bob",
    commander_name="Bob",
    entity="web (prod)",
    acknowledged_at=START + 2 * MINUTE,
    mitigated_at=START + 7 * MINUTE,
    resolved_at=START + 90 * MINUTE,
    reopened=1,
    entries=ENTRIES,
    gap=3,
)


def sections(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("## "):
            name = line[3:]
        elif line:
            found.setdefault(name, []).append(line)
    return found


def test_it_has_all_that_happened() -> None:
    text = sections(markdown(INCIDENT, "en"))
    assert text[""][0] == r"# Post-mortem: inc-20260105-1 checkout \| fails"
    assert r"| Severity | sev1 |" in text["Summary"]
    assert "| Times reopened | 1 |" in text["Summary"]
    assert text["Times and durations"][2:] == [
        "| Detected | 2026-01-05 10:00:00 UTC | 0s |",
        "| Declared | 2026-01-05 10:01:00 UTC | 60s |",
        "| Acknowledged | 2026-01-05 10:02:00 UTC | 2m |",
        "| Mitigated | 2026-01-05 10:07:00 UTC | 7m |",
        "| Resolved | 2026-01-05 11:30:00 UTC | 1h30m |",
    ]
    assert text["People"][:3] == [r"- Alice \(alice\)", r"- Bob \(bob\)", "- carol"]
    assert text["Findings"] == [r"- 2026\-01\-05 10\:02\:00 UTC web is healthy"]
    assert text["Actions"][2] == (
        r"| restart web\: 2 pods | Alice | Bob | carol | 2026\-01\-05 10\:06\:00 UTC restart web\: done; "
        r"2026\-01\-05 10\:07\:00 UTC verified |"
    )
    assert text["Runbooks cited"] == ["- latency", "- dns"]
    assert len(text["Timeline"]) == 2 + len(ENTRIES) + 1
    assert text["Timeline"][-1] == "3 further entries were more than the timeline keeps."
    assert len(text["Questions to answer"]) == 7
    assert text["Still open"] == ["None."]


def test_it_is_written_in_chinese_as_well() -> None:
    text = sections(markdown(INCIDENT, "zh"))
    assert "| 恢复 | 2026-01-05 11:30:00 UTC | 1 小时 30 分钟 |" in text["时间与时长"]
    assert any("重启 web" in line for line in text["执行的操作"])
    assert not [line for line in markdown(INCIDENT, "zh").splitlines() if "Timeline" in line]


def test_times_are_those_of_the_zone_that_was_asked_for() -> None:
    text = markdown(INCIDENT, "en", zone=ZoneInfo("Asia/Shanghai"))
    assert "2026-01-05 18:00:00 CST" in text
    assert "UTC" not in text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_others_wrote_stays_in_its_cell(language: Language) -> None:
    lines = markdown(INCIDENT, language, zone=UTC).splitlines()
    (line,) = [line for line in lines if "img src" in line]
    cells = line.replace(r"\|", "").split("|")
    assert len(cells) == 6
    assert r"\<img src=x\>" in line
    assert r"\[d\]\(http\://e\)" in line
    assert "@channel" not in line
    assert not [other for other in lines if other.startswith("## i")]


@pytest.mark.parametrize(
    "text", [HOSTILE, "plain", "http://example.com", "a\nb", "- x", "1. y", "> z", "    code", "a\x1b[31m\u202eb"]
)
def test_escaped_text_is_one_line_without_markup(text: str) -> None:
    done = escaped(text)
    assert done.replace("\N{ZERO WIDTH SPACE}", "").isprintable()
    rest = done.replace("\\\\", "")
    assert not any(
        rest[place - 1 : place] != "\\" for place, character in enumerate(rest) if character in "`*_[]<>#|!~"
    )


def test_an_incident_that_has_only_begun_has_blanks() -> None:
    bare = Incident(id="inc-20260105-2", room="r", severity="P1", status="open", declared_at=START, detected_at=START)
    text = sections(markdown(bare, "en"))
    assert "| Resolved | – | – |" in text["Times and durations"]
    assert text["Actions"] == text["People"] == text["Findings"] == ["None."]


def test_plans_that_wait_and_changes_not_seen_yet_are_still_open() -> None:
    waiting = replace(INCIDENT, entries=ENTRIES[:4])
    assert [item.kind for item in open_items(waiting)] == ["plan"]
    unseen = replace(INCIDENT, entries=ENTRIES[:7])
    assert [item.kind for item in open_items(unseen)] == ["outcome"]
    assert open_items(INCIDENT) == ()
    refused = replace(INCIDENT, entries=(*ENTRIES[:6], restarted("refused")))
    assert open_items(refused) == ()


def test_everybody_is_named_once() -> None:
    assert people(INCIDENT) == {"alice": "Alice", "bob": "Bob", "carol": "carol", "mallory": "<script>@all"}


def test_what_is_stored_is_read_back_in_order_and_what_is_not_known_is_left_out() -> None:
    facts = {
        "room": "r",
        "severity": "sev2",
        "status": "mitigated",
        "declared_at": "5",
        "detected_at": "4",
        "mitigated_at": "9",
        "of_tomorrow": "x",
        "resolved_at": "later",
    }
    stored = [
        encode(entry(2, "note", "b")),
        b'{"id": "x", "at": 1, "kind": "of_tomorrow"}',
        encode(entry(1, "note", "a")),
    ]
    found = read("inc-20260105-1", facts, stored, 2)
    assert [one.text for one in found.entries] == ["a", "b"]
    assert found.gap == 3
    assert (found.status, found.mitigated_at, found.resolved_at) == ("mitigated", 9, 0)
    assert read("inc-20260105-1", {**facts, "status": "of_tomorrow"}).status == "open"


def test_entries_are_bounded_and_hold_no_secret() -> None:
    long = bounded(entry(1, "note", "token=abcdefghijklmnop1234 \x1b[31m\u202e " + "y" * 400))
    assert len(long.text) == 300
    assert "abcdefghijklmnop1234" not in long.text
    assert long.text.isprintable()
    named = bounded(replace(entry(1, "note"), name="token=hunter2hunter2\x1b " + "y" * 99)).name
    assert (named[:12], len(named)) == ("token=*** yy", 80)
    said = bounded(replace(entry(1, "plan"), said=say("incident.entry.plan", change="password=hunter2hunter2", n=5)))
    assert said.said is not None
    assert said.said.args == {"change": "password=***", "n": 5}
