"""What the page may send: JSON bodies, checked before anything is done with them."""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.requests import Request

from chatops_bot.adapters.console.pane import Trouble

BODY_BYTES = 16_384
TEXT_CHARACTERS = 4_000

Room = Annotated[str, Meta(min_length=1, max_length=80)]
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"\A[\w.-]+( [\w.-]+)*\Z")]
Text = Annotated[str, Meta(max_length=TEXT_CHARACTERS, pattern=r"\S")]
Id = Annotated[str, Meta(max_length=200)]
Value = Annotated[str, Meta(max_length=2_000)]
Nonce = Annotated[str, Meta(max_length=64, pattern=r"\A[A-Za-z0-9-]{8,64}\Z")]


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody writes. `nonce` is the page's own mark of this message: sent again, it is the same message."""

    room: Room
    user: Name
    text: Text
    reply_to: Id = ""
    nonce: Nonce | None = None


class Click(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody presses a button; token and value are those of the view that was pressed."""

    room: Room
    user: Name
    card: Id
    button: Annotated[str, Meta(min_length=1, max_length=200)]
    token: Value = ""
    value: Value = ""
    nonce: Nonce | None = None


class Stage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A trouble for a workload of the sandbox."""

    namespace: Annotated[str, Meta(min_length=1, max_length=63)]
    name: Annotated[str, Meta(min_length=1, max_length=253)]
    trouble: Trouble


Body = TypeVar("Body", Say, Click, Stage)


class Problem(HTTPException):
    """A request that is not done. `code` is for the page, which has the sentence in the reader's language;
    `detail` says the same to whoever looks at the answer itself."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(status, detail)
        self.code = code


async def read_body(request: Request, kind: type[Body]) -> Body:
    """The checked body. Raises `Problem`: 415 for anything but JSON (which also keeps out forms of other
    sites), 413 for one too large, 400 for one that is not as it should be."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem(415, "not_json", "send application/json")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES:
            raise Problem(413, "too_large", f"a request may have {BODY_BYTES} bytes")
    try:
        return msgspec.json.decode(bytes(body), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Problem(400, "invalid", str(error)) from error
