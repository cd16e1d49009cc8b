"""The page on the model tells of every metric, every outcome and every reason, and its example is read by the bot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import yaml

from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.app.telemetry import METRICS
from chatops_bot.ports.model import Trouble

PAGE = (Path(__file__).parents[3] / "docs" / "model.md").read_text(encoding="utf-8")


def test_every_metric_is_told() -> None:
    for name, metric in METRICS.items():
        if name.startswith("model_"):
            assert f"`chatops_{name}{'_total' if metric.kind == 'counter' else ''}`" in PAGE


def test_every_outcome_and_every_reason_is_told() -> None:
    reasons = ("form", "breaker", "busy", "store", "budget_thread", "budget_room", "budget_day")
    assert not [word for word in (*get_args(Trouble), "answered", *reasons) if f"`{word}`" not in PAGE]


def test_every_setting_that_it_names_is_one() -> None:
    named = set(re.findall(r"`model\.(\w+)`", PAGE)) - {"existingSecret"}  # of the chart
    assert named <= set(ModelSettings.model_fields)


def test_its_example_can_be_used() -> None:
    (example,) = (yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
    assert ModelSettings(**example["model"]).enabled
