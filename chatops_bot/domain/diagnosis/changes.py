"""The report on what has changed of a workload lately: rollouts, restarts, scaling, pauses, cordons, and what the bot
itself did and for whom. The newest first, in one table: when, what, who."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from chatops_bot.domain.deeds import ROLL_OUT, Deed, deed_near, made_by
from chatops_bot.domain.diagnosis.applied import applied
from chatops_bot.domain.diagnosis.happenings import event_time, unread_says
from chatops_bot.domain.diagnosis.history import NEAR_MS, what_changed
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.masking import mask
from chatops_bot.domain.nodes import cordon_of
from chatops_bot.domain.objects import (
    at,
    condition,
    flag,
    instant,
    items,
    last_change,
    name_of,
    number,
    shortened,
    span,
    text,
)
from chatops_bot.domain.observed import Observed
from chatops_bot.domain.reports import Report
from chatops_bot.domain.revisions import Revision, history_of
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.spans import Span

WINDOW_S: Final = 86_400
"""Looked back, unless another time is asked for."""
EVENTS_MS: Final = 3_600_000
"""For so long the API server keeps events."""
ROLLOUT_MS: Final = 600_000
"""Scaling of ReplicaSets within so long after a revision was made is its rollout."""
SHOWN: Final = 10
HEADER: Final = ("table.when", "table.what", "table.who")
_PARTS: Final = ("replica_sets", "revisions", "autoscalers", "events", "hosts", "deeds")


class Alteration(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that changed: `at` ms, `what` in no language (names, numbers, Kubernetes' own words), `who` a person, a
    tool in brackets, or "" where nothing tells."""

    at: int
    what: str
    who: str = ""


