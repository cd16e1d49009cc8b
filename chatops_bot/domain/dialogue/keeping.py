"""What a session holds, kept bounded however long its thread lives and however many people speak there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from chatops_bot.domain.session import Session, Speaker

MOST_PEOPLE: Final = 100
"""People remembered in one thread. Who is forgotten counts as somebody who has not spoken there yet: that asks once
more, and never confirms."""
MOST_ROOTS: Final = 60
"""Cards of which it is known in which platform thread they stand."""
MOST_QUERIES: Final = 60
"""Queries under way at once; the answer of an older one is no longer waited for."""


def kept(session: Session) -> Session:
    """The session within these bounds."""
    if len(session.people) > MOST_PEOPLE:
        session = msgspec.structs.replace(session, people=_people(session))
    if len(session.roots) > MOST_ROOTS:
        session = msgspec.structs.replace(session, roots=_roots(session))
    if len(session.queries) > MOST_QUERIES:
        latest = dict(list(session.queries.items())[-MOST_QUERIES:])
        session = msgspec.structs.replace(session, queries=latest)
    return session


def _people(session: Session) -> dict[str, Speaker]:
    """Those who have a part in what goes on, and who spoke last."""
    parts = set(_parts(session))
    ordered = sorted(session.people.items(), key=lambda one: (one[0] in parts, one[1].spoke))
    chosen = {key for key, _ in ordered[-MOST_PEOPLE:]}
    return {key: speaker for key, speaker in session.people.items() if key in chosen}


def _parts(session: Session) -> Iterator[str]:
    """Keys of whoever is named in what is not over."""
    yield session.owner
    if session.lock is not None:
        yield session.lock.by
    if session.flow is not None:
        yield session.flow.requester.key
    if session.assigned_to is not None:
        yield session.assigned_to.who
        yield session.assigned_to.by
    if session.handed is not None:
        yield session.handed.by
    if session.walk is not None:
        yield session.walk.by
    yield from (flow.requester.key for flow in session.queued)
    for pending in session.pending:
        yield pending.requester.key
        yield from pending.approvals
        if pending.confirmer is not None:
            yield pending.confirmer.key


def _roots(session: Session) -> dict[str, str]:
    """Those of the newest cards, and of every card that may still be drawn."""
    drawn = set(_drawn(session))
    newest = session.cards - MOST_ROOTS // 2
    found = {name: root for name, root in session.roots.items() if _card(name) in drawn or _number(name) > newest}
    return dict(list(found.items())[-2 * MOST_ROOTS :])


def _drawn(session: Session) -> Iterator[str]:
    yield from (pending.card for pending in session.pending)
    yield from (live.card for live in session.live)
    yield from (ended.card for ended in session.ended)
    yield from (asking.card for asking in session.queries.values())
    if session.alert is not None:
        yield session.alert.card
    if session.handed is not None:
        yield session.handed.card
    yield session.incident_card


def _card(name: str) -> str:
    """The card whose view it is, in whichever room."""
    return name.partition("@")[0]


def _number(name: str) -> int:
    number = _card(name).removeprefix("c")
    return int(number) if number.isascii() and number.isdecimal() else 0
