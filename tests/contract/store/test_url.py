"""Where Redis is, from one URL; what is wrong with a URL, without its password."""

from __future__ import annotations

import ssl

import pytest

from chatops_bot.adapters.redis.shards import SHARDS, SLOT, shard_of
from chatops_bot.adapters.redis.url import Address, Login, parse


@pytest.mark.parametrize(
    ("url", "kind", "nodes", "service", "db"),
    [
        ("redis://", "single", (Address("localhost", 6379),), "", 0),
        ("redis://db:7000/2", "single", (Address("db", 7000),), "", 2),
        ("redis://[::1]:7000", "single", (Address("::1", 7000),), "", 0),
        ("redis://db?db=4", "single", (Address("db", 6379),), "", 4),
        ("unix:///run/r.sock?db=1", "single", (Address("", path="/run/r.sock"),), "", 1),
        ("unix:///a%20b/r.sock", "single", (Address("", path="/a b/r.sock"),), "", 0),
        ("sentinel://a,b:1/main", "sentinel", (Address("a", 26379), Address("b", 1)), "main", 0),
        ("sentinel://a/main/3", "sentinel", (Address("a", 26379),), "main", 3),
        ("cluster://a,b:7001", "cluster", (Address("a", 6379), Address("b", 7001)), "", 0),
    ],
)
def test_places(url: str, kind: str, nodes: tuple[Address, ...], service: str, db: int) -> None:
    target = parse(url)
    assert (target.kind, target.nodes, target.service, target.db) == (kind, nodes, service, db)
    assert target.tls is None


def test_logins() -> None:
    target = parse("sentinel://user:p%40ss@a/main?sentinel_username=s&sentinel_password=t")
    assert target.login == Login("user", "p@ss")
    assert target.sentinel_login == Login("s", "t")
    assert "p@ss" not in repr(target)
    assert "p@ss" not in str(target)


def test_tls() -> None:
    strict = parse("rediss://db").tls
    assert strict is not None
    assert (strict.verify_mode, strict.check_hostname) == (ssl.CERT_REQUIRED, True)
    loose = parse("cluster://a,b?ssl=true&ssl_cert_reqs=none").tls
    assert loose is not None
    assert loose.verify_mode == ssl.CERT_NONE
    unnamed = parse("rediss://db?ssl_check_hostname=false").tls
    assert unnamed is not None
    assert (unnamed.verify_mode, unnamed.check_hostname) == (ssl.CERT_REQUIRED, False)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://x", "begins with one of"),
        ("redis://:geheim@a,b", "names one server"),
        ("redis://:geheim@a:x", "not host:port"),
        ("redis://a/x", "not the number of a database"),
        ("unix://", "needs the path"),
        ("sentinel://a", "needs the master's name"),
        ("cluster://a/1", "no database but 0"),
        ("redis://:geheim@a?tls=1", "unknown options of the Redis URL: tls"),
    ],
)
def test_what_is_wrong(url: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as caught:
        parse(url)
    assert "geheim" not in str(caught.value)


def test_shards_are_fixed_for_ever() -> None:
    """Stored keys carry them: these numbers may never change."""
    assert SHARDS == 64
    assert [shard_of(name) for name in ("slack.T1:C1", "feishu.t:oc_1", "prod/pay/deployment/web")] == [52, 43, 35]
    assert SLOT[:4] == (13907, 9842, 5649, 1584)  # as CLUSTER KEYSLOT says
