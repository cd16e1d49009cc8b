"""Settings of the whole suite: what a property test may take, and what may be skipped."""

import logging
import os
from collections.abc import Generator, Iterator
from typing import TypeVar

import pytest
import structlog
from hypothesis import settings

# No deadline: it measures the machine's load, not the code. Derandomised: a failure found here is found again.
settings.register_profile("quick", deadline=None, derandomize=True)
settings.register_profile("deep", deadline=None, max_examples=2_000)
settings.load_profile("quick")

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

pytest_plugins = ["tests.cluster.fixtures"]

REQUIRE_ALL = "CHATOPS_REQUIRE_ALL"


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """Logging is the process's: a test that configures it must not decide what the next one can see."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers, root.level = handlers, level


def _demand(report: Report) -> Report:
    """Turn a skip into a failure where every tool is promised to be there."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"{REQUIRE_ALL} is set, so nothing may be skipped. {reason}"
    return report


def _told_once(report: pytest.TestReport) -> pytest.TestReport:
    """Let the summary (`-rs`) tell what a machine lacks in one line, however many tests do without: pytest puts those
    together that have reason and place in common."""
    if report.skipped and isinstance(report.longrepr, tuple):
        report.longrepr = ("tests", None, report.longrepr[2])  # type: ignore[assignment]
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under CHATOPS_REQUIRE_ALL=1 a skipped test fails."""
    report = yield
    return _demand(report) if os.environ.get(REQUIRE_ALL) else _told_once(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Under CHATOPS_REQUIRE_ALL=1 a module that skips itself fails as well."""
    report = yield
    return _demand(report) if os.environ.get(REQUIRE_ALL) else report
