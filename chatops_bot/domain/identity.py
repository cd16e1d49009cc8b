"""Who and where: rooms and users of one platform and tenant. Rooms, tenants and clusters never mix."""

from __future__ import annotations

import msgspec


class Room(msgspec.Struct, frozen=True):
    """A channel or group chat. `platform` is `slack`, `feishu`, `wecom` or `console`; `tenant` the
    workspace, corporation or organisation; `channel` the platform's id of the chat."""

    platform: str
    tenant: str
    channel: str

    @property
    def key(self) -> str:
        """`platform.tenant:channel`: unique over platforms; the shard is computed from it."""
        return f"{self.platform}.{self.tenant}:{self.channel}"


class User(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person as verified by the platform, never taken from text.

    `guest` is a restricted member of the tenant, `foreign` belongs to another organisation (Slack
    Connect, Feishu external contact): both may do nothing unless a policy rule names them.
    """

    platform: str
    tenant: str
    id: str
    guest: bool = False
    foreign: bool = False

    @property
    def key(self) -> str:
        """As policy files name a person: `slack:U024BE7LH`; a bare name on the console platform; with the tenant
        (`slack:T0/U0`) where the person belongs to another one, since ids are unique within a tenant only."""
        if self.platform == "console":
            return self.id
        own = alike(self.platform, self.id)
        return f"{self.platform}:{self.tenant}/{own}" if self.foreign else f"{self.platform}:{own}"

    @property
    def full_key(self) -> str:
        """The same with the tenant, whether or not it is one's own."""
        return f"{self.platform}:{self.tenant}/{alike(self.platform, self.id)}"


def account_in(room: Room, key: str) -> str:
    """The platform's own id of the person whom a user key names, as it is mentioned in this room; "" where the account
    is of another platform or another organisation: ids are unique within a tenant only, and it could be somebody
    else's here."""
    platform, colon, own = key.partition(":")
    if not colon:
        return key if room.platform == "console" else ""
    return own if platform == room.platform and "/" not in own else ""


def alike(platform: str, name: str) -> str:
    """A person's id, after whatever organisation stands before it, as it is compared with others.

    WeCom takes a UserID for the same in capital and in small letters (创建成员, path/90195): written in two ways it
    must not be two people.
    """
    if platform != "wecom":
        return name
    organisation, slash, own = name.rpartition("/")
    return f"{organisation}{slash}{own.lower()}"
