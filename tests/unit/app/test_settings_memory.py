"""Working memory, as configured: how long answers hold, how often a conversation is summed up, whose midnight counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from chatops_bot.app.configuration import ConfigurationError, load
from chatops_bot.app.settings import Settings
from chatops_bot.domain.identity import Room
from chatops_bot.domain.world import FRESH_S, Recall


def read(folder: Path, **sections: Any) -> Settings:
    path = folder / "chatops-bot.yaml"
    path.write_text(yaml.safe_dump(sections), encoding="utf-8")
    return load(path, {}).settings


def recall(settings: Settings) -> Recall:
    return settings.memory.of_world(settings.rooms, settings.retention)


def test_the_defaults_are_those_of_the_dialogue() -> None:
    found = recall(Settings())
    assert found.fresh_s == FRESH_S
    assert (found.summary_every, found.zone, found.summaries_days) == (8, "UTC", 30)


def test_a_room_may_have_a_clock_of_its_own(tmp_path: Path) -> None:
    rooms = {"C1": {"platform": "slack", "time_zone": "Asia/Shanghai"}, "C2": {"platform": "slack"}}
    settings = read(tmp_path, rooms=rooms, memory={"time_zone": "Europe/Berlin", "fresh": {"status_s": 5}})
    found = recall(settings)
    assert found.zone_of(Room("slack", "T", "C1")) == "Asia/Shanghai"
    assert found.zone_of(Room("slack", "T", "C2")) == "Europe/Berlin"
    assert found.fresh_s["status"] == 5


@pytest.mark.parametrize(
    "sections",
    [
        {"memory": {"time_zone": "Mars/Olympus"}},
        {"rooms": {"C1": {"time_zone": "Mars/Olympus"}}},
        {"memory": {"summary_every": 0}},
        {"memory": {"fresh": {"status_s": -1}}},
    ],
)
def test_what_cannot_be_is_a_mistake(tmp_path: Path, sections: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        read(tmp_path, **sections)
