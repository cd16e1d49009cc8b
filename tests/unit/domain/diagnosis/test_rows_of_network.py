"""Rows 29 to 32, 37 and 38 of the table of symptoms: Services, Ingresses, policies and names."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.observed import Around, Raw
from tests.unit.domain.cluster_objects import workload
from tests.unit.domain.diagnosis.recorded import (
    HASH,
    OLD_HASH,
    alarms,
    codes,
    crashing,
    event,
    examined,
    offered,
    pod,
    proven,
    replica_set,
    running,
    spoken,
    top,
)
from tests.unit.domain.diagnosis.surrounding import (
    around,
    dns_pod,
    ingress,
    log,
    policy,
    service,
    slices,
)

PAIR = pod("web-a"), pod("web-b")


def told(code: str, *pods: Raw, **parts: Any) -> str:
    """All sentences of findings of this code."""
    return "\n".join(spoken(one.line) for one in examined(*pods, **parts).findings if one.code == code)


def test_row_29_a_label_that_no_pod_has_is_told_with_what_they_have() -> None:
    obj = workload(replicas=2)
    obj["spec"]["template"]["metadata"]["labels"] = {"app": "web", "tier": "frontend"}
    pods = [pod("web-a"), pod("web-b")]
    for one in pods:
        one["metadata"]["labels"] |= {"tier": "frontend"}
    lost = around(service(selector={"app": "web", "tier": "fe"}), slices=(slices("web"),))
    found = top(*pods, obj=obj, around=lost)
    assert (found.code, found.severity, found.object) == ("no_endpoints", "danger", "service/web")
    assert "it selects app=web,tier=fe, and the pods have tier=frontend" in spoken(found.line)
    assert offered(found) == []
    assert "service/web spec.selector = app=web,tier=fe" in proven(found)


def test_row_29_a_label_that_an_earlier_revision_had_is_a_way_back() -> None:
    earlier = replica_set(OLD_HASH, 7, 600_000, "reg/web:0")
    earlier["spec"]["template"]["metadata"]["labels"]["tier"] = "fe"
    lost = around(service("front", {"app": "web", "tier": "fe"}), slices=(slices("front"),))
    found = top(*PAIR, around=lost, replica_sets=(replica_set(HASH, 8, 900, "reg/web:1"), earlier))
    assert (found.code, offered(found)) == ("no_endpoints", ["rollback"])
    assert "the pods have tier: -" in spoken(found.line)


@pytest.mark.parametrize("rows", [(running(ready=False),), (crashing(1),)])
def test_row_29_pods_that_are_not_ready_are_the_cause_and_come_first(rows: tuple[Raw, ...]) -> None:
    bad = [pod(name, *rows, age=900) for name in ("web-a", "web-b")]
    found = codes(*bad, around=around(service(), slices=(slices("web", False, False),)))
    assert found[0] in ("not_ready", "crash_loop")
    assert found[-1] == "no_endpoints"
    said = told("no_endpoints", *bad, around=around(service(), slices=(slices("web", False, False),)))
    assert "pods that it selects: 2, none of them ready" in said


@pytest.mark.parametrize(
    "lost",
    [
        service("web", {"app": "web", "role": "db"}, type="ExternalName"),
        service("web", {}),
        service("web", {"app": "web", "role": "db"}, clusterIP="None"),
        service("db", {"app": "web", "role": "db"}),  # somebody else's, who is at 0
    ],
)
def test_row_29_is_silent_on_services_that_are_not_meant_for_these_pods(lost: Raw) -> None:
    assert codes(*PAIR, around=around(lost, slices=())) == []


def test_row_29_is_silent_where_endpoints_are_ready_or_unknown_or_not_wanted() -> None:
    lost = service(selector={"app": "web", "tier": "fe"})
    assert codes(*PAIR, around=around(lost, slices=(slices("web", None),))) == []
    assert codes(*PAIR, around=around(lost, slices=()), unread=("slices:403",)) == []
    assert codes(*PAIR, around=around(lost, slices=(), skipped=("slices",))) == []
    assert codes(obj=workload(replicas=0), around=around(lost, slices=())) == []
    assert codes(*PAIR, around=around(service(), slices=())) == []  # ready pods: their slice is on its way
    young = pod("web-a", running(10, ready=False), age=10)
    assert alarms(young, around=around(service(), slices=())) in ([], ["startup"])


def test_row_30_a_port_by_a_name_that_no_pod_has() -> None:
    ports = [{"name": "http", "port": 80, "targetPort": "http", "protocol": "TCP"}]
    pods = [pod("web-a"), pod("web-b")]
    for one in pods:
        one["spec"]["containers"][0]["ports"] = [{"name": "web", "containerPort": 8080}]
    found = top(*pods, around=around(service(ports=ports)))
    assert (found.code, found.severity) == ("port_mismatch", "danger")
    assert "a port named http, which 2 of 2 pods do not have (they have: web)" in spoken(found.line)
    assert "spec.ports[0].targetPort = http" in proven(found)
    assert "spec.containers[].ports = web:8080" in proven(found)


def test_row_30_in_the_middle_of_a_rename_is_a_warning() -> None:
    ports = [{"port": 80, "targetPort": "http"}]
    new, old = pod("web-a"), pod("web-b")
    old["spec"]["containers"][0]["ports"] = [{"name": "http", "containerPort": 8080}]
    found = top(new, old, around=around(service(ports=ports)))
    assert (found.code, found.severity) == ("port_mismatch", "warn")


def test_row_30_a_port_by_a_number_that_pods_do_not_declare() -> None:
    found = top(*PAIR, around=around(service(ports=[{"port": 80, "targetPort": 9090}])))
    assert (found.code, found.severity) == ("port_mismatch", "warn")
    assert "leads to port 9090, and the pods declare 8080 only" in spoken(found.line)


def test_row_30_is_silent_on_sidecars_probes_undeclared_and_headless_ports() -> None:
    mesh = [pod("web-a"), pod("web-b")]
    for one in mesh:
        proxy = {"name": "proxy", "restartPolicy": "Always", "ports": [{"name": "http", "containerPort": 15001}]}
        one["spec"]["initContainers"] = [proxy]
    assert codes(*mesh, around=around(service(ports=[{"port": 80, "targetPort": "http"}]))) == []
    probed = [pod("web-a"), pod("web-b")]
    for one in probed:
        one["spec"]["containers"][0]["readinessProbe"] = {"httpGet": {"port": 9090}}
    assert codes(*probed, around=around(service(ports=[{"port": 80, "targetPort": 9090}]))) == []
    bare = [pod("web-a"), pod("web-b")]
    for one in bare:
        del one["spec"]["containers"][0]["ports"]
    assert codes(*bare, around=around(service(ports=[{"port": 80, "targetPort": 9090}]))) == []
    none = service(ports=[{"port": 80, "targetPort": "grpc"}], clusterIP="None")
    assert codes(*PAIR, around=around(none)) == []


def test_row_31_a_route_to_a_service_that_is_not_there() -> None:
    gone = ingress(("/", "web", 80), ("/api", "api", 80))
    found = top(*PAIR, around=around(service(), ingresses=(gone,)))
    assert (found.code, found.severity, found.object) == ("ingress_backend", "danger", "ingress/shop")
    assert "routes shop.example.com/api to Service api, which does not exist" in spoken(found.line)
    only = ingress(("/", "web", 80))
    assert top(*PAIR, around=around(ingresses=(only,))).code == "ingress_backend"  # of the workload's own name


@pytest.mark.parametrize("port", [8080, "metrics"])
def test_row_31_a_route_to_a_port_that_is_not_there(port: int | str) -> None:
    found = top(*PAIR, around=around(service(), ingresses=(ingress(("/", "web", port)),)))
    assert found.code == "ingress_backend"
    assert f"to port {port} of Service web, which has no such port (it has: http:80)" in spoken(found.line)


@pytest.mark.parametrize(
    "fine",
    [
        ingress(("/", "web", 80), ("/api", "api", 80)),  # `api` is there
        ingress(("/", "web", "http")),
        ingress(("/", "web", 80), tls=[{"hosts": ["shop.example.com"]}]),  # no secretName: the default certificate
        ingress(defaultBackend={"service": {"name": "web", "port": {"number": 80}}}),
        ingress(defaultBackend={"resource": {"kind": "StorageBucket", "name": "static"}}),
        ingress(("/", "web", 80), ("/old", "ssl-redirect", "use-annotation")),
        ingress(("/", "web", 80), ingressClassName=None, name="gce") | {"status": {"loadBalancer": {"ingress": [{}]}}},
        ingress(("/", "web", 80)) | {"status": {"loadBalancer": {}}},  # its class may write no address
        ingress(("/", "other-team", 80)),  # not of this workload
    ],
)
def test_row_31_is_silent_on_ways_that_lead_somewhere(fine: Raw) -> None:
    assert codes(*PAIR, around=around(service(), others=("api",), ingresses=(fine,))) == []


def test_row_31_is_silent_where_services_were_not_looked_at() -> None:
    looked = Around(ingresses=(ingress(("/", "web", 80)),))
    assert codes(*PAIR, around=looked) == []


def test_row_31_an_ingress_that_no_controller_took_is_said() -> None:
    idle = ingress(("/", "web", 80), ingressClassName=None) | {"status": {"loadBalancer": {}}}
    found = top(*PAIR, around=around(service(), ingresses=(idle,)))
    assert (found.code, found.severity) == ("ingress_backend", "info")
    assert "names no class" in spoken(found.line)
    theirs = ingress(("/", "other", 80), ingressClassName=None) | {"status": {"loadBalancer": {}}}
    assert codes(*PAIR, around=around(service(), others=("other",), ingresses=(theirs,))) == []
    old_way = ingress(("/", "web", 80), ingressClassName=None) | {"status": {"loadBalancer": {}}}
    old_way["metadata"]["annotations"] = {"kubernetes.io/ingress.class": "gce-internal"}
    assert codes(*PAIR, around=around(service(), ingresses=(old_way,))) == []


def test_row_32_a_load_balancer_that_does_not_come() -> None:
    waiting = service(type="LoadBalancer", age=1200)
    failed = event(
        "SyncLoadBalancerFailed",
        "Error syncing load balancer: failed to ensure load balancer: no free IP in subnet-1",
        about={"kind": "Service", "namespace": "shop", "name": "web"},
    )
    found = top(*PAIR, around=around(waiting), events=(failed,))
    assert (found.code, found.severity) == ("load_balancer", "warn")
    assert "waiting for its load balancer for 20m: Error syncing load balancer" in spoken(found.line)


def test_row_32_is_silent_while_it_is_young_and_once_it_is_there() -> None:
    young = service(type="LoadBalancer", age=120)
    there = service(type="LoadBalancer") | {"status": {"loadBalancer": {"ingress": [{"ip": "203.0.113.9"}]}}}
    for one in (young, there):
        assert codes(*PAIR, around=around(one)) == []


NO_HOST = "2026-11-29T10:00:00Z ERROR dial tcp: lookup db.shop.svc on 10.0.0.10:53: no such host"


@pytest.mark.parametrize(
    "line",
    [
        NO_HOST,
        "psycopg2.OperationalError: could not translate host name: Temporary failure in name resolution",
        "Error: getaddrinfo EAI_AGAIN db",
        "lookup db on 10.0.0.10:53: read udp 10.1.0.4:39201->10.0.0.10:53: i/o timeout",
        "java.net.UnknownHostException: db",
        "curl: (6) Could not resolve host: db",
    ],
)
def test_row_37_a_log_that_speaks_of_a_name_is_the_cause_of_a_crash(line: str) -> None:
    found = top(pod("web-a", crashing(1)), pod("web-b"), around=around(service(), logs=(log("web-a", line),)))
    assert (found.code, found.severity) == ("dns", "danger")
    assert line[:60] in spoken(found.line)


def test_row_37_a_name_service_that_is_down_is_named_with_a_way_to_restart_it() -> None:
    dns = (dns_pod("coredns-1", ready=False), dns_pod("coredns-2", ready=False))
    found = top(pod("web-a", crashing(1)), around=around(service(), dns=dns, logs=(log("web-a", NO_HOST),)))
    assert "0 of 2 pods are ready (not: coredns-1, coredns-2)" in spoken(found.line)
    assert offered(found) == ["restart prod-east/kube-system/deployment/coredns"]
    assert "no such host" in proven(found)


def test_row_37_a_policy_without_port_53() -> None:
    out = [{"to": [{"podSelector": {"matchLabels": {"app": "db"}}}], "ports": [{"port": 5432, "protocol": "TCP"}]}]
    shut = policy("only-db", policyTypes=["Egress"], egress=out)
    found = top(pod("web-a", crashing(1)), around=around(service(), network=(shut,), logs=(log("web-a", NO_HOST),)))
    assert (found.code, found.severity) == ("dns", "danger")
    assert "NetworkPolicy only-db lets no port 53 out" in spoken(found.line)
    assert alarms(*PAIR, around=around(service(), network=(shut,))) == []  # it may need no names
    assert codes(*PAIR, around=around(service(), network=(shut,))) == ["dns"]


@pytest.mark.parametrize(
    "rule",
    [
        {},
        {"ports": [{"port": 53, "protocol": "UDP"}]},
        {"ports": [{"port": "dns", "protocol": "UDP"}]},
        {"ports": [{"port": 1, "endPort": 1000, "protocol": "UDP"}]},
        {"ports": [{"protocol": "UDP"}]},
        {"to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]},
        {"to": [{"namespaceSelector": {}, "podSelector": {"matchLabels": {"k8s-app": "kube-dns"}}}]},
    ],
)
def test_row_37_is_silent_where_a_rule_may_let_it_ask(rule: Raw) -> None:
    allowed = policy("out", policyTypes=["Egress"], egress=[rule])
    assert codes(*PAIR, around=around(service(), network=(allowed,))) == []


def test_row_37_is_silent_on_a_name_service_of_which_some_pods_are_ready() -> None:
    dns = (dns_pod("coredns-1", ready=True), dns_pod("coredns-2", ready=False))
    assert codes(*PAIR, around=around(service(), dns=dns)) == []


def test_row_38_pods_that_nobody_may_reach() -> None:
    found = top(*PAIR, around=around(service(), network=(policy(policyTypes=["Ingress"]),)))
    assert (found.code, found.severity, found.object) == ("isolated", "warn", "netpol/default-deny")
    assert "no rule allows anything: web cannot be reached" in spoken(found.line)
    assert "netpol/default-deny spec.ingress = rules: 0" in proven(found)


def test_row_38_rules_for_other_ports() -> None:
    rule = {"from": [{"podSelector": {}}], "ports": [{"port": 80, "protocol": "TCP"}]}
    wrong = policy("web-in", {"matchLabels": {"app": "web"}}, ingress=[rule])
    found = top(*PAIR, around=around(service(), network=(policy(), wrong)))
    assert found.code == "isolated"
    assert "(8080)" in spoken(found.line)


@pytest.mark.parametrize(
    "network",
    [
        (policy(), policy("web-in", {"matchLabels": {"app": "web"}}, ingress=[{}])),
        (policy(), policy("web-in", ingress=[{"ports": [{"port": 8000, "endPort": 9000}]}])),
        (policy("db", {"matchLabels": {"app": "db"}}),),
        (policy("db", {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]}),),
    ],
)
def test_row_38_is_silent_where_something_is_allowed_or_others_are_meant(network: tuple[Raw, ...]) -> None:
    assert codes(*PAIR, around=around(service(), network=network)) == []


def test_row_38_is_silent_on_a_worker_that_nobody_calls() -> None:
    assert codes(*PAIR, around=around(network=(policy(policyTypes=["Ingress"]),))) == []


def test_row_38_pods_that_reach_nobody_are_an_alarm_once_they_are_in_trouble() -> None:
    shut = policy(policyTypes=["Egress"])
    assert alarms(*PAIR, around=around(service(), network=(shut,))) == []
    assert "lets nothing out" in told("isolated", *PAIR, around=around(service(), network=(shut,)))
    bad = pod("web-a", crashing(1)), pod("web-b")
    assert "isolated" in alarms(*bad, around=around(service(), network=(shut,)))
