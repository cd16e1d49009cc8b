"""Slack: events, buttons and cards over its Events API or Socket Mode."""
