"""Every symptom staged on a real control plane, read as the chart lets the bot read, and judged; and what only looks odd.

All scenes stand side by side, each in a namespace of its own, and are looked at once, each as much later than it stood as
it says: no machine is too slow for that.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from chatops_bot.adapters.kubernetes import Connection, KubernetesCluster
from chatops_bot.domain.diagnosis import status_report
from chatops_bot.domain.diagnosis.status import judge
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Language
from chatops_bot.domain.observed import Observed
from chatops_bot.domain.reports import Report
from chatops_bot.domain.texts import render
from tests.cluster.api import Api
from tests.cluster.controlplane import ControlPlane
from tests.cluster.symptoms import healthy, of_networks, of_pods, of_workloads, varieties
from tests.cluster.symptoms.ground import Place, Scene, play
from tests.cluster.symptoms.readers import NARROW, RBAC, binding

SYMPTOMS: Final = {**of_pods.SCENES, **of_workloads.SCENES, **of_networks.SCENES}
HEALTHY: Final = healthy.SCENES
VARIETIES: Final = varieties.SCENES
SCENES: Final = {**SYMPTOMS, **VARIETIES, **HEALTHY}

LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh")

ROWS: Final = 43
ON_TOP: Final = 41

STAGED_S: Final = 150
"""Ends a run in which a scene does not come about."""


class Later:
    """Stands at the moment at which somebody asks."""

    def __init__(self) -> None:
        self.at = 0.0

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@pytest.fixture(scope="module")
def stood(controlplane: ControlPlane) -> dict[str, float]:
    """When each scene stood."""
    api = controlplane.api()
    places = {name: _place(api, name) for name in SCENES}
    for place in places.values():
        api.until(f"/api/v1/namespaces/{place.namespace}/serviceaccounts/default", lambda _found: True)
    found = play({name: (scene, places[name]) for name, scene in SCENES.items()}, limit_s=STAGED_S)
    _settled(api)
    return found


@pytest.fixture(scope="module")
def seen(stood: dict[str, float], reader: Path) -> dict[str, Observed]:
    """What the bot has read of every scene."""
    return asyncio.run(_look(reader, stood))


@pytest.fixture(scope="module")
def seen_narrowly(stood: dict[str, float], narrow_reader: Path) -> dict[str, Observed]:
    """Likewise, but of nodes nothing."""
    apart = {name: at for name, at in stood.items() if SCENES[name].kind != "Node"}
    return asyncio.run(_look(narrow_reader, apart))


def _place(api: Api, name: str) -> Place:
    labels = {"pod-security.kubernetes.io/enforce": "privileged"}
    api.make("/api/v1/namespaces", {"metadata": {"name": name, "labels": labels}})
    api.make(f"{RBAC}/namespaces/{name}/rolebindings", binding(NARROW))
    return Place(api, name)


def _settled(api: Api) -> None:
    """Until no Event is written any more: kubelets and controllers write them after everything else."""
    count = -1
    while count != (count := len(api.get("/api/v1/events").json["items"])):
        time.sleep(2)


async def _look(kubeconfig: Path, stood: dict[str, float]) -> dict[str, Observed]:
    clock = Later()
    cluster = KubernetesCluster("prod", Connection.from_kubeconfig(kubeconfig), clock=clock)
    found = {}
    try:
        for name, at in stood.items():
            scene = SCENES[name]
            clock.at = at + scene.after_s
            found[name] = await cluster.observe(_entity(scene), events=True, needs=frozenset({"diagnosis"}))
    finally:
        await cluster.close()
    return found


def _entity(scene: Scene) -> Entity:
    namespace = "" if scene.kind == "Node" else scene.name
    return Entity("prod", namespace, scene.kind, scene.target, scene.target, "prod")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("scene", SYMPTOMS.values(), ids=lambda scene: scene.name)
def test_a_symptom_is_found(scene: Scene, seen: dict[str, Observed]) -> None:
    report = status_report(seen[scene.name], seen[scene.name].at)
    assert not seen[scene.name].unread
    if scene.code:
        assert scene.code in report.codes, card(report)
    else:
        assert (report.codes, report.tone, report.headline.key) == ((), "ok", "status.healthy"), card(report)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("scene", VARIETIES.values(), ids=lambda scene: scene.name)
def test_another_way_in_which_a_symptom_shows(scene: Scene, seen: dict[str, Observed]) -> None:
    observed = seen[scene.name]
    report = status_report(observed, observed.at)
    assert scene.code in report.codes if scene.below else (report.codes or ("",))[0] == scene.code, card(report)
    assert scene.says in card(report).partition("\n\n")[0], card(report)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("crash-loop-of-many", "its log ends: panic: cannot read /etc/web/config.yaml"),
        ("liveness-of-many", "its liveness probe failed: Get"),
        ("not-ready-in-many", "connect: connection refused"),
    ],
)
def test_what_was_read_of_few_pods_is_told_of_all(name: str, says: str, seen: dict[str, Observed]) -> None:
    found = [one for one in judge(seen[name], seen[name].at).findings if one.severity != "info"]
    assert [len(one.pods) for one in found] == [of_pods.MANY]
    assert says in render(found[0].line, "en")


@pytest.mark.timeout(300)
def test_the_symptom_is_the_first_that_is_said(seen: dict[str, Observed], capsys: pytest.CaptureFixture[str]) -> None:
    """Of all rows; the score is printed."""
    tops = {name: next(iter(status_report(one, one.at).codes), "") for name, one in seen.items()}
    rows = {scene.row for scene in SYMPTOMS.values()}
    missed = {scene.row: tops[name] for name, scene in SYMPTOMS.items() if tops[name] != scene.code}
    with capsys.disabled():
        print(f"\n{len(rows - set(missed))} of {len(rows)} symptoms on top; the others: {missed}")  # noqa: T201
    assert rows == set(range(1, ROWS + 1))
    assert len(rows - set(missed)) >= ON_TOP, missed
    assert set(missed) <= {scene.row for scene in SYMPTOMS.values() if scene.below}


OF_NODES: Final = {"node-not-ready": "not_ready", "node-pressure": "not_ready"}
"""What is found where nodes may not be read."""


@pytest.mark.timeout(300)
def test_without_a_look_at_nodes_the_rest_is_found_and_the_gap_is_named(seen_narrowly: dict[str, Observed]) -> None:
    wrong = {}
    for name, observed in seen_narrowly.items():
        scene, report = SCENES[name], status_report(observed, observed.at)
        assert {part.partition(":")[2] for part in observed.unread} <= {"403"}
        code = OF_NODES.get(name, scene.code)
        if code not in (*report.codes, ""):
            wrong[name] = report.codes
        if not code and report.tone not in scene.tones:
            wrong[name] = report.codes
    assert not wrong
    assert "hosts:403" in seen_narrowly["node-not-ready"].unread


@pytest.mark.timeout(300)
@pytest.mark.parametrize("scene", HEALTHY.values(), ids=lambda scene: scene.name)
def test_what_looks_odd_and_is_as_it_should_be_raises_no_alarm(scene: Scene, seen: dict[str, Observed]) -> None:
    observed = seen[scene.name]
    report = status_report(observed, observed.at)
    assert not observed.unread
    if scene.kind == "Node":
        assert report.codes == (), card(report)
    else:
        alarms = [one.code for one in judge(observed, observed.at).findings if one.severity != "info"]
        assert alarms == [], card(report)
    assert report.tone in scene.tones, card(report)


def card(report: Report) -> str:
    """What would be said, in both languages."""
    return "\n\n".join("\n".join(_lines(report, language)) for language in LANGUAGES)


def _lines(report: Report, language: Language) -> Iterator[str]:
    yield f"{report.codes} {report.tone}: {render(report.headline, language)}"
    for number, line in enumerate(report.lines):
        yield f"- {render(line, language)}"
        if number < len(report.details):
            detail = report.details[number]
            yield from (f"    {row}" for row in detail.evidence)
            yield from (f"    ? {render(cause, language)}" for cause in detail.causes)
    yield from (" | ".join(row) for row in report.table)
    yield from (f"! {render(line, language)}" for line in report.unread)
