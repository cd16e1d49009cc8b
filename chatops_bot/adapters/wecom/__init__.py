"""WeCom (企业微信): the self-built application for each person, the robot for group rooms.

Importing this package is cheap; `chatops_bot.adapters.wecom.chat` brings what a running adapter needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chatops_bot.adapters.wecom.settings import WeComSettings

if TYPE_CHECKING:
    from chatops_bot.adapters.wecom.chat import WeComChat

__all__ = ["WeComChat", "WeComSettings"]


def __getattr__(name: str) -> object:
    if name == "WeComChat":
        from chatops_bot.adapters.wecom.chat import WeComChat

        return WeComChat
    raise AttributeError(name)
