"""One model, asked by OpenAI's own client, which neither repeats a call nor follows a redirection here."""

from __future__ import annotations

import ssl
from typing import Any, Final

import httpx2
import openai
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from chatops_bot.adapters.openai.access import Access
from chatops_bot.adapters.openai.answers import MOST_BYTES, read
from chatops_bot.adapters.openai.asking import Asking
from chatops_bot.adapters.openai.errors import shorten_errors, trouble_of
from chatops_bot.adapters.openai.prompting import text_of, version_of
from chatops_bot.domain.proposals.inquiry import Inquiry, rendered
from chatops_bot.ports.model import ModelError, Reply

_NO_KEY: Final = "none"
"""What a server gets that asks for no key: the client insists on one."""

_STEPS: Final = 5
"""Requests at most until the server takes one; what it did not take is remembered."""


class OpenAIModel:
    """`ports.model.Model` of one server."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._asking = Asking(access)
        self._client: AsyncOpenAI | None = None

    @property
    def name(self) -> str:
        return self._access.model

    @property
    def form(self) -> str:
        return self._asking.form

    def version(self, prompt: str) -> str:
        return version_of(prompt)

    async def ask(self, inquiry: Inquiry, *, timeout_s: float) -> Reply:
        messages = [
            {"role": "system", "content": text_of(inquiry.prompt)},
            {"role": "user", "content": rendered(inquiry.parts)},
        ]
        for _ in range(_STEPS):
            body = self._asking.body(messages, inquiry)
            try:
                return await self._once(body, timeout_s=timeout_s)
            except openai.BadRequestError as error:
                if not self._asking.give_up(error.body if error.body is not None else error.message, body):
                    raise trouble_of(error, self._access) from None
            except (openai.APIError, httpx2.HTTPError) as error:
                raise trouble_of(error, self._access) from None
            except (ValueError, httpx2.InvalidURL) as error:
                # Of a key, an address or options that cannot be written down; its words may hold them.
                raise ModelError("rejected", f"no request can be made ({type(error).__name__})") from None
        raise ModelError("rejected", "the server takes none of the forms of a request")

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _open(self) -> AsyncOpenAI:
        """The client, made when it is first needed. Raises `ModelError` for certificates that cannot be read."""
        if self._client is None:
            ca = self._access.ca
            try:
                verify: Any = ssl.create_default_context(cafile=ca) if ca is not None else True
            except OSError as error:
                raise ModelError("unreachable", f"ca_file cannot be used ({type(error).__name__})") from None
            self._client = AsyncOpenAI(
                api_key=self._access.key or _NO_KEY,
                base_url=self._access.url,
                max_retries=0,
                http_client=DefaultAsyncHttpxClient(
                    follow_redirects=False, verify=verify, event_hooks={"response": [shorten_errors]}
                ),
            )
            # The client takes these from variables of its own; what is not configured is not sent.
            self._client.organization = self._client.project = None
        return self._client

    async def _once(self, body: dict[str, Any], *, timeout_s: float) -> Reply:
        create: Any = self._open().chat.completions.with_streaming_response.create
        async with create(**body, timeout=timeout_s) as answer:
            raw = bytearray()
            async for chunk in answer.iter_bytes():
                raw += chunk
                if len(raw) > MOST_BYTES:
                    raise ModelError("garbled", f"the answer has more than {MOST_BYTES // 1024} KiB")
        return read(bytes(raw))
