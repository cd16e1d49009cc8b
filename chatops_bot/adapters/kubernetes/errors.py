"""What the API server, urllib3 and proxies answer when they fail, told as the exceptions of ports.cluster."""

from __future__ import annotations

import json
from typing import Any

import urllib3
from kubernetes.client.exceptions import ApiException

from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import items, number, shortened, text
from chatops_bot.ports.cluster import Blocked, ClusterError, ClusterUnavailable, Conflict, NotFound, Refused

_CLOSED_BEFORE_SENDING = (
    urllib3.exceptions.NewConnectionError,
    urllib3.exceptions.NameResolutionError,
    urllib3.exceptions.ConnectTimeoutError,
)

_WEBHOOK_FAILED = "failed calling webhook"
"""apiserver/pkg/admission/plugin/webhook: an admission webhook could not be asked, and its policy is to fail."""

_SEVERAL_BUDGETS = "more than one PodDisruptionBudget"
"""registry/core/pod/storage/eviction.go: a pod of two budgets is never evicted. The answer has no reason, and is a 500,
with older servers inside a 201."""


def refusal(status: int, body: bytes) -> ClusterError:
    """The exception for an answer that is not 2xx, or for a failed Status inside a 2xx (`status` is then its code)."""
    answer = _decoded(body)
    message = text(answer, "message") or _plain(body) or f"HTTP {status}"
    reason = text(answer, "reason")
    message = shortened(mask(message), 400)
    if status == 404:
        return NotFound(message, status=status, reason=reason)
    if status == 409 or (status == 422 and _names_another_object(answer)):
        return Conflict(message, status=status, reason=reason)
    if status == 429:
        budget = _said_of_a_budget(answer)
        if budget is not None:
            return Blocked(budget or message, status=status, reason="DisruptionBudget")
        # Turned away before anything was done: told apart from 5xx, after which a write's outcome is unknown.
        return ClusterUnavailable(message, status=status, reason=reason or "TooManyRequests", not_sent=True)
    if status == 500 and _SEVERAL_BUDGETS in message:
        return Blocked(message, status=status, reason="SeveralBudgets")
    if status == 500 and _WEBHOOK_FAILED in message:
        # Admission comes before storage: nothing was changed, whatever the status says.
        return Refused(message, status=status, reason="Webhook")
    if status >= 500:
        return ClusterUnavailable(message, status=status, reason=reason)
    return Refused(message, status=status, reason=reason)


def _said_of_a_budget(answer: Any) -> str | None:
    """What a refused eviction says of its budget ("needs 2 healthy pods and has 1 currently"); None where it is no
    budget that refuses."""
    causes = items(answer, "details", "causes")
    said = [text(cause, "message") for cause in causes if text(cause, "reason") == "DisruptionBudget"]
    return shortened(mask(said[0]), 400) if said else None


def _names_another_object(answer: Any) -> bool:
    """A patch that carries the uid of an object which was created anew since is answered 422, as would be any change
    of a uid; only `/scale`, PUT and DELETE answer 409."""
    return any(text(cause, "field") == "metadata.uid" for cause in items(answer, "details", "causes"))


def failed_status(body: Any) -> int:
    """The code of a failed Status that came with a 2xx (older servers so refuse to evict under two budgets), else 0."""
    if text(body, "kind") == "Status" and text(body, "status") == "Failure":
        return number(body, "code") or 500
    return 0


def lost(problem: Exception) -> ClusterUnavailable:
    """The exception for a request that got no answer. `not_sent` only where it certainly was not sent."""
    cause: BaseException = problem
    while isinstance(cause, urllib3.exceptions.MaxRetryError) and cause.reason is not None:
        cause = cause.reason
    sent = not isinstance(cause, _CLOSED_BEFORE_SENDING)
    if isinstance(cause, ApiException):  # the client's dress for a TLS failure
        return ClusterUnavailable(shortened(mask(str(cause.reason))), reason="TLS")
    return ClusterUnavailable(_explained(cause), reason=type(cause).__name__, not_sent=not sent)


def _explained(cause: BaseException) -> str:
    if isinstance(cause, urllib3.exceptions.NameResolutionError):
        return "the API server's name cannot be resolved"
    if isinstance(cause, urllib3.exceptions.NewConnectionError):  # also a ConnectTimeoutError, by inheritance
        return "the API server cannot be connected to"
    if isinstance(cause, urllib3.exceptions.ConnectTimeoutError):
        return "no connection to the API server in time"
    if isinstance(cause, urllib3.exceptions.ReadTimeoutError):
        return "the API server did not answer in time"
    inner = cause.args[-1] if isinstance(cause, urllib3.exceptions.ProtocolError) and cause.args else None
    root = inner if isinstance(inner, BaseException) else cause
    return shortened(mask(f"the connection to the API server was lost ({type(root).__name__}: {root})"))


def _decoded(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _plain(body: bytes) -> str:
    words = body[:2000].decode("utf-8", "replace").strip()
    return "" if words.startswith(("<", "{")) else words
