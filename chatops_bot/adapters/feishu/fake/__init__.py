"""A fake Feishu on the loopback: its open API, its deliveries over a webhook or a long connection, rooms and people.

For tests and `replay`. It shares no encoding with the adapter: what it sends is judged by Feishu's own SDK.
"""

from __future__ import annotations

from chatops_bot.adapters.feishu.fake.wire import FeishuWire

__all__ = ["FeishuWire"]
