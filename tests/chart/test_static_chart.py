"""The chart as a whole: it is sound for each Helm, says what to do next, and bears the bot's version."""

from __future__ import annotations

import re
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.chart import fetch_helm
from tests.chart.rendering import CHART, KUBERNETES, VALUES, Helm, HelmError

POLICY = {"rules": [{"confirm": ["*"]}]}
SLACK: dict[str, Any] = {"config": {"slack": {"enabled": True}}, "slack": {"existingSecret": "chatops-bot-slack"}}


class TestWhole:
    @pytest.mark.parametrize("name", VALUES)
    def test_it_passes_the_linter(self, helm: Helm, name: str) -> None:
        said = helm.run("lint", "--strict", str(CHART), "-f", str(CHART / "ci" / f"{name}-values.yaml"))
        assert "1 chart(s) linted, 0 chart(s) failed" in said
        assert "WARNING" not in said

    @pytest.mark.parametrize("kubernetes", KUBERNETES)
    @pytest.mark.parametrize("name", VALUES)
    def test_it_is_rendered_for_old_and_new_clusters(self, helm: Helm, name: str, kubernetes: str) -> None:
        rendered = helm.file(name, kubernetes=kubernetes)
        assert {each["apiVersion"] for each in rendered.objects} <= {
            "v1",
            "apps/v1",
            "batch/v1",
            "monitoring.coreos.com/v1",
            "networking.k8s.io/v1",
            "policy/v1",
            "rbac.authorization.k8s.io/v1",
        }
        assert rendered.one("Deployment")

    def test_older_clusters_are_refused(self, helm: Helm) -> None:
        with pytest.raises(HelmError, match="kubeVersion"):
            helm.file("minimal", kubernetes="1.27.9")

    def test_the_ways_to_install_are_all_there(self) -> None:
        assert set(VALUES) == {
            "alerts",
            "cluster-wide",
            "everything",
            "external-redis",
            "feishu",
            "minimal",
            "monitoring",
            "namespaces",
            "redis-cluster",
            "remote-clusters",
            "sentinel",
            "slack-http",
            "trial",
            "wecom",
        }

    def test_both_versions_are_the_packages(self) -> None:
        chart = yaml.safe_load((CHART / "Chart.yaml").read_text("utf-8"))
        assert chart["version"] == chart["appVersion"] == version("chatops-bot")

    def test_it_can_be_packed(self, newest: Helm, tmp_path: Path) -> None:
        newest.run("package", str(CHART), "--destination", str(tmp_path))
        (packed,) = tmp_path.glob("*.tgz")
        assert packed.name == f"chatops-bot-{version('chatops-bot')}.tgz"
        shown = newest.run("show", "values", str(packed))
        assert shown.strip() == (CHART / "values.yaml").read_text("utf-8").strip()
        values = CHART / "ci" / "namespaces-values.yaml"
        assert "kind: Role\n" in newest.run("template", "bot", str(packed), "-f", str(values))


