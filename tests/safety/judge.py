"""The judge: what people were shown and did, and every write that reached the cluster. Knows nothing of the
bot's decisions; a write must be explained by what was on a card and by who pressed or said what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from chatops_bot.adapters.sandbox.journal import RequestRecord
from chatops_bot.domain.cards import Card
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.objects import PLAN_ANNOTATION, RESTARTED_ANNOTATION, SETTLED_ANNOTATION
from tests.safety.cluster import Before, entity_of
from tests.safety.platform import DONE, NOT_DONE, PLAN_TITLES, SWITCHED_ON, Shown
from tests.safety.scene import Rules, Sense

IN_FLIGHT_S: Final = 31.0
"""How long after a change of policy or switch an execution that had begun before may still reach the cluster:
the engine's own limit from start to settling, and a second."""

_SCALE: Final = re.compile(
    r"(?P<kind>\w+)/(?P<name>[\w-]+)(?:: replicas |：副本数 )(?P<before>\d+) → (?P<after>\d+)", re.ASCII
)
_RESTART: Final = re.compile(r"(?P<kind>\w+)/(?P<name>[\w-]+)(?:: rolling restart|：滚动重启)", re.ASCII)
_PLACE: Final = re.compile(r"(?:namespace|命名空间) (?P<namespace>[\w-]+)", re.ASCII)
_ASKED_BY: Final = re.compile(r"^(?:Asked by|提出人): (?P<who>\w+)$", re.MULTILINE)
_HIGH: Final = re.compile(r"HIGH RISK|高风险")


class PlanSeen(msgspec.Struct):
    """A plan as people have seen it on cards."""

    token: str
    room: str
    thread: str
    at: int
    action: str
    kind: str
    workload: str
    namespace: str = ""
    before: int = -1
    after: int = -1
    high: bool = False
    requester: str = ""
    dead: int = 0
    """When, at rest, no card carried it any more; 0: not yet."""
    applied: int = 0
    evidence: set[str] = msgspec.field(default_factory=set)
    told: str = ""


class Act(msgspec.Struct):
    """Something that somebody did: a click on a plan's button, or words."""

    at: int
    event: Message | Click
    sense: Sense = "other"
    named: str = ""
    at_rest: bool = False
    alone: bool = True
    """Whether, when it was said at rest, exactly one plan waited in the thread."""
    thread: str = ""
    taken: str = ""
    acked: int = 0
    spent: dict[str, int] = msgspec.field(default_factory=dict)
    """Plan -> when it was seen, at rest, that from then on this can set nothing going for it."""
    used: str = ""


class Regime(msgspec.Struct, frozen=True):
    """What held from `at` on."""

    at: int
    time: float
    at_rest: bool
    rules: Rules
    read_only: bool


class Violation(AssertionError):
    """One of the README's promises was broken."""


