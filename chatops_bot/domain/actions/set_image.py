"""`set_image`: give one container of a workload another image."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from chatops_bot.domain.actions.base import Progress, Question, Undo
from chatops_bot.domain.actions.costs import COSTS
from chatops_bot.domain.actions.images import Image, is_tag, parse, unusable, with_tag
from chatops_bot.domain.actions.owners import APPLICATION
from chatops_bot.domain.actions.risk import risk_of
from chatops_bot.domain.actions.shared import common_warnings, place, refusal, workload_change, workload_permissions
from chatops_bot.domain.actions.templates import made_from_present, rollout_progress, rollout_warnings, watched_template
from chatops_bot.domain.diagnosis.status import Judgement, judge
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import at, flag, items, text
from chatops_bot.domain.observed import Need, Observed, Permission, Raw
from chatops_bot.domain.plans import Draft, Plan, Scalar
from chatops_bot.domain.revisions import images_of, template_of
from chatops_bot.domain.say import Say, say

Part = Literal["containers", "initContainers"]


class _Chosen(msgspec.Struct, frozen=True):
    """The container that gets the image, where it stands, and both references."""

    container: str
    part: Part
    before: str
    after: str


class SetImage:
    """A strategic merge patch of one container. It is by name, and a name that is not there would add a container:
    so it is looked for first, and the whole template is watched. Undone by the image that was there."""

    name = "set_image"
    kinds: frozenset[EntityKind] = frozenset({"Deployment", "StatefulSet", "DaemonSet"})
    needs: frozenset[Need] = COSTS | APPLICATION

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        return workload_permissions(kind)

    def draft(
        self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str
    ) -> Draft | Say | Question:
        entity = observed.entity
        if entity.kind not in self.kinds:
            return say("image.wrong_kind", name=entity.name, kind=entity.kind)
        problem = refusal(observed)
        if problem is not None:
            return problem
        said = str(slots.get("image") or "")
        wrong = unusable(said) if said else say("image.which", name=entity.name)
        if wrong is not None:
            return Question(wrong, ("image",))
        chosen = _chosen(observed, said, str(slots.get("container", "")))
        if isinstance(chosen, Question):
            return chosen
        if chosen.after == chosen.before:
            return say("image.already", name=entity.name, container=chosen.container, image=chosen.after)
        return self._draft(observed, chosen, token)

    def _draft(self, observed: Observed, chosen: _Chosen, token: str) -> Draft:
        judgement = judge(observed, observed.at)
        container = {"name": chosen.container, "image": chosen.after}
        return Draft(
            action=self.name,
            change=workload_change(
                observed.entity, token=token, spec={"template": {"spec": {chosen.part: [container]}}}
            ),
            parameters={"image": chosen.after, "container": chosen.container},
            before={"image": chosen.before, "container": chosen.container},
            watched=self.watched(observed.object),
            risk=risk_of(self.name),
            preview=(
                say(
                    "image.preview",
                    target=observed.entity.target,
                    container=chosen.container,
                    before=chosen.before or "–",
                    after=chosen.after,
                ),
                say("image.unchecked"),
                place(observed.entity),
            ),
            warnings=(*_warnings(observed, judgement, chosen), *common_warnings(observed, judgement)),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        return watched_template(live)

    def holds(self, live: Raw, plan: Plan) -> bool:
        return images_of(template_of(live)).get(str(plan.parameters.get("container"))) == plan.parameters.get("image")

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        stands = self.holds(observed.object, plan)
        if stands and plan.watched.get("spec.paused") and flag(observed.object, "spec", "paused"):
            return Progress(finished=True, failed=False, line=say("progress.image_paused"))
        is_new = made_from_present(observed, plan)
        return rollout_progress(observed, plan, stands=stands, is_new=is_new)

    def undo(self, plan: Plan) -> Undo | None:
        before = parse(str(plan.before.get("image", "")))
        return Undo(self.name, dict(plan.before)) if before is not None and before.exact else None


def _chosen(observed: Observed, said: str, container: str) -> _Chosen | Question:
    template = at(observed.object, "spec", "template")
    present = images_of(template)
    name = _container(observed.entity.name, said, container, template)
    if isinstance(name, Question):
        return name
    inits = {text(row, "name") for row in items(template, "spec", "initContainers")}
    after = with_tag(present[name], said) if is_tag(said) else said
    if not after:
        return Question(say("image.no_base", container=name, image=present[name]), ("image",))
    return _Chosen(name, "initContainers" if name in inits else "containers", present[name], after)


def _container(service: str, said: str, container: str, template: object) -> str | Question:
    """The one that is named, else the only one, else the only one of the same repository; doubt is asked."""
    present = images_of(template)
    main = tuple(text(row, "name") for row in items(template, "spec", "containers"))
    if container:
        if container in present:
            return container
        unknown = say("image.unknown_container", name=service, container=container, containers=", ".join(present))
        return Question(unknown, ("container",), tuple(present))
    wanted = None if is_tag(said) else parse(said)
    same = [name for name in main if wanted is not None and _repository(present[name]) == wanted.repository]
    if len(main) == 1 or len(same) == 1:
        return same[0] if len(same) == 1 else main[0]
    rows = ", ".join(f"{name} ({image})" for name, image in present.items())
    return Question(say("image.which_container", name=service, containers=rows), ("container",), tuple(present))


def _repository(image: str) -> str:
    known = parse(image)
    return known.repository if known is not None else ""


def _warnings(observed: Observed, judgement: Judgement, chosen: _Chosen) -> Iterator[Say]:
    before, after = parse(chosen.before) or Image(""), parse(chosen.after) or Image("")
    if before.registry != after.registry:
        yield say("warn.other_registry", before=before.registry or "–", after=after.registry or "–")
    elif before.repository != after.repository:
        yield say("warn.other_repository", before=before.repository or "–", after=after.repository)
    if after.moves:
        yield say("warn.moving_tag", image=chosen.after)
    elif before.digest and not after.digest:
        yield say("warn.no_digest", image=chosen.after)
    others = images_of(at(observed.object, "spec", "template"))
    beside = [name for name, image in others.items() if name != chosen.container and image == chosen.before]
    if beside:
        yield say("warn.same_image_beside", containers=", ".join(beside), image=chosen.before)
    if flag(observed.object, "spec", "paused"):
        yield say("warn.paused_image")
    yield from rollout_warnings(observed, judgement)
