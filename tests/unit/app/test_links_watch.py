"""Rooms that incidents may be linked with are known as soon as their platforms are."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from chatops_bot.app.links_watch import LinkWatch
from chatops_bot.app.settings import Settings
from chatops_bot.app.settings_incidents import IncidentSettings
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.identity import Room
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.world import Timing
from chatops_bot.engine.snapshot import Snapshot
from tests.fakes.clock import ManualClock

ROOMS = {"C1": Room("slack", "T1", "C1"), "oc_1": Room("feishu", "t9", "oc_1")}


def test_a_room_is_known_when_its_platform_has_said_which_organisation_this_is() -> None:
    chosen = IncidentSettings(links={"ops": "C1", "sea": "oc_1"})
    rooms = Settings(rooms={"C1": {"platform": "slack"}, "oc_1": {"platform": "feishu"}}).rooms  # type: ignore[dict-item]
    incidents = chosen.of_world(rooms)
    snapshot = Snapshot(catalog=Catalog(), policy=Policy.open(), timing=Timing(), incidents=incidents)
    known: dict[str, Room] = {}
    watch = LinkWatch(chosen.links, room=known.get, snapshot=snapshot, clock=ManualClock())
    watch.look()
    assert snapshot.world.incidents.links == {}
    # What is linked stays so while its platform is still connecting.
    assert snapshot.world.incidents.linkable == {"slack:C1", "feishu:oc_1"}
    known["C1"] = ROOMS["C1"]
    watch.look()
    assert snapshot.world.incidents.links == {"ops": ROOMS["C1"]}
    known |= ROOMS
    watch.look()
    assert snapshot.world.incidents.links == {"ops": ROOMS["C1"], "sea": ROOMS["oc_1"]}
    assert snapshot.world.incidents.linkable == {"slack:C1", "feishu:oc_1"}


def test_a_link_to_a_room_that_is_not_configured_is_no_start() -> None:
    with pytest.raises(ValidationError, match=r"incidents\.links names the room 'oc_9', which is not under rooms"):
        Settings(incidents={"links": {"sea": "oc_9"}})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", " sea", "a\nb", "x" * 81])
def test_what_nobody_could_say_is_no_name(name: str) -> None:
    with pytest.raises(ValidationError, match="is no name for a room"):
        IncidentSettings(links={name: "oc_1"})
