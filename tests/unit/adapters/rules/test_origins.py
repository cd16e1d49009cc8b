"""What a value is changed from is said beside what it is changed to, and is never taken for it."""

from __future__ import annotations

import pytest

from chatops_bot.domain.intents import SlotValue
from tests.unit.adapters.rules.speaking import intents, slots

DIGEST = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "intent", "said"),
    [
        ("set the image of web from reg/web:1 to reg/web:5", "set_image", {"image": "reg/web:5"}),
        ("把 web 的镜像从 reg/web:1 换成 reg/web:5", "set_image", {"image": "reg/web:5"}),
        ("upgrade web from v1.4 to v1.5", "set_image", {"image": "v1.5"}),
        ("把 web 从 v1.4 升级到 v1.5", "set_image", {"image": "v1.5"}),
        ("升级 web v1.4 到 v1.5", "set_image", {"image": "v1.5"}),
        ("roll web back from revision 3 to revision 1", "rollback", {"revision": 1}),
        ("web 从版本 3 回滚到版本 1", "rollback", {"revision": 1}),
        ("downgrade web from 1.5 to 1.4", "rollback", {"revision": "1.4"}),
        ("change the HPA of web from 2-8 to 3-12", "set_autoscaler", {"min": 3, "max": 12}),
        ("把 web 的 HPA 从 2 到 8 改成 3 到 12", "set_autoscaler", {"min": 3, "max": 12}),
        ("set max of web's autoscaler from 8 to 20", "set_autoscaler", {"max": 20}),
        ("把 web 的自动扩缩最大值从 8 改到 20", "set_autoscaler", {"max": 20}),
        ("set the hpa of web min from 2 to 3, max from 8 to 10", "set_autoscaler", {"min": 3, "max": 10}),
    ],
)
def test_from_one_value_to_another(text: str, intent: str, said: dict[str, SlotValue]) -> None:
    assert intents(text) == [intent]
    assert slots(text) == said


@pytest.mark.parametrize(
    ("text", "intent", "said"),
    [
        ("autoscale web from 2 to 10", "set_autoscaler", {"min": 2, "max": 10}),
        ("set min and max of web's hpa from 2 to 10", "set_autoscaler", {"min": 2, "max": 10}),
        ("deploy image reg/web:2 to web", "set_image", {"image": "reg/web:2"}),
        ("deploy image from reg/web:2 to web", "set_image", {"image": "reg/web:2"}),
    ],
)
def test_what_only_looks_like_it_is_left(text: str, intent: str, said: dict[str, SlotValue]) -> None:
    assert intents(text) == [intent]
    assert slots(text) == said


@pytest.mark.parametrize(
    ("text", "image"),
    [
        (f"set image of web to reg/web:2@{DIGEST}", f"reg/web:2@{DIGEST}"),
        ("set image of web to reg/web@sha256:zz", "reg/web@sha256:zz"),
        ("set image of web to https://reg/web:2", "https://reg/web:2"),
        ("set image of web image:reg/web:7", "reg/web:7"),
        ("set image of web to reg/web:2, please", "reg/web:2"),
        ("web 镜像回滚到 reg/web:0.8", None),
        ("set image of web to reg/web:2 or reg/web:3", None),
        ("upgrade web to 1.4 or to 1.5", None),
    ],
)
def test_a_reference_is_taken_whole_and_alone(text: str, image: str | None) -> None:
    assert slots(text).get("image") == image


def test_an_image_is_rolled_back_to() -> None:
    assert intents("web 镜像回滚到 reg/web:0.8") == ["rollback"]
    assert slots("web 镜像回滚到 reg/web:0.8") == {"revision": "reg/web:0.8"}
