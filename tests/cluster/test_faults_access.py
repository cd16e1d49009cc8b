"""Permissions, credentials and admission as a real API server has them, changed while a plan waits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cluster.controlplane import ControlPlane
from tests.cluster.proxy import dry_runs, writes
from tests.cluster.talk import service, talk
from tests.cluster.weather import DATABASE, Weather, until, weather

ADMISSION = "/apis/admissionregistration.k8s.io/v1"
Json = dict[str, Any]


class Policies:
    """Admission policies for one namespace; gone after the test, for they are the whole cluster's."""

    def __init__(self, controlplane: ControlPlane, namespace: str) -> None:
        self._admin = controlplane.api()
        self._namespace = namespace
        self._made: list[str] = []

    def make(self, plural: str, content: Json) -> None:
        self._admin.make(f"{ADMISSION}/{plural}", {"metadata": {"name": self._namespace}, **content})
        self._made.append(f"{ADMISSION}/{plural}/{self._namespace}")

    def bind(self, kind: str, spec: Json, **binding: Any) -> None:
        self.make(
            f"{kind}admissionpolicies", {"spec": {"failurePolicy": "Fail", "matchConstraints": self.match, **spec}}
        )
        self.make(f"{kind}admissionpolicybindings", {"spec": {"policyName": self._namespace, **binding}})

    @property
    def match(self) -> Json:
        return {"namespaceSelector": self.here, "resourceRules": [self.rule]}

    @property
    def here(self) -> Json:
        return {"matchLabels": {"kubernetes.io/metadata.name": self._namespace}}

    @property
    def rule(self) -> Json:
        return {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["UPDATE"], "resources": ["deployments"]}

    def remove(self) -> None:
        for path in reversed(self._made):
            self._admin.delete(path)


@pytest.fixture
def policies(controlplane: ControlPlane, namespace: str) -> Iterator[Policies]:
    made = Policies(controlplane, namespace)
    yield made
    made.remove()


async def in_force(there: Weather, status: int, replicas: int) -> None:
    """Until scaling to five, tried, comes to this: the API server takes a moment to learn of a policy."""

    def tried() -> bool:
        answer = there.admin.patch(f"{there.deployments}/probe?dryRun=All", {"spec": {"replicas": 5}})
        found = answer.json.get("spec", {}).get("replicas", 0) if answer.status == 200 else 0
        return (answer.status, found) == (status, replicas)

    await until(tried, "the policy to be in force")


