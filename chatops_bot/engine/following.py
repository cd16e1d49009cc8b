"""Following what a plan has set off, to its end; of a plan of several writes, making the further ones meanwhile.

The further writes go by the ledger's state `working`: whoever has the entry may write, for each step names its object
by uid and may be sent again. Before every few of them the switch, the policy and the cluster are asked anew.
"""

from __future__ import annotations

import msgspec
import structlog

from chatops_bot.domain.actions.base import Due, Remaining
from chatops_bot.domain.actions.registry import ACTIONS, STEPWISE
from chatops_bot.domain.effects import Follow
from chatops_bot.domain.events import Followed
from chatops_bot.domain.objects import PLAN_ANNOTATION, annotation, digest, listed
from chatops_bot.domain.observed import Observed
from chatops_bot.domain.plans import Plan, digest_of
from chatops_bot.domain.say import Say, say
from chatops_bot.engine.execution import policy_problem
from chatops_bot.engine.gate import Cluster, Gate, decode_plan
from chatops_bot.engine.outcomes import Wait, answer_line, said_of, sent_line
from chatops_bot.engine.queries import failed
from chatops_bot.ports.cluster import Blocked, ClusterError, Conflict, NotFound, Permit, Refused
from chatops_bot.ports.store import AuditUnwritable, Claim, LedgerStep, PlanState

log = structlog.get_logger(__name__)

AT_ONCE = 3
"""Steps written between two looks at the cluster."""

ROUND_MS = 2_000
"""Between two looks."""

_ended = msgspec.json.Decoder(Followed)


