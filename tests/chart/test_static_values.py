"""Values: those that are wrong are refused in words, and all of them are explained."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from chatops_bot.domain import catalog, intents, policy_file
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.catalog import CatalogError
from chatops_bot.domain.policy import Limits, Rule
from chatops_bot.domain.policy_file import PolicyError
from chatops_bot.domain.scopes import EVERYBODY, READS
from tests.chart.config_schema import GIVEN_BY_THE_CHART, SCHEMA, config_schema
from tests.chart.rendering import CHART, VALUES, Helm, HelmError

HOLD_BACK = ("config", "policy", "services", "cronJobs", "remoteClusters")
"""Values whose inside is explained in sentences, or in the bot's own documentation."""

SLACK: dict[str, Any] = {"config": {"slack": {"enabled": True}}}
FEISHU: dict[str, Any] = {"config": {"feishu": {"enabled": True, "app_id": "cli_1"}}}
ALERTS: dict[str, Any] = {"config": {"rooms": {"C0": {}}, "alerts": {"enabled": True, "room": "C0"}}}


def schema() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(SCHEMA.read_text("utf-8"))
    return loaded


class TestRefusals:
    @pytest.mark.parametrize(
        ("values", "words"),
        [
            ({"image": {}}, "repository"),
            ({"image": {"repository": ""}}, "image.repository"),
            ({"image": {"repository": "registry.test/bot:latest"}}, "image.repository"),
            ({"replicaCount": -1}, "replicaCount"),
            ({"replicaCount": "2"}, "replicaCount"),
            ({"actions": ["reboot"]}, "actions.0"),
            ({"actions": ["scale", "scale"]}, "actions"),
            ({"remoteClusters": [{"name": "far"}]}, "secretName"),
            ({"remoteClusters": [{"name": "far", "secretName": ""}]}, "remoteClusters.0.secretName"),
            ({"imagePullSecrets": ["registry"]}, "imagePullSecrets.0"),
            ({"namespaces": ["Payments"]}, "namespaces.0"),
            ({"namespace": ["payments"]}, "namespace"),
            ({"nodes": {"write": True}}, "write"),
            ({"config": {"slak": {}}}, "slak"),
            ({"config": {"timeouts": {"idle_s": 0}}}, "config.timeouts.idle_s"),
            ({"config": {"clusters": []}}, "clusters"),
            ({"config": {"slack": {"bot_token": "xoxb-1"}}}, "bot_token"),
            ({"policy": {"rules": [{"action": ["scale"]}]}}, "action"),
            ({"policy": {"rules": [{"actions": ["scael"]}]}}, "policy.rules.0.actions.0"),
            ({"policy": {"groups": {"sre": "alice"}}}, "policy.groups.sre"),
            ({"policy": {"people": {"zhang.san": "alice"}}}, "policy.people.zhang"),
            ({"config": {"feishu": {"app_secret": "x"}}}, "app_secret"),
            ({"config": {"wecom": {"bot_aes_key_file": "x"}}}, "bot_aes_key_file"),
            ({"feishu": {"botToken": "x"}}, "botToken"),
            ({"services": [{"name": "web", "namespace": "payments"}]}, "workload"),
            ({"redis": {"mode": "none"}}, "redis.mode"),
            ({"redis": {"bundled": {"maxmemory": "1Gi"}}}, "redis.bundled.maxmemory"),
            ({"service": {"port": 0}}, "service.port"),
            ({"terminationGracePeriodSeconds": 10}, "terminationGracePeriodSeconds"),
            ({"cronJobs": {"nightly": {"args": ["audit", "verify"]}}}, "schedule"),
            ({"cronJobs": {"nightly": {"schedule": "often", "args": ["doctor"]}}}, "cronJobs.nightly.schedule"),
            ({"cronJobs": {"A_b": {"schedule": "@daily", "args": ["doctor"]}}}, "A_b"),
            ({"settle": {"schedule": "nightly"}}, "settle.schedule"),
            ({"settle": {"suspend": True}}, "suspend"),
        ],
        ids=lambda value: json.dumps(value) if isinstance(value, dict) else "",
    )
    def test_the_schema_names_what_is_wrong(self, helm: Helm, values: dict[str, Any], words: str) -> None:
        said = helm.refusal(values)
        assert "don't meet the specifications of the schema" in said
        assert words in said.replace("/", ".")

    def test_without_an_image_it_says_so_in_one_line(self, helm: Helm) -> None:
        said = helm.refusal({"image": {}})
        assert re.search(r"image: repository is required|at '/image': missing property 'repository'", said)

    @pytest.mark.parametrize(
        ("values", "words"),
        [
            ({"namespaces": []}, "say where the bot may look: list namespaces, or set clusterWide: true"),
            ({"cluster": {"enabled": False}}, "there is no cluster to look at"),
            (
                {"remoteClusters": [{"name": "main", "secretName": "x"}]},
                "names of clusters must differ: main, main",
            ),
            (
                {"redis": {"mode": "embedded"}},
                "there is no store that replicas could share: set redis.mode to bundled or external, or replicaCount to 1",
            ),
            ({"redis": {"mode": "external"}}, "redis.mode is external, but no Redis is named"),
            ({"redis": {"external": {"url": "redis://x"}}}, "but redis.mode is bundled"),
            (
                {"redis": {"mode": "external", "external": {"url": "redis://x", "passwordKey": "password"}}},
                "redis.external.existingSecret is missing",
            ),
            (
                {"redis": {"mode": "external", "external": {"url": "redis://x", "existingSecret": "s", "urlKey": "u"}}},
                "both say where Redis is",
            ),
            ({"redis": {"mode": "external", "external": {"url": "http://x"}}}, "must begin with redis://"),
            ({"redis": {"bundled": {"password": "a b"}}}, "must have no spaces, quotes and backslashes"),
            (SLACK, "config.slack is enabled, but nothing gives its botToken: set slack.existingSecret (recommended)"),
            ({**SLACK, "slack": {"botToken": "xoxb-1"}}, "nothing gives its appToken"),
            ({"config": {"slack": {"enabled": True, "mode": "http"}}}, "nothing gives its signingSecret"),
            ({**SLACK, "slack": {"botToken": "xapp-1", "appToken": "xapp-1"}}, "does not begin with xoxb-"),
            ({**SLACK, "slack": {"existingSecret": "s", "botToken": "xoxb-1"}}, "are both set; keep one"),
            (
                FEISHU,
                "config.feishu is enabled, but nothing gives its appSecret: set feishu.existingSecret (recommended)",
            ),
            ({"config": {"feishu": {"enabled": True}}, "feishu": {"appSecret": "s"}}, "set config.feishu.app_id"),
            (
                {"config": {"feishu": {**FEISHU["config"]["feishu"], "mode": "webhook"}}, "feishu": {"appSecret": "s"}},
                "nothing gives its encryptKey",
            ),
            ({**FEISHU, "feishu": {"existingSecret": "s", "appSecret": "t"}}, "are both set; keep one"),
            ({"config": {"wecom": {"enabled": True, "agent_id": 1}}}, "nothing gives its appAesKey"),
            ({"config": {"wecom": {"enabled": True, "bot_mode": "http"}}}, "nothing gives its botAesKey"),
            ({"config": {"wecom": {"enabled": True}}}, "there is nobody to talk to: set config.wecom.agent_id"),
            (
                {"config": {"wecom": {"enabled": True, "bot_mode": "socket"}}, "wecom": {"botSecret": "s"}},
                "WeCom keeps one connection a robot: set replicaCount to 1",
            ),
            ({"actions": ["scale", "drain", "cordon"]}, "cordon, drain: nodes are in no namespace"),
            (ALERTS, "config.alerts is enabled, but nothing gives its token: set alerts.existingSecret"),
            ({"config": {"console": {"enabled": True}}}, "the console lives in one process: set replicaCount to 1"),
            ({"ingress": {"enabled": True, "host": "x.test"}}, "nothing is called from outside"),
            (
                {
                    "replicaCount": 1,
                    "redis": {"mode": "embedded"},
                    "cronJobs": {"a": {"schedule": "@daily", "args": ["doctor"]}},
                },
                "cronJobs have nothing to work on",
            ),
            (
                {"cronJobs": {"settle": {"schedule": "@daily", "args": ["settle"]}}},
                "cronJobs.settle has the name of what the value settle makes",
            ),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_values_that_do_not_go_together_are_told_in_words(
        self, helm: Helm, values: dict[str, Any], words: str
    ) -> None:
        said = helm.refusal(values)
        assert "The values of chatops-bot do not go together: - " in said
        assert words in said

    def test_all_that_is_wrong_is_told_at_once(self, newest: Helm) -> None:
        said = newest.refusal({"namespaces": [], "redis": {"mode": "embedded"}, **SLACK})
        assert said.count(" - ") == 4

    @pytest.mark.parametrize("token", ["xapp-mistaken-1", "with space-2"])
    def test_no_secret_is_shown_by_a_refusal(self, helm: Helm, token: str) -> None:
        values = {"slack": {"botToken": token, "existingSecret": "s"}, "redis": {"bundled": {"password": token}}}
        assert token not in helm.refusal({**SLACK, **values, "namespaces": []})


class TestSchema:
    def test_the_configuration_is_the_bots_own(self) -> None:
        """Written by `python -m tests.chart.config_schema`."""
        assert schema()["properties"]["config"] == config_schema()

    def test_what_the_chart_gives_is_not_asked_for(self) -> None:
        properties = schema()["properties"]["config"]["properties"]
        for path in GIVEN_BY_THE_CHART:
            section, _, field = path.partition(".")
            assert section not in properties if not field else field not in properties[section]["properties"]

    def test_actions_are_those_that_there_are(self) -> None:
        properties = schema()["properties"]
        assert properties["actions"]["items"]["enum"] == list(ACTIONS)
        # Those on nodes are for a bot of the whole cluster, which has to be asked for.
        assert values_yaml()["actions"] == [name for name, action in ACTIONS.items() if action.kinds != {"Node"}]

    def test_the_policy_is_that_of_the_bot(self) -> None:
        rule = schema()["properties"]["policy"]["properties"]["rules"]["items"]
        assert set(rule["properties"]) == set(Rule.__struct_fields__)
        assert set(rule["properties"]["limits"]["properties"]) == set(Limits.__struct_fields__)
        assert rule["properties"]["actions"]["items"]["enum"] == [*intents.ACTIONS, *READS, EVERYBODY]

    def test_freezes_are_those_of_the_bot(self) -> None:
        freeze = schema()["properties"]["policy"]["properties"]["freezes"]["items"]
        with pytest.raises(PolicyError) as refused:
            policy_file.parse({"freezes": [{"unheard": "of"}]})
        said = next(problem for problem in refused.value.problems if "known are" in problem)
        assert sorted(freeze["properties"]) == sorted(said.rpartition("known are ")[2].split(", "))
        assert freeze["properties"]["actions"]["items"]["enum"] == [*intents.ACTIONS, EVERYBODY]

    def test_sections_of_the_policy_are_those_of_the_bot(self) -> None:
        fields = schema()["properties"]["policy"]["properties"]
        with pytest.raises(PolicyError, match="known are") as refused:
            policy_file.parse({"unheard": "of"})
        assert sorted(fields) == sorted(str(refused.value).rpartition("known are ")[2].split(", "))

    def test_services_are_those_of_the_bot(self) -> None:
        fields = schema()["properties"]["services"]["items"]["properties"]
        with pytest.raises(CatalogError, match="known are") as refused:
            catalog.parse([{"unheard": "of"}], default_cluster="main")
        (line,) = [problem for problem in refused.value.problems if "known are" in problem]
        assert sorted(fields) == line.rpartition("known are ")[2].split(", ")

    def test_unknown_keys_are_refused_wherever_keys_are_known(self) -> None:
        def objects(node: Any) -> Iterator[dict[str, Any]]:
            if isinstance(node, dict):
                if isinstance(node.get("properties"), dict) and node.get("type") == "object":
                    yield node
                for inner in node.values():
                    yield from objects(inner)

        found = list(objects(schema()))
        assert len(found) > 40
        assert [node for node in found if node.get("additionalProperties") is not False] == []


def values_yaml() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))
    return loaded


