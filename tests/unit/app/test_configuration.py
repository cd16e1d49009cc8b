"""File and environment become one checked configuration; every mistake is told at once and no secret is shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.adapters.redis import url as redis_url
from chatops_bot.app.configuration import Configuration, ConfigurationError, config_path, load
from chatops_bot.app.settings import ClusterSettings, Settings

SECRET = "xoxb-1111111111-abcdefghijkl"
CLUSTER = '[{"name": "prod", "url": "http://localhost:8001"}]'


def written(folder: Path, text: str, name: str = "chatops-bot.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def loaded(folder: Path, text: str = "", **environ: str) -> Configuration:
    return load(written(folder, text), environ)


def problems(folder: Path, text: str = "", **environ: str) -> tuple[str, ...]:
    with pytest.raises(ConfigurationError) as caught:
        loaded(folder, text, **environ)
    return caught.value.problems


def one_problem(folder: Path, text: str = "", **environ: str) -> str:
    found = problems(folder, text, **environ)
    assert len(found) == 1, found
    return found[0]


class TestWhere:
    def test_the_file_given_wins_over_the_variable_and_that_over_the_default(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert config_path(None, {}) is None
        written(tmp_path, "")
        assert config_path(None, {}) == Path("chatops-bot.yaml")
        assert config_path(None, {"CHATOPS_CONFIG": "b.yaml"}) == Path("b.yaml")
        assert config_path(Path("a.yaml"), {"CHATOPS_CONFIG": "b.yaml"}) == Path("a.yaml")

    def test_nothing_at_all_is_a_usable_configuration_that_only_reads(self) -> None:
        configuration = load(None, {})
        assert configuration.settings == Settings()
        assert configuration.policy.standing == "missing"

    def test_an_empty_file_is_as_none(self, tmp_path: Path) -> None:
        assert loaded(tmp_path, "# nothing yet\n").settings == Settings()

    def test_a_file_that_is_not_there_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigurationError, match="there is no such file"):
            load(tmp_path / "absent.yaml", {})

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("a: [", "line 1, column 5"),
            ("a: 1\na: 2", "line 2, column 1: the key 'a' is written twice"),
            ("log:\n  level: info\n  level: debug", "line 3, column 3: the key 'level' is written twice"),
            ("- a", "must be a mapping of sections"),
            ("just text", "must be a mapping of sections"),
            ("a: 1\n---\nb: 2", "expected a single document"),
            ("a: !!python/object:os.system x", "could not determine a constructor"),
        ],
    )
    def test_what_is_no_configuration_is_told_with_its_place(self, tmp_path: Path, text: str, problem: str) -> None:
        assert problem in problems(tmp_path, text)[0]

    def test_bytes_that_are_no_text_are_told(self, tmp_path: Path) -> None:
        path = tmp_path / "x.yaml"
        path.write_bytes(b"\xff\xfe\x00")
        with pytest.raises(ConfigurationError, match="is not UTF-8 text"):
            load(path, {})


class TestEnvironment:
    def test_a_variable_wins_over_the_file_and_leaves_its_neighbours(self, tmp_path: Path) -> None:
        settings = loaded(
            tmp_path, "timeouts: {idle_s: 60, plan_s: 70}", CHATOPS_TIMEOUTS__IDLE_S="90", CHATOPS_READ_ONLY="true"
        ).settings
        assert (settings.timeouts.idle_s, settings.timeouts.plan_s) == (90, 70)
        assert settings.read_only

    def test_lists_and_mappings_are_json(self, tmp_path: Path) -> None:
        settings = loaded(
            tmp_path,
            CHATOPS_CLUSTERS=CLUSTER,
            CHATOPS_SLACK__ALLOW_BOTS='["B1"]',
            CHATOPS_ROOMS='{"C024BE7LH": {"listen": "all"}}',
        ).settings
        assert settings.clusters[0].name == "prod"
        assert settings.slack.allow_bots == ("B1",)
        assert settings.rooms["C024BE7LH"].listen == "all"

    def test_redis_url_wins_over_the_file_and_over_our_own_variable(self, tmp_path: Path) -> None:
        settings = loaded(
            tmp_path,
            "store: {url: 'redis://file:1'}",
            CHATOPS_STORE__URL="redis://own:1",
            REDIS_URL="redis://:pw@theirs:1",
        ).settings
        assert settings.store.url is not None
        assert settings.store.url.get_secret_value() == "redis://:pw@theirs:1"

    def test_an_empty_variable_counts_as_not_set(self, tmp_path: Path) -> None:
        assert loaded(tmp_path, CHATOPS_LANGUAGE="", REDIS_URL="").settings == Settings()

    def test_what_kubernetes_puts_into_pods_of_a_service_is_left_alone(self, tmp_path: Path) -> None:
        loaded(
            tmp_path,
            CHATOPS_BOT_SERVICE_HOST="10.0.0.1",
            CHATOPS_BOT_SERVICE_PORT_HTTP="80",
            CHATOPS_BOT_PORT="tcp://10.0.0.1:80",
            CHATOPS_BOT_PORT_80_TCP_ADDR="10.0.0.1",
            CHATOPS_PORT="tcp://10.0.0.1:80",
            CHATOPS_CONFIG="ignored",
        )

    @pytest.mark.parametrize(
        ("name", "value", "problem"),
        [
            ("CHATOPS_LANGAGE", "en", "CHATOPS_LANGAGE: there is no such setting"),
            ("CHATOPS_LOG__LEVLE", "info", "log.levle: is not known; did you mean level?"),
            ("CHATOPS_CLUSTERS", "[prod", "CHATOPS_CLUSTERS: must be JSON"),
            ("CHATOPS_SLACK__ALLOW_BOTS", "B1", "CHATOPS_SLACK__ALLOW_BOTS: must be JSON"),
            ("CHATOPS_READ_ONLY", "perhaps", "read_only: must be true or false, not 'perhaps'"),
        ],
    )
    def test_a_mistaken_variable_is_told(self, tmp_path: Path, name: str, value: str, problem: str) -> None:
        assert problem in one_problem(tmp_path, **{name: value})


class TestProblems:
    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("polcy: {}", "polcy: is not known; did you mean policy?"),
            ("zzz: {}", "zzz: is not known; known are language"),
            ("slack: {mode: sock}", "slack.mode: must be 'socket' or 'http', not 'sock'"),
            ("http: {port: 99999}", "http.port: must be at most 65535, not 99999"),
            ("timeouts: {plan_s: 0}", "timeouts.plan_s: must be at least 1, not 0"),
            ("timeouts: {plan_s: soon}", "timeouts.plan_s: must be a whole number, not 'soon'"),
            ("timeouts: {plan_s: 1.5}", "timeouts.plan_s: must be a whole number, not 1.5"),
            ("log: json", "log: must be a mapping with fields of its own, not 'json'"),
            ("slack: {allow_bots: B1}", "slack.allow_bots: must be a list, such as [one, two], not 'B1'"),
            ("console: {host: 127}", "console.host: must be a text, not 127; put it in quotes"),
            ("clusters: [{url: 'http://x'}]", "clusters[0].name: is missing"),
            ("clusters: [{name: 'a b', url: 'http://x'}]", "clusters[0].name: has characters that are not allowed"),
            (f"clusters: [{{name: {'a' * 64}, url: 'http://x'}}]", "clusters[0].name: is longer than 63 characters"),
            ("clusters: [{name: a}]", "clusters[0]: cluster 'a' needs exactly one of kubeconfig, in_cluster and url"),
            ("clusters: [{name: a, in_cluster: true, url: 'http://x'}]", "exactly one of"),
            ("clusters: [{name: a, in_cluster: true, context: c}]", "has a context, which only goes with kubeconfig"),
            (
                "clusters: [{name: a, url: 'http://x'}, {name: a, url: 'http://y'}]",
                "clusters: two clusters are called a; names must differ",
            ),
            (
                "slack: {enabled: true}",
                "slack: mode socket needs CHATOPS_SLACK__BOT_TOKEN and CHATOPS_SLACK__APP_TOKEN",
            ),
            ("slack: {enabled: true, mode: http}", "CHATOPS_SLACK__BOT_TOKEN and CHATOPS_SLACK__SIGNING_SECRET"),
            ("console: {enabled: true, host: 0.0.0.0}", "the console has no login"),
            ("console: {enabled: true, host: example.com}", "the console has no login"),
            ("console: {enabled: true, port: 8081}", "console.port and http.port are the same"),
            ("alerts: {enabled: true, unauthenticated: true}", "alerts: room is missing"),
            ("alerts: {enabled: true, room: C1}\nrooms: {C1: {}}", "alerts: needs CHATOPS_ALERTS__TOKEN"),
            ("alerts: {enabled: true, room: C1, unauthenticated: true}", "the room 'C1', which is not under rooms"),
            (
                "alerts: {enabled: true, room: C1, unauthenticated: true, username: x}\nrooms: {C1: {}}",
                "username and password go together",
            ),
            ("rooms: {C1: {listn: all}}", "rooms.C1.listn: is not known; did you mean listen?"),
            ("alerts: {routes: [{owner: a}]}", "alerts.routes[0].owner: is not known; did you mean owners?"),
            ("slack: {command: ops}", "slack.command: has characters that are not allowed: 'ops'"),
            ("console: {host: [a]}", "console.host: must be a text, not a list"),
            ("console: {host: {a: b}}", "console.host: must be a text, not a mapping"),
            ("console: {host: null}", "console.host: must be a text, not nothing"),
            (f"language: {'x' * 90}", f"not '{'x' * 59}…"),
            ("policy: {}\npolicy_file: p.yaml", "policy and policy_file are both set; keep one"),
            ("policy: {rules: [{confirm: sre}]}", "policy.rules[0].confirm: must be a list"),
            ("policy: [a]", "policy: must be a mapping, not a list"),
            ("services: {}", "services: must be a list of services"),
            ("clusters: 5", "clusters: must be a list"),
            ("services: [{name: web}]", "services[0].namespace: is missing"),
            ("store: {url: 'http://x'}", "store.url: a Redis URL begins with one of"),
            ("policy_file: absent.yaml", "there is no such file"),
            ("catalog_file: absent.yaml", "there is no such file"),
        ],
    )
    def test_a_mistake_is_told_with_its_path(self, tmp_path: Path, text: str, problem: str) -> None:
        assert any(problem in found for found in problems(tmp_path, text)), problems(tmp_path, text)

    def test_all_of_them_at_once_and_each_once(self, tmp_path: Path) -> None:
        found = problems(
            tmp_path,
            "log: {level: loud}\npolicy: {rules: [{confirm: x}]}\nservices: [{name: web}]\nstore: {url: 'http://x'}",
            CHATOPS_NONSENSE="1",
        )
        text = "\n".join(found)
        for path in ("log.level", "policy.rules[0].confirm", "services[0]", "store.url", "CHATOPS_NONSENSE"):
            assert path in text
        assert len(found) == len(set(found))

    def test_a_service_of_an_unknown_cluster_is_told(self, tmp_path: Path) -> None:
        text = "services: [{name: web, namespace: shop, workload: deployment/web, cluster: west}]"
        assert "the cluster 'west', which is not under clusters" in one_problem(
            tmp_path, text, CHATOPS_CLUSTERS=CLUSTER
        )

    def test_a_group_called_like_a_console_user_is_told(self, tmp_path: Path) -> None:
        text = "console: {users: [alice]}\npolicy: {groups: {alice: [bob]}}"
        assert "is both a group and a person" in one_problem(tmp_path, text)


class TestSecrets:
    @pytest.mark.parametrize(
        "text",
        [
            f"slack: {{bot_token: {SECRET}}}",
            "slack: {signing_secret: hunter22}",
            f"slack: {{mode: {SECRET}}}",
            f"language: {SECRET}",
            "alerts: {token: hunter22}",
            "alerts: {password: hunter22, username: a}",
            "store: {url: 'redis://:hunter22@redis:6379'}",
            "store: {url: 'sentinel://a:1/main?sentinel_password=hunter22'}",
            "clusters: [{name: a, url: 'https://admin:hunter22@host'}]",
            "clusters: [{name: a, url: 'https://host', token: hunter22}]",
        ],
    )
    def test_one_in_the_file_is_an_error_that_does_not_show_it(self, tmp_path: Path, text: str) -> None:
        found = problems(tmp_path, text)
        assert any("must not stand in this file" in problem for problem in found)
        assert "hunter22" not in str(found)
        assert SECRET not in str(found)

    def test_the_way_out_is_told(self, tmp_path: Path) -> None:
        problem = one_problem(tmp_path, f"slack: {{bot_token: {SECRET}}}")
        assert "CHATOPS_SLACK__BOT_TOKEN" in problem
        assert "slack.bot_token_file" in problem

    def test_an_address_without_a_password_may_stand_there(self, tmp_path: Path) -> None:
        url = loaded(tmp_path, "store: {url: 'redis://redis:6379/2'}").settings.store.url
        assert url is not None
        assert url.get_secret_value() == "redis://redis:6379/2"

    def test_one_comes_from_a_file_of_its_own_without_its_newline(self, tmp_path: Path) -> None:
        written(tmp_path, f"{SECRET}\n", "secrets/token")
        token = loaded(tmp_path, "slack: {bot_token_file: secrets/token}").settings.slack.bot_token
        assert token is not None
        assert token.get_secret_value() == SECRET

    def test_each_cluster_may_have_a_token_file_of_its_own(self, tmp_path: Path) -> None:
        written(tmp_path, "t0ken", "token")
        text = "clusters: [{name: a, url: 'http://x', token_file: token}, {name: b, in_cluster: true}]"
        token = loaded(tmp_path, text).settings.clusters[0].token
        assert token is not None
        assert token.get_secret_value() == "t0ken"
        wrong = "clusters: [{name: a, in_cluster: true, token_file: token}]"
        assert "has a token, which only goes with url" in one_problem(tmp_path, wrong)

    def test_the_file_may_be_named_by_the_environment(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t0ken", "token")
        token = loaded(tmp_path, CHATOPS_ALERTS__TOKEN_FILE=str(path)).settings.alerts.token
        assert token is not None
        assert token.get_secret_value() == "t0ken"

    def test_the_address_may_come_from_a_file_and_the_environment_wins(self, tmp_path: Path) -> None:
        written(tmp_path, "redis://:pw@file:1", "url")
        text = "store: {url_file: url}"
        from_file, from_environment = loaded(tmp_path, text), loaded(tmp_path, text, REDIS_URL="redis://env:1")
        assert [
            c.settings.store.url.get_secret_value() for c in (from_file, from_environment) if c.settings.store.url
        ] == [
            "redis://:pw@file:1",
            "redis://env:1",
        ]

    @pytest.mark.parametrize(
        ("address", "whole"),
        [
            ("redis://h:1/2", "redis://:p%40%2Fw@h:1/2"),
            ("rediss://bot@h?ssl_cert_reqs=none", "rediss://bot:p%40%2Fw@h?ssl_cert_reqs=none"),
            ("sentinel://a:1,b:2/main?ssl=true", "sentinel://:p%40%2Fw@a:1,b:2/main?ssl=true"),
            ("unix:///run/redis.sock?db=1", "unix://:p%40%2Fw@/run/redis.sock?db=1"),
        ],
    )
    def test_a_password_may_be_kept_apart_from_its_address(self, tmp_path: Path, address: str, whole: str) -> None:
        written(tmp_path, "p@/w\n", "password")
        url = loaded(tmp_path, f"store: {{url: '{address}', password_file: password}}").settings.store.url
        assert url is not None
        assert url.get_secret_value() == whole
        assert redis_url.parse(whole).login.password == "p@/w"

    def test_a_password_has_one_address_without_one(self, tmp_path: Path) -> None:
        written(tmp_path, "pw", "password")
        text = "store: {password_file: password}"
        assert "no address that it is for" in one_problem(tmp_path, text)
        found = one_problem(tmp_path, text, REDIS_URL="redis://:other@h")
        assert "another is given beside it" in found
        assert "other" not in found.replace("another", "")

    @pytest.mark.parametrize(("content", "problem"), [(None, "cannot be read"), ("\n", "is empty")])
    def test_a_secret_file_that_gives_none_is_told(self, tmp_path: Path, content: str | None, problem: str) -> None:
        if content is not None:
            written(tmp_path, content, "token")
        assert problem in one_problem(tmp_path, "slack: {bot_token_file: token}")

    def test_a_secret_given_twice_is_told(self, tmp_path: Path) -> None:
        written(tmp_path, "a", "token")
        found = one_problem(tmp_path, "slack: {bot_token_file: token}", CHATOPS_SLACK__BOT_TOKEN="b")
        assert "given both itself and as bot_token_file" in found

    def test_none_is_shown_by_the_settings_themselves(self, tmp_path: Path) -> None:
        settings = loaded(
            tmp_path,
            CHATOPS_SLACK__BOT_TOKEN=SECRET,
            REDIS_URL="redis://:hunter22@h:1",
            CHATOPS_ALERTS__TOKEN="hunter22",
        ).settings
        assert SECRET not in repr(settings)
        assert "hunter22" not in repr(settings) + str(settings) + settings.model_dump_json()


class TestReferences:
    def test_paths_in_the_file_are_relative_to_it(self, tmp_path: Path) -> None:
        written(tmp_path, "groups: {sre: [bob]}\nrules: [{confirm: [sre]}]", "conf/policy.yaml")
        written(tmp_path, "services: [{name: web, namespace: shop, workload: deployment/web}]", "conf/catalog.yaml")
        path = written(
            tmp_path,
            "policy_file: policy.yaml\ncatalog_file: catalog.yaml\n"
            "clusters: [{name: prod, kubeconfig: kube/config, environment: prod}]",
            "conf/bot.yaml",
        )
        configuration = load(path, {})
        assert configuration.policy.groups == {"sre": ("bob",)}
        assert configuration.services[0].entity.name == "web"
        assert configuration.settings.clusters[0].kubeconfig == tmp_path / "conf/kube/config"

    def test_a_service_has_its_clusters_environment_where_it_has_none(self, tmp_path: Path) -> None:
        services = [
            {"name": "web", "namespace": "shop", "workload": "deployment/web"},
            {"name": "api", "namespace": "shop", "workload": "deployment/api", "environment": "test"},
        ]
        configuration = loaded(
            tmp_path,
            json.dumps({"clusters": [{"name": "a", "url": "http://x", "environment": "prod"}], "services": services}),
        )
        assert [service.entity.environment for service in configuration.services] == ["prod", "test"]

    def test_a_policy_file_may_begin_with_its_section(self, tmp_path: Path) -> None:
        written(tmp_path, "policy: {rules: [{confirm: [bob]}]}", "p.yaml")
        assert loaded(tmp_path, "policy_file: p.yaml").policy.rules[0].confirm == ("bob",)

    def test_mistakes_in_a_file_of_its_own_name_that_file(self, tmp_path: Path) -> None:
        written(tmp_path, "rules: [{confirm: bob}]", "p.yaml")
        written(tmp_path, "service: []", "c.yaml")
        found = problems(tmp_path, "policy_file: p.yaml\ncatalog_file: c.yaml")
        assert "p.yaml.rules[0].confirm: must be a list" in found[0]
        assert "c.yaml: must hold one key, `services:`" in found[1]

    def test_console_on_a_loopback_address_is_allowed(self, tmp_path: Path) -> None:
        for host in ("localhost", "::1", "127.0.0.2"):
            assert loaded(tmp_path, f"console: {{enabled: true, host: '{host}'}}").settings.console.enabled
        assert loaded(tmp_path, "console: {enabled: true, host: 0.0.0.0, trust_network: true}").settings.console.enabled


@pytest.mark.parametrize(
    ("impersonate", "problem"),
    [
        ({"people": {"alice": {"user": "system:admin"}}}, "not of system:"),
        ({"people": {"alice": {"user": "a", "groups": ["system:masters"]}}}, "not of system:"),
        ({"people": {"alice": {"user": "爱丽丝"}}}, "plain ASCII"),
        ({"people": {"alice": {"user": "a\r\nX-Y: z"}}}, "plain ASCII"),
        ({"template": {"user": "chat", "groups": ["{id}"]}}, "everybody would be one user"),
    ],
)
def test_whom_nobody_may_impersonate(impersonate: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        ClusterSettings(name="east", url="http://x", impersonate=impersonate)  # type: ignore[arg-type]
