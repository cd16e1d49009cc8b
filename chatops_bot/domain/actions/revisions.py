"""Which revision of a workload is meant. A plan holds the template itself, never a number to be looked up."""

from __future__ import annotations

from chatops_bot.domain.actions.base import Question
from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.objects import listed
from chatops_bot.domain.revisions import History, Revision, before, images_of, whole_number
from chatops_bot.domain.say import Say, say

MOST_CHOICES = 5
"""Revisions offered on buttons, the newest."""


def impossible(said: SlotValue) -> Say | None:
    """Why this can never be a revision. "1.4" is a version as well: whether there is one is seen when the revisions
    are."""
    written = f"{said.value:g}" if isinstance(said, Quantity) else str(said)
    try:
        number = float(written)
    except ValueError:
        return None
    if number >= 1 and not isinstance(said, Quantity):
        return None
    return say("rollback.no_revision", revision=written)


def chosen(name: str, history: History, said: SlotValue | None) -> Revision | Question:
    """The revision that is meant by a number, a name, an image or its tag; left out, the one before the present.

    That is asked for where the present one came back itself: the one before it is what it was to get rid of.
    """
    if said is None or said == "":
        return _before(name, history)
    fitting = _named(history, said)
    if len(fitting) == 1:
        return fitting[0]
    key = "rollback.several" if fitting else "rollback.unknown_revision"
    return _which(history, say(key, name=name, revision=str(said), revisions=_spoken(fitting or history.others)))


def _before(name: str, history: History) -> Revision | Question:
    if history.present is None:
        return _which(history, say("rollback.present_unknown", name=name, revisions=_spoken(history.others)))
    found = before(history)
    if found is not None:
        return found
    older = any(one.number < history.present.number for one in history.others)
    key = "rollback.came_back" if older else "rollback.none_before"
    spoken = _spoken(history.others)
    return _which(history, say(key, name=name, number=history.present.number, revisions=spoken))


def _named(history: History, said: SlotValue) -> list[Revision]:
    text = str(said).strip()
    value = whole_number(text)
    ways = (
        [one for one in history.revisions if one.name == text],
        [one for one in history.revisions if value and one.number == value],
        [one for one in history.revisions if value and value in one.earlier],
        [one for one in history.revisions if _has_image(one, text)],
    )
    return next((found for found in ways if found), [])


def _has_image(revision: Revision, text: str) -> bool:
    """By its whole reference, or its tag with or without a leading v."""
    images = images_of(revision.template).values()
    tags = {image.rpartition("/")[2].partition(":")[2].partition("@")[0] for image in images} - {""}
    return text in images or text in tags or text.lower().removeprefix("v") in {tag.removeprefix("v") for tag in tags}


def _which(history: History, problem: Say) -> Question:
    return Question(problem, ("revision",), tuple(str(one.number) for one in history.others[:MOST_CHOICES]))


def _spoken(revisions: tuple[Revision, ...] | list[Revision]) -> str:
    return listed((f"{one.number} ({one.images})" for one in revisions), most=MOST_CHOICES)
