"""What one Slack workspace needs to be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class SlackSettings:
    """Checked when made: raises `ValueError` naming what is missing."""

    bot_token: str
    """`xoxb-…`, under OAuth & Permissions of the app. A secret."""

    mode: Literal["socket", "http"] = "socket"
    """How events arrive: over connections that the bot opens, or at an address that Slack can reach."""

    app_token: str = ""
    """`xapp-…` with `connections:write`; needed for `socket`. A secret."""

    signing_secret: str = ""
    """Under Basic Information of the app; needed for `http`. A secret."""

    command: str = "/ops"
    """The slash command, as in the app's manifest."""

    allow_bots: frozenset[str] = frozenset()
    """User, bot or app ids of other bots that are listened to; all others are not, lest two bots talk for ever."""

    connections: int = 2
    """Socket Mode connections of this process: with two, one receives while the other is renewed. Slack allows
    ten an app, over all its processes."""

    ping_s: float = 10
    """Seconds between pings on a connection; four without an answer, and it is renewed."""

    pace_s: float = 1
    """Seconds between two updates of a card, and between two posts in a channel once four went out at once."""

    person_wait_s: float = 0.05
    """How long an event waits for Slack to say who its author is, when that is not known yet."""

    members_wait_s: float = 10
    """How long the start waits for the list of members before it begins to receive."""

    timeout_s: float = 10
    """The limit of one call to Slack."""

    base_url: str = "https://slack.com/api/"
    """Another address only for a test or an organisation's own gateway."""

    def __post_init__(self) -> None:
        if not self.bot_token.strip():
            raise ValueError("Slack needs a bot token (xoxb-…)")
        if self.mode == "socket" and not self.app_token.strip():
            raise ValueError("Slack's Socket Mode needs an app-level token (xapp-…)")
        if self.mode == "http" and not self.signing_secret.strip():
            raise ValueError("Slack over HTTP needs the app's signing secret")
        if not 1 <= self.connections <= 10:
            raise ValueError("Slack allows from 1 to 10 connections")

    def __repr__(self) -> str:
        return f"SlackSettings(mode={self.mode!r}, command={self.command!r})"
