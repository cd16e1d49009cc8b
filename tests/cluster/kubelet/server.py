"""The kubelet's own HTTPS server: the API server fetches logs from it."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path

from aiohttp import web

from tests.cluster.kubelet.clock import now
from tests.cluster.kubelet.logs import Refused, cut, wanted
from tests.cluster.kubelet.pod import PodWorker

Find = Callable[[str, str], PodWorker | None]
"""By namespace and name."""


def application(find: Find) -> web.Application:
    async def healthz(_request: web.Request) -> web.Response:
        return web.Response(text="ok")

    async def container_logs(request: web.Request) -> web.Response:
        namespace, name, container = (request.match_info[part] for part in ("namespace", "pod", "container"))
        worker = find(namespace, name)
        if worker is None:
            return web.Response(status=404, text=f'pod "{name}" does not exist')
        if not worker.node.reachable.is_set():
            # A lost node does not answer at all.
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=503)
        try:
            part = wanted(request.query, now())
            lines = worker.log(container, previous=part.previous)
        except (Refused, ValueError) as problem:
            return web.Response(status=400, text=f"{problem}")
        except KeyError:
            return web.Response(status=404, text=f'container "{container}" not found in pod "{name}"')
        return web.Response(body=cut(lines, part), content_type="text/plain", charset="utf-8")

    made = web.Application()
    made.router.add_get("/healthz", healthz)
    made.router.add_get("/containerLogs/{namespace}/{pod}/{container}", container_logs)
    return made


async def serve(find: Find, *, cert: Path, key: Path) -> tuple[web.AppRunner, int]:
    """On a free port of 127.0.0.1, which is returned with what `cleanup()` ends."""
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(cert, key)
    runner = web.AppRunner(application(find), access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
    await site.start()
    port = runner.addresses[0][1]
    return runner, int(port)
