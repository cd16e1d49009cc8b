"""Making a plan: observe the target, draft the change, have the cluster try it, record it. Nothing is written."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from chatops_bot.domain import joint
from chatops_bot.domain.actions.argo import wrong_target
from chatops_bot.domain.actions.base import Action, Question
from chatops_bot.domain.actions.node_changes import PERSON
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.altered import altered_by_cluster
from chatops_bot.domain.effects import Prepare
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Prepared
from chatops_bot.domain.impersonation import Actor
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import FIELD_MANAGER, PLAN_ANNOTATION, annotation, text, uid_of
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.plans import Draft, Plan, digest_of
from chatops_bot.domain.policy import Policy, Ruling, freeze_line
from chatops_bot.domain.reports import masked_lines
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.texts import render
from chatops_bot.engine.access import lacking
from chatops_bot.engine.gate import Cluster, Gate, Nobody, decode_plan, encode_plan
from chatops_bot.engine.queries import failed, failure
from chatops_bot.ports.cluster import Blocked, ClusterError, ClusterUnavailable, NotFound, Refused
from chatops_bot.ports.store import AuditUnwritable, LedgerStep

_ARGUMENT: Final = 20_000
"""Characters of what a line of a plan names: a drain names every pod."""


class Problem(Exception):
    """Why no plan can be made, in words for the asker; `ask` and `choices` as in `Prepared`."""

    def __init__(self, said: Say, *, ask: tuple[str, ...] = (), choices: tuple[str, ...] = ()) -> None:
        super().__init__(said.key)
        self.said = said
        self.ask = ask
        self.choices = choices


class Preparation:
    """The first half of the gate."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def run(self, effect: Prepare) -> Prepared:
        """Observe, draft, dry-run and record. A problem is a result too."""
        try:
            plan = await self._plan(effect)
        except Nobody as nobody:
            return Prepared(effect=effect.id, problem=nobody.said)
        except Problem as problem:
            return Prepared(effect=effect.id, problem=problem.said, ask=problem.ask, choices=problem.choices)
        except NotFound:
            entity = effect.entity
            gone = say("answer.gone", target=entity.target, namespace=entity.namespace, cluster=entity.cluster)
            return Prepared(effect=effect.id, problem=gone)
        except ClusterError as error:
            return Prepared(effect=effect.id, problem=failed(effect.entity, error))
        try:
            step = await self._recorded(effect, plan)
        except AuditUnwritable as error:
            return Prepared(effect=effect.id, problem=self._gate.unrecorded(error))
        if not step.ok:
            return Prepared(effect=effect.id, problem=say("answer.plan_void"))
        self._gate.meter.count("plans", action=plan.action, step="prepared")
        return Prepared(effect=effect.id, plan=decode_plan(step.plan) if step.plan else plan)

    async def _recorded(self, effect: Prepare, plan: Plan) -> LedgerStep:
        record = self._gate.record(
            "decision", effect.user.key, plan, _as_shown(plan), reason="prepared", event=effect.id
        )
        return await self._gate.ledger.prepare(
            token=plan.token,
            target=plan.entity.key,
            plan=encode_plan(plan),
            digest=plan.digest,
            lives_ms=effect.lives_ms,
            effect=effect.id,
            audit=(record,),
            form=plan.form,
        )

    async def _plan(self, effect: Prepare) -> Plan:
        entity = effect.entity
        action = ACTIONS.get(effect.action)
        cluster = self._gate.clusters.get(entity.cluster)
        if action is None:
            raise Problem(say("refuse.action_unknown", action=f"action.{effect.action}", service=entity.name))
        if cluster is None:
            raise Problem(say("answer.no_cluster", cluster=entity.cluster))
        if (limited := cluster.limited(entity)) is not None:
            raise Problem(limited)
        wait = self._gate.rates.wait_s(effect.room, effect.user)
        if wait:
            raise Problem(say("answer.too_many", seconds=wait))
        policy = self._gate.snapshot.world.policy
        ruling = _may_request(policy, effect)
        actor = cluster.actor(effect.user.key, policy=policy, room=effect.room)
        observed = await cluster.reader.observe(entity, needs=action.needs)
        if (elsewhere := wrong_target(observed)) is not None:
            raise Problem(elsewhere[0], ask=("service",), choices=(elsewhere[1],))
        slots = await self._undo_slots(effect, observed) if effect.undo_of else effect.slots
        token = self._gate.token_of(effect.id)
        now = self._gate.now()
        draft = _within(ruling, action.draft(observed, {**slots, PERSON: effect.name}, token=token, stamp=_stamp(now)))
        frozen = (*_outdated(policy), *_freezes(policy, effect, now))
        opposed = await self._opposed(entity, token)
        plan = Plan(
            token=token,
            action=effect.action,
            entity=entity,
            uid=uid_of(observed.object),
            resource_version=text(observed.object, "metadata", "resourceVersion"),
            change=draft.change,
            parameters=draft.parameters,
            before=draft.before,
            watched=draft.watched,
            risk=ruling.raised(draft.risk),
            preview=draft.preview,
            warnings=(*frozen, *_raised(ruling, draft), *await self._by_whom(draft.warnings, observed), *opposed),
            room=effect.room,
            thread=effect.thread,
            requester=effect.user.key,
            requester_name=effect.name,
            language=effect.language,
            created=now,
            expires=now + effect.lives_ms,
            reason=effect.reason,
            approvals=ruling.approvals,
            steps=draft.steps,
        )
        verdict = await _tried(cluster, plan, actor)
        return msgspec.structs.replace(
            plan,
            preview=masked_lines((*plan.preview, *verdict), most=_ARGUMENT),
            warnings=masked_lines(plan.warnings, most=_ARGUMENT),
            digest=digest_of(plan),
        )

    async def _undo_slots(self, effect: Prepare, observed: Observed) -> dict[str, SlotValue]:
        """What puts back the earlier plan's change, if that change still stands."""
        step = await self._gate.ledger.read(token=effect.undo_of, target=effect.entity.key)
        if not step.plan:
            raise Problem(say("undo.unknown"))
        earlier = decode_plan(step.plan)
        # Of several writes the first may stand without the others: whether it does is seen below.
        if step.state not in (("working", "done", "interrupted", "unknown") if earlier.steps else ("done",)):
            raise Problem(say("undo.unknown"))
        done: Action = ACTIONS[earlier.action]
        undo = done.undo(earlier)
        if undo is None or undo.action != effect.action:
            raise Problem(say("undo.impossible", action=f"action.{earlier.action}"))
        if earlier.uid != uid_of(observed.object) or not done.holds(_written(observed, earlier), earlier):
            raise Problem(say("undo.changed"))
        return undo.slots

    async def _by_whom(self, warnings: tuple[Say, ...], observed: Observed) -> tuple[Say, ...]:
        """Where it was the bot that changed it minutes ago, the person who confirmed it in the bot's place."""
        token = annotation(observed.object, PLAN_ANNOTATION)
        own = [line for line in warnings if line.key == "warn.changed" and line.args.get("manager") == FIELD_MANAGER]
        step = await self._gate.ledger.read(token=token, target=observed.entity.key) if own and token else None
        if step is None or not step.plan:
            return warnings
        plan = decode_plan(step.plan)
        if step.by in ("", plan.requester):
            by = plan.requester_name or plan.requester
        else:
            by = self._gate.snapshot.world.policy.people.owner(step.by, plan.room) or step.by
        names = {"action": f"action.{plan.action}", "name": by}
        said = say("warn.changed_by_plan", ago=str(own[0].args["ago"]), **names)
        return tuple(said if line == own[0] else line for line in warnings)

    async def _opposed(self, entity: Entity, token: str) -> tuple[Say, ...]:
        """A word when another plan holds the target now; it could not be confirmed."""
        holder = await self._gate.ledger.holder(target=entity.key)
        if not holder or holder == token:
            return ()
        step = await self._gate.ledger.read(token=holder, target=entity.key)
        if not step.plan:
            return ()
        other = decode_plan(step.plan)
        return (say("plan.opposed", action=f"action.{other.action}", service=other.entity.name),)


