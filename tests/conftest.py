"""Settings of the whole suite: what a property test may take, and what may be skipped."""

import os
from collections.abc import Generator
from typing import TypeVar

import pytest
from hypothesis import settings

# No deadline: it measures the machine's load, not the code. Derandomised: a failure found here is found again.
settings.register_profile("quick", deadline=None, derandomize=True)
settings.register_profile("deep", deadline=None, max_examples=2_000)
settings.load_profile("quick")

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

REQUIRE_ALL = "CHATOPS_REQUIRE_ALL"
NEVER_DEMANDED = frozenset({"kubectl"})


def _demand(report: Report) -> Report:
    """Turn a skip into a failure where every tool is promised to be there."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"{REQUIRE_ALL} is set, so nothing may be skipped. {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under CHATOPS_REQUIRE_ALL=1 a skipped test fails, unless what it needs is never demanded."""
    report = yield
    if not os.environ.get(REQUIRE_ALL) or any(item.get_closest_marker(marker) for marker in NEVER_DEMANDED):
        return report
    return _demand(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Under CHATOPS_REQUIRE_ALL=1 a module that skips itself fails as well."""
    report = yield
    return _demand(report) if os.environ.get(REQUIRE_ALL) else report
