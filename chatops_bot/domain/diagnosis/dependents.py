"""What hangs on a workload: the ways in (Services, Ingresses), who scales and guards it, which policies and volumes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from chatops_bot.domain.diagnosis.happenings import skipped_says, unread_says
from chatops_bot.domain.diagnosis.surroundings import autoscaler_range
from chatops_bot.domain.objects import at, flag, items, listed, mapping, name_of, number, text
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.selectors import selects

HEADER: Final = ("table.kind", "table.name", "table.details")
SHOWN: Final = 12
PART: Final = "dependents"
"""The value of the slot `part` that asks for it."""
_PARTS: Final = ("services", "slices", "ingresses", "autoscalers", "budgets", "network", "pods")

Row = tuple[str, str, str]


def dependents_report(observed: Observed, now_ms: int) -> Report:
    """One row each, the ways in first. Kinds, names and numbers are in no language."""
    rows = list(_rows(observed))
    entries = [row for row in rows if row[0] in ("Service", "Ingress")]
    return Report(
        kind="status",
        at=observed.at,
        entity=observed.entity,
        headline=_headline(observed, rows, entries),
        tone="info" if rows else "muted",
        lines=tuple(_lines(rows)),
        table=(HEADER, *rows[:SHOWN]) if rows else (),
        unread=(
            *unread_says(observed, _PARTS),
            *skipped_says(observed),
        ),
        digest="; ".join(f"{kind} {name}" for kind, name, _ in rows[:6]) or "nothing depends on it",
        slots={"part": PART},
    )


def _headline(observed: Observed, rows: list[Row], entries: list[Row]) -> Say:
    name = observed.entity.name
    if not rows:
        return say("dependents.none", name=name)
    if not entries:
        return say("dependents.no_entry", name=name, count=len(rows))
    return say("dependents.found", name=name, entries=listed(f"{kind} {each}" for kind, each, _ in entries))


def _lines(rows: list[Row]) -> Iterator[Say]:
    if len(rows) > SHOWN:
        yield say("dependents.more", count=len(rows) - SHOWN)
    yield say("dependents.callers_unknown")


def _rows(observed: Observed) -> Iterator[Row]:
    labels = mapping(observed.object, "spec", "template", "metadata", "labels")
    services = [row for row in observed.around.services if _selected(row, labels)]
    yield from (("Service", name_of(row), _service(row, observed)) for row in services)
    names = {name_of(row) for row in services}
    yield from _ingresses(observed, names)
    for autoscaler in observed.autoscalers:
        low, high = autoscaler_range(autoscaler)
        yield "HPA", name_of(autoscaler), f"{low}–{high}, now {number(autoscaler, 'status', 'currentReplicas')}"
    for budget in observed.budgets:
        yield "PDB", name_of(budget), f"allows {number(budget, 'status', 'disruptionsAllowed')} now"
    for policy in observed.around.network:
        if selects(at(policy, "spec", "podSelector"), labels):
            kinds = at(policy, "spec", "policyTypes")
            said = listed(str(kind) for kind in kinds) if isinstance(kinds, list) else "-"
            yield "NetworkPolicy", name_of(policy), said
    yield from (("PVC", name, details) for name, details in _claims(observed.object))


def _selected(service: Raw, labels: Raw) -> bool:
    """Whether a Service routes to these pods, and not only nearly: one without a selector routes to none by itself."""
    selector = mapping(service, "spec", "selector")
    return bool(selector) and all(labels.get(key) == value for key, value in selector.items())


def _service(service: Raw, observed: Observed) -> str:
    ports = listed((_port(row) for row in items(service, "spec", "ports")), most=3) or "-"
    kind = text(service, "spec", "type") or "ClusterIP"
    slices = [
        row
        for row in observed.around.slices
        if text(row, "metadata", "labels", "kubernetes.io/service-name") == name_of(service)
    ]
    if observed.why_unread("slices") is not None:
        return f"{kind} {ports}"
    ready = sum(_ready(endpoint) for row in slices for endpoint in items(row, "endpoints"))
    return f"{kind} {ports}, {ready} ready"


def _ready(endpoint: Raw) -> bool:
    """An endpoint that does not say is ready."""
    return flag(endpoint, "conditions", "ready") or at(endpoint, "conditions", "ready") is None


def _port(row: Raw) -> str:
    target = at(row, "targetPort")
    own = number(row, "port")
    return f"{own}→{target}" if target not in (None, own) else str(own)


def _ingresses(observed: Observed, services: set[str]) -> Iterator[Row]:
    for ingress in observed.around.ingresses:
        routes = [
            f"{text(rule, 'host') or '*'}{text(path, 'path') or '/'}"
            for rule in items(ingress, "spec", "rules")
            for path in items(rule, "http", "paths")
            if text(path, "backend", "service", "name") in services
        ]
        if text(ingress, "spec", "defaultBackend", "service", "name") in services:
            routes.append("*")
        if routes:
            yield "Ingress", name_of(ingress), listed(routes)


def _claims(workload: Raw) -> Iterator[tuple[str, str]]:
    for volume in items(workload, "spec", "template", "spec", "volumes"):
        name = text(volume, "persistentVolumeClaim", "claimName")
        if name:
            yield name, "mounted"
    for template in items(workload, "spec", "volumeClaimTemplates"):
        size = text(template, "spec", "resources", "requests", "storage")
        yield name_of(template), f"one a pod {size}".rstrip()
