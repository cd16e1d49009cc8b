"""Complaints about settings, in words that say what to do."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from chatops_bot.app.settings import Settings
from chatops_bot.domain.masking import mask

_SHOWN = 60
"""Characters of a wrong value that are shown: enough to recognise it."""


_WORDS: Final = {
    "missing": "is missing",
    "literal_error": "must be {expected}, not {value}",
    "bool_parsing": "must be true or false, not {value}",
    "bool_type": "must be true or false, not {value}",
    "int_parsing": "must be a whole number, not {value}",
    "int_type": "must be a whole number, not {value}",
    "int_from_float": "must be a whole number, not {value}",
    "greater_than_equal": "must be at least {ge}, not {value}",
    "less_than_equal": "must be at most {le}, not {value}",
    "tuple_type": "must be a list, such as [one, two], not {value}",
    "dict_type": "must be a mapping with fields of its own, not {value}",
    "model_type": "must be a mapping with fields of its own, not {value}",
    "string_type": "must be a text, not {value}; put it in quotes",
    "string_pattern_mismatch": "has characters that are not allowed: {value}",
    "string_too_long": "is longer than {max_length} characters: {value}",
}


def in_words(error: ErrorDetails) -> str:
    """`path: what is wrong and what would be right`. Never shows what could be a secret."""
    place = path_of(error["loc"])
    context = error.get("ctx", {})
    if error["type"] == "extra_forbidden":
        return f"{place}: is not known; {_known(error['loc'])}"
    if error["type"] == "value_error":  # a sentence of our own
        return f"{place}: {context['error']}" if place else str(context["error"])
    template = _WORDS.get(error["type"])
    if template is None:
        return f"{place}: {error['msg'][0].lower()}{error['msg'][1:]}"
    return f"{place}: {template.format(value=_shown(error['input']), **context)}"


def path_of(location: tuple[int | str, ...]) -> str:
    """`clusters[0].name` of the pieces of a path."""
    path = ""
    for piece in location:
        path += f"[{piece}]" if isinstance(piece, int) else f".{piece}" if path else piece
    return path


def _known(location: tuple[int | str, ...]) -> str:
    fields = _fields(location[:-1])
    close = get_close_matches(str(location[-1]), fields, n=1)
    return f"did you mean {close[0]}?" if close else f"known are {', '.join(fields)}"


def _fields(location: tuple[int | str, ...]) -> list[str]:
    """Names of the fields of the section at this path."""
    model: type[BaseModel] = Settings
    for piece in location:
        field = model.model_fields.get(str(piece))
        if field is not None:
            model = _model_in(field.annotation) or model
    return list(model.model_fields)


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        if found := _model_in(inner):
            return found
    return None


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    if value is None:
        return "nothing"
    text = mask(repr(value))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
