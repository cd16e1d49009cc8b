"""What is outside of the bot and never breaks: the chat platform and the cluster, as counters on a second server."""

from __future__ import annotations

import hashlib
from typing import Final, cast

import msgspec

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.resp import Argument, Reply
from chatops_bot.adapters.redis.scripts import Script


def _script(name: str, text: str) -> Script:
    raw = text.encode()
    return Script(name, raw, hashlib.sha1(raw, usedforsecurity=False).hexdigest())


# ARGV: card, message it has, view, button's token, thread. A post makes a message; every view drawn is noted.
DRAW: Final = _script(
    "draw",
    """
local message = ARGV[2]
if message == '' then
  message = 'm' .. redis.call('INCR', 'messages')
  redis.call('HINCRBY', 'posts', ARGV[1], 1)
end
redis.call('RPUSH', 'draws', cjson.encode({ARGV[1], message, ARGV[3]}))
if ARGV[4] ~= '' then redis.call('RPUSH', 'buttons', ARGV[4] .. ' ' .. ARGV[5]) end
return message
""",
)

# ARGV: token, target, generation that was read. The API server refuses a write on another generation.
WRITE: Final = _script(
    "write",
    """
local generation = tonumber(redis.call('HGET', 'generation', ARGV[2]) or '0')
if generation ~= tonumber(ARGV[3]) then
  redis.call('INCR', 'refused')
  return 'refused'
end
redis.call('HINCRBY', 'generation', ARGV[2], 1)
redis.call('HSET', 'written by', ARGV[2], ARGV[1])
redis.call('HINCRBY', 'executions', ARGV[1], 1)
return 'done'
""",
)

# ARGV: token, target, generation of the plan. The object is touched, so that a late write fails, then read.
SETTLE: Final = _script(
    "settle",
    """
if redis.call('HGET', 'written by', ARGV[2]) == ARGV[1] then return 'done' end
local generation = tonumber(redis.call('HGET', 'generation', ARGV[2]) or '0')
redis.call('HINCRBY', 'generation', ARGV[2], 1)
if generation == tonumber(ARGV[3]) then return 'interrupted' end
return 'unknown'
""",
)


class Outside:
    """The platform and the cluster."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def draw(self, card: str, message: str, view: bytes, *, token: str, thread: str) -> str:
        return await self._text(DRAW, card, message, view, token, thread)

    async def write(self, token: str, target: str, generation: int) -> str:
        return await self._text(WRITE, token, target, generation)

    async def settle(self, token: str, target: str, generation: int) -> str:
        return await self._text(SETTLE, token, target, generation)

    async def generation(self, target: str) -> int:
        return int(cast(bytes, await self._client.command("HGET", "generation", target)) or 0)

    async def written_by(self, target: str) -> str:
        return cast(bytes, await self._client.command("HGET", "written by", target) or b"").decode()

    async def buttons(self) -> list[tuple[str, str]]:
        """Token and thread of every button ever shown."""
        shown = cast("list[bytes]", await self._client.command("LRANGE", "buttons", 0, -1))
        return [cast("tuple[str, str]", tuple(raw.decode().split(" "))) for raw in shown]

    async def draws(self) -> list[tuple[str, str, bytes]]:
        """Card, message and view, in the order in which they were drawn."""
        drawn = cast("list[bytes]", await self._client.command("LRANGE", "draws", 0, -1))
        rows = (msgspec.json.decode(raw, type=tuple[str, str, str]) for raw in drawn)
        return [(card, message, view.encode()) for card, message, view in rows]

    async def counts(self, name: str) -> dict[str, int]:
        flat = cast("list[bytes]", await self._client.command("HGETALL", name))
        return {key.decode(): int(value) for key, value in zip(flat[::2], flat[1::2], strict=True)}

    async def _text(self, script: Script, *arguments: Argument) -> str:
        reply: Reply = await self._client.script(script, 0, arguments)
        return cast(bytes, reply).decode()
