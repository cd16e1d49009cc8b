"""Proactive care: what is noted of watched services between two looks, and when that is worth a card.

A finding has to be seen at every look for a while before anybody is told, and to be gone for a while before it is said
to be over. A service has one card: further findings join it. No more cards are opened an hour than is allowed; which
services were passed over is told on the next one.
"""

from __future__ import annotations

from typing import Final

import msgspec

HOUR_MS: Final = 3_600_000
GROUP: Final = "care:"
"""What the groups of alerts begin with that no Alertmanager has sent."""


class Noted(msgspec.Struct, frozen=True, omit_defaults=True):
    """One finding of one service, by times in ms: first and last seen, and put on a card (0: not yet)."""

    since: int
    seen: int
    told: int = 0


class Book(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that is noted. `services` maps the key of an entity to its findings by code, `opened` are the times of the
    cards of the last hour, `held` the keys of those that got none since the last card."""

    services: dict[str, dict[str, Noted]] = {}
    opened: tuple[int, ...] = ()
    held: tuple[str, ...] = ()


class Terms(msgspec.Struct, frozen=True):
    """How long a finding has to stay, and to be gone; how many cards may be opened an hour."""

    stays_ms: int
    gone_ms: int
    per_hour: int


class News(msgspec.Struct, frozen=True):
    """What a service's card is to say: its findings, and those that are over. `held` are others, passed over before."""

    firing: dict[str, Noted]
    over: dict[str, Noted]
    opens: bool = False
    held: tuple[str, ...] = ()


def looked(
    book: Book, key: str, codes: frozenset[str], *, now: int, terms: Terms, alerted: bool
) -> tuple[Book, News | None]:
    """The book after a look at one service that found these, and what is to be told. `alerted`: a card of alerts about
    this service is open, and says it all."""
    before = book.services.get(key, {})
    noted, over = _noted(before, codes, now, terms)
    book = msgspec.structs.replace(book, opened=tuple(at for at in book.opened if now - at < HOUR_MS))
    ripe = [code for code, one in noted.items() if not one.told and code in codes and now - one.since >= terms.stays_ms]
    has_card = any(one.told for one in before.values())
    opens = False
    held: tuple[str, ...] = ()
    if ripe and not has_card:
        if alerted:
            ripe = []
        elif len(book.opened) >= terms.per_hour:
            ripe = []
            book = msgspec.structs.replace(book, held=tuple(dict.fromkeys((*book.held, key))))
        else:
            opens, held = True, tuple(other for other in book.held if other != key)
            book = msgspec.structs.replace(book, opened=(*book.opened, now), held=())
    noted |= {code: msgspec.structs.replace(noted[code], told=now) for code in ripe}
    services = {other: found for other, found in book.services.items() if other != key}
    book = msgspec.structs.replace(book, services={**services, key: noted} if noted else services)
    if not ripe and not over:
        return book, None
    firing = {code: one for code, one in noted.items() if one.told}
    return book, News(firing=firing, over=over, opens=opens, held=held)


def _noted(
    before: dict[str, Noted], codes: frozenset[str], now: int, terms: Terms
) -> tuple[dict[str, Noted], dict[str, Noted]]:
    """What is noted after a look, and what of it is over. What nobody was told of is forgotten at once."""
    noted: dict[str, Noted] = {}
    over: dict[str, Noted] = {}
    for code, one in before.items():
        if code in codes:
            noted[code] = msgspec.structs.replace(one, seen=now)
        elif one.told and now - one.seen < terms.gone_ms:
            noted[code] = one
        elif one.told:
            over[code] = one
    return noted | {code: Noted(since=now, seen=now) for code in sorted(codes - noted.keys())}, over


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Book)


def encode(book: Book) -> bytes:
    """As it is stored."""
    return _encoder.encode(book)


def decode(raw: bytes) -> Book:
    """What is stored; an empty one for a form that this version does not know."""
    try:
        return _decoder.decode(raw) if raw else Book()
    except msgspec.DecodeError:
        return Book()
