"""Amounts as Kubernetes writes them, and what a pod asks for as a whole."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from chatops_bot.domain.amounts import amount, asked, highest, shown, total, with_defaults
from chatops_bot.domain.observed import Raw


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("500m", Fraction(1, 2)),
        ("1", 1),
        (2, 2),
        (".5", Fraction(1, 2)),
        ("1.", 1),
        ("100k", 100_000),
        ("1.5Gi", 1_610_612_736),
        ("12E", 12 * 10**18),
        ("1e3", 1000),
        ("1E-2", Fraction(1, 100)),
        ("250u", Fraction(1, 4000)),
        ("-1", -1),
        (" 1Ki ", 1024),
        ("1K", None),
        ("x", None),
        ("", None),
        ("1.2.3", None),
        ("1Kib", None),
        (None, None),
        (True, None),
        ({}, None),
    ],
)
def test_a_quantity_is_read_exactly(written: object, value: object) -> None:
    assert amount(written) == value


@pytest.mark.parametrize(
    ("resource", "value", "words"),
    [
        ("cpu", Fraction(1, 2), "500m"),
        ("requests.cpu", Fraction(5, 2), "2.5"),
        ("cpu", Fraction(0), "0"),
        ("limits.memory", Fraction(1_610_612_736), "1.5Gi"),
        ("memory", Fraction(300), "300"),
        ("requests.ephemeral-storage", Fraction(1024**4), "1Ti"),
        ("pods", Fraction(12), "12"),
        ("hugepages-2Mi", Fraction(4 * 1024**2), "4Mi"),
    ],
)
def test_an_amount_is_said_in_its_unit(resource: str, value: Fraction, words: str) -> None:
    assert shown(resource, value) == words


def container(name: str = "app", **resources: Any) -> Raw:
    return {"name": name, "resources": resources}


def test_a_pod_asks_for_its_containers_together() -> None:
    template = {"spec": {"containers": [container(requests={"cpu": "100m"}), container("b", requests={"cpu": "1"})]}}
    assert asked(template) == {"cpu": Fraction(11, 10)}


def test_a_limit_alone_is_the_request_too() -> None:
    template = {"spec": {"containers": [container(limits={"memory": "1Gi", "cpu": "1"}, requests={"cpu": "500m"})]}}
    assert asked(template) == {"memory": 1024**3, "cpu": Fraction(1, 2)}
    assert asked(template, "limits") == {"memory": 1024**3, "cpu": 1}


def test_the_neediest_step_of_initialisation_counts_with_the_sidecars_started_before_it() -> None:
    sidecar = {**container("proxy", requests={"cpu": "200m"}), "restartPolicy": "Always"}
    spec = {
        "initContainers": [sidecar, container("migrate", requests={"cpu": "2", "memory": "1Ki"})],
        "containers": [container(requests={"cpu": "1"})],
    }
    assert asked({"spec": spec}) == {"cpu": Fraction(22, 10), "memory": 1024}
    spec["initContainers"] = [sidecar, container("migrate", requests={"cpu": "100m"})]
    assert asked({"spec": spec}) == {"cpu": Fraction(12, 10)}


def test_what_is_said_for_the_pod_wins_and_the_overhead_comes_on_top() -> None:
    spec = {
        "containers": [container(requests={"cpu": "1", "memory": "1Ki"})],
        "resources": {"requests": {"cpu": "3"}},
        "overhead": {"cpu": "250m", "ephemeral-storage": "1"},
    }
    assert asked({"spec": spec}) == {"cpu": Fraction(13, 4), "memory": 1024}


def test_finished_pods_hold_nothing() -> None:
    pod = {"spec": {"containers": [container(requests={"cpu": "1"})]}}
    assert total([pod, {**pod, "status": {"phase": "Succeeded"}}, {**pod, "status": {"phase": "Running"}}]) == {
        "cpu": 2
    }


def test_the_defaults_of_a_limit_range_are_what_a_silent_container_gets() -> None:
    rules = [
        {"type": "Pod", "max": {"cpu": "9"}},
        {"type": "Container", "default": {"cpu": "1", "memory": "1Ki"}, "defaultRequest": {"cpu": "100m"}},
        {"type": "Container", "default": {"memory": "2Ki"}},
    ]
    template = {
        "metadata": {"labels": {}},
        "spec": {"containers": [{"name": "a"}, container("b", limits={"cpu": "2"}, claims=[])]},
    }
    made = with_defaults(template, [{"spec": {"limits": rules}}])
    assert asked(made) == {"cpu": Fraction(21, 10), "memory": 2 * 1024}
    assert asked(made, "limits") == {"cpu": 3, "memory": 2 * 1024}
    assert made["spec"]["containers"][1]["resources"]["claims"] == []
    assert with_defaults(template, [{"spec": {"limits": rules[:1]}}]) is template


def test_the_highest_of_nothing_is_nothing() -> None:
    assert highest() == {}
