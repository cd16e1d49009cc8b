"""Cards about an incident: where it stands, what happened last, what still hangs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from chatops_bot.domain import mirrors
from chatops_bot.domain.audit import shortened
from chatops_bot.domain.cards import Block, Button, Card, Code, Fields, Note, Text, Tone
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.incidents import Entry, Incident, open_items
from chatops_bot.domain.intents import Language
from chatops_bot.domain.objects import span
from chatops_bot.domain.postmortem import markdown, said_by
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.texts import render, word

SHOWN: Final = 3
"""Entries of the timeline on a card: what happened last."""

DRAFT: Final = 12_000
"""Characters of a draft that go to a platform: more than any of them shows of one."""

LISTED: Final = 10
"""Incidents in one list; the rest is counted."""

_TONES: Final[dict[str, Tone]] = {"open": "danger", "mitigated": "warn", "resolved": "ok"}
_DAY_MS: Final = 86_400_000


def incident_card(turn: Turn, incident: Incident, *, notes: tuple[Say, ...] = ()) -> Card:
    """Everything that somebody who has just come wants to know."""
    language = turn.language
    title = say(
        "incident.title",
        id=incident.id,
        severity=incident.severity,
        status=f"incident.status.{incident.status}",
    )
    blocks: list[Block] = [Text(render(note, language), strong=True) for note in notes]
    blocks.append(
        Fields(tuple((render(Say(f"incident.{name}"), language), value) for name, value in _rows(turn, incident)))
    )
    latest = incident.entries[-SHOWN:]
    if latest:
        blocks.append(Note(turn.text(say("incident.last"))))
        blocks += [Text(entry_line(entry, language, now=turn.now)) for entry in latest]
    blocks += [Text("⚠ " + turn.text(line)) for line in _hanging(incident, language)]
    if not incident.resolved:
        blocks.append(Note(turn.text(say("incident.how"))))
    return Card(
        title=turn.text(title),
        language=language,
        tone=_TONES[incident.status],
        blocks=tuple(blocks),
        buttons=buttons(incident, language),
    )


def _rows(turn: Turn, incident: Incident) -> list[tuple[str, str]]:
    """Labels (names of texts) and values; what is not known is left out."""
    detected = incident.detected_at
    rows = [
        ("about", incident.title),
        ("service", incident.entity),
        ("commander", incident.who_commands or word("incident.nobody", turn.language)),
        ("assignee", incident.assignee),
        ("linked", _linked(turn, incident)),
    ]
    steps = [("acknowledged_after", incident.acknowledged_at), ("mitigated_after", incident.mitigated_at)]
    if incident.resolved:
        rows += [(name, _span(turn, at - detected)) for name, at in steps if at]
        rows.append(("took", _span(turn, incident.resolved_at - detected)))
    else:
        rows.append(("lasts", _span(turn, turn.now - detected)))
        rows += [(name, _span(turn, at - detected)) for name, at in steps[1:] if at]
    return [(name, value) for name, value in rows if value]


def _linked(turn: Turn, incident: Incident) -> str:
    """The rooms that its thread is shown in, its own first; "" where that is the only one."""
    if turn.session.incident != incident.id or not turn.elsewhere.rooms(turn.session):
        return ""
    links = turn.world.incidents.links
    rooms = (turn.session.room, *(mirror.room for mirror in turn.elsewhere.rooms(turn.session)))
    return " ⇄ ".join(mirrors.shown(room, links) for room in rooms)


def _span(turn: Turn, milliseconds: int) -> str:
    return turn.text(say("postmortem.span", span=span(max(0, milliseconds))))


def _hanging(incident: Incident, language: Language) -> list[Say]:
    """Plans that wait for somebody, and changes whose effect nobody has seen yet."""
    items = open_items(incident)
    waits = [said_by(entry, language) for entry in items if entry.kind != "outcome"]
    unseen = [said_by(entry, language) for entry in items if entry.kind == "outcome"]
    said = (("incident.waits", waits), ("incident.unseen", unseen))
    return [say(key, what="; ".join(what[:SHOWN])) for key, what in said if what]


def entry_line(entry: Entry, language: Language, *, now: int) -> str:
    """An entry on one line: time (UTC, with the date where that is another day), kind, who, what."""
    form = "%H:%M:%S UTC" if now - entry.at < _DAY_MS else "%m-%d %H:%M UTC"
    at = datetime.fromtimestamp(entry.at / 1000, UTC).strftime(form)
    who = f" {entry.name or entry.user}" if entry.user else ""
    colon = "：" if language == "zh" else ": "
    return f"{at} · {word(f'incident.kind.{entry.kind}', language)}{who}{colon}{said_by(entry, language)}"


def buttons(incident: Incident, language: Language) -> tuple[Button, ...]:
    """What can be done with it in its status."""
    offered = {"open": ("mitigated", "resolve", "command", "status"), "mitigated": ("resolve", "status")}
    names = offered.get(incident.status, ())
    return tuple(
        Button(f"incident:{name}", word(f"button.incident_{name}", language), value=incident.id) for name in names
    )


def list_card(turn: Turn, incidents: tuple[Incident, ...], *, title: Say) -> Card:
    """Incidents of the room, the latest first, each a line with its id."""
    shown = sorted(incidents, key=lambda one: (one.resolved, -one.declared_at))
    lines: list[Block] = [Text(turn.text(_row(one))) for one in shown[:LISTED]]
    if len(shown) > LISTED:
        lines.append(Note(turn.text(say("incident.more", count=len(shown) - LISTED))))
    return Card(title=turn.text(title), language=turn.language, blocks=tuple(lines))


def _row(incident: Incident) -> Say:
    return say(
        "incident.row",
        id=incident.id,
        severity=incident.severity,
        status=f"incident.status.{incident.status}",
        title=incident.title or incident.entity or "–",
    )


def export_card(turn: Turn, incident: Incident) -> Card:
    """The draft of the post-mortem, cut to what the platform holds, and where the whole of it is."""
    return Card(
        title=turn.text(say("incident.export_title", id=incident.id)),
        language=turn.language,
        blocks=(
            Code(shortened(markdown(incident, turn.language), DRAFT)),
            Note(turn.text(say("incident.export_how", id=incident.id))),
        ),
    )
