"""The card of a hand-off: to whom, by whom, why, and what whoever takes it has to know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from chatops_bot.domain.cards import Block, Button, ButtonStyle, Card, Fields, Note, Text, Tone
from chatops_bot.domain.dialogue import parking, walk_cards
from chatops_bot.domain.dialogue.alert_card import names_of
from chatops_bot.domain.dialogue.remembering import outcome_of
from chatops_bot.domain.dialogue.returning import fact_text
from chatops_bot.domain.dialogue.turn import Turn, label
from chatops_bot.domain.memory import RAN, Fact, FactKind, fold
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Handed, Session
from chatops_bot.domain.texts import word

_NAMED: Final = 4
"""Facts of each kind on the card, the last ones."""


def card_of(
    turn: Turn, handed: Handed, summary: Iterable[Say], *notes: Say, title: Say, tone: Tone = "warn", live: bool = True
) -> Card:
    """The card as it is now; `live`: with its buttons. `summary` is what is known at the hand-off, or later."""
    session = turn.session
    blocks: list[Block] = [Text(turn.text(note), strong=True) for note in notes]
    if live:
        service = label(handed.entity) if handed.entity is not None else ""
        said = say("handed.text" if service else "handed.text_alone", service=service, name=handed.name)
        blocks.append(Text(turn.text(said)))
    rows = [("handed.to", handed.who), ("handed.reason", session.handed_off if session.handed_off != "-" else "")]
    if shown := tuple((turn.text(say(key)), value) for key, value in rows if value):
        blocks.append(Fields(shown))
    blocks += [Text(turn.text(line)) for line in summary]
    return Card(
        title=turn.text(title),
        language=turn.language,
        tone=tone,
        blocks=tuple(blocks),
        buttons=buttons(turn, taken=handed.taken) if live else (),
    )


def buttons(turn: Turn, *, taken: bool) -> tuple[Button, ...]:
    """Take it, or have the bot back; whoever has it already can be relieved by somebody else."""
    style: ButtonStyle = "default" if taken else "primary"
    return (
        Button("take", word("button.take", turn.language), style),
        Button("give_back", word("button.give_back", turn.language)),
    )


def title_of(handed: Handed) -> Say:
    """Who has it, or is to have it."""
    if not handed.who:
        return say("handed.title")
    return say("handed.title_taken" if handed.taken else "handed.title_to", who=handed.who)


def summary_of(turn: Turn) -> list[Say]:
    """What was asked, found, done and refused, and what is still open."""
    session = turn.session
    gist = fold(session.summary, session.noted, turns=0, at=turn.now)
    kinds: tuple[FactKind, ...] = ("asked", "found", "done", "refused")
    lines = [say(f"handed.{kind}", what=_joined(turn, facts)) for kind in kinds if (facts := _told(gist.of(kind)))]
    lines += open_lines(turn)
    if session.cited_runbooks:
        lines.append(say("handed.cited", what=", ".join(session.cited_runbooks[-_NAMED:])))
    return lines


def open_lines(turn: Turn) -> list[Say]:
    """What is open now."""
    still = [turn.text(line) for line in _open(turn.session)]
    return [*([say("handed.open", what=_listed(turn, still))] if still else []), *walk_cards.left_at(turn)]


def unassigned_lines(turn: Turn, card: Card, who: str, unknown: str) -> Card:
    """The card with a word on why it mentions nobody."""
    notes = [say("handed.unknown", name=unknown)] if unknown else []
    notes.append(say("handed.unreached", who=who) if who else say("handed.nobody"))
    if not who and (groups := tuple(turn.world.oncall.groups)):
        notes.append(say("handed.groups", groups=", ".join(groups[:_NAMED])))
    blocks = (*card.blocks, *(Note(turn.text(note)) for note in notes))
    return Card(card.title, card.language, card.tone, blocks, card.buttons)


def _told(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Without plans that were dropped: of changes only what was carried out, or may have been."""
    return tuple(fact for fact in facts if fact.kind != "done" or outcome_of(fact) in RAN)


def _open(session: Session) -> Iterator[Say]:
    for pending in session.pending:
        yield say("handed.plan_runs", action=f"action.{pending.action}", service=label(pending.entity))
    for flow in session.parked:
        service = label(flow.entity) if flow.entity is not None else ""
        yield say("handed.plan_void", action=parking.called(flow), service=service)
    if session.incident:
        yield say("handed.incident", id=session.incident)
    alert = session.alert
    if alert is not None and alert.firing and not alert.moved:
        yield say("handed.firing", what=names_of(alert))


def _joined(turn: Turn, facts: tuple[Fact, ...]) -> str:
    return _listed(turn, [fact_text(turn, fact) for fact in facts[-_NAMED:]])


def _listed(turn: Turn, texts: Iterable[str]) -> str:
    """In one line: whole sentences among them lose their stop, and a name that is missing leaves no gap."""
    between = "；" if turn.language == "zh" else "; "
    return between.join(" ".join(text.split()).replace(" ,", ",").rstrip(".。") for text in texts)
