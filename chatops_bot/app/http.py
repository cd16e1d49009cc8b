"""The HTTP side of the process: health, metrics, alerts, and what platforms call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from chatops_bot.app.alert_door import AlertDoor
from chatops_bot.app.telemetry import Metrics
from chatops_bot.ports.cluster import ClusterError
from chatops_bot.ports.store import StoreUnavailable

Check = Callable[[], Awaitable[str]]
"""Asks one thing that the bot needs; "" when it is well, else what is wrong, fit for whoever runs the bot."""

CHECK_WITHIN_S = 2.0
"""Below the time limit of a usual readiness probe, so that the answer can still say which check hangs."""


def create_app(
    *,
    checks: Mapping[str, Check],
    metrics: Metrics,
    gauges: Callable[[], Awaitable[None]] | None = None,
    alert_door: AlertDoor | None = None,
    routes: Sequence[BaseRoute] = (),
) -> Starlette:
    """The application.

    `checks` by name decide readiness. `gauges` brings levels up to date before they are shown (queue depths).
    `routes` are those of platforms that call us. Without `alert_door` there is no `/alerts`.
    """

    async def healthz(_request: Request) -> Response:
        # Only that the event loop turns: a restart mends nothing of what readiness complains about.
        return JSONResponse({"status": "alive"})

    async def readyz(_request: Request) -> Response:
        problems = await readiness(checks)
        for name in checks:
            metrics.level("ready", 0 if name in problems else 1, what=name)
        status = "not ready" if problems else "ready"
        return JSONResponse({"status": status, "problems": problems}, status_code=503 if problems else 200)

    async def show_metrics(_request: Request) -> Response:
        if gauges is not None:
            await gauges()
        return Response(metrics.render(), media_type=metrics.content_type)

    own: list[BaseRoute] = [
        Route("/healthz", healthz),
        Route("/readyz", readyz),
        Route("/metrics", show_metrics),
    ]
    if alert_door is not None:
        own.append(Route("/alerts", alert_door.__call__, methods=["POST"]))
    return Starlette(routes=[*own, *routes])


async def readiness(checks: Mapping[str, Check], *, within_s: float = CHECK_WITHIN_S) -> dict[str, str]:
    """What is wrong, by name of the check; all checks run at once and none longer than `within_s`."""
    answers = await asyncio.gather(*(_asked(check, within_s) for check in checks.values()))
    return {name: answer for name, answer in zip(checks, answers, strict=True) if answer}


async def _asked(check: Check, within_s: float) -> str:
    try:
        async with asyncio.timeout(within_s):
            return await check()
    except TimeoutError:
        return f"no answer within {within_s:g} s"
    except (StoreUnavailable, ClusterError, OSError) as error:
        return str(error) or type(error).__name__
