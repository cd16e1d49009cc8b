"""The import rules of pyproject.toml hold, and each of them can fail."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGE, ROOT


def lint_imports(root: Path, *contracts: str) -> subprocess.CompletedProcess[str]:
    """Check the package that lies in `root` by the rules of the pyproject.toml beside it; all of them or the named."""
    chosen = [argument for contract in contracts for argument in ("--contract", contract)]
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(root), "COLUMNS": "200"}
    return subprocess.run([*command, *chosen], cwd=root, env=environment, capture_output=True, text=True, check=False)


def test_the_import_rules_hold() -> None:
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="module")
def copied_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, root / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    return root


@pytest.mark.parametrize(
    ("contract", "module", "imported"),
    [
        ("layers", "ports", "chatops_bot.engine"),
        ("layers", "adapters/slack", "chatops_bot.engine"),
        ("layers", "engine", "chatops_bot.app"),
        ("adapters", "adapters/slack", "chatops_bot.adapters.redis"),
        ("pure-domain", "domain", "asyncio"),
        ("pure-domain", "domain", "os"),
        ("sdks", "engine", "redis.asyncio"),
        ("sdks", "app", "slack_sdk.web"),
        ("acyclic", "ports", "chatops_bot.adapters"),
    ],
)
def test_a_breach_is_found(copied_package: Path, contract: str, module: str, imported: str) -> None:
    # `chatops_bot.adapters` imports ports back, so that the last breach is a cycle and not only an upward arrow.
    breach = copied_package / PACKAGE.name / module / "zz_breach.py"
    way_back = copied_package / PACKAGE.name / "adapters" / "zz_way_back.py"
    breach.write_text(f"import {imported}\n", encoding="utf-8")
    way_back.write_text("import chatops_bot.ports\n", encoding="utf-8")
    try:
        result = lint_imports(copied_package, contract)
    finally:
        breach.unlink()
        way_back.unlink()
    assert result.returncode == 1, result.stdout + result.stderr
    assert "BROKEN" in result.stdout
    assert module.replace("/", ".") in result.stdout