class Following:
    """What the ledger holds as done is only watched; what it holds as `working` is carried on."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def run(self, effect: Follow, claim: Claim) -> Followed:
        """How it goes. Raises `Wait` while it goes on and there is nothing new to show."""
        gate = self._gate
        cluster = gate.clusters.get(effect.entity.cluster)
        step = await gate.ledger.read(token=effect.token, target=effect.entity.key)
        if cluster is None or not step.plan:
            return _out_of_sight(effect, step)
        plan = decode_plan(step.plan)
        if step.state == "working":
            return await self._work(effect, claim, cluster, step, plan)
        if plan.steps and step.state != "done":
            return _told_again(effect, step)
        return await self._watch(effect, cluster, plan)

    async def _watch(self, effect: Follow, cluster: Cluster, plan: Plan) -> Followed:
        late = self._gate.now() >= effect.until
        try:
            observed = await cluster.reader.observe(effect.entity)
        except NotFound:
            return _failed(effect, say("progress.gone"), finished=True)
        except ClusterError as error:
            if not late:
                raise Wait(5_000) from error
            return _failed(effect, say("follow.lost"), failed(effect.entity, error))
        progress = ACTIONS[plan.action].progress(observed, plan)
        if progress.finished:
            return Followed(
                effect=effect.id, token=effect.token, finished=True, failed=progress.failed, lines=(progress.line,)
            )
        if not late:
            raise Wait(2_000)
        return _failed(effect, progress.line, say("follow.timeout"))

    async def _work(self, effect: Follow, claim: Claim, cluster: Cluster, step: LedgerStep, plan: Plan) -> Followed:
        late = step.wait_ms <= 0
        try:
            observed = await cluster.reader.observe(effect.entity)
        except NotFound:
            return await self._end(effect, step, plan, "interrupted", say("progress.gone"))
        except ClusterError as error:
            if not late:
                raise Wait(5_000) from error
            return await self._end(effect, step, plan, "unknown", say("follow.lost"), failed(effect.entity, error))
        remaining = STEPWISE[plan.action].remaining(observed, plan)
        if not remaining.left:
            await self._end(effect, step, plan, "done", remaining.line)
            return await self._watch(effect, cluster, plan)
        stopped = await self._stopped(effect, cluster, plan, observed, remaining)
        if stopped is not None:
            return await self._end(effect, step, plan, "interrupted", stopped, _rest(remaining))
        if late:
            return await self._end(
                effect, step, plan, "interrupted", say("work.timeout"), _rest(remaining), *remaining.blocked
            )
        try:
            refused = await self._write(effect, claim, cluster, plan, remaining.due[:AT_ONCE])
        except AuditUnwritable as error:
            shown = _shown(effect, remaining, say("work.unrecorded"))
            self._gate.unrecorded(error)
            return shown
        if refused is not None:
            return await self._end(effect, step, plan, "interrupted", refused, _rest(remaining))
        return _shown(effect, remaining)

    async def _stopped(
        self, effect: Follow, cluster: Cluster, plan: Plan, observed: Observed, remaining: Remaining
    ) -> Say | None:
        """Why no further step may be written: the switch, what the bot serves and the rules as they are now, or a first
        write that does not stand any more."""
        gate = self._gate
        if digest_of(plan) != plan.digest:
            return say("gate.digest")
        problem = await gate.halted() or cluster.limited(plan.entity)
        if problem is None and effect.execute is None:
            problem = say("answer.plan_void")
        if problem is None and effect.execute is not None:
            problem = policy_problem(gate.snapshot.world.policy, effect.execute, plan, gate.now())
        if problem is not None:
            return problem
        if not plan.change.uid and annotation(observed.object, PLAN_ANNOTATION) != plan.token:
            return say("work.superseded")
        return remaining.stopped

    async def _write(
        self, effect: Follow, claim: Claim, cluster: Cluster, plan: Plan, due: tuple[Due, ...]
    ) -> Say | None:
        """A few steps, each on record before it is sent and again with its answer. Why none will do any more, if one
        was refused for good."""
        if not due:
            return None
        # A budget is asked before preconditions are: an eviction that fails by a version that has moved has used it up.
        due = tuple(one if one.step.verb != "evict" else Due(one.step, "") for one in due)
        sent = [sent_line(one.step, one.step.uid, one.resource_version) for one in due]
        kept = await self._recorded(effect, claim, plan, "sent", [{"sent": line} for line in sent])
        if not kept.ok:
            raise Wait(ROUND_MS)
        permit = Permit(token=plan.token, target=plan.entity.key, attempt=claim.token)
        answers: list[dict[str, str]] = []
        refused: Say | None = None
        for one, line in zip(due, sent, strict=True):
            try:
                made = await cluster.writer.write(
                    one.step, uid=one.step.uid, resource_version=one.resource_version, permit=permit
                )
                answers.append({"sent": line, "answered": answer_line(made)})
            except PermissionError:
                break
            except ClusterError as error:
                answers.append({"sent": line, "answered": said_of(error)})
                if isinstance(error, Refused):
                    refused = say("work.refused", name=one.step.name, why=error.message[:300])
                    break
                if not isinstance(error, Blocked | Conflict | NotFound):
                    log.warning("step_outcome_unknown", token=plan.token, step=one.step.name, why=error.message)
        if answers:
            await self._recorded(effect, claim, plan, "answered", answers)
        return refused

    async def _recorded(
        self, effect: Follow, claim: Claim, plan: Plan, what: str, rows: list[dict[str, str]]
    ) -> LedgerStep:
        """One record a step, in the chain before this returns."""
        gate = self._gate
        by = effect.execute.confirmer.key if effect.execute is not None else ""
        return await gate.ledger.note(
            token=plan.token,
            target=plan.entity.key,
            attempt=claim.token,
            detail=b"",
            effect=f"{effect.id}:{claim.token}:{what}",
            audit=tuple(
                gate.record("execution", by, plan, row, reason=f"step {what}", event=effect.id) for row in rows
            ),
        )

    async def _end(self, effect: Follow, step: LedgerStep, plan: Plan, outcome: PlanState, *lines: Say) -> Followed:
        """Record how the steps have ended, with what is told of it, so that it can be told again. Raises `Wait` where
        somebody else has ended them."""
        gate = self._gate
        told = Followed(effect=effect.id, token=effect.token, finished=False, failed=True, lines=lines, state=outcome)
        record = gate.record("outcome", step.by, plan, reason=f"steps {outcome}", event=effect.id)
        ended = await gate.ledger.finish(
            token=plan.token,
            target=plan.entity.key,
            attempt=f"follow:{effect.id}",
            outcome=outcome,
            detail=msgspec.json.encode(told),
            audit=(record,),
        )
        if not ended.ok:
            raise Wait(ROUND_MS)
        log.info("steps_ended", token=plan.token, target=plan.entity.key, outcome=outcome)
        gate.meter.count("executions", action=plan.action, outcome=f"steps {outcome}")
        return told


def _told_again(effect: Follow, step: LedgerStep) -> Followed:
    """What was told, or should have been, of steps that have ended before all were done."""
    try:
        told = _ended.decode(step.detail)
    except msgspec.DecodeError:
        told = Followed(effect=effect.id, token=effect.token, finished=False, failed=True, lines=(say("work.lost"),))
        return msgspec.structs.replace(told, state=step.state)
    return msgspec.structs.replace(told, effect=effect.id)


def _out_of_sight(effect: Follow, step: LedgerStep) -> Followed:
    """Of a plan that is not on record any more, or of a cluster that is not configured any more: nothing is verified,
    and of several writes nobody knows how many were made."""
    lost = _failed(effect, say("follow.lost"))
    return msgspec.structs.replace(lost, state="" if step.state == "done" else "unknown")


def _shown(effect: Follow, remaining: Remaining, *held_up: Say) -> Followed:
    """How far it has come, and what holds it up, if that is not on the card yet; it is followed again after that.
    Raises `Wait` else."""
    lines = (remaining.line, *held_up, *remaining.blocked)
    seen = digest(msgspec.to_builtins(lines))
    if seen == effect.shown:
        raise Wait(ROUND_MS)
    again = msgspec.structs.replace(effect, shown=seen)
    return Followed(effect=effect.id, token=effect.token, finished=False, lines=lines, again=again)


def _rest(remaining: Remaining) -> Say:
    return say("work.rest", count=len(remaining.left), names=listed(remaining.left, most=8))


def _failed(effect: Follow, *lines: Say, finished: bool = False) -> Followed:
    return Followed(effect=effect.id, token=effect.token, finished=finished, failed=True, lines=lines)
