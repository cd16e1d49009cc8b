"""What a write has come to, in words for the record, and how it is found out where nobody answered."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.actions.registry import STEPWISE
from chatops_bot.domain.objects import text, uid_of
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.plans import Change, Plan
from chatops_bot.domain.say import Say, say
from chatops_bot.engine.gate import Cluster
from chatops_bot.ports.cluster import ClusterError, NotFound
from chatops_bot.ports.store import PlanState


class Wait(Exception):
    """Not now: try this entry again after `delay_ms`."""

    def __init__(self, delay_ms: int) -> None:
        super().__init__(f"in {delay_ms} ms")
        self.delay_ms = delay_ms


class NoContact(Wait):
    """A write was sent, and the cluster does not say what became of it: `why` in its words."""

    def __init__(self, delay_ms: int, why: str) -> None:
        super().__init__(delay_ms)
        self.why = why


class Outcome(msgspec.Struct, frozen=True):
    """How an execution ended: the ledger's state, why, and whether a fresh plan is wanted. For the record, what was
    `sent` to the API server and what it `answered`."""

    state: PlanState
    problem: Say | None = None
    fresh: bool = False
    sent: str = ""
    answered: str = ""


WRITTEN = ("done", "working")
"""States of a plan whose first write stands."""


def so_far(outcome: Outcome, plan: Plan) -> Outcome:
    """Of a plan of several writes, what is done is only the first."""
    if outcome.state == "done" and plan.steps:
        return msgspec.structs.replace(outcome, state="working")
    return outcome


def gone(plan: Plan) -> Say:
    """That the object of a plan is not there any more."""
    return say("gate.replaced") if plan.change.verb == "patch" else say("gate.pod_gone", pod=plan.change.name)


async def whether_gone(cluster: Cluster, plan: Plan, version: str, why: str, wait_ms: int) -> Outcome:
    """What became of an eviction or a deletion, of which nothing can be left on the object. Gone or going is what was
    wanted. A pod of another version than the one sent is safe from a late arrival, as is one of which nothing was
    sent (`version` ""); else nobody can tell yet. Raises `NoContact` then, and while the cluster cannot be asked."""
    try:
        live = await cluster.reader.read(plan.change)
    except NotFound:
        return Outcome("done")
    except ClusterError as error:
        raise NoContact(wait_ms, error.message[:200]) from error
    if uid_of(live) != plan.written_uid or text(live, "metadata", "deletionTimestamp"):
        return Outcome("done")
    if text(live, "metadata", "resourceVersion") != version:
        return Outcome("interrupted")
    raise NoContact(wait_ms, why[:200])


async def whether_all_done(cluster: Cluster, plan: Plan, wait_ms: int) -> Outcome:
    """What became of a plan's further writes after its follower was lost for all of their time."""
    try:
        observed = await cluster.reader.observe(plan.entity)
    except NotFound:
        return Outcome("unknown")
    except ClusterError as error:
        raise NoContact(wait_ms, error.message[:200]) from error
    action = STEPWISE.get(plan.action)
    done = action is not None and not action.remaining(observed, plan).left
    return Outcome("done" if done else "unknown")


_METHODS = {"patch": "PATCH", "evict": "POST", "delete": "DELETE"}


def sent_line(change: Change, uid: str, version: str) -> str:
    """A write in one line: what is asked of which object, and under which version of it."""
    last = "eviction" if change.verb == "evict" else change.subresource
    name = "/".join(part for part in (change.namespace, change.plural, change.name, last) if part)
    line = f"{_METHODS[change.verb]} {name} uid={uid} resourceVersion={version or 'any'}"
    return f"{line} {msgspec.json.encode(change.body).decode()}" if change.verb == "patch" else line


def answer_line(made: Raw) -> str:
    """What the API server made of a write, in one line: the version that the object is now at, or that it goes."""
    version = text(made, "metadata", "resourceVersion")
    return f"resourceVersion {version}" if version else text(made, "status") or "?"


def said_of(error: ClusterError) -> str:
    """Why a write failed, in one line."""
    return f"{error.status or 'no answer'}: {error.message}"
