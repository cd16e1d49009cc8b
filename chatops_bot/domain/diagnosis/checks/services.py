"""Services that lead nowhere: no pod behind them, a port that no pod has, a load balancer that never came."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.pods import is_leftover
from chatops_bot.domain.diagnosis.proving import proof, quoted
from chatops_bot.domain.objects import at, instant, items, label, listed, mapping, name_of, number, span, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.revisions import whole_number
from chatops_bot.domain.rollout import wanted_pods
from chatops_bot.domain.say import say

PENDING_MS = 300_000
"""A cloud takes minutes to build a load balancer."""
_SERVICE_LABEL = "kubernetes.io/service-name"


def template_of(scene: Scene) -> Raw:
    """The pod template of the workload; a pod itself."""
    if scene.observed.entity.kind == "Pod":
        return scene.observed.object
    return mapping(scene.observed.object, "spec", "template")


def living(scene: Scene) -> list[Raw]:
    """Its pods that have not ended for good."""
    return [pod for pod in scene.observed.pods if not is_leftover(pod)]


def selecting(scene: Scene) -> list[Raw]:
    """The Services that select its pods: as the template labels them, or as they are labelled by now."""
    made = [template_of(scene), *living(scene)]
    return [row for row in scene.observed.around.services if any(_fits(row, one) for one in made)]


def _fits(service: Raw, pod: Raw) -> bool:
    wanted, labels = mapping(service, "spec", "selector"), mapping(pod, "metadata", "labels")
    return bool(wanted) and all(labels.get(key) == value for key, value in wanted.items())


def _plain(service: Raw) -> bool:
    """One that leads to pods by a selector and an address of its own; operators keep their books in headless ones."""
    kind = text(service, "spec", "type")
    return bool(mapping(service, "spec", "selector")) and kind != "ExternalName" and not headless(service)


def headless(service: Raw) -> bool:
    """Whether it has no address of its own."""
    return text(service, "spec", "clusterIP") == "None"


def ready_endpoints(scene: Scene, service: Raw) -> int | None:
    """How many addresses take traffic; None where that was not read. An unset `ready` means yes (API reference)."""
    around = scene.observed.around
    if scene.observed.why_unread("slices") is not None or "slices" in around.skipped:
        return None
    own = [row for row in around.slices if label(row, _SERVICE_LABEL) == name_of(service)]
    return sum(at(one, "conditions", "ready") is not False for row in own for one in items(row, "endpoints"))


def no_endpoints(scene: Scene) -> Iterator[Finding]:
    """A Service of the workload that has nobody to send traffic to. Where its pods are simply not ready, that is the
    finding, and this is only what follows."""
    observed = scene.observed
    if not wanted_pods(observed.object, observed.entity.kind) or observed.why_unread("pods") is not None:
        return
    mine = [name_of(row) for row in selecting(scene)]
    for service in filter(_plain, observed.around.services):
        if ready_endpoints(scene, service) != 0:
            continue
        if name_of(service) in mine:
            yield from _none_ready(scene, service)
        else:
            yield from _no_match(scene, service)


def _none_ready(scene: Scene, service: Raw) -> Iterator[Finding]:
    names = {name_of(pod) for pod in living(scene) if _fits(service, pod)}
    rows = [row for row in scene.rows if row.name in names]
    # Ready pods get their endpoint within moments; pods that are only starting are no trouble yet.
    if any(row.healthy for row in rows) or (rows and not any(row.finding is not None for row in rows)):
        return
    about = f"service/{name_of(service)}"
    yield Finding(
        "no_endpoints",
        "info",
        say("finding.no_endpoints", service=name_of(service), count=len(rows)),
        where=name_of(service),
        hard=False,
        object=about,
        evidence=(proof(about, "spec.selector", _written(mapping(service, "spec", "selector"))),),
    )


def _no_match(scene: Scene, service: Raw) -> Iterator[Finding]:
    """A selector that fits its pods by all but one label, as long as it is meant for them: it selected an earlier
    revision, or bears the workload's name. Any other belongs to somebody who has no pods at the moment."""
    before = any(_fits(service, mapping(row, "spec", "template")) for row in scene.observed.replica_sets)
    if not before and not named_after(scene, name_of(service)):
        return
    wanted = mapping(service, "spec", "selector")
    labels = mapping(template_of(scene), "metadata", "labels")
    # A label that its controller sets on living pods alone (a leader's role) is nothing that the template lacks.
    odd = [key for key, value in wanted.items() if labels.get(key) != value]
    have = ", ".join(f"{key}={labels[key]}" if key in labels else f"{key}: -" for key in odd)
    about = f"service/{name_of(service)}"
    yield Finding(
        "no_endpoints",
        "danger",
        say("finding.no_endpoints_labels", service=name_of(service), selector=_written(wanted), have=have or "-"),
        where=name_of(service),
        object=about,
        evidence=(
            proof(about, "spec.selector", _written(wanted)),
            proof(scene.observed.entity.target, "spec.template.metadata.labels", _written(labels)),
        ),
        causes=("why.labels_changed",),
        offers=(Offer("rollback"),) if before else (),
    )


def named_after(scene: Scene, name: str) -> bool:
    """Whether something of this name is meant for the workload."""
    bare = name.removesuffix("-svc").removesuffix("-service")
    return bare in (scene.observed.entity.workload, scene.observed.entity.name)


