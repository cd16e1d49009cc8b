from chatops_bot.domain.cards import Button, Card, Text
from tests.contract.chat.feishu_chat.conftest import Rig


async def test_a_mention_a_card_a_click_and_an_update(rig: Rig) -> None:
    assert (await rig.say("@bot restart web")).accepted
    (heard,) = rig.store.messages
    assert (heard.text, heard.addressed, heard.name) == ("restart web", True, "alice")
    card = Card(
        title="plan", language="en", blocks=(Text("restart web"),), buttons=(Button("confirm", "Confirm", token="k"),)
    )
    posted = await rig.chat.post(room=rig.room, thread="t", card=card, root="", key="c1", again=False)
    (shown,) = rig.wire.shown(rig.ops)
    assert shown.message == posted.message
    answer = await rig.press(posted.message, "confirm", who="bob")
    assert answer.accepted, answer
    (click,) = rig.store.clicks
    assert (click.button, click.token, click.thread, click.card) == ("confirm", "k", "t", posted.message)
    await rig.chat.update(
        room=rig.room, thread="t", card=Card(title="done", language="en"), message=posted.message, root=""
    )
    (shown,) = rig.wire.shown(rig.ops)
    assert shown.text.startswith("done")
    assert shown.updates == 1
