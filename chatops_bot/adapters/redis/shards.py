"""Which of the 64 shards a room or a workload belongs to: fixed for ever, since stored keys carry it."""

from __future__ import annotations

import binascii
from functools import lru_cache
from typing import Final

SHARDS: Final = 64
SLOTS: Final = 16384


@lru_cache(maxsize=65536)
def shard_of(name: str) -> int:
    """Shard of a room (`Room.key`) or a target (`Entity.key`): CRC16 modulo 64."""
    return binascii.crc_hqx(name.encode(), 0) % SHARDS


def tag(shard: int) -> str:
    """What all keys of a shard begin with: the hash tag of Redis Cluster."""
    return f"{{{shard}}}:"


DUE: Final = tuple(f"{tag(shard)}due" for shard in range(SHARDS))

SLOT: Final = tuple(binascii.crc_hqx(str(shard).encode(), 0) % SLOTS for shard in range(SHARDS))
"""Redis Cluster's slot of each shard."""
