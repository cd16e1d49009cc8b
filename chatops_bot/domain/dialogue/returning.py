"""Coming back: one line about the conversation before, told once to who may read it. Never what was said in it.

Whoever answers a card whose session has ended is told of that one. Whoever speaks of a service anew is told of what
became of it the last time: their own conversations as long as summaries are kept, those of others, which the room has
seen as well, for a day, or a week where something of them is open. What was only looked at is not told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from chatops_bot.domain.dialogue import rights
from chatops_bot.domain.dialogue.known import may_see_logs
from chatops_bot.domain.dialogue.remembering import outcome_of
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.identity import User
from chatops_bot.domain.memory import RAN, Fact
from chatops_bot.domain.objects import span
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Summary

_MINUTE: Final = 60_000
_DAY: Final = 86_400_000
SOON_MS: Final = 15 * _MINUTE
"""What has ended since then still stands above, and is not told by itself."""
OTHERS_MS: Final = _DAY
OTHERS_OPEN_MS: Final = 7 * _DAY
LOOKED_AT: Final = 20
"""Summaries among which the one to be told is looked for."""
_NAMED: Final = 3
"""Changes, questions and open things named in the line."""


def chosen(earlier: Sequence[Summary], *, user: str, now: int) -> Summary | None:
    """The conversation that this user (a key) is to be reminded of, of those about one service in this room, the latest
    first."""
    told = {one.told for one in earlier if user in one.people}
    return next((one for one in earlier if one.thread not in told and _tells(one, user, now)), None)


def _tells(summary: Summary, user: str, now: int) -> bool:
    age = now - summary.at
    if age < SOON_MS or not worth(summary):
        return False
    if user in summary.people:
        return True
    return age < (OTHERS_OPEN_MS if summary.open or summary.incident else OTHERS_MS)


def worth(summary: Summary) -> bool:
    """Whether there is more to tell than that something was looked at, or asked for in vain."""
    return bool(_made(summary) or summary.open or summary.incident or summary.action)


def _made(summary: Summary) -> list[Fact]:
    """Changes that were made, or may have been."""
    return [fact for fact in summary.gist.of("done") if outcome_of(fact) in RAN]


def welcome(turn: Turn, user: User, earlier: Sequence[Summary]) -> None:
    """Remind whoever speaks of a service anew of what became of it the last time."""
    found = chosen(earlier, user=user.key, now=turn.now)
    if found is not None and not turn.session.told:
        recall(turn, user, found)


def recall(turn: Turn, user: User, summary: Summary) -> None:
    """The line, at the top of the answer, without whatever this person may not read; nothing where that is what the
    conversation was about."""
    own = summary.entity.key if summary.entity is not None else ""
    if not _may_read(turn, user, own):
        return
    turn.set(told=summary.thread)
    facts = tuple(fact for fact in summary.gist.facts if _may_read(turn, user, fact.about))
    still = tuple(one for one in summary.open if _may_read(turn, user, one.about))
    seen = replace(summary, gist=replace(summary.gist, facts=facts), open=still)
    entity = turn.world.entity(own) if own else None
    turn.first(_line(turn, user, seen, verdict=entity is not None and may_see_logs(turn, entity, user)))


def _may_read(turn: Turn, user: User, key: str) -> bool:
    """Of what is about nothing in particular: whether this person may ask here at all. What is not known any more is
    judged by every rule that may speak of it."""
    if not key:
        return rights.may_talk(turn, user).allowed
    shown = rights.shown_in(turn)
    return rights.judge(turn, action="read", entity=turn.world.entity(key), user=user, role="read", also=shown).allowed


def _line(turn: Turn, user: User, summary: Summary, *, verdict: bool) -> Say:
    """`verdict`: what was found is told as well. It may rest on logs, which not everybody may see."""
    found = _found(turn, summary) if verdict else ()
    parts = [_head(turn, summary), *found, *_open(turn, user, summary), *_judged(turn, summary)]
    between = "" if turn.language == "zh" else " "
    return say("returning.line", text=between.join(turn.text(part) for part in parts))


def _head(turn: Turn, summary: Summary) -> Say:
    """What it was about, when, and how it ended."""
    ago = span(turn.now - summary.at)
    if deeds := _made(summary):
        return say("returning.done", ago=ago, what=_named(turn, deeds))
    if summary.action and summary.entity is not None:
        said = say(
            "memory.deed",
            action=f"action.{summary.action}",
            service=summary.entity.name,
            change=summary.entity.target,
            outcome=f"outcome.{summary.outcome}",
        )
        return say("returning.done", ago=ago, what=_named(turn, [Fact("done", said, summary.at, "", by=summary.by)]))
    asked = summary.gist.of("asked")
    what = turn.text(say("returning.asked", what=_named(turn, asked))) if asked else ""
    if summary.entity is None:
        return say("returning.bare", ago=ago, what=what)
    return say("returning.ended", ago=ago, what=what, service=summary.entity.name)


def _found(turn: Turn, summary: Summary) -> Iterator[Say]:
    """The last verdict of its own service, where nothing was changed since: after a change it holds no more."""
    about = summary.entity.key if summary.entity is not None else ""
    found = [fact for fact in summary.gist.of("found") if fact.about == about and fact.ref.startswith("status ")]
    changed = max((fact.at for fact in summary.gist.of("done")), default=0)
    if found and found[-1].at > changed:
        yield say("returning.found", what=turn.text(found[-1].said))


def _open(turn: Turn, user: User, summary: Summary) -> Iterator[Say]:
    """What is still open: an incident by what it is now, the rest by what was known at the end."""
    still = [turn.text(one.said) for one in summary.open]
    incident = turn.chronicle.known.get(summary.incident)
    if incident is not None and not incident.resolved and _may_read(turn, user, incident.target):
        status = f"incident.status.{incident.status}"
        still.insert(0, turn.text(say("memory.incident", id=incident.id, status=status)))
    if still:
        yield say("returning.open", what="; ".join(still[:_NAMED]))
    elif _made(summary):
        yield say("returning.settled")


def _judged(turn: Turn, summary: Summary) -> Iterator[Say]:
    """That it was not resolved after all, with the weightiest reason; what went well needs no word."""
    ended = summary.settled
    if ended is not None and ended.verdict == "unresolved" and ended.reasons:
        why = turn.text(ended.reasons[0].said)
        yield say("returning.judged", verdict=turn.text(say("settled.unresolved", why=why)))


def _named(turn: Turn, facts: Iterable[Fact]) -> str:
    """The last of them, in words."""
    return "; ".join(fact_text(turn, fact) for fact in list(facts)[-_NAMED:])


def fact_text(turn: Turn, fact: Fact) -> str:
    """A fact with whose it was, and how often it came."""
    text = turn.text(fact.said).strip()
    if fact.times > 1:
        text = turn.text(say("memory.times", what=text, count=fact.times))
    return turn.text(say("memory.by", what=text, by=fact.by)) if fact.by else text
