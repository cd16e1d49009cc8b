"""Which services a model may choose among: few, whatever the catalog holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.intents import Utterance
from chatops_bot.domain.masking import mask
from chatops_bot.domain.normalise import clean

MOST: Final = 20
"""Services that are offered. A catalog of no more is offered whole."""

_WORDS: Final = 12
"""Words of a text of which alike names are looked for."""

_WORD: Final = re.compile(r"[A-Za-z][\w.-]{2,40}|[\u3400-\u9fff]{2,12}", re.ASCII)


def candidates(utterance: Utterance, catalog: Catalog, recent: Iterable[Entity] = ()) -> tuple[Service, ...]:
    """The services that text and context suggest, the likeliest first: named, talked about, alike, and lately talked of
    in the room."""
    found: dict[str, Service] = {}
    for service in _suggested(utterance, catalog, recent):
        found.setdefault(service.entity.key, service)
        if len(found) >= MOST:
            break
    return tuple(found.values())


def _suggested(utterance: Utterance, catalog: Catalog, recent: Iterable[Entity]) -> Iterator[Service]:
    for name in utterance.names:
        yield from name.matches
        yield from name.closest
    around = [utterance.lock, *(plan.entity for plan in utterance.plans), *recent]
    for entity in around:
        if entity is not None:
            yield catalog.by_key(entity.key) or Service(entity=entity)
    if len(catalog) <= MOST:
        yield from catalog.services
        return
    for word in list(dict.fromkeys(_WORD.findall(utterance.text[:2_000])))[:_WORDS]:
        yield from catalog.closest(word)


def names_of(services: Iterable[Service], utterance: Utterance) -> tuple[str, ...]:
    """How they are called in the schema: as the text does, or else by their names. What the catalog does not know is
    left out where the text as it is sent does not show it either: it may be a secret."""
    shown = mask(clean(utterance.text))
    said = [name.text for name in utterance.names if name.matches or name.text in shown]
    return tuple(dict.fromkeys((*said, *(service.entity.name for service in services))))
