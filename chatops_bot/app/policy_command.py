"""`chatops-bot policy explain`: what the policy means for one person and one service."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec

from chatops_bot.app.configuration import Configuration
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.freezes import Freeze, Frozen
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import ACTIONS, QUERIES, Language
from chatops_bot.domain.people import PLATFORMS
from chatops_bot.domain.policy import Policy, Role, Ruling
from chatops_bot.domain.scopes import READS
from chatops_bot.domain.texts import render
from chatops_bot.ports.clock import SystemClock

_HOME = "home"
"""Stands for the organisation of the room; `slack:T…/U…` names another."""


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is asked, as written on the command line. `user`: an account, or a person of the policy's `people`."""

    user: str
    action: str
    service: str
    cluster: str = ""
    namespace: str = ""
    environment: str = ""
    room: str = ""
    guest: bool = False
    language: str = ""
    at: str = ""


def explain(configuration: Configuration, question: Question, *, now: int | None = None) -> Iterator[str]:
    """Lines for a person, as of `now` (ms of wall time; the clock's). Raises `ValueError` for a question that cannot
    be asked."""
    known = (*ACTIONS, *QUERIES, *READS)
    if question.action not in known:
        raise ValueError(f"{question.action!r} is no action; known are {', '.join(dict.fromkeys(known))}")
    language = _language(question.language or configuration.settings.language)
    entities = _entities(configuration, question)
    accounts = configuration.policy.people.named_by(question.user)
    who = [(account, *_account(account, question)) for account in accounts]
    roles: tuple[Role, ...] = ("request", "confirm", "approve") if question.action in ACTIONS else ("read",)
    at = _moment(question.at, int(SystemClock().now() * 1_000) if now is None else now)
    return _by_account(configuration, question, entities, who=who, roles=roles, language=language, now=at)


def _by_account(
    configuration: Configuration,
    question: Question,
    entities: list[Entity],
    *,
    who: list[tuple[str, User, Room]],
    roles: tuple[Role, ...],
    language: Language,
    now: int,
) -> Iterator[str]:
    for account, user, room in who:
        if account != question.user:
            yield f"{question.user} as {account}:"
        yield from _lines(
            configuration, question.action, entities, user=user, room=room, roles=roles, language=language, now=now
        )


def _lines(
    configuration: Configuration,
    action: str,
    entities: list[Entity],
    *,
    user: User,
    room: Room,
    roles: tuple[Role, ...],
    language: Language,
    now: int,
) -> Iterator[str]:
    if configuration.settings.read_only:
        yield "read_only is set in the configuration: whatever the policy says, every change is refused."
    for entity in entities:
        place = f"{entity.cluster}/{entity.namespace} ({entity.environment or 'no environment'})"
        yield f"{action} {entity.target} in {place}"
        for role in roles:
            ruling = configuration.policy.judge(action=action, entity=entity, room=room, user=user, role=role)
            yield f"  {role}: {_verdict(ruling, language)}"
            if role == "confirm" and ruling.allowed:
                yield from (f"    {line}" for line in _conditions(ruling))
        if action in ACTIONS:
            policy = configuration.policy
            covering = [f for f in policy.freezes if f.covers(action=action, entity=entity, room=room)]
            for freeze in covering:
                frozen = freeze.holds(action=action, entity=entity, room=room, now=now)
                yield f"  freeze: {_frozen(policy, freeze, frozen, user=user, room=room, now=now, language=language)}"


def _frozen(
    policy: Policy, freeze: Freeze, frozen: Frozen | None, *, user: User, room: Room, now: int, language: Language
) -> str:
    """What a freeze that speaks of this means for this person."""
    if frozen is None:
        begins = freeze.window.next_after(now)
        when = f"begins {freeze.window.shown(begins)}" if begins else "is over"
        return f"{freeze.name} {when}"
    if policy.not_overridden((frozen,), by=(user.key,), room=room) is None:
        return f"{frozen.name} is on until {frozen.until or '?'}; this person may override it, with a reason"
    problem = policy.not_overridden((frozen,), by=(), room=room)
    return render(problem, language) if problem else frozen.name


def _moment(text: str, now: int) -> int:
    if not text:
        return now
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is no time; write 2026-01-05T10:00, with +08:00 where it is not UTC") from None
    return int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1_000)


def _verdict(ruling: Ruling, language: Language) -> str:
    if ruling.problem is not None:
        return f"no. {render(ruling.problem, language)}"
    return f"yes, by rule {ruling.rule + 1}" if ruling.rule >= 0 else "yes, no rule speaks of it"


def _conditions(ruling: Ruling) -> Iterator[str]:
    if ruling.approvals:
        whose = "themselves included" if ruling.self_approve else "neither the requester nor the confirmer"
        yield f"then {ruling.approvals} must approve ({whose}), out of: {_people(ruling)}"
    if ruling.limits.max_replicas is not None:
        yield f"up to {ruling.limits.max_replicas} replicas"


def _people(ruling: Ruling) -> str:
    """Those who may approve, each person once."""
    named = (ruling.people.owner(key, ruling.room) or key for key in ruling.approvers)
    return ", ".join(dict.fromkeys(named))


def _entities(configuration: Configuration, question: Question) -> list[Entity]:
    """The services of that name in the catalog file; else the one that the options describe."""
    wanted = question.service.casefold()
    found = [
        service.entity
        for service in configuration.services
        if wanted in {name.casefold() for name in (service.entity.name, service.entity.key, *service.aliases)}
        and (not question.cluster or service.entity.cluster == question.cluster)
        and (not question.namespace or service.entity.namespace == question.namespace)
    ]
    if found:
        return found
    clusters = {cluster.name: cluster for cluster in configuration.settings.clusters}
    cluster = question.cluster or (next(iter(clusters)) if len(clusters) == 1 else "")
    if question.cluster and question.cluster not in clusters:
        raise ValueError(
            f"the cluster {question.cluster!r} is not under clusters; known are {', '.join(clusters) or 'none'}"
        )
    if not cluster or not question.namespace:
        raise ValueError(
            f"{question.service!r} is not in the catalog file; say where it runs with --cluster "
            f"(one of: {', '.join(clusters) or 'none configured'}) and --namespace"
        )
    environment = question.environment or clusters[cluster].environment
    return [Entity(cluster, question.namespace, "Deployment", question.service, question.service, environment)]


def _account(account: str, question: Question) -> tuple[User, Room]:
    """The user of an account and a room of theirs; somebody of another organisation has its id before a slash."""
    platform, colon, name = account.partition(":")
    if not colon:
        return User("console", "local", account, guest=question.guest), Room("console", "local", question.room)
    if platform not in PLATFORMS or not name:
        raise ValueError(
            f"{account!r} names nobody; write {', '.join(f'{p}:ID' for p in PLATFORMS)}, a bare name, or a person"
        )
    tenant, slash, person = name.partition("/")
    room = Room(platform, _HOME, question.room)
    if slash:
        return User(platform, tenant, person, guest=question.guest, foreign=True), room
    return User(platform, _HOME, name, guest=question.guest), room


def _language(wanted: str) -> Language:
    if wanted == "zh":
        return "zh"
    if wanted == "en":
        return "en"
    raise ValueError(f"there is no language {wanted!r}; known are zh and en")
