"""The HTTP side of the process: health, metrics, alerts, and what platforms call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Message, Receive, Scope, Send

from chatops_bot.app.alert_door import AlertDoor
from chatops_bot.app.telemetry import Metrics
from chatops_bot.ports.cluster import ClusterError
from chatops_bot.ports.store import StoreUnavailable

Check = Callable[[], Awaitable[str]]
"""Asks one thing that the bot needs; "" when it is well, else what is wrong, fit for whoever runs the bot."""

CLUSTER_PREFIX = "cluster "
"""What the names of the checks of clusters begin with; the cluster's name follows."""

CLUSTERS = "clusters"
"""Names all checks of clusters at once in `/readyz?exclude=…`."""

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

    async def readyz(request: Request) -> Response:
        asked = dict(checks)  # a cluster or a platform may join while we wait for the answers
        found = await readiness(asked)
        for name in asked:
            metrics.level("ready", 0 if name in found else 1, what=name)
        return _verdict(asked, found, exclude=request.query_params.getlist("exclude"))

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
    return Starlette(routes=[*own, *(_counted(route, metrics) for route in routes)])


def _counted(route: BaseRoute, metrics: Metrics) -> BaseRoute:
    """The route of a platform, its answers counted: what is forged or malformed reaches no other metric."""
    if not isinstance(route, Route):
        return route
    path, application = route.path, route.app

    async def counted(scope: Scope, receive: Receive, send: Send) -> None:
        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                metrics.count("deliveries", path=path, status=str(message["status"]))
            await send(message)

        await application(scope, receive, told)

    route.app = counted
    return route


async def readiness(checks: Mapping[str, Check], *, within_s: float = CHECK_WITHIN_S) -> dict[str, str]:
    """What is wrong, by name of the check; all checks run at once and none longer than `within_s`."""
    answers = await asyncio.gather(*(_asked(check, within_s) for check in checks.values()))
    return {name: answer for name, answer in zip(checks, answers, strict=True) if answer}


def _verdict(checks: Iterable[str], found: Mapping[str, str], *, exclude: Sequence[str]) -> Response:
    """Ready unless a check that is not excluded found something.

    `exclude` names checks, or the group `clusters`. As with the Kubernetes API server's `/readyz`, what is excluded
    is listed all the same, and a name that fits nothing is a warning: the checks of clusters and platforms join only
    while the process starts. https://kubernetes.io/docs/reference/using-api/health-checks/
    """
    wanted = set(exclude)
    excluded = {
        name: found.get(name, "ok")
        for name in checks
        if name in wanted or (CLUSTERS in wanted and name.startswith(CLUSTER_PREFIX))
    }
    problems = {name: what for name, what in found.items() if name not in excluded}
    body: dict[str, object] = {"status": "not ready" if problems else "ready", "problems": problems}
    if wanted:
        body["excluded"] = excluded
    if unknown := sorted(wanted - {CLUSTERS, *excluded}):
        body["warning"] = f"some checks cannot be excluded: no matches for {', '.join(map(repr, unknown))}"
    return JSONResponse(body, status_code=503 if problems else 200)


async def _asked(check: Check, within_s: float) -> str:
    try:
        async with asyncio.timeout(within_s):
            return await check()
    except TimeoutError:
        return f"no answer within {within_s:g} s"
    except (StoreUnavailable, ClusterError, OSError) as error:
        return str(error) or type(error).__name__
