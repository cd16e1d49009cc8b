"""A copy or an export of the audit log, read and checked without a store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chatops_bot.app.audit_file import AuditFileError, read, verify_file
from chatops_bot.app.cli import app
from chatops_bot.domain.audit import Record, encode, link_hash
from chatops_bot.ports.audit_sink import line_of
from chatops_bot.ports.store import AuditEntry


def chain(*texts: str, shard: int = 3, start: int = 1_000, previous: str = "") -> list[AuditEntry]:
    found = []
    for number, text in enumerate(texts):
        record = encode(Record(at=start + number, kind="request", user="alice", token="a1b2c3d4", text=text))
        digest = link_hash(previous, record)
        found.append(AuditEntry(shard, f"{start + number}-0", record, previous, digest))
        previous = digest
    return found


def written(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


async def verdict(path: Path) -> tuple[int, list[str]]:
    lines: list[str] = []
    return await verify_file(read(path), as_json=False, echo=lines.append), lines


async def test_a_copy_holds_though_its_lines_come_twice_and_among_others(tmp_path: Path) -> None:
    one, other = chain("a", "b 汉", "c"), chain("d", shard=7, start=900)
    lines = [line_of(entry) for entry in (one[0], one[1], other[0], one[1], one[2])]
    lines[0] = f"2026-01-05T10:03:11Z stdout F {lines[0]}"
    path = written(tmp_path / "log", ["starting", *lines, '{"level": "info"}'])
    assert read(path).audit.other == 2
    assert await verdict(path) == (0, ["4 links are sound; no chain is broken."])


@pytest.mark.parametrize(("how", "words"), [("altered", "altered"), ("removed", "missing")])
async def test_what_was_done_to_a_copy_is_found(tmp_path: Path, how: str, words: str) -> None:
    lines = [line_of(entry) for entry in chain("a", "b", "c")]
    lines = [lines[0], lines[1].replace('"b"', '"B"'), lines[2]] if how == "altered" else [lines[0], lines[2]]
    code, told = await verdict(written(tmp_path / "log", lines))
    assert code == 1
    assert any(words in line for line in told)


async def test_a_file_that_begins_later_holds_and_says_so(tmp_path: Path) -> None:
    code, told = await verdict(written(tmp_path / "log", [line_of(entry) for entry in chain("a", "b", "c")[1:]]))
    assert code == 0
    assert told[0] == "shard 3 begins at 1001-0: what was before is not in the file"


async def test_a_store_that_lost_everything_begins_anew(tmp_path: Path) -> None:
    before, after = chain("a", "b"), chain("c", "d", start=5_000)
    code, told = await verdict(written(tmp_path / "log", [line_of(entry) for entry in [*before, *after]]))
    assert code == 0
    assert told == [
        "shard 3 begins anew at 5000-0: the store was empty then",
        "4 links are sound; no chain is broken.",
    ]


def test_one_entry_in_two_forms_is_told(tmp_path: Path) -> None:
    forged = chain("A")[0]
    path = written(tmp_path / "log", [line_of(chain("a")[0]), line_of(forged)])
    with pytest.raises(AuditFileError, match="line 2: another entry 1000-0 of shard 3"):
        read(path)


@pytest.mark.parametrize("content", [None, "", "hello\n"])
def test_a_file_without_entries_is_a_mistake(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "log"
    if content is not None:
        path.write_text(content)
    done = CliRunner().invoke(app, ["audit", "verify", "--from", str(path)])
    assert done.exit_code == 2
    assert str(path) in done.stderr


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["list"], 'alice                "b"'),
        (["show", "a1b2"], "plan:      a1b2c3d4"),
        (["export"], '"text":"b"'),
        (["export", "--format", "csv"], "alice"),
        (["verify"], "2 links are sound"),
    ],
)
def test_every_command_reads_a_file_without_store_and_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], words: str
) -> None:
    monkeypatch.setenv("CHATOPS_CONFIG", "/nowhere")
    path = written(tmp_path / "log", [line_of(entry) for entry in chain("a", "b")])
    done = CliRunner().invoke(app, ["audit", *command, "--from", str(path)])
    assert done.exit_code == 0, done.output
    assert words in done.stdout


def test_an_export_of_a_file_is_the_file(tmp_path: Path) -> None:
    lines = [line_of(entry) for entry in chain("a", "b")]
    path = written(tmp_path / "log", lines)
    done = CliRunner().invoke(app, ["audit", "export", "--from", str(path)])
    assert done.stdout.splitlines() == lines
    assert json.loads(lines[0])["record"]["text"] == "a"


async def test_what_the_store_could_not_have_written_is_no_entry(tmp_path: Path) -> None:
    lines = [line_of(entry) for entry in chain("a", "b", "c")]
    forged = [lines[0].replace('"1000-0"', '"x-0"'), lines[1].replace('"shard":3', '"shard":99999'), lines[2]]
    store = read(written(tmp_path / "log", forged))
    assert store.audit.other == 2
    assert await verdict(tmp_path / "log") == (
        0,
        ["shard 3 begins at 1002-0: what was before is not in the file", "1 links are sound; no chain is broken."],
    )


async def test_a_record_is_one_line_whatever_was_written_in_it(tmp_path: Path) -> None:
    path = written(tmp_path / "log", [line_of(entry) for entry in chain("a\u2028b", "c\x85d", "e\u2029")])
    assert read(path).audit.other == 0
    assert await verdict(path) == (0, ["3 links are sound; no chain is broken."])


@pytest.mark.parametrize("command", [("list",), ("export", "--format", "csv")])
def test_a_record_of_no_time_is_printed_all_the_same(tmp_path: Path, command: tuple[str, ...]) -> None:
    record = encode(Record(at=10**20, kind="request", user="alice"))
    entry = AuditEntry(3, "1000-0", record, "", link_hash("", record))
    path = written(tmp_path / "log", [line_of(entry)])
    told = CliRunner().invoke(app, ["audit", *command, "--from", str(path)])
    assert told.exit_code == 0
    assert str(10**20) in told.output
