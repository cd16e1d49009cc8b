"""Reading runbooks: every problem of every file is said at once, with its place, and the others are used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chatops_bot.adapters.runbooks.loading import MAX_BYTES, Loaded, load, load_folder
from chatops_bot.domain.runbooks import Step, Texts

GOOD = """
title: {zh: 标题, en: Title}
symptoms: [crash_loop]
words: [crash, 崩溃]
steps:
  - query: logs
    slots: {previous: true, tail: 100}
    expect: {zh: 看日志, en: See the logs}
  - ask: {zh: 哪种, en: Which}
    answers:
      - {zh: 甲, en: A, goto: back-out}
      - {zh: 乙, en: B, goto: end}
  - id: back-out
    action: rollback
    when: {zh: 新版本坏了, en: The new version is broken}
verification: {zh: 好了, en: It is well}
back: {zh: 撤销, en: Undo}
owner: SRE
reviewed: 2026-11-30
"""


def folder(root: Path, **files: str | bytes) -> Path:
    """A folder with these files, `AREA__NAME`."""
    for name, content in files.items():
        area, _, rest = name.partition("__")
        (root / area).mkdir(parents=True, exist_ok=True)
        raw = content.encode() if isinstance(content, str) else content
        (root / area / f"{rest.replace('_', '-')}.yaml").write_bytes(raw)
    return root


def said(loaded: Loaded, root: Path) -> list[str]:
    return [str(problem).replace(str(root), "") for problem in loaded.problems]


def test_a_file_becomes_a_runbook(tmp_path: Path) -> None:
    loaded = load_folder(folder(tmp_path, workloads__crash=GOOD))
    assert loaded.problems == ()
    [book] = loaded.runbooks
    assert (book.id, book.title.of("zh"), book.symptoms) == ("workloads/crash", "标题", ("crash_loop",))
    assert [step.kind for step in book.steps] == ["query", "ask", "action"]
    assert book.steps[0] == Step(
        "query", Texts("看日志", "See the logs"), intent="logs", slots={"previous": True, "tail": 100}
    )
    assert [book.after(1, answer) for answer in (0, 1)] == [2, None]
    assert book.reviewed.isoformat() == "2026-11-30"


def test_a_bad_file_hurts_no_other(tmp_path: Path) -> None:
    loaded = load_folder(folder(tmp_path, a__bad="title: 1", a__good=GOOD))
    assert [book.id for book in loaded.runbooks] == ["a/good"]
    assert {Path(problem.file).name for problem in loaded.problems} == {"bad.yaml"}


BAD = """
titel: {en: Title, zh: 标题}
title: {en: Title}
symptoms: [crash_lop]
steps:
  - say: {zh: 做, en: Do}
    query: logs
  - query: metrics
    expect: {zh: 看, en: ''}
owner: 7
reviewed: yesterday
verification: {zh: 好, en: Well}
back: [undo]
"""


def test_all_that_is_wrong_with_the_form_is_said_at_once(tmp_path: Path) -> None:
    problems = said(load_folder(folder(tmp_path, a__bad=BAD)), tmp_path)
    assert sorted(problems) == sorted(
        [
            "/a/bad.yaml: titel: is not a key that belongs here; 'title' is meant?",
            "/a/bad.yaml: title.zh: is missing; write the sentence in Chinese too",
            "/a/bad.yaml: steps.0: a step has exactly one of the keys say, query, ask and action; keep one",
            "/a/bad.yaml: steps.1.query: input should be 'status', 'logs', 'events', 'history', 'resources', 'changes' or 'overview'",
            "/a/bad.yaml: steps.1.expect.en: is empty; write what is meant",
            "/a/bad.yaml: owner: must be text; put it into quotes if it looks like a number",
            "/a/bad.yaml: reviewed: must be a day such as 2026-11-30",
            "/a/bad.yaml: back: must be a mapping of keys and values",
        ]
    )


WRONG = """
title: {zh: 标题, en: Title}
symptoms: [crash_loop, crash_lop]
steps:
  - {id: a, say: {zh: 做, en: Do}, goto: b}
  - {id: c, query: logs, slots: {previous: 'yes', lines: 5}, expect: {zh: 看, en: See}, goto: a}
  - {id: a, action: rolback, when: {zh: 时, en: When}}
  - {id: b, action: scale, slots: {replicas: many}, when: {zh: 时, en: When}, goto: a}
  - {action: scale, slots: {replicas: -1}, when: {zh: 时, en: When}, goto: nowhere}
  - {id: end, query: events, slots: {since: 60}, expect: {zh: 看, en: See}}
