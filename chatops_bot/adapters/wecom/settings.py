"""What one WeCom corporation needs to be told."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Literal

AES_KEY = 43
"""Characters of an EncodingAESKey: 32 bytes as base64 without its last `=`."""


@dataclass(frozen=True)
class WeComSettings:
    """Checked when made: raises `ValueError` naming what is missing.

    There are two ways to talk to people, one or both switched on: the self-built application (`agent_id`), which talks
    to each person alone, and the robot (智能机器人, `bot_mode`), which sits in group rooms.
    """

    corp_id: str
    """`ww…`, under 我的企业 · 企业信息, at the bottom."""

    agent_id: int = 0
    """AgentId of the self-built application; 0 switches it off."""

    app_secret: str = ""
    """Secret of the application. A secret."""

    app_token: str = ""
    """Token under 接收消息 · 设置API接收 of the application. A secret."""

    app_aes_key: str = ""
    """EncodingAESKey of the same page. A secret."""

    bot_mode: Literal["off", "socket", "http"] = "off"
    """How the robot's events arrive: over one connection that the bot opens, or at an address that WeCom can reach."""

    bot_id: str = ""
    """Bot ID, for `socket`; found under API模式 · 使用长连接."""

    bot_secret: str = ""
    """Secret of the long connection. A secret."""

    bot_token: str = ""
    """Token under API模式 · 使用URL回调, for `http`. A secret."""

    bot_aes_key: str = ""
    """EncodingAESKey of the same page. A secret."""

    bot_name: str = ""
    """The robot's name as people see it, so that its mention can be told from others in a text."""

    link: str = "https://work.weixin.qq.com/"
    """Where a card without buttons leads when it is clicked: WeCom wants an address there."""

    pace: float = 1
    """What the pauses between messages, which keep within WeCom's limits, are multiplied with. 0 only where time stands
    still while the bot writes (a replay)."""

    patience_s: float = 30
    """How long what the store did not take from the long connection is tried again; WeCom does not deliver it twice."""

    person_wait_s: float = 0.05
    """How long an event waits for WeCom to say what its author is called, when that is not known yet."""

    ping_s: float = 30
    """Seconds between pings on the long connection; two without an answer, and it is renewed."""

    standby_s: float = 120
    """How long a process whose connection another one took waits before it asks for it again."""

    timeout_s: float = 10
    """The limit of one call to WeCom."""

    api_url: str = "https://qyapi.weixin.qq.com/cgi-bin/"
    """Another address only for a test or an organisation's own gateway."""

    socket_url: str = "wss://openws.work.weixin.qq.com"
    """The same for the long connection."""

    def __post_init__(self) -> None:
        if not self.corp_id.strip():
            raise ValueError("WeCom needs the corporation's id (ww…)")
        if not self.agent_id and self.bot_mode == "off":
            raise ValueError("WeCom needs an application (agent_id) or a robot (bot_mode)")
        if self.agent_id:
            _needed("the application", secret=self.app_secret, token=self.app_token)
            check_aes_key(self.app_aes_key, "the application's")
        if self.bot_mode == "socket":
            _needed("the robot's long connection", id=self.bot_id, secret=self.bot_secret)
        if self.bot_mode == "http":
            _needed("the robot's callback", token=self.bot_token)
            check_aes_key(self.bot_aes_key, "the robot's")

    def __repr__(self) -> str:
        return f"WeComSettings(corp_id={self.corp_id!r}, agent_id={self.agent_id}, bot_mode={self.bot_mode!r})"


def check_aes_key(key: str, whose: str) -> bytes:
    """The 32 bytes of an EncodingAESKey. Raises `ValueError` that does not show it."""
    try:
        if not re.fullmatch(f"[A-Za-z0-9+/]{{{AES_KEY}}}", key):
            raise ValueError
        found = base64.b64decode(key + "=")
    except (ValueError, binascii.Error) as error:
        raise ValueError(
            f"{whose} EncodingAESKey has to be {AES_KEY} letters and digits, as the page shows it"
        ) from error
    return found


def _needed(what: str, **given: str) -> None:
    for name, value in given.items():
        if not value.strip():
            raise ValueError(f"WeCom: {what} needs a {name}")
