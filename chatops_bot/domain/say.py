"""A sentence before its language: a key of the texts with its arguments."""

from __future__ import annotations

import msgspec


class Say(msgspec.Struct, frozen=True, omit_defaults=True, tag="say"):
    """`key` names a template in `domain/texts`, `args` fill it. Rendered in the reader's language when a
    card is built, so that one plan or report can be read by people of both languages."""

    key: str
    args: dict[str, str | int] = {}


def say(key: str, **args: str | int) -> Say:
    """Shorthand for `Say`."""
    return Say(key, args)
