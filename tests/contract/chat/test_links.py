"""The address of a card: what opens it, or its room, or nothing where a platform has no addresses."""

from __future__ import annotations

import pytest

from chatops_bot.ports.chat import CardGone, ChatUnavailable
from chatops_bot.ports.wire import Fault
from tests.contract.chat.talk import Talk, plan


async def test_a_card_has_the_address_that_its_platform_has(talk: Talk) -> None:
    posted = await talk.card(plan())
    link = await talk.chat.permalink(room=talk.here, message=posted.message)
    channel = talk.room
    assert (
        link
        == {
            "slack": f"https://test.slack.com/archives/{channel}/p{posted.message.replace('.', '')}",
            "feishu": f"https://applink.feishu.cn/client/chat/open?openChatId={channel}",
            "wecom": "",
            "console": "",
        }[talk.chat.platform]
    )


async def test_a_failure_is_said_as_one(talk: Talk) -> None:
    if talk.chat.platform != "slack":
        return  # the others ask nobody
    posted = await talk.card(plan())
    talk.wire.faults.fail("chat.getPermalink", Fault(status=500))
    with pytest.raises(ChatUnavailable):
        await talk.chat.permalink(room=talk.here, message=posted.message)
    with pytest.raises(CardGone):
        await talk.chat.permalink(room=talk.here, message="1.2")
