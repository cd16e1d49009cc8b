"""An answer in a model's words, made of cited material only: every number and every name in it stands in the source."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from chatops_bot.domain.masking import mask
from chatops_bot.domain.normalise import clean
from chatops_bot.domain.proposals.inquiry import Inquiry, Part, cut

PROMPT: Final = "answer"
MOST: Final = 5
"""Sentences of an answer."""

LONGEST: Final = 280
"""Characters of one of them."""

_QUESTION: Final = 500

_TOKEN: Final = re.compile(r"[A-Za-z0-9_][\w./:@%+-]*", re.ASCII)
_ORDINARY: Final = re.compile(r"[A-Z]?[a-z]+(?:'[a-z]+)?")
_COUNTED: Final = re.compile(
    r"\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    r"dozen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|half|twice|double|"
    r"triple)s?\b|百分之[零一二两三四五六七八九十百半]+|"
    r"[两三四五六七八九十百千万亿几半]+(?=\s*[个台份次倍秒分小时天周月年条行步副名号版核点组只块项%])",
    re.IGNORECASE,
)
_WRITTEN: Final = re.compile(r"[\x20-\x7e\u3001-\u3011\u4e00-\u9fff\uff01-\uff0f\uff1a-\uff20·–—‘’“”…]")
"""Characters of an answer. Others are shown only where the source has them: digits, and letters that look like others,
would get by as words."""

_QUOTED: Final = re.compile(r"[`\"“「]([^`\"”」]{1,200})[`\"”」]")


class Source(msgspec.Struct, frozen=True):
    """What may be cited: a runbook by its id, with its text in the reader's language."""

    id: str
    text: str


class Sentence(msgspec.Struct, frozen=True):
    """One sentence of an answer, and the source that it is from."""

    text: str
    source: str


def question(text: str, sources: tuple[Source, ...], *, language: str, limit: int) -> Inquiry:
    """What a model is asked; `limit`: characters of all of it."""
    each = max(400, (limit - _QUESTION) // max(1, len(sources)))
    parts = [Part("Language", "Chinese" if language == "zh" else "English", trusted=True)]
    parts += [Part(f"Source {source.id}", cut(mask(source.text), each)) for source in sources]
    parts.append(Part("Question", cut(mask(clean(text)), _QUESTION)))
    return Inquiry(PROMPT, tuple(parts), _schema(source.id for source in sources), "answer")


def _schema(ids: Iterable[str]) -> dict[str, Any]:
    sentence = {
        "type": "object",
        "properties": {"text": {"type": "string"}, "source": {"type": "string", "enum": list(ids)}},
        "required": ["text", "source"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"sentences": {"type": "array", "items": sentence}},
        "required": ["sentences"],
        "additionalProperties": False,
    }


def worded(
    reply: str, sources: tuple[Source, ...], *, services_in: Callable[[str], Iterable[str]]
) -> tuple[Sentence, ...]:
    """The sentences of a reply; empty where any of them says more than its source. `services_in`: names of services in
    a text, as the catalog finds them."""
    try:
        found = json.loads(reply)
    except (ValueError, RecursionError):
        return ()
    listed = found.get("sentences") if isinstance(found, dict) else None
    if not isinstance(listed, list) or not 0 < len(listed) <= MOST:
        return ()
    texts = {source.id: source.text for source in sources}
    sentences = []
    for each in listed:
        text, id = (each.get("text"), each.get("source")) if isinstance(each, dict) else (None, None)
        if not isinstance(text, str) or not isinstance(id, str) or id not in texts:
            return ()
        text = " ".join(text.split())
        if not 0 < len(text) <= LONGEST or unfounded(text, texts[id], names=services_in(text)):
            return ()
        sentences.append(Sentence(text, id))
    return tuple(sentences)


def unfounded(sentence: str, source: str, *, names: Iterable[str] = ()) -> tuple[str, ...]:
    """Numbers, names, signs and quotations of a sentence that its source does not hold. A name is whatever is no plain
    word, with a digit, a sign or a capital within, and what is known as one (`names`)."""
    known = source.casefold()
    words = {token.rstrip(".:-").casefold() for token in _TOKEN.findall(source)}
    wrong = [
        token
        for token in (found.rstrip(".:-") for found in _TOKEN.findall(sentence))
        if token and not _ORDINARY.fullmatch(token) and token.casefold() not in words
    ]
    named = (*(found.group() for found in _COUNTED.finditer(sentence)), *names)
    wrong += [name for name in named if name.casefold() not in (words if name.isascii() else known)]
    wrong += [sign for sign in dict.fromkeys(sentence) if sign not in source and not _WRITTEN.fullmatch(sign)]
    wrong += [quoted for quoted in _QUOTED.findall(sentence) if quoted.casefold() not in known]
    return tuple(wrong)
