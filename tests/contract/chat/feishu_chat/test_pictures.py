"""Charts on Feishu: uploaded once for each app, shown on the card, and never the reason why a card is missing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from chatops_bot.domain.cards import Card
from chatops_bot.ports.wire import Fault
from tests.contract.chat.feishu_chat.conftest import Rig, rigged
from tests.fakes.pictures import PNG, Easel, card, chart

Shown = tuple[Rig, Easel]


@pytest.fixture
async def rig() -> AsyncIterator[Shown]:
    easel = Easel()
    async with rigged("webhook", painter=easel) as made:
        yield made, easel


async def post(rig: Rig, shown: Card, key: str = "c") -> str:
    return (await rig.chat.post(room=rig.room, thread="t", card=shown, root="", key=key, again=False)).message


def elements(rig: Rig) -> list[dict[str, Any]]:
    """Those of the newest card in the room."""
    posts = [one for one in rig.wire.world.posts.values() if one.kind == "interactive"]
    found: list[dict[str, Any]] = json.loads(posts[-1].content)["body"]["elements"]
    return found


async def test_a_picture_is_uploaded_and_is_on_the_card(rig: Shown) -> None:
    made, _ = rig
    await post(made, card())
    ((key, content),) = made.wire.world.images.items()
    assert content == PNG + b"1"
    image = elements(made)[-1]
    assert (image["tag"], image["img_key"]) == ("img", key)
    assert "now 4 MiB" in image["alt"]["content"]


async def test_the_same_picture_is_uploaded_once_however_often_its_card_is_drawn(rig: Shown) -> None:
    made, easel = rig
    message = await post(made, card())
    updating = asyncio.create_task(
        made.chat.update(room=made.room, thread="t", card=card(text="0 of 2"), message=message, root="")
    )
    await made.clock.advance(5)
    await updating
    await post(made, card(), key="c2")
    assert len(made.wire.world.images) == len(easel.painted) == 1
    await post(made, card(chart(7.0)), key="c3")
    assert len(made.wire.world.images) == 2


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=400, code="99991672"),
        Fault(status=500),
        Fault(kind="reset_before"),
        Fault(status=400, code="99991400"),
    ],
    ids=["permission", "server", "connection", "limit"],
)
async def test_a_failed_upload_leaves_a_card_with_the_line(rig: Shown, fault: Fault) -> None:
    made, _ = rig
    made.wire.faults.fail("images.create", fault)
    await post(made, card())
    assert [element["tag"] for element in elements(made)] == ["div", "div"]
    assert "now 4 MiB" in elements(made)[-1]["text"]["content"]


async def test_a_picture_that_cannot_be_drawn_leaves_a_card_with_the_line(rig: Shown) -> None:
    made, easel = rig
    easel.problem = "no font"
    await post(made, card())
    assert made.wire.world.images == {}
    assert "now 4 MiB" in elements(made)[-1]["text"]["content"]
