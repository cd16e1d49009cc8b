"""Symptoms of what leads to a workload, and of what it needs of the cluster: rows 29 to 32 and 37 to 39."""

from __future__ import annotations

from tests.cluster.symptoms.ground import Place, Steps, Table, ended, pods, probe, staged, waits
from tests.cluster.symptoms.of_pods import BACK_OFF, BACKED_OFF

SCENES: Table = {}

_KUBE_SYSTEM = "kube-system"


@staged(SCENES, 29, "no_endpoints")
def no_endpoints(place: Place) -> Steps:
    place.workload(pods=pods(labels={"tier": "frontend"}))
    place.service(selector={"app": "web", "tier": "fe"})
    yield place.ready()


@staged(SCENES, 30, "port_mismatch")
def port_mismatch(place: Place) -> Steps:
    place.workload(pods=pods(app={"ports": [{"name": "web", "containerPort": 8080}]}))
    place.service()
    yield place.ready()


@staged(SCENES, 31, "ingress_backend")
def ingress_backend(place: Place) -> Steps:
    place.workload(pods=pods())
    place.service()
    place.make("Ingress", "shop", {"ingressClassName": "nginx", "rules": [rule("web", 8080)]})
    yield place.ready()


def rule(service: str, port: int) -> dict[str, object]:
    backend = {"service": {"name": service, "port": {"number": port}}}
    paths = [{"path": "/", "pathType": "Prefix", "backend": backend}]
    return {"host": "shop.example.com", "http": {"paths": paths}}


@staged(SCENES, 32, "load_balancer")
def load_balancer(place: Place) -> Steps:
    """No cloud is there to make it."""
    place.workload(pods=pods())
    place.service(type="LoadBalancer")
    yield place.ready()


@staged(SCENES, 37, "dns")
def dns(place: Place) -> Steps:
    system = Place(place.api, _KUBE_SYSTEM)
    spec = pods("NotReady", "NotReady", name="coredns", labels={"k8s-app": "kube-dns"}, app={"readinessProbe": probe()})
    system.workload(name="coredns", pods=spec)
    said = "dial tcp: lookup db on 10.0.0.10:53: read udp 10.1.0.7:43210->10.0.0.10:53: i/o timeout\n"
    stage = waits("CrashLoopBackOff", BACK_OFF, BACKED_OFF, last=ended(1), restarts=6)
    place.workload(pods=pods(stage, stage, logs=said))
    yield place.told()
    yield system.told()


@staged(SCENES, 38, "isolated")
def isolated(place: Place) -> Steps:
    place.workload(pods=pods())
    place.service()
    place.make("NetworkPolicy", "default-deny", {"podSelector": {}, "policyTypes": ["Ingress"]})
    yield place.ready()


@staged(SCENES, 39, "webhook_down")
def webhook_down(place: Place) -> Steps:
    """Of this namespace alone."""
    named = {"matchLabels": {"kubernetes.io/metadata.name": place.namespace}}
    hook = {
        "name": "check.policy.test",
        "clientConfig": {"service": {"namespace": "policy", "name": "checker"}},
        "namespaceSelector": named,
        "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"]}],
        "failurePolicy": "Fail",
        "sideEffects": "None",
        "timeoutSeconds": 1,
        "admissionReviewVersions": ["v1"],
    }
    path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
    place.api.make(path, {"metadata": {"name": "check"}, "webhooks": [hook]})
    # It takes the API server a moment to act by it.
    yield lambda: place.api.post(place.path("Pod") + "?dryRun=All", _trial()).status >= 500
    place.workload(pods=pods())
    yield place.has("Deployment", "ReplicaFailure", "True", "FailedCreate")


def _trial() -> dict[str, object]:
    return {"metadata": {"name": "trial"}, "spec": {"containers": [{"name": "app", "image": "trial"}]}}