async def test_a_permission_taken_away_between_plan_and_confirmation(
    controlplane: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        await there.talk.ask("scale web to 5")
        there.account.take_away("patch")
        told = await there.talk.press("confirm")
        assert "Not done: scale web" in told
        assert f'User "{there.account.user}" cannot patch resource "deployments"' in told
        assert "nothing was changed" in told
        assert "chatops-bot doctor lists what to grant; then ask again" in told
        assert await there.talk.ledger() == ["refused"]
        assert await there.talk.targets() == 0
        assert there.proxy.count(writes("/web")) == 1
        # The API server's record follows its answer.
        await until(lambda: [sent for sent in there.sent() if sent.what != "dry run"], "the API server's record")
        assert [sent.code for sent in there.sent() if sent.what != "dry run"] == [403]
        # Without it there is not even a plan.
        told = await there.talk.ask("把 web 扩容到 6 个副本", "bob")
        assert "无法准备：扩缩容 web" in told
        assert "chatops-bot doctor 会列出要授予什么" in told
        assert not there.talk.offers("confirm", "bob")


async def test_credentials_that_are_renewed_in_their_file_are_taken_up(
    controlplane: ControlPlane, namespace: str, redis_url: str, tmp_path: Path
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        token = tmp_path / "token"
        token.write_text("outdated")
        content = yaml.safe_load(controlplane.kubeconfig(name=f"{namespace}-file", server=there.proxy.url).read_text())
        content["users"][0]["user"] = {"tokenFile": str(token)}
        kubeconfig = tmp_path / "kubeconfig"
        kubeconfig.write_text(yaml.safe_dump(content))
        store = f"{redis_url}?db={DATABASE + 1}"
        async with talk(redis=store, kubeconfig=kubeconfig, services=[service(namespace, "web")]) as other:
            told = await other.ask("scale web to 5")
            assert "does not accept the bot's credentials: Unauthorized. Have them renewed, then ask again" in told
            old = there.account.token()
            token.write_text(f"{old}\n")
            assert "2 → 5" in await other.ask("scale web to 5")
            # Rotated while the plan waits, and the old one is worth nothing any more.
            token.write_text(there.account.token())
            there.proxy.forget(old)
            assert "Done: scale web" in await other.press("confirm")
        await there.until_sent(("write", 200))
        assert there.replicas("web") == 5


async def test_credentials_that_are_not_renewed(controlplane: ControlPlane, namespace: str, redis_url: str) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        await there.talk.ask("scale web to 5")
        there.proxy.forget(there.token)
        told = await there.talk.press("confirm")
        assert "does not accept the bot's credentials; nothing was changed: Unauthorized" in told
        assert await there.talk.ledger() == ["refused"]
        assert there.proxy.count(writes("/web")) == 0


async def test_a_policy_that_denies(
    controlplane: ControlPlane, namespace: str, redis_url: str, policies: Policies
) -> None:
    async with weather(controlplane, namespace, redis_url, names=("web", "api", "probe")) as there:
        await there.talk.ask("scale web to 5")
        rule = {"expression": "object.spec.replicas <= 4", "message": "change freeze: at most 4 replicas until Monday"}
        policies.bind("validating", {"validations": [rule]}, validationActions=["Deny"])
        await in_force(there, 422, 0)
        told = await there.talk.press("confirm")
        assert "Not done: scale web" in told
        assert "change freeze: at most 4 replicas until Monday" in told
        assert "nothing was changed" in told
        assert "Ask again once that is settled" in told
        assert await there.talk.ledger() == ["refused"]
        await there.until_sent(("write", 422))
        told = await there.talk.ask("scale api to 5", "bob")
        assert "Cannot scale api" in told
        assert "at most 4 replicas until Monday" in told
        await there.talk.ask("scale api to 4", "bob")
        assert "Done: scale api" in await there.talk.press("confirm", "bob")


async def test_a_policy_that_has_its_own_way(
    controlplane: ControlPlane, namespace: str, redis_url: str, policies: Policies
) -> None:
    async with weather(controlplane, namespace, redis_url, names=("web", "api", "probe")) as there:
        await there.talk.ask("scale web to 5")
        change = {
            "expression": "Object{spec: Object.spec{replicas: object.spec.replicas > 3 ? 3 : object.spec.replicas}}"
        }
        mutation = {"patchType": "ApplyConfiguration", "applyConfiguration": change}
        policies.bind("mutating", {"reinvocationPolicy": "Never", "mutations": [mutation]})
        await in_force(there, 200, 3)
        # Too late for the plan that waits: told as it came out.
        told = await there.talk.press("confirm")
        assert "made something else of it: spec.replicas: 3" in told or "made it 3 replicas instead of 5" in told
        told = await there.talk.until_heard("made it 3 replicas instead of 5")
        assert await there.talk.ledger() == ["done"]
        await there.until_sent(("write", 200))
        # In time for the next: what is not done as shown is not offered.
        told = await there.talk.ask("把 api 扩容到 5 个副本", "bob")
        assert "准入策略会把它改成别的样子（spec.replicas: 3）" in told
        assert not there.talk.offers("confirm", "bob")
        assert "2 → 3" in await there.talk.ask("把 api 扩容到 3 个副本", "bob")


async def test_a_webhook_that_is_away(
    controlplane: ControlPlane, namespace: str, redis_url: str, policies: Policies
) -> None:
    async with weather(controlplane, namespace, redis_url, names=("web", "probe")) as there:
        await there.talk.ask("scale web to 5")
        webhook = {
            "name": "freeze.example.test",
            "clientConfig": {"url": "https://127.0.0.1:1/validate"},
            "rules": [policies.rule],
            "namespaceSelector": policies.here,
            "failurePolicy": "Fail",
            "sideEffects": "None",
            "admissionReviewVersions": ["v1"],
            "timeoutSeconds": 1,
        }
        policies.make("validatingwebhookconfigurations", {"webhooks": [webhook]})
        await in_force(there, 500, 0)
        told = await there.talk.press("confirm")
        assert "Not done: scale web" in told
        assert 'failed calling webhook "freeze.example.test"' in told
        assert "nothing was changed" in told
        assert await there.talk.ledger() == ["refused"]
        assert await there.talk.targets() == 0
        await there.until_sent(("write", 500))
        told = await there.talk.ask("scale web to 5", "bob")
        assert "Dry-run by the API server: refused" in told
        assert not there.talk.offers("confirm", "bob")
        assert there.proxy.count(dry_runs("/web")) == 2


async def test_a_quota_that_stops_the_rollout(controlplane: ControlPlane, namespace: str, redis_url: str) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        quotas = f"/api/v1/namespaces/{namespace}/resourcequotas"
        there.admin.make(quotas, {"metadata": {"name": "pods"}, "spec": {"hard": {"pods": "3"}}})
        there.admin.until(f"{quotas}/pods", lambda found: found.get("status", {}).get("used", {}).get("pods") == "2")
        await there.talk.ask("scale web to 5")
        await there.talk.press("confirm")
        told = await there.talk.until_heard("new pods cannot be created")
        assert re.search("Stuck at [23] of 5", told)
        assert "exceeded quota: pods" in told
        assert await there.talk.ledger() == ["done"]
        await there.until_sent(("write", 200))
