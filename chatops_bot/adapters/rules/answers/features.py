"""An answer to a plan as features for the weights (`weights`): what is said, seen from the plan.

The plan's own service, numbers and verb become marks, and those of others other marks, so that what is learned of one
plan holds of every other. What the rules made of the text are features as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from chatops_bot.adapters.rules.answers.guard import VETO, names_plan
from chatops_bot.adapters.rules.answers.restated import direction, numbers
from chatops_bot.adapters.rules.requests.naming import is_pod
from chatops_bot.adapters.rules.text.reading import DISMISSED, NAME, Reading
from chatops_bot.domain.intents import Name, PendingPlan, Request, Route

_OWN: Final = "\ue002"
_BEGIN, _END = "^", "$"
_MARKS: Final = ((re.compile(f"{_OWN}+"), " 〖own〗 "), (re.compile(f"{NAME}+"), " 〖other〗 "))
_GONE: Final = re.compile(f"{DISMISSED}+")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*")
_TOKEN: Final = re.compile(r"[〖〘〚][a-z]+[〗〙〛]|[a-z']+|[^\s\w]|\S")
_SPACES: Final = re.compile(r"\s+")

_VERBS: Final[dict[str, re.Pattern[str]]] = {
    action: re.compile(said)
    for action, said in {
        "scale": r"副本|replicas?|\bscal(?:e|es|ed|ing)\b(?! ?(?:up|down|out|in)\b)",
        "scale up": r"扩容?|加到|加上去|\bscal\w+[ -](?:up|out)\b|\bup-?scal\w+|\bbump|\bincreas\w+",
        "scale down": r"缩容?|减到|减下来|\bscal\w+[ -](?:down|in)\b|\bdown-?scal\w+|\bshrink\w*|\breduc\w+",
        "restart": r"重启|重起|\brestart\w*|\breboot\w*|\bbounce\w*",
        "rollback": r"回滚|回退|退回|\brollback|\broll(?:ing)? (?:\S{1,20} )?back|\brevert\w*",
        "pause": r"暂停|停发|\bpaus\w+",
        "resume": r"恢复|继续发|\bresum\w+",
        "set_image": r"镜像|\bimage",
        "delete_pod": r"删除?|\bdelet\w+|\bkill\w*",
        "cordon": r"(?<!un)cordon\w*|封锁?|不可调度",
        "uncordon": r"uncordon\w*|解封|可调度",
        "drain": r"排空|腾空|\bdrain\w*",
        "set_autoscaler": r"自动伸缩|弹性|autoscaler|\bhpa\b",
    }.items()
}
"""The plainest words of each action, of scaling by its direction: those of the plan's own, and those that mean
another."""

_WINDOW: Final = 4
"""How far apart two words may stand that are seen together, in words."""
_PIECES: Final = (3, 4)
"""Letters of the pieces that a Latin word is cut into, so that a typo loses a part of it only."""
_LONGEST_CLASS: Final = 6


def words(reading: Reading, plan: PendingPlan) -> frozenset[str]:
    """Features of what is said."""
    tokens = [_BEGIN, *_TOKEN.findall(_seen(reading, plan)), _END]
    towards = direction(plan)
    return frozenset(
        (
            *(f"1 {token}" for token in tokens),
            *(f"2 {one} {two}" for one, two in pairwise(tokens)),
            *_apart(tokens),
            *(f"{towards} {token}" for token in tokens),
            *_pieces(tokens),
            f"length {min(_LONGEST_CLASS, len(tokens) // 3)}",
        )
    )


def signs(reading: Reading, plan: PendingPlan, route: Route, requests: Iterable[Request]) -> frozenset[str]:
    """Features of what the rules made of it."""
    found = tuple(requests)
    intents = "+".join(sorted("same" if one.intent == plan.action else one.intent or "-" for one in found))
    return frozenset(
        (
            f"rules {route.value}",
            f"rules {route.value}: {intents}",
            f"rules {route.value}, values: {any(one.slots for one in found)}",
            *("rules: other name" for one in found if one.name is not None and not names_plan(one.name, plan)),
            *(["mark: question"] if "?" in reading.masked else []),
            *(["mark: veto"] if VETO.search(reading.masked) else []),
            *(["mark: foreign number"] if _foreign(reading, plan) else []),
        )
    )


def _foreign(reading: Reading, plan: PendingPlan) -> bool:
    own = {f"{value:g}" for value in numbers(plan)}
    return not own.issuperset(_NUMBER.findall(reading.masked))


def _seen(reading: Reading, plan: PendingPlan) -> str:
    """The text with marks in place of names, numbers and the plain verbs."""
    letters = list(reading.masked)
    for name in reading.names:
        if is_own(name, plan):
            letters[name.start : name.start + len(name.text)] = _OWN * len(name.text)
    text = _GONE.sub(" 〖gone〗 ", "".join(letters))
    for pattern, mark in _MARKS:
        text = pattern.sub(mark, text)
    planned = {f"{value:g}" for value in numbers(plan)}
    before = {str(value) for value in plan.before.values()}
    text = _NUMBER.sub(
        lambda found: "〘p〙" if found.group() in planned else "〘b〙" if found.group() in before else "〘n〙", text
    )
    for action, verb in _VERBS.items():
        if action in (plan.action, direction(plan)):
            text = verb.sub("〚v〛", text)
        else:
            text = verb.sub(lambda found: f"〚o〛{found.group()}", text)
    return _SPACES.sub(" ", text).strip()


def is_own(name: Name, plan: PendingPlan) -> bool:
    """Whether a name is the plan's service or node, or the very pod that it is about."""
    if is_pod(name):
        return name.text.lower() == str(plan.parameters.get("pod", "")).lower()
    return names_plan(name, plan)


def _apart(tokens: list[str]) -> Iterator[str]:
    for at, one in enumerate(tokens):
        for two in tokens[at + 2 : at + _WINDOW + 1]:
            yield f"3 {one} {two}"


def _pieces(tokens: list[str]) -> Iterator[str]:
    for word in tokens:
        if word.isascii() and len(word) >= _PIECES[-1]:
            for length in _PIECES:
                yield from (f"~ {word[at : at + length]}" for at in range(len(word) - length + 1))
