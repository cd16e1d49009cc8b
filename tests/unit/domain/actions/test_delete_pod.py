"""Deleting one pod: which one, when not, by which way, and what it costs."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chatops_bot.domain.actions.base import Question
from chatops_bot.domain.actions.delete_pod import MOST_CHOICES, DeletePod
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.plans import Draft
from chatops_bot.domain.say import Say
from tests.unit.domain.cluster_objects import ago, container, observed, plan_of, pod, spoken, waiting, workload

ACTION = DeletePod()
OWNER = {"kind": "ReplicaSet", "name": "web-7d9f", "uid": "u-rs", "controller": True}


def owned(name: str = "web-a", *statuses: Raw, spec: Raw | None = None, **more: Any) -> Raw:
    """A pod with a controller; further fields go to its metadata."""
    made = pod(name, *statuses)
    made["metadata"] |= {"ownerReferences": [OWNER], "labels": {"app": "web"}, **more}
    made["spec"] |= spec or {}
    return made


def budget(
    name: str = "web", *, allowed: int = 1, healthy: int = 3, needed: int = 2, pods: int = 3, **spec: Any
) -> Raw:
    return {
        "metadata": {"name": name},
        "spec": {"selector": {"matchLabels": {"app": "web"}}, **spec},
        "status": {
            "disruptionsAllowed": allowed,
            "currentHealthy": healthy,
            "desiredHealthy": needed,
            "expectedPods": pods,
        },
    }


def three(kind: EntityKind = "Deployment", **more: Any) -> Observed:
    return observed(workload(kind), *(owned(f"web-{letter}") for letter in "abc"), kind=kind, **more)


def ask(found: Observed, said: SlotValue | None = "web-a") -> Draft | Say | Question:
    slots = {} if said is None else {"pod": said}
    return ACTION.draft(found, slots, token="t0", stamp="")


def drafted(found: Observed, said: SlotValue | None = "web-a") -> Draft:
    made = ask(found, said)
    assert isinstance(made, Draft), made
    return made


def refused(found: Observed, said: SlotValue | None = "web-a") -> str:
    made = ask(found, said)
    assert isinstance(made, Say), made
    return made.key


def warned(draft: Draft) -> set[str]:
    return {line.key for line in draft.warnings}


def test_a_pod_goes_by_its_uid_and_nothing_is_patched() -> None:
    draft = drafted(three())
    change = draft.change
    assert (change.verb, change.plural, change.name, change.uid, change.body) == (
        "delete",
        "pods",
        "web-a",
        "u-web-a",
        {},
    )
    assert (draft.parameters, draft.before, draft.risk) == ({"pod": "web-a"}, {}, "medium")
    assert draft.watched == {"metadata.uid": "u-web-a", "metadata.deletionTimestamp": "", "status.ready": True}
    assert "web-a (Running, on node n1)" in spoken(*draft.preview)
    assert "ReplicaSet web-7d9f makes another one; it has 30 s to stop" in spoken(*draft.preview)
    assert draft.warnings == ()
    assert ACTION.undo(plan_of(draft)) is None


def test_a_budget_makes_it_an_eviction() -> None:
    draft = drafted(three(budgets=(budget(),)))
    assert draft.change.verb == "evict"
    assert "PDB web covers it and can spare 1 now" in spoken(*draft.preview)


def test_where_budgets_cannot_be_read_it_is_an_eviction_too() -> None:
    draft = drafted(three(unread=("budgets:403",)))
    assert draft.change.verb == "evict"
    assert "pod.by_eviction" not in {line.key for line in draft.preview}


@pytest.mark.parametrize("said", ["web-a", "pod/web-a", "WEB-A", " a "])
def test_a_name_or_its_end_where_only_one_has_it(said: str) -> None:
    assert drafted(three(), said).change.name == "web-a"


@pytest.mark.parametrize("said", [None, "", True, Quantity(kind="to", value=1)])
def test_no_pod_is_taken_unsaid(said: SlotValue | None) -> None:
    sick = owned("web-z", waiting("CrashLoopBackOff"))
    found = observed(workload(), owned("web-a"), sick)
    asked = ask(found, said)
    assert isinstance(asked, Question)
    assert (asked.slots, asked.choices) == (("pod",), ("web-z", "web-a"))
    assert ask(observed(workload(), owned("web-a")), said) != drafted(observed(workload(), owned("web-a")))


def test_another_name_is_asked_for_and_never_guessed() -> None:
    asked = ask(three(), "order-db-0")
    assert isinstance(asked, Question)
    assert asked.problem.key == "pod.unknown"
    twins = observed(workload(), owned("web-1-x"), owned("web-2-x"))
    several = ask(twins, "x")
    assert isinstance(several, Question)
    assert (several.problem.key, several.choices) == ("pod.several", ("web-1-x", "web-2-x"))


def test_only_so_many_are_offered() -> None:
    asked = ask(observed(workload(), *(owned(f"web-{number:02}") for number in range(20))), None)
    assert isinstance(asked, Question)
    assert len(asked.choices) == MOST_CHOICES


def test_what_cannot_be() -> None:
    assert refused(three("Node")) == "pod.wrong_kind"
    assert refused(observed(workload())) == "pod.none"
    assert refused(three(unread=("pods:403",))) == "pod.unread"
    assert refused(three(unread=("pods",))) == "pod.unread"
    going = three()
    going.object["metadata"]["deletionTimestamp"] = ago(1)
    assert refused(going) == "plan.deleting"
    assert refused(observed(workload(), pod("web-a"))) == "pod.unowned"
    mirror = owned(annotations={"kubernetes.io/config.mirror": "x"})
    assert refused(observed(workload(), mirror)) == "pod.mirror"
    deleted = owned(deletionTimestamp=ago(60), finalizers=["a/b"])
    assert refused(observed(workload(), deleted)) == "pod.going"
    assert refused(three(budgets=(budget(), budget("more")))) == "pod.several_budgets"


def test_a_pod_that_serves_nobody_is_under_no_budget() -> None:
    pending = owned()
    pending["status"]["phase"] = "Pending"
    draft = drafted(observed(workload(), pending, budgets=(budget(allowed=0), budget("more"))))
    assert draft.change.verb == "delete"


@pytest.mark.parametrize(
    ("ready", "blocking", "key"),
    [
        (True, budget(allowed=0, healthy=2), "pod.blocked"),
        (True, budget(allowed=0, needed=3), "pod.blocked_ever"),
        (False, budget(allowed=0, healthy=1), "pod.blocked_unready"),
        (False, budget(allowed=0, healthy=0, needed=0), "pod.blocked_unready"),
    ],
)
def test_a_budget_with_nothing_to_spare_is_said_with_what_would_help(ready: bool, blocking: Raw, key: str) -> None:
    one = owned("web-a", container() if ready else waiting("CrashLoopBackOff"))
    made = ask(observed(workload(), one, owned("web-b"), budgets=(blocking,)))
    assert isinstance(made, Say)
    assert made.key == key
    assert "PDB web" in spoken(made)


@pytest.mark.parametrize(
    "sparing", [budget(allowed=0, healthy=2), budget(allowed=0, healthy=0, unhealthyPodEvictionPolicy="AlwaysAllow")]
)
def test_a_pod_that_is_not_ready_may_be_spared(sparing: Raw) -> None:
    sick = owned("web-a", waiting("CrashLoopBackOff"))
    assert drafted(observed(workload(), sick, owned("web-b"), budgets=(sparing,))).change.verb == "evict"


def test_what_it_costs() -> None:
    last = observed(workload(replicas=2, ready=1), owned(), owned("web-b", waiting("CrashLoopBackOff")))
    assert "warn.pod_last" in warned(drafted(last))
    assert "warn.pod_last" not in warned(drafted(last, "web-b"))
    volumes = {"volumes": [{"name": "cache", "emptyDir": {}}, {"name": "c", "configMap": {}}]}
    local = owned(spec={**volumes, "terminationGracePeriodSeconds": 120}, finalizers=["a/b"])
    draft = drafted(observed(workload(), local, owned("web-b")))
    assert {"warn.pod_local", "warn.pod_grace", "warn.pod_finalizers"} <= warned(draft)
    assert "cache" in spoken(*draft.warnings)
    ended = owned(spec=volumes)
    ended["status"]["phase"] = "Failed"
    assert "warn.pod_local" not in warned(drafted(observed(workload(), ended, owned("web-b"))))


def conditions(ready: str, containers: str = "True") -> list[Raw]:
    return [{"type": "Ready", "status": ready}, {"type": "ContainersReady", "status": containers}]


def test_a_node_out_of_contact_keeps_its_pod() -> None:
    lost = owned()
    lost["status"]["conditions"] = conditions("False")
    assert "warn.pod_node_lost" in warned(drafted(observed(workload(), lost, owned("web-b"))))
    assert "warn.pod_node_lost_set" in warned(
        drafted(observed(workload("StatefulSet"), lost, owned("web-b"), kind="StatefulSet"))
    )
    gated = owned(spec={"readinessGates": [{"conditionType": "x"}]})
    gated["status"]["conditions"] = conditions("False")
    assert "warn.pod_node_lost" not in warned(drafted(observed(workload(), gated, owned("web-b"))))
    sick = owned()
    sick["status"]["conditions"] = conditions("False", "False")
    assert "warn.pod_node_lost" not in warned(drafted(observed(workload(), sick, owned("web-b"))))
    named = owned()
    named["status"]["reason"] = "NodeLost"
    assert "warn.pod_node_lost" in warned(drafted(observed(workload(), named, owned("web-b"))))


def test_a_majority_is_not_broken_lightly() -> None:
    whole = three("StatefulSet")
    assert (drafted(whole).risk, "warn.pod_quorum" in warned(drafted(whole))) == ("medium", False)
    short = observed(
        workload("StatefulSet", ready=2),
        owned("web-a"), owned("web-b"), owned("web-c", waiting("CrashLoopBackOff")),
        kind="StatefulSet",
    )  # fmt: skip
    assert (drafted(short).risk, "warn.pod_quorum" in warned(drafted(short))) == ("high", True)
    assert drafted(short, "web-c").risk == "medium"
    pair = observed(workload("StatefulSet", replicas=2), owned("web-a"), owned("web-b"), kind="StatefulSet")
    assert drafted(pair).risk == "medium"


def test_gone_or_going_is_what_was_wanted() -> None:
    plan = plan_of(drafted(three()))
    assert not ACTION.holds({}, plan)
    assert not ACTION.holds(owned(), plan)
    assert ACTION.holds(owned(deletionTimestamp=ago(0)), plan)
    assert ACTION.holds(owned("web-a", uid="other"), plan)


def followed(found: Observed, seconds: int = 0) -> tuple[bool, bool, str]:
    plan = msgspec.structs.replace(plan_of(drafted(three())), uid="u-web", created=found.at - 60_000)
    progress = ACTION.progress(msgspec.structs.replace(found, at=found.at + seconds * 1000), plan)
    assert spoken(progress.line)
    return progress.finished, progress.failed, progress.line.key


def test_it_is_followed_until_another_is_ready() -> None:
    going = owned(deletionTimestamp=ago(-30))
    rest = (owned("web-b"), owned("web-c"))
    assert followed(observed(workload(ready=2), going, *rest)) == (False, False, "progress.pod_stopping")
    assert followed(observed(workload(ready=2), going, *rest), 40) == (False, False, "progress.pod_stuck")
    assert followed(observed(workload(ready=2), *rest)) == (False, False, "progress.pod_gone")
    assert followed(observed(workload(), *rest, owned("web-d"))) == (True, False, "progress.pod_replaced")


def test_it_fails_with_the_new_pod_the_workload_or_the_deletion() -> None:
    rest = (owned("web-b"), owned("web-c"))
    new = owned("web-d", waiting("ImagePullBackOff"), creationTimestamp=ago(30))
    assert followed(observed(workload(ready=2), *rest, new)) == (True, True, "progress.failing")
    old = owned("web-d", waiting("ImagePullBackOff"), creationTimestamp=ago(300))
    assert followed(observed(workload(ready=2), *rest, old)) == (False, False, "progress.pod_gone")
    assert followed(three()) == (True, True, "progress.pod_stays")
    assert followed(observed(workload(), unread=("pods:Forbidden",))) == (False, False, "pod.unread")
    other = three()
    other.object["metadata"]["uid"] = "another"
    assert followed(other) == (True, True, "progress.replaced")
