"""The page of actions as Markdown, made of what each action declares and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from chatops_bot.domain.actions.base import Action
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.actions.risk import RISK
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.flows import FLOWS
from chatops_bot.domain.identity import Room
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.observed import Permission
from chatops_bot.domain.plans import Change, Plan
from chatops_bot.domain.say import say
from chatops_bot.domain.texts import render as rendered

_HEAD = """# Actions

What the bot can change, each action by its own declaration in `chatops_bot/domain/actions/`. This page is made by
`chatops-bot actions`; the help text, the slots that are asked for, the permissions of the chart and what `doctor` looks
for come from the same declarations, and tests hold them together.

Every action reads its target anew before it writes, compares the watched fields with what the card showed, and sends
uid and resourceVersion along.
"""

_BEFORE: Final[dict[str, SlotValue]] = {
    "replicas": 2,
    "image": "reg/web:1",
    "container": "web",
    "min": 1,
    "max": 2,
    "name": "web-1",
}
"""What a plan may have replaced, for asking an action what its undo is."""


def render() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *(line for action in ACTIONS.values() for line in _action(action))])


def _action(action: Action) -> Iterator[str]:
    yield f"## `{action.name}`\n"
    yield f"{rendered(say(f'help.{action.name}'), 'en')}\n"
    yield "| | |\n| --- | --- |"
    yield f"| works on | {', '.join(sorted(action.kinds))} |"
    yield f"| slots | {', '.join(_slots(action)) or 'none'} |"
    yield f"| risk | {_risk(action.name)} |"
    yield f"| permissions | {'<br>'.join(_permissions(action))} |"
    yield f"| watched fields | {', '.join(f'`{path}`' for path in _watched(action))} |"
    yield f"| undo | {_undo(action)} |\n"


def _slots(action: Action) -> Iterator[str]:
    form = FLOWS[action.name]
    yield from (f"`{slot}`{' (must be said)' if slot in form.required else ''}" for slot in form.slots)


def _watched(action: Action) -> Iterator[str]:
    """Those of all its kinds, each once."""
    yield from dict.fromkeys(path for kind in sorted(action.kinds) for path in action.watched({"kind": kind}))


def _risk(name: str) -> str:
    table = RISK[name]
    others = (f"{risk} for {kind.replace('_', ' ')}" for kind, risk in table.items() if risk != table["ordinary"])
    return ", ".join([table["ordinary"], *others])


def _permissions(action: Action) -> Iterator[str]:
    """One line a kind; one line where all kinds need the same."""
    by_kind = {kind: action.permissions(kind) for kind in sorted(action.kinds)}
    if len(set(by_kind.values())) == 1:
        yield _listed(next(iter(by_kind.values())))
        return
    yield from (f"{kind}: {_listed(permissions)}" for kind, permissions in by_kind.items())


def _listed(permissions: tuple[Permission, ...]) -> str:
    verbs: dict[str, list[str]] = {}
    for one in permissions:
        below = f"/{one.subresource}" if one.subresource else ""
        verbs.setdefault(f"{one.resource}{below}{f'.{one.group}' if one.group else ''}", []).append(one.verb)
    return ", ".join(f"{'/'.join(found)} `{resource}`" for resource, found in verbs.items())


def _undo(action: Action) -> str:
    kind = min(action.kinds)
    plan = Plan(
        token="", action=action.name, entity=Entity("main", "shop", kind, "web", "web"), uid="u", resource_version="1",
        change=Change(group="", version="v1", plural="", name="web", body={}), parameters=dict(_BEFORE),
        before=dict(_BEFORE), watched={}, risk="medium", preview=(), room=Room("console", "t", "ops"), thread="x",
        requester="alice", language="en", created=0, expires=0,
    )  # fmt: skip
    undo = action.undo(plan)
    return "none" if undo is None else f"`{undo.action}`"
