"""`chatops-bot diagram`: the state machine as it is, drawn from its own table."""

from __future__ import annotations

from chatops_bot.domain.dialogue.transitions import mermaid


def render() -> str:
    """The Mermaid drawing, without a final line break."""
    return mermaid().rstrip("\n")
