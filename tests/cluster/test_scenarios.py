"""Transcripts on a real control plane: each holds, prints what it prints on the sandbox, and the API server's own log
says that what was executed was.

In the quick suite play those that are about what becomes of plans; those about words play in the deep one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.app import transcript
from chatops_bot.app.real_cluster.cluster import namespaces_of
from tests.cluster import scenarios
from tests.cluster.controlplane import ControlPlane
from tests.cluster.scenarios import OUTSIDE, OWN, SCENES, Played, Turn, begin, end

NOT_ON_A_REAL_CLUSTER = {
    "alerts-soon-the-same-card-later-a-new-one": "tells at what time of its own day alerts came; here it is another day",
    "alerts-the-card-outlives-what-is-done-about-it": "likewise",
    "alerts-whether-one-still-fires-is-answered-below-its-card": "likewise",
    "nodes-cordon-and-uncordon": "has nodes of its own, which others' pods would be placed on",
    "nodes-drain-in-waves": "likewise",
    "nodes-drain-is-stopped-by-an-uncordon": "likewise",
    "nodes-drain-that-a-budget-holds-up": "likewise",
    "nodes-what-is-lost-is-said-outright": "likewise",
    "nodes-who-may": "likewise",
    "nodes-whose-cordon-it-is": "likewise",
    "policy-pods-of-a-node-are-shown-to-those-who-may-see-them": "has nodes of its own",
    "rollouts-scale-restart-and-abort": "needs the controller of Argo Rollouts, which the sandbox plays",
    "rollouts-what-is-argos-own-and-what-is-the-wrong-target": "likewise",
    "waiting-words-before-a-question": "quotes what the sandbox's own programs print",
}
"""And why. Everything else holds there as it stands."""

PLAYABLE = [path for path in (*OWN, *OUTSIDE) if path.stem not in NOT_ON_A_REAL_CLUSTER]
ABOUT_THE_CLUSTER = (
    "alerts",
    "approvals",
    "audit",
    "clicks",
    "expiry",
    "injection",
    "lock",
    "outage",
    "policy",
    "readonly",
    "restart",
    "rooms",
    "target",
    "undo",
)
"""How the names begin of rules about what becomes of plans, and about a cluster's objects. The others are about words."""

QUICK = [path for path in PLAYABLE if path in OWN and path.stem.startswith(ABOUT_THE_CLUSTER)]

LIMIT_S = 200.0


