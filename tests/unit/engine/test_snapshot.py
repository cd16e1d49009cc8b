"""Names in a text are found once for as long as the catalog is the same."""

from __future__ import annotations

from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.world import Timing
from chatops_bot.engine.snapshot import REMEMBERED, Snapshot


def catalog(*names: str) -> Catalog:
    entities = (Entity(cluster="east", namespace="shop", kind="Deployment", workload=name, name=name) for name in names)
    return Catalog([Service(entity=entity) for entity in entities])


def named(snapshot: Snapshot, text: str) -> list[str]:
    return [name.text for name in snapshot.names_in(text, snapshot.world).names if name.matches]


def test_the_second_time_a_text_is_not_read_again() -> None:
    snapshot = Snapshot(catalog=catalog("web-shop"), policy=Policy.open(), timing=Timing())
    found = snapshot.names_in("restart web-shop", snapshot.world)
    snapshot.set_switch("maintenance")
    assert snapshot.names_in("restart web-shop", snapshot.world) is found


def test_a_new_catalog_is_looked_up_anew_and_an_old_world_keeps_its_own() -> None:
    snapshot = Snapshot(catalog=catalog("web-shop"), policy=Policy.open(), timing=Timing())
    before = snapshot.world
    assert named(snapshot, "restart order-db") == []
    snapshot.set_catalog(catalog("order-db"), {})
    assert named(snapshot, "restart order-db") == ["order-db"]
    assert not any(name.matches for name in snapshot.names_in("restart order-db", before).names)
    assert named(snapshot, "restart order-db") == ["order-db"]


def test_only_so_many_texts_are_kept() -> None:
    snapshot = Snapshot(catalog=catalog("web-shop"), policy=Policy.open(), timing=Timing())
    first = snapshot.names_in("restart web-shop", snapshot.world)
    for number in range(REMEMBERED):
        snapshot.names_in(f"restart web-shop, take {number}", snapshot.world)
    assert len(snapshot._found) == REMEMBERED
    assert snapshot.names_in("restart web-shop", snapshot.world) is not first
