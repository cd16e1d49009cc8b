"""What came back, read by hand: a server may be anything that speaks the interface more or less."""

from __future__ import annotations

import json
from typing import Any, Final

from chatops_bot.ports.model import ModelError, Reply

MOST_BYTES: Final = 256 * 1024
"""Of an answer: a thousand times what is asked for."""


def read(raw: bytes) -> Reply:
    """The text of the first choice, or the arguments of its call of the tool. Raises `ModelError`."""
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise ModelError("garbled", "the answer is no JSON") from None
    if not isinstance(body, dict):
        raise ModelError("garbled", "the answer is no object")
    tokens_in, tokens_out = _usage(body.get("usage"))
    tokens = tokens_in + tokens_out
    choice = _first(body.get("choices"))
    message = choice.get("message")
    if not isinstance(message, dict):
        raise ModelError("garbled", "the answer holds no message", tokens=tokens)
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        raise ModelError("declined", "the model would not answer", tokens=tokens)
    if choice.get("finish_reason") == "length":
        raise ModelError("garbled", "the answer was cut short: raise model.max_output_tokens", tokens=tokens)
    text = _arguments(message) or message.get("content")
    if not isinstance(text, str) or not text.strip():
        raise ModelError("garbled", "the answer is empty", tokens=tokens)
    return Reply(text, tokens_in, tokens_out)


def _first(found: object) -> dict[str, Any]:
    return found[0] if isinstance(found, list) and found and isinstance(found[0], dict) else {}


def _arguments(message: dict[str, Any]) -> object:
    function = _first(message.get("tool_calls")).get("function")
    return function.get("arguments") if isinstance(function, dict) else None


def _usage(found: object) -> tuple[int, int]:
    """Tokens in and out; 0 where the server does not say, or says what cannot be."""
    usage = found if isinstance(found, dict) else {}
    return _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))


def _count(found: object) -> int:
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 10_000_000 else 0
