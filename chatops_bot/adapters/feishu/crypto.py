"""Feishu's encryption and signature of deliveries, as its page on the Encrypt Key says.

A body is `{"encrypt": base64(iv + ciphertext)}`: AES-256-CBC with PKCS#7, the key being the SHA-256 of the Encrypt Key.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac


class Undecipherable(ValueError):
    """Not encrypted with this key, or not whole. Never says where it went wrong: that would help a forger."""


def decrypt(secret: str, encrypted: str) -> bytes:
    """The plain bytes. Raises `Undecipherable`."""
    # Beside the SDK (it is the SDK's own cipher), so that a bot without Feishu needs neither.
    from Crypto.Cipher import AES
    from Crypto.Util.Padding import unpad

    try:
        raw = base64.b64decode(encrypted, validate=True)
        cipher = AES.new(hashlib.sha256(secret.encode()).digest(), AES.MODE_CBC, raw[: AES.block_size])
        return unpad(cipher.decrypt(raw[AES.block_size :]), AES.block_size)
    except (ValueError, binascii.Error) as error:
        raise Undecipherable("the body cannot be decrypted: check the Encrypt Key") from error


def signed(secret: str, *, timestamp: str, nonce: str, raw: bytes, signature: str) -> bool:
    """Whether an event's signature is right: SHA-256 over timestamp, nonce, Encrypt Key and raw body."""
    wanted = hashlib.sha256((timestamp + nonce + secret).encode() + raw).hexdigest()
    return hmac.compare_digest(wanted.encode(), signature.encode())


def signed_as_old_card(token: str, *, timestamp: str, nonce: str, raw: bytes, signature: str) -> bool:
    """The same for the old card callback: SHA-1 with the Verification Token."""
    wanted = hashlib.sha1((timestamp + nonce + token).encode() + raw).hexdigest()  # noqa: S324  # Feishu's choice
    return hmac.compare_digest(wanted.encode(), signature.encode())


def same(given: object, wanted: str) -> bool:
    """Whether a token is the right one, in a time that tells nothing about it."""
    return isinstance(given, str) and bool(wanted) and hmac.compare_digest(_raw(given), _raw(wanted))


def _raw(token: str) -> bytes:
    # Anybody can put half a surrogate pair into JSON.
    return token.encode(errors="surrogatepass")
