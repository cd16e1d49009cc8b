"""Every transcript holds, and none does once the rule that it shows is switched off."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import msgspec
import pytest

import chatops_bot
from chatops_bot.adapters.runbooks.loading import PACKAGED
from chatops_bot.app.yaml_file import read_yaml

HERE: Final = Path(__file__).parent
TRANSCRIPTS: Final = HERE / "transcripts"
PACKAGE: Final = Path(chatops_bot.__file__).parent
NAMES: Final = sorted(path.stem for path in TRANSCRIPTS.glob("*.yaml"))
WORKERS: Final = 2


class Switch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule switched off: `text` of a source file gives way to `replacement`, and these transcripts fail."""

    transcripts: tuple[str, ...]
    file: str
    text: str
    replacement: str


class Played(msgspec.Struct, frozen=True):
    """How `replay` ended and what it wrote."""

    code: int
    said: str


SWITCHES: Final = msgspec.convert(read_yaml(HERE / "switches.yaml"), list[Switch])


def paths_of(names: tuple[str, ...] | list[str]) -> list[str]:
    return [str(TRANSCRIPTS / f"{name}.yaml") for name in names]


@pytest.fixture(scope="module")
def plain() -> dict[str, str]:
    """The environment without a store of somebody else's: each process starts its own."""
    return {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "PYTHONPATH")}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with its byte code, and the runbooks inside, as in a package that was built."""
    root = tmp_path_factory.mktemp("compiled")
    shutil.copytree(PACKAGE, root / "chatops_bot", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PACKAGED, root / "chatops_bot" / "runbooks")
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(root)], check=True, timeout=60)
    return root


@pytest.mark.timeout(600)
def test_every_transcript_holds(plain: dict[str, str]) -> None:
    def replay(names: list[str]) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "chatops_bot", "replay", *paths_of(names)]
        return subprocess.run(command, env=plain, capture_output=True, encoding="utf-8", timeout=480, check=False)

    with ThreadPoolExecutor(WORKERS) as pool:
        for played in pool.map(replay, [NAMES[worker::WORKERS] for worker in range(WORKERS)]):
            assert played.returncode == 0, played.stderr


def test_every_transcript_has_one_switch() -> None:
    named = [name for switch in SWITCHES for name in switch.transcripts]
    assert sorted(named) == NAMES


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.transcripts[0])
def test_the_text_of_a_switch_stands_once_in_its_file(switch: Switch) -> None:
    assert (PACKAGE / switch.file).read_text("utf-8").count(switch.text) == 1
    assert switch.replacement != switch.text


@pytest.mark.timeout(960)
def test_without_its_rule_no_transcript_holds(plain: dict[str, str], compiled: Path, tmp_path: Path) -> None:
    def play(worker: int) -> list[Played]:
        mine = SWITCHES[worker::WORKERS]
        asked = [{**msgspec.to_builtins(switch), "paths": paths_of(switch.transcripts)} for switch in mine]
        work = tmp_path / str(worker)
        work.mkdir()
        done = subprocess.run(
            [sys.executable, str(HERE / "switched.py"), str(compiled), str(work)],
            env={**plain, "PYTHONPATH": str(compiled)},
            input=json.dumps(asked),
            capture_output=True,
            encoding="utf-8",
            timeout=900,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return msgspec.json.decode(done.stdout, type=list[Played])

    with ThreadPoolExecutor(WORKERS) as pool:
        by_worker = list(pool.map(play, range(WORKERS)))
    found = [
        problem
        for worker, results in enumerate(by_worker)
        for switch, played in zip(SWITCHES[worker::WORKERS], results, strict=True)
        for problem in unshown(switch, played)
    ]
    assert found == [], "\n".join(found)


def unshown(switch: Switch, played: Played) -> list[str]:
    """What is wrong with how these transcripts ended: they must be played to their end, and an expectation fail."""
    if played.code != 1 or "Traceback" in played.said:
        return [f"{switch.transcripts[0]}: exit {played.code}: {played.said[-600:]}"]
    return [
        f"{name}: holds although {switch.text!r} is gone from {switch.file}"
        for name in switch.transcripts
        if f"{name}.yaml: holds" in played.said or f"{name}.yaml: turn" not in played.said
    ]
