"""Ingresses whose way ends before it reaches a pod."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.diagnosis.checks.services import PENDING_MS, named_after, port_text, selecting
from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.proving import proof, quoted
from chatops_bot.domain.objects import annotation, at, instant, items, listed, mapping, name_of, number, span, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.say import say

_CLASS = "kubernetes.io/ingress.class"
_BY_ANNOTATION = "use-annotation"
"""A port that says that the name is that of an action in the annotations, of AWS's controller, and no Service's."""


def _ways(ingress: Raw) -> Iterator[tuple[str, Raw]]:
    """(path, backend) of all that it routes to Services; `resource` backends are none."""
    default = mapping(ingress, "spec", "defaultBackend", "service")
    if default:
        yield "*", default
    for rule in items(ingress, "spec", "rules"):
        for path in items(rule, "http", "paths"):
            service = mapping(path, "backend", "service")
            if service and text(service, "port", "name") != _BY_ANNOTATION:
                yield f"{text(rule, 'host')}{text(path, 'path') or '/'}", service


def backends(scene: Scene) -> Iterator[Finding]:
    """Routes to a Service, or to a port of it, that is not there."""
    around = scene.observed.around
    if around.others is None:
        return
    services = {name_of(row): row for row in around.services}
    mine = {name_of(row) for row in selecting(scene)}
    for ingress in around.ingresses:
        ways = [(path, service) for path, service in _ways(ingress) if text(service, "name")]
        touches = any(text(service, "name") in mine for _, service in ways)
        for path, service in ways:
            name = text(service, "name")
            if name in mine:
                yield from _port(ingress, path, service, services[name])
            elif name not in services and name not in around.others and (touches or named_after(scene, name)):
                yield _missing(ingress, path, service)


def _missing(ingress: Raw, path: str, service: Raw) -> Finding:
    name, about = text(service, "name"), f"ingress/{name_of(ingress)}"
    return Finding(
        "ingress_backend",
        "danger",
        say("finding.ingress_service", ingress=name_of(ingress), path=path, service=name),
        where=f"{name_of(ingress)} {name}",
        object=about,
        evidence=(proof(about, f"spec.rules[].http.paths[{path}].backend.service.name", name),),
        causes=("why.service_renamed", "why.other_namespace"),
    )


def _port(ingress: Raw, path: str, backend: Raw, service: Raw) -> Iterator[Finding]:
    ports = items(service, "spec", "ports")
    named, numbered = text(backend, "port", "name"), number(backend, "port", "number")
    there = {text(port, "name") for port in ports} if named else {number(port, "port") for port in ports}
    wanted: str | int = named or numbered
    if not ports or not wanted or wanted in there or text(service, "spec", "type") == "ExternalName":
        return
    about = f"ingress/{name_of(ingress)}"
    shown = listed([port_text(port, "port") for port in ports], most=5)
    yield Finding(
        "ingress_backend",
        "danger",
        say(
            "finding.ingress_port",
            ingress=name_of(ingress),
            path=path,
            service=name_of(service),
            port=wanted,
            ports=shown,
        ),
        where=f"{name_of(ingress)} {name_of(service)} {wanted}",
        object=about,
        evidence=(
            proof(about, f"spec.rules[].http.paths[{path}].backend.service.port", wanted),
            proof(f"service/{name_of(service)}", "spec.ports", shown),
        ),
        causes=("why.port_renamed",),
    )


def unclaimed(scene: Scene) -> Iterator[Finding]:
    """An Ingress of no class that no controller has given an address. Said and no more: some controllers have none to
    give. Where a class is named, that tells nothing at all."""
    mine = {name_of(row) for row in selecting(scene)}
    for ingress in scene.observed.around.ingresses:
        made = instant(at(ingress, "metadata", "creationTimestamp"))
        if text(ingress, "spec", "ingressClassName") or annotation(ingress, _CLASS) or not made:
            continue
        if items(ingress, "status", "loadBalancer", "ingress") or scene.now - made <= PENDING_MS:
            continue
        if any(text(service, "name") in mine for _, service in _ways(ingress)):
            about = f"ingress/{name_of(ingress)}"
            yield Finding(
                "ingress_backend",
                "info",
                say("finding.ingress_class", ingress=name_of(ingress), ago=span(scene.now - made)),
                where=f"{name_of(ingress)} class",
                hard=False,
                object=about,
                evidence=(
                    quoted(about, ingress, "spec", "ingressClassName"),
                    quoted(about, ingress, "status", "loadBalancer"),
                ),
                causes=("why.no_class",),
            )


CHECKS: tuple[Check, ...] = (backends, unclaimed)
