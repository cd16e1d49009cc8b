"""The draft of a post-mortem: Markdown made from an incident's timeline.

Everything that came from outside is escaped: a name, a note or an alert can neither add a heading, a link or an image,
nor break a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from typing import Final

from chatops_bot.domain.incidents import Entry, Incident, open_items, people
from chatops_bot.domain.intents import Language
from chatops_bot.domain.objects import span
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.texts import render, word

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~$&@:])")
"""What Markdown, as GitHub, GitLab and others read it, could take for more than a character. `@` rings people there,
and a bare address becomes a link by its colon. An escaped `@` still rings: a character of no width follows it."""

_QUESTIONS: Final = ("impact", "cause", "trigger", "detection", "helped", "hindered", "luck")
_BESIDE: Final = frozenset({"plan", "confirmed", "approved", "dropped", "outcome", "verified"})


def escaped(text: str) -> str:
    """One line of plain text as Markdown that shows just that."""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return _SPECIAL.sub(r"\\\1", " ".join(shown.split())).replace("@", "@\N{ZERO WIDTH SPACE}")


def said_by(entry: Entry, language: Language) -> str:
    """What an entry says, without who and when; plain text."""
    if entry.said is None:
        return entry.text
    try:
        return render(entry.said, language)
    except (KeyError, IndexError, ValueError):  # a sentence that this version does not have
        return entry.text or entry.said.key


def markdown(incident: Incident, language: Language, *, zone: tzinfo = UTC) -> str:
    """The whole draft, its times in `zone`."""
    return "\n".join(_Draft(incident, language, zone).lines()) + "\n"


def durations(incident: Incident) -> tuple[tuple[str, int], ...]:
    """Each step by the name of its text, and when it was (ms); 0 for what has not happened."""
    return (
        ("detected", incident.detected_at),
        ("declared", incident.declared_at),
        ("acknowledged", incident.acknowledged_at),
        ("mitigated", incident.mitigated_at),
        ("resolved", incident.resolved_at),
    )


class _Page:
    """One incident in one language, and how its parts are written."""

    def __init__(self, incident: Incident, language: Language, zone: tzinfo) -> None:
        self._incident = incident
        self._language: Language = language
        self._zone = zone

    def _text(self, name: str) -> str:
        return render(Say(f"postmortem.{name}"), self._language)

    def _at(self, at: int) -> str:
        return datetime.fromtimestamp(at / 1000, self._zone).strftime("%Y-%m-%d %H:%M:%S %Z")

    def _span(self, milliseconds: int) -> str:
        """A duration in the reader's words; what was before the detection has none."""
        return render(say("postmortem.span", span=span(max(0, milliseconds))), self._language)

    def _table(self, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
        """`header` are names of texts, the cells of `rows` are Markdown."""
        yield f"| {' | '.join(self._text(name) for name in header)} |"
        yield f"|{' --- |' * len(header)}"
        for row in rows:
            yield f"| {' | '.join(row)} |"

    def _bullets(self, items: Iterable[str]) -> Iterator[str]:
        """Plain texts as a list."""
        lines = [f"- {escaped(item)}" for item in items]
        yield from lines or [self._text("none")]


class _Draft(_Page):
    """What stands on the page, section by section."""

    def lines(self) -> Iterator[str]:
        incident = self._incident
        title = say("postmortem.title", id=incident.id, title=escaped(incident.title))
        yield f"# {render(title, self._language).strip()}"
        yield ""
        yield self._text("draft")
        for name, section in self._sections():
            yield ""
            yield f"## {self._text(name)}"
            yield ""
            yield from section()

    def _sections(self) -> tuple[tuple[str, Callable[[], Iterator[str]]], ...]:
        return (
            ("summary", self._summary),
            ("durations", self._durations),
            ("people", self._people),
            ("findings", self._findings),
            ("actions", self._actions),
            ("open", self._open),
            ("runbooks", self._runbooks),
            ("timeline", self._timeline),
            ("questions", self._questions),
            ("follow_up", self._follow_up),
        )

    def _summary(self) -> Iterator[str]:
        incident = self._incident
        rows = [
            ("severity", incident.severity),
            ("status", word(f"incident.status.{incident.status}", self._language)),
            ("service", incident.entity),
            ("room", incident.room),
            ("commander", incident.who_commands),
            ("declared_by", incident.declared_name or incident.declared_by or word("incident.alerts", self._language)),
        ]
        if incident.reopened:
            rows.append(("reopened", str(incident.reopened)))
        yield from self._table(("field", "value"), ((self._text(name), escaped(value) or "–") for name, value in rows))
        yield ""
        yield self._text("fill")

    def _durations(self) -> Iterator[str]:
        detected = self._incident.detected_at
        steps = ((name, at) for name, at in durations(self._incident))
        yield from self._table(
            ("step", "at", "after"),
            (
                (self._text(name), self._at(at) if at else "–", self._span(at - detected) if at else "–")
                for name, at in steps
            ),
        )

    def _people(self) -> Iterator[str]:
        yield from self._bullets(
            f"{name} ({key})" if name != key else name for key, name in people(self._incident).items()
        )

    def _findings(self) -> Iterator[str]:
        found = [entry for entry in self._incident.entries if entry.kind == "finding"]
        yield from self._bullets(f"{self._at(entry.at)} {said_by(entry, self._language)}" for entry in found)

    def _actions(self) -> Iterator[str]:
        plans: dict[str, list[Entry]] = {}
        for entry in self._incident.entries:
            if entry.ref and entry.kind in _BESIDE:
                plans.setdefault(entry.ref, []).append(entry)
        if not plans:
            yield self._text("none")
            return
        header = ("action", "requested", "confirmed", "approved", "outcome")
        yield from self._table(header, (self._action(entries) for entries in plans.values()))

    def _action(self, entries: list[Entry]) -> tuple[str, ...]:
        """What was planned, and who confirmed and approved it, and every outcome of it."""
        plan = next((entry for entry in entries if entry.kind == "plan"), entries[0])
        ends = [entry for entry in entries if entry.kind in ("dropped", "outcome", "verified")]
        outcome = "; ".join(f"{self._at(entry.at)} {said_by(entry, self._language)}" for entry in ends)
        by = {
            kind: ", ".join(e.name or e.user for e in entries if e.kind == kind) for kind in ("confirmed", "approved")
        }
        what = said_by(plan, self._language)
        cells = (what, plan.name or plan.user, by["confirmed"], by["approved"], outcome)
        return tuple(escaped(cell) or "–" for cell in cells)

    def _open(self) -> Iterator[str]:
        yield from self._bullets(said_by(entry, self._language) for entry in open_items(self._incident))

    def _runbooks(self) -> Iterator[str]:
        cited = dict.fromkeys(id for entry in self._incident.entries for id in entry.runbooks)
        yield from self._bullets(cited)

    def _timeline(self) -> Iterator[str]:
        rows = (
            (
                self._at(entry.at),
                escaped(entry.name or entry.user) or "–",
                word(f"incident.kind.{entry.kind}", self._language),
                escaped(said_by(entry, self._language)),
            )
            for entry in self._incident.entries
        )
        yield from self._table(("at", "who", "kind", "what"), rows)
        if self._incident.gap:
            yield ""
            yield render(say("postmortem.gap", count=self._incident.gap), self._language)

    def _questions(self) -> Iterator[str]:
        for name in _QUESTIONS:
            yield f"- **{self._text(f'question.{name}')}** {self._text('fill')}"

    def _follow_up(self) -> Iterator[str]:
        fill = self._text("fill")
        yield from self._table(("what", "owner", "due"), ((fill, fill, fill),))
