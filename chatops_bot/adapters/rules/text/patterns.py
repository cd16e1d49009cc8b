"""Compiles the tables: `N` becomes a masked name, English words get their edges."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from chatops_bot.adapters.rules.text.reading import NAME

_WHOLE: Final = f"(?:(?<!{NAME}){NAME}++)"
"""All that was masked: tried once a run, so that a long run of names takes no longer than as many letters."""


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of the tables. Capital N is a masked name; `\\b` sees Chinese as no word."""
    return re.compile(pattern.replace("N", _WHOLE), re.ASCII)


def chinese(patterns: Iterable[str]) -> re.Pattern[str]:
    """Any of several Chinese patterns; around a name there may be spaces."""
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    return re.compile(joined.replace("N", rf"\s?{_WHOLE}\s?"), re.ASCII)


def words(patterns: Iterable[str] | str) -> re.Pattern[str]:
    """Any of several English patterns as whole words."""
    joined = patterns if isinstance(patterns, str) else "|".join(patterns)
    return compiled(rf"(?<![\w-])(?:{joined})(?![\w])")
