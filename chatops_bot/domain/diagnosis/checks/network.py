"""NetworkPolicies that cut a workload off, and names that cannot be resolved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from chatops_bot.domain.diagnosis.checks.services import living, selecting, serving, target_ports, template_of
from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Evidence, Finding
from chatops_bot.domain.diagnosis.pods import is_leftover, is_ready
from chatops_bot.domain.diagnosis.proving import proof
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import (
    at,
    controller_of,
    items,
    label,
    listed,
    mapping,
    name_of,
    number,
    shortened,
    text,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.selectors import selects

Way = Literal["Ingress", "Egress"]

DNS_PORT = 53
_UNRESOLVED: Final = re.compile(
    r"no such host|NXDOMAIN|Temporary failure in name resolution|Name or service not known|server misbehaving"
    r"|:53: (?:read: )?(?:i/o timeout|connection refused)|i/o timeout.{0,80}:53\b|EAI_AGAIN|ENOTFOUND"
    r"|Could not resolve host|UnknownHostException|getaddrinfo failed",
    re.IGNORECASE,
)


def _policies(scene: Scene, way: Way) -> list[Raw]:
    """Those that select its pods for this direction. Left out, `policyTypes` means Ingress, and Egress where it has
    rules for it."""
    labels = mapping(template_of(scene), "metadata", "labels")
    found = []
    for policy in scene.observed.around.network:
        types = at(policy, "spec", "policyTypes")
        if not isinstance(types, list) or not types:
            types = ["Ingress", "Egress"] if items(policy, "spec", "egress") else ["Ingress"]
        if way in types and selects(mapping(policy, "spec", "podSelector"), labels):
            found.append(policy)
    return found


def _rules(policies: list[Raw], way: Way) -> list[Raw]:
    """What they allow together: policies only ever add."""
    return [rule for policy in policies for rule in items(policy, "spec", way.lower())]


def isolated(scene: Scene) -> Iterator[Finding]:
    """Nobody may reach pods that a Service leads to, or they may reach nobody. A warning at most: a network plugin may
    enforce none of it, or know rules of its own."""
    served = selecting(scene)
    inward = _policies(scene, "Ingress")
    rules = _rules(inward, "Ingress")
    if served and inward and not rules:
        line = say("finding.isolated_in", policies=_names(inward), services=listed(map(name_of, served)))
        yield _isolated("warn", line, inward, "Ingress")
    elif served and inward and not _open(scene, rules):
        ports = ", ".join(map(str, sorted(target_ports(scene))))
        yield _isolated("warn", say("finding.isolated_port", policies=_names(inward), ports=ports), inward, "Ingress")
    outward = _policies(scene, "Egress")
    if outward and not _rules(outward, "Egress"):
        troubled = any(row.finding is not None and not row.healthy for row in scene.rows)
        line = say("finding.isolated_out", policies=_names(outward))
        yield _isolated("warn" if troubled else "info", line, outward, "Egress")


def _isolated(severity: Literal["warn", "info"], line: Say, policies: list[Raw], way: Way) -> Finding:
    return Finding(
        "isolated",
        severity,
        line,
        where=way,
        hard=False,
        object=f"netpol/{name_of(policies[0])}",
        evidence=_shown(policies, way),
        causes=("why.new_policy",),
    )


def _shown(policies: list[Raw], way: Way) -> tuple[Evidence, ...]:
    return tuple(
        proof(f"netpol/{name_of(row)}", f"spec.{way.lower()}", f"rules: {len(items(row, 'spec', way.lower()))}")
        for row in policies[:3]
    )


def _names(policies: list[Raw]) -> str:
    return listed(name_of(row) for row in policies)


def _open(scene: Scene, rules: list[Raw]) -> bool:
    """Whether some rule lets some port through that a Service leads to."""
    wanted = target_ports(scene)
    if not wanted or any(not items(rule, "ports") for rule in rules):
        return True
    pod = next(iter(living(scene)), template_of(scene))
    named = {text(port, "name"): number(port, "containerPort") for row in serving(pod) for port in items(row, "ports")}
    return any(_lets(port, one, named) for rule in rules for port in items(rule, "ports") for one in wanted)


def _lets(port: Raw, wanted: int, named: dict[str, int]) -> bool:
    said = at(port, "port")
    if said is None:  # all ports of a protocol
        return True
    if isinstance(said, str):
        return named.get(said, 0) == wanted
    first = number(port, "port")
    return first <= wanted <= number(port, "endPort", default=first)


def names_unresolved(scene: Scene) -> Iterator[Finding]:
    """Names that cannot be resolved: by what its log says, the state of the cluster's name service, and policies that
    keep it from asking."""
    said = _said(scene)
    down = _name_service_down(scene, said)
    policies = _policies(scene, "Egress")
    shut = bool(policies) and not any(_reaches_dns(scene, rule) for rule in _rules(policies, "Egress"))
    if down is not None:
        yield down
    elif shut and (said or _rules(policies, "Egress")):  # rules for nothing at all are told as isolation
        severe = bool(said)
        yield Finding(
            "dns",
            "danger" if severe else "info",
            say("finding.dns_policy", policies=_names(policies)),
            where="policy",
            hard=severe,
            object=f"netpol/{name_of(policies[0])}",
            evidence=(*said, *_shown(policies, "Egress")),
            causes=("why.new_policy",),
        )
    elif said:
        troubled = any(row.finding is not None and not row.healthy for row in scene.rows)
        yield Finding(
            "dns",
            "danger" if troubled else "warn",
            say("finding.dns_log", line=said[0].value),
            where="log",
            hard=False,
            object=said[0].object,
            evidence=said,
            causes=("why.name_wrong", "why.name_service", "why.new_policy"),
        )


def _said(scene: Scene) -> tuple[Evidence, ...]:
    """The last line of a log that speaks of a name that is not found."""
    for log in scene.observed.around.logs:
        rows = [row for row in log.text.splitlines() if _UNRESOLVED.search(row[:2000])]
        if rows:
            return (proof(f"pod/{log.pod}", f"log of {log.container}", mask(shortened(rows[-1]))),)
    return ()


def _name_service_down(scene: Scene, said: tuple[Evidence, ...]) -> Finding | None:
    """No pod of it is ready, or some are not and names fail."""
    pods = [pod for pod in scene.observed.around.dns if not is_leftover(pod)]
    ready = sum(is_ready(pod) for pod in pods)
    if not pods or ready == len(pods) or (ready and not said):
        return None
    names = listed(name_of(pod) for pod in pods if not is_ready(pod))
    return Finding(
        "dns",
        "danger",
        say("finding.dns_down", ready=ready, count=len(pods), names=names),
        where="service",
        object=f"pod/{name_of(pods[0])}",
        evidence=(*said, proof("pods k8s-app=kube-dns", "status.conditions[Ready]", f"{ready}/{len(pods)}")),
        causes=("why.name_service",),
        offers=_restart(scene, pods[0]),
    )


def _restart(scene: Scene, pod: Raw) -> tuple[Offer, ...]:
    """Of the Deployment that keeps a pod of the name service."""
    owner, made = controller_of(pod), label(pod, "pod-template-hash")
    name = text(owner, "name").removesuffix(f"-{made}")
    if text(owner, "kind") != "ReplicaSet" or not made or not name:
        return ()
    space = text(pod, "metadata", "namespace") or "kube-system"
    return (Offer("restart", entity=f"{scene.observed.entity.cluster}/{space}/deployment/{name}"),)


def _reaches_dns(scene: Scene, rule: Raw) -> bool:
    """Whether a rule may let it ask. Peers given by address or by namespace may hold the name service; pods of the same
    namespace do not, unless it is there itself."""
    ports = items(rule, "ports")
    if ports and not any(_lets(port, DNS_PORT, {}) or at(port, "port") in ("dns", "dns-tcp") for port in ports):
        return False
    peers = items(rule, "to")
    beyond = any(at(peer, "ipBlock") is not None or at(peer, "namespaceSelector") is not None for peer in peers)
    return not peers or beyond or scene.observed.entity.namespace == "kube-system"


CHECKS: tuple[Check, ...] = (isolated, names_unresolved)
