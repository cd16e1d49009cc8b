"""Other versions of the bot than the present one, as folders that a pod mounts and puts before everything else."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

PACKAGE = "chatops_bot"
_ROOT = Path(__file__).parents[2]
_STORED = [f"{PACKAGE}/domain/{name}.py" for name in ("session", "plans", "events", "effects", "cards", "audit")]
_STORED += [f"{PACKAGE}/adapters/redis/lua", f"{PACKAGE}/adapters/redis/rows.py"]
"""Where it is written what things look like in the store."""

_NUMBERS = {f"{PACKAGE}/adapters/redis/lua/prelude.lua": "local SCHEMA = {}"}
_NUMBERS |= {f"{PACKAGE}/adapters/redis/rows.py": "SCHEMA: Final = {}"}


def before(folder: Path) -> Path:
    """The last release; before there is one, what went before the last change of what is stored. Where the history is
    not at hand, the present version under another name."""
    last = _git("describe", "--tags", "--abbrev=0", "--match", "v*")
    changed = _git("log", "-1", "--format=%H", "--", *_STORED)
    parent = _git("rev-parse", "--verify", "--quiet", f"{changed}^") if changed else ""
    commit = last or parent
    if not commit:
        return _named(_copy(folder), "0.0.1")
    packed = subprocess.run(["git", "archive", commit, PACKAGE], cwd=_ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return _named(folder, "0.0.1")


def after(folder: Path) -> Path:
    """The present version with a higher number on everything that it stores: to the present one all that is newer."""
    _copy(folder)
    for path, line in _NUMBERS.items():
        file = folder / path
        text = file.read_text("utf-8")
        (number,) = re.findall(re.escape(line).replace(r"\{\}", r"(\d+)"), text)
        file.write_text(text.replace(line.format(number), line.format(int(number) + 1)), encoding="utf-8")
    return _named(folder, "99.0.0")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=_ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _copy(folder: Path) -> Path:
    shutil.copytree(_ROOT / PACKAGE, folder / PACKAGE)
    return folder


def _named(folder: Path, version: str) -> Path:
    """What the process says that it is."""
    metadata = folder / f"{PACKAGE}-{version}.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(f"Metadata-Version: 2.1\nName: chatops-bot\nVersion: {version}\n", encoding="utf-8")
    return folder
