"""Probes of one container, called as a kubelet calls them."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass

import aiohttp

from tests.cluster.kubelet.client import Json
from tests.cluster.kubelet.events import Note
from tests.cluster.kubelet.process import Running
from tests.cluster.kubelet.status import ContainerState

_EAGER_S = 0.15

_ANY_CERTIFICATE = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
_ANY_CERTIFICATE.check_hostname = False
_ANY_CERTIFICATE.verify_mode = ssl.CERT_NONE


@dataclass(frozen=True)
class Probed:
    """Whom probes are about, and who is told. `failed` is called when the container has to be restarted."""

    spec: Json
    state: ContainerState
    process: Running
    address: str
    changed: Callable[[], None]
    tell: Callable[[Note], None]
    failed: Callable[[str], None]


async def run_probes(probed: Probed) -> None:
    """Until cancelled. Nothing else is asked before the startup probe has succeeded."""
    spec, state = probed.spec, probed.state
    if "startupProbe" in spec:
        await _repeat(probed, "Startup", spec["startupProbe"], up=lambda: None)
        state.started = True
        state.ready = "readinessProbe" not in spec
        probed.changed()
    async with asyncio.TaskGroup() as group:
        if "livenessProbe" in spec:
            group.create_task(_repeat(probed, "Liveness", spec["livenessProbe"]))
        if "readinessProbe" in spec:
            group.create_task(_repeat(probed, "Readiness", spec["readinessProbe"]))


async def _repeat(probed: Probed, kind: str, probe: Json, *, up: Callable[[], None] | None = None) -> None:
    """With `up`, only until it is up."""
    await asyncio.sleep(probe.get("initialDelaySeconds", 0))
    good = bad = 0
    while True:
        problem = await (_first(probed, probe, kind) if not good and not bad else _try(probed, probe))
        good, bad = (0, bad + 1) if problem else (good + 1, 0)
        if problem and bad in {1, probe.get("failureThreshold", 3)}:
            probed.tell(Note("Unhealthy", f"{kind} probe failed: {problem}", warning=True, container=probed.state.name))
        if good >= probe.get("successThreshold", 1):
            if up is not None:
                return
            _set_ready(probed, kind, True)
        if bad >= probe.get("failureThreshold", 3):
            _set_ready(probed, kind, False)
            if kind != "Readiness":
                probed.failed(kind.lower())
                return
        await asyncio.sleep(probe.get("periodSeconds", 10))


async def _first(probed: Probed, probe: Json, kind: str) -> str:
    """Tests should not wait a whole period for a process that is up after a moment: ask more often, count it as one."""
    ends = asyncio.get_running_loop().time() + (0 if kind == "Liveness" else probe.get("periodSeconds", 10))
    while True:
        problem = await _try(probed, probe)
        if not problem or asyncio.get_running_loop().time() >= ends:
            return problem
        await asyncio.sleep(_EAGER_S)


def _set_ready(probed: Probed, kind: str, ready: bool) -> None:
    if kind == "Readiness" and probed.state.ready != ready:
        probed.state.ready = ready
        probed.changed()


async def _try(probed: Probed, probe: Json) -> str:
    """What is wrong, or nothing."""
    limit = float(probe.get("timeoutSeconds", 1))
    if "exec" in probe:
        try:
            code, output = await probed.process.execute(probe["exec"]["command"], limit_s=limit)
        except TimeoutError:
            return f"command timed out after {limit:g}s"
        return output.strip() or f"exit status {code}" if code else ""
    if "tcpSocket" in probe:
        target = probe["tcpSocket"]
        return await _connect(target.get("host") or probed.address, _port(probed.spec, target["port"]), limit)
    if "httpGet" in probe:
        return await _get(probed, probe["httpGet"], limit)
    return f"a probe of kind {', '.join(probe)} is not supported here"


async def _connect(host: str, port: int, limit_s: float) -> str:
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection(host, port), limit_s)
    except TimeoutError:
        return f"dial tcp {host}:{port}: i/o timeout"
    except OSError:
        return f"dial tcp {host}:{port}: connect: connection refused"
    writer.close()
    return ""


async def _get(probed: Probed, target: Json, limit_s: float) -> str:
    host, port = target.get("host") or probed.address, _port(probed.spec, target["port"])
    url = f"{target.get('scheme', 'HTTP').lower()}://{host}:{port}{target.get('path', '/')}"
    headers = {"User-Agent": "kube-probe/1.36", "Accept": "*/*", "Connection": "close"}
    headers |= {item["name"]: item["value"] for item in target.get("httpHeaders") or []}
    limits = aiohttp.ClientTimeout(total=limit_s)
    try:
        async with (
            aiohttp.ClientSession(timeout=limits) as session,
            session.get(url, headers=headers, ssl=_ANY_CERTIFICATE, allow_redirects=False) as response,
        ):
            return "" if 200 <= response.status < 400 else f"HTTP probe failed with statuscode: {response.status}"
    except TimeoutError:
        return f'Get "{url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
    except aiohttp.ClientConnectorError:
        return f'Get "{url}": dial tcp {host}:{port}: connect: connection refused'
    except aiohttp.ClientError as problem:
        return f'Get "{url}": {problem}'


def _port(spec: Json, port: int | str) -> int:
    if isinstance(port, int):
        return port
    named = {item.get("name"): item["containerPort"] for item in spec.get("ports") or []}
    return int(named.get(port, port))
