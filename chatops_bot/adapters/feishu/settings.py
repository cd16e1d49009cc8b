"""What one app on Feishu or Lark needs to be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

APPLINK = {"feishu": "https://applink.feishu.cn", "lark": "https://applink.larksuite.com"}
"""What opens a place of the client."""

ADDRESSES = {"feishu": "https://open.feishu.cn", "lark": "https://open.larksuite.com"}


@dataclass(frozen=True)
class FeishuSettings:
    """Checked when made: raises `ValueError` naming what is missing."""

    app_id: str
    """`cli_…`, under Credentials & Basic Info of the app."""

    app_secret: str
    """Beside it. A secret."""

    mode: Literal["connection", "webhook"] = "connection"
    """How events arrive: over long connections that the bot opens (custom apps only; not every Lark tenant has it),
    or at an address that Feishu can reach."""

    verification_token: str = ""
    """Under Events & Callbacks, Encryption Strategy; needed for `webhook`. A secret."""

    encrypt_key: str = ""
    """Beside it; needed for `webhook`: without it Feishu signs nothing. A secret."""

    domain: Literal["feishu", "lark"] = "feishu"
    """Which of the two the app lives on: open.feishu.cn or open.larksuite.com."""

    tenant: str = ""
    """The organisation's tenant key; asked of Feishu when left out, else learned from the first event."""

    connections: int = 2
    """Long connections of this process: with two, one receives while the other is renewed. Feishu allows 50 an
    app, over all its processes."""

    store_wait_s: float = 2.5
    """How long a delivery over the long connection waits for the store; Feishu waits three seconds in all."""

    pace_s: float = 1
    """Seconds between two updates of a card, and between two posts in a chat once four went out at once."""

    after_click_s: float = 0.3
    """A card is changed no sooner than this after a click on it was answered: what Feishu gets before the answer, it
    turns back when the answer comes."""

    person_wait_s: float = 0.05
    """How long an event waits for Feishu to name its author, when the name is not known yet."""

    timeout_s: float = 10
    """The limit of one call to Feishu."""

    base_url: str = ""
    """Another address only for a test or an organisation's own gateway."""

    def __post_init__(self) -> None:
        if not self.app_id.strip():
            raise ValueError("Feishu needs the app's id (cli_…)")
        if not self.app_secret.strip():
            raise ValueError("Feishu needs the app's secret")
        if self.mode == "webhook" and not self.encrypt_key.strip():
            raise ValueError("Feishu's webhook needs the Encrypt Key: without it deliveries are not signed")
        if self.mode == "webhook" and not self.verification_token.strip():
            raise ValueError("Feishu's webhook needs the Verification Token")
        if self.domain not in ADDRESSES:
            raise ValueError("Feishu's domain is feishu or lark")
        if not 1 <= self.connections <= 50:
            raise ValueError("Feishu allows from 1 to 50 connections")

    @property
    def address(self) -> str:
        """Where the platform is, without a slash at the end."""
        return (self.base_url or ADDRESSES[self.domain]).rstrip("/")

    def __repr__(self) -> str:
        return f"FeishuSettings(app_id={self.app_id!r}, mode={self.mode!r}, domain={self.domain!r})"
