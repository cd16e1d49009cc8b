"""What a mutating admission policy made of a patch."""

from __future__ import annotations

import pytest

from chatops_bot.domain.altered import altered_by_cluster
from chatops_bot.domain.observed import Raw

PATCH: Raw = {"metadata": {"annotations": {"chatops-bot.io/plan": "t0"}}, "spec": {"replicas": 5}}

APP: Raw = {"name": "app", "image": "reg/web:1"}


def made(**changed: object) -> Raw:
    metadata = {"name": "web", "annotations": {"chatops-bot.io/plan": "t0", "team": "shop"}}
    return {"kind": "Deployment", "metadata": metadata, "spec": {"replicas": 5, "paused": False}, **changed}


@pytest.mark.parametrize(
    ("patch", "found", "altered"),
    [
        (PATCH, made(), ""),
        (PATCH, made(spec={"replicas": 3}), "spec.replicas: 3"),
        (PATCH, made(spec=None), "spec.replicas: None"),
        (PATCH, made(metadata={"annotations": None}), "metadata.annotations.chatops-bot.io/plan: None"),
        ({"spec": {"replicas": 0, "paused": None}}, made(spec={}), ""),
        ({"spec": {"tolerations": ["a"]}}, made(spec={"tolerations": ["b", "a"]}), ""),
        ({"spec": {"template": {"$patch": "replace"}}}, made(spec={"template": {}}), ""),
        ({"spec": {"containers": [APP]}}, made(spec={"containers": [{"name": "proxy"}, APP]}), ""),
        (
            {"spec": {"containers": [APP]}},
            made(spec={"containers": [{**APP, "image": "mirror/web:1"}]}),
            "spec.containers.app.image: mirror/web:1",
        ),
        (
            {"spec": {"containers": [APP]}},
            made(spec={}),
            "spec.containers.app.name: None, spec.containers.app.image: None",
        ),
        ({"spec": {"env": [{"name": "A", "value": "1"}] * 2}}, made(spec={"env": []}), ""),
        ({"spec": {"ports": [{"containerPort": 80}]}}, made(spec={"ports": []}), ""),
    ],
)
def test_only_what_the_patch_set_counts(patch: Raw, found: Raw, altered: str) -> None:
    assert altered_by_cluster(patch, found) == altered
