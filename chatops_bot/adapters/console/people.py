"""Rooms and people of the console. It is one tenant; a name is a person, and nobody proves to be one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from chatops_bot.domain.identity import Room, User

PLATFORM = "console"
TENANT = "local"

Standing = Literal["guest", "foreign"]


def room(name: str) -> Room:
    """The room of this name."""
    return Room(platform=PLATFORM, tenant=TENANT, channel=name)


def user(name: str, people: Mapping[str, Standing]) -> User:
    """The person of this name. `people` says who is a guest or belongs to another organisation."""
    standing = people.get(name)
    return User(platform=PLATFORM, tenant=TENANT, id=name, guest=standing == "guest", foreign=standing == "foreign")
