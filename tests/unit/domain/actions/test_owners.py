"""Who puts a change back, by what is changed: each row of what manages workloads, with what to do instead."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.actions.owners import APPLICATION, Touched, application_of, owner_warnings
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.plans import Draft
from tests.unit.domain.cluster_objects import keys, observed, spoken, workload

TRACKED = {"annotations": {"argocd.argoproj.io/tracking-id": "shop-app:apps/Deployment:shop/web"}}
FLUX = {"labels": {"kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}}
RELEASE = {"labels": {"helm.toolkit.fluxcd.io/name": "web"}}
HELM = {"annotations": {"meta.helm.sh/release-name": "web-release"}}
OWNED = {"ownerReferences": [{"kind": "Prometheus", "name": "main", "controller": True}]}


def managed(metadata: Raw) -> Raw:
    made = workload()
    made["metadata"] |= metadata
    return made


def application(**spec: Any) -> Raw:
    return {"metadata": {"name": "shop-app"}, "spec": spec}


HEALS = application(syncPolicy={"automated": {"selfHeal": True}})


@pytest.mark.parametrize(
    ("metadata", "touched", "applications", "words"),
    [
        (TRACKED, "template", (), "shows OutOfSync, and self-heal puts it back"),
        (TRACKED, "replicas", (HEALS,), "self-heal ON: it is put back within minutes. Change it in Git"),
        (TRACKED, "template", (HEALS,), "self-heal ON"),
        (TRACKED, "template", (application(syncPolicy={"automated": {}}),), "self-heal off"),
        (TRACKED, "template", (application(),), "put back at the next sync"),
        (TRACKED, "restart", (HEALS,), "a restart stands as a rule"),
        (
            TRACKED,
            "replicas",
            (application(ignoreDifferences=[{"jsonPointers": ["/spec/replicas"]}]),),
            "leaves the number of replicas alone",
        ),
        (
            TRACKED,
            "replicas",
            (application(ignoreDifferences=[{}, {"jqPathExpressions": [".spec.replicas"]}]),),
            "leaves the number of replicas alone",
        ),
        (
            TRACKED,
            "template",
            (application(ignoreDifferences=[{"jsonPointers": ["/spec/replicas"]}]),),
            "self-heal off",
        ),
        (FLUX, "replicas", (), "To hold it off: flux suspend kustomization apps -n flux-system"),
        (RELEASE, "template", (), "To hold it off: flux suspend helmrelease web"),
        ({"managedFields": [{"manager": "kustomize-controller"}]}, "template", (), "Managed by Flux (?)"),
        (HELM, "template", (), "Helm (web-release): the next upgrade overwrites"),
        ({"labels": {"app.kubernetes.io/managed-by": "Helm"}}, "replicas", (), "Helm (?)"),
        (OWNED, "replicas", (), "(Prometheus main): it may undo this; change that resource instead"),
        (OWNED, "template", (), "the rollout stops half way. Change that resource, not this"),
        (OWNED, "restart", (), "the rollout stops half way"),
    ],
)
def test_who_puts_it_back_is_named_with_what_to_do_instead(
    metadata: Raw, touched: Touched, applications: tuple[Raw, ...], words: str
) -> None:
    (said,) = owner_warnings(managed(metadata), touched, applications)
    assert words in spoken(said)


@pytest.mark.parametrize(
    ("metadata", "touched"),
    [
        ({}, "template"),
        (FLUX, "restart"),
        (HELM, "restart"),
        (TRACKED, "paused"),
        (HELM, "paused"),
        (
            {**FLUX, "managedFields": [{"manager": "kustomize-controller"}], "annotations": {
                "kustomize.toolkit.fluxcd.io/reconcile": "disabled"}},
            "template",
        ),
        ({**FLUX, "annotations": {"kustomize.toolkit.fluxcd.io/ssa": "Ignore"}}, "replicas"),
        ({"ownerReferences": [{"kind": "Prometheus", "name": "main"}]}, "template"),
    ],
)  # fmt: skip
def test_what_nobody_puts_back_is_not_warned_of(metadata: Raw, touched: Touched) -> None:
    assert list(owner_warnings(managed(metadata), touched)) == []


def test_the_application_is_named_by_the_mark_of_either_tracking() -> None:
    assert application_of(managed(TRACKED)) == "shop-app"
    assert application_of(managed({"labels": {"argocd.argoproj.io/instance": "shop"}})) == "shop"
    assert application_of(managed({})) == ""


@pytest.mark.parametrize(
    ("action", "slots", "key"),
    [
        ("scale", {"replicas": 5}, "warn.argo_heals"),
        ("set_image", {"image": "reg/web:2"}, "warn.argo_heals"),
        ("restart", {}, "warn.argo_restart"),
    ],
)
def test_each_action_says_what_becomes_of_it(action: str, slots: dict[str, SlotValue], key: str) -> None:
    found = observed(managed(TRACKED), applications=(HEALS,))
    made = ACTIONS[action].draft(found, slots, token="t0", stamp="2026-11-29T00:00:00Z")
    assert isinstance(made, Draft)
    assert key in keys(made.warnings)
    if action != "restart":
        assert ACTIONS[action].needs >= APPLICATION
