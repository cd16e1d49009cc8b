"""Setting an image, as people say it."""

from __future__ import annotations

import pytest

from chatops_bot.domain.intents import PendingPlan, Route, SlotValue
from tests.unit.adapters.rules.speaking import PLANNED, answered, intents, replied, slots

PLAN = PendingPlan(
    action="set_image",
    entity=PLANNED,
    parameters={"image": "reg/web:2", "container": "app"},
    before={"image": "reg/web:1", "container": "app"},
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("把 web 的镜像换成 reg/web:1.5", {"image": "reg/web:1.5"}),
        ("web 升级到 1.5", {"image": "1.5"}),
        ("把 web 升级到 reg.io:5000/shop/web:1.5", {"image": "reg.io:5000/shop/web:1.5"}),
        ("把 web 的 app 容器镜像换成 reg/web:2", {"image": "reg/web:2", "container": "app"}),
        ("web 容器 app 的镜像换成 reg/web:2", {"image": "reg/web:2", "container": "app"}),
        ("换一下 web 的镜像", {}),
        ("set the image of web to reg/web:1.5.2", {"image": "reg/web:1.5.2"}),
        ("set image of container app in web to reg/web:2", {"image": "reg/web:2", "container": "app"}),
        ("set image web app=reg/web:2", {"image": "reg/web:2", "container": "app"}),
        ("update web to v1.5.2", {"image": "v1.5.2"}),
        ("update web to latest", {"image": "latest"}),
        ("deploy 1.4.3 to web", {"image": "1.4.3"}),
        ("deploy web 1.4.3", {"image": "1.4.3"}),
        ("use image reg/web:2 for web", {"image": "reg/web:2"}),
        ("set web image", {}),
    ],
)
def test_what_is_ordered(text: str, said: dict[str, SlotValue]) -> None:
    assert intents(text) == ["set_image"]
    assert slots(text) == said


@pytest.mark.parametrize("text", ["web 升级到 1.5 之后报错了", "web 更新镜像以后一直挂", "换镜像后就不行了"])
def test_what_came_of_it_is_told_and_no_order(text: str) -> None:
    assert "set_image" not in intents(text)


def test_what_came_of_it_is_no_order_beside_one() -> None:
    assert intents("回滚 web，升级到 1.5.2 之后一直报错") == ["rollback"]
    assert intents("帮我把 web 升级到 1.5 之后看下状态")[0] == "set_image"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("make it 1.9", {"image": "1.9"}),
        ("改成 reg/web:3", {"image": "reg/web:3"}),
        ("yes but reg/web:4", {"image": "reg/web:4"}),
        ("换成 1.7 吧", {"image": "1.7"}),
        ("container sidecar instead", {"container": "sidecar"}),
    ],
)
def test_a_plan_is_changed(text: str, said: dict[str, SlotValue]) -> None:
    meaning = answered(text, PLAN)
    assert (meaning.route, meaning.requests[0].slots) == (Route.MODIFY, said)


@pytest.mark.parametrize("text", ["升级吧", "go ahead", "确认"])
def test_a_plan_is_confirmed(text: str) -> None:
    assert answered(text, PLAN).route is Route.CONFIRM


@pytest.mark.parametrize(
    ("slot", "text", "value"),
    [
        ("image", "reg/web:3", "reg/web:3"),
        ("image", "the tag is 1.5.2", "1.5.2"),
        ("image", "nginx", "nginx"),
        ("container", "the app container", "app"),
        ("container", "sidecar", "sidecar"),
    ],
)
def test_a_question_is_answered(slot: str, text: str, value: str) -> None:
    choices = ("app", "side") if slot == "container" else ()
    meaning = replied(text, slot, choices=choices, intent="set_image")
    assert (meaning.route, meaning.requests[0].slots) == (Route.PROVIDE, {slot: value})
