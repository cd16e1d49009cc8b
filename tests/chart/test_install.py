"""The chart installed on a real control plane, with the bot really running in its pods."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from typing import Any

import pytest
import yaml

from chatops_bot.adapters.slack.fake.deliveries import SECRET
from tests.chart.conftest import Store, helm_of
from tests.chart.release import NAME, Release, is_ready, until
from tests.chart.rendering import CHART, RELEASE, VALUES, HelmError, Json
from tests.chart.slack_team import ALICE, BOB, BOT_TOKEN, Team
from tests.chart.workloads import replicas_of, workload
from tests.cluster.controlplane import ControlPlane

DOCTOR = f"{NAME}-doctor"
OPERATOR = "monitoring.coreos.com"
KINDS_OF_THE_OPERATOR = {"ServiceMonitor": "servicemonitors", "PrometheusRule": "prometheusrules"}


@pytest.fixture(scope="module")
def operator(controlplane: ControlPlane) -> None:
    """Kinds of the Prometheus operator, as far as a server has to know them."""
    api = controlplane.api()
    for kind, plural in KINDS_OF_THE_OPERATOR.items():
        schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
        version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
        spec = {
            "group": OPERATOR,
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural, "singular": kind.lower()},
            "versions": [version],
        }
        path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        api.make(path, {"metadata": {"name": f"{plural}.{OPERATOR}"}, "spec": spec})
    for plural in KINDS_OF_THE_OPERATOR.values():
        while api.get(f"/apis/{OPERATOR}/v1/{plural}").status != 200:
            time.sleep(0.02)


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.usefixtures("operator")
def test_a_server_takes_everything_that_is_rendered(release: Release, name: str) -> None:
    """Each object is sent as it is, with unknown fields refused: the rehearsal of Helm alone looks at less."""
    values = yaml.safe_load((CHART / "ci" / f"{name}-values.yaml").read_text("utf-8"))
    places = {"payments": release.served, "data": release.namespace}
    values["namespaces"] = [places.get(each, each) for each in values.get("namespaces", [])]

    said = json.loads(release.run("install", RELEASE, str(CHART), "--dry-run=server", "-o", "json", values=values))

    texts = [said["manifest"], *(hook["manifest"] for hook in said.get("hooks", []))]
    objects = [each for text in texts for each in yaml.safe_load_all(text) if each]
    assert {"Deployment", "ConfigMap", "Pod"} <= {each["kind"] for each in objects}
    for each in objects:
        if each["kind"] == "Pod":  # asks for its account to be there
            each["spec"]["serviceAccountName"] = "default"
        path = f"{release.path_of(each)}?dryRun=All&fieldManager=test&fieldValidation=Strict"
        answer = release.api.patch(path, each, kind="apply")
        assert answer.status == 201, f"{each['kind']} {each['metadata']['name']}: {answer.text}"
        assert "Warning" not in answer.headers, answer.headers["Warning"]
    assert release.objects() == set()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"replicaCount": -1}, "replicaCount"),
        ({"actions": ["scale", "explode"]}, "actions"),
        ({"slack": {}}, "slack.existingSecret"),
        ({"redis": {"mode": "external", "external": {"passwordKey": "password"}}}, "redis.external.existingSecret"),
        ({"remoteClusters": [{"name": "far"}]}, "secretName"),
        ({"image": {}}, "repository"),
    ],
)
def test_wrong_values_are_refused_before_anything_is_made(release: Release, wrong: dict[str, Any], words: str) -> None:
    values = yaml.safe_load((CHART / "ci" / "minimal-values.yaml").read_text("utf-8"))
    with pytest.raises(HelmError, match=words):
        release.run("install", RELEASE, str(CHART), values={**values, "namespaces": [release.served], **wrong})
    assert release.objects() == set()


async def test_an_incident_in_an_installation(
    running: Release, team: Team, store: Store, values: dict[str, Any]
) -> None:
    served = running.served
    workload(running.api, served, "payment-svc", replicas=2)
    workload(running.api, served, "order-db", replicas=3, kind="StatefulSet")

    values |= {"cronJobs": {"audit-verify": {"schedule": "17 3 * * *", "args": ["audit", "verify"]}}}
    with store.frozen():
        installing = asyncio.create_task(running.install(values))
        # Up, but of no use yet: no restart, and nothing is led to it.
        await until(lambda: [_started(pod) for pod in running.pods()] == [True, True])
        assert running.ready() == []
    await installing
    assert len(running.ready()) == 2
    assert running.status() == "deployed"

    await team.say(ALICE, "payment-svc in prod seems to time out, how are its pods?")
    await team.card("payment-svc is healthy")
    await team.say(BOB, "any slow queries in order-db?")
    await team.card("order-db is healthy")
    await team.say(ALICE, "ok, scale it to 5")
    plan = await team.card("2 → 5")
    assert running.writes() == []
    await asyncio.gather(*(team.click(user, plan, "confirm") for user in (BOB, BOB, ALICE)))
    await team.card("Done: scale payment-svc")

    # Counted by the API server, under the name that the chart gave it.
    assert running.writes() == [("patch", f"{served}/deployments/payment-svc", {"replicas": 5})]
    assert replicas_of(running.api, served, "payment-svc") == 5
    assert replicas_of(running.api, served, "order-db", "StatefulSet") == 3

    said = await asyncio.to_thread(running.run, "test", RELEASE, "--logs")
    assert "Phase:          Succeeded" in said
    assert f"ok    cluster prod-east knows the bot as {running.account}" in said
    assert not [line for line in said.splitlines() if line.startswith(("bad", "warn"))]

    assert "no chain is broken" in await asyncio.to_thread(_nightly_work, running, "audit-verify")
    assert "verdicts are new" in await asyncio.to_thread(_nightly_work, running, "settle")

    for pod in running.pods():
        log = running.log(pod["metadata"]["name"])
        assert [line for line in log if line.get("message") == "running"]
        for secret in (BOT_TOKEN, SECRET, store.password):
            assert secret not in json.dumps(log)
        assert pod["status"]["containerStatuses"][0]["restartCount"] == 0

    await running.uninstall()
    await until(lambda: running.objects() == {("Pod", running.namespace, DOCTOR)})


async def test_a_bundled_redis_keeps_what_it_was_told(running: Release, team: Team, values: dict[str, Any]) -> None:
    """With the older major of Helm."""
    older = replace(running, helm=helm_of(-1))
    values = {key: value for key, value in values.items() if key != "redis"} | {"replicaCount": 1}
    workload(running.api, running.served, "web", replicas=1)
    await older.install(values)
    password = running.api.get(running.secrets(f"{NAME}-redis")).json["data"]
    assert len(password["password"]) > 40

    await team.say(ALICE, "scale web to 2")
    plan = await team.card("1 → 2")
    (redis,) = running.pods("redis")
    running.api.delete(f"/api/v1/namespaces/{running.namespace}/pods/{redis['metadata']['name']}")
    await until(lambda: [is_ready(pod) for pod in running.pods("redis")] == [True])
    await team.click(ALICE, plan, "confirm")
    await team.card("Done: scale web")

    before = [pod["metadata"]["uid"] for component in ("bot", "redis") for pod in running.pods(component)]
    await older.upgrade(values)
    assert running.api.get(running.secrets(f"{NAME}-redis")).json["data"] == password
    assert [pod["metadata"]["uid"] for component in ("bot", "redis") for pod in running.pods(component)] == before
    assert [what for _, _, what in running.writes()] == [{"replicas": 2}]

    await older.uninstall()
    claim = ("PersistentVolumeClaim", running.namespace, f"data-{NAME}-redis-0")
    await until(lambda: running.objects() == {claim})


def _nightly_work(release: Release, name: str) -> str:
    """What a CronJob's command says, run now, as `kubectl create job --from` does."""
    api, jobs = release.api, f"/apis/batch/v1/namespaces/{release.namespace}/jobs"
    cron = api.get(release.path_of({"kind": "CronJob", "metadata": {"name": f"{NAME}-{name}"}})).json
    api.make(jobs, {"metadata": {"name": name}, "spec": cron["spec"]["jobTemplate"]["spec"]})
    api.until(f"{jobs}/{name}", lambda found: found["status"].get("succeeded") == 1)
    (pod,) = release.pods("job")
    said = "\n".join(line.get("message", "") for line in release.log(pod["metadata"]["name"]))
    api.delete(f"{jobs}/{name}?propagationPolicy=Foreground")
    return said


def _started(pod: Json) -> bool:
    return bool(pod["status"].get("containerStatuses", [{}])[0].get("started"))
