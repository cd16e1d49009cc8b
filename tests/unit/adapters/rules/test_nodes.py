"""Nodes as people speak of them: cordoning, uncordoning, draining, and what has to be said outright."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.adapters.rules import RulesInterpreter
from chatops_bot.domain import names
from chatops_bot.domain.catalog import index_nodes
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Asked, Interpretation, PendingPlan, Route, State, Utterance
from chatops_bot.domain.normalise import clean
from tests.unit.adapters.rules.speaking import CATALOG

NODES = tuple(
    Entity(cluster="prod", namespace="", kind="Node", workload=name, name=name)
    for name in ("node-1", "node-2", "ip-10-0-3-7.ec2.internal")
)
INDEX = index_nodes(NODES)
DRAIN = PendingPlan(action="drain", entity=NODES[0])
CORDON = PendingPlan(action="cordon", entity=NODES[0])


def told(text: str, state: State = State.IDLE, **around: Any) -> Interpretation:
    cleaned = clean(text)
    found = names.find(cleaned, CATALOG, INDEX)
    uttered = Utterance(text=cleaned, state=state, names=found.names, dismissed=found.dismissed, **around)
    return RulesInterpreter().interpret(uttered)


@pytest.mark.parametrize(
    ("text", "intent", "name"),
    [
        ("cordon node-1", "cordon", "node-1"),
        ("cordon off node-1 please", "cordon", "node-1"),
        ("mark node-1 unschedulable", "cordon", "node-1"),
        ("disable scheduling on node-1", "cordon", "node-1"),
        ("cordon ip-10-0-3-7.ec2.internal", "cordon", "ip-10-0-3-7.ec2.internal"),
        ("节点 node-1 停止调度", "cordon", "node-1"),
        ("停止调度 node-1", "cordon", "node-1"),
        ("封锁 node-1", "cordon", "node-1"),
        ("把 node-1 设为不可调度", "cordon", "node-1"),
        ("uncordon node-1", "uncordon", "node-1"),
        ("make node-1 schedulable again", "uncordon", "node-1"),
        ("恢复 node-1 调度", "uncordon", "node-1"),
        ("恢复 node-1 的调度", "uncordon", "node-1"),
        ("解除 node-1 的封锁", "uncordon", "node-1"),
        ("drain node-1", "drain", "node-1"),
        ("drain the node node-1", "drain", "node-1"),
        ("evacuate node-1", "drain", "node-1"),
        ("move all pods off node-1", "drain", "node-1"),
        ("evict everything from node-1", "drain", "node-1"),
        ("force drain node-1", "drain", "node-1"),
        ("排空 node-1", "drain", "node-1"),
        ("排空节点 node-1", "drain", "node-1"),
        ("强制排空 node-1", "drain", "node-1"),
        ("把 node-1 上的 pod 都赶走", "drain", "node-1"),
        ("把 node-1 上的 Pod 全部迁走", "drain", "node-1"),
        ("清空节点 node-1", "drain", "node-1"),
        ("驱逐 node-1 上的所有 pod", "drain", "node-1"),
    ],
)
def test_what_is_ordered_of_a_node(text: str, intent: str, name: str) -> None:
    meaning = told(text)
    assert meaning.route is Route.ACT
    (request,) = meaning.requests
    assert (request.intent, request.name.text if request.name else None) == (intent, name)


@pytest.mark.parametrize("text", ["uncordon it", "恢复它的调度", "drain it", "排空它"])
def test_a_pronoun_leaves_the_node_to_the_lock(text: str) -> None:
    (request,) = told(text).requests
    assert request.name is None


@pytest.mark.parametrize(
    "text",
    [
        "don't drain node-1",
        "别排空 node-1",
        "bob drained node-1 yesterday",
        "who cordoned node-1?",
        "node-1 是谁停止调度的？",
        "should we drain node-1?",
        "要不要排空 node-1？",
        "how is node-1",
        "node-1 怎么样",
        "how do I drain node-1?",
    ],
)
def test_what_is_no_order(text: str) -> None:
    assert not any(request.dangerous for request in told(text).requests)


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("drain node-1 --force", {"force": True}),
        ("force drain node-1 and delete local data", {"force": True, "local_data": True}),
        ("drain node-1 --force --delete-emptydir-data", {"force": True, "local_data": True}),
        ("drain node-1, delete the local data", {"local_data": True}),
        ("强制排空 node-1，删除本地数据", {"force": True, "local_data": True}),
        ("排空 node-1，本地数据可以丢", {"local_data": True}),
        ("drain node-1 but do not force it", {}),
        ("drain node-1 without deleting local data", {}),
        ("drain node-1, don't delete local data", {}),
        ("排空 node-1，不要强制", {}),
        ("排空 node-1，不要删除本地数据", {}),
        ("drain node-1", {}),
    ],
)
def test_force_and_loss_are_taken_only_where_they_are_said_outright(text: str, slots: dict[str, bool]) -> None:
    found: dict[str, Any] = {}
    for request in told(text).requests:
        found |= {slot: value for slot, value in request.slots.items() if slot in ("force", "local_data")}
    assert found == slots


def provided(text: str, slot: str) -> dict[str, Any]:
    choices = {"force": ("force",), "local_data": ("delete local data",)}[slot]
    asked = Asked(user="alice", what=(slot,), choices=choices)
    meaning = told(text, State.COLLECTING, asked=asked, intent="drain", lock=NODES[0])
    return dict(meaning.requests[0].slots) if meaning.route is Route.PROVIDE and meaning.requests else {}


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("force", "force"),
        ("force it", "force"),
        ("强制", "force"),
        ("delete local data", "local_data"),
        ("delete the local data", "local_data"),
        ("删除本地数据", "local_data"),
    ],
)
def test_the_words_answer_the_question(text: str, slot: str) -> None:
    assert provided(text, slot) == {slot: True}


@pytest.mark.parametrize(
    "text", ["yes", "ok", "好", "no", "don't force it", "不要强制", "the first", "第一个", "keep it"]
)
@pytest.mark.parametrize("slot", ["force", "local_data"])
def test_nothing_else_does(text: str, slot: str) -> None:
    assert provided(text, slot) == {}


@pytest.mark.parametrize(
    ("text", "plan", "route"),
    [
        ("确认", CORDON, Route.CONFIRM),
        ("go ahead", CORDON, Route.CONFIRM),
        ("确认排空 node-1", DRAIN, Route.CONFIRM),
        ("yes, drain node-1", DRAIN, Route.CONFIRM),
        ("别排空了", DRAIN, Route.CANCEL),
        ("never mind", DRAIN, Route.CANCEL),
        ("cordon it instead", DRAIN, Route.SWITCH),
        ("drain node-2 instead", DRAIN, Route.SWITCH),
    ],
)
def test_a_plan_for_a_node_is_confirmed_or_left(text: str, plan: PendingPlan, route: Route) -> None:
    assert told(text, State.CONFIRMING, plans=(plan,), lock=NODES[0]).route is route
