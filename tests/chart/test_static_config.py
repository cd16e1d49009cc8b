"""What the chart gives the bot to read is what the values say, is usable, and holds no secret."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import certifi
import pytest
import yaml
from pydantic import SecretStr

from chatops_bot.adapters.runbooks.loading import load_folder
from chatops_bot.app.configuration import Configuration, load
from chatops_bot.app.section import Section
from chatops_bot.app.settings import PLATFORMS
from chatops_bot.domain.policy import Policy
from tests.chart.mounting import Files, laid_out, mounted
from tests.chart.rendering import VALUES, Helm, Rendered

MAIN = "/etc/chatops-bot/config/chatops-bot.yaml"
ELSEWHERE: Mapping[str, Files] = {
    "chatops-bot-slack": {
        "bot-token": b"xoxb-there\n",
        "app-token": b"xapp-there\n",
        "signing-secret": b"signed-there",
    },
    "chatops-bot-feishu": {
        "app-secret": b"app-secret-there\n",
        "encrypt-key": b"encrypt-key-there",
        "verification-token": b"verification-there",
    },
    "chatops-bot-wecom": {
        "app-secret": b"application-there\n",
        "app-token": b"app-token-there",
        "app-aes-key": b"abcdefghijklmnopqrstuvwxyz0123456789ABCDEF3",
        "bot-secret": b"robot-secret-there",
        "bot-token": b"robot-token-there",
        "bot-aes-key": b"abcdefghijklmnopqrstuvwxyz0123456789ABCDEF4",
    },
    "chatops-bot-alerts": {"alerts-token": b"alerted-there", "alerts-password": b"password-there"},
    "chatops-bot-model": {"key-of-the-model": b"model-key-there"},
    "chatops-bot-redis": {"redis-password": b"stored-there"},
    "redis-credentials": {"password": b"p@ss/there"},
    "redis-address": {"url": b"cluster://:whole-there@r-0:7000,r-1:7001"},
    "redis-authority": {"ca.crt": Path(certifi.where()).read_bytes()[:100_000].rpartition(b"\n# Issuer")[0]},
    "kubeconfig-prod-east": {"kubeconfig": b"clusters: []"},
    "kubeconfig-prod-west": {"kubeconfig": b"clusters: []"},
    "kubeconfig-dev": {"config": b"clusters: []"},
    "certificates": {"extra.crt": b""},
}
"""Secrets and ConfigMaps that the values files take to be there."""

IN_VALUES = (
    "xoxb-0-test",
    "xapp-0-test",
    "signed-test",
    "app-secret-test",
    "encrypt-key-test",
    "verification-test",
    "application-test",
    "app-token-test",
    "robot-token-test",
    "abcdefghijklmnopqrstuvwxyz",
    "alerted-test",
    "model-key-test",
    "stored-test",
    "in-the-values",
    "too",
)
"""Secrets that stand in them."""

each_file = pytest.mark.parametrize("name", VALUES)


def read(rendered: Rendered, folder: Path, component: str = "bot") -> Configuration:
    """The configuration as the bot itself reads it in its pod. Raises `ConfigurationError`."""
    _, pod = rendered.component(component)
    files = {
        path: content
        for path, content in mounted(rendered, pod, elsewhere=ELSEWHERE).items()
        if path.startswith("/etc/chatops-bot/")
    }
    laid_out(files, folder)
    given = {entry["name"]: entry["value"] for entry in pod["spec"]["containers"][0]["env"]}
    assert given["CHATOPS_CONFIG"] == MAIN
    return load(folder / MAIN.lstrip("/"), {key: value for key, value in given.items() if key != "CHATOPS_CONFIG"})


def secrets_of(section: Section) -> dict[str, str]:
    """All secrets that a platform was given."""
    return {name: value.get_secret_value() for name, value in section if isinstance(value, SecretStr)}


def address(configuration: Configuration) -> str:
    url = configuration.settings.store.url
    return url.get_secret_value() if url is not None else ""


@each_file
def test_the_bot_can_use_what_it_is_given(helm: Helm, name: str, tmp_path: Path) -> None:
    rendered = helm.file(name)
    configuration = read(rendered, tmp_path / "bot")
    assert configuration.settings.clusters
    assert any(getattr(configuration.settings, platform).enabled for platform in PLATFORMS)
    for number, (_, pod) in enumerate(rendered.pods()):
        component = pod["metadata"]["labels"]["app.kubernetes.io/component"]
        if component == "test":
            assert read(rendered, tmp_path / str(number), component).settings.clusters == tuple(
                cluster.model_copy(
                    update={"kubeconfig": _moved(cluster.kubeconfig, tmp_path / "bot", tmp_path / str(number))}
                )
                for cluster in configuration.settings.clusters
            )


def _moved(path: Path | None, origin: Path, to: Path) -> Path | None:
    return None if path is None else to / path.relative_to(origin)


@each_file
def test_no_secret_stands_in_a_config_map_or_a_pod(newest: Helm, name: str, tmp_path: Path) -> None:
    rendered = newest.file(name)
    _, pod = rendered.component("bot")
    held = [
        content.decode().strip()
        for path, content in mounted(rendered, pod, elsewhere=ELSEWHERE).items()
        if path.startswith("/etc/chatops-bot/secrets/")
    ]
    assert held or name == "trial"
    open_to_all = json.dumps([each for each in rendered.objects if each["kind"] != "Secret"])
    assert not [secret for secret in (*held, *IN_VALUES[:-1]) if secret in open_to_all]
    assert "sentinel_password" not in open_to_all


class TestStore:
    def test_bundled(self, newest: Helm, tmp_path: Path) -> None:
        rendered = newest.file("minimal")
        password = rendered.data("Secret", "bot-chatops-bot-redis")["password"].decode()
        assert address(read(rendered, tmp_path)) == f"redis://:{password}@bot-chatops-bot-redis:6379/0"
        service = rendered.one("Service", "bot-chatops-bot-redis")
        assert service["spec"]["ports"][0]["port"] == 6379

    def test_bundled_with_a_password_of_ones_own(self, newest: Helm, tmp_path: Path) -> None:
        rendered = newest.file("cluster-wide")
        assert address(read(rendered, tmp_path)) == "redis://:stored-there@bot-chatops-bot-redis:6379/0"
        assert not rendered.of("Secret")

    def test_external_by_tls_with_the_password_apart(self, newest: Helm, tmp_path: Path) -> None:
        found = address(read(newest.file("external-redis"), tmp_path))
        authority = tmp_path / "etc/chatops-bot/redis-tls/ca.crt"
        assert found == f"rediss://chatops:p%40ss%2Fthere@redis.data.svc:6380/1?ssl_ca_certs={authority}"

    def test_sentinel_with_the_password_in_the_address(self, newest: Helm, tmp_path: Path) -> None:
        found = address(read(newest.file("sentinel"), tmp_path))
        assert found == (
            "sentinel://:in-the-values@sentinel-0.data.svc,sentinel-1.data.svc:26380/main?sentinel_password=too"
        )

    def test_a_cluster_whose_address_is_in_a_secret(self, newest: Helm, tmp_path: Path) -> None:
        assert address(read(newest.file("redis-cluster"), tmp_path)) == "cluster://:whole-there@r-0:7000,r-1:7001"

    def test_an_address_with_a_password_is_kept_in_a_secret(self, newest: Helm, tmp_path: Path) -> None:
        rendered = newest.render({"redis": {"mode": "external", "external": {"url": "redis://:hidden@cache:6379/3"}}})
        assert address(read(rendered, tmp_path)) == "redis://:hidden@cache:6379/3"
        assert "hidden" not in json.dumps(rendered.of("ConfigMap"))

    def test_an_open_one_stands_in_the_configuration(self, newest: Helm, tmp_path: Path) -> None:
        rendered = newest.render({"redis": {"mode": "external", "external": {"url": "redis://cache:6379/3"}}})
        assert rendered.configuration()["store"] == {"url": "redis://cache:6379/3"}
        assert not rendered.of("Secret")
        assert not rendered.of("StatefulSet")

    def test_certificates_are_named_beside_other_options(self, newest: Helm) -> None:
        tls = {"existingSecret": "redis-authority", "certKey": "tls.crt", "keyKey": "tls.key"}
        external = {"url": "cluster://r-0?ssl=true", "tls": tls}
        found = newest.render({"redis": {"mode": "external", "external": external}}).configuration()["store"]["url"]
        folder = "/etc/chatops-bot/redis-tls"
        assert found == (
            f"cluster://r-0?ssl=true&ssl_ca_certs={folder}/ca.crt&ssl_certfile={folder}/tls.crt"
            f"&ssl_keyfile={folder}/tls.key"
        )

    def test_embedded(self, newest: Helm, tmp_path: Path) -> None:
        rendered = newest.file("trial")
        configuration = read(rendered, tmp_path)
        assert address(configuration) == ""
        _, pod = rendered.component("bot")
        (data,) = [m for m in pod["spec"]["containers"][0]["volumeMounts"] if m["name"] == "data"]
        assert str(configuration.settings.store.directory) == data["mountPath"]
        assert rendered.one("Deployment")["spec"]["strategy"] == {"type": "Recreate"}


class TestSecrets:
    def test_socket_mode_takes_two_tokens(self, newest: Helm, tmp_path: Path) -> None:
        slack = read(newest.file("minimal"), tmp_path).settings.slack
        assert slack.bot_token is not None
        assert slack.app_token is not None
        assert slack.bot_token.get_secret_value() == "xoxb-there"
        assert slack.app_token.get_secret_value() == "xapp-there"
        assert slack.signing_secret is None

    def test_http_takes_a_token_and_the_signing_secret(self, newest: Helm, tmp_path: Path) -> None:
        slack = read(newest.file("everything"), tmp_path).settings.slack
        assert slack.bot_token is not None
        assert slack.signing_secret is not None
        assert slack.bot_token.get_secret_value() == "xoxb-0-test"
        assert slack.signing_secret.get_secret_value() == "signed-test"
        assert slack.app_token is None

    @pytest.mark.parametrize(
        ("config", "given"),
        [
            ({"mode": "connection"}, {"app_secret": "app-secret-there"}),
            (
                {"mode": "webhook"},
                {
                    "app_secret": "app-secret-there",
                    "encrypt_key": "encrypt-key-there",
                    "verification_token": "verification-there",
                },
            ),
        ],
        ids=["connection", "webhook"],
    )
    def test_feishu_takes_what_its_mode_needs(
        self, newest: Helm, tmp_path: Path, config: dict[str, str], given: dict[str, str]
    ) -> None:
        values = {
            "config": {"feishu": {"enabled": True, "app_id": "cli_1", **config}},
            "feishu": {"existingSecret": "chatops-bot-feishu"},
        }
        assert secrets_of(read(newest.render(values), tmp_path).settings.feishu) == given

    @pytest.mark.parametrize(
        ("config", "given"),
        [
            ({"bot_mode": "socket", "bot_id": "b"}, {"bot_secret"}),
            ({"bot_mode": "http"}, {"bot_token", "bot_aes_key"}),
            ({"agent_id": 1000002}, {"app_secret", "app_token", "app_aes_key"}),
            (
                {"agent_id": 1000002, "bot_mode": "http"},
                {"app_secret", "app_token", "app_aes_key", "bot_token", "bot_aes_key"},
            ),
        ],
        ids=["socket", "http", "application", "both"],
    )
    def test_wecom_takes_what_its_ways_in_need(
        self, newest: Helm, tmp_path: Path, config: dict[str, Any], given: set[str]
    ) -> None:
        values = {
            "replicaCount": 1,
            "config": {"wecom": {"enabled": True, "corp_id": "ww1", **config}},
            "wecom": {"existingSecret": "chatops-bot-wecom"},
        }
        wecom = read(newest.render(values), tmp_path).settings.wecom
        assert wecom.agent_id == config.get("agent_id", 0)
        found = secrets_of(wecom)
        assert set(found) == given
        there = {
            name.replace("-", "_"): value.decode().strip() for name, value in ELSEWHERE["chatops-bot-wecom"].items()
        }
        assert found == {name: there[name] for name in given}

    def test_secrets_of_all_platforms_may_stand_in_the_values(self, newest: Helm, tmp_path: Path) -> None:
        settings = read(newest.file("everything"), tmp_path).settings
        assert secrets_of(settings.feishu) == {
            "app_secret": "app-secret-test",
            "encrypt_key": "encrypt-key-test",
            "verification_token": "verification-test",
        }
        assert secrets_of(settings.wecom)["bot_aes_key"].endswith("2")

    def test_the_model_takes_a_key_where_there_is_one(self, newest: Helm, tmp_path: Path) -> None:
        model = read(newest.file("everything"), tmp_path / "key").settings.model
        assert (model.name, secrets_of(model)) == ("small-model", {"key": "model-key-test"})
        assert secrets_of(read(newest.file("alerts"), tmp_path / "there").settings.model) == {"key": "model-key-there"}
        without = newest.render({"config": {"model": {"name": "m"}}})
        assert read(without, tmp_path / "none").settings.model.key is None

    def test_alerts_take_a_token_or_a_password(self, newest: Helm, tmp_path: Path) -> None:
        by_token = read(newest.file("everything"), tmp_path / "token").settings.alerts
        by_password = read(newest.file("alerts"), tmp_path / "password").settings.alerts
        assert by_token.token is not None
        assert by_token.password is None
        assert by_token.token.get_secret_value() == "alerted-test"
        assert by_password.token is None
        assert by_password.password is not None
        assert by_password.password.get_secret_value() == "password-there"

    def test_what_is_switched_off_is_not_mounted(self, newest: Helm) -> None:
        tokens = {"botToken": "xoxb-unused", "appToken": "xapp-unused"}
        rendered = newest.render({"slack": tokens, "alerts": {"token": "unused"}})
        assert [each["metadata"]["name"] for each in rendered.of("Secret")] == ["bot-chatops-bot-redis"]


class TestContent:
    def test_numbers_stay_numbers(self, newest: Helm, tmp_path: Path) -> None:
        assert read(newest.file("everything"), tmp_path).settings.alerts.max_bytes == 67_108_864

    def test_clusters(self, newest: Helm) -> None:
        here = {"name": "prod-east", "in_cluster": True, "namespaces": ["payments", "data"], "environment": "prod"}
        assert newest.file("namespaces").configuration()["clusters"] == [here]
        folder = "/etc/chatops-bot/kubeconfigs"
        east = {"kubeconfig": f"{folder}/prod-east", "context": "chatops", "namespaces": ["payments"]}
        assert newest.file("remote-clusters").configuration()["clusters"] == [
            {"name": "prod-east", "environment": "prod", **east},
            {"name": "dev", "environment": "dev", "kubeconfig": f"{folder}/dev"},
        ]

    def test_the_catalog_is_a_file_of_its_own(self, newest: Helm, tmp_path: Path) -> None:
        (service,) = read(newest.file("namespaces"), tmp_path).services
        assert service.entity.target == "deployment/payment-svc"
        assert service.aliases == ("payment", "支付")
        assert service.entity.environment == "prod"

    def test_runbooks_lie_where_the_bot_looks_for_them(self, newest: Helm, tmp_path: Path) -> None:
        (folder,) = read(newest.file("everything"), tmp_path).settings.runbooks.folders
        loaded = load_folder(folder)
        assert loaded.problems == ()
        assert [runbook.id for runbook in loaded.runbooks] == ["own/settlement"]
        assert loaded.runbooks[0].title.zh == "结算任务失败"

    def test_an_id_of_a_runbook_has_an_area(self, newest: Helm) -> None:
        assert "runbooks" in newest.refusal({"runbooks": {"settlement": {}}})

    def test_without_a_policy_the_bot_only_reads(self, newest: Helm, tmp_path: Path) -> None:
        assert read(newest.file("minimal"), tmp_path / "without").policy == Policy.closed()
        with_one = read(newest.file("namespaces"), tmp_path / "with").policy
        assert with_one.standing == "file"
        assert len(with_one.rules) == 2

    def test_people_are_a_part_of_the_policy(self, newest: Helm, tmp_path: Path) -> None:
        policy = read(newest.file("feishu"), tmp_path).policy
        assert policy.members(["sre"]) == ("feishu:ou_7d8a6e", "wecom:zhangsan")

    def test_the_configuration_is_taken_as_it_is(self, newest: Helm) -> None:
        config = {"language": "zh", "timeouts": {"idle_s": 900}, "limits": {"user_queries_per_minute": 40}}
        found = newest.render({"config": config}).configuration()
        assert {key: found[key] for key in config} == config

    def test_texts_that_look_like_something_else_stay_texts(self, newest: Helm) -> None:
        scope = {"actions": ["scale"], "environments": ["on", "1e3", "null", "2026-01-01", "08"]}
        rules = [{**scope, "confirm": ["*"]}]
        text = newest.render({"policy": {"rules": rules}}).one("ConfigMap", "bot-chatops-bot-policy")["data"]
        assert yaml.safe_load(text["policy.yaml"]) == {"rules": rules}

    @pytest.mark.parametrize(
        ("actions", "left"),
        [
            (["scale"], [{"actions": ["scale"], "confirm": ["a"]}, {"actions": ["read", "scale"], "request": ["b"]}]),
            (["restart"], [{"actions": ["restart"], "confirm": ["a"]}, {"actions": ["restart"], "confirm": ["c"]}]),
            ([], []),
        ],
    )
    def test_the_policy_gives_nobody_an_action_that_is_switched_off(
        self, newest: Helm, actions: list[str], left: list[Any]
    ) -> None:
        rules: list[Any] = [{"confirm": ["a"]}, {"actions": ["restart"], "confirm": ["c"]}]
        if "scale" in actions:
            rules.append({"actions": ["read", "*"], "request": ["b"]})
        rendered = newest.render({"actions": actions, "policy": {"rules": rules}})
        text = rendered.one("ConfigMap", "bot-chatops-bot-policy")["data"]["policy.yaml"]
        assert yaml.safe_load(text) == {"rules": left}


class TestRestarts:
    """Pods are replaced when something changes that is read only at the start, and for nothing else."""

    @staticmethod
    def template(helm: Helm, values: dict[str, Any], component: str = "bot") -> Any:
        tokens = {"slack": {"botToken": "xoxb-a", "appToken": "xapp-a"}, "config": {"slack": {"enabled": True}}}
        base = {**tokens, "policy": {"rules": [{"confirm": ["slack:U024BE7LH"]}]}, **values}
        base["redis"] = {"bundled": {"password": "fixed", **values.get("redis", {}).get("bundled", {})}}
        return helm.render(base).component(component)[1]

    @pytest.mark.parametrize(
        "values",
        [
            {"config": {"slack": {"enabled": True}, "language": "zh"}},
            {"services": [{"name": "a", "namespace": "payments", "workload": "deployment/a"}]},
            {"cluster": {"environment": "prod"}},
            {"namespaces": ["payments", "data"]},
            {"slack": {"botToken": "xoxb-b", "appToken": "xapp-a"}},
            {"redis": {"bundled": {"password": "changed"}}},
        ],
        ids=lambda values: next(iter(values)),
    )
    def test_what_is_read_at_the_start_restarts_the_bot(self, helm: Helm, values: dict[str, Any]) -> None:
        assert self.template(helm, values) != self.template(helm, {})

    def test_an_entry_of_the_catalog_does_too(self, newest: Helm) -> None:
        first, second = (
            self.template(newest, {"services": [{"name": name, "namespace": "a", "workload": "deployment/a"}]})
            for name in ("a", "b")
        )
        assert first != second

    @pytest.mark.parametrize(
        "values",
        [
            {"policy": {"rules": [{"confirm": ["*"]}]}},
            {"actions": ["restart"]},
            {"nodes": {"read": True}},
            {"replicaCount": 3},
            {"monitoring": {"prometheusRule": {"enabled": True}}},
            {"service": {"port": 80}},
        ],
        ids=lambda values: next(iter(values)),
    )
    def test_what_is_followed_or_elsewhere_does_not(self, helm: Helm, values: dict[str, Any]) -> None:
        assert self.template(helm, values) == self.template(helm, {})

    @pytest.mark.parametrize("bundled", [{"password": "changed"}, {"maxmemory": "512mb"}, {"appendfsync": "everysec"}])
    def test_redis_restarts_for_its_own_settings(self, newest: Helm, bundled: dict[str, str]) -> None:
        changed = self.template(newest, {"redis": {"bundled": bundled}}, "redis")
        assert changed != self.template(newest, {}, "redis")

    @pytest.mark.parametrize(
        "values", [{"image": {"repository": "registry.test/bot", "tag": "9"}}, {"config": {"slack": {"enabled": True}}}]
    )
    def test_redis_does_not_restart_with_the_bot(self, newest: Helm, values: dict[str, Any]) -> None:
        assert self.template(newest, values, "redis") == self.template(newest, {}, "redis")

    def test_a_generated_password_restarts_nothing(self, newest: Helm) -> None:
        values = {"config": {"slack": {"enabled": True}}, "slack": {"existingSecret": "chatops-bot-slack"}}
        assert newest.render(values).component("bot") == newest.render({**values, "nodes": {"read": False}}).component(
            "bot"
        )
