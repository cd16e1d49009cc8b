"""What all parts of the configuration have in common."""

from __future__ import annotations

from collections.abc import Iterable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, SecretStr

PREFIX = "CHATOPS_"
NESTED = "__"


class Section(BaseModel):
    """A part of the configuration; what it does not know is an error, not a silent nothing."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True, hide_input_in_errors=True)


def missing(section: Section, names: Iterable[str]) -> list[str]:
    """Those of the fields that hold nothing; spaces are nothing."""
    return [name for name in names if not _text(getattr(section, name)).strip()]


def variables(section: str, names: Iterable[str]) -> str:
    """The environment variables of some fields, as a sentence names them."""
    return " and ".join(f"{PREFIX}{section.upper()}{NESTED}{name.upper()}" for name in names)


def _text(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value or "")


def a_zone(name: str) -> str:
    """The name, if there is such a zone. Raises `ValueError` with what to write."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"time_zone {name!r} is not known; write it as Asia/Shanghai") from None
    return name
