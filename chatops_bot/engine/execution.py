"""Carrying out a confirmed plan, once: start, read again, write, record; and finding out what became of one
whose executor was lost."""

from __future__ import annotations

import asyncio

import msgspec
import structlog

from chatops_bot.domain import joint
from chatops_bot.domain.actions.owners import owns_status
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.altered import altered_by_cluster
from chatops_bot.domain.audit import Kind
from chatops_bot.domain.effects import Execute
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Executed, Lost
from chatops_bot.domain.objects import PLAN_ANNOTATION, annotation, uid_of
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.plans import WORK_S, Plan, Scalar, digest_of
from chatops_bot.domain.policy import Policy, Ruling, approvals_missing, counted_approvals, lapsed_approvals
from chatops_bot.domain.say import Say, say
from chatops_bot.engine.gate import Cluster, Gate, decode_plan
from chatops_bot.engine.outcomes import (
    WRITTEN,
    NoContact,
    Outcome,
    Wait,
    answer_line,
    gone,
    said_of,
    sent_line,
    so_far,
    whether_all_done,
    whether_gone,
)
from chatops_bot.engine.queries import failure
from chatops_bot.ports.cluster import Blocked, ClusterError, ClusterUnavailable, Conflict, NotFound, Permit
from chatops_bot.ports.store import AuditUnwritable, Claim, LedgerStep, PlanState

log = structlog.get_logger(__name__)

LIMIT_MS = 30_000
"""From `executing` on: past it anybody may settle the plan."""

WRITE_S = 15.0
"""The longest that one write may take, by the time limits of its connection; none is begun with less left."""

MOST_CONFLICTS = 8
"""Fresh reads after a 409 before the target counts as changed. In a rollout its status moves at every pod: measured
on a real API server, each attempt fails about every other time."""

SETTLED_MS = 500
"""Before a plan is looked at again that somebody else has settled between a look at the ledger and a write."""

SETTLE_ATTEMPTS = 40
"""Tries at reading the cluster before an unknown outcome is handed to a person: about half an hour."""

LONGEST_WAIT_MS = 60_000
"""Between two of them; the first come quickly one after the other."""


