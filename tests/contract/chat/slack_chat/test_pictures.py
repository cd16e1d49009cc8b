"""Charts on Slack: uploaded once, shown on the card, and never the reason why a card is missing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from chatops_bot.adapters.slack import SlackChat
from chatops_bot.adapters.slack.fake import blockkit
from chatops_bot.adapters.slack.fake.server import FakeSlack, Fault
from chatops_bot.adapters.slack.fake.workspace import SCOPES
from chatops_bot.domain.cards import Card
from chatops_bot.ports.album import PAUSE_S
from tests.contract.chat.slack_chat.conftest import HERE, Rig, rigged, settings
from tests.fakes.clock import ManualClock, until
from tests.fakes.pictures import PNG, Easel, card, chart

Shown = tuple[Rig, Easel]


@pytest.fixture
async def rig() -> AsyncIterator[Shown]:
    easel = Easel()
    async with rigged("http", painter=easel) as made:
        yield made, easel


async def post(rig: Rig, shown: Card, key: str = "k1") -> str:
    return (await rig.chat.post(room=HERE, thread="t", card=shown, root="", key=key, again=False)).message


async def update(rig: Rig, message: str, shown: Card) -> None:
    await rig.chat.update(room=HERE, thread="t", card=shown, message=message, root="")


def kinds(rig: Rig) -> list[str]:
    return [block["type"] for block in rig.slack.workspace.messages()[-1]["blocks"]]


def said(rig: Rig) -> str:
    return "\n".join(blockkit.texts(rig.slack.workspace.messages()[-1]["blocks"]))


async def test_a_picture_is_uploaded_in_three_steps_and_is_on_the_card(rig: Shown) -> None:
    made, _ = rig
    await post(made, card())
    assert kinds(made) == ["section", "section", "image"]
    ((name, file),) = made.slack.workspace.files.items()
    assert file.content == PNG + b"1"
    image = made.slack.workspace.messages()[-1]["blocks"][-1]
    assert image["slack_file"] == {"id": name}
    assert "now 4 MiB" in image["alt_text"]
    uploads = [args for method, args in made.slack.workspace.calls if method.startswith("files.")]
    assert "channel_id" not in uploads[1], "a file of its own in the channel is not wanted"


async def test_the_same_picture_is_uploaded_once_however_often_its_card_is_drawn(rig: Shown) -> None:
    made, easel = rig
    message = await post(made, card())
    for text in ("1 of 2 ready", "0 of 2 ready"):
        updating = asyncio.create_task(update(made, message, card(text=text)))
        await made.clock.advance(5)
        await updating
    await post(made, card(), key="k2")
    assert len(made.slack.workspace.files) == len(easel.painted) == 1
    updating = asyncio.create_task(update(made, message, card(chart(7.0))))
    await made.clock.advance(5)
    await updating
    assert len(made.slack.workspace.files) == 2


async def test_a_file_that_slack_does_not_know_yet_is_waited_for(rig: Shown) -> None:
    """slackapi/python-slack-sdk 1521: known some moments after its upload is complete."""
    made, _ = rig
    made.slack.workspace.slow_files = 2
    posting = asyncio.create_task(post(made, card()))
    for seen in (1, 2):
        await until(lambda seen=seen: made.slack.workspace.count("chat.postMessage") == seen, "an attempt")  # type: ignore[misc]
        await asyncio.sleep(0.05)
        await made.clock.advance(1)
    await posting
    assert kinds(made) == ["section", "section", "image"]
    assert len(made.slack.workspace.messages()) == 1


async def test_a_file_that_slack_never_knows_costs_the_picture_and_nothing_else(rig: Shown) -> None:
    made, _ = rig
    made.slack.workspace.slow_files = 100
    posting = asyncio.create_task(post(made, card()))
    while not posting.done():
        await made.clock.advance(0.5)
        await asyncio.sleep(0.01)
    assert kinds(made) == ["section", "section", "context"]
    assert "now 4 MiB" in said(made)


@pytest.mark.parametrize(
    ("method", "fault"),
    [
        ("files.getUploadURLExternal", Fault(error="internal_error")),
        ("files.getUploadURLExternal", Fault(text="<html>", status=502)),
        ("files.getUploadURLExternal", Fault(retry_after=30)),
        ("files.getUploadURLExternal", Fault(cut=True)),
        ("upload", Fault(status=500)),
        ("files.completeUploadExternal", Fault(error="file_update_failed")),
    ],
)
async def test_a_failed_upload_leaves_a_card_with_the_line(rig: Shown, method: str, fault: Fault) -> None:
    made, _ = rig
    made.slack.fail(method, fault)
    await post(made, card())
    assert kinds(made) == ["section", "section", "context"]
    assert "now 4 MiB" in said(made)


async def test_a_missing_scope_is_tried_again_only_after_a_while(rig: Shown) -> None:
    made, easel = rig
    made.slack.workspace.scopes = SCOPES.replace(",files:write", "")
    await post(made, card())
    await post(made, card(chart(7.0)), key="k2")
    assert len(easel.painted) == 1
    assert kinds(made) == ["section", "section", "context"]
    made.slack.workspace.scopes = SCOPES
    await made.clock.advance(PAUSE_S)
    await post(made, card(), key="k3")
    assert kinds(made) == ["section", "section", "image"]


async def test_a_picture_that_cannot_be_drawn_leaves_a_card_with_the_line(rig: Shown) -> None:
    made, easel = rig
    easel.problem = "no font"
    await post(made, card())
    assert kinds(made) == ["section", "section", "context"]
    assert made.slack.workspace.files == {}


async def test_a_picture_that_takes_too_long_is_not_waited_for(rig: Shown) -> None:
    made, easel = rig
    easel.held = asyncio.Event()
    posting = asyncio.create_task(post(made, card()))
    await until(lambda: bool(easel.painted), "the drawing under way")
    assert not posting.done()
    await made.clock.advance(10)
    await posting
    assert kinds(made) == ["section", "section", "context"]


async def test_the_check_tells_that_charts_need_a_scope() -> None:
    async with FakeSlack(ManualClock()) as slack:
        slack.workspace.scopes = SCOPES.replace(",files:write", "")
        chat = SlackChat(settings(slack, "socket"), clock=ManualClock(), random_bytes=bytes)
        (found,) = [finding for finding in await chat.check() if finding.severity != "ok"]
    assert found.severity == "warning"
    assert "files:write" in found.what
    assert found.what_to_do
