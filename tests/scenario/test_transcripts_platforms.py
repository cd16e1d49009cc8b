"""Every transcript holds on every chat platform, through its adapter and over its wire: those here, and those that lie
beside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
BESIDE: Final = HERE.parent.parent.parent / "shared" / "transcripts"
FOLDERS: Final = (HERE / "transcripts", HERE / "transcripts_outside", BESIDE)
FILES: Final = [str(path) for folder in FOLDERS for path in sorted(folder.glob("*.yaml"))]
PLATFORMS: Final = ("wecom", "feishu", "slack")
"""The slowest first. On the console `test_transcripts.py` plays those that are ours."""


def replay(platform: str, files: list[str]) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    command = [sys.executable, "-m", "chatops_bot", "replay", "--platform", platform, "--json", *files]
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=600, check=False)


@pytest.mark.timeout(660)
def test_every_transcript_holds_on_every_platform() -> None:
    assert len(FILES) > 100
    beside = [path for path in FILES if path.startswith(str(BESIDE))]
    asked = [(platform, FILES) for platform in PLATFORMS] + ([("console", beside)] if beside else [])
    with ThreadPoolExecutor(2) as pool:
        played = list(pool.map(lambda one: replay(*one), asked))
    said = {platform: done.stderr for (platform, _), done in zip(asked, played, strict=True) if done.returncode}
    assert said == {}