class Execution:
    """The second half of the gate."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def run(self, effect: Execute, claim: Claim) -> Executed | Lost:
        """Execute a confirmed plan or tell what became of it. Raises `Wait` while somebody else is at it."""
        try:
            return await self._run(effect, claim)
        except AuditUnwritable as error:
            step = await self._gate.ledger.read(token=effect.token, target=effect.entity.key)
            if step.state != "confirmed":  # it may have been written: the end is recorded once the log can be
                raise
            problem = self._gate.unrecorded(error)
            return Executed(effect=effect.id, token=effect.token, outcome="refused", problem=problem)
        except NoContact as lost:
            if effect.lost:
                raise
            return Lost(effect=effect.id, token=effect.token, why=lost.why)

    async def _run(self, effect: Execute, claim: Claim) -> Executed:
        gate = self._gate
        begun = gate.clock.monotonic()
        # In one batch: what is refused after all ends as refused, before anything is read or written.
        halted, step = await asyncio.gather(
            gate.halted(),
            gate.ledger.start(
                token=effect.token, target=effect.entity.key, attempt=claim.token, limit_ms=LIMIT_MS, audit=()
            ),
        )
        if step.ok:
            problem = halted or policy_problem(gate.snapshot.world.policy, effect, decode_plan(step.plan), gate.now())
            refused = Outcome("refused", problem) if problem else None
            return await self._finish(effect, refused or await self._execute(effect, step, claim, begun), claim)
        if step.state == "executing":
            if step.wait_ms > 0:
                raise Wait(min(step.wait_ms, 2_000))
            return _told(effect, await self.settle(effect.token, effect.entity.key, attempts=claim.attempts))
        return _told(effect, Outcome(_ended(step), _why_ended(step)))

    async def _execute(self, effect: Execute, step: LedgerStep, claim: Claim, begun: float) -> Outcome:
        plan = decode_plan(step.plan)
        cluster = self._gate.clusters.get(plan.entity.cluster)
        problem = _unfit(plan, effect, cluster)
        if cluster is None or problem is not None:
            return Outcome("refused", problem)
        for _ in range(MOST_CONFLICTS):
            try:
                live = await cluster.reader.read(plan.written)
                await _still_there(cluster, plan)
            except NotFound:
                return Outcome("refused", gone(plan))
            except ClusterError as error:
                return Outcome("refused", _not_run(plan.entity, error))
            if _carries(live, plan):
                return Outcome("done")
            changed = drift(live, plan)
            if changed is not None:
                return changed
            if (self._gate.clock.monotonic() - begun) + WRITE_S > LIMIT_MS / 1000:
                raise Wait(1_000)
            outcome = await self._write(cluster, plan, live, claim)
            if outcome is not None:
                return outcome
        return Outcome("refused", say("gate.changed", what="resourceVersion"), fresh=True)

    async def _write(self, cluster: Cluster, plan: Plan, live: Raw, claim: Claim) -> Outcome | None:
        """One write under the resourceVersion just read; None when that had moved."""
        permit = Permit(token=plan.token, target=plan.entity.key, attempt=claim.token)
        version = str(live["metadata"]["resourceVersion"])
        sent = sent_line(plan.change, plan.written_uid, version)
        await self._note(plan, version, claim)
        try:
            made = await cluster.writer.write(
                plan.change, uid=plan.written_uid, resource_version=version, permit=permit
            )
        except Conflict:
            return None
        except NotFound as error:
            return Outcome("refused", gone(plan), sent=sent, answered=said_of(error))
        except Blocked as error:
            return Outcome("refused", say("gate.blocked", why=error.message), sent=sent, answered=said_of(error))
        except ClusterUnavailable as error:
            if error.not_sent:
                return Outcome("refused", _not_run(plan.entity, error))
            log.warning("write_outcome_unknown", token=plan.token, target=plan.entity.key, why=error.message)
            found = await self._found_out(cluster, plan, claim.token, version, why=error.message)
            return msgspec.structs.replace(found, sent=sent, answered=said_of(error))
        except ClusterError as error:
            return Outcome("refused", _not_run(plan.entity, error), sent=sent, answered=said_of(error))
        except PermissionError as error:
            raise Wait(SETTLED_MS) from error
        altered = altered_by_cluster(plan.change.body, made)
        problem = say("gate.altered", what=altered) if altered else None
        return Outcome("done", problem, sent=sent, answered=answer_line(made))

    async def _note(self, plan: Plan, version: str, claim: Claim) -> None:
        """Before a write that can leave no mark: under which version it is sent, for whoever has to find out what
        became of it. Raises `Wait` where the plan is in other hands by now."""
        if plan.change.verb == "patch":
            return
        noted = await self._gate.ledger.note(
            token=plan.token,
            target=plan.entity.key,
            attempt=claim.token,
            detail=version.encode(),
            effect=f"note:{claim.token}:{version}",
            audit=(),
        )
        if not noted.ok:
            raise Wait(SETTLED_MS)

    async def _found_out(
        self, cluster: Cluster, plan: Plan, attempt: str, version: str, *, why: str = "", wait_ms: int = 3_000
    ) -> Outcome:
        """After a write without an answer: touch the object, so that a late arrival fails, then read it. Where
        the object has gone since, or stands otherwise than before without the plan's mark, nothing can tell
        whether it had been written: `unknown`.

        Raises `NoContact` while the cluster cannot be asked: the ledger keeps the plan as executing.
        """
        if plan.change.verb != "patch":
            return await whether_gone(cluster, plan, version, why, wait_ms)
        permit = Permit(token=plan.token, target=plan.entity.key, attempt=attempt)
        try:
            live = await cluster.writer.touch(plan.written, uid=plan.written_uid, permit=permit)
        except NotFound:
            return Outcome("unknown")
        except ClusterError as error:
            return await self._read_off(cluster, plan, error, wait_ms)
        except PermissionError as error:
            raise Wait(SETTLED_MS) from error
        return _said_by(live, plan) or Outcome("interrupted" if drift(live, plan) is None else "unknown")

    async def _read_off(self, cluster: Cluster, plan: Plan, touched: ClusterError, wait_ms: int) -> Outcome:
        """Where the object could not be touched: what it says by itself. Without the plan's mark a late write can
        still arrive, so that nothing is known yet."""
        try:
            live = await cluster.reader.read(plan.written)
        except NotFound:
            return Outcome("unknown")
        except ClusterError as error:
            raise NoContact(wait_ms, error.message[:200]) from error
        outcome = _said_by(live, plan)
        if outcome is None:
            raise NoContact(wait_ms, touched.message[:200]) from touched
        return outcome

    async def settle(self, token: str, target: str, *, attempts: int) -> Outcome:
        """Find out what became of an executing plan past its deadline. Raises `Wait` to be tried again."""
        gate = self._gate
        step = await gate.ledger.read(token=token, target=target)
        if step.state == "confirmed":
            await gate.ledger.void(token=token, target=target, reason="expired", effect=f"lapse:{token}", audit=())
            return Outcome("expired", say("gate.expired"))
        if step.state not in ("executing", "working"):
            return Outcome(_ended(step), _why_ended(step))
        if step.wait_ms > 0:
            raise Wait(step.wait_ms)
        plan = decode_plan(step.plan)
        cluster = gate.clusters.get(plan.entity.cluster)
        if cluster is None or attempts > SETTLE_ATTEMPTS:
            outcome = Outcome("unknown")
        else:
            wait_ms = min(LONGEST_WAIT_MS, 2_000 * attempts)
            outcome = await self._settled(cluster, plan, step, wait_ms)
        # Whoever confirmed it is who executed it, whichever worker finds that out.
        kind: Kind = "execution" if outcome.state in WRITTEN and step.state == "executing" else "outcome"
        record = gate.record(kind, step.by, plan, reason=f"settled {outcome.state}", event=f"settle:{token}")
        finished = await gate.ledger.finish(
            token=token,
            target=target,
            attempt="settle",
            outcome=outcome.state,
            detail=b"",
            audit=(record,),
            limit_ms=WORK_S * 1000,
        )
        log.info("plan_settled", token=token, target=target, outcome=outcome.state, ok=finished.ok)
        gate.meter.count("executions", action=plan.action, outcome=outcome.state)
        return outcome if finished.ok else Outcome(_ended(finished), _why_ended(finished))

    async def _settled(self, cluster: Cluster, plan: Plan, step: LedgerStep, wait_ms: int) -> Outcome:
        if step.state == "working":
            return await whether_all_done(cluster, plan, wait_ms)
        return so_far(await self._found_out(cluster, plan, "settle", step.detail.decode(), wait_ms=wait_ms), plan)

    async def _finish(self, effect: Execute, outcome: Outcome, claim: Claim) -> Executed:
        gate = self._gate
        step = await gate.ledger.read(token=effect.token, target=effect.entity.key)
        plan = decode_plan(step.plan)
        outcome = so_far(outcome, plan)
        kind: Kind = "execution" if outcome.state in WRITTEN else "outcome"
        reason = outcome.problem.key if outcome.problem else outcome.state
        wire = {"before": plan.before, "sent": outcome.sent, "answered": outcome.answered}
        record = gate.record(kind, effect.confirmer.key, plan, wire, reason=reason, event=effect.id)
        finished = await gate.ledger.finish(
            token=effect.token,
            target=effect.entity.key,
            attempt=claim.token,
            outcome=outcome.state,
            detail=b"",
            audit=(record,),
            limit_ms=WORK_S * 1000,
        )
        gate.meter.count("executions", action=plan.action, outcome=outcome.state)
        if not finished.ok:
            return _told(effect, Outcome(_ended(finished), _why_ended(finished)))
        return _told(effect, outcome)


def policy_problem(policy: Policy, effect: Execute, plan: Plan, now: int) -> Say | None:
    """Why the rules as they are now no longer let this plan be executed: the confirmer may not, it goes beyond
    a limit, a freeze holds that none of its people may override, or too few of its approvals still count."""
    rooms = (effect.room, *effect.rooms)
    ruling = joint.judge(
        policy,
        rooms,
        action=plan.action,
        entity=plan.entity,
        user=effect.confirmer,
        role="confirm",
        escalated=effect.escalated,
    )
    if not ruling.allowed:
        return _confirmer_may_not(ruling, effect)
    beyond = ruling.beyond_limits(plan.parameters)
    if beyond is not None:
        return beyond
    counted = counted_approvals(
        ruling, requester=plan.requester, confirmer=effect.confirmer.key, approvers=effect.approvers
    )
    frozen = joint.freeze_problem(
        policy,
        rooms,
        action=plan.action,
        entity=plan.entity,
        now=now,
        by=(effect.confirmer.key, *counted),
        reason=plan.reason,
    )
    if frozen is not None:
        return frozen
    missing = approvals_missing(
        ruling, requester=plan.requester, confirmer=effect.confirmer.key, approvers=effect.approvers
    )
    lapsed = lapsed_approvals(
        ruling, requester=plan.requester, confirmer=effect.confirmer.key, approvers=effect.approvers
    )
    if missing and lapsed:
        who = ", ".join(ruling.people.owner(key, effect.room) or key for key in lapsed)
        return say("gate.approvals_lapsed", count=missing, who=who)
    return say("gate.approvals", count=missing) if missing else None


def _confirmer_may_not(ruling: Ruling, effect: Execute) -> Say:
    """Why the plan's confirmer may not confirm it any more. Whoever reads it is somebody else, so they are named."""
    problem = ruling.problem or say("answer.plan_void")
    if problem.key != "policy.only.confirm":
        return problem
    who = ruling.people.owner(effect.confirmer.key, effect.room) or effect.confirmer.key
    return say("gate.confirmer_lapsed", who=who, rule=ruling.rule + 1, can=", ".join(ruling.who))


