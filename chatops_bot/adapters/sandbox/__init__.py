"""A cluster in memory, with controllers that run on the injected clock.

It speaks the part of the Kubernetes API that the bot uses, over HTTP, so that the bot reaches it with the same client
as a real cluster, and so does kubectl. It serves the demo, `replay` and the tests.

What clients see is held to a real API server by tests/contract/kubernetes_api. Known to be otherwise: there is no
server-side apply, fields that no kind has are kept instead of dropped, list items and watches come without a cache's
delay, and services have no addresses.
"""

from chatops_bot.adapters.sandbox.access import Access, AccessPolicy, User
from chatops_bot.adapters.sandbox.controllers.context import INSTANT, NATURAL, Timing
from chatops_bot.adapters.sandbox.faults import Faults
from chatops_bot.adapters.sandbox.journal import RequestRecord
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.adapters.sandbox.subscription import Notice, Subscription
from chatops_bot.adapters.sandbox.troubles import TROUBLES, Trouble

__all__ = [
    "INSTANT",
    "NATURAL",
    "TROUBLES",
    "Access",
    "AccessPolicy",
    "Faults",
    "Notice",
    "RequestRecord",
    "Sandbox",
    "Subscription",
    "Timing",
    "Trouble",
    "User",
]
