"""The gate: from a wanted change to one execution. The only caller of the cluster's write side.

Every step is in the ledger before it has an effect. Design section 6: a plan names one target; what was
confirmed is what is executed; the target is read again first; at most one execution; an unknown outcome
is found out by reading, or handed to a person. When in doubt, nothing is written.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
import structlog

from chatops_bot.domain import audit
from chatops_bot.domain.actions.base import Action, Question
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.audit import Record
from chatops_bot.domain.effects import Judge, Prepare, Void
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Judged, Prepared
from chatops_bot.domain.identity import Room
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import text, uid_of
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.plans import Plan, digest_of
from chatops_bot.domain.policy import Policy, Ruling, approvals_missing, freeze_line, own_approval
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.texts import render
from chatops_bot.engine.queries import failed, failure
from chatops_bot.engine.rates import Rates
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import ClusterError, ClusterReader, ClusterUnavailable, ClusterWriter, NotFound, Refused
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.store import Ledger, LedgerStep, ThreadStore

log = structlog.get_logger(__name__)

START_WITHIN_MS = 60_000
"""How long a confirmed plan that needs no approval may wait for its executor before it is void."""


class Cluster(msgspec.Struct, frozen=True):
    """Both sides of one cluster, as only the gate holds them."""

    reader: ClusterReader
    writer: ClusterWriter


class Problem(Exception):
    """Why a step cannot be taken, in words for the asker; `ask` and `choices` as in `Prepared`."""

    def __init__(self, said: Say, *, ask: tuple[str, ...] = (), choices: tuple[str, ...] = ()) -> None:
        super().__init__(said.key)
        self.said = said
        self.ask = ask
        self.choices = choices


_plans = msgspec.json.Encoder()
_plan_decoder = msgspec.json.Decoder(Plan)


def decode_plan(raw: bytes) -> Plan:
    """The plan of a ledger entry. Raises `msgspec.ValidationError` on a form this version does not know."""
    return _plan_decoder.decode(raw)


class Gate:
    """Prepares plans and records confirmations. Executing one is `engine/execution.py`."""

    def __init__(
        self,
        *,
        store: ThreadStore,
        ledger: Ledger,
        clusters: Mapping[str, Cluster],
        snapshot: Snapshot,
        clock: Clock,
        secret: bytes,
        rates: Rates,
        meter: Meter,
    ) -> None:
        self.store = store
        self.ledger = ledger
        self.clusters = clusters
        self.snapshot = snapshot
        self.clock = clock
        self._secret = secret
        self._rates = rates
        self.meter = meter

    def now(self) -> int:
        """Ms of the wall clock."""
        return int(self.clock.now() * 1000)

    def token_of(self, effect_id: str) -> str:
        """The plan token of a prepare effect: unguessable, and the same when the effect is run again."""
        return hmac.new(self._secret, effect_id.encode(), hashlib.sha256).hexdigest()[:32]

    async def prepare(self, effect: Prepare) -> Prepared:
        """Observe, draft, dry-run and record. A problem is a result too."""
        try:
            plan = await self._plan(effect)
        except Problem as problem:
            return Prepared(effect=effect.id, problem=problem.said, ask=problem.ask, choices=problem.choices)
        except NotFound:
            entity = effect.entity
            gone = say("answer.gone", target=entity.target, namespace=entity.namespace, cluster=entity.cluster)
            return Prepared(effect=effect.id, problem=gone)
        except ClusterError as error:
            return Prepared(effect=effect.id, problem=failed(effect.entity, error))
        record = self.record("decision", effect.user.key, plan, _as_shown(plan), reason="prepared", event=effect.id)
        step = await self.ledger.prepare(
            token=plan.token,
            target=plan.entity.key,
            plan=_plans.encode(plan),
            digest=plan.digest,
            lives_ms=effect.lives_ms,
            effect=effect.id,
            audit=(record,),
        )
        if not step.ok:
            return Prepared(effect=effect.id, problem=say("answer.plan_void"))
        self.meter.count("plans", action=plan.action, step="prepared")
        return Prepared(effect=effect.id, plan=decode_plan(step.plan) if step.plan else plan)

    async def _plan(self, effect: Prepare) -> Plan:
        entity = effect.entity
        action = ACTIONS.get(effect.action)
        cluster = self.clusters.get(entity.cluster)
        if action is None:
            raise Problem(say("refuse.action_unknown", action=f"action.{effect.action}", service=entity.name))
        if cluster is None:
            raise Problem(say("answer.no_cluster", cluster=entity.cluster))
        wait = self._rates.wait_s(effect.room, effect.user)
        if wait:
            raise Problem(say("answer.too_many", seconds=wait))
        ruling = _may_request(self.snapshot.world.policy, effect)
        observed = await cluster.reader.observe(entity, history=action.history)
        slots = await self._undo_slots(effect, observed) if effect.undo_of else effect.slots
        token = self.token_of(effect.id)
        now = self.now()
        draft = action.draft(observed, slots, token=token, stamp=_stamp(now))
        if isinstance(draft, Question):
            raise Problem(draft.problem, ask=draft.slots, choices=draft.choices)
        if isinstance(draft, Say):
            raise Problem(draft)
        beyond = ruling.beyond_limits(draft.parameters)
        if beyond is not None:
            raise Problem(beyond)
        frozen = _freezes(self.snapshot.world.policy, effect, now)
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
            risk=draft.risk,
            preview=draft.preview,
            warnings=(*frozen, *draft.warnings, *opposed),
            room=effect.room,
            thread=effect.thread,
            requester=effect.user.key,
            requester_name=effect.name,
            language=effect.language,
            created=now,
            expires=now + effect.lives_ms,
            reason=effect.reason,
            approvals=ruling.approvals,
        )
        verdict = await _dry_run(cluster, plan)
        return msgspec.structs.replace(plan, preview=(*plan.preview, verdict), digest=digest_of(plan))

    async def _undo_slots(self, effect: Prepare, observed: Observed) -> dict[str, SlotValue]:
        """What puts back the earlier plan's change, if that change still stands."""
        step = await self.ledger.read(token=effect.undo_of, target=effect.entity.key)
        if step.state != "done" or not step.plan:
            raise Problem(say("undo.unknown"))
        earlier = decode_plan(step.plan)
        done: Action = ACTIONS[earlier.action]
        undo = done.undo(earlier)
        if undo is None or undo.action != effect.action:
            raise Problem(say("undo.impossible", action=f"action.{earlier.action}"))
        if earlier.uid != uid_of(observed.object) or not done.holds(_written(observed, earlier), earlier):
            raise Problem(say("undo.changed"))
        return undo.slots

    async def _opposed(self, entity: Entity, token: str) -> tuple[Say, ...]:
        """A word when another plan holds the target now; it could not be confirmed."""
        holder = await self.ledger.holder(target=entity.key)
        if not holder or holder == token:
            return ()
        step = await self.ledger.read(token=holder, target=entity.key)
        if not step.plan:
            return ()
        other = decode_plan(step.plan)
        return (say("plan.opposed", action=f"action.{other.action}", service=other.entity.name),)

    async def judge(self, effect: Judge) -> Judged:
        """Record a confirmation or an approval, if this person may give it now and the plan still waits."""
        problem = await self.halted()
        if problem is not None:
            return _no(effect, problem, "read_only")
        policy = self.snapshot.world.policy
        ruling = policy.judge(
            action=effect.action,
            entity=effect.entity,
            room=effect.room,
            user=effect.user,
            role="approve" if effect.approve else "confirm",
        )
        if not ruling.allowed:
            return _no(effect, ruling.problem or say("answer.plan_void"), "policy")
        override = await _override(self, effect)
        if isinstance(override, Say):
            return _no(effect, override, "freeze")
        return await (
            self._approve(effect, ruling, override) if effect.approve else self._confirm(effect, ruling, override)
        )

    async def _confirm(self, effect: Judge, ruling: Ruling, override: str) -> Judged:
        record = self._judged_record("confirmation", effect, override)
        step = await self.ledger.confirm(
            token=effect.token,
            target=effect.entity.key,
            digest=effect.digest,
            by=effect.user.key,
            effect=effect.id,
            start_within_ms=effect.lives_ms if ruling.approvals else START_WITHIN_MS,
            audit=(record,),
        )
        if not step.ok:
            return _not_recorded(effect, step)
        missing = approvals_missing(
            ruling, requester=effect.requester, confirmer=effect.user.key, approvers=step.approvals
        )
        return _yes(effect, ruling.one_each(step.approvals), missing)

    async def _approve(self, effect: Judge, ruling: Ruling, override: str) -> Judged:
        own = own_approval(ruling, requester=effect.requester, confirmer=effect.confirmer, approver=effect.user.key)
        if own is not None:
            return _no(effect, own, "own_approval")
        step = await self.ledger.approve(
            token=effect.token,
            target=effect.entity.key,
            by=effect.user.key,
            effect=effect.id,
            audit=(self._judged_record("approval", effect, override),),
        )
        if not step.ok:
            return _not_recorded(effect, step)
        missing = approvals_missing(
            ruling, requester=effect.requester, confirmer=effect.confirmer, approvers=step.approvals
        )
        return _yes(effect, ruling.one_each(step.approvals), missing)

    async def void(self, effect: Void) -> None:
        """End a plan that was not begun, in the ledger too."""
        record = Record(
            at=self.now(),
            kind="decision",
            user=effect.by,
            person=self._person(effect.by, effect.room),
            room=effect.room.key,
            thread=effect.thread,
            service=effect.entity.key,
            token=effect.token,
            reason=effect.reason,
            event=effect.id,
        )
        await self.ledger.void(
            token=effect.token,
            target=effect.entity.key,
            reason=effect.reason,
            effect=effect.id,
            audit=(audit.encode(record),),
        )

    async def halted(self) -> Say | None:
        """The read-only switch, read from the store itself: it holds at once, for every process."""
        self.snapshot.set_switch(await self.store.read_only())
        why = self.snapshot.world.read_only
        return say("refuse.read_only", why=why) if why else None

    def record(
        self, kind: audit.Kind, user: str, plan: Plan, more: Mapping[str, Any] | None = None, *, reason: str, event: str
    ) -> bytes:
        """An audit record about a plan, encoded; `more` are further fields of it."""
        return audit.encode(
            Record(
                at=self.now(),
                kind=kind,
                user=user,
                person=self._person(user, plan.room),
                room=plan.room.key,
                thread=plan.thread,
                service=plan.entity.key,
                action=plan.action,
                parameters=plan.parameters,
                token=plan.token,
                reason=reason,
                event=event,
                digest=plan.digest,
                **(more or {}),
            )
        )

    def _judged_record(self, kind: audit.Kind, effect: Judge, override: str) -> bytes:
        return audit.encode(
            Record(
                at=self.now(),
                kind=kind,
                user=effect.user.key,
                person=self._person(effect.user.key, effect.room),
                room=effect.room.key,
                thread=effect.thread,
                service=effect.entity.key,
                action=effect.action,
                token=effect.token,
                reason=override,
                event=effect.id,
                digest=effect.digest,
            )
        )

    def _person(self, user: str, room: Room) -> str:
        return self.snapshot.world.policy.people.owner(user, room)


