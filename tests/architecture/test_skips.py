"""Where every tool is promised to be there, a test that skips itself fails."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

SUITE = """
import pytest

@pytest.mark.browser
def test_it():
    pytest.skip("the tool is not installed")
"""
SEVERAL = """
import pytest

@pytest.fixture
def tool():
    pytest.skip("the tool is not installed")

def test_one(tool):
    raise AssertionError

def test_other(tool):
    raise AssertionError

def test_third():
    pytest.skip("something else is missing")
"""
MODULE = "import pytest\npytest.skip('the tool is not installed', allow_module_level=True)\n"


def run_suite(folder: Path, text: str, *, demanded: bool) -> subprocess.CompletedProcess[str]:
    """Run a suite of one file under the house's settings; `demanded` promises that every tool is there."""
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "tests").mkdir()
    shutil.copy(ROOT / "tests" / "conftest.py", folder / "tests")
    (folder / "tests" / "cluster").symlink_to(ROOT / "tests" / "cluster")  # plugins of that conftest are there
    (folder / "tests" / "test_it.py").write_text(text, encoding="utf-8")
    environment = {**os.environ, "CHATOPS_REQUIRE_ALL": "1" if demanded else ""}
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", "tests/test_it.py"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("text", [SUITE, MODULE], ids=["test", "module"])
def test_a_skip_fails_only_where_every_tool_is_demanded(tmp_path: Path, text: str) -> None:
    (tmp_path / "free").mkdir()
    (tmp_path / "strict").mkdir()
    free = run_suite(tmp_path / "free", text, demanded=False)
    strict = run_suite(tmp_path / "strict", text, demanded=True)
    assert "1 skipped" in free.stdout
    assert strict.returncode == (1 if "def " in text else 2), strict.stdout
    assert "nothing may be skipped" in strict.stdout


def test_what_is_missing_is_told_once_however_many_tests_are_left_out(tmp_path: Path) -> None:
    said = run_suite(tmp_path, SEVERAL, demanded=False).stdout
    lines = [line for line in said.splitlines() if line.startswith("SKIPPED")]
    assert sorted(lines) == [
        "SKIPPED [1] tests: something else is missing",
        "SKIPPED [2] tests: the tool is not installed",
    ]