async def _tried(cluster: Cluster, plan: Plan, actor: Actor | None) -> tuple[Say, ...]:
    """What the cluster says to the plan, asked at once whether it is allowed and what would come of it. Raises
    `Problem`; a missing permission is told by its name rather than by the refused trial."""
    missing, verdict = await asyncio.gather(
        lacking(cluster, plan, actor), _dry_run(cluster, plan, actor), return_exceptions=True
    )
    if isinstance(missing, Say):
        raise Problem(missing)
    for failed_one in (missing, verdict):
        if isinstance(failed_one, BaseException):
            raise failed_one
    said = say("impersonate.as", user=actor.user) if actor is not None else None
    return tuple(line for line in (verdict, said) if isinstance(line, Say))


async def _dry_run(cluster: Cluster, plan: Plan, actor: Actor | None) -> Say:
    try:
        made = await cluster.writer.dry_run(plan.change, uid=plan.written_uid, actor=actor)
    except Refused as error:
        if "dry run" in error.message or "dryRun" in error.message:
            return say("plan.dry_run_absent", why=error.message[:200])
        if failure(error) != "refused":
            raise Problem(failed(plan.entity, error)) from error
        raise Problem(say("plan.dry_run_refused", why=error.message[:300])) from error
    except Blocked as error:
        raise Problem(say("plan.blocked", why=error.message[:300])) from error
    except ClusterUnavailable as error:
        return say("plan.dry_run_absent", why=error.message[:200])
    altered = altered_by_cluster(plan.change.body, made)
    if altered:
        raise Problem(say("plan.dry_run_altered", what=altered))
    return say("plan.dry_run_ok")


