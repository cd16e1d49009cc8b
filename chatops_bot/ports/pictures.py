"""What a chat platform needs to show charts as pictures."""

from __future__ import annotations

import hashlib
from typing import Protocol

import msgspec

from chatops_bot.domain.cards import Picture
from chatops_bot.domain.intents import Language


class NoPicture(Exception):
    """It could not be drawn; the message says why, fit for an engineer."""


class Painter(Protocol):
    """Draws charts."""

    async def paint(self, picture: Picture, language: Language) -> bytes:
        """A PNG, within the painter's time limit. Raises `NoPicture` and nothing else."""

    async def close(self) -> None:
        """Release threads."""


def key_of(picture: Picture) -> str:
    """The same for pictures that look the same."""
    return hashlib.sha256(msgspec.json.encode(picture)).hexdigest()
