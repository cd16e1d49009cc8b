"""What somebody may do, in words: the same from the command line and in a chat. Reads the policy; changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.freezes import Freeze
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import ACTIONS, Language
from chatops_bot.domain.policy import Policy, Role, Ruling, shown_duration
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.scopes import EVERYBODY
from chatops_bot.domain.texts import render, word

PERMISSION: Final = "permission"
"""The intent of a question after permission; its slot `action` names what it is about. It is never an order."""

_WRITING: Final[tuple[Role, ...]] = ("request", "confirm", "approve")
_READING: Final[tuple[Role, ...]] = ("read",)


class Permission(msgspec.Struct, frozen=True):
    """Whose permission for what: one action or query (`read` for looking in general) on one entity, by one account in
    one room, at `now` (ms of wall time). `read_only` says why nothing may be changed now, "" where it may."""

    action: str
    entity: Entity
    room: Room
    user: User
    now: int
    read_only: str = ""


def explain(policy: Policy, asked: Permission, language: Language) -> tuple[str, ...]:
    """The answer, line by line: what and where, then for each role whether, by which rule, who can, and under which
    conditions; then the change freezes that speak of it."""
    return tuple(render(line, language) for line in _lines(policy, asked, language))


def _lines(policy: Policy, asked: Permission, language: Language) -> Iterator[Say]:
    entity = asked.entity
    parts = (entity.environment or word("explain.no_environment", language), entity.cluster, entity.namespace)
    what = f"{'action' if asked.action in ACTIONS else 'intent'}.{asked.action}"
    yield say("explain.head", action=what, target=entity.target, place=" · ".join(part for part in parts if part))
    writing = asked.action in ACTIONS
    if policy.outdated:
        yield say("policy.outdated")
    if writing and asked.read_only:
        yield say("explain.read_only", why=asked.read_only)
    for role in _WRITING if writing else _READING:
        ruling = policy.judge(action=asked.action, entity=entity, room=asked.room, user=asked.user, role=role)
        yield _verdict(ruling, role, language)
        if role == "confirm":
            yield from _conditions(ruling)
    if writing:
        yield from _freezes(policy, asked, language)


def _verdict(ruling: Ruling, role: Role, language: Language) -> Say:
    if ruling.problem is not None:
        return say("explain.no", role=f"role.{role}", why=render(ruling.problem, language))
    if ruling.rule < 0:
        return say("explain.yes_unruled", role=f"role.{role}")
    if EVERYBODY in ruling.who:
        return say("explain.yes_everybody", role=f"role.{role}", rule=ruling.rule + 1)
    return say("explain.yes", role=f"role.{role}", rule=ruling.rule + 1, who=", ".join(ruling.who))


def _conditions(ruling: Ruling) -> Iterator[Say]:
    """What a confirmation takes beside; told to whoever asks, also to those who may not confirm."""
    if ruling.approvals:
        whose = "own" if ruling.self_approve else "others"
        who = _people(ruling, ruling.approvers)
        yield say(f"explain.approvals_{whose}", count=ruling.approvals, who=who)
    if ruling.approvals and ruling.next_approvers:
        who = _people(ruling, ruling.next_approvers)
        yield say("explain.escalated", after=shown_duration(ruling.escalate_after), who=who)
    if ruling.risk is not None:
        yield say("explain.risk", risk=f"risk.{ruling.risk}")
    if ruling.limits.max_replicas is not None:
        yield say("explain.limit", max=ruling.limits.max_replicas)


def _people(ruling: Ruling, keys: tuple[str, ...]) -> str:
    """These people, each once."""
    named = (ruling.people.owner(key, ruling.room) or key for key in keys)
    return ", ".join(dict.fromkeys(named))


def _freezes(policy: Policy, asked: Permission, language: Language) -> Iterator[Say]:
    for freeze in policy.freezes:
        if freeze.covers(action=asked.action, entity=asked.entity, room=asked.room):
            yield _freeze(policy, freeze, asked, language)


def _freeze(policy: Policy, freeze: Freeze, asked: Permission, language: Language) -> Say:
    """What a freeze that speaks of this means for this person."""
    frozen = freeze.holds(action=asked.action, entity=asked.entity, room=asked.room, now=asked.now)
    if frozen is None:
        begins = freeze.window.next_after(asked.now)
        if not begins:
            return say("explain.freeze_over", name=freeze.name)
        return say("explain.freeze_later", name=freeze.name, begins=freeze.window.shown(begins))
    problem = policy.not_overridden((frozen,), by=(asked.user.key,), room=asked.room)
    if problem is None:
        return say("explain.freeze_yours", name=frozen.name, until=frozen.until or "?")
    return say("explain.freeze", why=render(problem, language))
