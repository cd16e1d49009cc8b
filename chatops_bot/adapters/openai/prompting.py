"""The prompts, as they lie in `prompts/`: `NAME.vN.md`, the newest of each. A changed prompt is a new file."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from typing import Final

_FILE: Final = re.compile(r"(?P<name>[a-z_]+)\.v(?P<number>\d+)\.md")


@lru_cache(maxsize=1)
def _newest() -> dict[str, tuple[int, str]]:
    """Version and text by name."""
    found: dict[str, tuple[int, str]] = {}
    for file in resources.files("chatops_bot.adapters.openai.prompts").iterdir():
        named = _FILE.fullmatch(file.name)
        if named is not None and int(named["number"]) > found.get(named["name"], (0, ""))[0]:
            found[named["name"]] = int(named["number"]), file.read_text(encoding="utf-8")
    return found


def text_of(name: str) -> str:
    """The instructions. Raises `KeyError` for a name that there is none of."""
    return _newest()[name][1]


def version_of(name: str) -> str:
    """Name and version, as logs and records have it. Raises likewise."""
    return f"{name}.v{_newest()[name][0]}"
