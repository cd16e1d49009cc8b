"""One door to Feishu's open API: every call with a fresh access token, every failure as an exception of the port.

Nothing is repeated here but a call whose token had run out: the engine repeats, knowing what it repeats. The SDK is not
used for this: its import takes seconds, and its asynchronous calls hide the headers that say how long to wait.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Literal

import aiohttp
import msgspec

from chatops_bot.adapters.feishu.errors import RENEW, Refusal, translate
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pacing import seconds

Data = dict[str, object]
Verb = Literal["GET", "POST", "PATCH"]

EARLY_S = 300
"""A token is renewed so long before it runs out."""

_RESET = "x-ogw-ratelimit-reset"
_SCOPES = re.compile(r"\[([a-z0-9_:., ]+)\]")


class Web:
    """Calls of one app. `timeout_s` limits one call.

    A limit answered by Feishu closes the method, for posts the method in that chat, until its time has passed: calls
    until then fail at once instead of making it longer.
    """

    def __init__(self, *, app_id: str, app_secret: str, address: str, clock: Clock, timeout_s: float = 10) -> None:
        self._app_id = app_id
        self._app_secret = app_secret
        self._address = address
        self._clock = clock
        self._timeout_s = timeout_s
        self._session: aiohttp.ClientSession | None = None
        self._token = ""
        self._token_until = 0.0
        self._renewing = asyncio.Lock()
        self._closed_until: dict[str, float] = {}

    async def close(self) -> None:
        """Give the connections back; a later call opens new ones."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def get(self, method: str, path: str, params: Mapping[str, str] | None = None) -> Data:
        """A reading call; `method` is its name in messages. Gives `data`. Raises as `post`."""
        return await self._call(method, "GET", path, gate=method, params=params)

    async def post(
        self, method: str, path: str, body: Data, *, params: Mapping[str, str] | None = None, chat: str = ""
    ) -> Data:
        """A writing call; `chat` is where it writes. Raises `ChatUnavailable`, `CardGone`, `ChatRefused`."""
        return await self._call(method, "POST", path, gate=f"{method} {chat}", params=params, json=lambda: body)

    async def patch(self, method: str, path: str, body: Data) -> Data:
        """Likewise; each path is limited by itself."""
        return await self._call(method, "PATCH", path, gate=f"{method} {path}", json=lambda: body)

    async def upload(self, method: str, path: str, form: Callable[[], aiohttp.FormData]) -> Data:
        """Likewise with files. `form` makes the form, anew for each attempt."""
        return await self._call(method, "POST", path, gate=method, form=form)

    async def bare(self, method: str, path: str, body: Data) -> Data:
        """A call without a token; gives the whole answer, since such answers have no `data`. Raises as `post`."""
        return await self._send(method, "POST", path, gate=method, headers={}, json=body)

    async def _call(
        self,
        method: str,
        verb: Verb,
        path: str,
        *,
        gate: str,
        params: Mapping[str, str] | None = None,
        json: Callable[[], Data] | None = None,
        form: Callable[[], aiohttp.FormData] | None = None,
    ) -> Data:
        for attempt in (1, 2):
            token = await self._access()
            try:
                answer = await self._send(
                    method,
                    verb,
                    path,
                    gate=gate,
                    headers={"Authorization": f"Bearer {token}"},
                    params=params,
                    json=json() if json else None,
                    form=form() if form else None,
                )
            except Refusal as error:
                if error.code not in RENEW or attempt == 2:
                    raise
                if self._token == token:
                    self._token = ""
                continue
            data = answer.get("data")
            # Some older calls (bot/v3/info) have their result beside the code.
            return data if isinstance(data, dict) else answer
        raise AssertionError("unreachable")  # pragma: no cover

    async def _access(self) -> str:
        """A token that is good for a while. Raises as `post`."""
        async with self._renewing:
            if not self._token or self._clock.monotonic() >= self._token_until:
                answer = await self.bare(
                    "auth",
                    "/open-apis/auth/v3/tenant_access_token/internal",
                    {"app_id": self._app_id, "app_secret": self._app_secret},
                )
                token, expire = answer.get("tenant_access_token"), answer.get("expire")
                if not isinstance(token, str) or not token or not isinstance(expire, int):
                    raise ChatUnavailable("Feishu gave no access token")
                self._token = token
                self._token_until = self._clock.monotonic() + max(expire - EARLY_S, expire / 2)
            return self._token

    async def _send(
        self,
        method: str,
        verb: Verb,
        path: str,
        *,
        gate: str,
        headers: Mapping[str, str],
        params: Mapping[str, str] | None = None,
        json: Data | None = None,
        form: aiohttp.FormData | None = None,
    ) -> Data:
        wait = self._closed_until.get(gate, 0) - self._clock.monotonic()
        if wait > 0:
            raise ChatUnavailable(f"Feishu limits {method}", retry_after_s=wait, paced=True)
        self._closed_until.pop(gate, None)
        body: bytes | aiohttp.FormData | None = form
        if json is not None:
            body = msgspec.json.encode(json)
            headers = {**headers, "Content-Type": "application/json; charset=utf-8"}
        try:
            async with self._open().request(
                verb, self._address + path, headers=headers, params=params, data=body
            ) as answer:
                raw = await answer.read()
        except aiohttp.ClientConnectorError as error:
            raise ChatUnavailable(f"{method}: Feishu cannot be reached: {error}") from error
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            reason = f"{method}: {type(error).__name__} {error}".rstrip()
            raise ChatUnavailable(reason, maybe_posted=True) from error
        data = _object(raw)
        code = data.get("code")
        if answer.status < 400 and code == 0:
            return data
        raise self._failure(method, gate, answer.status, answer.headers, data)

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None or self._session.closed:
            self._session = aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=self._timeout_s), trust_env=True, auto_decompress=True
            )
        return self._session

    def _failure(
        self, method: str, gate: str, status: int, headers: Mapping[str, str], data: Data
    ) -> ChatUnavailable | CardGone | ChatRefused:
        code = data.get("code")
        failure = translate(
            method,
            code if isinstance(code, int) else 0,
            status=status,
            retry_after_s=seconds(headers.get(_RESET) or headers.get("Retry-After") or ""),
            details=details_of(data),
        )
        if isinstance(failure, ChatUnavailable) and failure.retry_after_s:
            self._closed_until[gate] = self._clock.monotonic() + failure.retry_after_s
            if len(self._closed_until) > 1000:
                now = self._clock.monotonic()
                self._closed_until = {name: until for name, until in self._closed_until.items() if until > now}
        return failure


def details_of(data: Mapping[str, object]) -> str:
    """What an answer says beside its code; of a refused permission, its names alone."""
    words = data.get("msg")
    text = words if isinstance(words, str) else ""
    if scopes := _SCOPES.search(text):
        return f"needed: {scopes.group(1)}"
    return text[:300]


def _object(raw: bytes) -> Data:
    try:
        return msgspec.json.decode(raw, type=Data)
    except msgspec.DecodeError:
        return {}
    except RecursionError:
        return {}
