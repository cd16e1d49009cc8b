"""What a button carries: thread, token and value in its `value`, the button's id as its `action_id`."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.cards import Button

VALUE_LIMIT = 2000
ACTION_ID_LIMIT = 255


class Carried(msgspec.Struct, frozen=True, omit_defaults=True):
    """A button's value. `button` is its id where the `action_id` cannot be: too long, or taken already."""

    thread: str
    token: str = ""
    value: str = ""
    button: str = ""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Carried)


def action_id(button: Button, taken: set[str]) -> str:
    """An `action_id` unique within the message; added to `taken`."""
    plain = button.id[: ACTION_ID_LIMIT - 8] if len(button.id) > ACTION_ID_LIMIT else button.id
    chosen, number = plain or "button", 1
    while chosen in taken:
        number += 1
        chosen = f"{plain[: ACTION_ID_LIMIT - 8]}#{number}"
    taken.add(chosen)
    return chosen


def encode(button: Button, *, thread: str, shown_as: str) -> str:
    """The value as compact JSON. `&`, `<` and `>` are written as escapes of JSON, because Slack may hand them
    back as entities. It may be longer than `VALUE_LIMIT`: such a button cannot be shown."""
    carried = Carried(
        thread=thread,
        token=button.token,
        value=button.value,
        button="" if shown_as == button.id else button.id,
    )
    text = _encoder.encode(carried).decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def decode(value: str, shown_as: str) -> tuple[str, Carried]:
    """The button's id and what it carries. A value that this bot did not write carries nothing."""
    try:
        carried = _decoder.decode(value)
    except msgspec.DecodeError:
        return shown_as, Carried(thread="")
    return carried.button or shown_as, carried
