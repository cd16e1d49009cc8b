from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.config_maps import config_maps_of


def workload(**spec: Any) -> dict[str, Any]:
    return {"spec": {"template": {"spec": spec}}}


def test_mounts_and_environments_are_named_once_in_their_order() -> None:
    app = {
        "envFrom": [{"configMapRef": {"name": "env"}}, {"secretRef": {"name": "hidden"}}],
        "env": [
            {"name": "A", "valueFrom": {"configMapKeyRef": {"name": "keys", "key": "a"}}},
            {"name": "B", "value": "b"},
        ],
    }
    volumes = [
        {"name": "a", "configMap": {"name": "mounted"}},
        {"name": "b", "projected": {"sources": [{"configMap": {"name": "projected"}}, {"secret": {"name": "s"}}]}},
        {"name": "c", "secret": {"secretName": "s"}},
    ]
    first = {"envFrom": [{"configMapRef": {"name": "first"}}, {"configMapRef": {"name": "mounted"}}]}
    found = config_maps_of(workload(volumes=volumes, initContainers=[first], containers=[app]))
    assert found == ["mounted", "projected", "first", "env", "keys"]


@pytest.mark.parametrize("odd", [{}, {"spec": None}, workload(volumes=[None, {"configMap": None}], containers="x")])
def test_odd_templates_name_none(odd: dict[str, Any]) -> None:
    assert config_maps_of(odd) == []
