"""Plays transcripts with one rule switched off at a time; run as a program by `test_transcripts.py`.

    python switched.py COMPILED WORK < switches.json > results.json

COMPILED holds a copy of the package with its byte code. What the package is made of is imported once; for each
switch a child is forked that imports the package anew, from a tree of links to that copy with one file changed.
This takes a third of what as many new processes take.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

LIMIT_S = 45.0
"""Real seconds for the transcripts of one switch; a rule switched off may well leave an endless loop."""


def main(compiled: Path, work: Path) -> None:
    """Read switches, play each, write what became of it."""
    importlib.import_module("chatops_bot.app.replay")
    results = [_switched(switch, compiled, work / str(number)) for number, switch in enumerate(json.load(sys.stdin))]
    json.dump(results, sys.stdout)


def _switched(switch: dict[str, Any], compiled: Path, root: Path) -> dict[str, Any]:
    shutil.copytree(compiled, root, copy_function=os.link)
    path = root / "chatops_bot" / switch["file"]
    source = path.read_text("utf-8").replace(switch["text"], switch["replacement"])
    path.unlink()
    path.write_text(source, "utf-8")
    said = root / "said"
    child = os.fork()
    if not child:
        _play(root, switch["paths"], said)
    code = _wait(child)
    result = {"code": code, "said": said.read_text("utf-8")}
    shutil.rmtree(root)
    return result


def _play(root: Path, paths: list[str], said: Path) -> None:
    """In the child: never returns."""
    code = -1
    try:
        out = os.open(said, os.O_WRONLY | os.O_CREAT, 0o600)
        os.dup2(out, 1)
        os.dup2(out, 2)
        for name in [name for name in sys.modules if name.partition(".")[0] == "chatops_bot"]:
            del sys.modules[name]
        sys.path.insert(0, str(root))
        importlib.invalidate_caches()
        replay = importlib.import_module("chatops_bot.app.replay")
        assert Path(str(replay.__file__)).is_relative_to(root)
        code = replay.main([Path(path) for path in paths])
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        sys.excepthook(*sys.exc_info())
        raise
    finally:
        os._exit(code)


def _wait(child: int) -> int:
    """The child's exit code; -9 when it took too long."""
    until = time.monotonic() + LIMIT_S
    while time.monotonic() < until:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
