"""A conversation with `decide` alone: no store, no cluster; results of effects are given by hand."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.cards import Card
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.dialogue.decide import decide
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.effects import Effect, Execute, Judge, Prepare, Query
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.events import Click, Event, Executed, Judged, Message, Prepared, Queried, Timer
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import Interpretation, Name, Quantity, Request, Route, SlotValue, State
from chatops_bot.domain.plans import Change, Plan, digest_of
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.reports import Report
from chatops_bot.domain.risks import Risk
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Public, Session, Summary
from chatops_bot.domain.world import Timing, World

ROOM = Room("console", "local", "ops")
NOW = 1_767_600_000_000


def entity(name: str, environment: str = "prod") -> Entity:
    return Entity(
        cluster="east", namespace="shop", kind="Deployment", workload=name, name=name, environment=environment
    )


WEB, API = entity("web"), entity("api")
CATALOG = Catalog([Service(entity=WEB), Service(entity=API)])


def user(name: str) -> User:
    return User("console", "local", name)


def named(target: Entity, start: int = 0) -> Name:
    return Name(text=target.name, start=start, matches=(Service(entity=target),))


def act(intent: str, target: Entity | None = None, *, start: int = 0, **slots: SlotValue) -> Request:
    return Request(intent=intent, slots=slots, name=named(target, start) if target else None, start=start)


def meaning(route: Route, *requests: Request, affirmative: bool = False, other: bool = False) -> Interpretation:
    names = tuple(request.name for request in requests if request.name is not None)
    return Interpretation(
        route=route, language="en", requests=requests, affirmative=affirmative, other=other, names=names
    )


class Talk:
    """One thread. `say`, `click` … return the decision; effects wait in `work` until they are answered."""

    def __init__(self, *, policy: Policy | None = None, read_only: str = "") -> None:
        self.world = World(catalog=CATALOG, policy=policy or Policy.open(), timing=Timing(), read_only=read_only)
        self.session = Session(thread="t1", room=ROOM, owner="alice")
        self.now = NOW
        self.count = 0
        self.seen = True
        self.cards: dict[str, Card] = {}
        self.work: list[Effect] = []

    @property
    def state(self) -> State:
        return self.session.state

    def event(
        self,
        event: Event,
        meant: Interpretation | None = None,
        *,
        via_card: bool = False,
        beside: Public | Summary | None = None,
    ) -> Decision:
        self.count += 1
        decision = decide(
            self.session,
            event,
            meant,
            event_id=f"e{self.count}",
            sequence=self.count,
            now=self.now,
            world=self.world,
            beside=beside,
            via_card=via_card,
            seen=self.seen,
        )
        if not decision.move:
            self.session = decision.session
        self.cards.update(decision.cards)
        self.work += decision.work
        return decision

    def say(
        self,
        who: str,
        route: Route,
        *requests: Request,
        affirmative: bool = False,
        other: bool = False,
        addressed: bool = True,
        via_card: bool = False,
        text: str = "",
    ) -> Decision:
        message = Message(
            id=f"m{self.count + 1}", room=ROOM, user=user(who), text=text or route.value, addressed=addressed, name=who
        )
        return self.event(message, meaning(route, *requests, affirmative=affirmative, other=other), via_card=via_card)

    def click(self, who: str, button: str, *, token: str | None = None, value: str = "") -> Decision:
        """`token` None: that of the newest plan."""
        if token is None:
            token = self.token
        click = Click(
            id=f"k{self.count + 1}", room=ROOM, user=user(who), button=button, token=token, value=value, name=who
        )
        return self.event(click)

    def timer(self, after_s: float) -> Decision:
        self.now += int(after_s * 1000)
        return self.event(Timer())

    @property
    def token(self) -> str:
        plans = [pending.token for pending in self.session.pending if pending.token]
        return plans[-1] if plans else ""

    def take(self, kind: type[Effect]) -> Effect:
        """The oldest waiting effect of this kind, taken out."""
        effect = next(effect for effect in self.work if isinstance(effect, kind))
        self.work.remove(effect)
        return effect

    def prepared(self, *, risk: Risk = "medium", replicas: int = 5) -> Decision:
        """The oldest prepare effect comes back as a plan."""
        effect = self.take(Prepare)
        assert isinstance(effect, Prepare)
        return self.event(Prepared(effect=effect.id, plan=plan_for(effect, risk=risk, replicas=replicas)))

    def unprepared(self) -> Decision:
        effect = self.take(Prepare)
        return self.event(Prepared(effect=effect.id, problem=say("answer.plan_void")))

    def judged(
        self, *, ok: bool = True, missing: int = 0, final: bool = False, approvals: tuple[str, ...] = ()
    ) -> Decision:
        effect = self.take(Judge)
        assert isinstance(effect, Judge)
        return self.event(
            Judged(
                effect=effect.id,
                token=effect.token,
                ok=ok,
                by=effect.user.key,
                missing=missing,
                final=final,
                approvals=approvals,
                problem=None if ok else say("gate.expired"),
            )
        )

    def executed(self, outcome: str = "done", *, fresh: bool = False) -> Decision:
        effect = self.take(Execute)
        assert isinstance(effect, Execute)
        return self.event(Executed(effect=effect.id, token=effect.token, outcome=outcome, fresh=fresh))

    def queried(self) -> Decision:
        effect = self.take(Query)
        assert isinstance(effect, Query)
        report = Report(kind=effect.intent, at=self.now, headline=say("answer.thanks"), entity=effect.entity)
        return self.event(Queried(effect=effect.id, report=report))

    def plan(self, who: str = "alice", target: Entity = WEB, replicas: int = 5, risk: Risk = "medium") -> str:
        """A shown plan to scale; its token."""
        self.say(who, Route.ACT, act("scale", target, replicas=Quantity("to", replicas)))
        self.prepared(replicas=replicas, risk=risk)
        return self.token


def plan_for(effect: Prepare, *, risk: Risk, replicas: int) -> Plan:
    plan = Plan(
        token=f"token-of-{effect.id}",
        action=effect.action,
        entity=effect.entity,
        uid="uid",
        resource_version="1",
        change=Change(group="apps", version="v1", plural="deployments", name=effect.entity.workload, body={}),
        parameters={"replicas": replicas} if effect.action == "scale" else {},
        before={"replicas": 2} if effect.action == "scale" else {},
        watched={"spec.replicas": 2},
        risk=risk,
        preview=(),
        room=effect.room,
        thread=effect.thread,
        requester=effect.user.key,
        language="en",
        created=NOW,
        expires=NOW + effect.lives_ms,
    )
    return msgspec.structs.replace(plan, digest=digest_of(plan))
