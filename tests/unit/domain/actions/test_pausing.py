"""Pausing and resuming a rollout: what is written, refused and told, when it is done, and what undoes it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chatops_bot.domain.actions.base import Undo
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.observed import Observed, Permission, Raw
from chatops_bot.domain.plans import Draft, Plan
from chatops_bot.domain.say import Say
from tests.unit.domain.cluster_objects import ago, observed, plan_of, pod, spoken, waiting, workload

PAUSE, RESUME = ACTIONS["pause"], ACTIONS["resume"]
TEMPLATE = workload()["spec"]["template"]


def replica_set(number: int = 4, **container: Any) -> Raw:
    template = msgspec.json.decode(msgspec.json.encode(TEMPLATE))
    template["metadata"]["labels"]["pod-template-hash"] = f"h{number}"
    template["spec"]["containers"][0] |= container
    return {
        "metadata": {
            "name": f"web-h{number}",
            "labels": {"pod-template-hash": f"h{number}"},
            "annotations": {"deployment.kubernetes.io/revision": str(number)},
        },
        "spec": {"template": template},
    }


def rolling(*sets: Raw, kind: EntityKind = "Deployment", updated: int = 3, **spec: Any) -> Observed:
    obj = workload(kind, **spec)
    obj["status"] |= {"updatedReplicas": updated}
    return observed(obj, *(pod(f"web-{n}") for n in range(3)), kind=kind, replica_sets=sets or (replica_set(),))


def draft(action: str, found: Observed) -> Draft:
    made = ACTIONS[action].draft(found, {}, token="t0", stamp="unused")
    assert isinstance(made, Draft), made
    return made


def refused(action: str, found: Observed) -> str:
    made = ACTIONS[action].draft(found, {}, token="t0", stamp="unused")
    assert isinstance(made, Say), made
    assert spoken(made)
    return made.key


def paused(*sets: Raw, updated: int = 3, **spec: Any) -> Observed:
    return rolling(*sets, updated=updated, paused=True, **spec)


@pytest.mark.parametrize(("action", "found", "value"), [("pause", rolling(), True), ("resume", paused(), None)])
def test_the_patch_is_kubectls_with_the_token_beside_it(action: str, found: Observed, value: bool | None) -> None:
    made = draft(action, found)
    assert made.change.body == {
        "metadata": {"annotations": {"chatops-bot.io/plan": "t0"}},
        "spec": {"paused": value},
    }
    assert (made.risk, made.parameters, made.before) == ("medium", {}, {})


def test_pausing_says_what_it_means_and_what_stays_half_way() -> None:
    made = draft("pause", rolling())
    assert spoken(*made.preview).splitlines()[0] == "deployment/web: pause the rollout"
    assert "a rollback is refused" in spoken(*made.preview)
    assert made.warnings == ()
    assert "1 of 3 pods are of the new version" in spoken(*draft("pause", rolling(updated=1)).warnings)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (paused(), "no pod is replaced (3 of 3 are new)"),
        (paused(updated=1), "goes on from 1 of 3 pods updated"),
        (
            paused(replica_set(3, image="reg/web:0", command=["a"])),
            "piled up since revision 3:\nImage of app: reg/web:0 → reg/web:1\nChanges as well: app: command",
        ),
        (paused(replica_set(3, image="reg/web:0")), "reg/web:0 → reg/web:1\nEnvironment"),
        (paused(replica_set(3, command=["a"])), "piled up since revision 3:\nChanges as well: app: command"),
        (paused({"metadata": {}}), "could not be read"),
    ],
)
def test_resuming_says_what_it_rolls_out(found: Observed, words: str) -> None:
    assert words in spoken(*draft("resume", found).preview)


def test_a_container_that_came_or_went_has_piled_up_too() -> None:
    before = replica_set(3, name="old", image="reg/old:1")
    text = spoken(*draft("resume", paused(before)).preview)
    assert "Image of old: reg/old:1 → –" in text
    assert "Image of app: – → reg/web:1" in text


def test_what_the_rollout_costs_is_told_before_it_goes_on() -> None:
    assert "all 3 pods stop at once" in spoken(*draft("resume", paused(strategy={"type": "Recreate"})).warnings)


def deleted(found: Observed) -> Observed:
    metadata = {**found.object["metadata"], "deletionTimestamp": ago(1)}
    return msgspec.structs.replace(found, object={**found.object, "metadata": metadata})


@pytest.mark.parametrize(
    ("action", "found", "key"),
    [
        ("pause", paused(), "pause.already"),
        ("resume", rolling(), "resume.not_paused"),
        ("pause", rolling(kind="StatefulSet"), "pause.wrong_kind"),
        ("resume", rolling(kind="DaemonSet"), "pause.wrong_kind"),
        ("pause", deleted(rolling()), "plan.deleting"),
        ("resume", deleted(paused()), "plan.deleting"),
    ],
)
def test_what_makes_no_sense_is_refused(action: str, found: Observed, key: str) -> None:
    assert refused(action, found) == key


def progress(action: str, found: Observed, plan: Plan) -> tuple[bool, bool, str]:
    went = ACTIONS[action].progress(found, plan)
    spoken(went.line)
    return went.finished, went.failed, went.line.key


def test_a_pause_is_done_at_once() -> None:
    plan = plan_of(draft("pause", rolling()))
    assert progress("pause", paused(), plan) == (True, False, "progress.held")
    assert progress("pause", rolling(), plan) == (True, True, "progress.pause_superseded")
    assert progress("pause", deleted(paused()), plan) == (True, True, "progress.deleting")
    assert PAUSE.holds(paused().object, plan)
    assert not PAUSE.holds(rolling().object, plan)


def test_a_resume_is_followed_to_the_end_of_the_rollout() -> None:
    plan = plan_of(draft("resume", paused()))
    assert progress("resume", rolling(updated=1), plan) == (False, False, "rollout.updating")
    assert progress("resume", rolling(), plan) == (True, False, "rollout.done")
    assert progress("resume", paused(), plan) == (True, True, "progress.resume_superseded")
    assert RESUME.holds(rolling().object, plan)
    new = pod("web-n", waiting("ImagePullBackOff"))
    new["metadata"]["labels"] = {"pod-template-hash": "h4"}
    failing = msgspec.structs.replace(rolling(updated=1), pods=(new,))
    assert progress("resume", failing, plan) == (True, True, "progress.failing")


def test_each_undoes_the_other() -> None:
    assert PAUSE.undo(plan_of(draft("pause", rolling()))) == Undo("resume", {})
    assert RESUME.undo(plan_of(draft("resume", paused()))) == Undo("pause", {})


def test_a_resume_watches_what_it_would_roll_out() -> None:
    shown = draft("resume", paused()).watched
    other = paused()
    other.object["spec"]["template"] = {"spec": {}}
    assert RESUME.watched(other.object) != shown
    assert PAUSE.watched(rolling().object) == {"metadata.uid": "u-web", "spec.paused": False}


def test_only_resuming_needs_the_revisions() -> None:
    patch = Permission("apps", "deployments", "patch")
    past = Permission("apps", "replicasets", "list")
    assert patch in PAUSE.permissions("Deployment")
    assert past not in PAUSE.permissions("Deployment")
    assert {patch, past} <= set(RESUME.permissions("Deployment"))
