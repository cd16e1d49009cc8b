"""A network of its own for a container that listens where others do too, as every Redis does.

All other containers share this machine's loopback and have to listen on the pod's address. One with its own network has
nothing but its loopback: it is reached at the pod's address, on the ports that it declares, and reaches nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.cluster.kubelet.process import Running

LOOPBACK_UP = """
ip link set lo up 2>/dev/null || {python} -c '
import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))
'
"""
"""Shell; inside the new namespace."""

_CLONE_NEWNET = 0x40000000
_POLL_S = 0.05


async def forward(process: Running, address: str, ports: Sequence[int]) -> None:
    """Until cancelled, pass connections on. A port is open from when the process listens on it."""
    pid = process.pid
    if not pid:
        return
    # Sockets belong to the namespace of the thread that makes them.
    with ThreadPoolExecutor(1, initializer=_enter, initargs=(pid,)) as inside:
        await asyncio.gather(*(_forward(inside, address, port) for port in ports))


def _enter(pid: int) -> None:
    file = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    try:
        if ctypes.CDLL(None, use_errno=True).setns(file, _CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"setns: {os.strerror(ctypes.get_errno())}")
    finally:
        os.close(file)


async def _forward(inside: ThreadPoolExecutor, address: str, port: int) -> None:
    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            to_reader, to_writer = await _connect(inside, port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(_pump(reader, to_writer), _pump(to_reader, writer))

    while True:
        try:
            _, writer = await _connect(inside, port)
        except OSError:
            await asyncio.sleep(_POLL_S)
        else:
            writer.close()
            break
    async with await asyncio.start_server(accept, address, port) as server:
        await server.serve_forever()


async def _connect(inside: ThreadPoolExecutor, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    loop = asyncio.get_running_loop()
    made = await loop.run_in_executor(inside, socket.socket)
    made.setblocking(False)
    try:
        await loop.sock_connect(made, ("127.0.0.1", port))
    except OSError:
        made.close()
        raise
    return await asyncio.open_connection(sock=made)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while chunk := await reader.read(1 << 16):
            writer.write(chunk)
            await writer.drain()
    writer.close()