def known(node: dict[str, Any], path: str = "") -> Iterator[str]:
    """Every value that the schema knows, as a path."""
    for name, inner in node.get("properties", {}).items():
        if path + name == "global" or (name == "claims" and "resources" in path):
            continue
        yield path + name
        if path + name not in HOLD_BACK and not path.endswith("resources."):
            yield from known(inner, f"{path}{name}.")


def explained(text: str) -> Iterator[tuple[str, str]]:
    """Every key of values.yaml (one that is commented out, as `# key:` alone, included) with the comment above it."""
    path: list[str] = []
    comment: list[str] = []
    for line in text.splitlines():
        key = re.match(r"^( *)(?:# )?(\w+):(?: |$)", line)
        if key is None or (line.lstrip().startswith("#") and not re.fullmatch(r" *# \w+:", line)):
            comment = [*comment, line.strip(" #")] if line.lstrip().startswith("#") else []
            continue
        path = [*path[: len(key[1]) // 2], key[2]]
        yield ".".join(path), " ".join(comment)
        comment = []


FREE = re.compile(
    r"^(podSecurityContext|containerSecurityContext|topologySpreadConstraints|(redis\.bundled\.)?resources|"
    r"cluster\.impersonate)\."
)
"""Of these the inside is Kubernetes', or the bot's configuration's."""


class TestExplained:
    def test_every_value_is_in_values_yaml_with_a_comment(self) -> None:
        keys = dict(explained((CHART / "values.yaml").read_text("utf-8")))
        own = {path: comment for path, comment in keys.items() if not FREE.match(path)}
        wanted = {path for path in known(schema()) if not FREE.match(path)}
        assert set(own) == wanted
        assert {path for path, comment in own.items() if len(comment) < 4} == set()

    def test_values_yaml_holds_what_the_reader_of_comments_sees(self) -> None:
        def paths(node: Any, path: str = "") -> Iterator[str]:
            for name, inner in node.items():
                yield path + name
                if isinstance(inner, dict) and inner and not FREE.match(f"{path}{name}."):
                    yield from paths(inner, f"{path}{name}.")

        seen = [path for path, _ in explained((CHART / "values.yaml").read_text("utf-8")) if not FREE.match(path)]
        assert sorted(seen) == sorted([*paths(values_yaml()), "image.repository"])

    def test_the_ways_to_install_use_every_value(self) -> None:
        used: set[str] = set()

        def walk(node: dict[str, Any], path: str = "") -> None:
            for name, inner in node.items():
                used.add(path + name)
                if isinstance(inner, dict):
                    walk(inner, f"{path}{name}.")

        for name in VALUES:
            walk(yaml.safe_load((CHART / "ci" / f"{name}-values.yaml").read_text("utf-8")))
        wanted = {path for path in known(schema()) if not FREE.match(path)}
        assert sorted(wanted - used - {path for path in wanted if path.startswith(NOT_EXERCISED)}) == []


NOT_EXERCISED = (
    "rbac",
    "serviceAccount.create",
    "containerSecurityContext",
    "slack.keys",
    "feishu.keys",
    "wecom.keys",
    "wecom.botSecret",
    "alerts.keys",
    "alerts.password",
    "redis.external.password",
    "redis.external.tls",
    "networkPolicy.enabled",
    "redis.bundled.persistence.enabled",
)
"""Values that no file of `ci/` sets: the tests below, and those of roles, configuration and pods, do."""


@pytest.mark.parametrize(
    "values",
    [
        {"slack": {"keys": {"botToken": "a", "appToken": "b"}, "existingSecret": "s"}, **SLACK},
        {"feishu": {"keys": {"appSecret": "a"}, "existingSecret": "s"}, **FEISHU},
        {
            "wecom": {"botSecret": "s"},
            "config": {"wecom": {"enabled": True, "bot_mode": "socket"}},
            "replicaCount": 1,
        },
        {
            "wecom": {"keys": {"appSecret": "a", "appToken": "b", "appAesKey": "c"}, "existingSecret": "s"},
            "config": {"wecom": {"enabled": True, "agent_id": 1}},
        },
        {
            "alerts": {"password": "p"},
            "config": {**ALERTS["config"], "alerts": {**ALERTS["config"]["alerts"], "username": "u"}},
        },
        {"redis": {"mode": "external", "external": {"url": "redis://x", "password": "p"}}},
        {"serviceAccount": {"create": False, "name": "mine"}},
        {"networkPolicy": {"enabled": False}},
        {"redis": {"bundled": {"persistence": {"enabled": False}}}},
        {"global": {"shared": True}},
    ],
    ids=lambda values: next(iter(values)),
)
def test_other_values_are_taken(helm: Helm, values: dict[str, Any]) -> None:
    assert helm.render(values).one("Deployment")


def test_values_switch_things_off(newest: Helm) -> None:
    assert not newest.render({"networkPolicy": {"enabled": False}}).of("NetworkPolicy")
    assert not newest.render({"podDisruptionBudget": {"enabled": False}}).of("PodDisruptionBudget")
    account = newest.render({"serviceAccount": {"create": False}})
    assert not account.of("ServiceAccount")
    assert account.component("bot")[1]["spec"]["serviceAccountName"] == "default"
    volatile = newest.render({"redis": {"bundled": {"persistence": {"enabled": False}}}}).one("StatefulSet")["spec"]
    assert "volumeClaimTemplates" not in volatile
    assert {"name": "data", "emptyDir": {}} in volatile["template"]["spec"]["volumes"]


def test_the_chart_alone_cannot_be_installed(helm: Helm) -> None:
    with pytest.raises(HelmError, match="repository"):
        helm.run("template", "bot", str(CHART))