def _written(observed: Observed, plan: Plan) -> Raw:
    """The object that a plan wrote, as it is now; nothing where it is gone."""
    if not plan.change.uid:
        return observed.object
    return next((row for row in observed.autoscalers if row["metadata"]["uid"] == plan.change.uid), {})


def _within(ruling: Ruling, draft: Draft | Say | Question) -> Draft:
    """The draft, if it is one and keeps to the rule's limits. Raises `Problem`."""
    if isinstance(draft, Question):
        raise Problem(draft.problem, ask=draft.slots, choices=draft.choices)
    if isinstance(draft, Say):
        raise Problem(draft)
    beyond = ruling.beyond_limits(draft.parameters)
    if beyond is not None:
        raise Problem(beyond)
    return draft


def _may_request(policy: Policy, effect: Prepare) -> Ruling:
    rooms = (effect.room, *effect.rooms)
    ruling = joint.judge(policy, rooms, action=effect.action, entity=effect.entity, user=effect.user, role="request")
    if not ruling.allowed:
        raise Problem(ruling.problem or say("answer.plan_void"))
    return ruling


def _as_shown(plan: Plan) -> dict[str, Any]:
    """What the card says of a plan, in the language that it was asked for in, and what was there before."""
    lines = (*plan.preview, *plan.warnings)
    return {"shown": tuple(render(line, plan.language) for line in lines), "before": plan.before}


def _outdated(policy: Policy) -> tuple[Say, ...]:
    """A word where the rules in force are not those of the file."""
    return (say("policy.outdated"),) if policy.outdated else ()


def _raised(ruling: Ruling, draft: Draft) -> tuple[Say, ...]:
    """A word where it is the rule that makes the risk what it is."""
    risk = ruling.raised(draft.risk)
    return (say("policy.raised", rule=ruling.rule + 1, risk=f"risk.{risk}"),) if risk != draft.risk else ()


def _freezes(policy: Policy, effect: Prepare, now: int) -> tuple[Say, ...]:
    """The freezes that hold now, for the card. Raises `Problem` where there is no way: nobody may override one, or
    nothing was said why it should be."""
    frozen = policy.frozen(action=effect.action, entity=effect.entity, room=effect.room, now=now)
    for one in frozen:
        if not policy.members(one.override):
            raise Problem(policy.not_overridden((one,), by=(), room=effect.room) or freeze_line("nobody", one))
        if not effect.reason.strip():
            raise Problem(freeze_line("reason", one))
    return tuple(freeze_line("warning", one) for one in frozen)


def _stamp(now_ms: int) -> str:
    return datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
