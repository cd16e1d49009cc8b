"""A sandbox cluster in the test's own loop, for processes of the bot that reach it by its address."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

import pytest

from chatops_bot.adapters.sandbox import Sandbox

SHOP = {"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2}]}


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """One Deployment, `web` in `shop`, with two replicas."""
    async with Sandbox(time.time, auto=True) as cluster:
        cluster.apply(SHOP)
        await cluster.settle()
        yield cluster
