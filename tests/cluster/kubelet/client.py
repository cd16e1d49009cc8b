"""Raw JSON to and from an API server, and a mirror of all objects of one kind."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import ssl
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import yaml

Json = dict[str, Any]

UNREACHABLE = (aiohttp.ClientError, OSError, TimeoutError)
"""What a request raises while the server is gone."""

_log = logging.getLogger("kubelet")


@dataclass(frozen=True)
class Access:
    """Where the API server is and how to be let in."""

    server: str
    headers: Mapping[str, str]
    tls: ssl.SSLContext

    @property
    def host(self) -> str:
        return urlsplit(self.server).hostname or ""

    @property
    def port(self) -> int:
        return urlsplit(self.server).port or 443


def read_kubeconfig(path: Path) -> Access:
    """The current context's, with a token or a client certificate."""
    content = yaml.safe_load(path.read_text())
    contexts, clusters, users = (
        {item["name"]: item[field] for item in content[field + "s"]} for field in ("context", "cluster", "user")
    )
    context = contexts[content["current-context"]]
    cluster, user = clusters[context["cluster"]], users[context["user"]]
    tls = ssl.create_default_context(cadata=_material(cluster, "certificate-authority").decode())
    if "client-certificate" in user or "client-certificate-data" in user:
        with tempfile.NamedTemporaryFile() as both:
            both.write(_material(user, "client-certificate") + b"\n" + _material(user, "client-key"))
            both.flush()
            tls.load_cert_chain(both.name)
    token = user.get("token")
    return Access(cluster["server"], {"Authorization": f"Bearer {token}"} if token else {}, tls)


def _material(holder: Json, field: str) -> bytes:
    data = holder.get(f"{field}-data")
    return base64.b64decode(data) if data else Path(holder[field]).read_bytes()


class Client:
    """Answers refusals as statuses; raises one of `UNREACHABLE` when there is no answer."""

    def __init__(self, access: Access) -> None:
        self.access = access
        self._session = aiohttp.ClientSession(
            access.server,
            headers={"User-Agent": "kubelet/v1.36.3", **access.headers},
            connector=aiohttp.TCPConnector(ssl=access.tls, limit=0),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=5, sock_read=30),
        )

    async def close(self) -> None:
        await self._session.close()

    async def send(
        self, method: str, path: str, body: Json | None = None, *, kind: str = "application/json"
    ) -> tuple[int, Json]:
        data = None if body is None else json.dumps(body).encode()
        async with self._session.request(method, path, data=data, headers={"Content-Type": kind}) as response:
            raw = await response.read()
            try:
                return response.status, json.loads(raw)
            except ValueError:
                return response.status, {"message": raw.decode("utf-8", "replace")}

    async def persist(self, method: str, path: str, body: Json, *, kind: str = "application/json") -> tuple[int, Json]:
        """`send`, again and again until the server answers and is not overloaded."""
        while True:
            try:
                status, answer = await self.send(method, path, body, kind=kind)
            except UNREACHABLE as problem:
                _log.info("%s %s: %s", method, path, problem)
            else:
                if status < 500 and status != 429:
                    return status, answer
            await asyncio.sleep(0.3)

    async def events(self, path: str, version: str) -> AsyncIterator[Json]:
        """Of a watch; ends when the server ends it."""
        query = f"{path}?watch=true&allowWatchBookmarks=true&timeoutSeconds=240&resourceVersion={version}"
        async with self._session.get(query, timeout=aiohttp.ClientTimeout(total=None, sock_read=300)) as response:
            if response.status != 200:
                yield {"type": "ERROR", "object": {"code": response.status, "message": await response.text()}}
                return
            rest = b""
            async for chunk in response.content.iter_any():
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    yield json.loads(line)


def key_of(obj: Json) -> str:
    """`namespace/name`, or the name alone."""
    metadata = obj["metadata"]
    namespace = metadata.get("namespace")
    return f"{namespace}/{metadata['name']}" if namespace else str(metadata["name"])


class Mirror:
    """Every object of one kind, kept as it is on the server; outlives the server being away.

    `changed` is told of every new state of an object, `removed` of its last one, in their order.
    """

    def __init__(
        self,
        client: Client,
        path: str,
        *,
        changed: Callable[[Json], None] = lambda _obj: None,
        removed: Callable[[Json], None] = lambda _obj: None,
    ) -> None:
        self.objects: dict[str, Json] = {}
        self.synced = asyncio.Event()
        self._client = client
        self._path = path
        self._changed = changed
        self._removed = removed
        self._version = ""

    async def run(self) -> None:
        while True:
            try:
                if not self._version:
                    await self._list()
                await self._watch()
            except UNREACHABLE as problem:
                _log.info("watch of %s: %s", self._path, problem)
                await asyncio.sleep(0.2)

    async def _list(self) -> None:
        status, found = await self._client.send("GET", self._path)
        if status != 200:
            _log.warning("list of %s: %s %s", self._path, status, found.get("message"))
            await asyncio.sleep(0.5)
            return
        fresh = {key_of(obj): obj for obj in found["items"]}
        for key in [key for key in self.objects if key not in fresh]:
            self._drop(key)
        for key, obj in fresh.items():
            if self.objects.get(key, {}).get("metadata") != obj["metadata"]:
                self._put(key, obj)
        self._version = found["metadata"]["resourceVersion"]
        self.synced.set()

    async def _watch(self) -> None:
        if not self._version:
            return
        async for event in self._client.events(self._path, self._version):
            obj = event["object"]
            if event["type"] == "ERROR":
                _log.info("watch of %s begins anew: %s", self._path, obj.get("message"))
                self._version = ""
                return
            self._version = obj["metadata"]["resourceVersion"]
            if event["type"] == "DELETED":
                if key_of(obj) in self.objects:
                    self.objects[key_of(obj)] = obj
                    self._drop(key_of(obj))
            elif event["type"] != "BOOKMARK":
                self._put(key_of(obj), obj)

    def _put(self, key: str, obj: Json) -> None:
        old = self.objects.get(key)
        if old and old["metadata"]["uid"] != obj["metadata"]["uid"]:
            self._drop(key)
        self.objects[key] = obj
        self._changed(obj)

    def _drop(self, key: str) -> None:
        self._removed(self.objects.pop(key))
