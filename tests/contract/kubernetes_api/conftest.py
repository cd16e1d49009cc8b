"""The API of Kubernetes as its clients see it: every test here runs on the sandbox and on a real API server.

What is said here is what a real server does. Where the sandbox does otherwise, the sandbox is wrong.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
import urllib3

from chatops_bot.adapters.sandbox import Access, Sandbox, Timing, User
from tests.cluster.api import Api
from tests.cluster.controlplane import ControlPlane
from tests.contract.kubernetes_api.rules import Rules
from tests.contract.kubernetes_api.shop import Shop

T = TypeVar("T")
Json = dict[str, Any]

KINDS = ("sandbox", "controlplane")
ADMIN = "admin"
CUSTOM: Json = {
    "group": "argoproj.io",
    "scope": "Namespaced",
    "names": {"plural": "rollouts", "singular": "rollout", "kind": "Rollout", "listKind": "RolloutList"},
}
"""A kind that is not built in, with a status and a scale."""

_numbers = itertools.count(1)


class Backend(Protocol):
    """A server under test, used as an administrator."""

    api: Api

    def anonymous(self) -> Api:
        """Without credentials."""

    def account(self, namespace: str) -> tuple[str, Api]:
        """A user with credentials of its own, who may do nothing yet, and its requests."""

    def grant(self, user: str, namespace: str, rules: Sequence[Json]) -> None:
        """Let a user do what these rules of RBAC say, in one namespace. Nobody else may do anything."""

    def define_custom(self) -> None:
        """Make the kind `CUSTOM` known."""

    def forget(self) -> None:
        """Drop the history that continued lists are read from."""


class Loop:
    """An event loop in a thread of its own, since the tests here are not asynchronous."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="sandbox")
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    def do(self, work: Callable[[], T]) -> T:
        async def wrapped() -> T:
            return work()

        return self.run(wrapped())

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class SandboxBackend:
    def __init__(self, sandbox: Sandbox, loop: Loop, nowhere: Path) -> None:
        self._sandbox = sandbox
        self._loop = loop
        self._nowhere = nowhere
        self._granted = Rules()
        sandbox.access.tokens[ADMIN] = User(ADMIN, ("system:masters", "system:authenticated"), uid=ADMIN)
        sandbox.access.authorizer = self._allowed
        self.api = Api(sandbox.url, ADMIN, nowhere)

    def _allowed(self, access: Access) -> bool:
        return "system:masters" in access.user.groups or self._granted.allow(access)

    def anonymous(self) -> Api:
        return Api(self._sandbox.url, "", self._nowhere)

    def account(self, namespace: str) -> tuple[str, Api]:
        user = f"system:serviceaccount:{namespace}:default"
        groups = ("system:serviceaccounts", f"system:serviceaccounts:{namespace}", "system:authenticated")
        self._sandbox.access.tokens[user] = User(user, groups)
        return user, Api(self._sandbox.url, user, self._nowhere)

    def grant(self, user: str, namespace: str, rules: Sequence[Json]) -> None:
        self._granted.add(user, namespace, rules)

    def define_custom(self) -> None:
        manifest = {
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "Rollout",
            "metadata": {"name": "first", "namespace": "default"},
        }
        self._loop.do(lambda: self._sandbox.apply({"objects": [{**manifest, "spec": {"replicas": 1}}]}))

    def forget(self) -> None:
        self._loop.do(self._sandbox.store.compact)


