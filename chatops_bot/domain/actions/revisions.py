"""What a workload was before: its revisions, and which of them is meant.

The numbers move: a template that comes back gets the highest number, and its old one is gone (kubernetes#51315). So
the old numbers of a revision are known too, and a plan holds the template itself, never a number to be looked up.
"""

from __future__ import annotations

import msgspec

from chatops_bot.domain.actions.base import Question
from chatops_bot.domain.actions.templates import bare, images_of, template_of
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import annotation, at, controller_of, instant, listed, mapping, name_of, number, uid_of
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.say import Say, say

CAUSE_ANNOTATION = "kubernetes.io/change-cause"
_NUMBER = "deployment.kubernetes.io/revision"
_EARLIER = "deployment.kubernetes.io/revision-history"

MOST_CHOICES = 5
"""Revisions offered on buttons, the newest."""


class Revision(msgspec.Struct, frozen=True):
    """One template that a workload has had. `name` is that of its ReplicaSet or ControllerRevision, `earlier` the
    numbers that it had before, `made` when it was first rolled out (ms)."""

    number: int
    name: str
    template: Raw
    made: int
    cause: str
    earlier: tuple[int, ...] = ()

    @property
    def images(self) -> str:
        """Its images, for a sentence."""
        return listed(images_of(self.template).values(), most=2)


class History(msgspec.Struct, frozen=True):
    """All revisions of a workload, the newest first, and the one whose template it has now (None: none of them)."""

    revisions: tuple[Revision, ...]
    present: Revision | None

    @property
    def others(self) -> tuple[Revision, ...]:
        """Where it can go back to."""
        return tuple(one for one in self.revisions if one is not self.present)


def history_of(observed: Observed) -> History:
    """Read off the ReplicaSets of a Deployment, the ControllerRevisions of anything else."""
    if observed.entity.kind == "Deployment":
        found = [_of_replica_set(row) for row in observed.replica_sets]
    else:
        owned = (row for row in observed.revisions if controller_of(row).get("uid") == uid_of(observed.object))
        found = [_of_controller_revision(row) for row in owned]
    revisions = tuple(sorted((one for one in found if one.number > 0), key=lambda one: one.number, reverse=True))
    now = template_of(observed.object)
    return History(revisions, next((one for one in revisions if one.template == now), None))


def _of_replica_set(row: Raw) -> Revision:
    numbers = [_whole(part) for part in annotation(row, _EARLIER).split(",")]
    return Revision(
        number=_whole(annotation(row, _NUMBER)),
        name=name_of(row),
        template=template_of(row),
        made=instant(at(row, "metadata", "creationTimestamp")),
        cause=annotation(row, CAUSE_ANNOTATION),
        earlier=tuple(value for value in numbers if value > 0),
    )


def _of_controller_revision(row: Raw) -> Revision:
    return Revision(
        number=number(row, "revision"),
        name=name_of(row),
        template=bare(mapping(row, "data", "spec", "template")),
        made=instant(at(row, "metadata", "creationTimestamp")),
        cause=annotation(row, CAUSE_ANNOTATION),
    )


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0


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
    older = [one for one in history.others if one.number < history.present.number]
    if older and not history.present.earlier and history.present.made >= older[0].made:
        return older[0]
    key = "rollback.came_back" if older else "rollback.none_before"
    spoken = _spoken(history.others)
    return _which(history, say(key, name=name, number=history.present.number, revisions=spoken))


def _named(history: History, said: SlotValue) -> list[Revision]:
    text = str(said).strip()
    value = _whole(text)
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
