"""The catalog: what it refuses, how services are found in it, and the shape of the file."""

import time

import pytest

from chatops_bot.domain.catalog import Catalog, CatalogError, index_nodes, parse
from chatops_bot.domain.entities import Entity

PAYMENT: dict[str, object] = {
    "name": "payment-svc",
    "namespace": "payments",
    "workload": "deployment/payment",
    "environment": "prod",
    "aliases": ["payment", "支付服务"],
    "owners": ["team-pay"],
    "runbooks": ["payment-timeouts"],
    "alerts": {"service": "payment"},
    "metrics": {"requests": "sum(rate(paid_total{$where}[$window]))"},
}


def entry(name: str, namespace: str = "shop", **fields: object) -> dict[str, object]:
    return {"name": name, "namespace": namespace, "workload": f"deployment/{name}", **fields}


def catalog(*entries: dict[str, object]) -> Catalog:
    return Catalog(parse(list(entries), default_cluster="main"))


def names(found: tuple[object, ...]) -> list[str]:
    return [service.entity.name for service in found]  # type: ignore[attr-defined]


def test_an_entry_becomes_a_service_in_the_default_cluster() -> None:
    (service,) = parse([PAYMENT], default_cluster="main")

    assert service.entity == Entity(
        cluster="main",
        namespace="payments",
        kind="Deployment",
        workload="payment",
        name="payment-svc",
        environment="prod",
    )
    assert service.aliases == ("payment", "支付服务")
    assert (service.owners, service.runbooks, service.alerts) == (
        ("team-pay",),
        ("payment-timeouts",),
        {"service": "payment"},
    )
    assert service.metrics == PAYMENT["metrics"]


def test_short_kinds_are_understood() -> None:
    (service,) = parse([entry("db") | {"workload": "sts/db"}], default_cluster="main")

    assert service.entity.kind == "StatefulSet"


@pytest.mark.parametrize("kept", ["payment-svc", "PAYMENT-SVC", "payment", "支付服务"])
def test_names_aliases_and_workloads_are_found_whatever_their_case(kept: str) -> None:
    assert names(catalog(PAYMENT).lookup(kept)) == ["payment-svc"]


def test_nothing_is_found_by_a_part_of_its_name() -> None:
    assert not catalog(PAYMENT).lookup("pay")
    assert not catalog(PAYMENT).lookup("payment-svc-v2")


def test_one_name_in_several_places_is_allowed() -> None:
    found = catalog(entry("api", "a"), entry("api", "b")).lookup("api")

    assert [service.entity.namespace for service in found] == ["a", "b"]


def test_one_workload_twice_is_refused() -> None:
    services = [*parse([entry("web")], default_cluster="main"), *parse([entry("web")], default_cluster="main")]

    with pytest.raises(CatalogError, match="main/shop/deployment/web"):
        Catalog(services)


def test_by_key() -> None:
    assert catalog(entry("web")).by_key("main/shop/deployment/web") is not None
    assert catalog(entry("web")).by_key("main/shop/deployment/other") is None


def test_every_problem_of_a_file_is_told_at_once() -> None:
    entries = [
        {"name": "a"},
        entry("b") | {"workload": "cronjob/b"},
        "c",
        entry("d") | {"aliases": "x", "colour": "red", "alerts": [1]},
        entry("e") | {"name": True},
        entry("f") | {"metrics": {"requests": "x{pod=$pods}", "cpu": "x{$where}"}},
        entry("g") | {"metrics": ["x"]},
    ]

    with pytest.raises(CatalogError) as raised:
        parse(entries, default_cluster="main", where="catalog.yaml: services")

    told = "\n".join(raised.value.problems)
    for part in (
        "services[0].namespace: is missing",
        "services[0].workload: is missing",
        "services[1].workload: must be KIND/NAME",
        "services[2]: must be a mapping",
        "services[3].aliases: must be a list",
        "services[3].colour: is no field",
        "services[3].alerts: must be a mapping",
        "services[4].name: must be a text",
        "services[5].metrics.requests: has $pods outside of a string",
        "services[6].metrics: must be a mapping",
    ):
        assert part in told


def test_without_a_default_the_cluster_must_be_named() -> None:
    with pytest.raises(CatalogError, match="name a configured one"):
        parse([entry("web")], default_cluster="")


def test_the_same_workload_twice_in_a_file_is_told_with_its_place() -> None:
    with pytest.raises(CatalogError, match="services: two services"):
        parse([entry("web"), entry("web") | {"name": "other"}], default_cluster="main")


@pytest.mark.parametrize("entries", [{}, "web", 3])
def test_a_file_that_holds_no_list(entries: object) -> None:
    with pytest.raises(CatalogError, match="must be a list"):
        parse(entries, default_cluster="main")


def test_no_entries_are_no_services() -> None:
    assert parse(None, default_cluster="main") == []
    assert len(Catalog()) == 0
    assert Catalog().closest("web") == ()


def test_the_closest_come_best_first() -> None:
    known = catalog(entry("order-api"), entry("order-db"), entry("payment-api"), entry("web"))

    assert names(known.closest("order-ap"))[0] == "order-api"
    assert names(known.closest("order"))[:2] == ["order-db", "order-api"]
    assert names(known.closest("paymnet-api"))[0] == "payment-api"
    assert known.closest("zzz") == ()
    assert len(known.closest("order", n=1)) == 1


def test_nodes_are_an_index_of_their_own() -> None:
    nodes = index_nodes(
        Entity(cluster=cluster, namespace="", kind="Node", workload="node-1", name="Node-1") for cluster in ("a", "b")
    )

    assert [service.entity.cluster for service in nodes["node-1"]] == ["a", "b"]


def test_known_places_include_those_without_a_service() -> None:
    known = Catalog(
        parse([entry("web", environment="prod")], default_cluster="main"),
        clusters=["Prod-EU"],
        namespaces=["empty"],
        environments=["staging"],
    )

    assert known.clusters == {"main", "prod-eu"}
    assert known.namespaces == {"shop", "empty"}
    assert known.environments == {"prod", "staging"}


def test_ten_thousand_services_are_no_burden() -> None:
    known = catalog(*(entry(f"svc-{letter}-{n}") for letter in "abcdefghij" for n in range(1000)))

    began = time.process_time()
    for _ in range(20):
        known.closest("svc-zz-17")
    assert time.process_time() - began < 1
