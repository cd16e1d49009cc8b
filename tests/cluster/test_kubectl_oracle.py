"""Every action of the bot against kubectl: the same change to twins leaves twins behind, and what kubectl refuses
the bot refuses too.

A further action of the registry needs a row in `ROWS` for each of its kinds, with kubectl's words for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from chatops_bot.domain.actions.owners import FIELD_MANAGER
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import instant, restarted_at
from tests.cluster.api import Api
from tests.cluster.bot_side import BotSide
from tests.cluster.controlplane import ControlPlane
from tests.cluster.kubectl import Kubectl
from tests.cluster.twins import CAUSE, Json, Twins, Workload, manifest, owned

pytestmark = pytest.mark.kubectl

TOO_SOON = "restart has already been triggered within the past second"


@dataclass(frozen=True)
class Step:
    """One change in the bot's words and in kubectl's; TARGET stands for the workload."""

    command: str
    slots: Mapping[str, SlotValue] = field(default_factory=dict)

    def words(self, pair: Twins) -> list[str]:
        return self.command.replace("TARGET", pair.theirs.target).split()


@dataclass(frozen=True)
class Row:
    """A workload and what is done to it, one step after another. `spec` is what it is made with, `then` what is
    changed of it before the first step; `autoscaler`: one is there as well; `warning`: key of what the bot warns of."""

    name: str
    action: str
    kind: EntityKind
    steps: tuple[Step, ...]
    spec: Mapping[str, Any] = field(default_factory=dict)
    then: Mapping[str, Any] = field(default_factory=dict)
    autoscaler: bool = False
    warning: str = ""


def to(replicas: int) -> Step:
    return Step(f"scale TARGET --replicas={replicas}", {"replicas": replicas})


def back_to(revision: int) -> Step:
    return Step(f"rollout undo TARGET --to-revision={revision}", {"revision": revision})


def image(name: str, container: str = "main") -> Step:
    return Step(f"set image TARGET {container}={name}", {"image": name, "container": container})


AGAIN = Step("rollout restart TARGET")
BACK = Step("rollout undo TARGET")
OTHER = "registry.test/plain:2"
SECOND = {"template": {"spec": {"containers": [{"name": "main", "image": "registry.test/plain:2"}]}}}

RECREATE = {"strategy": {"type": "Recreate"}}
PARTITION = {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 2}}}
ON_DELETE = {"updateStrategy": {"type": "OnDelete"}}

ROWS = (
    Row("scale-up", "scale", "Deployment", (to(5),)),
    Row("scale-down", "scale", "Deployment", (to(1),)),
    Row("scale-to-zero-and-back", "scale", "Deployment", (to(0), to(2))),
    Row("scale-paused", "scale", "Deployment", (to(4),), then={"paused": True}, warning="warn.paused_scale"),
    Row("scale-under-autoscaler", "scale", "Deployment", (to(4),), autoscaler=True, warning="warn.autoscaler"),
    Row("scale-min-ready", "scale", "Deployment", (to(4),), {"minReadySeconds": 1}),
    Row("scale-stateful-up", "scale", "StatefulSet", (to(4),)),
    Row("scale-stateful-down", "scale", "StatefulSet", (to(1),)),
    Row("scale-stateful-to-zero-and-back", "scale", "StatefulSet", (to(0), to(2))),
    Row("restart", "restart", "Deployment", (AGAIN,)),
    Row("restart-twice", "restart", "Deployment", (AGAIN, AGAIN)),
    Row("restart-recreate", "restart", "Deployment", (AGAIN,), RECREATE, warning="warn.recreate"),
    Row("restart-min-ready", "restart", "Deployment", (AGAIN,), {"minReadySeconds": 1, "replicas": 2}),
    Row(
        "restart-under-autoscaler",
        "restart",
        "Deployment",
        (AGAIN,),
        autoscaler=True,
        warning="warn.autoscaler_restart",
    ),
    Row("restart-stateful", "restart", "StatefulSet", (AGAIN, AGAIN)),
    Row("restart-stateful-partition", "restart", "StatefulSet", (AGAIN,), PARTITION, warning="warn.partition"),
    Row("restart-stateful-on-delete", "restart", "StatefulSet", (AGAIN,), ON_DELETE, warning="warn.on_delete"),
    Row("restart-daemon", "restart", "DaemonSet", (AGAIN, AGAIN)),
    Row("restart-daemon-on-delete", "restart", "DaemonSet", (AGAIN,), ON_DELETE, warning="warn.on_delete"),
    Row("rollback", "rollback", "Deployment", (BACK, back_to(2)), then=SECOND),
    Row("rollback-recreate", "rollback", "Deployment", (back_to(1),), RECREATE, then=SECOND, warning="warn.recreate"),
    Row("rollback-of-none", "rollback", "Deployment", (BACK,), {"replicas": 0}, then=SECOND),
    Row("rollback-stateful", "rollback", "StatefulSet", (BACK, back_to(2)), then=SECOND),
    Row(
        "rollback-stateful-partition",
        "rollback",
        "StatefulSet",
        (BACK,),
        PARTITION,
        then=SECOND,
        warning="warn.partition",
    ),
    Row("pause", "pause", "Deployment", (Step("rollout pause TARGET"),)),
    Row("resume", "resume", "Deployment", (Step("rollout resume TARGET"),), then={"paused": True}),
    Row(
        "resume-what-piled-up",
        "resume",
        "Deployment",
        (Step("rollout resume TARGET"),),
        then={**SECOND, "paused": True},
    ),
    Row("image", "set_image", "Deployment", (image(OTHER), image("registry.test/plain:1"))),
    Row("image-paused", "set_image", "Deployment", (image(OTHER),), then={"paused": True}, warning="warn.paused_image"),
    Row("image-recreate", "set_image", "Deployment", (image(OTHER),), RECREATE, warning="warn.recreate"),
    Row(
        "image-elsewhere", "set_image", "StatefulSet", (image("elsewhere.test/plain:1"),), warning="warn.other_registry"
    ),
    Row("image-daemon", "set_image", "DaemonSet", (image(OTHER),)),
    Row("rollback-daemon", "rollback", "DaemonSet", (BACK, back_to(2)), then=SECOND),
)


def kinds_of(action: str) -> list[EntityKind]:
    """Workloads of Kubernetes itself that it works on."""
    return sorted(ACTIONS[action].kinds - {"Node", "Rollout"})


def test_every_action_has_a_row_for_each_of_its_kinds() -> None:
    """The autoscaler's is below: what it writes is no workload. Nodes are in `test_node_actions`, pods in
    `test_single_pods`, Rollouts in `test_argo_rollouts`."""
    there = {(name, kind) for name in ACTIONS for kind in kinds_of(name)}
    elsewhere = {(name, kind) for name in ("set_autoscaler", "delete_pod") for kind in kinds_of(name)}
    assert there == {(row.action, row.kind) for row in ROWS} | elsewhere


MakeTwins = Callable[[EntityKind, str], Twins]


@pytest.fixture
def twins(
    admin: Api, bot: BotSide, namespaces: tuple[str, str], kubectl_in: Callable[[str], Kubectl]
) -> Iterator[MakeTwins]:
    """They go when the test is over: the nodes have no room for the pods of all tests."""
    ours, theirs = namespaces
    made: list[Workload] = []

    def make(kind: EntityKind, name: str) -> Twins:
        pair = Twins(Workload(admin, ours, kind, name), Workload(admin, theirs, kind, name), kubectl_in(theirs), bot)
        made.extend((pair.ours, pair.theirs))
        return pair

    yield make
    for workload in made:
        admin.delete(workload.path)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
async def test_the_bot_leaves_behind_what_kubectl_does(
    row: Row, twins: MakeTwins, admin: Api, namespaces: tuple[str, str], bot: BotSide, controlplane: ControlPlane
) -> None:
    pair = twins(row.kind, row.name)
    if row.autoscaler:
        for namespace in namespaces:
            admin.make(f"/apis/autoscaling/v2/namespaces/{namespace}/horizontalpodautoscalers", autoscaler(row))
    pair.make(manifest(row.kind, row.name, **row.spec))
    if row.then:
        pair.patch({"spec": row.then})
    assert pair.differences() == []
    warned: set[str] = set()
    zeroed = False
    plan = None
    for step in row.steps:
        await kubectl_does(pair, step)
        # A stamp is the present second: here the bot's is to be kubectl's.
        bot.clock.fixed = instant(restarted_at(pair.theirs.read())) / 1000 or None
        plan = await bot.change(pair.ours.entity, row.action, step.slots)
        warned = {warning.key for warning in plan.warnings}
        pair.settle()
        assert pair.differences() == []
        zeroed = zeroed or step.slots.get("replicas") == 0
        same_owner(pair, zeroed=zeroed, takes_away=row.action == "resume")
    assert row.warning in {*warned, ""}
    written = [
        write
        for write in controlplane.writes(namespace=namespaces[0])
        if write["userAgent"] == FIELD_MANAGER and write["objectRef"]["name"] == row.name
    ]
    assert len(written) == len(row.steps)
    assert plan is not None
    progress = await bot.follow(plan)
    assert progress is not None
    assert (progress.finished, progress.failed) == (True, False), progress


async def kubectl_does(pair: Twins, step: Step) -> None:
    """As said; a second restart within a second, which kubectl refuses, a moment later."""
    said = await pair.kubectl.try_to(*step.words(pair))
    while TOO_SOON in said.err:
        said = await pair.kubectl.try_to(*step.words(pair))
    assert said.code == 0, said.err


def same_owner(pair: Twins, *, zeroed: bool, takes_away: bool) -> None:
    """The fields that kubectl is recorded as the owner of are the bot's on the other twin.

    Nobody is recorded for a zero that comes by the scale subresource, which is kubectl's way, nor for any number
    that comes so afterwards, nor where a field is only taken away.
    """
    ours, theirs = owned(pair.ours.read(), FIELD_MANAGER), owned(pair.theirs.read(), "kubectl")
    if zeroed:
        assert theirs == []
        assert ours == [{"f:spec": {"f:replicas": {}}}]
    else:
        assert ours == theirs
        assert bool(ours) != takes_away


def autoscaler(row: Row | Workload) -> Json:
    target = {"apiVersion": "apps/v1", "kind": row.kind, "name": row.name}
    cpu = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}
    spec = {
        "scaleTargetRef": target,
        "minReplicas": 2,
        "maxReplicas": 5,
        "metrics": [{"type": "Resource", "resource": cpu}],
    }
    return {"metadata": {"name": row.name}, "spec": spec}


@dataclass(frozen=True)
class Refusal:
    """What kubectl will not do, in its words, and how the bot says no. `absent`: there is no such workload. `rolled`
    and `then` are changed of it before, one after the other."""

    name: str
    action: str
    kind: EntityKind
    step: Step
    words: str
    key: str
    rolled: Mapping[str, Any] = field(default_factory=dict)
    then: Mapping[str, Any] = field(default_factory=dict)
    absent: bool = False


REFUSALS = (
    Refusal(
        "restart-of-paused", "restart", "Deployment", AGAIN, "can't restart paused deployment", "restart.paused",
        then={"paused": True},
    ),
    Refusal("scale-below-zero", "scale", "Deployment", to(-1), "must be greater than or equal to 0", "scale.negative"),
    Refusal("scale-stateful-below-zero", "scale", "StatefulSet", to(-1), "greater than or equal to 0", "scale.negative"),
    Refusal("scale-beyond-32-bits", "scale", "Deployment", to(2**31), "", "scale.too_large"),
    Refusal("scale-daemon", "scale", "DaemonSet", to(2), "could not find the requested resource", "scale.wrong_kind"),
    Refusal("scale-absent", "scale", "Deployment", to(2), "not found", "answer.gone", absent=True),
    Refusal(
        "rollback-of-paused", "rollback", "Deployment", BACK, "cannot rollback a paused deployment", "rollback.paused",
        rolled=SECOND, then={"paused": True},
    ),
    Refusal("rollback-without-history", "rollback", "Deployment", BACK, "no rollout history", "rollback.no_history"),
    Refusal("rollback-stateful-without-history", "rollback", "StatefulSet", BACK, "no last revision", "rollback.no_history"),
    Refusal(
        "rollback-to-nowhere", "rollback", "Deployment", back_to(9), "unable to find specified revision 9",
        "rollback.unknown_revision", then=SECOND,
    ),
    Refusal(
        "rollback-daemon-to-nowhere", "rollback", "DaemonSet", back_to(9), "unable to find specified revision 9",
        "rollback.unknown_revision", then=SECOND,
    ),
    Refusal(
        "image-of-no-container", "set_image", "Deployment", image(OTHER, "sidecar"), "unable to find container",
        "image.unknown_container",
    ),
    Refusal(
        "pause-of-paused", "pause", "Deployment", Step("rollout pause TARGET"), "already paused", "pause.already",
        then={"paused": True},
    ),
    Refusal(
        "resume-of-none", "resume", "Deployment", Step("rollout resume TARGET"), "is not paused", "resume.not_paused",
    ),
    Refusal(
        "pause-stateful", "pause", "StatefulSet", Step("rollout pause TARGET"), "pausing is not supported",
        "pause.wrong_kind",
    ),
    Refusal(
        "resume-daemon", "resume", "DaemonSet", Step("rollout resume TARGET"), "resuming is not supported",
        "pause.wrong_kind",
    ),
    Refusal("image-absent", "set_image", "Deployment", image(OTHER), "not found", "answer.gone", absent=True),
    Refusal("restart-absent", "restart", "DaemonSet", AGAIN, "not found", "answer.gone", absent=True),
)  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: case.name)
async def test_the_bot_refuses_what_kubectl_refuses(case: Refusal, twins: MakeTwins) -> None:
    pair = twins(case.kind, case.name)
    if not case.absent:
        pair.make(manifest(case.kind, case.name))
    for spec in (case.rolled, case.then):
        if spec:
            pair.patch({"spec": spec})
    before = pair.specs()
    said = await pair.kubectl.try_to(*case.step.words(pair))
    assert said.code != 0
    assert case.words in said.err
    prepared = await pair.bot.prepare(pair.ours.entity, case.action, case.step.slots)
    assert prepared.plan is None
    assert prepared.problem is not None
    assert prepared.problem.key == case.key
    assert pair.specs() == before


@pytest.mark.parametrize("kind", kinds_of("restart"))
async def test_a_second_restart_in_the_same_second_is_refused_by_both(kind: EntityKind, twins: MakeTwins) -> None:
    pair = twins(kind, f"too-soon-{kind.lower()}")
    pair.make(manifest(kind, pair.ours.name))
    said = await pair.kubectl.try_to(*AGAIN.words(pair))
    while said.code == 0:  # the second may just have ended
        said = await pair.kubectl.try_to(*AGAIN.words(pair))
    assert TOO_SOON in said.err
    pair.bot.clock.fixed = instant(restarted_at(pair.theirs.read())) / 1000
    await pair.bot.change(pair.ours.entity, "restart")
    prepared = await pair.bot.prepare(pair.ours.entity, "restart")
    assert prepared.problem is not None
    assert prepared.problem.key == "restart.just_now"
    pair.bot.clock.fixed += 1
    await pair.bot.change(pair.ours.entity, "restart")


@pytest.mark.parametrize(
    ("action", "step", "spec", "key"),
    [
        ("restart", AGAIN, {"replicas": 0}, "restart.no_pods"),
        ("scale", to(3), {}, "scale.already"),
        ("rollback", back_to(1), {}, "rollback.no_history"),
        ("set_image", image("registry.test/plain:1"), {}, "image.already"),
    ],
)
async def test_what_kubectl_does_to_no_effect_the_bot_says_instead(
    action: str, step: Step, spec: Mapping[str, Any], key: str, twins: MakeTwins
) -> None:
    pair = twins("Deployment", f"in-vain-{action.replace('_', '-')}")
    pair.make(manifest("Deployment", pair.ours.name, **spec))
    pods = [pod["metadata"]["uid"] for pod in pair.theirs.pods()]
    await pair.kubectl.run(*step.words(pair))
    pair.settle()
    assert [pod["metadata"]["uid"] for pod in pair.theirs.pods()] == pods
    prepared = await pair.bot.prepare(pair.ours.entity, action, step.slots)
    assert prepared.problem is not None
    assert prepared.problem.key == key


async def test_a_rollback_leaves_the_annotations_that_kubectl_takes_back(twins: MakeTwins) -> None:
    pair = twins("Deployment", "noted")
    pair.make(manifest("Deployment", pair.ours.name))
    pair.patch({"spec": SECOND})
    pair.patch({"metadata": {"annotations": {"team": "pay", CAUSE: "release 2"}}})
    await kubectl_does(pair, BACK)
    await pair.bot.change(pair.ours.entity, "rollback")
    pair.settle()
    ours, theirs = (twin.read()["metadata"]["annotations"] for twin in (pair.ours, pair.theirs))
    assert (ours["team"], ours[CAUSE]) == ("pay", "rolled back to revision 1 by chatops-bot")
    assert not {"team", CAUSE} & theirs.keys()


async def test_a_rollback_is_taken_back_by_the_name_of_what_was_there(twins: MakeTwins) -> None:
    pair = twins("StatefulSet", "there-and-back")
    pair.make(manifest("StatefulSet", pair.ours.name))
    pair.patch({"spec": SECOND})
    before = pair.ours.read()["spec"]["template"]
    plan = await pair.bot.change(pair.ours.entity, "rollback")
    pair.ours.settle()
    assert pair.ours.read()["spec"]["template"] != before
    undo = ACTIONS["rollback"].undo(plan)
    assert undo is not None
    await pair.bot.change(pair.ours.entity, undo.action, undo.slots)
    pair.ours.settle()
    assert pair.ours.read()["spec"]["template"] == before


@pytest.mark.parametrize("kind", kinds_of("set_autoscaler"))
async def test_an_autoscaler_is_set_as_kubectl_does(
    kind: EntityKind, twins: MakeTwins, admin: Api, namespaces: tuple[str, str]
) -> None:
    pair = twins(kind, f"autoscaled-{kind.lower()}")
    name = pair.ours.name
    paths = [f"/apis/autoscaling/v2/namespaces/{each}/horizontalpodautoscalers" for each in namespaces]
    for path in paths:
        admin.make(path, autoscaler(pair.ours))
    pair.make(manifest(kind, name))
    for low, high in ((3, 9), (1, 9), (2, 4)):
        body = json.dumps({"spec": {"minReplicas": low, "maxReplicas": high}})
        await pair.kubectl.run("patch", "hpa", name, "--type=merge", f"--patch={body}")
        plan = await pair.bot.change(pair.ours.entity, "set_autoscaler", {"min": low, "max": high})
        ours, theirs = (admin.get(f"{path}/{name}").json for path in paths)
        assert ours["spec"] == theirs["spec"]
        assert owned(ours, FIELD_MANAGER) == owned(theirs, "kubectl")
        followed = await pair.bot.follow(plan)
        assert followed is not None
        assert (followed.finished, followed.failed) == (True, False)
    refused = json.dumps({"spec": {"minReplicas": 9, "maxReplicas": 3}})
    said = await pair.kubectl.try_to("patch", "hpa", name, "--type=merge", f"--patch={refused}")
    assert said.code != 0
    prepared = await pair.bot.prepare(pair.ours.entity, "set_autoscaler", {"min": 9, "max": 3})
    assert prepared.problem is not None
    assert prepared.problem.key == "autoscaler.crossed"
