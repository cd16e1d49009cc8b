"""Errors of the client as troubles of the port. Neither its words nor addresses are passed on: both may hold
secrets."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Final

import httpx2
import openai

from chatops_bot.adapters.openai.access import Access
from chatops_bot.ports.model import ModelError, Trouble

_CODE: Final = re.compile(r"[a-z_]{3,40}")

MOST_BYTES: Final = 16 * 1024
"""Of the body of an error, as it comes over the wire: the client would read all of it, however much there is."""

_FILTERED: Final = frozenset({"content_filter", "content_policy_violation"})
"""Codes of a message that the server's own filter lets through to no model: nothing is out of order then."""

_OF_STATUS: Final[dict[int, Trouble]] = {401: "refused", 403: "refused", 408: "slow", 409: "broken", 429: "limited"}


def trouble_of(error: openai.APIError | httpx2.HTTPError, access: Access) -> ModelError:
    """The trouble that an error of the client is, or of the wire below it where it broke in the middle of an answer."""
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
        return ModelError("slow", "no answer in time")
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, access)
    if isinstance(error, openai.APIConnectionError | httpx2.HTTPError):
        return ModelError("unreachable", type(error.__cause__ or error).__name__)
    return ModelError("garbled", type(error).__name__)


def _of_status(error: openai.APIStatusError, access: Access) -> ModelError:
    status = error.status_code
    if 300 <= status < 400:
        return ModelError("rejected", f"it redirects (status {status}), which is not followed")
    trouble: Trouble = _OF_STATUS.get(status, "broken" if status >= 500 else "rejected")
    if error.code in _FILTERED:
        return ModelError("declined", "the server's filter took the message out")
    code = error.code if isinstance(error.code, str) and _CODE.fullmatch(error.code) else ""
    known = f" ({code})" if code and code != access.key else ""
    return ModelError(trouble, f"status {status}{known}", after_s=_after(error.response.headers.get("retry-after", "")))


def _after(said: str) -> float:
    """Seconds of a `Retry-After`; a date is none that could be waited for here."""
    return float(said) if re.fullmatch(r"\d{1,6}(?:\.\d{1,3})?", said.strip(), re.ASCII) else 0.0


class _Beginning(httpx2.AsyncByteStream):
    """So much of a body, and no more of it."""

    def __init__(self, whole: httpx2.AsyncByteStream) -> None:
        self._whole = whole

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MOST_BYTES
        async for chunk in self._whole:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return

    async def aclose(self) -> None:
        await self._whole.aclose()


async def shorten_errors(response: httpx2.Response) -> None:
    """Let the client see only the beginning of what a server says beside an error."""
    if response.status_code >= 300 and isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Beginning(response.stream)
