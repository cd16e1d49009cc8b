"""Settings of charts: what is refused, and which Prometheus a cluster has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import structlog
import yaml

from chatops_bot.app.charting import Charting, configured
from chatops_bot.app.configuration import Configuration, ConfigurationError, load
from chatops_bot.app.connecting import snapshot_of
from chatops_bot.ports.clock import SystemClock

CLUSTERS = [{"name": "east", "url": "http://east"}, {"name": "west", "url": "http://west"}]
SLACK = {
    "CHATOPS_SLACK__ENABLED": "true",
    "CHATOPS_SLACK__BOT_TOKEN": "xoxb-1",
    "CHATOPS_SLACK__APP_TOKEN": "xapp-1",
}


def loaded(tmp_path: Path, metrics: dict[str, Any], **environ: str) -> Configuration:
    file = tmp_path / "chatops-bot.yaml"
    file.write_text(yaml.safe_dump({"clusters": CLUSTERS, "metrics": metrics}))
    return load(file, environ)


def complaint(tmp_path: Path, metrics: dict[str, Any], **environ: str) -> str:
    with pytest.raises(ConfigurationError) as raised:
        loaded(tmp_path, metrics, **environ)
    return str(raised.value)


def test_without_an_address_there_are_no_charts(tmp_path: Path) -> None:
    configuration = loaded(tmp_path, {})
    assert configured(configuration.settings) == {}
    charting = Charting(configuration.settings, snapshot=snapshot_of(configuration), clock=SystemClock())
    assert (charting.charts, charting.painter) == (None, None)


async def test_each_cluster_has_its_own_or_the_common_one(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("of west\n")
    further = [{"cluster": "west", "url": "https://west:9090/prom", "token_file": "token", "cluster_label": "k"}]
    configuration = loaded(tmp_path, {"url": "http://common:9090", "further": further}, CHATOPS_METRICS__TOKEN="hush")
    found = configured(configuration.settings)
    assert {name: each.access().url for name, each in found.items()} == {
        "east": "http://common:9090",
        "west": "https://west:9090/prom",
    }
    assert (found["east"].access().token, found["west"].access().token) == ("hush", "of west")
    recipes = configuration.settings.metrics.recipes(found)
    assert recipes.cluster_labels == {"west": "k"}
    charting = Charting(configuration.settings, snapshot=snapshot_of(configuration), clock=SystemClock())
    assert charting.charts is not None
    assert charting.painter is None, "the console draws by itself"
    await charting.close()


async def test_what_draws_is_made_where_a_platform_shows_pictures(tmp_path: Path) -> None:
    for wanted in (True, False):
        configuration = loaded(tmp_path, {"url": "http://common:9090", "pictures": wanted}, **SLACK)
        charting = Charting(configuration.settings, snapshot=snapshot_of(configuration), clock=SystemClock())
        assert (charting.painter is not None) is wanted
        await charting.close()


async def test_without_the_library_charts_are_lines_and_that_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = loaded(tmp_path, {"url": "http://common:9090"}, **SLACK)
    monkeypatch.setattr("chatops_bot.app.charting.find_spec", lambda _: None)
    with structlog.testing.capture_logs() as logs:
        charting = Charting(configuration.settings, snapshot=snapshot_of(configuration), clock=SystemClock())
    assert charting.painter is None
    assert charting.charts is not None
    assert [row["event"] for row in logs] == ["charts_not_drawn"]
    await charting.close()


@pytest.mark.parametrize(
    ("metrics", "said"),
    [
        ({"url": "prometheus:9090"}, "https:// or http://"),
        ({"url": "file:///etc/passwd"}, "https:// or http://"),
        ({"url": "http://prom/graph?x=1"}, "no ?"),
        ({"url": "http://prom", "username": "bot"}, "go together"),
        ({"url": "http://prom", "queries": {"cpu": "x{namespace=$namespace}"}}, "outside of a string"),
        ({"url": "http://prom", "queries": {"gpu": "x"}}, "gpu is no query"),
        ({"url": "http://prom", "diagnosis": ["gpu"]}, "diagnosis"),
        ({"url": "http://prom", "time_zone": "Mars/Base"}, "Mars/Base"),
        ({"url": "http://prom", "time_zone": "../../etc/passwd"}, "not known"),
        ({"url": "http://prom", "cluster_label": "a b"}, "name of a label"),
        ({"url": "http://prom", "timeout_s": 60}, "timeout_s"),
        ({"further": [{"cluster": "north", "url": "http://prom"}]}, "'north', which is not under clusters"),
        ({"further": [{"cluster": "west", "url": "http://a"}, {"cluster": "west", "url": "http://b"}]}, "two entries"),
        ({"further": [{"cluster": "west"}]}, "url is missing"),
        ({"url": "http://prom", "token": "written"}, "is a secret"),
    ],
)
def test_what_cannot_be_used_is_told(tmp_path: Path, metrics: dict[str, Any], said: str) -> None:
    assert said in complaint(tmp_path, metrics)


def test_two_ways_in_are_one_too_many(tmp_path: Path) -> None:
    secrets = {"CHATOPS_METRICS__TOKEN": "a", "CHATOPS_METRICS__PASSWORD": "b"}
    assert "keep one" in complaint(tmp_path, {"url": "http://prom", "username": "bot"}, **secrets)
    assert "no url" in complaint(tmp_path, {}, CHATOPS_METRICS__TOKEN="a")


def test_an_empty_query_takes_its_chart_away(tmp_path: Path) -> None:
    configuration = loaded(tmp_path, {"url": "http://prom", "queries": {"cpu": ""}})
    assert configuration.settings.metrics.queries == {"cpu": ""}
