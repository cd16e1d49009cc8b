"""A fake Slack on the loopback: Web API, response URLs and Socket Mode, deliveries with their signatures, rooms and people.

For tests and `replay`. It shares no encoding with the adapter.
"""

from __future__ import annotations
