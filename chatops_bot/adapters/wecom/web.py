"""One door to WeCom's server API: an access token that renews itself, every failure as an exception of the port.

Nothing is repeated here but a call whose token had expired, which was not carried out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import aiohttp
import msgspec

from chatops_bot.adapters.wecom.errors import TOKEN, translate
from chatops_bot.ports.chat import ChatUnavailable
from chatops_bot.ports.clock import Clock

Data = dict[str, object]
EARLY_S = 300
"""A token is renewed that long before WeCom lets it expire."""

_decode = msgspec.json.Decoder().decode


class Web:
    """Calls of one application. `timeout_s` limits one call.

    A method that WeCom limits stays closed until its time has passed: calls until then fail at once.
    """

    def __init__(self, *, corp_id: str, secret: str, clock: Clock, api_url: str, timeout_s: float = 10) -> None:
        self._corp_id = corp_id
        self._secret = secret
        self._clock = clock
        self._api_url = api_url if api_url.endswith("/") else api_url + "/"
        self._timeout = aiohttp.ClientTimeout(total=timeout_s)
        self._session: aiohttp.ClientSession | None = None
        self._token = ""
        self._good_until = 0.0
        self._fetching = asyncio.Lock()
        self._closed_until: dict[str, float] = {}

    @property
    def session(self) -> aiohttp.ClientSession:
        """One connection pool; made within the running loop."""
        if self._session is None or self._session.closed:
            self._session = aiohttp.ClientSession(timeout=self._timeout)
        return self._session

    async def close(self) -> None:
        """Give the connections back; a later call opens new ones."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def get(self, method: str, params: Mapping[str, str] | None = None) -> Data:
        """A reading call. Raises as `post`."""
        return await self._called(method, params=dict(params or {}), body=None)

    async def post(self, method: str, body: Data) -> Data:
        """A writing call. Raises `ChatUnavailable`, `CardGone`, `ChatRefused`."""
        return await self._called(method, params={}, body=body)

    async def answer(self, url: str, body: Data) -> None:
        """Answer at an address that WeCom gave with a delivery. Raises as `post`."""
        await self._checked("response_url", await self._sent("response_url", "POST", url, {}, body))

    async def _called(self, method: str, *, params: dict[str, str], body: Data | None) -> Data:
        wait = self._closed_until.get(method, 0) - self._clock.monotonic()
        if wait > 0:
            raise ChatUnavailable(f"WeCom limits {method}", retry_after_s=wait, paced=True)
        verb = "GET" if body is None else "POST"
        token = await self._access_token()
        data = await self._sent(method, verb, self._api_url + method, {**params, "access_token": token}, body)
        if code_of(data) in TOKEN:
            token = await self._access_token(instead_of=token)
            data = await self._sent(method, verb, self._api_url + method, {**params, "access_token": token}, body)
        return await self._checked(method, data)

    async def _checked(self, method: str, data: Data) -> Data:
        code = code_of(data)
        if code == 0:
            return data
        failure = translate(method, code, str(data.get("errmsg") or ""))
        if isinstance(failure, ChatUnavailable) and failure.retry_after_s:
            self._closed_until[method] = self._clock.monotonic() + failure.retry_after_s
        raise failure

    async def _access_token(self, *, instead_of: str = "") -> str:
        """The token; a new one if it is about to expire, or was found to be no good."""
        async with self._fetching:
            if self._token and self._token != instead_of and self._clock.monotonic() < self._good_until:
                return self._token
            params = {"corpid": self._corp_id, "corpsecret": self._secret}
            data = await self._sent("gettoken", "GET", self._api_url + "gettoken", params, None)
            await self._checked("gettoken", data)
            lasts = data.get("expires_in")
            self._token = str(data.get("access_token") or "")
            self._good_until = self._clock.monotonic() + max(60, (lasts if isinstance(lasts, int) else 7200) - EARLY_S)
            return self._token

    async def _sent(self, method: str, verb: str, url: str, params: dict[str, str], body: Data | None) -> Data:
        """One request. Neither the address nor the library's words go into an error: both hold secrets."""
        try:
            async with self.session.request(verb, url, params=params, json=body) as answer:
                raw = await answer.read()
                status = answer.status
        except aiohttp.ClientConnectorError as error:
            raise ChatUnavailable(f"{method}: WeCom cannot be reached ({type(error.os_error).__name__})") from None
        except (TimeoutError, aiohttp.ClientError, OSError, ValueError) as error:
            raise ChatUnavailable(f"{method}: {type(error).__name__}", maybe_posted=True) from None
        if status != 200:
            raise ChatUnavailable(f"{method}: an answer of status {status}", maybe_posted=status >= 500)
        try:
            data = _decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError):
            data = None
        if not isinstance(data, dict):
            raise ChatUnavailable(f"{method}: an answer that is not of WeCom", maybe_posted=True)
        return data


def code_of(data: Mapping[str, object]) -> int:
    """The `errcode` of an answer; 0 where there is none."""
    code = data.get("errcode", 0)
    return code if isinstance(code, int) else -1
