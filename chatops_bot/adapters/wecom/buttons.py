"""What a button carries, in its key: its id, the thread, token and value. A press brings the key back.

WeCom takes keys of at most 1024 bytes, each once in a card (42039 otherwise).
"""

from __future__ import annotations

import msgspec

from chatops_bot.domain.cards import Button

KEY_LIMIT = 1024


class Carried(msgspec.Struct, frozen=True, omit_defaults=True):
    """What comes back with a press. `button` is what was pressed; `n` tells apart two buttons that are alike."""

    button: str = msgspec.field(name="b")
    thread: str = msgspec.field(default="", name="t")
    token: str = msgspec.field(default="", name="k")
    value: str = msgspec.field(default="", name="v")
    n: int = 0


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Carried)


def encode(button: Button, *, thread: str, taken: set[str]) -> str:
    """A key unlike those in `taken`, to which it is added. It may be longer than `KEY_LIMIT`: such a button cannot be
    shown. What means something to XML is written as an escape of JSON."""
    n = 0
    while True:
        carried = Carried(button=button.id, thread=thread, token=button.token, value=button.value, n=n)
        text = _encoder.encode(carried).decode()
        key = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
        if key not in taken:
            taken.add(key)
            return key
        n += 1


def decode(key: str) -> Carried:
    """What a key carries. One that this bot did not write is the button's id and carries nothing."""
    try:
        return _decoder.decode(key)
    except msgspec.DecodeError:
        return Carried(button=key)
