"""In whose name the bot writes to a cluster: the person's own there, where the configuration says who that is.

Only the configuration maps a chat identity to a user of Kubernetes; nothing that anybody writes in a chat does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from chatops_bot.domain.identity import Room
from chatops_bot.domain.people import People

PLACES: Final = ("platform", "id", "person")
"""What a template may name: the platform of an account, its id there, and the person of the policy's `people`."""


class Actor(msgspec.Struct, frozen=True, omit_defaults=True):
    """A user of a cluster with the groups that go with it; sent as `Impersonate-User` and `Impersonate-Group`."""

    user: str
    groups: tuple[str, ...] = ()


class Impersonation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who is who in one cluster. `people` by person of the policy's map or by account, as rules name them; `template`
    for everybody else of the own organisation."""

    people: Mapping[str, Actor] = {}
    template: Actor | None = None

    def actor(self, key: str, *, people: People, room: Room) -> Actor | None:
        """Whom a person (a user key) is in the cluster; None for nobody."""
        owner = people.owner(key, room)
        found = self.people.get(key) or (self.people.get(owner) if owner else None)
        if found is not None or self.template is None or "/" in key:
            return found
        platform, colon, name = key.partition(":")
        known = {"platform": platform if colon else "console", "id": name if colon else key, "person": owner}
        texts = (self.template.user, *self.template.groups)
        if not owner and any("{person}" in text for text in texts):
            return None
        filled = tuple(_filled(text, known) for text in texts)
        return Actor(filled[0], filled[1:]) if all(map(sendable, filled)) else None


def sendable(text: str) -> bool:
    """Whether a name may be sent: plain ASCII, as it travels in a header, and none that Kubernetes keeps for itself."""
    return text.isascii() and text.isprintable() and text == text.strip() != "" and not text.startswith("system:")


def _filled(text: str, known: Mapping[str, str]) -> str:
    for place in PLACES:
        text = text.replace(f"{{{place}}}", known[place])
    return text
