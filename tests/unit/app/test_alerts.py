"""A webhook body becomes one event: tolerant of what is not needed, clear about what is missing."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from chatops_bot.app.alert_services import Known
from chatops_bot.app.alerts import AlertBodyError, identity, parse, route, to_group, without
from chatops_bot.app.settings import AlertRoute, AlertSettings
from chatops_bot.domain.entities import Entity, EntityKind, Service
from chatops_bot.domain.events import Alert, AlertGroup
from chatops_bot.domain.identity import Room
from tests.unit.app.deliveries import LABELS, alert, raw

ROOM = Room("slack", "T1", "C1")


def service(name: str, *, cluster: str = "east", kind: EntityKind = "Deployment", **alerts: str) -> Service:
    return Service(Entity(cluster, "shop", kind, name, name), owners=(f"team-{name}",), alerts=alerts)


PAYMENT = service("payment", service="payment")
ORDER = service("order", service="order")


def group(*alerts: dict[str, Any], services: tuple[Service, ...] = (PAYMENT, ORDER), **changes: Any) -> AlertGroup:
    return to_group(
        parse(raw(*alerts, **changes)),
        services=services,
        clusters=("east",),
        room_for=lambda _owners, _severities: ROOM,
        at=0,
    )


class TestParsing:
    def test_an_alert_keeps_what_cards_need(self) -> None:
        only = group().alerts[0]
        assert only == Alert(
            fingerprint="c0ffee0000000001",
            firing=True,
            name="HighErrorRate",
            severity="critical",
            summary="5 % of requests fail",
            labels=LABELS,
            starts_at="2026-01-05T10:00:00.123Z",
            source="http://prometheus:9090/graph?g0.expr=up",
        )

    def test_each_alert_is_judged_on_its_own_status(self) -> None:
        mixed = group(alert(), alert(status="resolved", fingerprint="2"), status="firing")
        assert [one.firing for one in mixed.alerts] == [True, False]

    @pytest.mark.parametrize(
        ("body", "problem"),
        [
            (raw()[:200], "the body is not complete JSON"),
            (b"", "the body is not complete JSON"),
            (b"\xff\xfe", "the body is not complete JSON"),
            (raw().replace(b"requests", b"\xff"), "the body is not complete JSON"),
            (raw(truncatedAlerts="3"), "truncatedAlerts: Expected `int`"),
            (raw(truncatedAlerts=1.5), "truncatedAlerts: Expected `int`"),
            (b'{"x":' + b"[" * 200_000, "the body is nested too deeply"),
            (b"[]", "Expected `object`, got `array`"),
            (raw(version="3"), "version '3' is not understood; this takes version 4"),
            (raw(version=None), "missing required field `version`"),
            (raw(groupKey=None), "missing required field `groupKey`"),
            (raw(alerts=None), "missing required field `alerts`"),
            (raw(alerts=[]), "alerts: is empty"),
            (raw(alerts={}), "alerts: Expected `array`, got `object`"),
            (raw(alert(), alert(status=None)), "alerts[1]: Object missing required field `status`"),
            (raw(alert(labels=None)), "alerts[0]: Object missing required field `labels`"),
            (raw(alert(status="pending")), "alerts[0].status: must be firing or resolved, not 'pending'"),
            (raw(alert(labels={"a": 1})), "Expected `str`, got `int`"),
        ],
    )
    def test_a_body_that_is_no_delivery_is_told_why(self, body: bytes, problem: str) -> None:
        with pytest.raises(AlertBodyError) as caught:
            parse(body)
        assert problem in str(caught.value)

    @given(
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8), st.sampled_from(["4", "firing"])),
            lambda inner: st.one_of(
                st.lists(inner, max_size=3),
                st.dictionaries(
                    st.sampled_from(["version", "groupKey", "alerts", "status", "labels", "annotations", "startsAt"]),
                    inner,
                ),
            ),
            max_leaves=15,
        ),
        st.integers(0, 400),
    )
    def test_whatever_comes_is_read_or_told(self, body: object, cut: int) -> None:
        for content in (json.dumps(body).encode(), json.dumps(body).encode()[:cut], raw()[:cut]):
            try:
                delivery = parse(content)
            except AlertBodyError as error:
                told = str(error)
            else:
                told = delivery.alerts[0].status
            assert told

    def test_what_is_not_needed_may_be_missing_or_unknown(self) -> None:
        spare = alert(annotations=None, startsAt=None, endsAt=None, generatorURL=None, fingerprint=None, extra=[1])
        found = group(
            spare,
            receiver=None,
            truncatedAlerts=None,
            status=None,
            groupLabels=None,
            externalURL=None,
            version=4,
            new={},
        )
        assert found.alerts[0].summary == ""
        assert found.alerts[0].fingerprint

    @pytest.mark.parametrize(
        ("annotations", "summary"),
        [
            ({"description": "d", "summary": "s"}, "s"),
            ({"summary": "", "message": "m"}, "m"),
            ({"runbook_url": "u"}, ""),
            ({"summary": "password=hunter22 failed"}, "password=*** failed"),
            ({"summary": "x" * 9_000}, "x" * 300),
        ],
    )
    def test_the_summary_is_the_first_there_is_masked_and_short(
        self, annotations: dict[str, str], summary: str
    ) -> None:
        assert group(alert(annotations=annotations)).alerts[0].summary == summary

    def test_a_flood_is_bounded(self) -> None:
        flood = group(*(alert(fingerprint=str(number), labels={"alertname": "x" * 9_000}) for number in range(900)))
        assert len(flood.alerts) == 500
        assert (flood.firing, flood.resolved) == (900, 0)
        assert [bool(one.labels) for one in flood.alerts] == [True] * 20 + [False] * 480
        assert len(flood.alerts[0].name) == 256

    def test_those_that_fire_come_first_and_all_are_counted(self) -> None:
        resolved = [alert(status="resolved", fingerprint=f"r{number}") for number in range(600)]
        found = group(*resolved, alert(), truncatedAlerts=7)
        assert [one.firing for one in found.alerts[:2]] == [True, False]
        assert (found.firing, found.resolved, found.left_out) == (1, 600, 7)

    @pytest.mark.parametrize("count", [-1, 10**15])
    def test_a_count_that_cannot_be_is_bounded(self, count: int) -> None:
        assert 0 <= group(truncatedAlerts=count).left_out <= 1_000_000

    def test_what_is_shown_is_one_line_in_one_direction(self) -> None:
        wild = "a\u202eb\nc\x1b[31m\td\u200b"
        found = group(alert(labels={"alertname": wild, "severity": wild}, annotations={"summary": wild})).alerts[0]
        assert (found.name, found.severity, found.summary) == ("ab c [31m d",) * 3

    def test_names_severities_and_labels_hold_no_secret(self) -> None:
        labels = {"alertname": "token=hunter2hunter2", "severity": "password=hunter2", "key": "ghp_" + "0a" * 18}
        found = group(alert(labels=labels)).alerts[0]
        assert (found.name, found.severity, found.labels["key"]) == ("token=***", "password=***", "***")

    def test_only_an_end_that_has_come_is_one(self) -> None:
        ended = alert(status="resolved", endsAt="2026-01-05T10:09:00Z")
        assert [one.ends_at for one in group(alert(endsAt="2026-01-05T10:09:00Z"), ended).alerts] == [
            "",
            "2026-01-05T10:09:00Z",
        ]

    def test_an_alert_without_a_name_still_has_one(self) -> None:
        assert group(alert(labels={})).alerts[0].name == "alert"


class TestIdentity:
    def test_several_alertmanagers_say_the_same(self) -> None:
        one = raw(alert(), alert(fingerprint="2"))
        other = raw(
            alert(fingerprint="2", annotations={"summary": "at 10:01"}, generatorURL="http://other"),
            alert(endsAt="2026-01-05T10:09:00Z"),
            externalURL="http://alertmanager-1:9093",
        )
        assert identity(parse(one), 60) == identity(parse(other), 119)
        assert group().group == group(externalURL="x").group

    @pytest.mark.parametrize(
        "changed",
        [
            raw(alert(status="resolved")),
            raw(alert(startsAt="2026-01-05T11:00:00Z")),
            raw(alert(fingerprint="2")),
            raw(alert(), alert(fingerprint="2")),
            raw(groupKey="other"),
            raw(receiver="other"),
            raw(alert(fingerprint=None)),
            raw(alert(fingerprint=None, labels={"alertname": "HighErrorRate", "pod": "b"})),
        ],
    )
    def test_another_state_or_group_is_another_event(self, changed: bytes) -> None:
        assert identity(parse(changed), 60) != identity(parse(raw()), 60)

    def test_two_senders_may_resolve_at_different_times(self) -> None:
        ends = [raw(alert(status="resolved", endsAt=f"2026-01-05T10:0{minute}:00Z")) for minute in (1, 2)]
        assert identity(parse(ends[0]), 60) == identity(parse(ends[1]), 60)

    def test_a_state_can_come_again(self) -> None:
        assert identity(parse(raw()), 60) != identity(parse(raw()), 120)

    def test_a_group_keeps_its_card_whatever_its_alerts_do(self) -> None:
        assert group(alert()).group == group(alert(status="resolved"), alert(fingerprint="9")).group
        assert group().group != group(receiver="other").group


class TestService:
    def test_the_mapping_of_the_catalog_decides(self) -> None:
        assert group().service == PAYMENT.entity.key

    def test_all_labels_of_the_mapping_must_be_there_and_the_closest_wins(self) -> None:
        close = service("payment-eu", service="payment", region="eu")
        here = alert(labels={**LABELS, "region": "eu"})
        assert group(here, services=(PAYMENT, close)).service == close.entity.key
        assert group(services=(PAYMENT, close)).service == PAYMENT.entity.key

    def test_alerts_of_several_services_are_about_none(self) -> None:
        other = alert(labels={**LABELS, "service": "order"}, fingerprint="2")
        assert group(alert(), other).service == ""
        assert group(alert(), {**other, "status": "resolved"}).service == PAYMENT.entity.key

    def test_two_services_that_fit_alike_are_not_guessed_between(self) -> None:
        twin = service("payment-2", service="payment")
        assert group(services=(PAYMENT, twin)).service == ""

    def test_a_label_that_maps_to_nothing_is_about_none(self) -> None:
        assert group(alert(labels={"alertname": "X", "service": "payments"})).service == ""
        assert group(alert(labels={"alertname": "X"}), services=(service("x"),)).service == ""

    @pytest.mark.parametrize(
        ("labels", "clusters", "found"),
        [
            ({"namespace": "shop", "deployment": "web"}, ("east",), True),
            ({"namespace": "shop", "deployment": "web", "cluster": "east"}, ("east", "west"), True),
            ({"namespace": "shop", "deployment": "web"}, ("east", "west"), False),
            ({"namespace": "shop", "deployment": "web", "cluster": "west"}, ("east",), False),
            ({"namespace": "other", "deployment": "web"}, ("east",), False),
            ({"deployment": "web"}, ("east",), False),
            ({"namespace": "shop", "deployment": "web-2"}, ("east",), False),
            ({"namespace": "shop", "statefulset": "web"}, ("east",), False),
        ],
    )
    def test_labels_that_name_a_workload_exactly_are_believed(
        self, labels: dict[str, str], clusters: tuple[str, ...], found: bool
    ) -> None:
        web = service("web")
        assert Known([web, ORDER], clusters).of(labels) == ([web] if found else [])

    def test_the_mapping_comes_before_the_workloads_name(self) -> None:
        labels = {"service": "payment", "namespace": "shop", "deployment": "web"}
        assert Known([service("web"), PAYMENT], ("east",)).of(labels) == [PAYMENT]


class TestCandidates:
    """What may be meant is offered, and never taken."""

    def test_services_of_several_alerts_are_offered(self) -> None:
        other = alert(labels={**LABELS, "service": "order"}, fingerprint="2")
        found = group(alert(), other)
        assert found.service == ""
        assert found.candidates == (PAYMENT.entity.key, ORDER.entity.key)
        assert group().candidates == ()

    @pytest.mark.parametrize(
        ("labels", "offered"),
        [
            ({"job": "web"}, ["web"]),
            ({"app": "WEB"}, ["web"]),
            ({"container": "storefront"}, ["web"]),
            ({"pod": "web-7f9c-abcde"}, ["web"]),
            ({"pod": "webshop-7f9c-abcde"}, []),
            ({"pod": "web"}, []),
            ({"job": "web", "namespace": "other"}, []),
            ({"job": "web", "cluster": "west"}, []),
            ({"instance": "web"}, []),
            ({"job": "api", "pod": "web-1"}, ["api"]),
            ({"job": "web", "app": "api"}, ["api", "web"]),
            ({}, []),
        ],
    )
    def test_a_service_called_as_a_label_says_is_offered(self, labels: dict[str, str], offered: list[str]) -> None:
        web = Service(Entity("east", "shop", "Deployment", "web", "web"), aliases=("storefront",))
        found = group(alert(labels={"alertname": "X", **labels}), services=(web, service("api"), ORDER))
        assert found.service == ""
        assert [key.rpartition("/")[2] for key in found.candidates] == offered

    def test_no_more_are_offered_than_can_be_told_apart(self) -> None:
        many = tuple(Service(Entity("east", f"n{n}", "Deployment", "web", "web")) for n in range(9))
        assert len(group(alert(labels={"job": "web"}), services=many).candidates) == 5


class TestLinks:
    def test_a_silence_has_the_labels_of_the_group_filled_in(self) -> None:
        labels = {"alertname": 'a"b\\c', "namespace": "shop"}
        found = group(groupLabels=labels, externalURL="https://am.example.com/alertmanager/").silence
        head, _, filled = found.partition("?filter=")
        assert head == "https://am.example.com/alertmanager/#/silences/new"
        assert unquote(filled) == '{alertname="a\\"b\\\\c", namespace="shop"}'

    def test_a_group_of_everything_is_silenced_by_its_name_or_not_at_all(self) -> None:
        assert "alertname" in group(groupLabels={}, commonLabels={"alertname": "X", "pod": "p"}).silence
        assert "pod" not in group(groupLabels={}, commonLabels={"alertname": "X", "pod": "p"}).silence
        assert group(groupLabels={}, commonLabels={"pod": "p"}).silence == ""

    @pytest.mark.parametrize("url", ["javascript:alert(1)//", "http://u:p@am", "", "am:9093"])
    def test_an_address_that_is_none_is_no_link(self, url: str) -> None:
        found = group(alert(generatorURL=url), externalURL=url)
        assert (found.silence, found.url, found.alerts[0].source) == ("", "", "")


class TestWithout:
    IGNORED = AlertSettings().ignore

    @pytest.mark.parametrize(
        "labels",
        [{"alertname": "Watchdog"}, {"alertname": "InfoInhibitor", "severity": "info"}, {"severity": "none", "a": "b"}],
    )
    def test_what_always_fires_is_left_out(self, labels: dict[str, str]) -> None:
        assert without(parse(raw(alert(labels=labels))), self.IGNORED) is None
        mixed = without(parse(raw(alert(labels=labels), alert())), self.IGNORED)
        assert mixed is not None
        assert [one.labels for one in mixed.alerts] == [LABELS]

    def test_all_labels_of_a_mapping_must_be_there(self) -> None:
        delivery = parse(raw())
        assert (
            without(delivery, [{"alertname": "HighErrorRate", "severity": "info"}, {"alertname": "High"}]) == delivery
        )
        assert without(delivery, []) == delivery

    def test_a_mapping_of_nothing_is_no_mapping(self) -> None:
        with pytest.raises(ValidationError, match="would leave out every alert"):
            AlertSettings(ignore=({"alertname": "X"}, {}))


class TestRoute:
    ROUTES = (
        AlertRoute(owners=("team-pay",), severities=("critical",), room="pay-urgent"),
        AlertRoute(owners=("team-pay",), room="pay"),
        AlertRoute(severities=("info",), room="quiet"),
    )

    @pytest.mark.parametrize(
        ("owners", "severities", "room"),
        [
            ({"team-pay"}, {"critical", "info"}, "pay-urgent"),
            ({"team-pay"}, {"warning"}, "pay"),
            ({"team-pay", "x"}, set(), "pay"),
            ({"team-order"}, {"info"}, "quiet"),
            ({"team-order"}, {"critical"}, "ops"),
            (set(), set(), "ops"),
        ],
    )
    def test_the_first_that_fits_wins(self, owners: set[str], severities: set[str], room: str) -> None:
        assert route(self.ROUTES, default="ops", owners=owners, severities=frozenset(severities)) == room

    def test_a_room_is_chosen_by_the_service_and_what_fires(self) -> None:
        seen: list[tuple[frozenset[str], frozenset[str]]] = []

        def room_for(owners: frozenset[str], severities: frozenset[str]) -> Room:
            seen.append((owners, severities))
            return ROOM

        resolved = alert(status="resolved", fingerprint="2", labels={**LABELS, "severity": "info"})
        made = to_group(parse(raw(alert(), resolved)), services=[PAYMENT], clusters=(), room_for=room_for, at=0)
        assert made.room == ROOM
        assert seen == [(frozenset({"team-payment"}), frozenset({"critical"}))]
