"""What was rolled out, what changed and who did it, what leads to a service: asked of a real cluster, whose controllers
write revisions, events and managers as they do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from chatops_bot.app.virtual_clock import VirtualClock
from tests.cluster.api import Api
from tests.cluster.controlplane import ControlPlane
from tests.cluster.kubectl import Kubectl
from tests.cluster.talk import service, talk
from tests.cluster.twins import Workload, manifest


def ready_in(slices: dict[str, Any]) -> int:
    ends = (end for each in slices.get("items", ()) for end in each.get("endpoints") or ())
    return sum(bool(end["conditions"].get("ready")) for end in ends)


@pytest.mark.timeout(240)
async def test_questions_about_the_past_and_the_surroundings_of_a_service(
    controlplane: ControlPlane,
    admin: Api,
    namespace: str,
    redis_url: str,
    kubectl_in: Callable[[str], Kubectl],
) -> None:
    kubectl = kubectl_in(namespace)
    web = Workload(admin, namespace, "Deployment", "web")
    web.make(manifest("Deployment", "web", replicas=2))
    web.settle()
    await kubectl.run("set", "image", "deployment/web", "main=registry.test/plain:2")
    web.settle()
    await kubectl.run("expose", "deployment/web", "--port=80", "--target-port=8080", "--name=web-http")
    await kubectl.run("create", "ingress", "front", "--rule=shop.example.com/*=web-http:80")
    clock = VirtualClock(time.time())
    known = [service(namespace, "web")]
    async with talk(redis=redis_url, kubeconfig=controlplane.kubeconfig(), services=known, clock=clock) as there:
        history = await there.ask("show history of web")
        assert "web is at rev 2 (registry.test/plain:2)" in history
        assert "main: 1 → 2  (kubectl-set)" in history

        await asyncio.sleep(2)  # what was made in the same second as another thing cannot be told from it
        clock.move_to(time.time())
        await there.ask("set the image of web to plain:3")
        assert "Done" in await there.press("confirm")
        web.settle()
        clock.move_to(time.time())
        changes = await there.ask("web 最近一小时改了啥", "bob")
        assert "set_image: image plain:3, container main  alice" in changes
        assert "rollout rev 2: main: 1 → 2  -" in changes
        assert "rollout rev 3" not in changes  # that is what alice did
        assert "Scaled up" not in changes  # and so is this

        await kubectl.run("scale", "deployment/web", "--replicas=4")
        web.settle()
        admin.until(
            f"/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices", lambda found: ready_in(found) == 4
        )
        clock.move_to(time.time() + 700)
        leads = await there.ask("what depends on web", "carol")
        assert "Ways in to web: Service web-http, Ingress front" in leads
        assert "80→8080, 4 ready" in leads
        assert "shop.example.com/" in leads

        usage = await there.ask("usage of web", "carol")
        assert "no usage figures" in usage

        errors = await there.ask("logs of all pods of web", "dave")
        assert "all pods" in errors
