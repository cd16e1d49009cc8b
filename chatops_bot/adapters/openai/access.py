"""Where a model is and how it is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

Form = Literal["auto", "json_schema", "tools", "json"]
"""How the form of an answer is asked for. `auto`: the first of these that the server takes."""


class Access(msgspec.Struct, frozen=True):
    """A server of OpenAI's interface (`url`, such as `https://host/v1`), a model there, and what lets the bot in. `ca`
    is a file of certificates to trust instead of the system's; `options` are further fields of each request."""

    url: str
    model: str
    key: str = ""
    ca: Path | None = None
    form: Form = "auto"
    tokens_out: int = 600
    options: dict[str, Any] = {}

    def __repr__(self) -> str:
        """Without the key: this may get into a traceback."""
        return f"Access(url={self.url!r}, model={self.model!r})"