async def _dry_run(cluster: Cluster, plan: Plan) -> Say:
    try:
        made = await cluster.writer.dry_run(plan.change, uid=plan.written_uid)
    except Refused as error:
        if "dry run" in error.message or "dryRun" in error.message:
            return say("plan.dry_run_absent", why=error.message[:200])
        if failure(error) != "refused":
            raise Problem(failed(plan.entity, error)) from error
        raise Problem(say("plan.dry_run_refused", why=error.message[:300])) from error
    except ClusterUnavailable as error:
        return say("plan.dry_run_absent", why=error.message[:200])
    altered = altered_by_cluster(plan.change.body, made)
    if altered:
        raise Problem(say("plan.dry_run_altered", what=altered))
    return say("plan.dry_run_ok")


def altered_by_cluster(patch: Raw, made: Raw) -> str:
    """What the object has otherwise than the patch set it, "" where nothing: a mutating admission policy or webhook
    had its own way. Lists are merged: their items are compared where they have names, and left out else."""
    return ", ".join(_altered(patch, made, ()))


def _altered(patch: Raw, made: Raw, path: tuple[str, ...]) -> Iterator[str]:
    for key, wanted in patch.items():
        there = made.get(key)
        if isinstance(wanted, dict):
            yield from _altered(wanted, there if isinstance(there, dict) else {}, (*path, key))
        elif isinstance(wanted, list):
            yield from _altered(_by_name(wanted), _by_name(there), (*path, key))
        elif not key.startswith("$") and (there or None) != (wanted or None):  # zeros may be left out
            yield f"{'.'.join((*path, key))}: {there}"


