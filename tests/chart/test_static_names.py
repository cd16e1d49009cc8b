"""Names and labels that people choose: those that YAML would take for something else, and those that select pods."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests.chart.rendering import CHART, NEEDED, Helm

TRICKY = ("123", "1e3", "0777", "null", "true", "on")
"""Legal names in Kubernetes; without quotes YAML reads a number, nothing, or a truth."""


def values(name: str) -> dict[str, Any]:
    """One installation in which everything is called the same, that can be."""
    return {
        "namespaces": [name],
        "nodes": {"read": True},
        "fullnameOverride": name,
        "nameOverride": name,
        "image": {**NEEDED["image"], "tag": name},
        "imagePullSecrets": [{"name": name}],
        "cluster": {"name": f"main-{name}", "environment": name},
        "serviceAccount": {"name": name},
        "priorityClassName": name,
        "policy": {"groups": {name: [name]}, "rules": [{"confirm": [name]}]},
        "config": {"slack": {"enabled": True, "mode": "http"}},
        "slack": {"existingSecret": name, "keys": {"botToken": name, "signingSecret": name}},
        "remoteClusters": [{"name": name, "secretName": name, "key": name, "context": name, "namespaces": [name]}],
        "redis": {"bundled": {"passwordKey": name, "persistence": {"storageClass": name}}},
        "ingress": {"enabled": True, "className": name, "host": "ops.test", "tlsSecretName": name},
        "monitoring": {"serviceMonitor": {"enabled": True}, "prometheusRule": {"enabled": True}},
        "cronJobs": {name: {"schedule": "@daily", "args": [name], "timeZone": name}},
        "settle": {"timeZone": name},
    }


def external(name: str) -> dict[str, Any]:
    """The same of an external Redis."""
    tls = {"existingSecret": name, "caKey": name}
    outside = {"url": "rediss://x", "existingSecret": name, "passwordKey": name, "tls": tls}
    return {"redis": {"mode": "external", "external": outside}}


def leaves(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value, and every key, with where it is."""
    if isinstance(node, dict):
        for key, inner in node.items():
            yield f"{path} has", key
            yield from leaves(inner, f"{path}.{key}")
    elif isinstance(node, list):
        for place, inner in enumerate(node):
            yield from leaves(inner, f"{path}.{place}")
    else:
        yield path, node


def kinds(helm: Helm, name: str, chosen: dict[str, Any]) -> list[tuple[str, type]]:
    """What each value of the rendered objects is, in their order."""
    arguments = ["template", name, str(CHART), "--namespace", name, "--kube-version", "1.36.0", "-f", "-"]
    text = helm.run(*arguments, values=json.dumps({**NEEDED, **chosen}))
    objects = [each for each in yaml.load_all(text, yaml.CSafeLoader) if each]
    objects.sort(key=lambda each: (each["kind"], str(each["metadata"])))
    return [(where.replace(f".{name}", ".NAME"), type(leaf)) for each in objects for where, leaf in leaves(each)]


@pytest.mark.parametrize("name", TRICKY)
@pytest.mark.parametrize("of", [values, external], ids=["bundled", "external"])
def test_a_name_stays_a_name(helm: Helm, of: Any, name: str) -> None:
    plain = "x" * len(name)
    assert sorted(kinds(helm, name, of(name)), key=str) == sorted(kinds(helm, plain, of(plain)), key=str)


@pytest.mark.parametrize("label", ["name", "instance", "component"])
@pytest.mark.parametrize("place", ["commonLabels", "podLabels"])
def test_labels_that_select_pods_are_the_charts(newest: Helm, place: str, label: str) -> None:
    said = newest.refusal({place: {f"app.kubernetes.io/{label}": "redis"}})
    assert f"{place} replaces app.kubernetes.io/{label}, by which the chart finds its pods" in said
    assert newest.render({place: {"app.kubernetes.io/part-of": "operations"}}).one("Deployment")


@pytest.mark.parametrize(
    "section",
    ["config", "cluster", "nodes", "rbac", "serviceAccount", "redis", "service", "ingress", "networkPolicy", "feishu"],
)
def test_a_section_that_is_left_empty_is_named(helm: Helm, section: str) -> None:
    """A heading under which everything is commented out takes the chart's own values away."""
    said = helm.refusal({section: None})
    assert "don't meet the specifications of the schema" in said
    assert section in said


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"fullnameOverride": "-bot"}, "fullnameOverride"),
        ({"nameOverride": "bot-"}, "nameOverride"),
        ({"priorityClassName": "high\nhostNetwork: true"}, "priorityClassName"),
        ({"slack": {"existingSecret": "Slack_Secret"}}, "slack.existingSecret"),
        ({"slack": {"keys": {"botToken": ""}}}, "slack.keys.botToken"),
        ({"redis": {"external": None}}, "external"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_names_that_kubernetes_would_refuse_are_refused_before(helm: Helm, chosen: dict[str, Any], words: str) -> None:
    said = helm.refusal(chosen)
    assert "don't meet the specifications of the schema" in said
    assert words in said.replace("/", ".")
