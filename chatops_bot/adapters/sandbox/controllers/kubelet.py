"""Every node's kubelet: starts the pods of its node, reports on them, stops them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from chatops_bot.adapters.sandbox import podstatus, troubles
from chatops_bot.adapters.sandbox.conditions import is_true
from chatops_bot.adapters.sandbox.controllers.context import Context
from chatops_bot.adapters.sandbox.objects import Json, is_deleting, name_of, namespace_of, uid_of
from chatops_bot.adapters.sandbox.resources import NODES, PODS
from chatops_bot.adapters.sandbox.timeline import stamp
from chatops_bot.adapters.sandbox.troubles import ContainerView, Staged

COMPONENT = "kubelet"


@dataclass(slots=True)
class _Life:
    """Epoch seconds of a pod's milestones; None while they are ahead."""

    bound: float
    started: float | None = None
    stopping: float | None = None
    told: str = ""
    crashed: ContainerView | None = None


class Kubelets:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._lives: dict[str, _Life] = {}

    def run(self) -> None:
        present = set()
        for pod in self._context.store.all(PODS):
            present.add(uid_of(pod))
            if not pod["spec"].get("nodeName"):
                self._lives.pop(uid_of(pod), None)
            elif uid_of(pod) not in self._context.frozen:
                self._sync(pod)
            elif is_deleting(pod):
                self._context.registry.finish_delete(PODS, pod)
        for uid in [uid for uid in self._lives if uid not in present]:
            del self._lives[uid]

    def _sync(self, pod: Json) -> None:
        life = self._lives.setdefault(uid_of(pod), _Life(self._context.timeline.now()))
        node = self._context.store.get(NODES, "", pod["spec"]["nodeName"])
        if node is None or not is_true(node, "Ready"):
            self._lost(pod, node)
        elif is_deleting(pod):
            self._stop(pod, life)
        else:
            self._report(pod, life)

    def _lost(self, pod: Json, node: Json | None) -> None:
        """Nobody reports from a node that is lost; the pod's last status stays, but for Ready."""
        if node is None and is_deleting(pod):
            self._context.registry.finish_delete(PODS, pod)
        elif is_true(pod, "Ready"):
            self._context.set_status(PODS, pod, podstatus.not_ready(pod, self._context.timeline.stamp()))

    def _stop(self, pod: Json, life: _Life) -> None:
        now = self._context.timeline.now()
        if life.stopping is None:
            life.stopping = now
            for container in pod["spec"]["containers"]:
                self._tell(pod, "Killing", f"Stopping container {container['name']}")
        staged = self._context.troubles.of(pod)
        if staged is not None and staged.trouble == "Terminating" and pod["metadata"]["deletionGracePeriodSeconds"]:
            return
        gone = life.stopping + self._delay(pod, self._context.timing.stop)
        if now < gone:
            self._context.wake_at(gone)
            return
        self._context.registry.finish_delete(PODS, pod)
        self._context.troubles.forget(pod)
        self._context.logs.forget(pod)

    def _delay(self, pod: Json, seconds: float) -> float:
        """`seconds` and this pod's share of the spread: the uid's last digits make it differ between pods."""
        return seconds + self._context.timing.spread * int(uid_of(pod)[-2:], 16) / 255

    def _report(self, pod: Json, life: _Life) -> None:
        now, timing = self._context.timeline.now(), self._context.timing
        staged = self._trouble(pod, life)
        if staged is not None:
            self._trouble_status(pod, life, staged)
            return
        begins = life.bound + self._delay(pod, timing.start)
        if life.started is None and now < begins:
            self._context.wake_at(begins)
            self._set(pod, life, troubles.creating(), "Pending")
            return
        if life.started is None or life.told:
            life.started, life.told = now, ""
            self._tell_start(pod)
        ready_at = life.started + timing.ready
        if now < ready_at:
            self._context.wake_at(ready_at)
        view = troubles.healthy(stamp(life.started), ready=now >= ready_at)
        if life.crashed is not None:
            view = replace(view, last=life.crashed.last, restarts=life.crashed.restarts)
        self._set(pod, life, view, "Running")

    def _trouble(self, pod: Json, life: _Life) -> Staged | None:
        staged = self._context.troubles.of(pod)
        if staged is None and life.started is None:
            images = {container["image"] for container in pod["spec"]["containers"]}
            if images & self._context.bad_images:
                return Staged("ImagePullBackOff", life.bound)
        return staged

    def _trouble_status(self, pod: Json, life: _Life, staged: Staged) -> None:
        started, phase = stamp(life.started if life.started is not None else life.bound), "Running"
        container = pod["spec"]["containers"][0]
        match staged.trouble:
            case "NotReady":
                view = troubles.healthy(started, ready=False)
            case "CrashLoopBackOff" | "OOMKilled":
                ended = staged.since - troubles.CRASHED_AGO
                times = {"started": stamp(ended - 30), "finished": stamp(ended)}
                view = troubles.crashing(pod, container["name"], oom=staged.trouble == "OOMKilled", **times)
                life.crashed = view
            case "ImagePullBackOff":
                view, phase = troubles.not_pulled(container["image"]), "Pending"
            case "Evicted":
                view, phase = troubles.killed(started, stamp(staged.since)), "Failed"
            case _:
                # Terminating and Pending are told by the deletion time and by the scheduler.
                view = troubles.healthy(started)
        self._tell_trouble(pod, life, staged)
        self._set(pod, life, view, phase, evicted=staged.trouble == "Evicted")

    def _set(self, pod: Json, life: _Life, view: ContainerView, phase: str, *, evicted: bool = False) -> None:
        now = self._context.timeline.stamp()
        status = podstatus.build(pod, view, phase=phase, now=now, bound=stamp(life.bound))
        if evicted:
            message = troubles.eviction_message(pod["spec"]["containers"][0]["name"])
            status |= {"reason": "Evicted", "message": message}
        self._context.set_status(PODS, pod, status, manager=COMPONENT)

    def _tell(self, pod: Json, reason: str, message: str, *, warning: bool = False, times: int = 1) -> None:
        self._context.events.record(pod, reason, message, component=COMPONENT, warning=warning, times=times)

    def _tell_start(self, pod: Json) -> None:
        for container in pod["spec"]["containers"]:
            image = container["image"]
            self._tell(pod, "Pulled", f'Container image "{image}" already present on machine')
            self._tell(pod, "Created", f"Created container: {container['name']}")
            self._tell(pod, "Started", f"Started container {container['name']}")
        self._context.logs.start(pod, at=self._context.timeline.now())

    def _tell_trouble(self, pod: Json, life: _Life, staged: Staged) -> None:
        if life.told == staged.trouble:
            return
        life.told = staged.trouble
        container = pod["spec"]["containers"][0]
        match staged.trouble:
            case "NotReady":
                address = f"http://{podstatus.address(pod)}:8080/healthz"
                text = f'Readiness probe failed: Get "{address}": dial tcp: connect: connection refused'
                self._tell(pod, "Unhealthy", text, warning=True, times=12)
            case "CrashLoopBackOff" | "OOMKilled":
                where = f"{name_of(pod)}_{namespace_of(pod)}({uid_of(pod)})"
                text = f"Back-off restarting failed container {container['name']} in pod {where}"
                self._tell(pod, "BackOff", text, warning=True, times=troubles.RESTARTS)
                crashed = staged.since - troubles.CRASHED_AGO
                self._context.logs.crash(pod, at=crashed, oom=staged.trouble == "OOMKilled")
            case "ImagePullBackOff":
                image = container["image"]
                reason = f'Failed to pull image "{image}": {troubles.pull_error(image)}'
                self._tell(pod, "Failed", reason, warning=True, times=3)
                self._tell(pod, "Failed", "Error: ErrImagePull", warning=True, times=3)
                self._tell(pod, "BackOff", f'Back-off pulling image "{image}"', times=6)
                self._tell(pod, "Failed", "Error: ImagePullBackOff", warning=True, times=6)
            case "Evicted":
                self._tell(pod, "Evicted", troubles.eviction_message(container["name"]), warning=True)
