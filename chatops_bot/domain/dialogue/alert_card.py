"""The card of an alert group: the verdict on its service first, then the alerts, then the evidence, then what can be
done. What others wrote stands in a fence."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from chatops_bot.domain.cards import Block, Button, Card, Code, Link, Links, Note, Text, Tone
from chatops_bot.domain.care import GROUP
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.dialogue.called import labels
from chatops_bot.domain.dialogue.turn import label
from chatops_bot.domain.dialogue.views import SHOWN_CHOICES, place, report_card
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Language
from chatops_bot.domain.objects import span
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import AlertLine, AlertState
from chatops_bot.domain.texts import render, word

FLAPS: Final = 3
"""Firings within `FLAP_MS` from which on a group is said to flap."""
FLAP_MS: Final = 30 * 60_000

_NAMES: Final = 3
_NAME: Final = 80
_CLEAR_MS: Final = 12 * 3_600_000
"""Within so long the time of day is clear without its day."""
_MILD: Final = frozenset({"warning", "warn", "minor", "low", "info", "none"})


def alert_card(state: AlertState, language: Language, *, catalog: Catalog, now: int) -> Card:
    """The card as it stands now."""
    return Card(
        title=render(_title(state), language),
        language=language,
        tone=_tone(state),
        blocks=tuple(_blocks(state, language, catalog=catalog, now=now)),
        buttons=_buttons(state, language, catalog),
        patient=True,
    )


def in_brief(state: AlertState, *, now: int) -> tuple[Say, ...]:
    """Whether it still fires and since when, or when that ended: for whoever asks below its card."""
    if state.resolved_at:
        return (_title(state), _over(state, now))
    return (_title(state), *((say("alert.since", time=moment(state.starts_at, now)),) if state.starts_at else ()))


def candidates(state: AlertState, catalog: Catalog) -> dict[str, Entity]:
    """The services offered to choose from, as their buttons name them."""
    known = [service.entity for key in state.candidates if (service := catalog.by_key(key)) is not None]
    return labels(tuple(known[:SHOWN_CHOICES]))


def names_of(state: AlertState) -> str:
    """The names of what fires, or else of what has fired."""
    lines = [line for line in state.shown if line.firing] or state.shown
    names = sorted({line.name[:_NAME] for line in lines})
    return ", ".join(names[:_NAMES]) or "?"


def moment(at: int, now: int) -> str:
    """A time (ms) as read on a clock, with its day where that is not clear. Whoever reads the card may be anywhere, so
    in UTC."""
    form = "%H:%M UTC" if abs(now - at) < _CLEAR_MS else "%Y-%m-%d %H:%M UTC"
    return datetime.fromtimestamp(at / 1000, UTC).strftime(form)


def flaps(state: AlertState) -> bool:
    """Whether it fires and resolves again and again."""
    times = state.lately[-FLAPS:]
    return len(times) == FLAPS and times[-1] - times[0] <= FLAP_MS


def _title(state: AlertState) -> Say:
    if state.moved:
        return say("alert.moved", name=names_of(state))
    if state.group.startswith(GROUP):  # of ours, and no alert
        return say("care.firing" if state.firing else "care.over", name=names_of(state))
    if state.firing:
        return say("alert.firing", name=names_of(state), count=state.firing)
    return say("alert.uncertain" if state.left_out else "alert.resolved", name=names_of(state))


def _tone(state: AlertState) -> Tone:
    if state.moved:
        return "muted"
    if not state.firing:
        return "warn" if state.left_out else "ok"
    return "warn" if state.severity.casefold() in _MILD else "danger"


def _blocks(state: AlertState, language: Language, *, catalog: Catalog, now: int) -> list[Block]:
    if state.moved:
        return []
    report = _report(state, language) if state.firing else []
    blocks: list[Block] = [*report[:1], *_state_lines(state, language, now=now)]
    blocks.append(Code("\n".join(_line(line, language, now=now) for line in state.shown)))
    if hidden := state.firing + state.resolved - len(state.shown):
        blocks.append(Note(render(say("alert.more", count=hidden), language)))
    if state.left_out:
        blocks.append(Note(render(say("alert.left_out", count=state.left_out), language)))
    blocks += report[1:]
    if state.entity is None:
        choose = "alert.several" if state.several else "alert.choose"
        blocks.append(Note(render(say(choose if candidates(state, catalog) else "alert.unmapped"), language)))
    elif not report:
        blocks.append(Note(f"{label(state.entity)} · {place(state.entity, language)}"))
    if state.earlier is not None:
        blocks.append(Note(render(state.earlier, language)))
    return [*blocks, *_links(state, language)]


def _report(state: AlertState, language: Language) -> list[Block]:
    """The diagnosis, its verdict first; where there is none yet or none at all, nothing."""
    if state.report is None or state.entity is None:
        return []
    notes = () if state.problem is None else (say("alert.not_again", why=render(state.problem, language)),)
    return list(report_card(state.report, language, notes=notes).blocks)


def _state_lines(state: AlertState, language: Language, *, now: int) -> list[Block]:
    """What there is to know of the group as a whole, and of a diagnosis that is not there."""
    lines: list[Block] = []
    if state.resolved_at:
        lines.append(Text(render(_over(state, now), language), strong=True))
    if flaps(state):
        flapping = say("alert.flapping", count=state.fired, time=moment(state.since, now))
        lines.append(Text(render(flapping, language), strong=True))
    if state.firing and state.entity is not None and state.report is None:
        if state.problem is not None:
            lines.append(Note(render(say("alert.undiagnosed", why=render(state.problem, language)), language)))
        elif state.asked_at:
            lines.append(Note(render(say("alert.diagnosing", service=label(state.entity)), language)))
    return lines


def _over(state: AlertState, now: int) -> Say:
    lasted = state.resolved_at - state.starts_at
    if not state.starts_at or lasted <= 0:
        return say("alert.over")
    since, until = moment(state.starts_at, now), moment(state.resolved_at, now)
    return say("alert.lasted", span=span(lasted), since=since, until=until)


def _line(line: AlertLine, language: Language, *, now: int) -> str:
    since = render(say("alert.since", time=moment(line.since, now)), language) if line.since else ""
    head = " · ".join(part for part in (line.name, line.severity, since) if part)
    shown = f"{'🔴' if line.firing else '✅'} {head}"
    return f"{shown}\n   {line.summary}" if line.summary else shown


def _links(state: AlertState, language: Language) -> list[Block]:
    """Where to silence it, and the rule that made the first alert."""
    source = next((line.source for line in state.shown if line.source), "")
    known = [("alert.silence", state.silence if state.firing else ""), ("alert.source", source)]
    links = tuple(Link(render(say(key), language), url) for key, url in known if url)
    return [Links(links)] if links else []


def _buttons(state: AlertState, language: Language, catalog: Catalog) -> tuple[Button, ...]:
    """Those of a diagnosis of the service, or one for each service that may be meant."""
    if state.entity is None:
        return tuple(
            Button(
                f"service:{name}", f"{name} ({entity.environment})" if entity.environment else name, value=entity.key
            )
            for name, entity in candidates(state, catalog).items()
        )
    report = state.report if state.report is not None and state.firing else None
    shown = report or Report(kind="status", at=0, headline=say("alert.over"), entity=state.entity)
    offered = [button for button in report_card(shown, language).buttons if button.id not in ("refresh", "diagnose")]
    diagnose = Button("diagnose", word("button.diagnose", language), value=state.entity.key)
    incident = (Button("incident", word("button.incident", language)),) if state.firing else ()
    return (diagnose, *offered, *incident)
