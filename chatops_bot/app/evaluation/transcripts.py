"""Transcripts: whole group chats through the whole bot, each turn judged by what it expects."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, Final

from chatops_bot.app import expectations
from chatops_bot.app.evaluation.judged import Judged
from chatops_bot.app.evaluation.posing import Contender
from chatops_bot.app.evaluation.staging import staged
from chatops_bot.app.player import Player
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.transcript import Transcript, Turn
from chatops_bot.domain.normalise import language_of

KIND: Final = "transcript"
_WHERE: Final = ("ignored", "service", "namespace")
"""Expectations that say to which thread and service a turn belongs."""


_Done = tuple[str, str]
"""An action and its target."""


async def judge(file: Transcript, contender: Contender, redis: ReplayRedis) -> list[Judged]:
    """How each turn went that expects something or says something."""
    judged = []
    begun: set[_Done] = set()
    async with staged(file, redis, contender) as (stage, measured):
        player = Player(stage)
        for turn in file.turns:
            told = await player.play(turn)
            seconds, tokens = measured.taken()
            falsely = executed_falsely(turn, told, begun)
            begun |= {_done(one) for one in told["executed"]}
            if turn.expect or turn.act == "say":
                judged.append(_judged(turn, told, player.wrong(turn, told), seconds, tokens, falsely=falsely))
    return judged


def _judged(
    turn: Turn,
    told: dict[str, Any],
    wrong: list[str],
    seconds: tuple[float, ...],
    tokens: tuple[int, ...],
    *,
    falsely: bool,
) -> Judged:
    where = {key: turn.expect[key] for key in _WHERE if key in turn.expect}
    astray = expectations.mismatches(where, told) if where else []
    marks = {"routing": bool(where), "routed": bool(where) and not astray, "expecting": bool(turn.expect)}
    text = str(turn.what) if turn.act == "say" else f"{turn.act} {turn.what}"
    return Judged(
        where=f"turn {turn.id}",
        lang=language_of(text, "en"),
        label=turn.act,
        understood="; ".join(wrong) or "as expected",
        right=not wrong,
        text=text,
        executed=falsely,
        marks=frozenset(mark for mark, holds in marks.items() if holds),
        seconds=seconds,
        tokens=tokens,
    )


def executed_falsely(turn: Turn, told: dict[str, Any], begun: Set[_Done] = frozenset()) -> bool:
    """Whether something reached the cluster that the turn does not expect. One that expects nothing of the kind may
    have done so by a button or by words of confirmation only; what had been `begun` before may go on meanwhile."""
    executed = told["executed"]
    if "executed" not in turn.expect:
        new = [one for one in executed if _done(one) not in begun]
        return bool(new) and turn.act == "say" and told["route"] != "confirm"
    expected = turn.expect["executed"]
    if not isinstance(expected, list):
        return bool(expectations.mismatches(expected, executed))
    left = list(expected)
    for one in executed:
        match = next((wanted for wanted in left if not expectations.mismatches(wanted, one)), None)
        if match is None:
            return True
        left.remove(match)
    return False


def _done(executed: Mapping[str, Any]) -> _Done:
    return str(executed.get("action", "")), str(executed.get("target", ""))
