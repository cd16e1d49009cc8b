"""Frames of the long connection: `pbbp2.Frame`, a small protobuf message, written and read by hand.

Fields: 1 SeqID, 2 LogID, 3 service, 4 method (0 control, 1 data), 5 headers (1 key, 2 value), 6 payload_encoding,
7 payload_type, 8 payload, 9 LogIDNew.
"""

from __future__ import annotations

from dataclasses import dataclass, field

CONTROL, DATA = 0, 1
_VARINT, _BYTES = 0, 2


@dataclass
class Frame:
    """One frame; `headers` by name."""

    method: int
    headers: dict[str, str]
    payload: bytes = b""
    sequence: int = 0
    log: int = 0
    service: int = 1
    other: dict[int, bytes] = field(default_factory=dict)

    def encode(self) -> bytes:
        """As bytes on the wire."""
        parts = [
            _number(1, self.sequence),
            _number(2, self.log),
            _number(3, self.service),
            _number(4, self.method),
            *(_block(5, _block(1, key.encode()) + _block(2, value.encode())) for key, value in self.headers.items()),
        ]
        if self.payload:
            parts.append(_block(8, self.payload))
        return b"".join(parts)


def decode(raw: bytes) -> Frame:
    """A frame from bytes. Raises `ValueError` where they are none."""
    frame = Frame(method=-1, headers={})
    for number, value in _fields(raw):
        match number, value:
            case 1, int():
                frame.sequence = value
            case 2, int():
                frame.log = value
            case 3, int():
                frame.service = value
            case 4, int():
                frame.method = value
            case 5, bytes():
                inner = dict(_fields(value))
                frame.headers[_text(inner.get(1))] = _text(inner.get(2))
            case 8, bytes():
                frame.payload = value
            case _, bytes():
                frame.other[number] = value
    if frame.method not in (CONTROL, DATA):
        raise ValueError("not a frame")
    return frame


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3 | _VARINT) + _varint(value)


def _block(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | _BYTES) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _fields(raw: bytes) -> list[tuple[int, int | bytes]]:
    found: list[tuple[int, int | bytes]] = []
    place = 0
    while place < len(raw):
        key, place = _read(raw, place)
        value, place = _read(raw, place)
        if key & 7 == _VARINT:
            found.append((key >> 3, value))
        elif key & 7 == _BYTES:
            if place + value > len(raw):
                raise ValueError("a frame ends too early")
            found.append((key >> 3, raw[place : place + value]))
            place += value
        else:
            raise ValueError("a frame holds a field of another kind")
    return found


def _read(raw: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if place >= len(raw) or shift > 63:
            raise ValueError("a frame ends too early")
        byte = raw[place]
        value |= (byte & 0x7F) << shift
        place += 1
        shift += 7
        if not byte & 0x80:
            return value, place


def _text(value: int | bytes | None) -> str:
    return value.decode() if isinstance(value, bytes) else ""
