"""A sandbox on a clock that tests move, and the official client pointed at it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import urllib3
from kubernetes import client
from kubernetes.config import load_kube_config_from_dict

from chatops_bot.adapters.sandbox import Sandbox

START = 1_796_000_000.0  # 2026-11-30T00:53:20Z


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


class Answer:
    """A status code and the JSON (or text) that came with it."""

    def __init__(self, code: int, data: bytes, headers: Any = None) -> None:
        self.code = code
        self.text = data.decode("utf-8", "replace")
        self.headers = headers or {}

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Kube:
    """The official Python client, called in a thread with raw JSON answers, and plain HTTP for what it has no call for."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.url = sandbox.url
        configuration = client.Configuration()
        load_kube_config_from_dict(  # type: ignore[no-untyped-call]
            sandbox.kubeconfig(), client_configuration=configuration
        )
        configuration.retries = False
        self.api = client.ApiClient(configuration)
        self.apps = client.AppsV1Api(self.api)
        self.core = client.CoreV1Api(self.api)
        self.http = urllib3.PoolManager(retries=False)

    async def call(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Answer:
        """Refusals come back as answers too."""

        def run() -> Answer:
            try:
                response = function(*arguments, _preload_content=False, _request_timeout=10, **options)
            except client.ApiException as refusal:
                body = (refusal.body or "").encode()
                return Answer(refusal.status, body, refusal.headers)
            return Answer(response.status, response.data, response.headers)

        return await asyncio.to_thread(run)

    async def send(
        self, method: str, path: str, body: Any = None, *, kind: str = "application/json", headers: Any = None
    ) -> Answer:
        """One request as it is; `kind` is its content type, `headers` a mapping or an HTTPHeaderDict."""
        every = urllib3.HTTPHeaderDict({"Content-Type": kind, "Connection": "close"})
        every.extend(headers or {})
        data = None if body is None else json.dumps(body).encode()

        def run() -> Answer:
            response = self.http.request(method, self.url + path, body=data, headers=every, timeout=10.0)
            return Answer(response.status, response.data, response.headers)

        return await asyncio.to_thread(run)


async def until(holds: Callable[[], bool]) -> None:
    """Let the loop run until something holds; the limit only ends a test that has failed."""
    for _ in range(5000):
        if holds():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("did not come to hold")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def sandbox(clock: Clock) -> AsyncIterator[Sandbox]:
    async with Sandbox(clock) as running:
        yield running


@pytest.fixture
async def kube(sandbox: Sandbox) -> AsyncIterator[Kube]:
    connected = Kube(sandbox)
    yield connected
    connected.http.clear()
    connected.api.rest_client.pool_manager.clear()
