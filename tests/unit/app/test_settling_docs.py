"""The page on how conversations ended tells the weights of the code, its metrics and settings, and its example works."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from chatops_bot.adapters.redis.digests import _LIVES_S as DIGEST_S
from chatops_bot.adapters.redis.tallies import _LIVES_S as TALLY_S
from chatops_bot.app.settings_digest import DigestSettings
from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.app.settle_command import DAY_MS, SPAN_MS
from chatops_bot.app.telemetry import METRICS
from chatops_bot.domain.settled import ASKED_AGAIN
from chatops_bot.domain.settling import AGAIN_MS, GOOD_SCORE, LINE, REPEATED_MS, WEIGHTS
from chatops_bot.engine.grading import MOST, WITHIN_S

PAGE = (Path(__file__).parents[3] / "docs" / "settling.md").read_text(encoding="utf-8")


def test_the_table_has_the_weights_that_count() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (.+) \|$", PAGE, re.MULTILINE)
    assert {signal: int(weight) for signal, weight, _ in rows} == WEIGHTS
    weights = [int(weight) for _, weight, _ in rows]
    assert weights == sorted(weights, reverse=True)


def test_its_numbers_are_those_of_the_code() -> None:
    assert f"A sum of {LINE} or more" in PAGE
    assert f"below {GOOD_SCORE:g} of 5" in PAGE
    assert (AGAIN_MS, SPAN_MS) == (7 * DAY_MS, 9 * DAY_MS)
    assert "7 days after the end" in PAGE
    assert "more than nine days ago" in PAGE
    assert (REPEATED_MS, ASKED_AGAIN) == (3_600_000, 3)
    assert "asked three times in it in words, or again within an hour" in PAGE
    assert f"At most {MOST} conversations" in PAGE
    assert f"within {WITHIN_S / 60:g} minutes" in PAGE
    assert (TALLY_S, DIGEST_S) == (3 * 86_400, 14 * 86_400)


def test_its_metrics_are_all_that_there_are_of_conversations() -> None:
    named = set(re.findall(r"^\| `chatops_(\w+)`", PAGE, re.MULTILINE))
    assert named == {name for name in METRICS if name.startswith("conversations_")}


def test_settings_that_it_names_are_some_and_its_example_can_be_used() -> None:
    assert set(re.findall(r"`digest\.(\w+)`", PAGE)) <= set(DigestSettings.model_fields)
    assert set(re.findall(r"`model\.(\w+)", PAGE)) <= {*ModelSettings.model_fields, "md"}
    (example,) = (yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
    chosen = DigestSettings(**example["digest"])
    assert set(chosen.rooms) == set(example["rooms"])
