"""`chatops-bot replay`: transcripts through the whole bot, under a virtual clock."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from chatops_bot.adapters.redis.embedded import EmbeddedError
from chatops_bot.app import transcript
from chatops_bot.app.modelling import interpreter_of
from chatops_bot.app.player import Player
from chatops_bot.app.real_cluster.cluster import RealCluster
from chatops_bot.app.replay_store import NoRoomError, ReplayRedis
from chatops_bot.app.settings import LogSettings
from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.app.stage import Stage
from chatops_bot.app.stage_chat import StageChat
from chatops_bot.app.stage_wire import WireChat, wire_of
from chatops_bot.app.telemetry import configure_logging
from chatops_bot.app.transcript import Transcript, TranscriptError
from chatops_bot.ports.clock import Clock, SystemClock
from chatops_bot.ports.cluster import ClusterError
from chatops_bot.ports.interpreter import Interpreter

UNUSABLE: Final = 2
FAILED: Final = 1


class Real(msgspec.Struct, frozen=True):
    """A real cluster to play on: its kubeconfig, and the context that the bot acts under, "" for the current one."""

    kubeconfig: Path
    bot_context: str = ""

    def cluster(self, file: Transcript, redis: ReplayRedis) -> RealCluster:
        """For one file; what is made there is said on standard error. Raises `ClusterError`."""

        def tell(line: str) -> None:
            sys.stderr.write(f"{file.path}: {line}\n")

        return RealCluster(self.kubeconfig, file, redis, context=self.bot_context, clock=SystemClock(), tell=tell)


def main(
    paths: list[Path],
    *,
    as_json: bool = False,
    cluster: Path | None = None,
    bot_context: str = "",
    platform: str = "console",
    model: ModelSettings | None = None,
) -> int:
    """Play each file; print one JSON object per turn. Without `as_json` a verdict on each file is said beside, on
    standard error, as is every expectation that does not hold. With `cluster` they play on that of this kubeconfig,
    where the bot acts under `bot_context` or else as everybody, and all that is made there is said as well. With
    another `platform` than the console they play through its adapter and its wire; what has to be said otherwise there
    is told. With a `model` that one is asked beside the rules; no budget holds, and its time limit is a real one.

    0 when every expectation holds, 1 when one does not, 2 when a file cannot be used, which is said with its
    place before anything is played, or the store or the cluster cannot.
    """
    configure_logging(LogSettings(level="error"))
    loaded: list[Transcript] = []
    problems: list[str] = []
    for path in paths:
        try:
            loaded.append(transcript.read(path))
        except TranscriptError as error:
            problems += error.problems
    if problems:
        for problem in problems:
            sys.stderr.write(problem + "\n")
        return UNUSABLE
    try:
        real = Real(cluster, bot_context) if cluster else None
        return asyncio.run(_play_all(loaded, as_json=as_json, real=real, platform=platform, model=model))
    except ImportError as error:
        sys.stderr.write(f"{platform}: {error.name} is not installed; pip install 'chatops-bot[{platform}]'\n")
        return UNUSABLE
    except (TranscriptError, NoRoomError, EmbeddedError) as error:
        sys.stderr.write(f"{error}\n")
        return UNUSABLE
    except ClusterError as error:
        sys.stderr.write(f"{cluster or 'the sandbox cluster'}: {error}\n")
        return UNUSABLE


async def _play_all(
    loaded: list[Transcript], *, as_json: bool, real: Real | None, platform: str, model: ModelSettings | None
) -> int:
    code = 0
    interpreter, made = interpreter_of(model) if model is not None else (None, None)
    try:
        async with ReplayRedis() as redis:
            for file in loaded:
                if await play(file, redis, as_json=as_json, real=real, platform=platform, interpreter=interpreter):
                    code = FAILED
                await redis.clear()
    finally:
        if made is not None:
            await made.close()
    return code


async def play(
    file: Transcript,
    redis: ReplayRedis,
    *,
    as_json: bool,
    real: Real | None = None,
    platform: str = "console",
    interpreter: Interpreter | None = None,
) -> int:
    """One file; how many of its expectations do not hold. Prints as it goes."""
    failed = 0
    cluster = real.cluster(file, redis) if real else None
    chat = _chat(platform, file, quiet=as_json)
    async with Stage(file, redis, cluster=cluster, chat=chat, interpreter=interpreter) as stage:
        player = Player(stage)
        for turn in file.turns:
            printed = await player.play(turn)
            wrong = player.wrong(turn, printed)
            failed += len(wrong)
            _print(file, turn.id, printed, wrong)
    if not as_json:
        sys.stderr.write(f"{file.path}: {_verdict(failed)} ({file.name})\n")
    return failed


def _chat(platform: str, file: Transcript, *, quiet: bool) -> Callable[[Clock], StageChat] | None:
    """What makes the chat of a platform; None for the console, which needs no wire."""
    if platform == "console":
        return None

    def tell(line: str) -> None:
        if not quiet:
            sys.stderr.write(f"{file.path}: {line}\n")

    return lambda clock: WireChat(wire_of(platform, clock=clock), clock=clock, tell=tell)


def _verdict(failed: int) -> str:
    if not failed:
        return "holds"
    return "1 expectation does not hold" if failed == 1 else f"{failed} expectations do not hold"


def _print(file: Transcript, turn: str, printed: dict[str, Any], wrong: list[str]) -> None:
    _say(json.dumps(printed, ensure_ascii=False))
    for problem in wrong:
        sys.stderr.write(f"{file.path}: turn {turn}: {problem}\n")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