class Judge:
    """`found` collects what was broken."""

    def __init__(self, rules: Rules) -> None:
        self.count = 0
        self.time = 0.0
        self._times = [0.0]
        self.plans: dict[str, PlanSeen] = {}
        self.dry_runs: dict[str, tuple[str, str]] = {}
        self.acts: list[Act] = []
        self.regimes = [Regime(0, 0.0, True, rules, False)]
        self.found: list[str] = []
        self.live: dict[str, dict[str, str]] = {}
        """Token -> message whose newest view carries its button -> which: confirm or approve."""
        self._carried: dict[str, dict[str, str]] = {}
        self.written = 0
        self._lifted = False
        self.switched_on = False
        """Whether a card has said so since the last rest, and nobody asked for the contrary since."""

    def tick(self) -> int:
        """The next moment: everything has an order."""
        self.count += 1
        self._times.append(self.time)
        return self.count

    def broken(self, what: str) -> None:
        self.found.append(what)

    # What is shown.

    def drawn(self, shown: Shown) -> None:
        """A card has a new view."""
        at, card = self.tick(), shown.card
        shown.moments.append(at)
        buttons = () if shown.gone else card.buttons
        tokens = {b.token: b.id for b in buttons if b.id in ("confirm", "approve") and b.token}
        for token in self._carried.get(shown.message, {}).keys() - tokens.keys():
            self.live[token].pop(shown.message, None)
        self._carried[shown.message] = tokens
        for token, button in tokens.items():
            self.live.setdefault(token, {})[shown.message] = button
            self._plan(shown, token, at)
            shown.plan = token
        self._outcome(shown, card)
        if SWITCHED_ON.fullmatch(card.title):
            self.switched_on = not self._lifted

    def _plan(self, shown: Shown, token: str, at: int) -> None:
        text = shown.card.text()
        found = _SCALE.search(text) or _RESTART.search(text)
        if found is None:
            self.broken(f"a card asks for a confirmation and does not say of what: {text!r}")
            return
        scale = found.re is _SCALE
        now = PlanSeen(
            token=token,
            room=shown.room,
            thread=shown.thread,
            at=at,
            action="scale" if scale else "restart",
            kind=found["kind"],
            workload=found["name"],
            before=int(found["before"]) if scale else -1,
            after=int(found["after"]) if scale else -1,
            high=bool(_HIGH.search(shown.card.title)),
        )
        own = any(title.fullmatch(shown.card.title) for title in PLAN_TITLES)
        place = _PLACE.search(text) if own else None
        now.namespace = place["namespace"] if place else ""
        asked_by = _ASKED_BY.search(text)
        now.requester = asked_by["who"] if asked_by else ""
        known = self.plans.setdefault(token, now)
        if known is now:
            return
        same = ("thread", "room", "action", "kind", "workload", "before", "after")
        if any(getattr(known, name) != getattr(now, name) for name in same):
            self.broken(f"plan {token[:6]} is shown as two different things: {known} and {now}")
        if known.namespace and now.namespace and known.namespace != now.namespace:
            self.broken(f"plan {token[:6]} is shown in two namespaces")
        known.namespace = known.namespace or now.namespace
        known.requester = known.requester or now.requester
        known.high = known.high or now.high

    def _outcome(self, shown: Shown, card: Card) -> None:
        plan = self.plans.get(shown.plan)
        if plan is None:
            return
        if DONE.fullmatch(card.title):
            plan.told = "done"
            if not plan.applied:
                self.broken(f"{_short(plan)} is said to be done and was never written")
        elif NOT_DONE.fullmatch(card.title):
            plan.told = "not done"

    # What is done.

    def did(self, act: Act) -> None:
        self.acts.append(act)

    def regime(self, *, rules: Rules | None = None, read_only: bool | None = None, at_rest: bool) -> None:
        """From now on other rules hold, or the switch is set or lifted."""
        if read_only is False:
            self._lifted, self.switched_on = True, False
        last = self.regimes[-1]
        self.regimes.append(
            Regime(
                self.tick(),
                self.time,
                at_rest,
                rules if rules is not None else last.rules,
                read_only if read_only is not None else last.read_only,
            )
        )

    def rest(self) -> None:
        """Nothing but time is awaited: what was not taken by now never will be."""
        at = self.tick()
        for token, plan in self.plans.items():
            if not self.live.get(token):
                plan.dead = plan.dead or at
        approving = {token for token, messages in self.live.items() if "approve" in messages.values()}
        for act in self.acts:
            for token in self.plans.keys() - approving:
                act.spent.setdefault(token, at)
        if self.switched_on:
            self.regime(read_only=True, at_rest=True)
        self._lifted = self.switched_on = False

    # What reached the cluster.

    def wrote(self, record: RequestRecord, before: Before, at: int) -> None:
        """A request of the bot that was to change something, sent `at`; `applied` tells whether it did."""
        if record.user != "chatops-bot" or not record.is_write:
            return
        body = record.body if isinstance(record.body, dict) else {}
        annotations = body.get("metadata", {}).get("annotations") or {}
        where = f"{record.verb} {record.namespace}/{record.resource}/{record.name}"
        if record.verb != "patch" or record.subresource or record.resource not in ("deployments", "statefulsets"):
            self.broken(f"unexpected write: {where}")
        elif record.dry_run:
            metadata = body["metadata"]
            self.dry_runs.setdefault(
                annotations.get(PLAN_ANNOTATION, ""), (f"{record.namespace}/{record.name}", metadata["uid"])
            )
        elif set(annotations) == {SETTLED_ANNOTATION} and set(body) == {"metadata"}:
            self._touched(at, record, annotations[SETTLED_ANNOTATION], where)
        else:
            self._planned(at, record, before, annotations.get(PLAN_ANNOTATION, ""), where)

    def _touched(self, at: int, record: RequestRecord, token: str, where: str) -> None:
        plan = self.plans.get(token)
        if plan is None or plan.workload != record.name:
            self.broken(f"{where} is touched for plan {token[:6]}, which is none of its plans")
        elif not any(self._acts_for(plan, at)):
            self.broken(f"{where} is touched for {_short(plan)}, which nobody confirmed")

    def _planned(self, at: int, record: RequestRecord, before: Before, token: str, where: str) -> None:
        plan = self.plans.get(token)
        if plan is None:
            self.broken(f"{where} for plan {token[:6]!r} that no card has shown")
            return
        for problem in (*self._wrong_change(plan, record), *self._wrong_time(plan, at)):
            self.broken(f"{where}, {_short(plan)}: {problem}")
        if not record.applied:
            return
        self.written += 1
        plan.applied += 1
        if plan.applied > 1:
            self.broken(f"{where}: {_short(plan)} was written {plan.applied} times")
        if record.body["metadata"].get("uid") != before.uid:
            self.broken(f"{where}: {_short(plan)} changed another object than it named")
        if plan.action == "scale" and before.replicas != plan.before:
            self.broken(f"{where}: {_short(plan)} was written although there were {before.replicas} replicas")

    def _wrong_change(self, plan: PlanSeen, record: RequestRecord) -> Iterator[str]:
        """What differs from what the card showed."""
        body, metadata = record.body, record.body.get("metadata", {})
        if (plan.kind + "s", plan.workload) != (record.resource, record.name):
            yield "another workload than shown"
        if plan.namespace and plan.namespace != record.namespace:
            yield "another namespace than shown"
        if entity_of(record.namespace, record.name) is None:
            yield "a workload that is no service"
        if not metadata.get("uid") or not metadata.get("resourceVersion"):
            yield "without uid or resourceVersion"
        target, uid = self.dry_runs.get(plan.token, ("", ""))
        if target and (target, uid) != (f"{record.namespace}/{record.name}", metadata.get("uid")):
            yield "another object than the plan was made on"
        spec = body.get("spec", {})
        wanted = {"replicas": plan.after}
        restarts = set(spec.get("template", {}).get("metadata", {}).get("annotations", {})) == {RESTARTED_ANNOTATION}
        if plan.action == "scale" and spec != wanted:
            yield f"{spec} instead of {wanted}"
        if plan.action == "restart" and (set(spec) != {"template"} or not restarts):
            yield f"{spec} instead of a restart"

    def _wrong_time(self, plan: PlanSeen, at: int) -> Iterator[str]:
        """Why nothing that anybody did allows this write, if so."""
        acts = list(self._acts_for(plan, at))
        if not acts:
            why = "after it was over" if plan.dead else "nobody confirmed it"
            yield f"{why} (shown at {plan.at}, over at {plan.dead}, now {at})"
            return
        plan.evidence |= {act.event.user.key for act in acts}
        reasons: set[str] = set()
        for act in acts:
            problem = self._forbidden(plan, act, at)
            if not problem:
                if isinstance(act.event, Message):
                    act.used = plan.token
                return
            reasons.add(problem)
        yield f"{' / '.join(sorted(reasons))} ({[act.event.user.key for act in acts]})"

    def _acts_for(self, plan: PlanSeen, at: int) -> Iterator[Act]:
        """Clicks and words that can have confirmed this plan by now."""
        for act in self.acts:
            early = act.at > at or act.at < plan.at
            if early or (plan.dead and act.at > plan.dead) or act.spent.get(plan.token, at) < at:
                continue
            if isinstance(act.event, Click):
                if self._is_click(plan, act.event, "confirm"):
                    yield act
            elif self._are_words(plan, act):
                yield act

    def _is_click(self, plan: PlanSeen, click: Click, button: str) -> bool:
        return (click.button, click.token, click.thread, click.room.channel) == (
            button, plan.token, plan.thread, plan.room,
        )  # fmt: skip

    def _are_words(self, plan: PlanSeen, act: Act) -> bool:
        message = act.event
        if not isinstance(message, Message) or act.sense != "yes" or message.room.channel != plan.room:
            return False
        if act.used not in ("", plan.token) or (act.at_rest and not act.alone):
            return False
        service = next((e.name for e in [entity_of(plan.namespace, plan.workload)] if e), plan.workload)
        if (act.named and act.named != service) or (plan.high and not act.named):
            return False
        if act.thread and act.thread != plan.thread:
            return False
        if message.addressed:
            return True
        return bool(message.answers) and not self._others(plan, act)

    def _others(self, plan: PlanSeen, act: Act) -> bool:
        """Whether somebody else has surely written in the thread between the plan and these words."""
        return any(
            isinstance(other.event, Message)
            and other.thread == plan.thread
            and other.taken == "stored"
            and plan.at < other.at
            and 0 < other.acked < act.at
            and other.event.user.key != act.event.user.key
            for other in self.acts
        )

    def _forbidden(self, plan: PlanSeen, act: Act, at: int) -> str:
        """Why the rules forbid this write on this confirmation, by every regime that may still count."""
        problem = ""
        for regime in self._regimes(act, at):
            problem = self._by(regime, plan, act, at)
            if not problem:
                return ""
        return problem

    def _regimes(self, act: Act, at: int) -> Iterator[Regime]:
        """The one in force, and those before it, as long as an execution begun under them can be under way."""
        time = self._times[at]
        for regime in reversed(self.regimes):
            if regime.at > at:
                continue
            yield regime
            if regime.at_rest or act.at > regime.at or time - regime.time > IN_FLIGHT_S:
                return

    def _by(self, regime: Regime, plan: PlanSeen, act: Act, at: int) -> str:
        if regime.read_only:
            return "written while read-only"
        rules, user = regime.rules, act.event.user.key
        entity = entity_of(plan.namespace, plan.workload)
        service = entity.name if entity else plan.workload
        if not rules.may("confirm", user, service):
            return f"{user} may not confirm under {rules.name!r}"
        if rules.most is not None and plan.after > rules.most:
            return f"more than {rules.most} replicas"
        approvers = self._approvers(rules, plan, act, service, at)
        if len(approvers) < rules.approvals:
            return f"approved by {sorted(approvers)}, under {rules.name!r}"
        return ""

    def _approvers(self, rules: Rules, plan: PlanSeen, act: Act, service: str, at: int) -> set[str]:
        found = {
            other.event.user.key
            for other in self.acts
            if isinstance(other.event, Click)
            and act.at < other.at <= at
            and self._is_click(plan, other.event, "approve")
            and rules.may("approve", other.event.user.key, service)
        }
        return found if rules.self_approve else found - {act.event.user.key, plan.requester}


def _short(plan: PlanSeen) -> str:
    change = f" {plan.before} to {plan.after}" if plan.action == "scale" else ""
    return f"plan {plan.token[:6]} ({plan.action} {plan.namespace}/{plan.workload}{change})"
