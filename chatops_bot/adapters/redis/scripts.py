"""The Lua scripts as Redis gets them: prelude and script in one text, known by its SHA-1."""

from __future__ import annotations

import hashlib
from importlib import resources
from typing import Final

import msgspec

PREFACE: Final[dict[str, tuple[str, ...]]] = {
    "intake": ("prelude", "routing"),
    "commit": ("prelude", "routing", "incidents"),
}
"""What stands before a script; the prelude alone where nothing is said."""


class Script(msgspec.Struct, frozen=True):
    """One script: `sha` for EVALSHA, `text` for the server that does not know it yet."""

    name: str
    text: bytes
    sha: str


def load(name: str) -> Script:
    """The script `lua/NAME.lua`, with what stands before it. Comments stay: errors name lines."""
    folder = resources.files("chatops_bot.adapters.redis.lua")
    parts = [*PREFACE.get(name, ("prelude",)), name]
    text = b"\n".join(folder.joinpath(f"{part}.lua").read_bytes() for part in parts)
    return Script(name, text, hashlib.sha1(text, usedforsecurity=False).hexdigest())


INTAKE: Final = load("intake")
COMMIT: Final = load("commit")
DRAWN: Final = load("drawn")
DONE: Final = load("done")
LATER: Final = load("later")
RENEW: Final = load("renew")
SWEEP: Final = load("sweep")
DEPTHS: Final = load("depths")
LEDGER: Final = load("ledger")
AUDIT: Final = load("audit")
TRIM: Final = load("trim")
SETTLE: Final = load("settle")
