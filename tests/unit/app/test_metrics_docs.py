"""The page on charts tells of every query and every placeholder, and its examples are read by the bot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import yaml

from chatops_bot.app.settings_metrics import MetricsSettings, Panel
from chatops_bot.domain.catalog import parse
from chatops_bot.domain.metrics import PANELS, QUERIES
from chatops_bot.domain.promql import INSIDE, OUTSIDE

PAGE = (Path(__file__).parents[3] / "docs" / "metrics.md").read_text(encoding="utf-8")


def test_every_query_and_every_placeholder_is_told() -> None:
    assert not [name for name in QUERIES if f"`{name}`" not in PAGE]
    assert not [name for name in INSIDE + OUTSIDE if f"`${name}`" not in PAGE]


def test_the_settings_offer_the_charts_that_there_are() -> None:
    assert set(get_args(Panel)) == {panel.name for panel in PANELS}


def test_its_examples_can_be_used() -> None:
    examples = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]
    metrics = [MetricsSettings(**example["metrics"]) for example in examples if "metrics" in example]
    assert [each.url for each in metrics] == ["http://prometheus.monitoring:9090", "https://thanos.example.com"]
    (services,) = [example["services"] for example in examples if "services" in example]
    (service,) = parse(services, default_cluster="prod")
    assert set(service.metrics) == {"requests", "queue depth"}