def _written(labels: Raw) -> str:
    return ",".join(f"{key}={value}" for key, value in labels.items()) or "-"


def port_mismatch(scene: Scene) -> Iterator[Finding]:
    """Ports of its Services that its pods do not have."""
    for service in filter(_plain, selecting(scene)):
        pods = [pod for pod in living(scene) if _fits(service, pod)] or [template_of(scene)]
        for index, port in enumerate(items(service, "spec", "ports")):
            target = at(port, "targetPort")
            if isinstance(target, str) and not whole_number(target):
                found = _unnamed(service, target, pods)
            else:
                found = _undeclared(service, _port_number(port), pods)
            if found is not None:
                yield _with_port(found, service, index, pods)


def _with_port(found: Finding, service: Raw, index: int, pods: list[Raw]) -> Finding:
    about = f"service/{name_of(service)}"
    port = items(service, "spec", "ports")[index]
    declared = [port_text(one, "containerPort") for one in _ports(pods[0])]
    evidence = (
        proof(about, f"spec.ports[{index}].targetPort", at(port, "targetPort")),
        proof(f"pod/{name_of(pods[0]) or '-'}", "spec.containers[].ports", ", ".join(declared) or "-"),
    )
    return Finding(
        found.code, found.severity, found.line, found.where, hard=False, object=about, evidence=evidence,
        causes=("why.port_renamed",),
    )  # fmt: skip


def port_text(port: Raw, field: str) -> str:
    """`http:8080`, or the number alone where it has no name."""
    name = text(port, "name")
    return f"{name}:{number(port, field)}" if name else str(number(port, field))


def _unnamed(service: Raw, target: str, pods: list[Raw]) -> Finding | None:
    lacking = [pod for pod in pods if all(text(port, "name") != target for port in _ports(pod))]
    if not lacking:
        return None
    names = sorted({text(port, "name") for pod in lacking for port in _ports(pod)} - {""})
    line = say(
        "finding.port_name",
        service=name_of(service),
        port=target,
        count=len(lacking),
        total=len(pods),
        names=listed(names, most=5) or "-",
    )
    severe = len(lacking) == len(pods)
    return Finding("port_mismatch", "danger" if severe else "warn", line, f"{name_of(service)} {target}")


def _undeclared(service: Raw, target: int, pods: list[Raw]) -> Finding | None:
    """What a container declares is only information, and it may listen elsewhere; so it must declare other ports and
    have no probe at this one."""
    pod = pods[0]
    declared = sorted({number(port, "containerPort") for port in _ports(pod)} - {0})
    if not target or not declared or target in declared or target in _probed(pod):
        return None
    line = say("finding.port_number", service=name_of(service), port=target, names=listed(map(str, declared), most=5))
    return Finding("port_mismatch", "warn", line, f"{name_of(service)} {target}")


def serving(pod: Raw) -> list[Raw]:
    """Its containers with its sidecars."""
    sidecars = [row for row in items(pod, "spec", "initContainers") if text(row, "restartPolicy") == "Always"]
    return [*items(pod, "spec", "containers"), *sidecars]


def _port_number(port: Raw) -> int:
    """The target of a Service's port, 0 where it is a name or left out."""
    return number(port, "targetPort") or whole_number(text(port, "targetPort"))


def _ports(pod: Raw) -> list[Raw]:
    return [port for row in serving(pod) for port in items(row, "ports")]


def _probed(pod: Raw) -> set[int]:
    probes = (at(row, kind) for row in serving(pod) for kind in ("readinessProbe", "livenessProbe", "startupProbe"))
    return {number(probe, way, "port") for probe in probes for way in ("httpGet", "tcpSocket", "grpc")}


def target_ports(scene: Scene) -> set[int]:
    """The numbers of the pods' ports that Services lead to."""
    pod = next(iter(living(scene)), template_of(scene))
    named = {text(port, "name"): number(port, "containerPort") for port in _ports(pod)}
    found: set[int] = set()
    for service in selecting(scene):
        for port in items(service, "spec", "ports"):
            target = text(port, "targetPort")
            found.add(named.get(target, 0) or _port_number(port) or (0 if target else number(port, "port")))
    return found - {0}


def load_balancer(scene: Scene) -> Iterator[Finding]:
    """A Service that has waited for its load balancer for longer than any cloud takes."""
    for service in selecting(scene):
        made = instant(at(service, "metadata", "creationTimestamp"))
        if text(service, "spec", "type") != "LoadBalancer" or items(service, "status", "loadBalancer", "ingress"):
            continue
        if not made or scene.now - made <= PENDING_MS or text(service, "metadata", "deletionTimestamp"):
            continue
        name, about = name_of(service), f"service/{name_of(service)}"
        said = [one.message for one in scene.told(about) if one.warning]
        yield Finding(
            "load_balancer",
            "warn",
            say(
                "finding.load_balancer" if said else "finding.load_balancer_silent",
                service=name,
                ago=span(scene.now - made),
                message=said[0] if said else "-",
            ),
            where=name,
            hard=False,
            object=about,
            evidence=(quoted(about, service, "status", "loadBalancer"),),
            causes=("why.cloud_quota", "why.no_balancer"),
        )


CHECKS: tuple[Check, ...] = (no_endpoints, port_mismatch, load_balancer)
