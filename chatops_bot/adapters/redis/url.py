"""Where Redis is, from one URL.

    redis://user:password@host:6379/0       one server; rediss:// with TLS
    unix:///run/redis.sock?db=0             one server on a socket
    sentinel://host:26379,host:26379/name   the master called `name`, as Sentinel knows it
    cluster://host:6379,host:6379           a Redis Cluster, known from any of its nodes

Options after `?`: `ssl=true` (sentinel, cluster), `ssl_ca_certs`, `ssl_certfile`, `ssl_keyfile`, `ssl_cert_reqs=none`,
`ssl_check_hostname=false`; `sentinel_username`, `sentinel_password`.
"""

from __future__ import annotations

import ssl
from typing import Literal
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

import msgspec

Kind = Literal["single", "sentinel", "cluster"]

KINDS: dict[str, Kind] = {
    "redis": "single",
    "rediss": "single",
    "unix": "single",
    "sentinel": "sentinel",
    "cluster": "cluster",
}
OPTIONS = frozenset(
    {
        "db",
        "ssl",
        "ssl_ca_certs",
        "ssl_certfile",
        "ssl_keyfile",
        "ssl_cert_reqs",
        "ssl_check_hostname",
        "sentinel_username",
        "sentinel_password",
    }
)


class Address(msgspec.Struct, frozen=True):
    """A server: host and port, or the path of its socket."""

    host: str
    port: int = 0
    path: str = ""

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


class Login(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a server wants to know before it answers."""

    username: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return "Login(…)"


class Target(msgspec.Struct, frozen=True):
    """A URL taken apart. `service` is the master's name at the sentinels."""

    kind: Kind
    nodes: tuple[Address, ...]
    login: Login
    sentinel_login: Login
    service: str = ""
    db: int = 0
    tls: ssl.SSLContext | None = None

    def __str__(self) -> str:
        return f"{self.kind} {','.join(str(node) for node in self.nodes)}"


def parse(url: str) -> Target:
    """Take a URL apart. Raises `ValueError` with what is wrong, never with the password."""
    parts = urlsplit(url)
    kind = KINDS.get(parts.scheme)
    if kind is None:
        raise ValueError(f"a Redis URL begins with one of {', '.join(f'{name}://' for name in KINDS)}")
    options = dict(parse_qsl(parts.query))
    if unknown := sorted(options.keys() - OPTIONS):
        raise ValueError(f"unknown options of the Redis URL: {', '.join(unknown)}")
    credentials, _, places = parts.netloc.rpartition("@")
    username, _, password = credentials.partition(":")
    path = unquote(parts.path)
    service, db = _path(kind, path, socket=parts.scheme == "unix", db=options.get("db", "0"))
    nodes = (Address("", path=path),) if parts.scheme == "unix" else _nodes(places, kind)
    return Target(
        kind=kind,
        nodes=nodes,
        login=Login(unquote(username), unquote(password)),
        sentinel_login=Login(options.get("sentinel_username", ""), options.get("sentinel_password", "")),
        service=service,
        db=db,
        tls=_tls(options) if parts.scheme == "rediss" or _true(options.get("ssl", "")) else None,
    )


def with_password(url: str, password: str) -> str:
    """The same place with a password. Raises `ValueError` where the URL has one already."""
    parts = urlsplit(url)
    credentials, _, places = parts.netloc.rpartition("@")
    username, _, given = credentials.partition(":")
    if given:
        raise ValueError("it has a password in it, and another is given beside it; keep one")
    return urlunsplit(parts._replace(netloc=f"{username}:{quote(password, safe='')}@{places}"))


def _path(kind: Kind, path: str, *, socket: bool, db: str) -> tuple[str, int]:
    if socket:
        if not path:
            raise ValueError("unix:// needs the path of a socket")
        return "", _number(db)
    first, _, rest = path.strip("/").partition("/")
    if kind == "sentinel":
        if not first:
            raise ValueError("sentinel:// needs the master's name as its path")
        return first, _number(rest or db)
    number = _number(first or db)
    if kind == "cluster" and number:
        raise ValueError("a Redis Cluster has no database but 0")
    return "", number


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"{text!r} is not the number of a database")
    return int(text)


def _nodes(places: str, kind: Kind) -> tuple[Address, ...]:
    default = 26379 if kind == "sentinel" else 6379
    nodes = []
    for place in places.split(",") if places else ["localhost"]:
        try:
            part = urlsplit(f"//{place}")
            nodes.append(Address(part.hostname or "localhost", part.port or default))
        except ValueError:
            raise ValueError(f"{place!r} is not host:port") from None
    if kind == "single" and len(nodes) > 1:
        raise ValueError("redis:// names one server; several belong to sentinel:// or cluster://")
    return tuple(nodes)


def _true(text: str) -> bool:
    return text.lower() in ("1", "true", "yes")


def _tls(options: dict[str, str]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=options.get("ssl_ca_certs"))
    if options.get("ssl_certfile"):
        context.load_cert_chain(options["ssl_certfile"], options.get("ssl_keyfile"))
    if options.get("ssl_check_hostname", "").lower() in ("0", "false", "no"):
        context.check_hostname = False
    if options.get("ssl_cert_reqs") == "none":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
