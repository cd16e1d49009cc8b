"""The gate: from a wanted change to one execution, with `preparation.py` before and `execution.py` behind it. These
three alone call the cluster's write side.

Every step is in the ledger before it has an effect. Design section 6: a plan names one target; what was
confirmed is what is executed; the target is read again first; at most one execution; an unknown outcome
is found out by reading, or handed to a person. When in doubt, nothing is written.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import structlog

from chatops_bot.domain import audit, joint
from chatops_bot.domain.audit import Record
from chatops_bot.domain.effects import Judge, Void
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Judged
from chatops_bot.domain.identity import Room
from chatops_bot.domain.impersonation import Actor, Impersonation
from chatops_bot.domain.objects import listed
from chatops_bot.domain.plans import Change, Plan
from chatops_bot.domain.policy import Policy, Ruling, approvals_missing, own_approval
from chatops_bot.domain.say import Say, say
from chatops_bot.engine.rates import Rates
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import ClusterReader, ClusterWriter
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.store import AuditUnwritable, Ledger, LedgerStep, ThreadStore

log = structlog.get_logger(__name__)

START_WITHIN_MS = 60_000
"""How long a confirmed plan that needs no approval may wait for its executor before it is void."""


def _never() -> int:
    return 0


def _nowhere(token: str) -> str:
    return ""


class Nobody(Exception):
    """Changes are made in people's own names, and the configuration does not say who this one is; `said` to them."""

    def __init__(self, said: Say) -> None:
        super().__init__(said.key)
        self.said = said


class Cluster(msgspec.Struct, frozen=True):
    """Both sides of one cluster, as only the gate holds them. `notes`: whether executed plans leave Events there.
    `impersonation`: who is who there, where changes are made in the name of the person; None in the bot's own."""

    reader: ClusterReader
    writer: ClusterWriter
    notes: bool = False
    namespaces: tuple[str, ...] = ()
    """Those that it serves; none named are all."""
    impersonation: Impersonation | None = None

    def limited(self, entity: Entity) -> Say | None:
        """Why a bot of some namespaces may not change this: on a node runs what is of others as well."""
        if entity.kind != "Node" or not self.namespaces:
            return None
        return say("node.limited", name=entity.name, namespaces=listed(self.namespaces))

    def actor(self, key: str, *, policy: Policy, room: Room) -> Actor | None:
        """In whose name a person's changes are made here; None in the bot's own. Raises `Nobody`."""
        if self.impersonation is None:
            return None
        found = self.impersonation.actor(key, people=policy.people, room=room)
        if found is None:
            raise Nobody(say("impersonate.nobody", cluster=self.reader.name, who=key))
        return found


_plans = msgspec.json.Encoder()
_plan_decoder = msgspec.json.Decoder(Plan)


def encode_plan(plan: Plan) -> bytes:
    """As the ledger keeps it."""
    return _plans.encode(plan)


def decode_plan(raw: bytes) -> Plan:
    """The plan of a ledger entry. Raises `msgspec.ValidationError` on a form this version does not know."""
    return _plan_decoder.decode(raw)


def permits(step: LedgerStep, change: Change | None) -> bool:
    """Whether a ledger entry stands behind a write: of its plan's change (None: the touch of its object) while that
    is executed, of one of its steps while they are worked off in their time."""
    if step.state == "executing":
        return change is None or change == decode_plan(step.plan).change
    return step.state == "working" and step.wait_ms > 0 and change in decode_plan(step.plan).steps


def permits_note(step: LedgerStep) -> bool:
    """Whether a plan has ended in a way that its target may bear traces of."""
    return step.state in ("done", "unknown", "working")


