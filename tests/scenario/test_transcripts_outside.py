"""Transcripts written from the design alone, by somebody who had not read the source: each holds as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

OUTSIDE: Final = Path(__file__).parent / "transcripts_outside"


def test_every_transcript_from_outside_holds() -> None:
    paths = sorted(str(path) for path in OUTSIDE.glob("*.yaml"))
    environment = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    command = [sys.executable, "-m", "chatops_bot", "replay", *paths, "--json"]
    played = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)

    assert played.returncode == 0, played.stderr
    assert len(paths) == 25