def _by_name(items: object) -> Raw:
    """The items of a list by their names; nothing where one has none, or two have the same."""
    rows = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    named = {row["name"]: row for row in rows if isinstance(row.get("name"), str)}
    return named if len(named) == len(rows) else {}


def _written(observed: Observed, plan: Plan) -> Raw:
    """The object that a plan wrote, as it is now; nothing where it is gone."""
    if not plan.change.uid:
        return observed.object
    return next((row for row in observed.autoscalers if row["metadata"]["uid"] == plan.change.uid), {})


def _may_request(policy: Policy, effect: Prepare) -> Ruling:
    ruling = policy.judge(
        action=effect.action, entity=effect.entity, room=effect.room, user=effect.user, role="request"
    )
    if not ruling.allowed:
        raise Problem(ruling.problem or say("answer.plan_void"))
    return ruling


def _as_shown(plan: Plan) -> dict[str, Any]:
    """What the card says of a plan, in the language that it was asked for in, and what was there before."""
    lines = (*plan.preview, *plan.warnings)
    return {"shown": tuple(render(line, plan.language) for line in lines), "before": plan.before}


def _freezes(policy: Policy, effect: Prepare, now: int) -> tuple[Say, ...]:
    """The freezes that hold now, for the card. Raises `Problem` where there is no way: nobody may override one, or
    nothing was said why it should be."""
    frozen = policy.frozen(action=effect.action, entity=effect.entity, room=effect.room, now=now)
    for one in frozen:
        if not policy.members(one.override):
            raise Problem(freeze_line("nobody", one))
        if not effect.reason.strip():
            raise Problem(freeze_line("reason", one))
    return tuple(freeze_line("warning", one) for one in frozen)


