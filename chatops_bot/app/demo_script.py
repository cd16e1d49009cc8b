"""`chatops-bot demo --script`: scenes played in the terminal by the same stage as `replay`."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from chatops_bot.app import transcript
from chatops_bot.app.player import Player
from chatops_bot.app.replay_store import NoRoomError, ReplayRedis
from chatops_bot.app.scene_print import Look, card_box
from chatops_bot.app.settings import LogSettings
from chatops_bot.app.stage import Stage
from chatops_bot.app.telemetry import configure_logging
from chatops_bot.app.transcript import Transcript, TranscriptError, Turn

PAUSE_S: Final = 0.3
"""Between turns on a terminal, so that the eye can follow."""

FAILED: Final = 1
UNUSABLE: Final = 2


def play_all(paths: list[Path]) -> int:
    """Play the scenes; 0 when all went as it should, 1 when something did not, 2 when they cannot be played."""
    configure_logging(LogSettings(level="error", format="console"))
    terminal = sys.stdout.isatty()
    colours = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    look = Look(colours=colours, width=min(96, shutil.get_terminal_size((88, 24)).columns))
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal that knows no Chinese still shows the rest
    try:
        return asyncio.run(_play_all(paths, look, pause_s=PAUSE_S if terminal else 0.0))
    except (TranscriptError, NoRoomError) as error:
        sys.stderr.write(f"{error}\n")
        return UNUSABLE
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever reads has seen enough (`| head`); what is still buffered must not complain at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


async def _play_all(paths: list[Path], look: Look, *, pause_s: float) -> int:
    wrong: list[str] = []
    files = [transcript.read(path) for path in paths]
    async with ReplayRedis() as redis:
        for number, file in enumerate(files, 1):
            _say(look.heading(f"Scene {number}: {file.name}"))
            async with Stage(file, redis) as stage:
                wrong += await Scene(file, stage, look, pause_s=pause_s).play()
            await redis.clear()
    for problem in wrong:
        sys.stderr.write(f"{problem}\n")
    _say("Not everything went as it should." if wrong else look.good("Everything went as it should."))
    return FAILED if wrong else 0


class Scene:
    """One transcript, printed as it plays."""

    def __init__(self, file: Transcript, stage: Stage, look: Look, *, pause_s: float) -> None:
        self._file = file
        self._stage = stage
        self._look = look
        self._pause_s = pause_s
        self._shown: dict[str, str] = {}

    async def play(self) -> list[str]:
        """What was not as the transcript expects."""
        player = Player(self._stage)
        wrong: list[str] = []
        for turn in self._file.turns:
            labels = self._labels()
            played = await player.play(turn)
            self._tell(turn, labels)
            self._show_cards()
            self._show_changes(played)
            wrong += [f"{self._file.path}: turn {turn.id}: {problem}" for problem in player.wrong(turn, played)]
            if self._pause_s:
                await asyncio.sleep(self._pause_s)
        return wrong

    def _tell(self, turn: Turn, labels: dict[str, str]) -> None:
        at = datetime.fromtimestamp(self._stage.clock.now(), UTC).strftime("%H:%M:%S")
        if turn.act == "say":
            _say(self._look.said(at, turn.user, str(turn.what)))
        elif turn.act == "click":
            _say(self._look.pressed(at, turn.user, labels.get(str(turn.what), str(turn.what))))

    def _labels(self) -> dict[str, str]:
        """What is written on the buttons that can be seen, by their ids."""
        return {button.id: button.label for shown in self._stage.chat.cards() for button in shown.card.buttons}

    def _show_cards(self) -> None:
        """Cards that say something new; one that only lost its buttons is not shown again."""
        changed = sorted(self._stage.chat.cards(), key=lambda shown: shown.updated)
        for shown in changed:
            text = shown.card.text()
            if self._shown.get(shown.message) == text:
                continue
            again = shown.message in self._shown
            self._shown[shown.message] = text
            _say("\n".join(card_box(shown.card, self._look, updated=again)))

    def _show_changes(self, played: dict[str, Any]) -> None:
        for done in played["executed"]:
            what = f" to {done['replicas']} replicas" if "replicas" in done else ""
            _say(self._look.change(f"{done['action']} {done['target']} in {done['namespace']}{what}"))


def _say(text: str, *, write: Callable[[str], object] | None = None) -> None:
    (write or sys.stdout.write)(f"{text}\n")
    sys.stdout.flush()
