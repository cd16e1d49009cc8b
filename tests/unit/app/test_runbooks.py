"""Runbooks of one's own: read again when they change, left out where they are wrong, and linted."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner

from chatops_bot.adapters.runbooks.loading import packaged
from chatops_bot.app.cli import app
from chatops_bot.app.configuration import load
from chatops_bot.app.doctor.settings import on_runbooks
from chatops_bot.app.lint_runbooks import lint, shown
from chatops_bot.app.runbooks import RunbooksWatch
from chatops_bot.app.settings import RunbookSettings, Settings
from chatops_bot.app.virtual_clock import VirtualClock
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.world import Timing
from chatops_bot.engine.snapshot import Snapshot

TODAY = datetime.date(2026, 12, 1)

FILE = """
title: {{zh: 标题, en: {title}}}
steps: [{{say: {{zh: 做, en: Do}}}}]
verification: {{zh: 好, en: Well}}
back: {{zh: 撤, en: Undo}}
owner: SRE
reviewed: 2026-11-30
"""


def put(folder: Path, id_: str, title: str = "Own") -> Path:
    path = folder / f"{id_}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FILE.format(title=title))
    return path


@pytest.fixture
def snapshot() -> Snapshot:
    return Snapshot(catalog=Catalog(), policy=Policy.open(), timing=Timing())


def watch(snapshot: Snapshot, **settings: object) -> RunbooksWatch:
    chosen = RunbookSettings.model_validate(settings)
    return RunbooksWatch(chosen, snapshot=snapshot, clock=VirtualClock(0))


async def test_a_folder_is_read_again_when_a_file_of_it_changes(snapshot: Snapshot, tmp_path: Path) -> None:
    path = put(tmp_path, "own/thing")
    watching = watch(snapshot, folders=[tmp_path])
    await watching.look()
    first = snapshot.world.runbooks
    assert len(first) == len(packaged().runbooks) + 1
    await watching.look()
    assert snapshot.world.runbooks is first, "nothing has changed"
    put(tmp_path, "own/thing", "Another title")
    await watching.look()
    changed = snapshot.world.runbooks.by_id("own/thing")
    assert changed is not None
    assert changed.title.en == "Another title"
    path.unlink()
    await watching.look()
    assert snapshot.world.runbooks.by_id("own/thing") is None


async def test_a_bad_file_is_said_once_a_change_and_the_others_are_used(snapshot: Snapshot, tmp_path: Path) -> None:
    put(tmp_path, "own/good")
    put(tmp_path, "own/bad").write_text("title: [")
    watching = watch(snapshot, folders=[tmp_path], packaged=False)
    with capture_logs() as logs:
        await watching.look()
        await watching.look()
    assert [runbook.id for runbook in snapshot.world.runbooks.all] == ["own/good"]
    [complaint] = [entry for entry in logs if entry["event"] == "runbook_unusable"]
    assert "own/bad.yaml" in complaint["problem"]


async def test_a_folder_that_comes_later_is_read_then(snapshot: Snapshot, tmp_path: Path) -> None:
    watching = watch(snapshot, folders=[tmp_path / "later"], packaged=False)
    with capture_logs() as logs:
        await watching.look()
    assert any("cannot be read" in entry.get("problem", "") for entry in logs)
    put(tmp_path / "later", "own/thing")
    await watching.look()
    assert len(snapshot.world.runbooks) == 1


async def test_a_link_to_nowhere_hides_no_change_of_another_file(snapshot: Snapshot, tmp_path: Path) -> None:
    put(tmp_path, "own/thing")
    (tmp_path / "own" / "a.yaml").symlink_to(tmp_path / "none")
    watching = watch(snapshot, folders=[tmp_path], packaged=False)
    await watching.look()
    put(tmp_path, "own/thing", "Another title")
    await watching.look()
    [changed] = snapshot.world.runbooks.all
    assert changed.title.en == "Another title"


def test_folders_are_relative_to_the_file_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("runbooks: {folders: [mine, /else/where]}\n")
    folders = load(tmp_path / "config.yaml", {}).settings.runbooks.folders
    assert folders == (tmp_path / "mine", Path("/else/where"))


def test_the_doctor_says_what_is_left_out(tmp_path: Path) -> None:
    put(tmp_path, "own/bad").write_text("title: [")
    settings = Settings.model_validate({"runbooks": {"folders": [str(tmp_path)]}})
    [finding] = on_runbooks(settings, ())
    assert (finding.severity, "own/bad.yaml" in finding.what) == ("warn", True)
    entity = Entity("east", "shop", "Deployment", "web", "web")
    sound = Service(entity=entity, runbooks=("payment-timeouts", "storage/disk-full"))
    [finding] = on_runbooks(Settings(), [sound])
    assert finding.what == f"the runbooks are sound: {len(packaged().runbooks)}"


def test_the_doctor_names_runbooks_that_the_catalog_has_and_nobody_wrote() -> None:
    service = Service(entity=Entity("east", "shop", "Deployment", "web", "web"), runbooks=("web-broken",))
    [first, _] = on_runbooks(Settings(), [service])
    assert first.severity == "warn"
    assert "web-broken for web" in first.what


def test_lint_lists_everything_and_tells_folders_that_are_not_there_apart(tmp_path: Path) -> None:
    put(tmp_path / "one", "own/good")
    put(tmp_path / "one", "own/bad").write_text("{}")
    linted = lint([tmp_path / "one"], today=TODAY)
    assert (linted.runbooks, linted.code) == (1, 1)
    assert {problem.where for problem in linted.problems} == {
        "title",
        "steps",
        "verification",
        "back",
        "owner",
        "reviewed",
    }
    assert lint([], today=TODAY).code == lint([tmp_path / "one" / "own"], today=TODAY).code - 1 == 0
    both = lint([tmp_path / "none", tmp_path / "one"], today=TODAY)
    assert (both.code, len(both.absent), len(both.problems)) == (2, 1, 6)


def test_lint_finds_what_helm_would_not_read(tmp_path: Path) -> None:
    put(tmp_path, "own/asks", title="Is it down?")
    put(tmp_path, "own/quoted", title="'Is it down?'")
    linted = lint([tmp_path], today=TODAY)
    assert (linted.runbooks, linted.code) == (2, 1), "the bot can read both"
    [problem] = linted.problems
    assert (Path(problem.file).stem, problem.where) == ("asks", "line 2, column 31")
    assert "put the text in quotes" in problem.text


def test_lint_shows_keys_of_others_without_what_moves_the_cursor(tmp_path: Path) -> None:
    put(tmp_path, "own/bad").write_text('"\\e[2J\\nkey": 1\n')
    assert all(line.isprintable() for line in shown(lint([tmp_path], today=TODAY), as_json=False))


def test_lint_names_what_nobody_reviewed_without_failing_for_it(tmp_path: Path) -> None:
    put(tmp_path, "own/old")
    linted = lint([tmp_path], today=TODAY + datetime.timedelta(days=400))
    assert (linted.code, linted.overdue) == (0, ("own/old",))
    assert any("not reviewed for over a year" in line for line in shown(linted, as_json=False))


def test_the_command_ends_with_what_it_found(tmp_path: Path) -> None:
    put(tmp_path, "own/bad").write_text("title: [")
    result = CliRunner().invoke(app, ["lint-runbooks", str(tmp_path), "--json"])
    *problems, counts = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert [problem["file"] for problem in problems] == [str(tmp_path / "own" / "bad.yaml")]
    assert counts == {"runbooks": 0, "problems": 1, "overdue": []}
    assert CliRunner().invoke(app, ["lint-runbooks"]).exit_code == 0
    assert CliRunner().invoke(app, ["lint-runbooks", str(tmp_path / "none")]).exit_code == 2
