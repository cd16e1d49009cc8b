"""How the pods run: without rights, with a place to write, with time to end in order, and found by what looks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

from chatops_bot.app.cli import app
from chatops_bot.app.http import CHECK_WITHIN_S, CLUSTERS
from chatops_bot.app.run import GRACE_S
from chatops_bot.app.serving import CLOSING_S
from chatops_bot.app.settings import HttpSettings
from tests.chart.rendering import NAMESPACE, VALUES, Helm, Json, Rendered

each_file = pytest.mark.parametrize("name", VALUES)

LONG = "release-whose-name-is-as-long-as-helm-allows-it-to-be"
POLICY = {"rules": [{"confirm": ["*"]}]}
REMOTE = [{"name": "far", "secretName": "kubeconfig-far"}]


def containers(rendered: Rendered) -> Iterator[tuple[Json, Json]]:
    """Every container with the spec of its pod."""
    for _, pod in rendered.pods():
        spec = pod["spec"]
        assert "initContainers" not in spec
        yield from ((container, spec) for container in spec["containers"])


class TestSecurity:
    """As the restricted profile of the Pod Security Standards asks, and a root that cannot be written to.
    https://kubernetes.io/docs/concepts/security/pod-security-standards/"""

    @each_file
    def test_no_container_has_rights(self, helm: Helm, name: str) -> None:
        found = list(containers(helm.file(name)))
        assert len(found) >= 2
        for container, spec in found:
            pod, own = spec["securityContext"], container["securityContext"]
            assert pod["runAsNonRoot"] is True
            assert pod["runAsUser"] == pod["runAsGroup"] == pod["fsGroup"] == 10_001
            assert pod["seccompProfile"] == {"type": "RuntimeDefault"}
            assert own == {
                "allowPrivilegeEscalation": False,
                "privileged": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert not {"hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace"} & set(spec)
            assert not any("hostPath" in volume for volume in spec["volumes"])
            assert spec["enableServiceLinks"] is False

    @each_file
    def test_every_container_says_what_it_needs(self, helm: Helm, name: str) -> None:
        for container, _ in containers(helm.file(name)):
            assert container["resources"]["requests"]["memory"]
            assert container["resources"]["limits"]["memory"]

    @each_file
    def test_only_pods_that_ask_the_api_server_have_a_token(self, helm: Helm, name: str) -> None:
        rendered = helm.file(name)
        asking = {"bot", "doctor"} if name != "remote-clusters" else set()
        for workload, pod in rendered.pods():
            (container,) = pod["spec"]["containers"]
            asks = container["name"] in asking or container.get("args") == ["doctor", "--json"]
            assert pod["spec"]["automountServiceAccountToken"] is asks, workload["metadata"]["name"]
            if container["name"] == "redis":
                assert "serviceAccountName" not in pod["spec"]
        for account in rendered.of("ServiceAccount"):
            assert account["automountServiceAccountToken"] is False

    def test_ids_may_be_left_to_the_platform(self, helm: Helm) -> None:
        rendered = helm.render({"podSecurityContext": {"runAsUser": None, "runAsGroup": None, "fsGroup": None}})
        for _, pod in rendered.pods():
            assert pod["spec"]["securityContext"] == {
                "runAsNonRoot": True,
                "seccompProfile": {"type": "RuntimeDefault"},
            }

    @each_file
    def test_secrets_can_be_read_by_the_pods_group_alone(self, newest: Helm, name: str) -> None:
        for _, spec in containers(newest.file(name)):
            for volume in spec["volumes"]:
                source = volume.get("secret") or volume.get("projected")
                assert source is None or source["defaultMode"] == 0o440


class TestRunning:
    @each_file
    def test_mounts_and_volumes_belong_together(self, helm: Helm, name: str) -> None:
        rendered = helm.file(name)
        claimed = {"data"} if rendered.of("StatefulSet") else set()
        for container, spec in containers(rendered):
            mounts = [mount["name"] for mount in container["volumeMounts"]]
            assert len(mounts) == len(set(mounts))
            volumes = {volume["name"] for volume in spec["volumes"]}
            assert volumes <= set(mounts)
            assert set(mounts) - volumes <= (claimed if container["name"] == "redis" else set())
            assert "/tmp" in [mount["mountPath"] for mount in container["volumeMounts"]]
            # A volume that is mounted by `subPath` is never brought up to date.
            assert not any("subPath" in mount for mount in container["volumeMounts"])

    @each_file
    def test_pods_run_commands_that_there_are(self, newest: Helm, name: str) -> None:
        for container, _ in containers(newest.file(name)):
            if container["name"] == "redis":
                continue
            assert container["command"] == ["chatops-bot"]
            found = typer.main.get_command(app)
            words = list(container["args"])
            while isinstance(found, TyperGroup):
                found = found.commands[words.pop(0)]
            assert set(words) <= {option for parameter in found.params for option in parameter.opts}

    def test_the_policy_is_mounted_where_it_is_followed(self, newest: Helm) -> None:
        rendered = newest.render({"policy": POLICY})
        (container, spec), *_ = [each for each in containers(rendered) if each[0]["name"] == "bot"]
        (mount,) = [mount for mount in container["volumeMounts"] if mount["name"] == "policy"]
        assert rendered.configuration()["policy_file"] == f"{mount['mountPath']}/policy.yaml"
        assert {"name": "policy", "configMap": {"name": "bot-chatops-bot-policy"}} in spec["volumes"]

    def test_a_stopping_pod_has_the_time_it_takes(self, newest: Helm) -> None:
        _, pod = newest.file("minimal").component("bot")
        (container,) = pod["spec"]["containers"]
        (command, before) = container["lifecycle"]["preStop"]["exec"]["command"]
        assert command == "sleep"
        # What is at work ends first, then the platforms and the servers one after the other.
        taken = int(before) + GRACE_S + 2 * CLOSING_S
        assert taken + 5 <= pod["spec"]["terminationGracePeriodSeconds"]

    def test_no_pause_before_the_end_where_none_is_wanted(self, newest: Helm) -> None:
        _, pod = newest.render({"preStopSeconds": 0}).component("bot")
        assert "lifecycle" not in pod["spec"]["containers"][0]

    def test_probes_ask_what_they_are_for(self, newest: Helm) -> None:
        _, pod = newest.file("minimal").component("bot")
        (container,) = pod["spec"]["containers"]
        probes = {kind: container[f"{kind}Probe"] for kind in ("startup", "liveness", "readiness")}
        assert probes["startup"]["httpGet"]["path"] == probes["liveness"]["httpGet"]["path"] == "/healthz"
        assert probes["readiness"]["httpGet"]["path"] == f"/readyz?exclude={CLUSTERS}"
        assert {probe["httpGet"]["port"] for probe in probes.values()} == {"http"}
        assert probes["readiness"]["timeoutSeconds"] > CHECK_WITHIN_S
        assert container["ports"] == [{"name": "http", "containerPort": HttpSettings().port}]

    def test_copies_are_replaced_one_by_one_and_kept_apart(self, newest: Helm) -> None:
        deployment = newest.file("minimal").one("Deployment")["spec"]
        assert deployment["replicas"] == 2
        assert deployment["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
        (spread,) = deployment["template"]["spec"]["topologySpreadConstraints"]
        assert spread["whenUnsatisfiable"] == "ScheduleAnyway"
        assert spread["labelSelector"] == deployment["selector"]
        own = newest.file("everything").one("Deployment")["spec"]["template"]["spec"]["topologySpreadConstraints"]
        assert own[0]["labelSelector"] == {"matchLabels": {"app.kubernetes.io/instance": "everything"}}

    @pytest.mark.parametrize(("replicas", "budgets"), [(1, 0), (2, 1)])
    def test_a_budget_never_holds_up_a_drain_for_ever(self, newest: Helm, replicas: int, budgets: int) -> None:
        found = newest.render({"replicaCount": replicas}).of("PodDisruptionBudget")
        assert [budget["spec"]["maxUnavailable"] for budget in found] == [1] * budgets

    def test_images(self, newest: Helm) -> None:
        def image(name: str) -> Any:
            return newest.file(name).component("bot")[1]["spec"]["containers"][0]["image"]

        assert image("minimal") == "registry.test/chatops-bot:0.1.0"
        assert image("external-redis") == "registry.test/chatops-bot:1.2.3"
        assert image("cluster-wide").startswith("registry.test/chatops-bot@sha256:0123")

    def test_commands_by_the_clock(self, newest: Helm) -> None:
        found = {each["metadata"]["name"]: each["spec"] for each in newest.file("monitoring").of("CronJob")}
        assert set(found) == {"bot-chatops-bot-audit-verify", "bot-chatops-bot-doctor", "bot-chatops-bot-settle"}
        job = found["bot-chatops-bot-audit-verify"]
        assert job["schedule"] == "17 3 * * *"
        assert job["concurrencyPolicy"] == "Forbid"
        spec = job["jobTemplate"]["spec"]["template"]["spec"]
        assert spec["restartPolicy"] == "Never"
        assert spec["containers"][0]["command"] == ["chatops-bot"]
        assert spec["containers"][0]["args"] == ["audit", "verify"]
        assert found["bot-chatops-bot-doctor"]["timeZone"] == "Europe/Berlin"

    def test_conversations_are_judged_at_night_wherever_there_is_a_store_to_share(self, newest: Helm) -> None:
        for name in VALUES:
            rendered = newest.file(name)
            jobs = {each["metadata"]["name"]: each["spec"] for each in rendered.of("CronJob")}
            embedded = "directory" in rendered.configuration()["store"]
            assert any(called.endswith("-settle") for called in jobs) is not embedded, name
        spec = newest.file("minimal").one("CronJob")["spec"]
        assert (spec["schedule"], spec.get("timeZone")) == ("23 2 * * *", None)
        job = spec["jobTemplate"]["spec"]["template"]["spec"]
        assert job["containers"][0]["args"] == ["settle"]
        assert job["automountServiceAccountToken"] is False

    def test_when_conversations_are_judged_can_be_said_or_that_they_are_not(self, newest: Helm) -> None:
        spec = newest.render({"settle": {"schedule": "@weekly", "timeZone": "Asia/Shanghai"}}).one("CronJob")["spec"]
        assert (spec["schedule"], spec["timeZone"]) == ("@weekly", "Asia/Shanghai")
        assert not newest.render({"settle": {"enabled": False}}).of("CronJob")
        own = {"settle": {"schedule": "@daily", "args": ["settle", "--json"]}}
        (mine,) = newest.render({"settle": {"enabled": False}, "cronJobs": own}).of("CronJob")
        assert mine["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]["args"] == ["settle", "--json"]

    def test_what_is_tested_is_what_runs(self, newest: Helm) -> None:
        for name in VALUES:
            rendered = newest.file(name)
            (_, bot), (test, doctor) = rendered.component("bot"), rendered.component("test")
            assert test["metadata"]["annotations"]["helm.sh/hook"] == "test"
            assert [pod["spec"]["containers"][0]["args"] for pod in (bot, doctor)] == [["run"], ["doctor"]]
            for key in ("serviceAccountName", "automountServiceAccountToken", "volumes", "securityContext"):
                assert doctor["spec"][key] == bot["spec"][key]
            for key in ("image", "env", "volumeMounts", "command"):
                assert doctor["spec"]["containers"][0][key] == bot["spec"]["containers"][0][key]


def matches(selector: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    """As Kubernetes matches; only `In` is used."""
    wanted = selector.get("matchLabels", {}).items()
    listed = selector.get("matchExpressions", [])
    assert all(each["operator"] == "In" for each in listed)
    return wanted <= labels.items() and all(labels.get(each["key"]) in each["values"] for each in listed)


class TestFinding:
    """What selects pods selects the right ones, and those alone."""

    @staticmethod
    def selected(rendered: Rendered, selector: Mapping[str, Any]) -> set[str]:
        return {
            pod["metadata"]["labels"]["app.kubernetes.io/component"]
            for _, pod in rendered.pods()
            if matches(selector, pod["metadata"]["labels"])
        }

    @each_file
    def test_services_budgets_and_controllers(self, helm: Helm, name: str) -> None:
        rendered = helm.file(name)
        for service in rendered.of("Service"):
            component = service["metadata"]["labels"]["app.kubernetes.io/component"]
            assert self.selected(rendered, {"matchLabels": service["spec"]["selector"]}) == {component}
            (container,) = rendered.component(component)[1]["spec"]["containers"]
            assert service["spec"]["ports"][0]["targetPort"] in [port["name"] for port in container["ports"]]
        for kind, component in (("PodDisruptionBudget", "bot"), ("Deployment", "bot"), ("StatefulSet", "redis")):
            for each in rendered.of(kind):
                assert self.selected(rendered, each["spec"]["selector"]) == {component}

    @each_file
    def test_network_policies(self, helm: Helm, name: str) -> None:
        rendered = helm.file(name)
        own, *redis = rendered.of("NetworkPolicy")
        asking = {"bot", "test", *(["job"] if rendered.of("CronJob") else [])}
        assert self.selected(rendered, own["spec"]["podSelector"]) == asking
        assert own["spec"]["policyTypes"] == ["Ingress", "Egress"]
        bundled = bool(rendered.of("StatefulSet"))
        assert len(redis) == bundled
        for policy in redis:
            assert self.selected(rendered, policy["spec"]["podSelector"]) == {"redis"}
            (rule,) = policy["spec"]["ingress"]
            assert self.selected(rendered, rule["from"][0]["podSelector"]) == asking
            assert rule["ports"] == [{"protocol": "TCP", "port": 6379}]
            assert policy["spec"]["egress"] == []
            towards = [rule["to"] for rule in own["spec"]["egress"] if "to" in rule]
            assert self.selected(rendered, towards[0][0]["podSelector"]) == {"redis"}

    @pytest.mark.parametrize(
        ("name", "redis"),
        [
            ("external-redis", {6380}),
            ("sentinel", {6379, 6381, 26379, 26380}),
            ("redis-cluster", {7000, 7001, 7002}),
            ("trial", set[int]()),
        ],
    )
    def test_what_may_go_out(self, newest: Helm, name: str, redis: set[int]) -> None:
        (policy,) = newest.file(name).of("NetworkPolicy")
        ports = {port["port"] for rule in policy["spec"]["egress"] for port in rule["ports"]}
        assert ports == {53, 443, 6443} | redis

    @pytest.mark.parametrize(
        ("url", "ports"),
        [
            ("redis://cache", {6379}),
            ("rediss://u:p@cache:1/0?ssl_cert_reqs=none", {1}),
            ("cluster://a:1,b,c:3", {1, 3, 6379}),
            ("sentinel://a,b:2/main", {2, 6379, 26379}),
            ("redis://[fd00::1]:4/0", {4}),
            ("redis://[fd00::1]/0", {6379}),
            ("", {6379, 26379}),
        ],
    )
    def test_ports_are_read_from_the_address(self, newest: Helm, url: str, ports: set[int]) -> None:
        external = {"url": url} if url else {"existingSecret": "address", "urlKey": "url"}
        (policy,) = newest.render({"redis": {"mode": "external", "external": external}}).of("NetworkPolicy")
        (rule,) = policy["spec"]["egress"][2:]
        assert {port["port"] for port in rule["ports"]} == ports

    @pytest.mark.parametrize(
        ("model", "ports"),
        [
            ({"name": "m", "url": "http://vllm.models:8000/v1"}, {8000}),
            ({"name": "m", "url": "http://vllm.models/v1"}, {80}),
            ({"name": "m", "url": "https://[fd00::1]:9/v1"}, {9}),
            ({"name": "m", "url": "https://models.example/v1"}, set[int]()),
            ({"name": "m"}, set[int]()),
            ({"url": "http://vllm.models:8000/v1"}, set[int]()),
        ],
    )
    def test_the_model_is_let_out_to(self, newest: Helm, model: Json, ports: set[int]) -> None:
        values = {"config": {"model": model}, "redis": {"mode": "embedded"}, "replicaCount": 1}
        (policy,) = newest.render(values).of("NetworkPolicy")
        assert {port["port"] for rule in policy["spec"]["egress"][2:] for port in rule["ports"]} == ports

    def test_nobody_comes_in_where_nobody_is_named(self, newest: Helm) -> None:
        def policy(peers: list[dict[str, Any]]) -> Json:
            found: Json = newest.render({"networkPolicy": {"ingressFrom": peers}}).of("NetworkPolicy")[0]["spec"]
            return found

        anyone, nobody = policy([{"namespaceSelector": {}}]), policy([])
        assert anyone["ingress"][0]["ports"] == [{"protocol": "TCP", "port": 8081}]
        assert not nobody["ingress"]
        assert "Ingress" in nobody["policyTypes"]

    @pytest.mark.parametrize(
        ("name", "paths"),
        [
            ("slack-http", ["/slack/events"]),
            ("wecom", ["/wecom/app"]),
            ("everything", ["/slack/events", "/feishu/events", "/wecom/app", "/wecom/robot", "/alerts"]),
        ],
    )
    def test_the_ingress_opens_what_is_called_from_outside(self, helm: Helm, name: str, paths: list[str]) -> None:
        rendered = helm.file(name)
        (rule,) = rendered.one("Ingress")["spec"]["rules"]
        assert rule["host"] == "ops.example.com"
        assert [entry["path"] for entry in rule["http"]["paths"]] == paths
        assert {entry["pathType"] for entry in rule["http"]["paths"]} == {"Exact"}
        service = rendered.one("Service", rule["http"]["paths"][0]["backend"]["service"]["name"])
        assert service["spec"]["ports"][0]["name"] == "http"
        assert rendered.one("Ingress")["spec"]["tls"] == [
            {"hosts": ["ops.example.com"], "secretName": "ops-example-com"}
        ]

    def test_no_way_in_from_outside_by_default(self, newest: Helm) -> None:
        rendered = newest.file("minimal")
        assert not rendered.of("Ingress")
        assert {service["spec"]["type"] for service in rendered.of("Service")} == {"ClusterIP"}


class TestNames:
    @pytest.mark.parametrize("release", [LONG, "with.dots"])
    @each_file
    def test_names_fit_whatever_the_release_is_called(self, newest: Helm, name: str, release: str) -> None:
        rendered = newest.file(name, release=release)
        for each in rendered.objects:
            called = each["metadata"]["name"]
            most = {"CronJob": 52, "StatefulSet": 52}.get(each["kind"], 63)
            assert len(called) <= most, called
            assert re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", called), called
            for key, value in _labels(each):
                assert re.fullmatch(r"([A-Za-z0-9]([\w.-]*[A-Za-z0-9])?)?", value), f"{key}: {value}"
                assert len(value) <= 63

    def test_names_that_are_cut_differ(self, newest: Helm) -> None:
        first, second = (
            {each["metadata"]["name"] for each in newest.file("monitoring", release=f"{LONG[:-1]}{end}").objects}
            for end in "yz"
        )
        assert not first & second

    def test_no_name_comes_twice(self, newest: Helm) -> None:
        for name in VALUES:
            named = [
                (each["kind"], each["metadata"].get("namespace", ""), each["metadata"]["name"])
                for each in newest.file(name, release=LONG).objects
            ]
            assert len(named) == len(set(named))

    def test_what_lies_outside_bears_the_namespace_in_its_name(self, newest: Helm) -> None:
        rendered = newest.render({"policy": POLICY, "nodes": {"read": True}, "namespaces": ["payments"]})
        for kind in ("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"):
            for each in rendered.of(kind):
                assert each["metadata"]["name"] == f"{NAMESPACE}-bot-chatops-bot"

    @each_file
    def test_everything_is_labelled_and_in_its_namespace(self, helm: Helm, name: str) -> None:
        team = {"team": "platform"} if name == "everything" else {}
        for each in helm.file(name).objects:
            labels = each["metadata"]["labels"]
            assert team.items() <= labels.items()
            assert {"app.kubernetes.io/name", "app.kubernetes.io/instance"} <= set(labels)
            if not each["kind"].startswith(("ClusterRole", "Role")):
                assert each["metadata"]["namespace"] == NAMESPACE


def _labels(node: Any) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("labels", "matchLabels") and isinstance(value, dict):
                yield from value.items()
            else:
                yield from _labels(value)
    elif isinstance(node, list):
        for item in node:
            yield from _labels(item)