async def _override(gate: Gate, effect: Judge) -> str | Say:
    """What the audit log has to say of a freeze that is overridden here, "" where none holds; else why it keeps
    the plan. The ledger says what is frozen, and why the change is wanted."""
    policy, now = gate.snapshot.world.policy, gate.now()
    if not policy.freezes:
        return ""
    step = await gate.ledger.read(token=effect.token, target=effect.entity.key)
    if not step.plan:
        return ""
    plan = decode_plan(step.plan)
    problem = policy.freeze_problem(
        action=plan.action,
        entity=plan.entity,
        room=effect.room,
        now=now,
        by=(effect.user.key, *((step.by, *step.approvals) if effect.approve else ())),
        reason=plan.reason,
    )
    if problem is not None:
        return problem
    frozen = policy.frozen(action=plan.action, entity=plan.entity, room=effect.room, now=now)
    return f"override of {', '.join(one.name for one in frozen)}: {plan.reason}" if frozen else ""


def _yes(effect: Judge, approvals: tuple[str, ...], missing: int) -> Judged:
    return Judged(
        effect=effect.id, token=effect.token, ok=True, by=effect.user.key, approvals=approvals, missing=missing
    )


def _no(effect: Judge, problem: Say, reason: str) -> Judged:
    return Judged(effect=effect.id, token=effect.token, ok=False, by=effect.user.key, problem=problem, reason=reason)


def _not_recorded(effect: Judge, step: LedgerStep) -> Judged:
    """The ledger's refusal in words. A conflict leaves the plan waiting; everything else has ended it."""
    if step.reason == "conflict":
        return _no(effect, say("refuse.conflict", target=effect.entity.target), "conflict")
    known = {"expired", "superseded", "cancelled", "rejected", "left", "refused", "interrupted"}
    why = step.reason if step.reason in known else "unknown"
    return Judged(
        effect=effect.id,
        token=effect.token,
        ok=False,
        by=effect.user.key,
        final=True,
        reason=step.reason or step.state,
        problem=say(f"gate.{why}"),
    )


def _stamp(now_ms: int) -> str:
    return datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
