"""One control plane a run, one namespace a test. Loaded for all tests, so that contracts can run on it too."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from tests.cluster.api import Api
from tests.cluster.binaries import Missing, find
from tests.cluster.controlplane import ControlPlane
from tests.cluster.kubelet.namespaces import Isolation, NotPermitted

RUNS: Final[dict[str, dict[str, object]]] = {
    "registry.test/chatops-bot": {"entrypoint": ["chatops-bot"], "cmd": ["run"]},
    "docker.io/valkey/valkey": {"cmd": ["valkey-server"], "network": "own"},
}
"""What is run as processes, where the machine permits that: the bot, and the Redis that its chart brings. Everything else
is only said to run."""

_ENV: Final = {"CHATOPS_HTTP__HOST": "$(POD_IP)"}
"""All pods share this machine's ports."""

_numbers = itertools.count(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever starts a control plane can be chosen, or left out, by one marker."""
    for item in items:
        if "controlplane" in getattr(item, "fixturenames", ()):
            item.add_marker("controlplane")


@cache
def why_nothing_is_run() -> str:
    """Why images cannot be run as processes here; "" where they can."""
    try:
        Isolation.find()
    except NotPermitted as problem:
        return str(problem)
    return ""


@pytest.fixture(scope="session")
def controlplane() -> Iterator[ControlPlane]:
    try:
        binaries = find()
    except Missing as problem:
        pytest.skip(f"the tests on a real control plane are left out: {problem}")
    runs = RUNS if not why_nothing_is_run() else {}
    running = ControlPlane(binaries, runs=runs, env=_ENV)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def admin(controlplane: ControlPlane) -> Api:
    return controlplane.api()


@pytest.fixture
def namespace(admin: Api) -> Iterator[str]:
    """A namespace of the test's own. Its deletion is not waited for: it takes ten seconds."""
    name = f"test-{next(_numbers)}"
    admin.make("/api/v1/namespaces", {"metadata": {"name": name}})
    admin.until(f"/api/v1/namespaces/{name}/serviceaccounts/default", lambda _found: True)
    yield name
    admin.delete(f"/api/v1/namespaces/{name}")
