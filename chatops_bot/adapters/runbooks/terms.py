"""Texts as terms of the index: words of Latin letters, and pairs of Chinese characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import yaml

_TOKEN: Final = re.compile(r"[A-Za-z0-9]+|[\u3400-\u9fff]+")
_HUMPS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

_VOCABULARY: Final[dict[str, list[str]]] = yaml.safe_load(
    Path(__file__).with_name("vocabulary.yaml").read_text(encoding="utf-8")
)

_STOP: Final = frozenset(_VOCABULARY["stop"])

_FILLER: Final = re.compile("|".join(sorted(_VOCABULARY["filler"], key=len, reverse=True)))

_OFFICE: Final = frozenset(_VOCABULARY["office"])

_OFFICE_PHRASES: Final = (*(f" {phrase} " for phrase in _VOCABULARY["office_phrases"]), *_VOCABULARY["office_chinese"])

_COMPOUND: Final = re.compile(r"[A-Za-z0-9]++(?:[-_./:=][A-Za-z0-9]++)+")


def has_chinese(text: str) -> bool:
    """Whether it has a Chinese character."""
    return any("\u3400" <= character <= "\u9fff" for character in text)


def is_name(text: str) -> bool:
    """Whether it is one word in humps, as names of reasons and kinds are written."""
    return text.isalnum() and text.isascii() and len([part for part in _HUMPS.findall(text) if len(part) > 2]) > 1


def terms(text: str) -> Iterator[str]:
    """Every term of a text, in order. Of a name in humps (`KubePodCrashLooping`) the whole and its parts; of Chinese
    text, whose words have no spaces between them, each pair of neighbours: no dictionary has our trade's words."""
    for token in _TOKEN.findall(_FILLER.sub(" ", unicodedata.normalize("NFKC", text).replace("'", ""))):
        if token[0] > "\u3000":
            yield from (token[at : at + 2] for at in range(max(1, len(token) - 1)))
            continue
        word = token.lower()
        if word in _STOP or (len(word) == 1 and not word.isdigit()):
            continue
        yield word
        parts = [part.lower() for part in _HUMPS.findall(token)]
        if len(parts) > 1:
            yield from (part for part in parts if len(part) > 2 and part not in _STOP)


def plain(text: str) -> str:
    """A text for looking up phrases in it: lower case, runs of anything but letters and digits one space, and a space
    around it."""
    words = _TOKEN.findall(unicodedata.normalize("NFKC", text).replace("'", "").lower())
    return f" {' '.join(words)} "


def office_words(text: str) -> frozenset[str]:
    """The words of the office that a text has. Parts of names (`invoice-api`) are none: services are called like what
    they do."""
    said = plain(_COMPOUND.sub(" ", text))
    return _OFFICE.intersection(said.split()) | {phrase for phrase in _OFFICE_PHRASES if phrase in said}
