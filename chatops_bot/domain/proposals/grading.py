"""How well a conversation went, graded by a model against a rubric, from what code has noted of it and nothing else.

No message stands in the question, nor what people thought of the conversation: neither thumbs nor thanks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from chatops_bot.domain.incidents import kept
from chatops_bot.domain.masking import mask
from chatops_bot.domain.memory import Fact
from chatops_bot.domain.proposals.inquiry import Inquiry, Part, cut
from chatops_bot.domain.session import Summary
from chatops_bot.domain.settling import Grade
from chatops_bot.domain.texts import render

PROMPT: Final = "grade"
REASON: Final = 200
"""Characters of a model's reason that are kept."""

LINE: Final = 300
"""Characters of one fact."""

_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "score": {"type": "integer", "enum": [1, 2, 3, 4, 5]},
        "reason": {"type": "string"},
    },
    "required": ["score", "reason"],
    "additionalProperties": False,
}


def question(summary: Summary, *, limit: int) -> Inquiry:
    """What a model is asked about one conversation; `limit`: characters of all of it."""
    gist = summary.gist
    found = {
        "Asked": _lines(map(_fact, gist.of("asked"))),
        "Found": _lines(map(_fact, gist.of("found"))),
        "Done": _lines(map(_fact, gist.of("done"))),
        "Refused": _lines(map(_fact, gist.of("refused"))),
        "Left open": _lines(_open(summary)),
    }
    each = limit // len(found)
    parts = tuple(
        Part(heading, cut(text, each) if text else "nothing", trusted=not text) for heading, text in found.items()
    )
    return Inquiry(PROMPT, parts, _SCHEMA, "grade")


def graded(reply: str, *, prompt: str) -> Grade | None:
    """The grade that a reply holds; None where it is not in the form. `prompt`: with its version."""
    try:
        found = json.loads(reply)
    except (ValueError, RecursionError):
        return None
    score, reason = (found.get("score"), found.get("reason")) if isinstance(found, dict) else (None, None)
    if not isinstance(score, int) or isinstance(score, bool) or not 1 <= score <= 5:
        return None
    why = kept(reason, REASON) if isinstance(reason, str) else ""
    return Grade(score, why, prompt) if why else None


def _fact(fact: Fact) -> str:
    again = f" (asked {fact.times} times)" if fact.times > 1 else ""
    wrong = " (something is wrong)" if fact.bad else ""
    return f"{render(fact.said, 'en')}{again}{wrong}"


def _open(summary: Summary) -> Iterator[str]:
    for one in summary.open:
        yield render(one.said, "en")
    if summary.incident:
        yield f"it belongs to the incident {summary.incident}"


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(cut(" ".join(mask(line).split()), LINE) for line in lines)
