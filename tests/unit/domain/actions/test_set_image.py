"""Setting an image: which container and reference are meant, what is written, refused and told, when it is done."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chatops_bot.domain.actions import images
from chatops_bot.domain.actions.base import Question, Undo
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.flows import problem
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.plans import Draft, Plan
from chatops_bot.domain.say import Say
from tests.unit.domain.cluster_objects import ago, observed, plan_of, pod, spoken, waiting, workload

SET_IMAGE = ACTIONS["set_image"]
DIGEST = f"sha256:{'0' * 64}"


def template(*containers: tuple[str, str], init: tuple[tuple[str, str], ...] = ()) -> Raw:
    rows = [{"name": name, "image": image} for name, image in containers]
    inits = [{"name": name, "image": image} for name, image in init]
    return {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": rows, "initContainers": inits}}


def running(kind: EntityKind = "Deployment", **spec: Any) -> Observed:
    """A workload of one container `app` with `reg/web:1`, unless the template says otherwise."""
    return observed(workload(kind, **spec), *(pod(f"web-{n}") for n in range(3)), kind=kind)


TWO = template(("app", "reg/web:1"), ("proxy", "reg/proxy:3"), init=(("migrate", "reg/web:1"),))


def made(found: Observed, **slots: SlotValue) -> Draft | Say | Question:
    return SET_IMAGE.draft(found, slots, token="t0", stamp="unused")


def draft(found: Observed, **slots: SlotValue) -> Draft:
    done = made(found, **slots)
    assert isinstance(done, Draft), done
    return done


def question(found: Observed, **slots: SlotValue) -> Question:
    done = made(found, **slots)
    assert isinstance(done, Question), done
    assert spoken(done.problem)
    return done


@pytest.mark.parametrize(
    ("kind", "plural"), [("Deployment", "deployments"), ("StatefulSet", "statefulsets"), ("DaemonSet", "daemonsets")]
)
def test_the_patch_names_one_container_and_nothing_else_of_it(kind: EntityKind, plural: str) -> None:
    done = draft(running(kind), image="reg/web:2")
    assert (done.change.plural, done.change.content) == (plural, "strategic")
    assert done.change.body == {
        "metadata": {"annotations": {"chatops-bot.io/plan": "t0"}},
        "spec": {"template": {"spec": {"containers": [{"name": "app", "image": "reg/web:2"}]}}},
    }


def test_what_it_says_before() -> None:
    done = draft(running(), image="reg/web:2")
    assert spoken(*done.preview).splitlines()[0] == "deployment/web: image of app reg/web:1 → reg/web:2"
    assert "can be pulled is not checked" in spoken(*done.preview)
    assert (done.parameters, done.before) == (
        {"image": "reg/web:2", "container": "app"},
        {"image": "reg/web:1", "container": "app"},
    )
    assert (done.risk, done.warnings) == ("medium", ())


@pytest.mark.parametrize(
    ("present", "tag", "image"),
    [
        ("reg/web:1", "v1.5.2", "reg/web:v1.5.2"),
        ("localhost:5000/web", "2", "localhost:5000/web:2"),
        (f"reg/web:1@{DIGEST}", "latest", "reg/web:latest"),
    ],
)
def test_a_tag_alone_is_put_behind_what_is_there(present: str, tag: str, image: str) -> None:
    assert draft(running(template=template(("app", present))), image=tag).parameters["image"] == image


@pytest.mark.parametrize(
    ("slots", "container", "part"),
    [
        ({"image": "reg/web:2"}, "app", "containers"),
        ({"image": "reg/proxy:4"}, "proxy", "containers"),
        ({"image": "reg/other:4", "container": "proxy"}, "proxy", "containers"),
        ({"image": "reg/web:2", "container": "migrate"}, "migrate", "initContainers"),
        ({"image": "4", "container": "proxy"}, "proxy", "containers"),
    ],
)
def test_the_container_that_is_meant(slots: dict[str, SlotValue], container: str, part: str) -> None:
    done = draft(running(template=TWO), **slots)
    assert done.parameters["container"] == container
    assert [row["name"] for row in done.change.body["spec"]["template"]["spec"][part]] == [container]


@pytest.mark.parametrize(
    ("slots", "key", "ask"),
    [
        ({"image": "2"}, "image.which_container", "container"),
        ({"image": "reg/other:2"}, "image.which_container", "container"),
        ({"image": "reg/web:2", "container": "sidecar"}, "image.unknown_container", "container"),
        ({}, "image.which", "image"),
        ({"image": "reg/WEB:2"}, "image.malformed", "image"),
        ({"image": "nginx"}, "image.no_tag", "image"),
    ],
)
def test_doubt_is_asked_about(slots: dict[str, SlotValue], key: str, ask: str) -> None:
    asked = question(running(template=TWO), **slots)
    assert (asked.problem.key, asked.slots) == (key, (ask,))
    assert asked.choices == (("migrate", "app", "proxy") if ask == "container" else ())


@pytest.mark.parametrize("present", ["", "reg/WEB:1"])
def test_a_tag_needs_a_repository_to_stand_behind(present: str) -> None:
    assert question(running(template=template(("app", present))), image="2").problem.key == "image.no_base"


def test_two_of_the_same_repository_are_asked_about() -> None:
    found = running(template=template(("app", "reg/web:1"), ("worker", "reg/web:1")))
    assert question(found, image="reg/web:2").problem.key == "image.which_container"


@pytest.mark.parametrize(
    ("slots", "key"),
    [
        ({"image": "reg/web:1"}, "image.already"),
        ({"image": "1"}, "image.already"),
    ],
)
def test_the_same_image_again_is_no_change(slots: dict[str, SlotValue], key: str) -> None:
    done = made(running(), **slots)
    assert isinstance(done, Say)
    assert done.key == key
    assert spoken(done)


def test_what_is_being_deleted_or_has_no_image_is_refused() -> None:
    found = running()
    node = msgspec.structs.replace(found, entity=msgspec.structs.replace(found.entity, kind="Node"))
    gone = msgspec.structs.replace(
        found, object={**found.object, "metadata": {**found.object["metadata"], "deletionTimestamp": ago(1)}}
    )
    said = [made(node, image="a:1"), made(gone, image="a:1")]
    assert [one.key for one in said if isinstance(one, Say)] == ["image.wrong_kind", "plan.deleting"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("reg/web:2", None),
        ("1.5.2", None),
        ("latest", None),
        (f"web@{DIGEST}", None),
        ("nginx", "image.no_tag"),
        ("reg/web", "image.no_tag"),
        ("--privileged", "image.malformed"),
        ("reg/web:2 --force", "image.malformed"),
        ("../web:1", "image.malformed"),
        ("reg//web:1", "image.malformed"),
        ("web:tag:1", "image.malformed"),
        (f"{'a' * 256}:1", "image.malformed"),
        ("镜像", "image.malformed"),
    ],
)
def test_what_can_be_no_image_is_asked_before_anything_is_read(text: str, key: str | None) -> None:
    asked = problem("set_image", {"image": text})
    assert (asked.problem.key if asked else None) == key


def test_without_an_image_there_is_nothing_to_check() -> None:
    assert problem("set_image", {}) is None


@pytest.mark.parametrize(
    ("present", "image", "words"),
    [
        ("reg.io/web:1", "other.io/web:1", "Another registry: reg.io → other.io"),
        ("web:1", "reg.io:5000/web:1", "Another registry: – → reg.io:5000"),
        ("reg/web:1", "reg/shop:1", "Another repository: reg/web → reg/shop"),
        ("WEB", "reg/shop:1", "Another repository: – → reg/shop"),
        ("reg/web:1", "reg/web:latest", "is a moving tag"),
        (f"reg/web@{DIGEST}", "reg/web:2", "pinned by its digest"),
    ],
)
def test_what_is_odd_about_the_image_is_told(present: str, image: str, words: str) -> None:
    found = running(template=template(("app", present)))
    assert words in spoken(*draft(found, image=image).warnings)


def test_what_keeps_the_image_is_told() -> None:
    done = draft(running(template=TWO), image="reg/web:2")
    assert "migrate has reg/web:1 too and keeps it" in spoken(*done.warnings)


def test_what_a_rollout_costs_is_told() -> None:
    assert "all 3 pods stop at once" in spoken(
        *draft(running(strategy={"type": "Recreate"}), image="reg/web:2").warnings
    )


def after(found: Observed, image: str, **status: Any) -> Observed:
    obj = msgspec.json.decode(msgspec.json.encode(found.object))
    obj["spec"]["template"]["spec"]["containers"][0]["image"] = image
    obj["status"] |= status
    return msgspec.structs.replace(found, object=obj)


def progress(found: Observed, plan: Plan) -> tuple[bool, bool, str]:
    went = SET_IMAGE.progress(found, plan)
    spoken(went.line)
    return went.finished, went.failed, went.line.key


def test_it_is_done_when_the_rollout_is() -> None:
    found = running()
    plan = plan_of(draft(found, image="reg/web:2"))
    assert progress(after(found, "reg/web:2"), plan) == (True, False, "rollout.done")
    assert progress(after(found, "reg/web:3"), plan) == (True, True, "progress.set_image_superseded")
    assert not SET_IMAGE.holds(found.object, plan)


def test_an_image_that_cannot_be_pulled_ends_the_following() -> None:
    found = running()
    plan = plan_of(draft(found, image="reg/web:2"))
    new = pod("web-n", waiting("ImagePullBackOff", "not found"))
    new["metadata"]["labels"] = {"pod-template-hash": "h2"}
    written = after(found, "reg/web:2", updatedReplicas=1)
    made_for = {
        "metadata": {"labels": {"pod-template-hash": "h2"}},
        "spec": {"template": written.object["spec"]["template"]},
    }
    written = msgspec.structs.replace(written, pods=(new,), replica_sets=(made_for,))
    assert progress(written, plan) == (True, True, "progress.failing")


def test_in_a_paused_rollout_it_is_written_and_waits() -> None:
    found = running(paused=True)
    done = draft(found, image="reg/web:2")
    plan = plan_of(done)
    assert "takes effect when it is resumed" in spoken(*done.warnings)
    assert progress(after(found, "reg/web:2"), plan) == (True, False, "progress.image_paused")
    resumed = after(found, "reg/web:2")
    del resumed.object["spec"]["paused"]
    assert progress(resumed, plan) == (True, False, "rollout.done")


def test_undo_puts_back_the_image_that_was_there() -> None:
    found = running()
    plan = plan_of(draft(found, image="reg/web:2"))
    undo = SET_IMAGE.undo(plan)
    assert undo == Undo("set_image", {"image": "reg/web:1", "container": "app"})
    assert draft(after(found, "reg/web:2"), **undo.slots).parameters["image"] == "reg/web:1"
    for before in ("nginx", "", "WEB:1"):
        assert SET_IMAGE.undo(msgspec.structs.replace(plan, before={"image": before, "container": "app"})) is None


@pytest.mark.parametrize(
    ("text", "registry", "tag", "moves"),
    [
        ("web", "", "", True),
        ("library/web:1", "", "1", False),
        ("reg.io/a/b:latest", "reg.io", "latest", True),
        ("localhost/web:1", "localhost", "1", False),
        (f"reg:5000/web:main@{DIGEST}", "reg:5000", "main", False),
    ],
)
def test_references_are_taken_apart(text: str, registry: str, tag: str, moves: bool) -> None:
    image = images.parse(text)
    assert image is not None
    assert (image.registry, image.tag, image.moves) == (registry, tag, moves)
