"""Callbacks as WeCom writes them, and the bot's answers as WeCom reads them. Shares nothing with the bot's own code: it
is judged, like that, by a library that neither of them wrote."""

from __future__ import annotations

import base64
import hashlib
from xml.sax.saxutils import escape

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

Json = dict[str, object]


class Envelope:
    """One callback's token and EncodingAESKey; `receiver` is the corporation's id or ""."""

    def __init__(self, *, token: str, aes_key: str, receiver: str) -> None:
        self.token = token
        self.receiver = receiver
        self._key = base64.b64decode(aes_key + "=")

    def seal(self, message: str, *, salt: bytes = b"0123456789abcdef") -> str:
        """The ciphertext of a message."""
        content = message.encode()
        whole = salt + len(content).to_bytes(4, "big") + content + self.receiver.encode()
        missing = 32 - len(whole) % 32
        encryptor = Cipher(algorithms.AES(self._key), modes.CBC(self._key[:16])).encryptor()
        return base64.b64encode(encryptor.update(whole + bytes([missing]) * missing) + encryptor.finalize()).decode()

    def open(self, encrypted: str) -> str:
        """The message of a ciphertext. Raises `ValueError`."""
        decryptor = Cipher(algorithms.AES(self._key), modes.CBC(self._key[:16])).decryptor()
        whole = decryptor.update(base64.b64decode(encrypted)) + decryptor.finalize()
        whole = whole[: -whole[-1]]
        length = int.from_bytes(whole[16:20], "big")
        if whole[20 + length :].decode() != self.receiver:
            raise ValueError("for another receiver")
        return whole[20 : 20 + length].decode()

    def signature(self, stamp: str, nonce: str, encrypted: str) -> str:
        """Over the four strings in order."""
        return hashlib.sha1(
            "".join(sorted([self.token, stamp, nonce, encrypted])).encode(), usedforsecurity=False
        ).hexdigest()

    def query(self, encrypted: str, *, now: float, nonce: str = "nonce-1") -> dict[str, str]:
        """What stands in the address of a delivery."""
        stamp = str(int(now))
        return {"msg_signature": self.signature(stamp, nonce, encrypted), "timestamp": stamp, "nonce": nonce}


def as_xml(fields: dict[str, str]) -> str:
    """Fields as an application is told them."""
    inside = "".join(
        f"<{name}>{value}</{name}>" if value.isdecimal() else f"<{name}><![CDATA[{_data(value)}]]></{name}>"
        for name, value in fields.items()
    )
    return f"<xml>{inside}</xml>"


def wrapped(encrypted: str, *, receiver: str, agent_id: int) -> str:
    """The body of a callback of an application."""
    return as_xml({"ToUserName": receiver, "AgentID": str(agent_id), "Encrypt": encrypted})


def _data(value: str) -> str:
    """What may stand in a CDATA section."""
    return value.replace("]]>", "]]" + escape(">") if "]]>" in value else "]]>")
