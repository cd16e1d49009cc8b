"""To whom a conversation is handed over: who was named, else the owners of its service, else whom the room has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from chatops_bot.domain import oncall
from chatops_bot.domain.dialogue import handing_words
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import SHOWN_CHOICES
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Mentioned, Message
from chatops_bot.domain.identity import Room
from chatops_bot.domain.intents import Interpretation


class Target(NamedTuple):
    """Somebody to be called: `key` is what is looked up (a user's key, a name, or a group as a platform keeps it),
    `name` what people read."""

    key: str
    name: str
    group: bool = False


class Whom(NamedTuple):
    """Whom it goes to: `targets`, of which there are none where nobody is set up; or a question: `unknown` is a name
    that nobody bears, `offered` are the groups it may be."""

    targets: tuple[Target, ...] = ()
    unknown: str = ""
    offered: tuple[str, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether it has to be asked."""
        return not self.targets and bool(self.offered)


def of_words(turn: Turn, event: Message, meaning: Interpretation) -> Whom:
    """Whom these words mean."""
    if handing_words.to_self(event.text):
        return Whom((Target(event.user.key, turn.name or event.user.key),))
    said = handing_words.called(event.text)
    named = _mentioned(turn, event.mentioned, said) or _named(turn, said)
    if named is not None:
        return Whom((named,))
    services = tuple(service.entity for name in meaning.names for service in name.matches)
    entity = services[0] if len({service.key for service in services}) == 1 else None
    unknown = "" if entity is not None else handing_words.only_name(said)
    if not unknown:
        return of_thread(turn, entity)
    return _like(turn, unknown)


def of_thread(turn: Turn, entity: Entity | None = None) -> Whom:
    """Whom a thread is handed to where nobody was named: the owners of the service, that of the lock by default."""
    lock = turn.session.lock
    entity = entity or (lock.entity if lock is not None else None)
    owners = owners_of(turn, entity)
    room = turn.world.oncall.of_room(turn.room)
    if owners:
        return Whom(tuple(target(turn, owner) for owner in owners))
    if room:
        return Whom((target(turn, room),))
    groups = tuple(turn.world.oncall.groups)
    return Whom((target(turn, groups[0]),)) if len(groups) == 1 else Whom(offered=groups[:SHOWN_CHOICES])


def owners_of(turn: Turn, entity: Entity | None) -> tuple[str, ...]:
    """As the catalog names them."""
    service = turn.world.by_key(entity.key) if entity is not None else None
    return service.owners if service is not None else ()


def chosen(turn: Turn, name: str) -> Target | None:
    """Whom somebody calls so, as the answer to a question; None for nobody known."""
    known = oncall.known_as(name, turn.world.oncall, turn.world.policy)
    return target(turn, known) if known else _person(turn, name)


def target(turn: Turn, name: str) -> Target:
    """A group or a person of the configuration, or an owner that nothing else is known of."""
    people = turn.world.policy.people.accounts
    group = oncall.known_as(name, turn.world.oncall, turn.world.policy) or name
    return Target(group, name, group not in people)


def keys(turn: Turn, targets: Iterable[Target]) -> tuple[str, ...]:
    """What is looked up to call them; an owner of whom nothing is configured is called by nothing."""
    world = turn.world
    return tuple(
        one.key
        for one in targets
        if not one.group or ":" in one.key or oncall.known_as(one.key, world.oncall, world.policy)
    )


def ids(turn: Turn, called: Iterable[str], room: Room) -> tuple[str, ...]:
    """What a card mentions in this room to call whom these keys mean."""
    return oncall.ids(called, oncall=turn.world.oncall, policy=turn.world.policy, room=room)


def _mentioned(turn: Turn, mentioned: tuple[Mentioned, ...], said: str) -> Target | None:
    """The one whom the platform says is mentioned: where the name would stand, else the first."""
    after = [one for one in mentioned if said.removeprefix("@").startswith(one.name)]
    for one in (*after, *mentioned)[:1]:
        speaker = turn.session.people.get(one.key)
        group = oncall.group_of(one.key, turn.world.oncall)
        person = turn.world.policy.people.owner(one.key, turn.room)
        name = (speaker.name if speaker is not None else "") or group or person or one.name
        return Target(group or one.key, name, one.key.startswith("slack-group:"))
    return None


def _named(turn: Turn, said: str) -> Target | None:
    """A group or person of the configuration, an owner of the thread's service, or somebody of the thread."""
    lock = turn.session.lock
    owners = owners_of(turn, lock.entity if lock is not None else None)
    known = dict.fromkeys((*oncall.names(turn.world.oncall, turn.world.policy), *owners))
    for name in sorted(known, key=len, reverse=True):
        if _says(said, name):
            return target(turn, name)
    return _person(turn, handing_words.only_name(said))


def _person(turn: Turn, name: str) -> Target | None:
    """The one person of this thread who is called so."""
    wanted = name.casefold()
    found = [
        Target(key, speaker.name or speaker.user.id)
        for key, speaker in turn.session.people.items()
        if wanted and wanted in (speaker.name.casefold(), speaker.user.id.casefold())
    ]
    return found[0] if len(found) == 1 else None


def _says(text: str, name: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9_.-]){re.escape(name)}(?![A-Za-z0-9_-])", text, re.IGNORECASE) is not None


def _like(turn: Turn, unknown: str) -> Whom:
    """What may be meant by a name that nobody bears: groups that have it in theirs, else the owners, else all."""
    known = turn.world.oncall.groups
    parts = [name for name in known if unknown.casefold() in re.split(r"[-_. ]", name.casefold())]
    thread = of_thread(turn)
    offered = dict.fromkeys((*parts, *_names(thread.targets), *thread.offered, *(() if parts else known)))
    return Whom(unknown=unknown, offered=tuple(offered)[:SHOWN_CHOICES])


def _names(targets: Iterable[Target]) -> Iterator[str]:
    for one in targets:
        yield one.name