verification: {zh: 好, en: Well}
back: {zh: 撤销, en: Undo}
owner: SRE
reviewed: 2026-11-30
"""


def test_names_that_nothing_bears_and_ways_that_lead_nowhere_are_said(tmp_path: Path) -> None:
    loaded = load_folder(folder(tmp_path, a__wrong=WRONG))
    assert loaded.runbooks == ()
    problems = {problem.where: problem.text for problem in loaded.problems}
    assert problems["symptoms.1"] == "no finding has the code 'crash_lop'; 'crash_loop' is meant?"
    assert problems["steps.1.slots.previous"] == "must be true or false, not 'yes'"
    assert (
        problems["steps.1.slots.lines"]
        == "logs has no slot 'lines'; it has pod, container, previous, since, tail, grep"
    )
    assert problems["steps.2.action"] == "there is no action 'rolback'; 'rollback' is meant?"
    assert problems["steps.2.id"] == "two steps have the id 'a'; choose another"
    assert problems["steps.3.slots.replicas"] == "must be a number such as 3 or '+2', not 'many'"
    assert "negative" in problems["steps.4.slots"] or "-1" in problems["steps.4.slots"]
    assert problems["steps.4.goto"].startswith("no step has the id 'nowhere'; there are a, c")
    assert problems["steps.5.id"] == "'end' means the end of a runbook; choose another id"
    assert problems["steps.5.slots.since"] == "events has no slot 'since'; it has none"
    assert problems["steps.1"] == "no way leads to this step; let a goto lead to it, or remove it"
    round_ = "the steps lead back here without a question in between; put an ask among them"
    assert problems["steps.0"] == problems["steps.3"] == round_


def test_a_round_with_a_question_in_it_is_allowed(tmp_path: Path) -> None:
    again = GOOD.replace("  - query: logs", "  - id: again\n    query: logs").replace("goto: end", "goto: again")
    assert load_folder(folder(tmp_path, a__again=again)).problems == ()


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\xff\xfe\x00", "is not UTF-8 text (byte 0); save it as UTF-8"),
        (b"# " + b"x" * MAX_BYTES, "is larger than 64 KiB; divide it, and let one runbook name the other"),
        ("a: &a [x, x]\nb: *a", "aliases (*a) are not taken; write out what is meant"),
        ("[" * 21 + "]" * 21, "is nested too deeply"),
        ("title: x\ntitle: y", "line 2, column 1: the key 'title' is written twice; mend the YAML there"),
        ("a: b: c", "line 1, column 5: mapping values are not allowed in this context; mend the YAML there"),
        ("--- 1\n--- 2", "holds several documents; one file each"),
        ("", "must be a mapping of keys and values"),
        ("- a", "must be a mapping of keys and values"),
    ],
    ids=["binary", "large", "bomb", "deep", "twice", "broken", "several", "empty", "list"],
)
def test_what_can_be_no_runbook_is_refused_with_what_to_do(tmp_path: Path, content: str | bytes, text: str) -> None:
    assert said(load_folder(folder(tmp_path, a__b=content)), tmp_path) == [f"/a/b.yaml: {text}"]


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    folder(tmp_path, a__good=GOOD)
    os.mkfifo(tmp_path / "a" / "pipe.yaml")
    (tmp_path / "a" / "folder.yaml").mkdir()
    (tmp_path / "a" / "nowhere.yaml").symlink_to(tmp_path / "none")
    (tmp_path / "a" / "round.yaml").symlink_to(tmp_path / "a" / "round.yaml")
    (tmp_path / "b").symlink_to(tmp_path / "b")
    loaded = load_folder(tmp_path)
    assert [book.id for book in loaded.runbooks] == ["a/good"]
    assert said(loaded, tmp_path) == [
        "/a/folder.yaml: is no file; remove it",
        "/a/nowhere.yaml: cannot be read (No such file or directory); check its permissions",
        "/a/pipe.yaml: is no file; remove it",
        "/a/round.yaml: cannot be read (Too many levels of symbolic links); check its permissions",
    ]


def test_nesting_without_end_is_refused_as_it_is_read(tmp_path: Path) -> None:
    [problem] = load_folder(folder(tmp_path, a__deep="[" * 60_000)).problems
    assert "nest" in problem.text


def test_aliases_that_multiply_are_never_expanded(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    [problem] = load_folder(folder(tmp_path, a__bomb="\n".join(lines))).problems
    assert problem.text.startswith("aliases (*a0)")


def test_an_id_is_where_the_file_lies(tmp_path: Path) -> None:
    folder(tmp_path, Area__x=GOOD, a__one=GOOD)
    (tmp_path / "flat.yaml").write_text(GOOD)
    (tmp_path / "a" / "one.yml").write_text(GOOD)
    (tmp_path / "a" / "read.me").write_text("no runbook")
    (tmp_path / "a" / ".one.yaml").write_text("no runbook")
    (tmp_path / "..data").mkdir()
    (tmp_path / "..data" / "x.yaml").write_text("the mount's own")
    loaded = load_folder(tmp_path)
    assert [book.id for book in loaded.runbooks] == ["a/one"]
    assert sorted(said(loaded, tmp_path)) == [
        "/Area/x.yaml: Area/x is no id; use lower-case letters, digits and hyphens for area and name",
        "/a/one.yml: another file has the id a/one too; rename one of them",
        "/flat.yaml: lies beside the areas; move it to AREA/NAME.yaml",
    ]


def test_a_folder_of_ones_own_replaces_and_adds(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    folder(mine, workloads__out_of_memory=GOOD, own__thing=GOOD)
    folder(theirs, own__thing=GOOD)
    loaded = load([mine, theirs, tmp_path / "missing"])
    titles = {book.id: book.title.en for book in loaded.runbooks}
    assert titles["workloads/out-of-memory"] == titles["own/thing"] == "Title"
    assert len(titles) == len(load([]).runbooks) + 1
    assert said(loaded, tmp_path) == [
        "/theirs/own/thing: /mine has a runbook of this id too, which is used; rename one of them",
        "/missing: cannot be read (No such file or directory); check the path",
    ]