def _unfit(plan: Plan, effect: Execute, cluster: Cluster | None) -> Say | None:
    """Why nothing is to be done with this plan at all: it is not what was confirmed, or not for this bot to do."""
    if digest_of(plan) != plan.digest or plan.token != effect.token or plan.entity.key != effect.entity.key:
        return say("gate.digest")
    if cluster is None:
        return say("answer.no_cluster", cluster=plan.entity.cluster)
    return cluster.limited(plan.entity)


async def _still_there(cluster: Cluster, plan: Plan) -> None:
    """Where another object is written than the entity: that is still the one that the plan is about. Raises
    `NotFound` where it is not."""
    if plan.change.uid:
        entity = await cluster.reader.read(plan.entity)
        if uid_of(entity) != plan.uid:
            raise NotFound(f"{plan.entity.target} is another object now")


def drift(live: Raw, plan: Plan) -> Outcome | None:
    """What no longer holds of what the card showed; None when everything does (rule 4)."""
    if uid_of(live) != plan.written_uid:
        return Outcome("refused", gone(plan))
    now = ACTIONS[plan.action].watched(live)
    changed = [path for path, value in plan.watched.items() if now.get(path) != value]
    if not changed:
        return None
    path = changed[0]
    what = f"{path}: {_shown(plan.watched[path])} → {_shown(now.get(path))}"
    return Outcome("refused", say("gate.changed", what=what), fresh=True)