@pytest.fixture(scope="module")
def chart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that renders the notes as a manifest, since Helm prints them only with a cluster."""
    copy = tmp_path_factory.mktemp("notes") / "chatops-bot"
    shutil.copytree(CHART, copy)
    probe = 'kind: Notes\nmetadata: {name: notes}\ntext: |\n  {{- include (print .Template.BasePath "/NOTES.txt") . | nindent 2 }}\n'
    (copy / "templates" / "notes.yaml").write_text(probe, encoding="utf-8")
    return copy


class TestNotes:
    """What is printed after an installation."""

    @staticmethod
    def notes(helm: Helm, chart: Path, values: dict[str, Any]) -> str:
        return str(helm.render(values, chart=chart).one("Notes")["text"])

    def test_reading_only_is_said_with_what_to_do(self, helm: Helm, chart: Path) -> None:
        said = self.notes(helm, chart, SLACK)
        assert "IT ONLY READS" in said
        example = yaml.safe_load(said.partition("may:\n")[2].partition("\nSlack")[0])
        assert "IT ONLY READS" not in self.notes(helm, chart, {**SLACK, **example})

    def test_what_it_may_is_said(self, helm: Helm, chart: Path) -> None:
        said = self.notes(helm, chart, {**SLACK, "policy": POLICY, "actions": ["restart"]})
        assert "It may restart;" in said
        frozen = self.notes(helm, chart, {**SLACK, "policy": POLICY, "config": {**SLACK["config"], "read_only": True}})
        assert "IT ONLY READS, since config.read_only is set" in frozen

    def test_the_next_steps_are_named(self, helm: Helm, chart: Path) -> None:
        said = self.notes(helm, chart, SLACK)
        assert "helm -n ops test bot --logs" in said
        assert "/invite" in said
        (command,) = re.findall(r"kubectl -n ops create secret generic chatops-bot-slack(?: \\\n +\S+)+", said)
        assert "bot-token=" in command
        assert "app-token=" in command

    def test_http_needs_the_signing_secret_and_an_address(self, helm: Helm, chart: Path) -> None:
        http = {**SLACK, "config": {"slack": {"enabled": True, "mode": "http"}}}
        inside = self.notes(helm, chart, http)
        assert "signing-secret=" in inside
        assert "app-token" not in inside
        assert "/slack/events of the Service bot-chatops-bot" in inside
        outside = self.notes(helm, chart, {**http, "ingress": {"enabled": True, "host": "ops.test"}})
        assert "https://ops.test/slack/events" in outside

    def test_feishu_and_wecom_have_next_steps_of_their_own(self, helm: Helm, chart: Path) -> None:
        connected = {"config": {"feishu": {"enabled": True, "app_id": "cli_1"}}, "feishu": {"existingSecret": "f"}}
        said = self.notes(helm, chart, connected)
        assert "NOBODY" not in said
        assert "Feishu: add the bot to each group" in said
        (command,) = re.findall(r"kubectl -n ops create secret generic f(?: \\\n +\S+)+", said)
        assert re.findall(r"from-literal=(\S+)=", command) == ["app-secret"]
        hooked = {**connected, "config": {"feishu": {"enabled": True, "app_id": "cli_1", "mode": "webhook"}}}
        said = self.notes(helm, chart, hooked)
        assert "/feishu/events of the Service bot-chatops-bot" in said
        assert re.findall(r"from-literal=(\S+)=", said) == ["app-secret", "encrypt-key", "verification-token"]
        wecom = {"enabled": True, "corp_id": "ww1", "agent_id": 1000002, "bot_mode": "http"}
        both = {"config": {"wecom": wecom}, "wecom": {"existingSecret": "w"}}
        said = self.notes(helm, chart, {**both, "ingress": {"enabled": True, "host": "ops.test"}})
        assert "https://ops.test/wecom/app." in said
        assert "https://ops.test/wecom/robot." in said
        wanted = ["app-secret", "app-token", "app-aes-key", "bot-token", "bot-aes-key"]
        assert re.findall(r"from-literal=(\S+)=", said) == wanted

    def test_alertmanagers_address_is_said(self, helm: Helm, chart: Path) -> None:
        alerts = {"rooms": {"C0": {}}, "alerts": {"enabled": True, "room": "C0"}}
        said = self.notes(helm, chart, {"config": alerts, "alerts": {"existingSecret": "a"}})
        assert "http://bot-chatops-bot.ops.svc:8081/alerts" in said

    def test_nobody_to_talk_to_is_said(self, helm: Helm, chart: Path) -> None:
        assert "NOBODY CAN WRITE TO IT" in self.notes(helm, chart, {})
        assert "NOBODY" not in self.notes(helm, chart, SLACK)

    def test_the_danger_of_the_console_is_said(self, helm: Helm, chart: Path) -> None:
        console = {"replicaCount": 1, "config": {"console": {"enabled": True}}}
        said = self.notes(helm, chart, console)
        assert "DANGER: the web console has no login" in said
        assert "port-forward deployment/bot-chatops-bot 8080" in said
        assert "NOBODY" not in said
        opened = {"enabled": True, "trust_network": True, "host": "10.0.0.1"}
        assert "opens it to every pod" in self.notes(helm, chart, {**console, "config": {"console": opened}})
        assert "DANGER" not in self.notes(helm, chart, SLACK)

    def test_what_keeps_nothing_is_called_a_trial(self, helm: Helm, chart: Path) -> None:
        embedded = {"replicaCount": 1, "redis": {"mode": "embedded"}}
        volatile = {"redis": {"bundled": {"persistence": {"enabled": False}}}}
        for values in (embedded, volatile):
            assert "FOR TRIALS ONLY" in self.notes(helm, chart, {**SLACK, **values})
        assert "FOR TRIALS" not in self.notes(helm, chart, SLACK)

    def test_secrets_in_the_values_are_pointed_out(self, helm: Helm, chart: Path) -> None:
        tokens = {**SLACK, "slack": {"botToken": "xoxb-1", "appToken": "xapp-1"}}
        said = self.notes(helm, chart, tokens)
        assert "Secrets stand in the values" in said
        assert "xoxb-1" not in said
        assert "stand in the values" not in self.notes(helm, chart, SLACK)


class TestFetching:
    """The script that brings Helm, without a network."""

    @pytest.fixture(autouse=True)
    def _cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        monkeypatch.delenv(fetch_helm.CHATOPS_HELM, raising=False)

    def test_what_is_there_is_not_fetched_again(self, tmp_path: Path) -> None:
        there = tmp_path / "chatops-bot" / "helm-4.3.1" / "helm"
        there.parent.mkdir(parents=True)
        there.touch()
        assert fetch_helm.fetch("4.3.1") == there
        assert fetch_helm.binaries() == {"4.3.1": there}

    def test_nothing_is_there_at_first(self) -> None:
        assert fetch_helm.binaries() == {}

    def test_another_binary_may_be_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(fetch_helm.CHATOPS_HELM, "/opt/helm")
        assert fetch_helm.binaries() == {"given": Path("/opt/helm")}

    def test_an_unknown_version_is_told(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert fetch_helm.main(["2.0.0"]) == 1
        assert "Helm 2.0.0: there is no source" in capsys.readouterr().err

    def test_what_is_put_there_is_whole_and_alone(self, tmp_path: Path) -> None:
        target = tmp_path / "folder" / "helm"
        fetch_helm._put(b"binary", target)
        assert target.read_bytes() == b"binary"
        assert target.stat().st_mode & 0o777 == 0o755
        assert list(target.parent.iterdir()) == [target]
