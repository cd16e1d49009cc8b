"""Files of rows: which kind they are, and what is said of those that cannot be used."""

import json
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.app.evaluation.measuring import files_of
from chatops_bot.app.evaluation.rows import EvaluationError, read
from tests.unit.app.evaluation.written import SERVICES

OF_KIND: dict[str, dict[str, Any]] = {
    "confirming": {"lang": "en", "label": "confirm", "prompt": "Restart web?", "text": "yes"},
    "requests": {"lang": "en", "text": "restart web", "intent": "restart", "slots": {"service": "web"}},
    "several": {"lang": "en", "text": "logs of web", "intents": ["logs"], "services": ["web"]},
    "corrections": {
        "lang": "en",
        "say": ["@bot logs of web", "@bot only errors"],
        "kind": "narrow",
        "expect": {"intent": "logs", "service": "web", "slots": {"errors": "true"}},
    },
    "commands": {"category": "delete", "name": "one pod", "command": "kubectl delete pod x", "modifies": "yes"},
}


def written(folder: Path, *rows: dict[str, Any], name: str = "rows.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", OF_KIND)
def test_the_keys_tell_the_kind(tmp_path: Path, kind: str) -> None:
    found = read(written(tmp_path, OF_KIND[kind], OF_KIND[kind]))

    assert (found.kind, [line for line, _ in found.rows]) == (kind, [1, 2])


def test_keys_of_sets_by_others_are_known(tmp_path: Path) -> None:
    row = {"lang": "en", "label": "not_confirm", "intent": "timer", "text": "a timer", "changes": [["date", ["today"]]]}

    assert read(written(tmp_path, row)).kind == "confirming"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", r"rows\.jsonl:2: .*one JSON object"),
        ("[1]", r"rows\.jsonl:2: .*one JSON object"),
        ('{"lang": "en"}', r"rows\.jsonl:2: its keys \(lang\).*requests: lang, text, intent, slots, lock"),
        ('{"label": "confirm"}', r"rows\.jsonl:2: its keys"),
        ('{"label": "yes", "text": "a"}', r"rows\.jsonl:2: unknown label 'yes'; known are cancel, confirm"),
        ('{"label": "confirm", "text": ""}', r"rows\.jsonl:2: .*length"),
        ('{"label": "confirm", "text": "a", "lang": "fr"}', r"rows\.jsonl:2: .*lang"),
        ('{"label": "confirm", "text": "a", "labl": 1}', r"rows\.jsonl:2: .*labl"),
        ('{"label": "modify", "text": "a", "slots": {"size": 1}}', r"rows\.jsonl:2: unknown slot 'size'"),
        (json.dumps(OF_KIND["several"]), r"rows\.jsonl:2: is a row of the kind several, those above are confirming"),
    ],
)
def test_a_bad_row_is_told_with_its_line(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(OF_KIND["confirming"]) + "\n" + line, encoding="utf-8")

    with pytest.raises(EvaluationError, match=problem):
        read(path)


@pytest.mark.parametrize(
    ("kind", "changed", "problem"),
    [
        ("requests", {"intent": "dance"}, "unknown intent 'dance'"),
        ("several", {"intents": ["dance"]}, "unknown intent 'dance'"),
        ("several", {"services": []}, "1 intents need as many services"),
        ("corrections", {"kind": "odd"}, "unknown kind 'odd'"),
        ("corrections", {"expect": {"intent": "logs", "service": "web", "slots": {"x": 1}}}, "unknown slot 'x'"),
        ("corrections", {"say": []}, "length"),
        ("commands", {"modifies": "perhaps"}, "perhaps"),
    ],
)
def test_what_there_is_not_is_told(tmp_path: Path, kind: str, changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(EvaluationError, match=problem):
        read(written(tmp_path, OF_KIND[kind] | changed))


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"", "holds no rows"), (b" \n\n", "holds no rows"), (b'{}\n{"a": "\xff"}', r"rows\.jsonl:2: is not UTF-8")],
)
def test_a_file_of_nothing_measures_nothing(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)

    with pytest.raises(EvaluationError, match=problem):
        read(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="cannot be read"):
        read(tmp_path / "none.jsonl")


TRANSCRIPT = "version: 1\nname: one\nturns:\n  - {from: alice, say: '@bot help'}\n"


def test_a_folder_is_its_rows_and_transcripts(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    written(tmp_path / "a", OF_KIND["confirming"])
    (tmp_path / "services.yaml").write_text(SERVICES, encoding="utf-8")
    (tmp_path / "switches.yaml").write_text("one: two\n", encoding="utf-8")
    (tmp_path / "talk.yaml").write_text(TRANSCRIPT, encoding="utf-8")

    assert [Path(file.path).name for file in files_of([tmp_path])] == ["rows.jsonl", "talk.yaml"]


def test_a_folder_without_rows_is_told(tmp_path: Path) -> None:
    (tmp_path / "services.yaml").write_text("services: []\n", encoding="utf-8")

    with pytest.raises(EvaluationError, match="neither rows"):
        files_of([tmp_path])


def test_a_bad_transcript_is_told(tmp_path: Path) -> None:
    path = tmp_path / "talk.yaml"
    path.write_text("version: 2\nturns: []\n", encoding="utf-8")

    with pytest.raises(EvaluationError, match="version: must be 1"):
        files_of([path])


def test_broken_yaml_in_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "talk.yaml").write_text("turns: [", encoding="utf-8")

    with pytest.raises(EvaluationError, match=r"talk\.yaml"):
        files_of([tmp_path])