def _shown(value: Scalar) -> str:
    """A watched value as Kubernetes writes it."""
    return str(value).lower() if isinstance(value, bool) else "–" if value is None else str(value)


def _carries(live: Raw, plan: Plan) -> bool:
    """Whether the object tells that the plan was written to it: by the plan's token. A status holds no annotation:
    there the fields tell, which stand as the plan wants them, as they did not before, and are the bot's."""
    if plan.change.subresource == "status":
        return ACTIONS[plan.action].holds(live, plan) and owns_status(live, plan.change.body["status"])
    return annotation(live, PLAN_ANNOTATION) == plan.token


def _said_by(live: Raw, plan: Plan) -> Outcome | None:
    """What became of a write by the object alone; None where it does not tell."""
    if uid_of(live) != plan.written_uid:
        return Outcome("unknown")
    return Outcome("done") if _carries(live, plan) else None


def _told(effect: Execute, outcome: Outcome) -> Executed:
    return Executed(
        effect=effect.id,
        token=effect.token,
        outcome=outcome.state,
        problem=outcome.problem,
        fresh=outcome.fresh,
    )


def _ended(step: LedgerStep) -> PlanState:
    return step.state if step.state != "absent" else "unknown"


def _why_ended(step: LedgerStep) -> Say | None:
    known = {"expired", "superseded", "cancelled", "rejected", "left", "refused"}
    return say(f"gate.{step.reason}") if step.reason in known else None


def _not_run(entity: Entity, error: ClusterError) -> Say:
    """Why nothing was changed, and what to do."""
    kind = failure(error)
    key = {"failed": "unreachable", "refused": "api_refused"}.get(kind, kind)
    return say(f"gate.{key}", cluster=entity.cluster, why=error.message[:300])
