"""Slack: events, buttons and cards over its Events API or Socket Mode."""

from __future__ import annotations

from chatops_bot.adapters.slack.chat import SlackChat
from chatops_bot.adapters.slack.settings import SlackSettings

__all__ = ["SlackChat", "SlackSettings"]
