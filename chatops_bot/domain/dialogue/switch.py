"""The read-only switch by chat: everybody may stop the bot, only who may confirm something lets it go on.
Design rule 8."""

from __future__ import annotations

import re
from typing import Final, Literal

from chatops_bot.domain.dialogue import requests
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.effects import Switch
from chatops_bot.domain.events import Message, Switched
from chatops_bot.domain.identity import User
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.say import say
from chatops_bot.domain.scopes import EVERYBODY

Command = Literal["on", "off"]

_ON: Final = re.compile(
    r"(?:please |go |switch (?:to )?|make (?:yourself |the bot )?|turn (?:on )?)?read[- ]?only(?: mode)?(?: on)?"
    r"(?:[\s:,;-]+(?P<why_en>.*))?|(?:请|进入|开启|打开|切到|切换到)?只读(?:模式|状态)?(?:打开|开启|开)?(?:[\s:,,。]+(?P<why_zh>.*))?",
    re.IGNORECASE | re.DOTALL,
)
_OFF: Final = re.compile(
    r"(?:please )?(?:turn )?(?:off )?read[- ]?only(?: mode)? off|turn off read[- ]?only(?: mode)?|"
    r"(?:关闭|关掉|退出|解除|取消)只读(?:模式|状态)?|只读(?:模式|状态)?(?:关闭|关掉|关|解除)",
    re.IGNORECASE,
)


def command_of(text: str) -> tuple[Command, str] | None:
    """Whether the whole message is the switch, and the reason it gives."""
    text = text.strip(" .!。\t\n")
    if _OFF.fullmatch(text):
        return "off", ""
    found = _ON.fullmatch(text)
    if found is None:
        return None
    return "on", (found["why_en"] or found["why_zh"] or "").strip()[:200]


def on_command(turn: Turn, event: Message, command: Command, why: str) -> None:
    """Ask for the switch to be set; refused for whoever may not lift it."""
    turn.route = "read_only"
    name = turn.name or event.user.key
    if command == "off" and not may_lift(turn.world.policy, event.user):
        requests.refuse(turn, say("switch.may_not"), reason="policy")
        return
    reason = f"{why} ({name})" if why else name
    turn.record("switch", reason=f"{command}: {reason}")
    turn.do(
        Switch(
            id=turn.effect_id(),
            thread=turn.session.thread,
            room=turn.session.room,
            reason=reason if command == "on" else "",
        )
    )


def on_switched(turn: Turn, event: Switched) -> None:
    """The switch is set, for every process on this store."""
    if event.reason:
        turn.reply(line_card(say("switch.on"), turn.language, say("switch.on_text", why=event.reason), tone="warn"))
    else:
        turn.reply(line_card(say("switch.off"), turn.language, say("switch.off_text"), tone="ok"))


def may_lift(policy: Policy, user: User) -> bool:
    """Whether any rule lets this person confirm anything."""
    outsider = user.guest or user.foreign
    named = {entry for rule in policy.rules for entry in policy.members(rule.confirm, outside=not outsider)}
    return user.key in named or (EVERYBODY in named and not outsider)
