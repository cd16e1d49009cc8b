"""What a button carries: an object that Feishu hands back with the click."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from chatops_bot.domain.cards import Button

VALUE_LIMIT = 2000
"""Bytes of a button's value as JSON; Feishu limits only the card as a whole."""


class Carried(msgspec.Struct, frozen=True, omit_defaults=True):
    """The value of a button of this bot. `root` is where its card stands, which a click does not tell by itself."""

    button: str
    thread: str = ""
    root: str = ""
    token: str = ""
    value: str = ""


def encode(button: Button, *, thread: str, root: str) -> dict[str, object] | None:
    """The button's value, None where it is too long to be carried."""
    carried = Carried(button=button.id, thread=thread, root=root, token=button.token, value=button.value)
    raw = msgspec.json.encode(carried)
    return msgspec.json.decode(raw, type=dict[str, object]) if len(raw) <= VALUE_LIMIT else None


def decode(value: object) -> Carried | None:
    """What a click carries: an object, or its text as old cards have it. None when this bot did not write it."""
    try:
        if isinstance(value, str):
            return msgspec.json.decode(value, type=Carried)
        if isinstance(value, Mapping):
            return msgspec.convert(dict(value), Carried)
    except (msgspec.DecodeError, msgspec.ValidationError):
        pass
    return None
