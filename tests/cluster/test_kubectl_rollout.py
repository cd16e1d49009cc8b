"""How far a rollout is: the bot's verdict against that of `kubectl rollout status` at the same moment."""

from __future__ import annotations

import json
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.objects import PLAN_ANNOTATION, annotation
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.rollout import rollout_of
from tests.cluster.api import Api
from tests.cluster.bot_side import BotSide
from tests.cluster.controlplane import ControlPlane
from tests.cluster.kubectl import Kubectl
from tests.cluster.rollouts import Watched, in_kubectls_words
from tests.cluster.twins import Json, Workload

pytestmark = pytest.mark.kubectl

CONTROLLERS = "kube-controller-manager"
KINDS: tuple[EntityKind, ...] = ("Deployment", "StatefulSet", "DaemonSet")

MakeWatched = Callable[[EntityKind, str], Watched]


@pytest.fixture
def watched(admin: Api, bot: BotSide, namespaces: tuple[str, str], kubectl_in: Callable[[str], Kubectl]) -> MakeWatched:
    here = namespaces[0]
    return lambda kind, name: Watched(Workload(admin, here, kind, name), kubectl_in(here), bot)


def template(**annotations: str) -> Json:
    """A patch that begins another rollout and leaves the stamp of the restart where it is."""
    return {"spec": {"template": {"metadata": {"annotations": annotations}}}}


def staged(*stages: str) -> Json:
    return template(**{"kubelet.test/stages": json.dumps(stages)})


UNREADY = staged(*3 * ["NotReady"])


async def lines_of(status: Process) -> list[str]:
    out, err = await status.communicate()
    assert status.returncode == 0, err
    return out.decode().splitlines()


def progress(plan: Plan, frame: Raw) -> bool:
    """Whether the bot ends its following, at a version at which no pod is in trouble."""
    now = ACTIONS[plan.action].progress(Observed(entity=plan.entity, at=0, object=frame), plan)
    assert not now.failed, now
    return now.finished


ROLLOUTS: dict[str, tuple[EntityKind, Mapping[str, Any]]] = {
    "deployment": ("Deployment", {}),
    "recreate": ("Deployment", {"strategy": {"type": "Recreate"}}),
    "stateful-set": ("StatefulSet", {}),
    "parallel": ("StatefulSet", {"podManagementPolicy": "Parallel"}),
    "partition": ("StatefulSet", {"updateStrategy": {"rollingUpdate": {"partition": 1}}}),
    "daemon-set": ("DaemonSet", {}),
}


@pytest.mark.parametrize("name", ROLLOUTS)
async def test_both_say_the_same_of_every_version_from_a_restart_to_its_end(
    name: str, watched: MakeWatched, controlplane: ControlPlane
) -> None:
    kind, spec = ROLLOUTS[name]
    one = watched(kind, name)
    one.make(**spec)
    ours: list[str] = []
    async with one.frames() as following:
        with controlplane.frozen(CONTROLLERS):
            plan = await one.bot.change(one.workload.entity, "restart")
            status = await one.kubectl.start("rollout", "status", one.workload.target)
            assert status.stdout is not None
            first = await status.stdout.readline()
        frame = await following()
        while annotation(frame, PLAN_ANNOTATION) != plan.token:
            frame = await following()
        while not progress(plan, frame):
            ours.append(in_kubectls_words(frame, kind, name))
            frame = await following()
        ours.append(in_kubectls_words(frame, kind, name))
    theirs = [first.decode().rstrip(), *await lines_of(status)]
    assert ours == theirs
    assert "update to be observed" in theirs[0]
    assert len(theirs) > 3


@pytest.mark.parametrize(
    ("kind", "key", "numbers"),
    [
        ("Deployment", "rollout.updating", {"done": 1, "wanted": 3}),
        ("StatefulSet", "rollout.becoming_ready", {"done": 2, "wanted": 3}),
        ("DaemonSet", "rollout.updating", {"done": 1, "wanted": 3}),
    ],
)
async def test_a_rollout_held_up_by_its_new_pods_goes_on_for_both(
    kind: EntityKind, key: str, numbers: dict[str, int], watched: MakeWatched
) -> None:
    one = watched(kind, f"held-up-{kind.lower()}")
    one.make()
    plan = await one.restart()
    one.workload.settle()
    (await one.moment(plan)).agree("done")
    one.workload.patch(UNREADY)
    one.until(key, **numbers)
    (await one.moment(plan)).agree("waiting")


@pytest.mark.parametrize("kind", KINDS)
async def test_pods_that_die_after_the_end_keep_both_waiting(
    kind: EntityKind, watched: MakeWatched, admin: Api
) -> None:
    one = watched(kind, f"dying-{kind.lower()}")
    one.make()
    plan = await one.restart()
    one.workload.settle()
    one.workload.stage(one.workload.pods()[0], "NotReady")
    key = "rollout.becoming_ready" if kind == "StatefulSet" else "rollout.becoming_available"
    one.until(key, done=2)
    (await one.moment(plan)).agree("waiting")


