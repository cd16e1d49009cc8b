"""A fake Slack on the loopback: its Web API, signed deliveries or Socket Mode, rooms and people.

For tests and `replay`. It shares no encoding with the adapter.
"""

from __future__ import annotations

from chatops_bot.adapters.slack.fake.wire import SlackWire

__all__ = ["SlackWire"]
