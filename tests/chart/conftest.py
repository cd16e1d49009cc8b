"""Helm, in each major version that people use."""

from __future__ import annotations

import os

import pytest

from tests.chart.fetch_helm import CHATOPS_HELM, SOURCES, binaries
from tests.chart.rendering import Helm

VERSIONS = ("given",) if os.environ.get(CHATOPS_HELM) else tuple(SOURCES)


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