async def test_a_deadline_that_has_passed_is_a_failure_for_both(watched: MakeWatched) -> None:
    one = watched("Deployment", "deadline")
    one.make(progressDeadlineSeconds=1)
    plan = await one.restart()
    one.workload.settle()
    one.workload.patch(UNREADY)
    one.until("rollout.deadline")
    (await one.moment(plan)).agree("failed")


@pytest.mark.parametrize("kind", ["StatefulSet", "DaemonSet"])
async def test_of_on_delete_kubectl_has_no_answer_and_the_bot_says_why(kind: EntityKind, watched: MakeWatched) -> None:
    one = watched(kind, f"on-delete-{kind.lower()}")
    one.make(updateStrategy={"type": "OnDelete"})
    moment = await one.moment(await one.restart())
    assert (moment.theirs, moment.ours, moment.key) == ("no answer", "done", "rollout.on_delete")
    assert moment.said.err.strip() == in_kubectls_words(moment.workload, kind, one.workload.name)


async def test_a_paused_rollout_is_waited_for_by_kubectl_and_not_by_the_bot(watched: MakeWatched) -> None:
    one = watched("Deployment", "paused")
    one.make()
    plan = await one.restart()
    one.workload.settle()
    one.workload.patch({"spec": {"paused": True}})
    moment = await one.moment(plan)
    assert (moment.theirs, moment.ours, moment.key) == ("done", "done", "rollout.done")
    one.workload.patch({"spec": {"paused": False}})
    one.workload.patch(UNREADY)
    one.until("rollout.updating", done=1)
    one.workload.patch({"spec": {"paused": True}})
    moment = await one.moment(plan)
    assert (moment.theirs, moment.ours, moment.key) == ("waiting", "failed", "rollout.paused")


async def test_new_pods_that_crash_are_waited_for_by_kubectl_and_told_by_the_bot(watched: MakeWatched) -> None:
    one = watched("Deployment", "crashing")
    one.make()
    plan = await one.restart()
    one.workload.settle()
    one.workload.patch(staged(*3 * ["CrashLoopBackOff"]))
    one.until("rollout.updating", done=1)
    one.workload.until(lambda _obj: any(crashed(pod) for pod in one.workload.pods()))
    moment = await one.moment(plan)
    assert (moment.theirs, moment.ours, moment.key) == ("waiting", "failed", "progress.failing")


def crashed(pod: Json) -> bool:
    return any("waiting" in status["state"] for status in pod["status"].get("containerStatuses", []))


async def test_a_quota_is_waited_for_by_kubectl_and_told_by_the_bot(
    namespace: str, admin: Api, bot: BotSide, kubectl_in: Callable[[str], Kubectl]
) -> None:
    one = Watched(Workload(admin, namespace, "Deployment", "quota"), kubectl_in(namespace), bot)
    one.make()
    quotas = f"/api/v1/namespaces/{namespace}/resourcequotas"
    admin.make(quotas, {"metadata": {"name": "few"}, "spec": {"hard": {"pods": "3"}}})
    admin.until(f"{quotas}/few", lambda quota: quota["status"].get("used") == {"pods": "3"})
    plan = await one.restart()
    one.until("rollout.blocked")
    moment = await one.moment(plan)
    assert (moment.theirs, moment.ours, moment.key) == ("waiting", "failed", "rollout.blocked")


async def test_a_stateful_set_taken_back_half_way_is_waited_for_by_both(
    watched: MakeWatched, controlplane: ControlPlane
) -> None:
    """Its present and its updated revision are the same again, but one pod is still of the one in between."""
    one = watched("StatefulSet", "taken-back")
    one.make(updateStrategy={"rollingUpdate": {"partition": 2}})
    one.workload.patch(template(step="2"))
    one.workload.settle()
    one.until("rollout.partitioned", count=1)
    with controlplane.frozen("kubelet"):  # the pod in between cannot go
        await one.kubectl.run("rollout", "undo", one.workload.target)
        one.workload.until(lambda _obj: any("deletionTimestamp" in pod["metadata"] for pod in one.workload.pods()))
        one.workload.patch({"spec": {"updateStrategy": {"rollingUpdate": {"partition": 0}}}})
        one.until("rollout.updating", done=2, wanted=3)
        said = await one.status("--watch=false")
        live = one.workload.read()
        assert live["status"]["currentRevision"] == live["status"]["updateRevision"]
        assert said.out.strip() == in_kubectls_words(live, "StatefulSet", "taken-back")


@pytest.mark.parametrize("replicas", [6, 1])
async def test_a_scale_is_done_for_the_bot_only_when_it_is_for_kubectl(replicas: int, watched: MakeWatched) -> None:
    one = watched("Deployment", f"scaled-to-{replicas}")
    one.make()
    async with one.frames() as following:
        plan = await one.bot.change(one.workload.entity, "scale", {"replicas": replicas})
        frame = await following()
        while annotation(frame, PLAN_ANNOTATION) != plan.token:
            frame = await following()
        while not progress(plan, frame):
            frame = await following()
    assert rollout_of(frame, "Deployment").state == "done"
    (await one.moment(plan)).agree("done")
