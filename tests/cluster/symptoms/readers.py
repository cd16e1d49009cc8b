"""Accounts that may read what the chart grants, in the whole cluster or in some namespaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import yaml

from tests.cluster.controlplane import ControlPlane

Json = dict[str, Any]

READER: Final = "reader"
NARROW: Final = "narrow-reader"
RBAC: Final = "/apis/rbac.authorization.k8s.io/v1"

_PERMISSIONS = Path(__file__).parents[3] / "helm/chatops-bot/files/permissions.yaml"


def binding(account: str) -> Json:
    """Of the account to the role of its name, here or in the whole cluster."""
    return {
        "metadata": {"name": account},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": account},
        "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": "default"}],
    }


def everywhere() -> list[Json]:
    """Rules for the whole cluster: nodes and what is on them too."""
    return [*in_namespaces(), *_parts()["nodes"]["cluster"]]


def in_namespaces() -> list[Json]:
    """Rules for the namespaces that it serves."""
    return [*_parts()["reading"]["namespaced"], *_parts()["watching"]["namespaced"]]


def _parts() -> Json:
    return dict(yaml.safe_load(_PERMISSIONS.read_text()))


def account(controlplane: ControlPlane, name: str, rules: list[Json]) -> Path:
    """A kubeconfig of a ServiceAccount, and a role of its name that is bound nowhere yet."""
    admin = controlplane.api()
    admin.make("/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": name}})
    admin.make(f"{RBAC}/clusterroles", {"metadata": {"name": name}, "rules": rules})
    token = admin.make(f"/api/v1/namespaces/default/serviceaccounts/{name}/token", {"spec": {}})["status"]["token"]
    return controlplane.kubeconfig(str(token), name=name)
