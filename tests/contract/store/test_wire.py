"""The protocol without its C part, and one connection that many share."""

from __future__ import annotations

import asyncio
from typing import cast

import hiredis
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.redis.resp import PlainReader, ProtocolError, Reply, ReplyError, fastest, pack_plain, plain
from chatops_bot.adapters.redis.wire import Wire, WireLostError

ARGUMENTS = st.lists(st.binary() | st.text() | st.integers(-(2**63), 2**63 - 1), min_size=1)
REPLIES = st.recursive(
    st.none() | st.binary() | st.integers(-(2**63), 2**63 - 1), lambda inner: st.lists(inner, max_size=5), max_leaves=20
)


def encoded(reply: object) -> bytes:
    if reply is None:
        return b"$-1\r\n"
    if isinstance(reply, bytes):
        return b"$%d\r\n%b\r\n" % (len(reply), reply)
    if isinstance(reply, int):
        return b":%d\r\n" % reply
    items = cast("list[object]", reply)
    return b"*%d\r\n" % len(items) + b"".join(encoded(item) for item in items)


@given(ARGUMENTS)
def test_commands_are_packed_alike(arguments: list[bytes | str | int]) -> None:
    assert pack_plain(arguments) == hiredis.pack_command(tuple(arguments))  # type: ignore[arg-type]


@settings(deadline=None)
@given(st.lists(REPLIES, max_size=4), st.integers(1, 50))
def test_replies_are_read_however_they_are_cut(replies: list[object], step: int) -> None:
    data = b"".join(encoded(reply) for reply in replies)
    reader = PlainReader()
    found = []
    for at in range(0, len(data), step):
        reader.feed(data[at : at + step])
        while (reply := reader.gets()) is not False:
            found.append(reply)
    assert found == replies


def test_errors_and_states_are_replies() -> None:
    reader = PlainReader()
    reader.feed(b"+OK\r\n-NOSCRIPT No matching script\r\n*-1\r\n*2\r\n-ERR x\r\n:1\r\n")
    assert reader.gets() == b"OK"
    error = reader.gets()
    assert isinstance(error, ReplyError)
    assert (error.code, str(error)) == ("NOSCRIPT", "NOSCRIPT No matching script")
    assert reader.gets() is None
    inner = cast("list[Reply]", reader.gets())
    assert isinstance(inner[0], ReplyError)
    assert reader.gets() is False


def test_what_is_no_reply_is_refused() -> None:
    reader = PlainReader()
    reader.feed(b"HTTP/1.1 400 Bad Request\r\n")
    with pytest.raises(ProtocolError):
        reader.gets()


async def opened(server: EmbeddedServer, *, codec: str = "plain") -> Wire:
    loop = asyncio.get_running_loop()
    made = plain if codec == "plain" else fastest
    _, wire = await loop.create_unix_connection(
        lambda: Wire(timeout_s=5, codec=made), server.url.removeprefix("unix://")
    )
    return wire


@pytest.mark.parametrize("codec", ["plain", "fastest"])
async def test_answers_come_back_to_who_asked(server: EmbeddedServer, codec: str) -> None:
    wire = await opened(server, codec=codec)
    answers = await asyncio.gather(*(wire.call(("ECHO", "汉" * n)) for n in range(1000)))
    assert answers == [("汉" * n).encode() for n in range(1000)]
    nested = await wire.call(("EVAL", "return {1, {'a', false, {}}, redis.error_reply('ERR no')}", 0))
    assert isinstance(nested, list)
    assert nested[:2] == [1, [b"a", None, []]]
    assert isinstance(nested[2], ReplyError)
    assert isinstance(await wire.call(("NO-SUCH-COMMAND",)), ReplyError)
    wire.close()


async def test_a_lost_connection_fails_every_call_under_way(own: EmbeddedServer) -> None:
    wire = await opened(own)
    await wire.call(("PING",))
    calls = [wire.call(("BLPOP", "nothing", "0")), wire.call(("PING",))]
    await asyncio.sleep(0)
    own.kill()
    for call in calls:
        with pytest.raises(WireLostError):
            await call
    assert wire.closed
    with pytest.raises(WireLostError):
        await wire.call(("PING",))


async def test_copies_are_not_demanded_of_errors(server: EmbeddedServer) -> None:
    wire = await opened(server)
    wire.demand_copies(1)
    assert isinstance(await wire.call(("NO-SUCH-COMMAND",)), ReplyError)
    wire.close()
