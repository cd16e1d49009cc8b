"""What users of comparable bots reported and no transcript can show: counts and places, standing yeses, reasons of a
refusal, and a model that tells of a state that is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.app.bot import BuiltInRules
from chatops_bot.domain import audit
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import Context, Interpretation, Utterance
from chatops_bot.ports.interpreter import ANYWHERE, Where
from tests.fakes.openai_server import Says
from tests.scenario.playing import scene
from tests.scenario.test_model import modelled

SERVICES: list[dict[str, Any]] = [
    {
        "name": name,
        "cluster": "prod-us",
        "namespace": namespace,
        "workload": f"deployment/{name}",
        "environment": "prod",
    }
    for name, namespace in (("api", "pay"), ("web", "shop"), ("cart", "shop"))
]
CLUSTER = {
    "workloads": [
        {"kind": "Deployment", "namespace": "pay", "name": "api", "replicas": 6, "image": "reg/api:1"},
        {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 20, "image": "reg/web:1"},
        {"kind": "Deployment", "namespace": "shop", "name": "cart", "replicas": 20, "image": "reg/cart:1"},
    ]
}


@pytest.mark.parametrize(
    "text",
    [
        "in prod-eu, pods of api",
        "restart api in prod-eu",
        "prod-eu 集群的 api 重启一下",
        "把 prod-eu 的 api 重启",
        "看下 prod-eu 的 api 的日志",
    ],
)
async def test_what_is_asked_of_another_cluster_is_not_answered_from_this_one_b17(tmp_path: Path, text: str) -> None:
    async with scene(tmp_path, services=SERVICES, cluster=CLUSTER) as stage:
        printed = await stage.say("alice", f"@bot {text}")
        assert (printed["state"], printed["plan"], printed["service"]) == ("collecting", None, None)
        assert "6/6" not in printed["reply"]
        assert "service:api" in printed["buttons"]


@pytest.mark.parametrize("text", ["把 pay 的 api 重启", "prod-us 集群的 api 重启一下", "把 prod-us 的 api 重启一下"])
async def test_the_right_place_before_the_name_is_an_order_like_any_other_b17(tmp_path: Path, text: str) -> None:
    async with scene(tmp_path, services=SERVICES, cluster=CLUSTER) as stage:
        printed = await stage.say("alice", f"@bot {text}")
        assert (printed["state"], printed["plan"]["target"], printed["namespace"]) == (
            "confirming",
            "deployment/api",
            "pay",
        )


@pytest.mark.parametrize("text", ["bob 把 pay 的 api 重启了", "不要把 pay 的 api 重启", "谁把 pay 的 api 重启了"])
async def test_telling_and_forbidding_stay_so_with_a_place_b17(tmp_path: Path, text: str) -> None:
    async with scene(tmp_path, services=SERVICES, cluster=CLUSTER) as stage:
        assert (await stage.say("alice", f"@bot {text}"))["plan"] is None


@pytest.mark.parametrize(
    ("text", "count", "place"),
    [
        ("how many pods in pay?", "6 pods", "pay · as of"),
        ("how many pods are there in namespace pay", "6 pods", "pay · as of"),
        ("list pods in namespace shop", "40 pods", "shop · as of"),
        ("pay 命名空间有几个 pod", "6 个 Pod", "pay · 截至"),
        ("how many pods in prod?", "46 pods", "PRODUCTION · as of"),
    ],
)
async def test_what_is_counted_is_of_the_place_that_was_named_which_is_shown_b18(
    tmp_path: Path, text: str, count: str, place: str
) -> None:
    async with scene(tmp_path, services=SERVICES, cluster=CLUSTER) as stage:
        printed = await stage.say("alice", f"@bot {text}")
        assert printed["intents"] == ["overview"]
        assert count in printed["reply"]
        assert place in printed["reply"]
        of_a_service = await stage.say("alice", "@bot how many pods in web?")
        assert "20/20" in of_a_service["reply"]


async def test_pods_are_those_of_what_is_talked_about_else_it_is_asked_b20(
    tmp_path: Path,
) -> None:
    async with scene(tmp_path, services=SERVICES, cluster=CLUSTER) as stage:
        nothing = await stage.say("bob", "@bot get pods", room="other")
        assert (nothing["state"], nothing["service"]) == ("collecting", None)
        assert "service:api" in nothing["buttons"]
        await stage.say("alice", "@bot status of api")
        pods = await stage.say("alice", "@bot get pods")
        assert (pods["service"], pods["namespace"]) == ("api", "pay")
        assert "6/6" in pods["reply"]
        assert "prod-us · pay · deployment/api" in pods["reply"]


@pytest.mark.parametrize(
    "text", ["yes and don't ask again", "confirm, always allow", "yes, always", "确认，以后别再问了", "一直允许"]
)
async def test_no_yes_holds_for_what_comes_later_d22(tmp_path: Path, text: str) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot restart web")
        await stage.say("alice", f"@bot {text}")
        written = len(stage.stage.sandbox.writes())
        for order in ("restart api", "scale api to 3", "restart web"):
            asked = await stage.say("alice", f"@bot {order}")
            assert (asked["state"], asked["executed"]) == ("confirming", [])
        assert len(stage.stage.sandbox.writes()) == written


class Listening:
    """The rules, and what a model would have seen beside the last message."""

    def __init__(self) -> None:
        self._rules = BuiltInRules()
        self.seen = Context("status", (), (), ())

    async def interpret(self, utterance: Utterance, *, where: Where = ANYWHERE) -> Interpretation:
        if utterance.context is not None:
            self.seen = utterance.context
        return self._rules.interpret(utterance)


async def test_why_somebody_said_no_is_on_record_and_in_the_context_d10(tmp_path: Path) -> None:
    listening = Listening()
    async with scene(tmp_path, interpreter=listening) as stage:
        await stage.say("alice", "@bot restart web")
        said = await stage.say("alice", "@bot no, because the pool is draining")
        assert (said["plan"], said["executed"]) == (None, [])
        log = stage.stage.bot.stores.audit
        records = [
            audit.decode(one.record) for shard in range(SHARDS) for one in await log.entries(shard=shard, limit=1_000)
        ]
        assert any("the pool is draining" in record.text for record in records)
        await stage.say("alice", "@bot how is it")
        assert any("the pool is draining" in heard.text for heard in listening.seen.window)


@pytest.mark.parametrize("lie", ["It is waiting for approval.", "Approved, executing now.", "done"])
async def test_what_waits_is_told_from_what_is_stored_and_never_by_a_model_d23(tmp_path: Path, lie: str) -> None:
    """Where the rules forbid it nothing waits, whatever a model words."""
    head = {"policy": {"rules": [{"actions": ["read"], "request": ["*"]}]}}
    async with modelled(tmp_path, Says(lie), head=head, answers=True) as (playing, _):
        refused = await playing.say("alice", "@bot restart web")
        assert refused["refused"]
        for text in ("is it waiting for somebody?", "what is the state of my restart", "web 的重启现在到哪一步了？"):
            printed = await playing.say("alice", f"@bot {text}")
            assert printed["plan"] is None
            assert lie not in printed["reply"]
            assert "To confirm" not in printed["reply"]
        assert playing.stage.sandbox.writes() == []


def test_the_same_ids_of_two_tenants_are_two_people_and_two_rooms_d15() -> None:
    assert User("slack", "T1", "U1").key != User("slack", "T2", "U1", foreign=True).key
    assert User("slack", "T1", "U1").full_key != User("slack", "T2", "U1").full_key
    assert Room("slack", "T1", "C1").key != Room("slack", "T2", "C1").key
