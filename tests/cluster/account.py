"""The bot's own identity in a cluster: a ServiceAccount that may do what the README grants, with a token of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tests.cluster.api import Api

NAME = "chatops-bot"
_README = Path(__file__).parents[2] / "README.md"
_RBAC = "/apis/rbac.authorization.k8s.io/v1"


def role() -> dict[str, Any]:
    """The README's Role."""
    blocks = [block.partition("```")[0] for block in _README.read_text().split("```yaml\n")[1:]]
    (found,) = [each for each in map(yaml.safe_load, blocks) if isinstance(each, dict) and each.get("kind") == "Role"]
    return dict(found)


class Account:
    """A ServiceAccount in a namespace, bound to the README's Role there."""

    def __init__(self, admin: Api, namespace: str) -> None:
        self._admin = admin
        self._namespace = namespace
        self.user = f"system:serviceaccount:{namespace}:{NAME}"
        self._role = f"{_RBAC}/namespaces/{namespace}/roles/{NAME}"

    def create(self) -> None:
        named = {"name": NAME, "namespace": self._namespace}
        self._admin.make(f"/api/v1/namespaces/{self._namespace}/serviceaccounts", {"metadata": named})
        self._admin.make(f"{_RBAC}/namespaces/{self._namespace}/roles", {**role(), "metadata": named})
        binding = {
            "metadata": named,
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": NAME},
            "subjects": [{"kind": "ServiceAccount", **named}],
        }
        self._admin.make(f"{_RBAC}/namespaces/{self._namespace}/rolebindings", binding)

    def token(self) -> str:
        """A fresh one, good for an hour, or until its Secret, `name`, or the account goes."""
        path = f"/api/v1/namespaces/{self._namespace}/serviceaccounts/{NAME}/token"
        return str(self._admin.make(path, {"spec": {"expirationSeconds": 3600}})["status"]["token"])

    def take_away(self, verb: str) -> None:
        """From now on it may not do this any more, with anything."""
        rules = [{**rule, "verbs": [each for each in rule["verbs"] if each != verb]} for rule in role()["rules"]]
        answer = self._admin.patch(self._role, {"rules": [rule for rule in rules if rule["verbs"]]})
        assert answer.status == 200, answer.text
