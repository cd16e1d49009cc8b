"""Creating: what the server fills in, and what it will not have."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.kubernetes_api.conftest import Backend
from tests.contract.kubernetes_api.shop import Shop, causes, says, template, without_volatile

Json = dict[str, Any]
CONTAINER = {
    "resources": {},
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
    "imagePullPolicy": "IfNotPresent",
}
POD = {
    "restartPolicy": "Always",
    "terminationGracePeriodSeconds": 30,
    "dnsPolicy": "ClusterFirst",
    "securityContext": {},
    "schedulerName": "default-scheduler",
}
TEMPLATE = {
    "metadata": {"labels": {"app": "web"}},
    "spec": {
        "containers": [
            {"name": "web", "image": "reg/web:2", "ports": [{"containerPort": 8080, "protocol": "TCP"}], **CONTAINER}
        ],
        **POD,
    },
}
SELECTOR = {"matchLabels": {"app": "web"}}
ROLLING = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}

DEFAULTS: list[tuple[str, Json, Json]] = [
    (
        "deployments",
        {
            "replicas": 1,
            "selector": SELECTOR,
            "template": TEMPLATE,
            "strategy": ROLLING,
            "revisionHistoryLimit": 10,
            "progressDeadlineSeconds": 600,
        },
        {},
    ),
    (
        "statefulsets",
        {
            "replicas": 1,
            "selector": SELECTOR,
            "template": TEMPLATE,
            "serviceName": "",
            "podManagementPolicy": "OrderedReady",
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}},
            "revisionHistoryLimit": 10,
            "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"},
        },
        {"replicas": 0, "availableReplicas": 0},
    ),
    (
        "daemonsets",
        {
            "selector": SELECTOR,
            "template": TEMPLATE,
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1, "maxSurge": 0}},
            "revisionHistoryLimit": 10,
        },
        {"currentNumberScheduled": 0, "numberMisscheduled": 0, "desiredNumberScheduled": 0, "numberReady": 0},
    ),
    ("replicasets", {"replicas": 1, "selector": SELECTOR, "template": TEMPLATE}, {"replicas": 0}),
]


@pytest.mark.parametrize(("plural", "spec", "status"), DEFAULTS, ids=[row[0] for row in DEFAULTS])
def test_what_is_left_out_is_filled_in(shop: Shop, plural: str, spec: Json, status: Json) -> None:
    body = {"metadata": {"name": "web"}, "spec": {"selector": SELECTOR, "template": template("web")}}
    made = shop.api.make(shop.path(plural, group="apps/v1"), body)
    assert made["spec"] == spec
    assert made["status"] == status
    assert made["metadata"]["generation"] == 1


def test_what_is_left_out_of_containers(shop: Shop) -> None:
    probe = {"httpGet": {"port": 80}}
    variable = {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}
    containers = [
        {"name": "a", "image": "a", "livenessProbe": probe, "env": [variable]},
        {"name": "b", "image": "b:latest"},
        {"name": "c", "image": "c@sha256:" + "0" * 64},
    ]
    body = {
        "metadata": {"name": "web"},
        "spec": {
            "strategy": {"type": "Recreate"},
            "selector": SELECTOR,
            "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": containers}},
        },
    }
    made = shop.api.make(shop.path("deployments", group="apps/v1"), body)
    assert made["spec"]["strategy"] == {"type": "Recreate"}
    first, second, third = made["spec"]["template"]["spec"]["containers"]
    assert [each["imagePullPolicy"] for each in (first, second, third)] == ["Always", "Always", "IfNotPresent"]
    assert first["livenessProbe"] == {
        "httpGet": {"path": "/", "port": 80, "scheme": "HTTP"},
        "timeoutSeconds": 1,
        "periodSeconds": 10,
        "successThreshold": 1,
        "failureThreshold": 3,
    }
    assert first["env"][0]["valueFrom"] == {"fieldRef": {"apiVersion": "v1", "fieldPath": "spec.nodeName"}}


def test_a_pod_is_given_an_account_a_token_and_patience(shop: Shop) -> None:
    body = {"metadata": {"generateName": "job-"}, "spec": {"containers": [{"name": "a", "image": "a:1"}]}}
    made = shop.api.make(shop.path("pods", dryRun="All"), {**body, "status": {"phase": "Failed"}})
    assert made["metadata"]["name"].startswith("job-")
    assert len(made["metadata"]["name"]) == len("job-") + 5
    assert made["metadata"]["generation"] == 1
    assert made["status"] == {"phase": "Pending", "qosClass": "BestEffort"}
    spec = made["spec"]
    (volume,) = spec.pop("volumes")
    (container,) = spec.pop("containers")
    assert volume["name"].startswith("kube-api-access-")
    assert [next(iter(source)) for source in volume["projected"]["sources"]] == [
        "serviceAccountToken",
        "configMap",
        "downwardAPI",
    ]
    mount = {"name": volume["name"], "readOnly": True, "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}
    assert container == {"name": "a", "image": "a:1", "volumeMounts": [mount], **CONTAINER}
    patience = {"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    assert spec == {
        **POD,
        "serviceAccountName": "default",
        "serviceAccount": "default",
        "enableServiceLinks": True,
        "priority": 0,
        "preemptionPolicy": "PreemptLowerPriority",
        "tolerations": [
            {"key": "node.kubernetes.io/not-ready", **patience},
            {"key": "node.kubernetes.io/unreachable", **patience},
        ],
    }


def test_pods_of_workloads_are_named_after_them(shop: Shop) -> None:
    shop.workload(replicas=1)
    shop.workload("db", kind="StatefulSet", replicas=1)
    (web,) = shop.get(shop.path("pods", labelSelector="app=web"))["items"]
    (owner,) = web["metadata"]["ownerReferences"]
    assert web["metadata"]["generateName"] == f"{owner['name']}-"
    assert (owner["kind"], owner["controller"], owner["blockOwnerDeletion"]) == ("ReplicaSet", True, True)
    assert shop.get(shop.path("pods", "db-0"))["metadata"]["generateName"] == "db-"


def test_an_autoscaler_looks_at_the_processor_when_it_is_told_nothing(shop: Shop) -> None:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
    path = shop.path("horizontalpodautoscalers", group="autoscaling/v2")
    made = shop.api.make(path, {"metadata": {"name": "web"}, "spec": {"maxReplicas": 3, "scaleTargetRef": target}})
    usage = {"type": "Utilization", "averageUtilization": 80}
    assert made["spec"] == {
        "scaleTargetRef": target,
        "minReplicas": 1,
        "maxReplicas": 3,
        "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": usage}}],
    }
    assert made["status"] == {"desiredReplicas": 0, "currentMetrics": None}


def test_a_budget_begins_at_nothing(shop: Shop) -> None:
    path = shop.path("poddisruptionbudgets", group="policy/v1", dryRun="All")
    made = shop.api.make(path, {"metadata": {"name": "b"}, "spec": {"minAvailable": "50%", "selector": SELECTOR}})
    assert made["status"] == {"disruptionsAllowed": 0, "currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0}


def test_a_namespace_bears_its_name_as_a_label(shop: Shop) -> None:
    made = shop.get(f"/api/v1/namespaces/{shop.namespace}")
    assert without_volatile(made, ["name"]) == {
        "kind": "Namespace",
        "apiVersion": "v1",
        "metadata": {"labels": {"kubernetes.io/metadata.name": shop.namespace}},
        "spec": {"finalizers": ["kubernetes"]},
        "status": {"phase": "Active"},
    }


def test_names_that_are_taken_and_places_that_are_not_there(shop: Shop) -> None:
    shop.config("taken")
    again = shop.api.post(shop.path("configmaps"), {"metadata": {"name": "taken"}})
    assert says(again) == (409, "AlreadyExists", 'configmaps "taken" already exists')
    nowhere = shop.api.post("/api/v1/namespaces/nowhere/configmaps", {"metadata": {"name": "x"}})
    assert says(nowhere) == (404, "NotFound", 'namespaces "nowhere" not found')
    elsewhere = shop.api.post(shop.path("configmaps"), {"metadata": {"name": "x", "namespace": "default"}})
    text = "the namespace of the provided object does not match the namespace sent on the request"
    assert says(elsewhere) == (400, "BadRequest", text)


NAME_RULE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)


def test_names_that_are_none(shop: Shop) -> None:
    answer = shop.api.post(shop.path("configmaps"), {"metadata": {"name": "No_Name"}})
    text = f'ConfigMap "No_Name" is invalid: metadata.name: Invalid value: "No_Name": {NAME_RULE}'
    assert says(answer) == (422, "Invalid", text)
    answer = shop.api.post(shop.path("configmaps"), {"metadata": {}})
    text = 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required'
    assert says(answer) == (422, "Invalid", text)


def test_a_list_of_all_that_is_wrong(shop: Shop) -> None:
    containers: list[Json] = [{"name": "Bad_"}, {"name": "a", "image": "a"}, {"name": "a", "image": "a"}]
    body: Json = {"metadata": {"name": "x"}, "spec": {"replicas": -1, "selector": SELECTOR}}
    body["spec"]["template"] = {"metadata": {"labels": {"app": "other"}}, "spec": {"containers": containers}}
    answer = shop.api.post(shop.path("deployments", group="apps/v1"), body)
    assert causes(answer) == [
        ("spec.replicas", "FieldValueInvalid"),
        ("spec.template.metadata.labels", "FieldValueInvalid"),
        ("spec.template.spec.containers[0].name", "FieldValueInvalid"),
        ("spec.template.spec.containers[0].image", "FieldValueRequired"),
        ("spec.template.spec.containers[2].name", "FieldValueDuplicate"),
    ]
    details = answer.json["details"]
    assert (details["name"], details["group"], details["kind"]) == ("x", "apps", "Deployment")
    assert 'Invalid value: {"app":"other"}: `selector` does not match template `labels`' in answer.json["message"]
    answer = shop.api.post(shop.path("deployments", group="apps/v1"), {"metadata": {"name": "x"}})
    assert causes(answer) == [
        ("spec.selector", "FieldValueRequired"),
        ("spec.template.metadata.labels", "FieldValueInvalid"),
        ("spec.template.spec.containers", "FieldValueRequired"),
    ]
    answer = shop.api.post(shop.path("pods"), {"metadata": {"name": "x"}, "spec": {"containers": []}})
    assert says(answer) == (422, "Invalid", 'Pod "x" is invalid: spec.containers: Required value')


def test_what_may_never_change(shop: Shop) -> None:
    web = shop.workload(replicas=0)
    answer = shop.api.patch(web, {"spec": {"selector": {"matchLabels": {"app": "x"}}}})
    assert causes(answer) == [
        ("spec.template.metadata.labels", "FieldValueInvalid"),
        ("spec.selector", "FieldValueInvalid"),
    ]
    assert answer.json["message"].endswith('Invalid value: {"matchLabels":{"app":"x"}}: field is immutable]')
    db = shop.workload("db", kind="StatefulSet", replicas=0)
    answer = shop.api.patch(db, {"spec": {"serviceName": "other"}})
    assert causes(answer) == [("spec", "FieldValueForbidden")]
    assert "updates to statefulset spec for fields other than 'replicas'" in answer.json["message"]
    answer = shop.api.patch(web, {"spec": {"strategy": {"type": "Recreate"}}})
    assert causes(answer) == [("spec.strategy.rollingUpdate", "FieldValueForbidden")]


def test_bounds_that_do_not_fit(shop: Shop) -> None:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
    path = shop.path("horizontalpodautoscalers", group="autoscaling/v2")
    spec = {"minReplicas": 2, "maxReplicas": 8, "scaleTargetRef": target}
    shop.api.make(path, {"metadata": {"name": "web"}, "spec": spec})

    def refused(bounds: Json) -> list[tuple[str, str]]:
        return causes(shop.api.patch(f"{path}/web", {"spec": bounds}))

    assert refused({"minReplicas": 9}) == [("spec.maxReplicas", "FieldValueInvalid")]
    assert refused({"minReplicas": 0}) == [
        ("spec.minReplicas", "FieldValueInvalid"),
        ("spec.metrics", "FieldValueForbidden"),
    ]
    assert refused({"maxReplicas": 0}) == [
        ("spec.maxReplicas", "FieldValueRequired"),
        ("spec.maxReplicas", "FieldValueInvalid"),
    ]
    assert shop.api.patch(f"{path}/web", {"spec": {"minReplicas": 3, "maxReplicas": 9}}).status == 200
    path = shop.path("poddisruptionbudgets", group="policy/v1")

    def budget(**spec: Any) -> list[tuple[str, str]]:
        return causes(shop.api.post(path, {"metadata": {"name": "b"}, "spec": {"selector": SELECTOR, **spec}}))

    assert budget(minAvailable=1, maxUnavailable=1) == [("spec", "FieldValueInvalid")]
    assert budget(minAvailable="half") == [("spec.minAvailable", "FieldValueInvalid")]


@pytest.mark.parametrize(
    ("plural", "body"),
    [
        ("pods", {"metadata": {"name": "x"}, "spec": "?"}),
        ("configmaps", {"metadata": {"name": "x"}, "data": "?"}),
        ("configmaps", {"metadata": {"name": "x", "labels": {"a": 1}}}),
        ("configmaps", {"metadata": {"name": "x"}, "kind": "Pod"}),
        ("configmaps", [1]),
    ],
)
def test_what_is_no_such_object(shop: Shop, plural: str, body: Any) -> None:
    status, reason, _ = says(shop.api.post(shop.path(plural), body))
    assert (status, reason) == (400, "BadRequest")


def test_a_custom_object_has_to_say_what_it_is(backend: Backend, shop: Shop) -> None:
    backend.define_custom()
    path = shop.path("rollouts", group="argoproj.io/v1alpha1")
    status, reason, text = says(shop.api.post(path, {"metadata": {"name": "r"}}))
    assert (status, reason) == (400, "BadRequest")
    assert text.startswith("the object provided is unrecognized (must be of type Rollout): ")


def test_who_has_set_what(shop: Shop) -> None:
    """As far as the bot looks: which manager owns which field, how lists are keyed, and what belongs to nobody."""
    web = shop.workload(replicas=1)
    change = {
        "metadata": {"annotations": {"note": "x"}},
        "spec": {"replicas": 2, "template": {"spec": {"containers": [{"name": "web", "image": "reg/web:3"}]}}},
    }
    shop.api.send("PATCH", f"{web}?fieldManager=bot", change, kind="application/strategic-merge-patch+json")
    entries = shop.get(web)["metadata"]["managedFields"]
    (bot,) = [entry for entry in entries if entry["manager"] == "bot"]
    container: Json = {'k:{"name":"web"}': {"f:image": {}}}
    assert bot["fieldsV1"] == {
        "f:metadata": {"f:annotations": {"f:note": {}}},
        "f:spec": {"f:replicas": {}, "f:template": {"f:spec": {"f:containers": container}}},
    }
    assert (bot["operation"], bot["apiVersion"], bot["fieldsType"]) == ("Update", "apps/v1", "FieldsV1")
    (controller,) = [entry for entry in entries if entry.get("subresource") == "status"]
    assert controller["manager"] == "kube-controller-manager"
    assert "f:deployment.kubernetes.io/revision" in controller["fieldsV1"]["f:metadata"]["f:annotations"]
    (creator,) = [entry for entry in entries if entry not in (bot, controller)]
    owned = creator["fieldsV1"]["f:spec"]
    assert "f:replicas" not in owned
    assert owned["f:selector"] == {}
    assert owned["f:strategy"] == {"f:rollingUpdate": {".": {}, "f:maxSurge": {}, "f:maxUnavailable": {}}, "f:type": {}}
    made = owned["f:template"]["f:spec"]["f:containers"]['k:{"name":"web"}']
    assert "f:image" not in made
    assert made["f:ports"] == {
        ".": {},
        'k:{"containerPort":8080,"protocol":"TCP"}': {".": {}, "f:containerPort": {}, "f:protocol": {}},
    }