class ControlPlaneBackend:
    def __init__(self, running: ControlPlane) -> None:
        self._running = running
        self.api = running.api()

    def anonymous(self) -> Api:
        return Api(self._running.url, "", self._running.ca_file)

    def account(self, namespace: str) -> tuple[str, Api]:
        path = f"/api/v1/namespaces/{namespace}/serviceaccounts/default"
        self.api.until(path, lambda _: True)
        token = self.api.make(f"{path}/token", {"spec": {}})["status"]["token"]
        return f"system:serviceaccount:{namespace}:default", self._running.api(token)

    def grant(self, user: str, namespace: str, rules: Sequence[Json]) -> None:
        path = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}"
        self.api.make(f"{path}/roles", {"metadata": {"name": user}, "rules": list(rules)})
        subject = {"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": user}
        role = {"kind": "Role", "apiGroup": "rbac.authorization.k8s.io", "name": user}
        self.api.make(f"{path}/rolebindings", {"metadata": {"name": user}, "roleRef": role, "subjects": [subject]})
        # Roles are read from a cache of the authorizer.
        review = {"user": user, "resourceAttributes": {**attributes(rules[0]), "namespace": namespace}}
        ends = time.monotonic() + 10
        while not self.api.make(REVIEWS, {"spec": review})["status"]["allowed"]:
            assert time.monotonic() < ends
            time.sleep(0.01)

    def define_custom(self) -> None:
        anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
        version = {
            "name": "v1alpha1",
            "served": True,
            "storage": True,
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": anything, "status": anything}}},
            "subresources": {
                "status": {},
                "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"},
            },
        }
        body = {"metadata": {"name": "rollouts.argoproj.io"}, "spec": {**CUSTOM, "versions": [version]}}
        self.api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body)
        ends = time.monotonic() + 10
        while self.api.get("/apis/argoproj.io/v1alpha1/rollouts").status != 200:
            assert time.monotonic() < ends
            time.sleep(0.02)

    def forget(self) -> None:
        self._running.compact()


REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"


def attributes(rule: Json) -> Json:
    """What the first verb and resource of a rule are asked as."""
    resource, _, subresource = rule["resources"][0].partition("/")
    found = {"verb": rule["verbs"][0], "group": rule["apiGroups"][0], "resource": resource, "subresource": subresource}
    return {key: value for key, value in found.items() if value}


@pytest.fixture(scope="session", params=[KINDS[0], pytest.param(KINDS[1], marks=pytest.mark.controlplane)])
def backend(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    """One of each kind for the whole run; a namespace keeps a test from the others."""
    if request.param == "controlplane":
        yield ControlPlaneBackend(request.getfixturevalue("controlplane"))
        return
    loop = Loop()
    sandbox = loop.do(lambda: Sandbox(time.time, auto=True, timing=Timing(start=0.02, ready=0.01, stop=0.02)))
    loop.run(sandbox.__aenter__())
    yield SandboxBackend(sandbox, loop, tmp_path_factory.mktemp("none"))
    loop.run(sandbox.__aexit__(None, None, None))
    loop.close()


@pytest.fixture
def shop(backend: Backend) -> Iterator[Shop]:
    """A namespace of the test's own."""
    name = f"shop-{next(_numbers)}"
    backend.api.make("/api/v1/namespaces", {"metadata": {"name": name}})
    if isinstance(backend, ControlPlaneBackend):  # a controller's ConfigMap must not come in the midst of a test
        backend.api.until(f"/api/v1/namespaces/{name}/configmaps/kube-root-ca.crt", lambda _: True)
    yield Shop(backend.api, name)
    backend.api.delete(f"/api/v1/namespaces/{name}")


def acting(user: str, *groups: str) -> urllib3.HTTPHeaderDict:
    """Headers of a request on behalf of somebody; each group has one of its own."""
    headers = urllib3.HTTPHeaderDict({"Impersonate-User": user})
    for group in groups:
        headers.add("Impersonate-Group", group)
    return headers


def follow(api: Api, path: str, *, most: int = 100, seconds: float = 5) -> tuple[list[Json], float]:
    """The events of a watch, until there are `most` of them or the server ends it; and how long that took."""
    begun = time.monotonic()
    response = api.stream(path, timeout=seconds + 5)
    found: list[Json] = []
    rest = b""
    try:
        assert response.status == 200, response.data
        for piece in response.stream(amt=None):
            *lines, rest = (rest + piece).split(b"\n")
            found += [json.loads(line) for line in lines if line.strip()]
            if len(found) >= most:
                break
    finally:
        response.close()
    return found[:most], time.monotonic() - begun
