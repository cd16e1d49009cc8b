"""Autoscalers that want more than they may, see nothing, or are off. At the minimum is normal and says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Final

import msgspec

from chatops_bot.domain.amounts import amount
from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.proving import of_condition, proof, quoted
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import (
    at,
    condition,
    instant,
    items,
    label,
    listed,
    mapping,
    name_of,
    number,
    replicas_of,
    shortened,
    text,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.say import say

YOUNG_MS = 120_000
"""Of pods younger than this nobody has measured anything yet: metrics-server looks every 15 s and reports after two."""
_NO_REQUEST: Final = re.compile(
    r"missing request for ([\w.-]{1,63})(?: in container (\S{1,63}))?(?: of Pod (\S{1,253}))?"
)
_PREFIX: Final = "the HPA was unable to compute the replica count: "
_NO_API: Final = ("could not find the requested resource", "unable to handle the request", "service unavailable", "503")
_NO_FIGURES: Final = ("no metrics returned", "did not receive metrics", "no metrics known")
_KEDA: Final = "scaledobject.keda.sh/name"
_UNABLE: Final = ("FailedGetScale", "FailedUpdateScale")
"""Reasons of `AbleToScale` that are trouble: others (a back-off) pass by themselves."""


class Load(msgspec.Struct, frozen=True):
    """The metric that is furthest beyond its target, as for a sentence, and by how much."""

    name: str
    current: str
    target: str
    ratio: Fraction


def at_maximum(scene: Scene) -> Iterator[Finding]:
    """It wants more replicas than it may have."""
    for autoscaler in scene.observed.autoscalers:
        limited = condition(autoscaler, "ScalingLimited")
        if text(limited, "status") != "True" or text(limited, "reason") != "TooManyReplicas":
            continue
        about, most = f"hpa/{name_of(autoscaler)}", number(autoscaler, "spec", "maxReplicas")
        load = load_of(autoscaler)
        values: dict[str, str | int] = {"name": name_of(autoscaler), "max": most}
        if load is None:
            line = say("finding.autoscaler_limit", **values)
        else:
            line = say("finding.autoscaler_load", **values, metric=load.name, current=load.current, target=load.target)
        yield Finding(
            "autoscaler_limit",
            "warn",
            line,
            name_of(autoscaler),
            hard=False,
            object=about,
            evidence=(
                of_condition(about, limited),
                quoted(about, autoscaler, "status", "desiredReplicas"),
                quoted(about, autoscaler, "spec", "maxReplicas"),
            ),
            causes=("why.load", "why.slow_pods"),
            offers=_more(scene, autoscaler, load),
        )


def _more(scene: Scene, autoscaler: Raw, load: Load | None) -> tuple[Offer, ...]:
    """A maximum at which the load would be on target, twice the present one at most. None while a rollout doubles the
    load (kubernetes#72775), and none where KEDA would put its own back."""
    if scene.rollout.state == "waiting" or label(autoscaler, _KEDA):
        return ()
    most = number(autoscaler, "spec", "maxReplicas")
    wanted = ceil(most * load.ratio) if load is not None and load.ratio > 1 else ceil(most * 1.5)
    return (Offer("set_autoscaler", {"max": max(most + 1, min(wanted, 2 * most))}),)


def load_of(autoscaler: Raw) -> Load | None:
    """The metric that asks for most, of those that have a value and a target; None where no number can be told."""
    targets = [_measured(row, "target") for row in items(autoscaler, "spec", "metrics")]
    found: list[Load] = []
    for row in items(autoscaler, "status", "currentMetrics"):
        name, current = _measured(row, "current")
        target = next((value for known, value in targets if known == name), {})
        found.extend(_loads(name, current, target))
    return max(found, key=lambda one: one.ratio, default=None)


def _measured(metric: Raw, side: str) -> tuple[str, Raw]:
    """Name and values of a metric of any type (`Resource`, `ContainerResource`, `Pods`, `Object`, `External`)."""
    kind = text(metric, "type")
    inner = mapping(metric, kind[:1].lower() + kind[1:])
    return text(inner, "name") or text(inner, "metric", "name"), mapping(inner, side)


def _loads(name: str, current: Raw, target: Raw) -> Iterator[Load]:
    for way in ("averageUtilization", "averageValue", "value"):
        have, want = amount(at(current, way)), amount(at(target, way))
        if have is not None and want:
            unit = "%" if way == "averageUtilization" else ""
            yield Load(name, f"{at(current, way)}{unit}", f"{at(target, way)}{unit}", have / want)


def blind(scene: Scene) -> Iterator[Finding]:
    """It cannot read what it goes by."""
    for autoscaler in scene.observed.autoscalers:
        active = condition(autoscaler, "ScalingActive")
        if text(active, "status") != "False" or text(active, "reason") in ("ScalingDisabled", "AmbiguousSelector"):
            continue
        message = mask(text(active, "message")).removeprefix(_PREFIX)  # its end says most, so it is read whole
        name, about = name_of(autoscaler), f"hpa/{name_of(autoscaler)}"
        key, causes, details = _why_blind(message)
        if key == "finding.autoscaler_no_figures" and not _measurable(scene):
            continue
        yield Finding(
            "autoscaler_blind",
            "warn",
            say(key, name=name, message=shortened(message, 240) or text(active, "reason") or "?", **details),
            name,
            hard=False,
            object=about,
            evidence=(of_condition(about, active),),
            causes=causes,
            offers=(Offer("scale"),),
        )


def _why_blind(message: str) -> tuple[str, tuple[str, ...], dict[str, str]]:
    """Key of the sentence, likely causes, and what else the sentence names."""
    lacking = _NO_REQUEST.search(message)
    if lacking is not None:
        details = {"resource": lacking[1], "container": lacking[2] or "?"}
        return "finding.autoscaler_no_request", ("why.no_request",), details
    low = message.lower()
    if any(part in low for part in _NO_API):
        return "finding.autoscaler_no_api", ("why.metrics_server",), {}
    if any(part in low for part in _NO_FIGURES):
        return "finding.autoscaler_no_figures", ("why.metrics_server", "why.metric_name"), {}
    return "finding.autoscaler_blind", (), {}


def _measurable(scene: Scene) -> bool:
    """Whether there is a ready pod that is old enough to be measured."""
    ready = {row.name for row in scene.rows if row.healthy}
    ages = [instant(at(pod, "metadata", "creationTimestamp")) for pod in scene.observed.pods if name_of(pod) in ready]
    return any(scene.now - made > YOUNG_MS for made in ages)


def off(scene: Scene) -> Iterator[Finding]:
    """It does nothing: its target has no replicas or cannot be scaled, or two get in each other's way."""
    for autoscaler in scene.observed.autoscalers:
        yield from _off(scene, autoscaler)
    yield from _twice(scene)


def _off(scene: Scene, autoscaler: Raw) -> Iterator[Finding]:
    name, about = name_of(autoscaler), f"hpa/{name_of(autoscaler)}"
    active, able = condition(autoscaler, "ScalingActive"), condition(autoscaler, "AbleToScale")
    if text(active, "status") == "False" and text(active, "reason") == "ScalingDisabled":
        if label(autoscaler, _KEDA):  # scaled to zero while there is nothing to do
            return
        low = number(autoscaler, "spec", "minReplicas", default=1)
        yield Finding(
            "autoscaler_off",
            "info",
            say("finding.autoscaler_off", name=name),
            name,
            hard=False,
            object=about,
            evidence=(of_condition(about, active),),
            causes=("why.scaled_to_zero",),
            offers=() if replicas_of(scene.observed.object) else (Offer("scale", {"replicas": low}),),
        )
    elif text(active, "reason") == "AmbiguousSelector":
        line = say("finding.autoscaler_ambiguous", name=name, message=shortened(mask(text(active, "message"))))
        evidence = (of_condition(about, active),)
        causes = ("why.two_autoscalers", "why.same_labels")
        yield Finding("autoscaler_off", "warn", line, name, hard=False, object=about, evidence=evidence, causes=causes)
    elif text(able, "status") == "False" and text(able, "reason") in _UNABLE:
        line = say("finding.autoscaler_unable", name=name, message=shortened(mask(text(able, "message"))))
        evidence = (of_condition(about, able),)
        yield Finding("autoscaler_off", "warn", line, name, hard=False, object=about, evidence=evidence)


def _twice(scene: Scene) -> Iterator[Finding]:
    """Two for one workload: each undoes what the other does, and neither may act."""
    found = scene.observed.autoscalers
    ambiguous = any(text(condition(one, "ScalingActive"), "reason") == "AmbiguousSelector" for one in found)
    if len(found) < 2 or ambiguous:
        return
    yield Finding(
        "autoscaler_off",
        "warn",
        say("finding.autoscaler_twice", names=listed(map(name_of, found))),
        "twice",
        hard=False,
        object=f"hpa/{name_of(found[0])}",
        evidence=tuple(
            proof(f"hpa/{name_of(one)}", "spec.scaleTargetRef.name", text(one, "spec", "scaleTargetRef", "name"))
            for one in found[:3]
        ),
        causes=("why.two_autoscalers",),
    )


CHECKS: tuple[Check, ...] = (at_maximum, blind, off)
