"""Addresses of pods."""

from __future__ import annotations

import asyncio
import ipaddress

_SAID = "10.244.0.0/16"


class Addresses:
    """`net` is the first two or three octets, as `127.64.7`, for pods that are run: theirs can be used.

    A pod that is only said to run has one of a usual pod network: a Service may lead to it, while the API server refuses
    EndpointSlices that name the loopback. Addresses that are free again come last.
    """

    def __init__(self, net: str) -> None:
        octets = net.split(".")
        whole = ".".join([*octets, *["0"] * (4 - len(octets))])
        network = ipaddress.ip_network(f"{whole}/{8 * len(octets)}")
        if not network.is_loopback or not 2 <= len(octets) <= 3:
            raise ValueError(f"{net!r} is not the beginning of an address on the loopback, as 127.64.7")
        self._usable = _filled(network)
        self._said = _filled(ipaddress.ip_network(_SAID))

    async def take(self, *, usable: bool) -> str:
        """Waits while every address is in use."""
        return await (self._usable if usable else self._said).get()

    def give_back(self, address: str) -> None:
        (self._usable if address.startswith("127.") else self._said).put_nowait(address)


def _filled(network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> asyncio.Queue[str]:
    free: asyncio.Queue[str] = asyncio.Queue()
    for host in network.hosts():
        free.put_nowait(str(host))
    return free
