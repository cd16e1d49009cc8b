"""Rolling back: which revision is meant, what is written, refused and told, and when it is done."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chatops_bot.domain.actions.base import Question, Stepwise, Undo
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.flows import problem
from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.observed import Observed, Permission, Raw
from chatops_bot.domain.plans import Draft, Plan
from chatops_bot.domain.say import Say
from tests.unit.domain.cluster_objects import NOW, ago, observed, plan_of, pod, spoken, waiting, workload

ROLLBACK = ACTIONS["rollback"]
REVISION = "deployment.kubernetes.io/revision"
HOUR = 3600


def template(image: str, **spec: Any) -> Raw:
    """As `workload()` has it, with another image."""
    container = {"name": "app", "image": image, "imagePullPolicy": "IfNotPresent"}
    return {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [container], **spec}}


def replica_set(number: int, image: str, hours: float, *, earlier: str = "", cause: str = "", **spec: Any) -> Raw:
    """One revision of a Deployment, as its controller keeps it: with its hash among the labels."""
    made = template(image, **spec)
    made["metadata"]["labels"]["pod-template-hash"] = f"h{number}"
    notes = {REVISION: str(number), "deployment.kubernetes.io/revision-history": earlier}
    return {
        "metadata": {
            "name": f"web-h{number}",
            "uid": f"u-h{number}",
            "creationTimestamp": ago(hours * HOUR),
            "labels": {"app": "web", "pod-template-hash": f"h{number}"},
            "annotations": {**notes, **({"kubernetes.io/change-cause": cause} if cause else {})},
        },
        "spec": {"template": made},
    }


def controller_revision(number: int, image: str, hours: float, owner: str = "u-web") -> Raw:
    return {
        "metadata": {
            "name": f"web-r{number}",
            "creationTimestamp": ago(hours * HOUR),
            "ownerReferences": [{"uid": owner, "controller": True}],
        },
        "data": {"spec": {"template": {**template(image), "$patch": "replace"}}},
        "revision": number,
    }


SETS = (
    replica_set(1, "reg/web:0.8", 72),
    replica_set(2, "reg/web:0.9", 48, cause="release 0.9"),
    replica_set(4, "reg/web:1", 24),
)


def past(*sets: Raw, kind: EntityKind = "Deployment", obj: Raw | None = None, **parts: Any) -> Observed:
    obj = obj or workload(kind)
    pods = tuple(pod(f"web-{n}") for n in range(3))
    if kind == "Deployment":
        return observed(obj, *pods, replica_sets=sets or SETS, **parts)
    revisions = sets or (controller_revision(1, "reg/web:0.9", 48), controller_revision(2, "reg/web:1", 24))
    return observed(obj, *pods, kind=kind, revisions=revisions, **parts)


def made(found: Observed, revision: SlotValue | None = None) -> Draft | Say | Question:
    slots = {} if revision is None else {"revision": revision}
    return ROLLBACK.draft(found, slots, token="t0", stamp="unused")


def draft(found: Observed, revision: SlotValue | None = None) -> Draft:
    done = made(found, revision)
    assert isinstance(done, Draft), done
    return done


def question(found: Observed, revision: SlotValue | None = None) -> Question:
    done = made(found, revision)
    assert isinstance(done, Question), done
    assert done.slots == ("revision",)
    spoken(done.problem)
    return done


def refused(found: Observed, revision: SlotValue | None = None) -> str:
    done = made(found, revision)
    assert isinstance(done, Say), done
    assert spoken(done)
    return done.key


def test_only_the_template_is_replaced_and_the_change_cause_told() -> None:
    change = draft(past(), 2).change
    assert (change.plural, change.name, change.content) == ("deployments", "web", "strategic")
    assert change.body == {
        "metadata": {
            "annotations": {
                "chatops-bot.io/plan": "t0",
                "kubernetes.io/change-cause": "rolled back to revision 2 by chatops-bot",
            }
        },
        "spec": {"template": {**template("reg/web:0.9"), "$patch": "replace"}},
    }


def test_what_it_says_before() -> None:
    done = draft(past(), 2)
    assert spoken(*done.preview).splitlines() == [
        "deployment/web: revision 4 → 2",
        "Revision 2 was made 2d ago (release 0.9).",
        "Image of app: reg/web:1 → reg/web:0.9",
        "Only the pod template goes back. Not rolled back: replicas, HPA, contents of ConfigMaps and Secrets, data, database migrations.",
        "Environment PRODUCTION · cluster prod-east · namespace shop",
    ]
    assert (done.parameters, done.before) == ({"revision": 2}, {"revision": 4, "name": "web-h4"})
    assert (done.risk, done.warnings) == ("medium", ())


@pytest.mark.parametrize(
    ("said", "number"),
    [
        (None, 2),
        ("", 2),
        (1, 1),
        ("1", 1),
        ("web-h1", 1),
        ("reg/web:0.8", 1),
        ("0.8", 1),
        ("v0.8", 1),
        ("V0.8", 1),
    ],
)
def test_the_revision_that_is_meant(said: SlotValue | None, number: int) -> None:
    assert draft(past(), said).parameters == {"revision": number}


def test_an_old_number_still_means_what_it_meant() -> None:
    sets = (replica_set(5, "reg/web:0.8", 72, earlier="1,3,x"), *SETS[1:], replica_set(6, "reg/web:2", 1))
    obj = workload(template=template("reg/web:2"))
    assert draft(past(*sets, obj=obj), 3).parameters == {"revision": 5}


@pytest.mark.parametrize("said", [3, "7.0", "stable", "reg/web:3", True])
def test_a_revision_that_is_not_there_is_asked_for(said: SlotValue) -> None:
    asked = question(past(), said)
    assert asked.problem.key == "rollback.unknown_revision"
    assert asked.choices == ("2", "1")
    assert "2 (reg/web:0.9), 1 (reg/web:0.8)" in spoken(asked.problem)


def test_a_tag_of_several_revisions_is_asked_for() -> None:
    sets = (*SETS, replica_set(3, "reg/web:0.9", 30, nodeSelector={"a": "b"}))
    assert question(past(*sets), "0.9").problem.key == "rollback.several"


@pytest.mark.parametrize(
    ("sets", "key"),
    [
        ((replica_set(5, "reg/web:1", 72), *SETS[:2]), "rollback.came_back"),
        ((replica_set(5, "reg/web:1", 1, earlier="2"), *SETS[:1]), "rollback.came_back"),
        ((replica_set(1, "reg/web:1", 1), replica_set(2, "reg/web:2", 1)), "rollback.none_before"),
        (SETS[:2], "rollback.present_unknown"),
    ],
)
def test_the_previous_one_is_asked_for_where_it_is_doubtful(sets: tuple[Raw, ...], key: str) -> None:
    assert question(past(*sets)).problem.key == key


def test_a_template_that_no_revision_has_can_be_left_for_one_that_is_named() -> None:
    done = draft(past(*SETS[:2]), 1)
    assert "revision ? → 1" in spoken(*done.preview)
    assert done.before == {}
    assert ROLLBACK.undo(plan_of(done)) is None


def changed(**spec: Any) -> Raw:
    obj = workload()
    obj["spec"] |= spec
    return obj


def unobserved() -> Raw:
    obj = workload()
    obj["metadata"]["generation"] = 3
    return obj


def deleted() -> Raw:
    obj = workload()
    obj["metadata"]["deletionTimestamp"] = ago(1)
    return obj


@pytest.mark.parametrize(
    ("found", "said", "key"),
    [
        (past(obj=changed(paused=True)), None, "rollback.paused"),
        (past(obj=unobserved()), None, "rollback.unobserved"),
        (past(obj=deleted()), None, "plan.deleting"),
        (past(SETS[2]), None, "rollback.no_history"),
        (past({"metadata": {"name": "web-x"}}, SETS[2]), None, "rollback.no_history"),
        (past(unread=("replica_sets:403",)), None, "rollback.unread"),
        (past(unread=("revisions:timeout",), kind="DaemonSet"), None, "rollback.unread"),
        (past(controller_revision(1, "reg/web:1", 1), kind="StatefulSet"), None, "rollback.no_history"),
        (
            past(
                controller_revision(1, "reg/web:0.9", 2, owner="u-other"),
                controller_revision(2, "reg/web:1", 1),
                kind="StatefulSet",
            ),
            None,
            "rollback.no_history",
        ),
        (past(), 4, "rollback.already"),
        (past(obj={**workload(), "kind": "Node"}), 4, "rollback.already"),
    ],
)
def test_what_makes_no_sense_is_refused(found: Observed, said: SlotValue | None, key: str) -> None:
    assert refused(found, said) == key


def test_a_node_has_no_revisions() -> None:
    found = past()
    node = msgspec.structs.replace(found, entity=msgspec.structs.replace(found.entity, kind="Node"))
    assert refused(node) == "rollback.wrong_kind"


@pytest.mark.parametrize(
    ("value", "refused"),
    [(0, "0"), (-1, "-1"), ("-1", "-1"), ("0.5", "0.5"), (Quantity("by", -2), "-2"), ("nan", "nan")],
)
def test_what_is_no_number_of_a_revision_is_asked_before_anything_is_read(value: SlotValue, refused: str) -> None:
    asked = problem("rollback", {"revision": value})
    assert asked is not None
    assert (asked.problem.key, asked.problem.args) == ("rollback.no_revision", {"revision": refused})


@pytest.mark.parametrize("slots", [{}, {"revision": 1}, {"revision": "1.4"}, {"revision": "stable"}])
def test_what_may_be_one_is_looked_for(slots: dict[str, SlotValue]) -> None:
    assert problem("rollback", slots) is None


@pytest.mark.parametrize("kind", ["StatefulSet", "DaemonSet"])
def test_the_other_kinds_go_by_their_controller_revisions(kind: EntityKind) -> None:
    done = draft(past(kind=kind))
    assert done.parameters == {"revision": 1}
    assert done.change.body["spec"]["template"] == {**template("reg/web:0.9"), "$patch": "replace"}
    assert Permission("apps", "controllerrevisions", "list") in ROLLBACK.permissions(kind)


def test_everything_that_differs_is_named_and_no_value_shown() -> None:
    old = replica_set(2, "reg/web:1", 48)
    inner = old["spec"]["template"]
    inner["metadata"]["annotations"] = {"team": "pay"}
    inner["metadata"]["creationTimestamp"] = None
    container = inner["spec"]["containers"][0]
    container["env"] = [{"name": "TOKEN", "value": "s3cret"}]
    container["resources"] = {"limits": {"cpu": "1"}}
    inner["spec"]["volumes"] = [{"name": "cache", "emptyDir": {}}]
    inner["spec"]["initContainers"] = [{"name": "migrate", "image": "reg/migrate:1"}]
    text = spoken(*draft(past(old, SETS[2]), 2).preview, *draft(past(old, SETS[2]), 2).warnings)
    assert "Image of migrate: – → reg/migrate:1" in text
    assert "Changes as well: annotations team, volumes, app: env TOKEN, app: resources" in text
    assert "s3cret" not in text


def test_a_revision_of_the_same_images_is_told() -> None:
    stamped = replica_set(2, "reg/web:1", 48)
    stamped["spec"]["template"]["metadata"]["annotations"] = {"kubectl.kubernetes.io/restartedAt": ago(0)}
    done = draft(past(stamped, SETS[2]))
    assert "Revision 2 has the same images as now" in spoken(*done.warnings)
    assert "annotations kubectl.kubernetes.io/restartedAt" in spoken(*done.preview)


def test_a_container_that_goes_is_told() -> None:
    both = template("reg/web:1")
    both["spec"]["containers"].append({"name": "side", "image": "reg/side:1"})
    obj = workload(template=both)
    newest = replica_set(4, "reg/web:1", 24)
    newest["spec"]["template"]["spec"] = both["spec"]
    assert "Image of side: reg/side:1 → –" in spoken(*draft(past(*SETS[:2], newest, obj=obj)).preview)


def test_a_revision_without_a_time_is_of_unknown_age() -> None:
    old = replica_set(2, "reg/web:0.9", 48)
    del old["metadata"]["creationTimestamp"]
    assert "was made ? ago" in spoken(*draft(past(old, SETS[2])).preview)


def test_what_keeps_the_object_is_told() -> None:
    obj = workload()
    obj["metadata"]["annotations"] = {"kubectl.kubernetes.io/last-applied-configuration": "{}"}
    assert "the next apply knows nothing of this" in spoken(*draft(past(obj=obj)).warnings)


def broken_set(**spec: Any) -> Observed:
    """A StatefulSet in the middle of a rollout that its newest pod does not survive."""
    obj = workload("StatefulSet", 3, 2, **spec)
    obj["status"] |= {"updatedReplicas": 1, "updateRevision": "web-r2", "currentRevision": "web-r1"}
    found = past(kind="StatefulSet", obj=obj)
    return msgspec.structs.replace(found, pods=(of("web-0", "web-r1"), of("web-1", "web-r1"), broken("web-r2")))


def of(name: str, revision: str) -> Raw:
    row = pod(name)
    row["metadata"]["labels"] = {"controller-revision-hash": revision, "pod-template-hash": revision}
    return row


def broken(revision: str, name: str = "web-2") -> Raw:
    row = pod(name, waiting("CrashLoopBackOff", restartCount=5))
    row["metadata"]["labels"] = {"controller-revision-hash": revision, "pod-template-hash": revision}
    return row


def test_the_second_step_of_a_stateful_set_is_part_of_the_plan() -> None:
    done = draft(broken_set(), 1)
    assert "delete the pods of the bad revision that are not ready (1: web-2)" in spoken(*done.preview)
    (step,) = done.steps
    assert (step.verb, step.plural, step.namespace, step.name, step.uid) == (
        "delete", "pods", "shop", "web-2", "u-web-2",
    )  # fmt: skip
    assert Permission("", "pods", "delete") in ROLLBACK.permissions("StatefulSet")
    assert Permission("", "pods", "delete") not in ROLLBACK.permissions("Deployment")


def going(revision: str = "web-r2") -> Raw:
    row = broken(revision)
    row["metadata"]["deletionTimestamp"] = ago(1)
    return row


@pytest.mark.parametrize(
    "found",
    [
        broken_set(podManagementPolicy="Parallel"),
        msgspec.structs.replace(broken_set(), pods=(going(),)),
        msgspec.structs.replace(broken_set(), pods=(broken("web-r1"),)),
        msgspec.structs.replace(broken_set(), pods=(of("web-2", "web-r2"),)),
    ],
    ids=["not in order", "going already", "of the revision that comes back", "ready"],
)
def test_pods_that_need_not_go_are_no_step(found: Observed) -> None:
    done = draft(found, 1)
    assert (done.steps, "Second step" in spoken(*done.preview)) == ((), False)


def remains(found: Observed, plan: Plan) -> tuple[tuple[str, ...], list[str], str]:
    assert isinstance(ROLLBACK, Stepwise)
    remaining = ROLLBACK.remaining(found, plan)
    spoken(remaining.line, *remaining.blocked)
    assert all((due.step in plan.steps) and due.resource_version == "41" for due in remaining.due)
    stopped = remaining.stopped.key if remaining.stopped is not None else ""
    return remaining.left, [due.step.name for due in remaining.due], stopped


def test_the_second_step_waits_for_the_controller_and_goes_by_what_is_there() -> None:
    found = broken_set()
    found.pods[2]["metadata"]["resourceVersion"] = "41"
    done = draft(found, 1)
    plan = msgspec.structs.replace(plan_of(done), uid="u-web")
    written = after(found, done, updateRevision="web-r1", updatedReplicas=2)
    assert remains(written, plan) == (("web-2",), ["web-2"], "")
    unseen = msgspec.structs.replace(written, object={**written.object, "metadata": {"uid": "u-web", "generation": 9}})
    assert remains(unseen, plan) == (("web-2",), [], "")
    assert remains(msgspec.structs.replace(written, pods=(*written.pods[:2], going())), plan) == (("web-2",), [], "")
    gone = msgspec.structs.replace(written, pods=written.pods[:2])
    assert remains(gone, plan) == ((), [], "")
    assert remains(msgspec.structs.replace(gone, unread=("pods:403",)), plan) == (("web-2",), [], "")
    anew = broken("web-r1")
    anew["metadata"]["uid"] = "another"
    assert remains(msgspec.structs.replace(written, pods=(*written.pods[:2], anew)), plan) == ((), [], "")
    up = msgspec.structs.replace(written, pods=(*written.pods[:2], of("web-2", "web-r2")))
    assert remains(up, plan) == ((), [], "")


def test_the_second_step_stops_where_the_first_does_not_stand() -> None:
    found = broken_set()
    found.pods[2]["metadata"]["resourceVersion"] = "41"
    plan = msgspec.structs.replace(plan_of(draft(found, 1)), uid="u-web")
    assert remains(found, plan)[2] == "progress.rollback_superseded"
    other = msgspec.structs.replace(plan, uid="before")
    assert remains(found, other)[2] == "progress.replaced"


def after(found: Observed, done: Draft, **status: Any) -> Observed:
    """What is there when the template has been replaced."""
    obj = msgspec.json.decode(msgspec.json.encode(found.object))
    obj["spec"]["template"] = {k: v for k, v in done.change.body["spec"]["template"].items() if k != "$patch"}
    obj["status"] |= status
    return msgspec.structs.replace(found, object=obj)


def progress(found: Observed, plan: Plan) -> tuple[bool, bool, str]:
    went = ROLLBACK.progress(found, plan)
    spoken(went.line)
    return went.finished, went.failed, went.line.key


def test_a_pod_that_holds_up_the_set_ends_the_following_with_what_to_do() -> None:
    found = broken_set()
    done = draft(found, 1)
    plan = plan_of(done)
    written = after(found, done, updateRevision="web-r1", updatedReplicas=2)
    assert progress(written, plan) == (True, True, "progress.second_step")
    starting = of("web-2", "web-r2")
    starting["status"]["conditions"][0]["status"] = "False"
    waits = msgspec.structs.replace(written, pods=(*written.pods[:2], starting))
    assert progress(waits, plan) == (False, False, "progress.second_step")
    replaced = msgspec.structs.replace(written, pods=written.pods[:2])
    assert progress(replaced, plan) == (False, False, "rollout.becoming_ready")
    unseen = msgspec.structs.replace(written, object={**written.object, "metadata": {"uid": "u-web", "generation": 9}})
    assert progress(unseen, plan) == (False, False, "rollout.unobserved")


def test_it_is_done_when_the_rollout_is() -> None:
    found = past()
    done = draft(found)
    assert progress(after(found, done), plan_of(done)) == (True, False, "rollout.done")


def test_somebody_elses_template_takes_its_place() -> None:
    found = past()
    plan = plan_of(draft(found))
    assert progress(found, plan) == (True, True, "progress.rollback_superseded")
    assert not ROLLBACK.holds(found.object, plan)


@pytest.mark.parametrize("kind", ["Deployment", "DaemonSet"])
def test_new_pods_that_fail_end_the_following_and_old_ones_do_not(kind: EntityKind) -> None:
    found = past(kind=kind)
    done = draft(found)
    plan = plan_of(done)
    status = {"updatedNumberScheduled": 1} if kind == "DaemonSet" else {"updatedReplicas": 1}
    written = after(found, done, **status)
    new = broken("h2", "web-n")
    new["metadata"]["creationTimestamp"] = ago(-5)
    assert progress(msgspec.structs.replace(written, pods=(new,)), plan) == (True, True, "progress.failing")
    old = broken("h4", "web-o")
    assert progress(msgspec.structs.replace(written, pods=(old,)), plan) == (False, False, "rollout.updating")


def test_undo_goes_by_the_name_of_the_revision_that_was_there() -> None:
    found = past()
    done = draft(found)
    plan = plan_of(done)
    assert ROLLBACK.undo(plan) == Undo("rollback", {"revision": "web-h4"})
    written = after(found, done)
    assert ROLLBACK.holds(written.object, plan)
    moved = (SETS[0], replica_set(5, "reg/web:0.9", 48, earlier="2"), SETS[2])
    back = draft(msgspec.structs.replace(written, replica_sets=moved, at=NOW), "web-h4")
    assert back.parameters == {"revision": 4}


def test_what_the_card_showed_is_watched() -> None:
    done = draft(past())
    assert set(done.watched) == {"metadata.uid", "spec.paused", "spec.replicas", "spec.strategy", "spec.template"}
    assert ROLLBACK.watched(changed(paused=True)) != done.watched
