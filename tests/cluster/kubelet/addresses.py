"""Addresses of pods on the loopback."""

from __future__ import annotations

import asyncio
import ipaddress


class Addresses:
    """`net` is the first two or three octets, as `127.64.7`. Addresses that are free again come last."""

    def __init__(self, net: str) -> None:
        octets = net.split(".")
        whole = ".".join([*octets, *["0"] * (4 - len(octets))])
        network = ipaddress.ip_network(f"{whole}/{8 * len(octets)}")
        if not network.is_loopback or not 2 <= len(octets) <= 3:
            raise ValueError(f"{net!r} is not the beginning of an address on the loopback, as 127.64.7")
        self._free: asyncio.Queue[str] = asyncio.Queue()
        for host in network.hosts():
            self._free.put_nowait(str(host))

    async def take(self) -> str:
        """Waits while every address is in use."""
        return await self._free.get()

    def give_back(self, address: str) -> None:
        self._free.put_nowait(address)
