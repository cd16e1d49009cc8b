"""The language model beside the rules, as it can be configured; `app/settings.py` says what the sentences below fields
are for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, model_validator

from chatops_bot.app.section import Section

_HOST = re.compile(r"[A-Za-z0-9_.-]{1,253}|[0-9A-Fa-f:.]{2,45}")
_KEY = re.compile(r"[!-~]{0,4096}")

Tokens = Annotated[int, Field(ge=0, le=10_000_000_000)]


class ModelSettings(Section):
    """A language model that reads what the rules leave open; off without a `name`. It proposes and decides nothing:
    `docs/model.md` tells what of it counts, and what leaves the house."""

    name: str = ""
    """The model, as its server calls it. Empty: none is asked."""
    url: str = "https://api.openai.com/v1"
    """Address of the interface, which is OpenAI's (`/chat/completions`): its own, or that of a server in the house such
    as `http://vllm.models:8000/v1`."""
    key: SecretStr | None = None
    """Key for the server, where it asks for one."""
    key_file: Path | None = None
    """File that holds the key."""
    ca_file: Path | None = None
    """File of certificates (PEM) to trust, where the server has one that the system does not know."""
    answers: bool = False
    """Whether answers to how-to questions are worded from the runbooks found, above the list of them. Off, because the
    list says the same, and each costs a question more."""
    grades: bool = False
    """Whether `chatops-bot settle` has conversations that ended graded, from what was noted of them, as one of the
    signals for how they ended. Off, because each costs a question, at most 200 a night."""
    timeout_s: Annotated[float, Field(ge=0.5, le=4)] = 3
    """For one message, all tries together, in seconds; after that the rules answer alone. A message is answered within
    a few seconds, so that more than 4 would help nobody."""
    retries: Annotated[int, Field(ge=0, le=3)] = 1
    """Further tries within that time, where the server was not reached, had an error, or asked to wait."""
    response_format: Literal["auto", "json_schema", "tools", "json"] = "auto"
    """How the model is held to the form of its answer: `json_schema` (strict), a call of a tool, or only words
    (`json`). `auto` begins with the first and takes the next where the server refuses it."""
    max_input_chars: Annotated[int, Field(ge=4_000, le=100_000)] = 12_000
    """Characters of a question, without the fixed instructions. What lies longest back is left out first; of one
    message 2000 are sent at most."""
    max_output_tokens: Annotated[int, Field(ge=100, le=10_000)] = 600
    """Tokens of an answer. Models that think aloud first need more."""
    options: dict[str, object] = Field(default={})
    """Further fields of each request, such as `reasoning_effort: low`; `temperature` is 0 unless it is set here."""
    thread_tokens: Tokens = 50_000
    """Tokens a day (UTC) for one conversation. When a budget is spent, the rules answer alone."""
    room_tokens: Tokens = 500_000
    """Tokens a day for one room."""
    day_tokens: Tokens = 5_000_000
    """Tokens a day for everything."""
    breaker_failures: Annotated[int, Field(ge=1, le=100)] = 5
    """Failures in a row after which the model is left alone for a while."""
    breaker_pause_s: Annotated[float, Field(ge=1, le=3_600)] = 30
    """For how long, in seconds; then one message is tried."""

    @property
    def enabled(self) -> bool:
        """Whether a model is asked."""
        return bool(self.name)

    @model_validator(mode="after")
    def _usable(self) -> ModelSettings:
        if problems := [*self._problems()]:
            raise ValueError("; ".join(problems))
        return self

    def _problems(self) -> Iterator[str]:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            yield "url must begin with https:// or http:// and name a host"
        elif not _HOST.fullmatch(parts.hostname) or not _has_port(self.url):
            yield "url must name a host as DNS writes it, and a port up to 65535 if any"
        if parts.username or parts.password:
            yield "url has a user in it; write key_file instead"
        if parts.query or parts.fragment:
            yield "url must have no ? and no #"
        if parts.path.rstrip("/").endswith("/completions"):
            yield "url is that of the interface, such as https://host/v1, without /chat/completions"
        yield from self._of_key()
        yield from self._of_options()

    def _of_key(self) -> Iterator[str]:
        if self.key is not None and not _KEY.fullmatch(self.key.get_secret_value()):
            yield "the key holds blanks, line ends or other signs that no key has"
        if self.key is not None and not self.name:
            yield "a key is given, but no name of a model that it is for"

    def _of_options(self) -> Iterator[str]:
        if wrong := sorted(set(self.options) & {"model", "messages", "stream", "n", "tools", "response_format"}):
            yield f"options must not set {', '.join(wrong)}, which the bot sets itself"
        if odd := sorted(name for name, value in self.options.items() if not isinstance(value, str | int | float)):
            yield f"options must be numbers, words, true or false; {', '.join(odd)} is none of these"
        if endless := sorted(
            n for n, value in self.options.items() if isinstance(value, float) and not isfinite(value)
        ):
            yield f"options must be finite numbers; {', '.join(endless)} is not"


def _has_port(url: str) -> bool:
    """Whether its port, if it names one, is one."""
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False
