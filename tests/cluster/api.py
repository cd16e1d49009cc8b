"""Raw requests to an API server, for tests: no models, no retries, refusals as answers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import urllib3
from urllib3.exceptions import HTTPError

PATCHES = {
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "json": "application/json-patch+json",
    "apply": "application/apply-patch+yaml",
}


class Answer:
    """A status code and what came with it."""

    def __init__(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
        self.status = status
        self.text = data.decode("utf-8", "replace")
        self.headers = headers

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Api:
    """`path` is the whole path with its query. Without a token requests are anonymous."""

    def __init__(self, url: str, token: str, ca_file: Path) -> None:
        self._url = url
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._pool = urllib3.PoolManager(ca_certs=str(ca_file), retries=False, timeout=20)

    def send(
        self, method: str, path: str, body: Any = None, *, kind: str = "application/json", headers: Any = None
    ) -> Answer:
        """One request as it is; `headers` a mapping or an HTTPHeaderDict."""
        every = urllib3.HTTPHeaderDict({**self._headers, "Content-Type": kind})
        every.extend(headers or {})
        data = None if body is None else json.dumps(body).encode()
        response = self._pool.request(method, self._url + path, body=data, headers=every)
        return Answer(response.status, response.data, response.headers)

    def stream(self, path: str, *, timeout: float) -> urllib3.BaseHTTPResponse:
        """A GET whose answer is still to be read, and to be closed."""
        return self._pool.request(
            "GET", self._url + path, headers=self._headers, preload_content=False, timeout=timeout
        )

    def get(self, path: str) -> Answer:
        return self.send("GET", path)

    def delete(self, path: str, body: Any = None) -> Answer:
        return self.send("DELETE", path, body)

    def post(self, path: str, body: Any) -> Answer:
        return self.send("POST", path, body)

    def patch(self, path: str, body: Any, *, kind: str = "merge") -> Answer:
        return self.send("PATCH", path, body, kind=PATCHES[kind])

    def make(self, path: str, body: Any) -> dict[str, Any]:
        """Create, or fail the test with what the server said."""
        answer = self.post(path, body)
        if answer.status >= 300:
            raise AssertionError(f"POST {path}: {answer.status} {answer.text}")
        made: dict[str, Any] = answer.json
        return made

    def ready(self) -> bool:
        try:
            return self.get("/readyz").status == 200
        except (HTTPError, OSError):
            return False

    def until(self, path: str, holds: Callable[[Any], bool], *, limit_s: float = 60) -> Any:
        """Read until something holds of the answer; the limit only ends a test that has failed."""
        ends = time.monotonic() + limit_s
        while True:
            answer = self.get(path)
            found = answer.json
            if answer.status == 200 and holds(found):
                return found
            if time.monotonic() > ends:
                raise AssertionError(f"did not come to hold of {path}: {answer.status} {answer.text[:2_000]}")
            time.sleep(0.03)
