"""The Redis protocol (RESP 2), as much of it as scripts need: commands packed, replies parsed.

hiredis does both in C where it is installed (the extra `speed`); what follows does the same without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, cast

Argument = bytes | str | int
Reply: TypeAlias = "bytes | int | list[Reply] | ReplyError | None"


class ReplyError(Exception):
    """An error that the server answered with. `code` is its first word: NOSCRIPT, MOVED, OOM …"""

    @property
    def code(self) -> str:
        return str(self).partition(" ")[0]


class ProtocolError(Exception):
    """What arrived is no reply."""


class Reader(Protocol):
    """Bytes in, replies out."""

    def feed(self, data: bytes, /) -> None: ...

    def gets(self) -> object:
        """The next whole reply, False when there is none yet."""


def pack_plain(arguments: Sequence[Argument]) -> bytes:
    """One command as an array of bulk strings."""
    parts = [b"*%d\r\n" % len(arguments)]
    for argument in arguments:
        raw = argument if isinstance(argument, bytes) else str(argument).encode()
        parts.append(b"$%d\r\n%b\r\n" % (len(raw), raw))
    return b"".join(parts)


class PlainReader:
    """Parses replies; a reply that has not arrived whole is parsed anew when more has come."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes, /) -> None:
        self._buffer += data

    def gets(self) -> object:
        try:
            reply, end = self._parse(0)
        except IndexError:
            return False
        del self._buffer[:end]
        return reply

    def _parse(self, at: int) -> tuple[Reply, int]:
        line, end = self._line(at)
        kind, text = line[:1], line[1:]
        if kind == b"+":
            return text, end
        if kind == b"-":
            return ReplyError(text.decode(errors="replace")), end
        if kind == b":":
            return int(text), end
        if kind == b"$":
            return self._bulk(int(text), end)
        if kind == b"*":
            return self._array(int(text), end)
        raise ProtocolError(f"reply begins with {kind!r}")

    def _line(self, at: int) -> tuple[bytes, int]:
        end = self._buffer.find(b"\r\n", at)
        if end < 0:
            raise IndexError
        return bytes(self._buffer[at:end]), end + 2

    def _bulk(self, length: int, at: int) -> tuple[Reply, int]:
        if length < 0:
            return None, at
        if len(self._buffer) < at + length + 2:
            raise IndexError
        return bytes(self._buffer[at : at + length]), at + length + 2

    def _array(self, length: int, at: int) -> tuple[Reply, int]:
        if length < 0:
            return None, at
        items: list[Reply] = []
        for _ in range(length):
            item, at = self._parse(at)
            items.append(item)
        return items, at


Pack = Callable[[Sequence[Argument]], bytes]
Codec = tuple[Pack, Callable[[], Reader]]
"""Packs commands; makes a reader of replies."""


def plain() -> Codec:
    """Packing and parsing in Python."""
    return pack_plain, PlainReader


def fastest() -> Codec:
    """Packing and parsing by hiredis where it is installed, else in Python."""
    try:
        import hiredis
    except ImportError:
        return plain()

    def pack(arguments: Sequence[Argument]) -> bytes:
        # Its stub knows tuples of one only, and no return type.
        return cast(bytes, hiredis.pack_command(tuple(arguments)))  # type: ignore[arg-type]

    def reader() -> Reader:
        return hiredis.Reader(protocolError=ProtocolError, replyError=ReplyError)

    return pack, reader
