"""The console as a wire: its HTTP interface, used as the page uses it, with faults on request.

The console is the whole platform already, so nothing here is a fake but its faults.
"""

from __future__ import annotations

from chatops_bot.adapters.console.fake.wire import ConsoleWire

__all__ = ["ConsoleWire"]
