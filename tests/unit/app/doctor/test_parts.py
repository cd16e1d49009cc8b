"""What the doctor says of store, clusters, settings and catalog, and how it is printed."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, cast, get_args

import pytest
from pydantic import SecretStr

from chatops_bot.app.doctor.clusters import ESSENTIAL, LEAVE_EVENTS, USEFUL, impersonating, on_cluster
from chatops_bot.app.doctor.findings import bad, ok, shown, warn
from chatops_bot.app.doctor.settings import on_catalog, on_settings
from chatops_bot.app.doctor.store import on_servers
from chatops_bot.app.doctor.store import on_settings as on_store_settings
from chatops_bot.app.settings import (
    AlertSettings,
    ClusterSettings,
    ConsoleSettings,
    Settings,
    StoreSettings,
)
from chatops_bot.domain.actions.registry import ACTIONS, all_permissions
from chatops_bot.domain.entities import Entity, EntityKind, Service
from chatops_bot.domain.impersonation import Actor, Impersonation
from chatops_bot.domain.observed import Permission
from chatops_bot.ports.cluster import ClusterReader, ClusterUnavailable
from chatops_bot.ports.store import FindingCode, StoreFinding


class Account:
    """Answers access reviews as a cluster would for an account with these permissions."""

    name = "east"

    def __init__(
        self,
        granted: set[Permission],
        *,
        user: str = "system:serviceaccount:ops:bot",
        down: bool = False,
        rollouts: bool = True,
    ) -> None:
        self._rollouts = rollouts
        self._granted = granted
        self._user = user
        self._down = down
        self.asked: list[tuple[str, Permission]] = []

    async def whoami(self) -> str:
        if self._down:
            raise ClusterUnavailable("connection refused")
        return self._user

    async def installed(self, kind: EntityKind) -> bool:
        return kind != "Rollout" or self._rollouts

    async def allowed(
        self, permission: Permission, *, namespace: str, name: str = "", actor: Actor | None = None
    ) -> bool:
        self.asked.append((namespace, permission))
        return permission in self._granted


ARGO = {Permission("argoproj.io", "rollouts", verb) for verb in ("get", "list", "watch")}
NODE_ACTIONS = "cordon, uncordon, drain"
LIST_NODES = Permission("", "nodes", "list")
"""Without it the bot knows no nodes, and lacks nothing for changing them."""
ENOUGH = {*ESSENTIAL, *USEFUL, *ARGO, *all_permissions()}


async def said(account: Account, *, namespaces: tuple[str, ...] = (), actions: Collection[str] = ACTIONS) -> list[str]:
    reader = cast(ClusterReader, account)  # only what the doctor asks is there
    return [
        f"{finding.severity} {finding.what}"
        for finding in await on_cluster(reader, namespaces=namespaces, actions=actions)
    ]


class TestCluster:
    async def test_all_is_well(self) -> None:
        assert await said(Account(ENOUGH)) == [
            "ok cluster east knows the bot as system:serviceaccount:ops:bot",
            "ok east, all namespaces: all permissions are there",
        ]

    async def test_each_allowed_namespace_is_asked_about(self) -> None:
        account = Account(ENOUGH)
        lines = await said(account, namespaces=("shop", "payments"))
        assert lines[1:] == [
            f"ok cluster east: the bot changes no nodes ({NODE_ACTIONS}): it serves only shop, payments, and nodes are in no namespace",
            "ok east, namespace shop: all permissions are there",
            "ok east, namespace payments: all permissions are there",
        ]
        assert {namespace for namespace, _ in account.asked} == {"shop", "payments"}
        assert not any(permission.resource == "nodes" for _, permission in account.asked)

    async def test_a_bot_that_may_not_list_nodes_changes_none(self) -> None:
        lines = await said(Account({one for one in ENOUGH if one.resource != "nodes"}))
        assert "ok cluster east: the bot changes no nodes (cordon, uncordon, drain): it may not list them" in lines
        assert not any("cannot be carried out" in line for line in lines)
        assert len(await said(Account(ENOUGH - {LIST_NODES}), actions=("scale",))) == 2

    @pytest.mark.parametrize("missing", sorted(ENOUGH, key=str))
    async def test_every_missing_permission_is_named(self, missing: Permission) -> None:
        lines = await said(Account(ENOUGH - {missing}))
        told = [line for line in lines if f"missing: {missing.verb} {missing.resource}" in line]
        assert bool(told) is (missing != LIST_NODES)
        gaps = [line for line in told if "answers have gaps" in line or "cannot see them" in line]
        assert bool(gaps) == (missing in USEFUL or missing in ARGO)
        assert all(line.startswith("warn" if line in gaps else "bad") for line in told)

    async def test_actions_that_cannot_be_carried_out_are_named(self) -> None:
        lines = await said(Account({*ESSENTIAL, *USEFUL, *ARGO, LIST_NODES}))
        for action in ACTIONS:
            assert any(f"{action} cannot be carried out" in line for line in lines)

    async def test_actions_that_nobody_may_confirm_are_not_asked_about(self) -> None:
        lines = await said(Account({*ESSENTIAL, *USEFUL}), actions=("restart",))
        assert [line for line in lines if "cannot be carried out" in line and "restart" not in line] == []
        assert any("restart cannot be carried out" in line for line in lines)

    async def test_rollouts_that_are_not_there_are_not_asked_about(self) -> None:
        account = Account({one for one in ENOUGH if one.group != "argoproj.io"}, rollouts=False)
        assert await said(account) == await said(Account(ENOUGH, rollouts=False))
        assert "argoproj.io" not in {permission.group for _, permission in account.asked}

    async def test_rollouts_that_cannot_be_seen_are_told_once_and_not_for_each_action(self) -> None:
        lines = await said(Account({one for one in ENOUGH if one.group != "argoproj.io"}))
        (line,) = [line for line in lines if "rollouts" in line.lower()]
        assert line.startswith("warn east, all namespaces: Argo Rollouts are installed")
        assert "missing: get rollouts.argoproj.io, list rollouts.argoproj.io, watch rollouts.argoproj.io" in line

    async def test_a_bot_that_only_reads_needs_no_permission_to_write(self) -> None:
        assert all(line.startswith("ok") for line in await said(Account({*ESSENTIAL, *USEFUL, *ARGO}), actions=()))

    @pytest.mark.parametrize(
        ("granted", "events", "actions", "told"),
        [
            (False, True, ("scale",), True),
            (True, True, ("scale",), False),
            (False, False, ("scale",), False),
            (False, True, (), False),
        ],
    )
    async def test_events_that_cannot_be_left_are_told_where_they_are_wanted(
        self, *, granted: bool, events: bool, actions: tuple[str, ...], told: bool
    ) -> None:
        account = Account({*ENOUGH, *((LEAVE_EVENTS,) if granted else ())})
        reader = cast(ClusterReader, account)
        found = await on_cluster(reader, namespaces=("shop",), actions=actions, events=events)
        lines = [finding.what for finding in found if finding.severity == "warn"]
        assert lines == (
            ["east, namespace shop: no Event is left on what was changed; missing: create events"] if told else []
        )

    async def test_more_than_needed_is_told(self) -> None:
        lines = await said(Account({*ENOUGH, Permission("", "secrets", "get")}))
        assert lines[-1] == "warn east, all namespaces: the bot may do more than it needs: get secrets"

    @pytest.mark.parametrize("user", ["", "system:anonymous"])
    async def test_an_anonymous_user_is_bad(self, user: str) -> None:
        assert await said(Account(ENOUGH, user=user)) == ["bad cluster east takes the bot for an anonymous user"]

    async def test_one_that_cannot_be_reached_is_bad(self) -> None:
        assert await said(Account(ENOUGH, down=True)) == ["bad cluster east cannot be used: connection refused"]


class TestStore:
    @pytest.mark.parametrize("code", get_args(FindingCode))
    def test_every_finding_has_words_and_a_remedy(self, code: FindingCode) -> None:
        for severe in (True, False):
            (finding,) = on_servers([StoreFinding(code, "redis:6379", "6.0", severe)], embedded=False)
            assert finding.severity == ("bad" if severe else "warn")
            assert "redis:6379" in finding.what
            assert "{" not in finding.what
            assert finding.to_do

    def test_no_finding_is_well(self) -> None:
        assert [finding.severity for finding in on_servers([], embedded=False)] == ["ok"]

    def test_what_the_embedded_one_is_on_purpose_is_not_told(self) -> None:
        finding = StoreFinding("no_memory_limit", "x.sock", "0", severe=False)
        assert [found.severity for found in on_servers([finding], embedded=True)] == ["ok"]

    def test_what_the_embedded_one_can_lose_is_told(self) -> None:
        assert on_store_settings(StoreSettings(url=SecretStr("redis://x"))) == []
        assert len(on_store_settings(StoreSettings())) == 1
        assert "two seconds" in on_store_settings(StoreSettings(appendfsync="everysec"))[1].what


class TestSettings:
    GOOD = Settings(clusters=(ClusterSettings(name="east", in_cluster=True),), console=ConsoleSettings(enabled=True))

    def test_good_ones_are_not_spoken_of(self) -> None:
        assert list(on_settings(self.GOOD)) == []

    @pytest.mark.parametrize(
        ("changes", "finding"),
        [
            ({"clusters": ()}, "bad no cluster is configured"),
            ({"console": ConsoleSettings()}, "bad no platform is enabled"),
            (
                {"console": ConsoleSettings(enabled=True, host="10.0.0.1", trust_network=True)},
                "warn the console has no login",
            ),
            (
                {"alerts": AlertSettings(enabled=True, room="C", unauthenticated=True)},
                "warn alerts are taken from anybody",
            ),
            ({"read_only": True}, "warn read_only is set"),
        ],
    )
    def test_doubtful_ones_are_told(self, changes: dict[str, Any], finding: str) -> None:
        (found,) = on_settings(self.GOOD.model_copy(update=changes))
        assert f"{found.severity} {found.what}".startswith(finding)
        assert found.to_do


class TestCatalog:
    WEB = Entity("east", "shop", "Deployment", "web", "web")

    def test_a_service_that_does_not_exist_is_told(self) -> None:
        gone = Service(Entity("east", "shop", "StatefulSet", "db", "order-db"))
        unasked = Service(Entity("west", "shop", "Deployment", "x", "x"))
        (found,) = on_catalog([Service(self.WEB), gone, unasked], [self.WEB])
        assert found.severity == "warn"
        assert "order-db, but there is no statefulset/db in east/shop" in found.what

    def test_one_that_fits_is_well_and_nothing_is_said_where_nobody_could_be_asked(self) -> None:
        assert [found.severity for found in on_catalog([Service(self.WEB)], [self.WEB])] == ["ok"]
        assert list(on_catalog([Service(self.WEB)], [])) == []


class TestShown:
    FINDINGS = (ok("fine"), warn("doubtful", "look"), bad("token=hunter22hunter22 is wrong", "change it"))

    def test_for_a_person(self) -> None:
        assert list(shown(self.FINDINGS, as_json=False)) == [
            "ok    fine",
            "warn  doubtful",
            "      -> look",
            "bad   token=*** is wrong",
            "      -> change it",
        ]

    def test_as_json_without_secrets(self) -> None:
        lines = [json.loads(line) for line in shown(self.FINDINGS, as_json=True)]
        assert lines[0] == {"severity": "ok", "what": "fine"}
        assert "hunter22" not in str(lines)


async def test_whom_the_bot_may_not_act_for_is_told_by_name() -> None:
    people = Impersonation(people={"alice": Actor("alice@corp", ("sre",)), "bob": Actor("bob@corp", ("sre",))})
    users, groups = Permission("", "users", "impersonate"), Permission("", "groups", "impersonate")
    (fine,) = await impersonating(cast(ClusterReader, Account({users, groups})), people)
    assert fine.severity == "ok"
    (missing,) = await impersonating(cast(ClusterReader, Account({users})), people)
    assert missing.severity == "bad"
    assert missing.what.endswith("missing: impersonate groups/sre")
    (missing,) = await impersonating(cast(ClusterReader, Account({groups})), people)
    assert missing.what.endswith("missing: impersonate users/alice@corp, users/bob@corp")