@pytest.fixture(scope="module")
def kubeconfig(controlplane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    admin = controlplane.api()
    scenarios.make_account(admin)
    yield scenarios.kubeconfig(controlplane, tmp_path_factory.mktemp("scenarios"))
    scenarios.remove_account(admin)
    for name in {name for path in (*SCENES, *PLAYABLE) for name in namespaces_of(transcript.read(path))}:
        admin.delete(f"/api/v1/namespaces/{name}")


def play_on_both(paths: list[Path], kubeconfig: Path, *, within_s: float = LIMIT_S) -> tuple[Played, Played]:
    """On the real cluster and, beside it, on the sandbox."""
    real = begin(paths, "--cluster", str(kubeconfig), "--bot-context", scenarios.CONTEXT)
    sandbox = begin(paths)
    try:
        return end(real, paths, within_s=within_s), end(sandbox, paths, within_s=within_s)
    finally:
        for process in (real, sandbox):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def played(kubeconfig: Path) -> tuple[Played, Played]:
    return play_on_both([*SCENES, *QUICK], kubeconfig)


@pytest.fixture(scope="module")
def logged(played: tuple[Played, Played], controlplane: ControlPlane) -> list[dict[str, Any]]:
    """All that the bot asked to be written for these, by the API server's log."""
    return [event for event in controlplane.audit() if event["user"]["username"] == scenarios.user()]


@pytest.mark.timeout(LIMIT_S + 30)
def test_every_transcript_holds(played: tuple[Played, Played]) -> None:
    real, _ = played
    failed = [path.stem for path in real.turns if not real.verdict(path)]
    assert (real.code, failed) == (0, []), real.said


@pytest.mark.timeout(LIMIT_S + 30)
def test_the_same_is_printed_as_on_the_sandbox(played: tuple[Played, Played]) -> None:
    assert differences(*played) == []


@pytest.mark.timeout(LIMIT_S + 30)
def test_the_api_servers_log_tells_the_same_as_what_was_executed(
    played: tuple[Played, Played], logged: list[dict[str, Any]]
) -> None:
    executed = [(done["namespace"], done["target"].partition("/")[2]) for done in executed_in(played[0])]
    carried_out = [
        (event["objectRef"]["namespace"], event["objectRef"]["name"])
        for event in logged
        if event["verb"] == "patch" and event["responseStatus"]["code"] == 200 and "dryRun=" not in event["requestURI"]
    ]
    assert len(executed) >= 30
    assert carried_out == executed
    assert {event["verb"] for event in logged} <= {"patch", "create"}
    assert {event["objectRef"]["resource"] for event in logged if event["verb"] == "create"} <= {
        "selfsubjectreviews",
        "selfsubjectaccessreviews",
    }


@pytest.mark.timeout(LIMIT_S + 30)
def test_the_interruption_scenario_scales_what_was_spoken_of_once(played: tuple[Played, Played]) -> None:
    real, _ = played
    (path,) = (path for path in SCENES if path.stem == "interruption")
    scaled = {"action": "scale", "target": "deployment/payment-svc", "namespace": "payments", "replicas": 5}
    assert [done for turn in real.turns[path] for done in turn["executed"]] == [scaled]


@pytest.mark.timeout(LIMIT_S + 30)
@pytest.mark.parametrize("stem", NOT_ON_A_REAL_CLUSTER)
def test_what_is_said_not_to_play_there_does_not(stem: str, kubeconfig: Path) -> None:
    (path,) = (path for path in (*OWN, *OUTSIDE) if path.stem == stem)
    real, sandbox = play_on_both([path], kubeconfig)
    assert (real.verdict(path), sandbox.verdict(path)) == (False, True)


@pytest.mark.deep
@pytest.mark.timeout(600)
def test_every_other_transcript_holds_as_well(kubeconfig: Path) -> None:
    paths = [path for path in PLAYABLE if path not in QUICK]
    real, sandbox = play_on_both(paths, kubeconfig, within_s=570)
    assert [path.stem for path in paths if not real.verdict(path)] == [], real.said
    assert differences(real, sandbox) == []


def executed_in(played: Played) -> Iterator[Turn]:
    return (done for turns in played.turns.values() for turn in turns for done in turn["executed"])


def differences(real: Played, sandbox: Played) -> list[str]:
    """Turns that were printed otherwise."""
    found = []
    for path, turns in real.turns.items():
        for here, there in zip(comparable(turns), comparable(sandbox.turns[path]), strict=True):
            if here != there:
                found.append(f"{path.stem}: turn {here['turn']}: {here} on the sandbox {there}")
    return found


AGE = re.compile(r"\b\d+(?:d\d+h|h\d+m|[smhd])\b")


def comparable(turns: list[Turn]) -> list[Turn]:
    """What has to be the same. Texts name pods and ages, and a plan warns of what was made just now. The ids of threads
    that alerts open hold the minute. What a diagnosis offers goes by its findings, and here all pods are young."""
    threads: dict[str, str] = {}
    found = []
    for turn in turns:
        plan = turn["plan"] and {key: value for key, value in turn["plan"].items() if key != "warnings"}
        if plan:
            plan["preview"] = [AGE.sub("AGE", line) for line in plan["preview"]]
        left = {"reply", "buttons"} if "status" in turn["intents"] else {"reply"}
        kept = {key: value for key, value in turn.items() if key not in left}
        found.append({**kept, "plan": plan, "thread": threads.setdefault(turn["thread"], str(len(threads)))})
    return found
