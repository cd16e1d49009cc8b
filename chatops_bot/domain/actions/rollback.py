"""`rollback`: give a workload back a pod template that it had before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from chatops_bot.domain.actions.base import Due, Progress, Question, Remaining, Undo
from chatops_bot.domain.actions.costs import COSTS
from chatops_bot.domain.actions.evictions import eviction_of
from chatops_bot.domain.actions.owners import APPLICATION
from chatops_bot.domain.actions.revisions import chosen
from chatops_bot.domain.actions.risk import risk_of
from chatops_bot.domain.actions.shared import (
    common_warnings,
    ended_early,
    place,
    refusal,
    workload_change,
    workload_permissions,
)
from chatops_bot.domain.actions.templates import (
    REVISION_LABEL,
    made_from_present,
    rollout_progress,
    rollout_warnings,
    trouble_of,
    watched_template,
)
from chatops_bot.domain.diagnosis.pods import is_deleting, is_ready
from chatops_bot.domain.diagnosis.status import Judgement, judge
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import annotation, at, flag, label, listed, mapping, name_of, span, text, uid_of
from chatops_bot.domain.observed import Need, Observed, Permission, Raw
from chatops_bot.domain.plans import Change, Draft, Plan, Scalar
from chatops_bot.domain.revisions import (
    CAUSE_ANNOTATION,
    History,
    Revision,
    bare,
    history_of,
    image_changes,
    other_changes,
    template_of,
)
from chatops_bot.domain.rollout import observed_by_controller
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.texts import render

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class Rollback:
    """Replaces the template alone. `kubectl rollout undo` replaces the Deployment's annotations as well and thereby
    takes back what others have set since; here only the change cause is written, which would else tell a lie.

    A StatefulSet that goes in order waits for a pod that is not ready, and never replaces it by one of the template
    that is back (kubernetes#67250): deleting such pods is part of the plan, behind the patch.

    Undone by the template that was there, found again by the name of its ReplicaSet or ControllerRevision.
    """

    name = "rollback"
    kinds: frozenset[EntityKind] = frozenset({"Deployment", "StatefulSet", "DaemonSet"})
    needs: frozenset[Need] = COSTS | APPLICATION | {"history"}

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        past = "replicasets" if kind == "Deployment" else "controllerrevisions"
        second = (Permission("", "pods", "delete"),) if kind == "StatefulSet" else ()
        return (*workload_permissions(kind), Permission(group="apps", resource=past, verb="list"), *second)

    def draft(
        self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str
    ) -> Draft | Say | Question:
        entity = observed.entity
        if entity.kind not in self.kinds:
            return say("rollback.wrong_kind", name=entity.name, kind=entity.kind)
        history = history_of(observed)
        problem = refusal(observed) or _impossible(observed, history)
        if problem is not None:
            return problem
        wanted = chosen(entity.name, history, slots.get("revision"))
        if isinstance(wanted, Question):
            return wanted
        if wanted is history.present:
            return say("rollback.already", name=entity.name, number=wanted.number)
        return self._draft(observed, history, wanted, token)

    def _draft(self, observed: Observed, history: History, wanted: Revision, token: str) -> Draft:
        judgement = judge(observed, observed.at)
        present = history.present
        held = tuple(pod for pod in _held_up(observed) if label(pod, REVISION_LABEL) != wanted.name)
        before: dict[str, SlotValue] = {} if present is None else {"revision": present.number, "name": present.name}
        return Draft(
            action=self.name,
            change=workload_change(
                observed.entity,
                token=token,
                spec={"template": {**wanted.template, "$patch": "replace"}},
                annotations={CAUSE_ANNOTATION: render(say("rollback.cause", number=wanted.number), "en")},
            ),
            parameters={"revision": wanted.number},
            before=before,
            watched=self.watched(observed.object),
            risk=risk_of(self.name),
            preview=(*_preview(observed, present, wanted), *_second_line(held), place(observed.entity)),
            steps=tuple(_deletion_of(pod, observed) for pod in held),
            warnings=(*_warnings(observed, judgement, wanted), *common_warnings(observed, judgement)),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        return watched_template(live)

    def holds(self, live: Raw, plan: Plan) -> bool:
        return template_of(live) == bare(mapping(plan.change.body, "spec", "template"))

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        is_new = made_from_present(observed, plan)
        made = rollout_progress(observed, plan, stands=self.holds(observed.object, plan), is_new=is_new)
        if made.finished or not observed_by_controller(observed.object):
            return made
        held = tuple(pod for pod in _held_up(observed) if not is_new(pod))
        if not held:
            return made
        stuck = trouble_of(observed, held) is not None
        return Progress(finished=stuck, failed=stuck, line=_second_step("progress.second_step", observed, held))

    def remaining(self, observed: Observed, plan: Plan) -> Remaining:
        there = {uid_of(pod): pod for pod in observed.pods}
        # One that has become ready is left to its set, which replaces it in its turn.
        left = [there[step.uid] for step in plan.steps if step.uid in there and not is_ready(there[step.uid])]
        unread = observed.why_unread("pods") is not None
        names = [step.name for step in plan.steps] if unread else [name_of(pod) for pod in left]
        ended = ended_early(observed, plan)
        stopped = None if ended is None else ended.line
        if stopped is None and not self.holds(observed.object, plan):
            stopped = say("progress.rollback_superseded")
        # Before its controller has seen the template, a new pod would again be one of the bad revision.
        ready = observed_by_controller(observed.object)
        due = [pod for pod in left if ready and not is_deleting(pod)]
        return Remaining(
            line=say("progress.second_deleting", done=len(plan.steps) - len(names), wanted=len(plan.steps)),
            left=tuple(names),
            due=tuple(Due(_deletion_of(pod, observed), text(pod, "metadata", "resourceVersion")) for pod in due),
            stopped=stopped,
        )

    def undo(self, plan: Plan) -> Undo | None:
        name = plan.before.get("name")
        return Undo(self.name, {"revision": name}) if isinstance(name, str) else None


def _impossible(observed: Observed, history: History) -> Say | None:
    name = observed.entity.name
    if flag(observed.object, "spec", "paused"):
        return say("rollback.paused", name=name)
    past = "replica_sets" if observed.entity.kind == "Deployment" else "revisions"
    why = observed.why_unread(past)
    if why is not None:
        return say("rollback.unread", name=name, why=why)
    if not observed_by_controller(observed.object):
        return say("rollback.unobserved", name=name)
    if not history.others:
        return say("rollback.no_history", name=name)
    return None


def _preview(observed: Observed, present: Revision | None, wanted: Revision) -> Iterator[Say]:
    before = str(present.number) if present is not None else "?"
    yield say("rollback.preview", target=observed.entity.target, before=before, after=wanted.number)
    ago = span(observed.at - wanted.made) if wanted.made else "?"
    if wanted.cause:
        yield say("rollback.made_cause", number=wanted.number, ago=ago, cause=wanted.cause[:120])
    else:
        yield say("rollback.made", number=wanted.number, ago=ago)
    now = at(observed.object, "spec", "template")
    for container, old, new in image_changes(now, wanted.template):
        yield say("template.image", container=container, before=old or "–", after=new or "–")
    others = other_changes(now, wanted.template)
    if others:
        yield say("template.others", changed=listed(others, most=8))
    yield say("rollback.stays")


def _warnings(observed: Observed, judgement: Judgement, wanted: Revision) -> Iterator[Say]:
    if not image_changes(at(observed.object, "spec", "template"), wanted.template):
        yield say("warn.same_images", number=wanted.number)
    yield from rollout_warnings(observed, judgement, wanted.template)
    if annotation(observed.object, _LAST_APPLIED):
        yield say("warn.last_applied")


def _held_up(observed: Observed) -> tuple[Raw, ...]:
    """Pods of a StatefulSet that no new template mends: in order, a pod that is not ready is waited for, never
    replaced (kubernetes#67250)."""
    workload = observed.object
    if observed.entity.kind != "StatefulSet" or text(workload, "spec", "podManagementPolicy") == "Parallel":
        return ()
    return tuple(pod for pod in observed.pods if not is_ready(pod) and not text(pod, "metadata", "deletionTimestamp"))


def _second_line(held: tuple[Raw, ...]) -> Iterator[Say]:
    if held:
        yield say("rollback.second", count=len(held), pods=listed(map(name_of, held), most=10))


def _deletion_of(pod: Raw, observed: Observed) -> Change:
    return msgspec.structs.replace(eviction_of(pod), verb="delete", namespace=observed.entity.namespace)


def _second_step(key: str, observed: Observed, pods: tuple[Raw, ...]) -> Say:
    names = [name_of(pod) for pod in pods]
    return say(key, pods=" ".join(names), namespace=observed.entity.namespace)
