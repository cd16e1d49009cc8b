"""What can go wrong between here and a server, and which of it may go away by itself."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.redis.resp import Reply, ReplyError
from chatops_bot.adapters.redis.wire import NotCopiedError
from chatops_bot.ports.store import AuditUnwritable, StoreFull, StoreUnavailable


class UnreadyError(ConnectionError):
    """The server answers, but cannot take this call now."""


TRANSIENT: Final = (OSError, TimeoutError, NotCopiedError)
"""What may go away by itself: no connection (TLS included), no answer, too few copies."""

TRANSIENT_CODES: Final = frozenset(
    {
        "READONLY",  # a master that has become a replica
        "LOADING",
        "MASTERDOWN",
        "CLUSTERDOWN",
        "TRYAGAIN",
        "NOREPLICAS",
        "UNBLOCKED",
        "BUSY",
        "MOVED",
        "ASK",
    }
)
"""Answers after which the same call may succeed, possibly elsewhere."""


def is_transient(reply: Reply) -> bool:
    """Whether a reply is such an answer."""
    return isinstance(reply, ReplyError) and reply.code in TRANSIENT_CODES


def checked(reply: Reply) -> Reply:
    """The reply, unless it is an error: then raises `StoreFull` when memory is, `AuditUnwritable` when the audit
    chain takes nothing, else `StoreUnavailable`."""
    if isinstance(reply, ReplyError):
        # Inside a script the code may be hidden behind where it happened.
        if reply.code == "OOM" or "OOM command not allowed" in str(reply):
            raise StoreFull(str(reply))
        if "AUDIT_UNWRITABLE" in str(reply):
            raise AuditUnwritable(str(reply))
        raise StoreUnavailable(str(reply))
    return reply
