"""Helm, in each major version that people use; and what an installation finds in a cluster."""

from __future__ import annotations

import itertools
import os
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.adapters.redis.embedded import find_server
from chatops_bot.adapters.slack.fake.deliveries import SECRET
from chatops_bot.adapters.slack.fake.server import FakeSlack
from tests.chart.fetch_helm import CHATOPS_HELM, SOURCES, binaries
from tests.chart.release import Release
from tests.chart.rendering import Helm
from tests.chart.slack_team import BOT_TOKEN, Team
from tests.cluster.api import Api
from tests.cluster.controlplane import ControlPlane
from tests.cluster.fixtures import why_nothing_is_run
from tests.fakes.clock import ManualClock

VERSIONS = ("given",) if os.environ.get(CHATOPS_HELM) else tuple(SOURCES)
PASSWORD = "open-sesame"


def _helm(version: str) -> Helm:
    found = binaries()
    if version not in found:
        pytest.skip(f"there is no Helm {version}; `make helm` fetches it")
    return Helm(version, found[version])


@pytest.fixture(scope="session", params=VERSIONS)
def helm(request: pytest.FixtureRequest) -> Helm:
    """Each version in turn, for what the versions may differ in."""
    return _helm(request.param)


@pytest.fixture(scope="session")
def newest() -> Helm:
    """The newest version, for what depends on the templates alone."""
    return _helm(VERSIONS[0])


def helm_of(place: int) -> Helm:
    """By its place among the versions, newest first."""
    return _helm(VERSIONS[place])


@pytest.fixture
def served(admin: Api, namespace: str) -> Iterator[str]:
    """A namespace with workloads in it, which the bot may look after."""
    name = f"{namespace}-shop"
    admin.make("/api/v1/namespaces", {"metadata": {"name": name}})
    admin.until(f"/api/v1/namespaces/{name}/serviceaccounts/default", lambda _found: True)
    yield name
    admin.delete(f"/api/v1/namespaces/{name}")


@pytest.fixture
def release(controlplane: ControlPlane, newest: Helm, namespace: str, served: str, tmp_path: Path) -> Release:
    """Not installed yet. Tokens of Slack are there, as the first step of the documentation makes them."""
    made = Release(newest, controlplane, namespace, served, tmp_path / "helm")
    made.secret("slack", **{"bot-token": BOT_TOKEN, "signing-secret": SECRET})
    return made


@pytest.fixture
def running(release: Release) -> Release:
    """The same, where pods of the bot are run as processes."""
    problem = why_nothing_is_run()
    if problem:
        pytest.skip(problem)
    return release


@dataclass(frozen=True)
class Store:
    """A Redis of one's own, that of no release."""

    port: int
    password: str
    server: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """It takes connections meanwhile, and answers nothing."""
        self.server.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.server.send_signal(signal.SIGCONT)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {"port": port, "bind": "127.0.0.1", "requirepass": PASSWORD, "appendonly": "yes", "appendfsync": "always"}
    options |= {"save": "", "maxmemory": "64mb", "maxmemory-policy": "noeviction", "dir": tmp_path}
    flags = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    with (tmp_path / "redis.log").open("wb") as log:
        tied = ["setpriv", "--pdeathsig", "KILL", str(find_server()), *flags]  # ends with the tests, however those end
        server = subprocess.Popen(tied, stdout=log, stderr=log)
    for _ in itertools.repeat(None, 500):  # the limit only ends a test that has failed
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.01)
    yield Store(port, PASSWORD, server)
    server.kill()
    server.wait()


@pytest.fixture
async def team(running: Release) -> AsyncIterator[Team]:
    """A Slack whose events go to whatever pods of the release are ready."""
    async with FakeSlack(ManualClock(time.time())) as slack:
        yield Team(slack, running.ready)


@pytest.fixture
def values(running: Release, team: Team, store: Store) -> dict[str, Any]:
    """A whole installation: two replicas on Slack by HTTP and on a Redis of one's own."""
    running.secret("redis", password=store.password)
    return {
        "image": {"repository": "registry.test/chatops-bot"},
        "cluster": {"name": "prod-east", "environment": "prod"},
        "namespaces": [running.served],
        "policy": {"rules": [{"confirm": ["*"]}]},
        "config": {
            "slack": {"enabled": True, "mode": "http", "base_url": team.slack.url},
            "limits": {"room_queries_per_minute": 100_000},
        },
        "slack": {"existingSecret": "slack"},
        "redis": {
            "mode": "external",
            "external": {
                "url": f"redis://127.0.0.1:{store.port}/0",
                "existingSecret": "redis",
                "passwordKey": "password",
            },
        },
        "preStopSeconds": 0,
    }
