"""The bundled web console, a chat platform of its own: rooms in memory, and a page that shows them."""

from chatops_bot.adapters.console.chat import ConsoleChat, Faults, ShownCard, numbered

__all__ = ["ConsoleChat", "Faults", "ShownCard", "numbered"]
