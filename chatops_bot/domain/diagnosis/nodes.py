"""The status report of a node: in contact or not, under pressure, cordoned, and what runs on it."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.cards import Tone
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.happenings import unread_says
from chatops_bot.domain.diagnosis.hosts import cordoned, not_ready, pressed, pressures
from chatops_bot.domain.diagnosis.pods import PodRow, pod_row
from chatops_bot.domain.masking import mask
from chatops_bot.domain.nodes import Cordon, cordon_of, is_going, taints_of
from chatops_bot.domain.objects import condition, flag, listed, shortened, since, span, text
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say

SHOWN = 10


def node_report(observed: Observed, now_ms: int) -> Report:
    """How the node is; of its pods, those in trouble are listed."""
    rows = [pod_row(pod, now_ms) for pod in observed.pods]
    troubled = sorted((row for row in rows if not row.healthy and not row.ended), key=lambda row: row.name)
    headline, tone = _verdict(observed, len(rows), now_ms)
    codes = [found.code for found in _findings(observed.object, now_ms)]
    header = ("table.pod", "table.ready", "table.state", "table.restarts", "table.age")
    table = (header, *(_cells(row) for row in troubled[:SHOWN])) if troubled else ()
    return Report(
        kind="status",
        at=observed.at,
        entity=observed.entity,
        headline=headline,
        tone=tone,
        lines=tuple(_lines(observed, rows, len(troubled), now_ms)),
        table=table,
        unread=unread_says(observed, ("pods", "events")),
        codes=tuple(codes),
        offers=tuple(_offers(codes)),
        digest=f"node {headline.key.partition('.')[2]}; {len(rows)} pods, {len(troubled)} not ready",
    )


def _verdict(observed: Observed, pods: int, now_ms: int) -> tuple[Say, Tone]:
    node, name = observed.object, observed.entity.name
    ready = condition(node, "Ready")
    if text(ready, "status") != "True":
        ago = since(text(ready, "lastTransitionTime"), now_ms)
        key = "node.lost" if text(ready, "status") == "Unknown" else "node.not_ready"
        return say(key, name=name, ago=ago, count=pods), "danger"
    short = pressures(node)
    if short:
        return say("node.pressure", name=name, pressures=", ".join(short)), "warn"
    if flag(node, "spec", "unschedulable"):
        return say("node.cordoned", name=name, count=pods), "warn"
    return say("node.ready", name=name, count=pods), "ok"


def _findings(node: Raw, now_ms: int) -> Iterator[Finding]:
    yield from not_ready(node, now_ms)
    yield from pressed(node, now_ms)
    yield from cordoned(node)


def _offers(codes: list[str]) -> Iterator[Offer]:
    """A node in trouble is to take no more pods, and to give away those it has; one that only is cordoned may take them
    again."""
    if codes == ["node_cordoned"]:
        yield Offer("uncordon")
    elif codes:
        yield from (Offer("drain"),) if "node_cordoned" in codes else (Offer("cordon"), Offer("drain"))


def _lines(observed: Observed, rows: list[PodRow], troubled: int, now_ms: int) -> Iterator[Say]:
    node = observed.object
    ready = condition(node, "Ready")
    if text(ready, "status") != "True":
        message = shortened(mask(text(ready, "message")))
        yield say("node.reason", reason=text(ready, "reason") or "?", message=message)
    cordon = cordon_of(node)
    if cordon is not None:
        yield _cordoned_by(cordon, now_ms)
    taints = taints_of(node)
    if taints:
        yield say("node.taints", taints=listed(taints, most=5))
    if is_going(node):
        yield say("node.going")
    if rows:
        yield say("node.pods", count=len(rows), troubled=troubled)
    if troubled > SHOWN:
        yield say("status.more_pods", count=troubled - SHOWN)


def _cordoned_by(cordon: Cordon, now_ms: int) -> Say:
    ago = span(now_ms - cordon.at) if cordon.at else "?"
    if cordon.token:
        return say("node.cordoned_by_person", person=cordon.by or "?", ago=ago)
    if not cordon.by:
        return say("node.cordoned_unknown")
    return say("node.cordoned_by", manager=cordon.by, ago=ago)


def _cells(row: PodRow) -> tuple[str, ...]:
    return (row.name, row.ready, row.state, str(row.restarts), row.age)
