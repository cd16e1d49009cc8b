"""WeCom's envelope around a callback: signature, age, AES-256-CBC and the receiver it is meant for.

Rules: 加解密方案说明 of WeCom's developer pages. The signature is SHA-1 over token, timestamp, nonce and ciphertext,
sorted and joined; the plain text is 16 random bytes, a length of four bytes, the message, and the id of its receiver
(the corporation for an application, nothing for a robot), padded to 32. Cipher and padding are `cryptography`'s.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import struct
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

from chatops_bot.adapters.wecom.settings import check_aes_key
from chatops_bot.ports.clock import Clock

AGE_S = 300
_BLOCK_BITS = 256
_HEAD = 20


class NotGenuineError(Exception):
    """Not from WeCom, not for this bot, or too old. The reason may be told to anybody: it holds no secret, and is the
    same for everything that goes wrong behind the signature."""


class Sealed(NamedTuple):
    """A ciphertext and its signature."""

    encrypted: str
    signature: str


class CallbackCrypto:
    """One callback's token and key. `receive_id` is the corporation's id, or "" for a robot."""

    def __init__(self, *, token: str, aes_key: str, receive_id: str, clock: Clock) -> None:
        self._token = token
        key = check_aes_key(aes_key, "the")
        self._cipher = Cipher(algorithms.AES(key), modes.CBC(key[:16]))
        self._receive_id = receive_id.encode()
        self._clock = clock

    def open(self, *, signature: str, timestamp: str, nonce: str, encrypted: str) -> bytes:
        """The message inside. Raises `NotGenuineError`."""
        wanted = self._signature(timestamp, nonce, encrypted)
        if not hmac.compare_digest(wanted.encode(), signature.encode("utf-8", "replace")):
            raise NotGenuineError("the signature is wrong: check the token")
        if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 20):
            raise NotGenuineError("no timestamp")
        if abs(self._clock.now() - int(timestamp)) > AGE_S:
            raise NotGenuineError("the timestamp is more than five minutes off: check the clocks")
        return self._decrypted(encrypted)

    def seal(self, plain: bytes, *, timestamp: str, nonce: str, salt: bytes) -> Sealed:
        """An answer for the receiver that the callback came for; `salt` are 16 random bytes."""
        padder = PKCS7(_BLOCK_BITS).padder()
        whole = salt + struct.pack(">I", len(plain)) + plain + self._receive_id
        encryptor = self._cipher.encryptor()
        padded = padder.update(whole) + padder.finalize()
        encrypted = base64.b64encode(encryptor.update(padded) + encryptor.finalize()).decode()
        return Sealed(encrypted, self._signature(timestamp, nonce, encrypted))

    def _signature(self, timestamp: str, nonce: str, encrypted: str) -> str:
        joined = "".join(sorted((self._token, timestamp, nonce, encrypted)))
        return hashlib.sha1(joined.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()

    def _decrypted(self, encrypted: str) -> bytes:
        try:
            decryptor = self._cipher.decryptor()
            padded = decryptor.update(base64.b64decode(encrypted, validate=True)) + decryptor.finalize()
            unpadder = PKCS7(_BLOCK_BITS).unpadder()
            whole = unpadder.update(padded) + unpadder.finalize()
            (length,) = struct.unpack(">I", whole[16:_HEAD])
        except (ValueError, binascii.Error, struct.error) as error:
            raise NotGenuineError("the message cannot be decrypted: check the EncodingAESKey") from error
        if length > len(whole) - _HEAD:
            raise NotGenuineError("the message cannot be decrypted: check the EncodingAESKey")
        if not hmac.compare_digest(whole[_HEAD + length :], self._receive_id):
            raise NotGenuineError("the message is for another receiver: check the corporation's id")
        return whole[_HEAD : _HEAD + length]
