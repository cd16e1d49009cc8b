"""The report on a rollout history: what was rolled out when, what it changed, and where one could go back to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from chatops_bot.domain.deeds import Deed, made_by
from chatops_bot.domain.diagnosis.happenings import unread_says
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import last_change, listed, shortened, span
from chatops_bot.domain.observed import Observed
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.reports import Report
from chatops_bot.domain.revisions import History, Revision, before, history_of, image_changes, images_of, other_changes
from chatops_bot.domain.rollout import rollout_of
from chatops_bot.domain.say import Say, say

SHOWN: Final = 8
HEADER: Final = ("table.revision", "table.when", "table.images", "table.what", "table.who")
PRESENT: Final = "▶ "
"""Before the number of the revision that the workload has now."""
_PARTS: Final = ("replica_sets", "revisions")


def history_report(observed: Observed, now_ms: int, deeds: Sequence[Deed] = ()) -> Report:
    """Revisions, the newest first, the present one marked. `deeds` tell whom the bot did it for."""
    history = history_of(observed)
    whose = made_by(deeds, (one.made for one in history.revisions))
    rows = [
        _row(observed, history, place, now_ms, whose) for place, _ in zip(range(SHOWN), history.revisions, strict=False)
    ]
    return Report(
        kind="history",
        at=observed.at,
        entity=observed.entity,
        headline=_headline(observed, history, now_ms),
        tone="muted" if not history.revisions else "info",
        lines=tuple(_lines(observed, history)),
        table=(HEADER, *rows) if rows else (),
        unread=unread_says(observed, _PARTS),
        digest=_digest(history),
        offers=tuple(_offers(history)),
    )


def _headline(observed: Observed, history: History, now_ms: int) -> Say:
    name = observed.entity.name
    if observed.why_unread(*_PARTS) is not None:
        return say("history.unread", name=name)
    if not history.revisions:
        return say("history.none", name=name, kind=observed.entity.kind)
    present = history.present
    if present is None:
        return say("history.present_unknown", name=name, count=len(history.revisions))
    ago = span(now_ms - present.made) if present.made else "?"
    return say("history.present", name=name, revision=present.number, images=present.images or "?", ago=ago)


def _lines(observed: Observed, history: History) -> Iterator[Say]:
    rollout = rollout_of(observed.object, observed.entity.kind)
    if rollout.state in ("waiting", "failed", "blocked", "paused"):
        yield rollout.line
    if history.present is not None and history.present.earlier:
        numbers = listed(str(number) for number in history.present.earlier)
        yield say("history.came_back", revision=history.present.number, earlier=numbers)
    if len(history.revisions) > SHOWN:
        yield say("history.more", count=len(history.revisions) - SHOWN)
    if len(history.revisions) == 1:
        yield say("history.only")


def _row(observed: Observed, history: History, place: int, now_ms: int, whose: Mapping[int, Deed]) -> tuple[str, ...]:
    one = history.revisions[place]
    older = history.revisions[place + 1] if place + 1 < len(history.revisions) else None
    mark = PRESENT if one is history.present else ""
    when = span(now_ms - one.made) if one.made else "?"
    return (f"{mark}{one.number}", when, _images(one), what_changed(older, one), _who(observed, history, one, whose))


def _images(one: Revision) -> str:
    """Without their registries, which are the same for all and push the rest off a phone."""
    return listed((image.rpartition("/")[2] for image in images_of(one.template).values()), most=2) or "-"


def what_changed(older: Revision | None, newer: Revision) -> str:
    """What was said why it was rolled out, or what it changed, by name and never by value. In no language."""
    if newer.cause:
        return shortened(mask(newer.cause), 60)
    if older is None:
        return "-"
    images = image_changes(older.template, newer.template)
    rows = [f"{name}: {_tag(old)} → {_tag(new)}" for name, old, new in images]
    others = [
        "restart" if what.endswith("kubectl.kubernetes.io/restartedAt") else what
        for what in other_changes(older.template, newer.template)
    ]
    return shortened(listed([*rows, *others], most=3), 80) or "-"


def _tag(image: str) -> str:
    name = image.rpartition("/")[2]
    return name.partition(":")[2] or name or "-"


def _who(observed: Observed, history: History, one: Revision, whose: Mapping[int, Deed]) -> str:
    deed = whose.get(one.made)
    if deed is not None:
        return deed.by
    changed = last_change(observed.object) if one is history.present else None
    near = changed is not None and abs(changed.at - one.made) <= NEAR_MS
    return f"({changed.manager})" if changed is not None and near else "-"


NEAR_MS: Final = 60_000
"""Who wrote the spec within so long of a revision's making has made it."""


def _offers(history: History) -> Iterator[Offer]:
    """Back to the one before, and to the one before that: what is wanted nine times of ten."""
    earlier = before(history)
    older = [one for one in history.others if history.present is None or one.number < history.present.number]
    if earlier is not None:
        yield from (Offer("rollback", {"revision": one.number}) for one in older[:2])
    elif history.others:
        yield Offer("rollback")


def _digest(history: History) -> str:
    if not history.revisions:
        return "no revisions"
    present = history.present
    now = f"present {present.number} ({present.images})" if present is not None else "present unknown"
    rest = listed((f"{one.number} ({one.images})" for one in history.others), most=3)
    return f"{now}; others {rest}" if rest else now
