"""Feishu and Lark: events, buttons and cards over a webhook or the long connection.

Importing this costs nothing of the SDK: `lark_oapi` is imported in a thread of its own, when a long connection starts.
"""

from __future__ import annotations

from chatops_bot.adapters.feishu.apps import FeishuApps
from chatops_bot.adapters.feishu.chat import FeishuChat
from chatops_bot.adapters.feishu.settings import FeishuSettings
from chatops_bot.adapters.feishu.webhook import FeishuEndpoint

__all__ = ["FeishuApps", "FeishuChat", "FeishuEndpoint", "FeishuSettings"]
