"""`cordon` and `uncordon`: keep new pods off a node, and let them on it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from chatops_bot.domain.actions.base import Progress, Question, Undo
from chatops_bot.domain.actions.node_changes import (
    by_whom,
    is_last,
    is_ours,
    node_change,
    node_permissions,
    others_left,
    others_warnings,
    person_in,
    refused_for,
    surroundings,
)
from chatops_bot.domain.actions.risk import Consequence, risk_of
from chatops_bot.domain.actions.shared import ended_early, place
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.nodes import CORDONED_ANNOTATION, cordon_of, is_up, note_of
from chatops_bot.domain.nodes import Cordon as Cordoned
from chatops_bot.domain.objects import annotation, flag, uid_of
from chatops_bot.domain.observed import Need, Observed, Permission, Raw
from chatops_bot.domain.plans import Draft, Plan, Scalar
from chatops_bot.domain.say import Say, say


class Cordon:
    """Leaves on the node who asked for it. Undone by `uncordon`, as long as it is still this cordon."""

    name = "cordon"
    kinds: frozenset[EntityKind] = frozenset({"Node"})
    needs: frozenset[Need] = frozenset()

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        return node_permissions()

    def draft(
        self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str
    ) -> Draft | Say | Question:
        entity, node = observed.entity, observed.object
        problem = refused_for(observed, self.kinds)
        if problem is not None:
            return problem
        cordon = cordon_of(node)
        if cordon is not None:
            return _already(observed, cordon)
        return Draft(
            action=self.name,
            change=node_change(entity, token=token, unschedulable=True, notes=note(token, slots)),
            parameters={},
            before={},
            watched=self.watched(node),
            risk=risk_of(self.name, ("last_node",) if is_last(observed) else ()),
            preview=(
                say("cordon.preview", target=entity.target),
                say("cordon.means", count=len(observed.pods)),
                *others_left(observed),
                place(entity),
            ),
            warnings=(*others_warnings(observed), *surroundings(observed)),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        return {"metadata.uid": uid_of(live), "spec.unschedulable": flag(live, "spec", "unschedulable")}

    def holds(self, live: Raw, plan: Plan) -> bool:
        # Not by the field alone: cordoned anew by somebody else it is theirs, and not for an undo to take away.
        return is_ours(live, plan)

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        ended = ended_early(observed, plan)
        if ended is not None:
            return ended
        if cordon_of(observed.object) is None:
            return Progress(finished=True, failed=True, line=say("progress.cordon_superseded"))
        return Progress(finished=True, failed=False, line=say("progress.cordoned", count=len(observed.pods)))

    def undo(self, plan: Plan) -> Undo | None:
        return Undo("uncordon", {})


class Uncordon:
    """Takes the bot's note away with the cordon. Somebody else's cordon is told loudly, and is high risk."""

    name = "uncordon"
    kinds: frozenset[EntityKind] = frozenset({"Node"})
    needs: frozenset[Need] = frozenset()

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        return node_permissions()

    def draft(
        self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str
    ) -> Draft | Say | Question:
        entity, node = observed.entity, observed.object
        problem = refused_for(observed, self.kinds)
        if problem is not None:
            return problem
        cordon = cordon_of(node)
        if cordon is None:
            return say("uncordon.not_cordoned", name=entity.name)
        consequences: tuple[Consequence, ...] = () if cordon.token else ("foreign_cordon",)
        whose = "warn.cordoned_by_person" if cordon.token else "warn.cordoned_by_other"
        return Draft(
            action=self.name,
            change=node_change(entity, token=token, unschedulable=None, notes={CORDONED_ANNOTATION: None}),
            parameters={},
            before={},
            watched=self.watched(node),
            risk=risk_of(self.name, consequences),
            preview=(
                say("uncordon.preview", target=entity.target),
                say("uncordon.stays"),
                place(entity),
            ),
            warnings=(
                say(whose, **by_whom(cordon, observed.at)),
                *_down(node),
                *surroundings(observed),
            ),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        """With whose cordon it is: what was confirmed was to lift that one."""
        cordon = cordon_of(live)
        return {
            "metadata.uid": uid_of(live),
            "spec.unschedulable": cordon is not None,
            CORDONED_ANNOTATION: annotation(live, CORDONED_ANNOTATION) if cordon and cordon.token else None,
        }

    def holds(self, live: Raw, plan: Plan) -> bool:
        return cordon_of(live) is None

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        ended = ended_early(observed, plan)
        if ended is not None:
            return ended
        cordon = cordon_of(observed.object)
        if cordon is not None:
            by = by_whom(cordon, observed.at)["by"]
            return Progress(finished=True, failed=True, line=say("progress.uncordon_superseded", by=by))
        return Progress(finished=True, failed=False, line=say("progress.uncordoned"))

    def undo(self, plan: Plan) -> Undo | None:
        return Undo("cordon", {})


def note(token: str, slots: Mapping[str, SlotValue], *, drains: bool = False) -> Mapping[str, str]:
    """The annotation that says whose cordon it is, and whether it was for a drain."""
    return {CORDONED_ANNOTATION: note_of(token, person_in(slots), drains=drains)}


def _already(observed: Observed, cordon: Cordoned) -> Say:
    name = observed.entity.name
    if not cordon.by:
        return say("cordon.already", name=name)
    return say("cordon.already_by", name=name, **by_whom(cordon, observed.at))


def _down(node: Raw) -> Iterator[Say]:
    if not is_up(node):
        yield say("warn.node_down")
