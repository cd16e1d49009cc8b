"""What the platform does to a delivery before it sends it over HTTP: encrypt and sign."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]


def encrypted(payload: bytes, *, key: str, random_bytes: Callable[[int], bytes]) -> bytes:
    """The body that carries `payload` under an Encrypt Key."""
    from Crypto.Cipher import AES
    from Crypto.Util.Padding import pad

    vector = random_bytes(16)
    cipher = AES.new(hashlib.sha256(key.encode()).digest(), AES.MODE_CBC, vector)
    sealed = base64.b64encode(vector + cipher.encrypt(pad(payload, 16))).decode()
    return json.dumps({"encrypt": sealed}).encode()


def signature(body: bytes, *, key: str, timestamp: str, nonce: str) -> str:
    """Of an event or a callback of today."""
    return hashlib.sha256(timestamp.encode() + nonce.encode() + key.encode() + body).hexdigest()


def old_card_signature(body: bytes, *, token: str, timestamp: str, nonce: str) -> str:
    """Of a callback of the old cards."""
    return hashlib.sha1(timestamp.encode() + nonce.encode() + token.encode() + body).hexdigest()  # noqa: S324


def headers(body: bytes, *, key: str, now: float, nonce: str) -> dict[str, str]:
    """The headers of a signed delivery."""
    timestamp = str(int(now))
    return {
        "Content-Type": "application/json; charset=utf-8",
        "X-Lark-Request-Timestamp": timestamp,
        "X-Lark-Request-Nonce": nonce,
        "X-Lark-Signature": signature(body, key=key, timestamp=timestamp, nonce=nonce),
    }