def changes_report(
    observed: Observed,
    now_ms: int,
    deeds: Sequence[Deed] = (),
    slots: Mapping[str, SlotValue] | None = None,
    *,
    unread: tuple[Say, ...] = (),
    within: Span | None = None,
) -> Report:
    """What changed within `since` seconds (a day, unless the slots say otherwise), or in a span of time with a name.
    `unread` is what of the bot's own record could not be read."""
    slots = slots or {}
    said = slots.get("since")
    seconds = said if isinstance(said, int) and said > 0 else WINDOW_S
    if within is not None:
        seconds = max(1, (now_ms - within.since) // 1000)
    found = alterations(observed, deeds, since=now_ms - seconds * 1000)
    if within is not None:
        found = [one for one in found if one.at < within.until]
    shown = [(span(now_ms - one.at), one.what, one.who or "-") for one in found[:SHOWN]]
    return Report(
        kind="changes",
        at=observed.at,
        entity=observed.entity,
        headline=_headline(observed, found, now_ms, seconds),
        tone="info" if found else "muted",
        lines=(*_before(observed, deeds, found, now_ms), *_lines(found, seconds), _unseen(observed)),
        table=(HEADER, *shown) if shown else (),
        unread=(*unread_says(observed, _PARTS), *unread),
        digest="; ".join(f"{span(now_ms - one.at)} ago {one.what} {one.who}".rstrip() for one in found[:3])
        or "no changes",
        slots=dict(slots),
        applied=tuple(applied(slots)),
    )


def _headline(observed: Observed, found: list[Alteration], now_ms: int, seconds: int) -> Say:
    name, window = observed.entity.name, span(seconds * 1000)
    if not found:
        return say("changes.none", name=name, span=window)
    newest = found[0]
    ago = span(now_ms - newest.at)
    if newest.who:
        return say("changes.newest_by", name=name, count=len(found), span=window, ago=ago, who=newest.who)
    return say("changes.newest", name=name, count=len(found), span=window, ago=ago)


def _before(observed: Observed, deeds: Sequence[Deed], found: list[Alteration], now_ms: int) -> Iterator[Say]:
    """Where nothing has changed for so long, the last thing that did: who asks for the last release is told."""
    if not found:
        for one in alterations(observed, deeds, since=0)[:1]:
            yield say("changes.before", ago=span(now_ms - one.at), what=one.what)


def _lines(found: list[Alteration], seconds: int) -> Iterator[Say]:
    if len(found) > SHOWN:
        yield say("changes.more", count=len(found) - SHOWN)
    if seconds * 1000 > EVENTS_MS:
        yield say("changes.events_kept")
    if any(one.who.startswith("(") for one in found):
        yield say("changes.tools")


def _unseen(observed: Observed) -> Say:
    """Whether ConfigMaps were looked at is the installation's choice (`configMaps.read` of the chart)."""
    read = observed.why_unread("config_maps") is None and observed.entity.kind != "Node"
    return say("changes.secrets_unseen" if read else "changes.config_unseen")


def alterations(observed: Observed, deeds: Sequence[Deed] = (), *, since: int) -> list[Alteration]:
    """Everything that changed since then (ms), the newest first. What the bot did is said once, with its person, and
    not again by the rollout that came of it."""
    found = [
        *_rollouts(observed, deeds),
        *_deeds(deeds),
        *_scalings(observed, deeds),
        *_autoscalers(observed),
        *_pauses(observed, deeds),
        *_cordons(observed),
        *_configuration(observed),
    ]
    return sorted((one for one in found if one.at >= since), key=lambda one: -one.at)


def _rollouts(observed: Observed, deeds: Sequence[Deed]) -> Iterator[Alteration]:
    """Of a template that came back only the last return is told, and only where the controller's events tell it."""
    history = history_of(observed)
    whose = made_by(deeds, (one.made for one in history.revisions))
    for place, one in enumerate(history.revisions):
        older = history.revisions[place + 1] if place + 1 < len(history.revisions) else None
        if not one.made or one.made in whose:
            continue
        what = f"rollout rev {one.number}"
        changed = what_changed(older, one)
        if changed != "-":
            what = f"{what}: {changed}"
        elif one.images:
            what = f"{what}: {one.images}"
        yield Alteration(one.made, what, _writer(observed, one, present=one is history.present))


def _writer(observed: Observed, one: Revision, *, present: bool) -> str:
    changed = last_change(observed.object) if present else None
    near = changed is not None and abs(changed.at - one.made) <= NEAR_MS
    return f"({changed.manager})" if changed is not None and near else ""


def _deeds(deeds: Sequence[Deed]) -> Iterator[Alteration]:
    for deed in deeds:
        values = ", ".join(f"{name} {_plain(value)}" for name, value in deed.parameters.items())
        yield Alteration(deed.at, shortened(mask(f"{deed.action}: {values}" if values else deed.action), 80), deed.by)


def _plain(value: SlotValue) -> str:
    text = str(value)
    return text.rpartition("/")[2] if isinstance(value, str) else text


def _scalings(observed: Observed, deeds: Sequence[Deed]) -> Iterator[Alteration]:
    """Scaling that is no part of a rollout: neither soon after a revision was made, nor what the bot was told to do."""
    made = [one.made for one in history_of(observed).revisions if one.made]
    for event in observed.events:
        moment = event_time(event)
        if text(event, "reason") not in ("ScalingReplicaSet", "SuccessfulRescale", "SuccessfulCreate"):
            continue
        whole = text(event, "involvedObject", "kind") in (observed.entity.kind, "HorizontalPodAutoscaler")
        if not moment or not whole or text(event, "reason") == "SuccessfulCreate":
            continue
        if text(event, "reason") == "ScalingReplicaSet":
            if any(0 <= moment - one <= ROLLOUT_MS for one in made):
                continue
            if deed_near(deeds, moment, ROLL_OUT | {"scale"}) is not None:
                continue
        yield Alteration(moment, shortened(mask(text(event, "message")), 80), _scaler(event))


def _scaler(event: object) -> str:
    return "(HPA)" if text(event, "reason") == "SuccessfulRescale" else ""


def _autoscalers(observed: Observed) -> Iterator[Alteration]:
    """The last time that each scaled: its status keeps that longer than events are kept."""
    told = {
        (text(event, "involvedObject", "name"), event_time(event) // NEAR_MS)
        for event in observed.events
        if text(event, "reason") == "SuccessfulRescale"
    }
    for autoscaler in observed.autoscalers:
        moment = instant(at(autoscaler, "status", "lastScaleTime"))
        if moment and (name_of(autoscaler), moment // NEAR_MS) not in told:
            wanted = number(autoscaler, "status", "desiredReplicas")
            yield Alteration(moment, f"hpa {name_of(autoscaler)}: replicas → {wanted}", "(HPA)")


def _pauses(observed: Observed, deeds: Sequence[Deed]) -> Iterator[Alteration]:
    if not flag(observed.object, "spec", "paused"):
        return
    progressing = condition(observed.object, "Progressing")
    moment = instant(at(progressing, "lastUpdateTime")) if text(progressing, "reason") == "DeploymentPaused" else 0
    if moment and deed_near(deeds, moment, ("pause",)) is None:
        writers = [
            text(entry, "manager")
            for entry in items(observed.object, "metadata", "managedFields")
            if at(entry, "fieldsV1", "f:spec", "f:paused") is not None
        ]
        yield Alteration(moment, "rollout paused", f"({writers[0]})" if writers else "")


def _configuration(observed: Observed) -> Iterator[Alteration]:
    """The last write to each ConfigMap that the template names; pods take it up late, or when they are restarted."""
    for found in observed.config_maps:
        made = at(found, "metadata", "creationTimestamp")
        wrote = max(items(found, "metadata", "managedFields"), key=lambda entry: instant(entry.get("time")), default={})
        moment = max(instant(made), instant(wrote.get("time")))
        who = text(wrote, "manager")
        if moment:
            yield Alteration(moment, shortened(f"configmap {name_of(found)} written", 80), f"({who})" if who else "")


def _cordons(observed: Observed) -> Iterator[Alteration]:
    own = (observed.object,) if observed.entity.kind == "Node" else ()
    for node in (*own, *observed.around.hosts):
        cordon = cordon_of(node)
        if cordon is not None and cordon.at:
            who = cordon.by if cordon.token else f"({cordon.by})" if cordon.by else ""
            yield Alteration(cordon.at, f"node {name_of(node)} cordoned", who)
