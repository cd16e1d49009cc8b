"""The command line: quick to start, exit codes as promised, never a traceback for a mistake of the operator."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from chatops_bot.app.cli import app

HEAVY = (
    "pydantic",
    "structlog",
    "starlette",
    "uvicorn",
    "redis",
    "kubernetes",
    "slack_bolt",
    "slack_sdk",
    "prometheus_client",
    "msgspec",
    "yaml",
    "rich",
    "asyncio",
)
USABLE = """
clusters: [{name: prod, url: "http://127.0.0.1:9", environment: prod}]
services: [{name: web, namespace: shop, workload: deployment/web}]
policy: {groups: {sre: [bob]}, rules: [{confirm: [sre]}]}
console: {enabled: true}
"""


def run(*arguments: str | Path, text: str | None = None, folder: Path | None = None, **environ: str) -> Result:
    """Run a command; `text` is written to `folder` as the configuration."""
    if text is not None and folder is not None:
        path = folder / "chatops-bot.yaml"
        path.write_text(text, encoding="utf-8")
        environ["CHATOPS_CONFIG"] = str(path)
    if folder is not None:
        environ["CHATOPS_STORE__DIRECTORY"] = str(folder / "data")
    clean = {"CHATOPS_CONFIG": None, "REDIS_URL": None, **environ}
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env=clean)


def test_help_imports_nothing_heavy() -> None:
    code = f"import sys; from chatops_bot.app.cli import app; print([m for m in {HEAVY!r} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none_is_told_before_anything_starts(port: str) -> None:
    result = run("demo", "--port", port)
    assert result.exit_code == 2
    assert "--port" in result.stderr


def test_a_context_without_a_kubeconfig_is_told(tmp_path: Path) -> None:
    result = run("replay", tmp_path / "talk.yaml", "--bot-context", "bot")
    assert result.exit_code == 2
    assert "--bot-context" in result.stderr
    assert "--cluster" in result.stderr


def test_help_lists_every_command() -> None:
    shown = run("--help").output
    for command in (
        "run",
        "demo",
        "replay",
        "eval",
        "diagram",
        "actions",
        "check-config",
        "doctor",
        "audit",
        "policy",
        "read-only",
    ):
        assert command in shown


def test_version() -> None:
    assert run("version").output.strip() == "0.1.0"


class TestCheckConfig:
    def test_a_usable_one_is_summed_up(self, tmp_path: Path) -> None:
        result = run("check-config", text=USABLE, folder=tmp_path)
        assert result.exit_code == 0
        assert "cluster prod: http://127.0.0.1:9; every namespace; environment prod" in result.output
        assert "policy: 1 rules, 1 groups" in result.output
        assert "platforms: console" in result.output

    def test_all_problems_are_printed_and_the_code_is_2(self, tmp_path: Path) -> None:
        result = run("check-config", text="log: {level: loud}\nslack: {bot_token: xoxb-123456}\nx: 1", folder=tmp_path)
        assert result.exit_code == 2
        assert "- log.level: must be" in result.stderr
        assert "- slack.bot_token: is a secret" in result.stderr
        assert "- x: is not known" in result.stderr
        assert "xoxb-123456" not in result.output
        assert "Traceback" not in result.output

    def test_nothing_configured_says_what_is_missing(self, tmp_path: Path) -> None:
        result = run("check-config", folder=tmp_path)
        assert result.exit_code == 0
        assert "policy: none, so the bot only reads" in result.output
        assert "platforms: none, so nobody can write to the bot" in result.output

    def test_the_reference_needs_no_configuration(self) -> None:
        result = run("check-config", "--reference", CHATOPS_NONSENSE="1")
        assert result.exit_code == 0
        assert result.output.startswith("# Configuration")


@pytest.mark.parametrize(
    "command",
    [
        ["run"],
        ["doctor"],
        ["audit", "list"],
        ["audit", "show", "a1b2c3"],
        ["audit", "export"],
        ["audit", "verify"],
        ["read-only", "status"],
        ["read-only", "on", "why"],
        ["policy", "explain", "--user", "a", "--action", "scale", "--service", "web"],
    ],
)
def test_every_command_stops_at_a_bad_configuration(tmp_path: Path, command: list[str]) -> None:
    result = run(*command, text="log: {level: loud}", folder=tmp_path)
    assert result.exit_code == 2
    assert "log.level" in result.stderr
    assert not (tmp_path / "data").exists()


class TestStore:
    def test_the_switch_and_its_record(self, tmp_path: Path) -> None:
        assert run("read-only", "on", "release freeze", folder=tmp_path).exit_code == 0
        assert "release freeze" in run("read-only", "status", folder=tmp_path).output
        listed = run("audit", "list", "--kind", "switch", "--json", folder=tmp_path)
        assert json.loads(listed.output)["text"] == "release freeze"
        assert run("audit", "verify", folder=tmp_path).output == "1 links are sound; no chain is broken.\n"
        assert run("read-only", "off", folder=tmp_path).exit_code == 0
        assert run("read-only", "status", folder=tmp_path).output == "Changes are allowed.\n"

    def test_a_store_that_cannot_be_reached_is_one_sentence(self, tmp_path: Path) -> None:
        result = run("audit", "verify", folder=tmp_path, REDIS_URL="redis://127.0.0.1:9")
        assert result.exit_code == 2
        assert result.stderr.startswith("The store cannot be used: ")
        assert "Traceback" not in result.output

    def test_a_mistaken_filter_is_one_sentence(self, tmp_path: Path) -> None:
        result = run("audit", "list", "--since", "yesterday", folder=tmp_path)
        assert result.exit_code == 2
        assert result.stderr == "'yesterday' is no time; write 30m, 2h, 7d or 2026-01-05T10:00\n"


def test_policy_explain(tmp_path: Path) -> None:
    arguments = ("policy", "explain", "--user", "bob", "--action", "scale", "--service", "web")
    result = run(*arguments, text=USABLE, folder=tmp_path)
    assert result.exit_code == 0
    assert "confirm: yes, by rule 1" in result.output
    wrong = run(
        "policy", "explain", "--user", "bob", "--action", "fly", "--service", "web", text=USABLE, folder=tmp_path
    )
    assert wrong.exit_code == 2
    assert "'fly' is no action" in wrong.stderr


class TestDoctor:
    def test_something_bad_gives_1_and_says_what_to_do(self, tmp_path: Path) -> None:
        result = run("doctor", text=USABLE, folder=tmp_path)
        assert result.exit_code == 1
        assert "bad   cluster prod cannot be used" in result.output
        assert "-> check address, network and credentials" in result.output
        assert not (tmp_path / "data").exists()

    def test_json_is_one_finding_a_line(self, tmp_path: Path) -> None:
        result = run("doctor", "--json", text=USABLE, folder=tmp_path)
        findings = [json.loads(line) for line in result.output.splitlines()]
        assert {"ok", "warn", "bad"} >= {finding["severity"] for finding in findings}


def test_a_bot_that_cannot_start_says_why_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        environ = {
            "PATH": os.environ["PATH"],
            "CHATOPS_HTTP__HOST": "127.0.0.1",
            "CHATOPS_HTTP__PORT": str(taken.getsockname()[1]),
            "CHATOPS_STORE__DIRECTORY": str(tmp_path / "data"),
        }
        result = subprocess.run(
            [sys.executable, "-m", "chatops_bot", "run"],
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
            env=environ,
            cwd=Path(__file__).resolve().parents[3],
        )
    assert result.returncode == 1
    assert "The bot cannot run: " in result.stderr
    assert "Traceback" not in result.stderr
