"""The body of a request, in the form that a server takes.

Servers differ: some know no strict schema, some no tools, some take fewer tokens only under another name. What one
refuses (status 400, naming the field) is not sent again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from chatops_bot.adapters.openai.access import Access, Form
from chatops_bot.domain.proposals.inquiry import Inquiry

_FORMS: Final[tuple[Form, ...]] = ("json_schema", "tools", "json")
_OF_FORM: Final = ("response_format", "json_schema", "json_object", "tool", "function", "schema", "strict")


_REPEATED: Final = frozenset({"input", "ctx", "body", "messages"})
_SAID: Final = 1_000
_TOO_LONG: Final = re.compile(r"context (?:length|window)|too long|reduce the length|tokens? (?:limit )?exceed")


class Asking:
    """Remembers what the server does not take."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._forms: tuple[Form, ...] = _FORMS if access.form == "auto" else (access.form,)
        self._limit = "max_tokens"
        self._options = {"temperature": 0, **access.options}

    @property
    def form(self) -> Form:
        """The form that is used now."""
        return self._forms[0]

    def body(self, messages: list[dict[str, str]], inquiry: Inquiry) -> dict[str, Any]:
        """A request's fields."""
        body: dict[str, Any] = {"model": self._access.model, "messages": messages, **self._form_of(inquiry)}
        if self._limit:
            body[self._limit] = self._access.tokens_out
        standing = {name: value for name, value in self._options.items() if name == "temperature"}
        further = {name: value for name, value in self._options.items() if name != "temperature"}
        if self.form == "json":
            body["messages"] = [*messages, {"role": "user", "content": _as_words(inquiry)}]
        return {**body, **standing, **({"extra_body": further} if further else {})}

    def _form_of(self, inquiry: Inquiry) -> dict[str, Any]:
        schema = dict(inquiry.schema)
        match self.form:
            case "json_schema":
                form = {"name": inquiry.name, "strict": True, "schema": schema}
                return {"response_format": {"type": "json_schema", "json_schema": form}}
            case "tools":
                tool = {"type": "function", "function": {"name": inquiry.name, "parameters": schema}}
                return {"tools": [tool], "tool_choice": {"type": "function", "function": {"name": inquiry.name}}}
            case _:
                return {}

    def give_up(self, refusal: object, body: Mapping[str, Any]) -> bool:
        """Leave out what a refusal names of this request; False where it names nothing that can be left out, or only
        finds this one too long: what is left out is so for good."""
        said = " ".join(_words_of(refusal))[:_SAID].lower()
        if _TOO_LONG.search(said):
            return False
        if self._limit and self._limit in said and self._limit in body:
            self._limit = "max_completion_tokens" if self._limit == "max_tokens" else ""
            return True
        if "temperature" in said and "temperature" in body:
            self._options.pop("temperature", None)
            return True
        if any(word in said for word in _OF_FORM) and len(self._forms) > 1:
            self._forms = self._forms[1:]
            return True
        return False


def _words_of(refusal: object) -> Iterator[str]:
    """What a server says itself, without the request that some repeat beside it: words of a message name nothing."""
    match refusal:
        case str():
            yield refusal
        case Mapping():
            for name, value in refusal.items():
                if name not in _REPEATED:
                    yield from _words_of(value)
        case list() | tuple():
            for value in refusal:
                yield from _words_of(value)


def _as_words(inquiry: Inquiry) -> str:
    """The form in words, for servers that have no way to hold a model to it."""
    return f"Answer with one JSON object and nothing else. Its JSON schema:\n{json.dumps(inquiry.schema)}"
