"""`chatops-bot policy explain`: what the policy means for one person and one service."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec

from chatops_bot.app import groups
from chatops_bot.app.configuration import Configuration
from chatops_bot.domain import permission
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import ACTIONS, QUERIES, Language
from chatops_bot.domain.people import PLATFORMS
from chatops_bot.domain.permission import Permission
from chatops_bot.domain.scopes import EVERYBODY, READS
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


def with_groups(configuration: Configuration) -> Configuration:
    """With the members of the groups that platforms keep, asked of them now."""
    policy = asyncio.run(groups.policy_of(configuration, clock=SystemClock()))
    return msgspec.structs.replace(configuration, policy=policy)


def explain(configuration: Configuration, question: Question, *, now: int | None = None) -> Iterator[str]:
    """Lines for a person, as of `now` (ms of wall time; the clock's). Raises `ValueError` for a question that cannot
    be asked."""
    known = (*ACTIONS, *QUERIES, *READS)
    if question.action not in known:
        raise ValueError(f"{question.action!r} is no action; known are {', '.join(dict.fromkeys(known))}")
    language = _language(question.language or configuration.settings.language)
    entities = _entities(configuration, question)
    if question.user in configuration.policy.groups:
        raise ValueError(f"{question.user!r} is a group of the policy; name one of its people")
    accounts = configuration.policy.people.named_by(question.user)
    who = [(account, *_account(account, question)) for account in accounts]
    at = _moment(question.at, int(SystemClock().now() * 1_000) if now is None else now)
    return _by_account(configuration, question, entities, who=who, language=language, now=at)


def _by_account(
    configuration: Configuration,
    question: Question,
    entities: list[Entity],
    *,
    who: list[tuple[str, User, Room]],
    language: Language,
    now: int,
) -> Iterator[str]:
    read_only = "why.configured" if configuration.settings.read_only else ""
    for account, user, room in who:
        if account != question.user:
            yield f"{question.user} as {account}:"
        for entity in entities:
            asked = Permission(question.action, entity, room, user, now, read_only)
            yield from permission.explain(configuration.policy, asked, language)


def _moment(text: str, now: int) -> int:
    if not text:
        return now
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is no time; write 2026-01-05T10:00, with +08:00 where it is not UTC") from None
    return int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1_000)


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
    if not colon and account.strip() and account != EVERYBODY:
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