class Gate:
    """Records confirmations and approvals; what is before and behind it asks it for ledger, policy and clock."""

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
        behind: Callable[[], int] = _never,
        link_of: Callable[[str], str] = _nowhere,
    ) -> None:
        """`behind`: for how many minutes the audit log has not reached a place that it has to reach; 0: it has.
        `link_of`: the link to a plan's card, as far as it is known."""
        self.store = store
        self.ledger = ledger
        self.clusters = clusters
        self.snapshot = snapshot
        self.clock = clock
        self._secret = secret
        self.rates = rates
        self.meter = meter
        self._behind = behind
        self._link_of = link_of

    def now(self) -> int:
        """Ms of the wall clock."""
        return int(self.clock.now() * 1000)

    def token_of(self, effect_id: str) -> str:
        """The plan token of a prepare effect: unguessable, and the same when the effect is run again."""
        return hmac.new(self._secret, effect_id.encode(), hashlib.sha256).hexdigest()[:32]

    async def judge(self, effect: Judge) -> Judged:
        """Record a confirmation or an approval, if this person may give it now and the plan still waits."""
        policy = self.snapshot.world.policy
        ruling = joint.judge(
            policy,
            (effect.room, *effect.rooms),
            action=effect.action,
            entity=effect.entity,
            user=effect.user,
            role="approve" if effect.approve else "confirm",
            escalated=effect.escalated,
        )
        # What is executed at once meets the switch of this very moment there.
        problem = await self.halted() if effect.approve or ruling.approvals else self.known_halted()
        if problem is not None:
            return _no(effect, problem, "audit" if problem.key == "gate.audit_behind" else "read_only")
        if not ruling.allowed:
            return _no(effect, ruling.problem or say("answer.plan_void"), "policy")
        override = await _override(self, effect)
        if isinstance(override, Say):
            return _no(effect, override, "freeze")
        cluster = self.clusters.get(effect.entity.cluster)
        try:
            if cluster is not None and not effect.approve:
                cluster.actor(effect.user.key, policy=policy, room=effect.room)
            return await (
                self._approve(effect, ruling, override) if effect.approve else self._confirm(effect, ruling, override)
            )
        except Nobody as nobody:
            return _no(effect, nobody.said, "impersonation")
        except AuditUnwritable as error:
            return _no(effect, self.unrecorded(error), "audit")

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
        """Why nothing may be changed now: the read-only switch, read from the store itself, so that it holds at once
        for every process; or an audit log that does not get to where it has to."""
        self.snapshot.set_switch(await self.store.read_only())
        return self.known_halted()

    def known_halted(self) -> Say | None:
        """The same by what this process knows, which may be a second old."""
        why = self.snapshot.world.read_only
        if why:
            return say("refuse.read_only", why=why)
        minutes = self._behind()
        return say("gate.audit_behind", minutes=minutes) if minutes else None

    def unrecorded(self, error: AuditUnwritable) -> Say:
        """In words, why nothing is done; for operators, in the log."""
        log.error("audit_unwritable", why=str(error))
        self.meter.count("audit_unwritable")
        return say("gate.audit_unwritable")

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
                **{"link": self._link_of(plan.token), **(more or {})},
            )
        )

    def _judged_record(self, kind: audit.Kind, effect: Judge, override: str) -> bytes:
        room = effect.at or effect.room
        return audit.encode(
            Record(
                at=self.now(),
                kind=kind,
                user=effect.user.key,
                person=self._person(effect.user.key, room),
                room=room.key,
                thread=effect.thread,
                service=effect.entity.key,
                action=effect.action,
                token=effect.token,
                reason=override,
                event=effect.id,
                digest=effect.digest,
                link=self._link_of(effect.token),
            )
        )

    def _person(self, user: str, room: Room) -> str:
        return self.snapshot.world.policy.people.owner(user, room)


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
    problem = joint.freeze_problem(
        policy,
        (effect.room, *effect.rooms),
        action=plan.action,
        entity=plan.entity,
        now=now,
        by=(effect.user.key, *((step.by, *step.approvals) if effect.approve else ())),
        reason=plan.reason,
    )
    if problem is not None:
        return problem
    rooms = dict.fromkeys((effect.room, *effect.rooms))
    held = (policy.frozen(action=plan.action, entity=plan.entity, room=room, now=now) for room in rooms)
    frozen = {one.name: one for found in held for one in found}.values()
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
