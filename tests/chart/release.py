"""One release of the chart on the real control plane, by the real Helm."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.chart.rendering import CHART, RELEASE, Helm, HelmError, Json
from tests.cluster.api import Api
from tests.cluster.controlplane import ControlPlane

NAME = f"{RELEASE}-chatops-bot"
"""What its objects are called."""

_CORE = "/api/v1"
_APPS = "/apis/apps/v1"
_RBAC = "/apis/rbac.authorization.k8s.io/v1"
_INSTANCE = f"?labelSelector=app.kubernetes.io/instance={RELEASE}"

_NAMESPACED = {
    "ConfigMap": f"{_CORE}/namespaces/{{}}/configmaps",
    "Secret": f"{_CORE}/namespaces/{{}}/secrets",
    "Service": f"{_CORE}/namespaces/{{}}/services",
    "ServiceAccount": f"{_CORE}/namespaces/{{}}/serviceaccounts",
    "PersistentVolumeClaim": f"{_CORE}/namespaces/{{}}/persistentvolumeclaims",
    "Pod": f"{_CORE}/namespaces/{{}}/pods",
    "Deployment": f"{_APPS}/namespaces/{{}}/deployments",
    "StatefulSet": f"{_APPS}/namespaces/{{}}/statefulsets",
    "Role": f"{_RBAC}/namespaces/{{}}/roles",
    "RoleBinding": f"{_RBAC}/namespaces/{{}}/rolebindings",
    "NetworkPolicy": "/apis/networking.k8s.io/v1/namespaces/{}/networkpolicies",
    "PodDisruptionBudget": "/apis/policy/v1/namespaces/{}/poddisruptionbudgets",
    "CronJob": "/apis/batch/v1/namespaces/{}/cronjobs",
    "Ingress": "/apis/networking.k8s.io/v1/namespaces/{}/ingresses",
}
_OPERATED = {
    "ServiceMonitor": "/apis/monitoring.coreos.com/v1/namespaces/{}/servicemonitors",
    "PrometheusRule": "/apis/monitoring.coreos.com/v1/namespaces/{}/prometheusrules",
}
_GLOBAL = {"ClusterRole": f"{_RBAC}/clusterroles", "ClusterRoleBinding": f"{_RBAC}/clusterrolebindings"}


@dataclass(frozen=True)
class Release:
    """`namespace` holds the bot, `served` is where it may act. `folder` is for what Helm keeps beside the cluster."""

    helm: Helm
    controlplane: ControlPlane
    namespace: str
    served: str
    folder: Path

    @property
    def api(self) -> Api:
        return self.controlplane.api()

    @property
    def account(self) -> str:
        """How the API server calls the bot."""
        return f"system:serviceaccount:{self.namespace}:{NAME}"

    def run(self, *arguments: str, values: Mapping[str, Any] | None = None) -> str:
        """One command. Raises `HelmError`."""
        kubeconfig = self.controlplane.kubeconfig()
        command = [str(self.helm.binary), *arguments, "--namespace", self.namespace, "--kubeconfig", str(kubeconfig)]
        # What it remembers of a server must not be that of an earlier one on the same port.
        places = {name: str(self.folder / name) for name in ("KUBECACHEDIR", "HELM_CACHE_HOME", "HELM_CONFIG_HOME")}
        done = subprocess.run(
            [*command, *(["-f", "-"] if values is not None else [])],
            input=json.dumps(values),
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **places},
        )
        if done.returncode:
            raise HelmError(f"{done.stderr}{done.stdout}")
        return done.stdout

    async def install(self, values: Mapping[str, Any], *options: str, chart: Path = CHART) -> str:
        """`helm install --wait`, while the test's own servers go on."""
        command = ("install", RELEASE, str(chart), "--wait", "--timeout", "60s", *options)
        return await asyncio.to_thread(self.run, *command, values=values)

    async def upgrade(self, values: Mapping[str, Any], *options: str, chart: Path = CHART) -> str:
        command = ("upgrade", RELEASE, str(chart), "--wait", "--timeout", "60s", *options)
        return await asyncio.to_thread(self.run, *command, values=values)

    async def rollback(self, *options: str) -> str:
        """To the revision before."""
        return await asyncio.to_thread(self.run, "rollback", RELEASE, "--wait", "--timeout", "60s", *options)

    async def uninstall(self) -> str:
        return await asyncio.to_thread(self.run, "uninstall", RELEASE, "--wait", "--timeout", "60s")

    def status(self) -> str:
        """Of the newest revision, in Helm's word."""
        said: str = json.loads(self.run("status", RELEASE, "-o", "json"))["info"]["status"]
        return said

    def objects(self) -> set[tuple[str, str, str]]:
        """Kind, namespace and name of everything that bears the release's label; and of Helm's own records."""
        places = [
            (kind, path.format(namespace)) for kind, path in _NAMESPACED.items() for namespace in self._namespaces()
        ]
        found = set()
        for kind, path in [*places, *_GLOBAL.items()]:
            for item in self.api.get(f"{path}{_INSTANCE}").json["items"]:
                found.add((kind, item["metadata"].get("namespace", ""), item["metadata"]["name"]))
        records = self.api.get(f"{_CORE}/namespaces/{self.namespace}/secrets?labelSelector=owner=helm").json["items"]
        return found | {("Record", self.namespace, item["metadata"]["name"]) for item in records}

    def pods(self, component: str = "bot") -> list[Json]:
        """Those that are not on their way out."""
        chosen = f"{_INSTANCE},app.kubernetes.io/component={component}"
        items = self.api.get(f"{_CORE}/namespaces/{self.namespace}/pods{chosen}").json["items"]
        return [pod for pod in items if "deletionTimestamp" not in pod["metadata"]]

    def ready(self) -> list[str]:
        """Addresses behind the Service."""
        return sorted(pod["status"]["podIP"] for pod in self.pods() if is_ready(pod))

    def log(self, pod: str) -> list[Json]:
        """Lines of a pod's log as the API server gives it."""
        text = self.api.get(f"{_CORE}/namespaces/{self.namespace}/pods/{pod}/log").text
        return [json.loads(line) if line.startswith("{") else {"message": line} for line in text.splitlines()]

    def writes(self) -> list[tuple[str, str, Json]]:
        """What the bot changed in the cluster, by the API server's own record: verb, object, and the spec that was sent."""
        found = self.controlplane.writes(user=self.account, verbs=("create", "update", "patch", "delete"))
        return [
            (event["verb"], _shown(event["objectRef"]), event["requestObject"].get("spec", {}))
            for event in found
            if event["objectRef"]["resource"] not in (*_REVIEWS, "events")  # what it tells of a change is none
        ]

    def path_of(self, obj: Json) -> str:
        """Where an object is on the server, made or not."""
        namespace = obj["metadata"].get("namespace", self.namespace)
        collection = {**_NAMESPACED, **_OPERATED, **_GLOBAL}[obj["kind"]].format(namespace)
        return f"{collection}/{obj['metadata']['name']}"

    def secrets(self, name: str) -> str:
        """Where a Secret beside the release is."""
        return _NAMESPACED["Secret"].format(self.namespace) + f"/{name}"

    def secret(self, name: str, **data: str) -> None:
        """A Secret beside the release, as a team makes it."""
        path = f"{_CORE}/namespaces/{self.namespace}/secrets"
        self.api.make(path, {"metadata": {"name": name}, "stringData": data})

    def _namespaces(self) -> tuple[str, ...]:
        return (self.namespace, self.served, "default")


_REVIEWS = ("selfsubjectreviews", "selfsubjectaccessreviews")


def _shown(reference: Json) -> str:
    return f"{reference['namespace']}/{reference['resource']}/{reference['name']}"


def is_ready(pod: Json) -> bool:
    conditions = pod["status"].get("conditions", [])
    return ("Ready", "True") in [(each["type"], each["status"]) for each in conditions]


async def until(holds: Callable[[], bool]) -> None:
    """The limit only ends a test that has failed."""
    async with asyncio.timeout(30):
        while not await asyncio.to_thread(holds):  # noqa: ASYNC110 (what is awaited happens in the cluster)
            await asyncio.sleep(0.05)
