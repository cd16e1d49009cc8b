"""What the bot shows: cards posted once and changed in place, as fast as the platform lets it and no faster; where it
does not, what its capabilities say instead."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chatops_bot.domain.cards import Button, Card, Code, Fields, Link, Links, Note, Table, Text
from chatops_bot.domain.texts.platform import TEXTS
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.wire import Fault
from tests.contract.chat.talk import THREAD, Talk, done, plan
from tests.fakes.clock import until

TITLE = "Scale web to 5"
HOSTILE = '<!channel> <!here> <@U0BOT> @all @所有人 <at id=all></at> <at user_id="all">all</at> <@all> <@alice> [x](http://evil)'


async def test_a_card_is_shown_with_its_text_and_buttons(talk: Talk) -> None:
    posted = await talk.card(plan(token="tok"))
    (card,) = talk.cards
    assert (card.message, card.updates, card.replaced) == (posted.message, 0, False)
    assert "Scale web to 5" in card.text
    assert "From 2 to 5 replicas" in card.text
    shown = [(button.id, button.label, button.token, button.thread) for button in card.buttons]
    assert shown == [("confirm", "Confirm", "tok", THREAD), ("cancel", "Cancel", "tok", THREAD)]


async def test_all_kinds_of_blocks_can_be_read(talk: Talk) -> None:
    blocks = (
        Text("the first sentence", strong=True),
        Fields((("Image", "reg/web:1"), ("Replicas", "2 of 2"))),
        Table((("POD", "STATE"), ("web-1", "Running"))),
        Code("ERROR timeout after 5 s"),
        Note("small print"),
        Links((Link("Silence", "http://am:9093/#/silences/new?filter=%7Ba%3D%22b%22%7D"),)),
    )
    await talk.card(plan(blocks=blocks))
    for words in (
        "the first sentence",
        "Image: reg/web:1",
        "2 of 2",
        "web-1",
        "Running",
        "ERROR timeout",
        "small print",
        "Silence",
        "http://am:9093/#/silences/new?filter=%7Ba%3D%22b%22%7D",
    ):
        assert words in talk.read


async def test_a_card_is_changed_in_place_or_a_new_one_says_so(talk: Talk) -> None:
    first = await talk.card(plan(token="old"))
    newest = await talk.draw(first.message, plan("Scale web to 6", token="new"))
    cards = talk.cards
    if newest == first.message:
        assert [(card.message, card.updates) for card in cards] == [(newest, 1)]
    else:
        assert talk.can.updates
        assert [card.message for card in cards] == [first.message, newest]
        assert TEXTS["platform.replaces"][1] in cards[-1].text
    assert "Scale web to 6" in cards[-1].text
    assert {button.token for button in cards[-1].buttons} == {"new"}


async def test_right_after_a_press_its_card_is_changed_in_place(talk: Talk) -> None:
    card = await talk.card()
    pressing = asyncio.create_task(talk.click(card.message, "confirm"))
    await until(lambda: bool(talk.store.clicks), "the click")
    await talk.change(card.message, done())
    await pressing
    (shown,) = talk.cards
    assert "web is scaled" in shown.text
    assert (shown.buttons, shown.updates) == ((), 1)


async def test_of_a_burst_of_changes_the_last_one_wins(talk: Talk) -> None:
    card = await talk.card()
    if talk.can.updates:
        await talk.click(card.message, "confirm")  # now it may be changed once
    before = talk.wire.faults.calls(talk.platform.update)
    views = [plan(f"state {number}") for number in range(20)]
    changes = [asyncio.create_task(_shown(talk, card.message, view)) for view in views]
    await talk.through(_all(changes))
    last = await talk.draw(card.message, views[-1])
    assert "state 19" in next(shown for shown in talk.cards if shown.message == last).text
    assert talk.wire.faults.calls(talk.platform.update) - before <= (3 if talk.wire.platform != "console" else 21)
    assert len(talk.cards) <= 2


async def test_a_slow_older_change_never_overwrites_a_newer_one(talk: Talk) -> None:
    card = await talk.card(plan("one"))
    older = asyncio.create_task(_shown(talk, card.message, plan("two")))
    newer = asyncio.create_task(_shown(talk, card.message, plan("three")))
    await talk.through(_all([older, newer]))
    last = await talk.draw(card.message, plan("three"))
    assert "three" in next(shown for shown in talk.cards if shown.message == last).text


async def test_a_card_that_is_gone_is_posted_anew_and_the_old_buttons_are_void(talk: Talk) -> None:
    card = await talk.card(plan(token="old"))
    talk.wire.faults.fail(talk.platform.update, talk.platform.gone)
    with pytest.raises(CardGone):
        await _patiently(talk, card.message, plan(token="new"))
    anew = await talk.post(plan(token="new"), key="k1|2")
    assert anew.message != card.message
    assert {button.token for button in talk.cards[-1].buttons} == {"new"}
    await talk.click(card.message, "confirm", token="old")
    assert talk.store.clicks[-1].token == "old"


@pytest.mark.parametrize(("language", "place"), [("en", 1), ("zh", 0)])
async def test_what_is_too_long_is_cut_and_says_so_in_the_readers_language(
    talk: Talk, language: Any, place: int
) -> None:
    lines = "\n".join(f"{number:05} ERROR timeout in the payment gateway" for number in range(3000))
    await talk.card(Card(title="Logs of web", language=language, blocks=(Text("the last 3000 lines"), Code(lines))))
    if talk.wire.platform == "console":
        assert "02999 ERROR" in talk.read
        return
    assert "the last 3000 lines" in talk.read
    said = TEXTS["platform.more_lines"][place].split("{count}")
    assert all(part.strip() in talk.read for part in said)


@pytest.mark.parametrize(("language", "place"), [("en", 1), ("zh", 0)])
async def test_choices_that_do_not_fit_can_be_typed(talk: Talk, language: Any, place: int) -> None:
    names = [f"service-{number:02}" for number in range(70)]
    choices = tuple(Button(f"service:{name}", name, token="t" * 40) for name in names)
    await talk.card(Card(title="Which one?", language=language, buttons=(*choices, Button("cancel", "Cancel"))))
    buttons = [button for card in talk.cards for button in card.buttons]
    if talk.can.buttons:
        assert len(buttons) <= talk.can.buttons
    if len(buttons) < len(choices):
        left = len(choices) + 1 - len(buttons)
        more = TEXTS["platform.more_buttons"][place].format(count=left)
        typed = TEXTS["platform.type_instead"][place].partition("{")[0]
        labels = [button.label for button in buttons]
        named = all(name in labels or name in talk.read for name in names)
        assert more in talk.read or (typed in talk.read and named)


async def test_many_blocks_are_not_too_many(talk: Talk) -> None:
    blocks = tuple(Text(f"paragraph {number}") for number in range(300))
    await talk.card(Card(title="A long report", language="en", blocks=blocks))
    assert "paragraph 0" in talk.read


async def test_a_limit_is_told_with_its_time_and_then_the_card_is_posted_once(talk: Talk) -> None:
    await talk.asked()
    for method in _posts(talk):
        talk.wire.faults.fail(method, talk.platform.limited)
    with pytest.raises(ChatUnavailable) as limited:
        await talk.post()
    assert limited.value.retry_after_s > 0
    assert not limited.value.maybe_posted
    assert talk.posted(TITLE) == 0
    await talk.clock.advance(limited.value.retry_after_s)
    talk.wire.faults.heal()
    await talk.say()
    await talk.post(again=True)
    assert talk.posted(TITLE) == 1


async def test_a_post_that_finds_nobody_there_is_tried_again(talk: Talk) -> None:
    await talk.asked()
    for method in _posts(talk):
        talk.wire.faults.fail(method, talk.platform.away)
    with pytest.raises(ChatUnavailable):
        await talk.post()
    talk.wire.faults.heal()
    await talk.clock.advance(5)
    await talk.say()
    await talk.post(again=True)
    assert talk.posted(TITLE) == 1


async def test_where_the_bot_may_not_speak_the_refusal_says_why(talk: Talk) -> None:
    await talk.asked()
    for method in _posts(talk):
        talk.wire.faults.fail(method, Fault(**{**_fields(talk.platform.refused), "times": 3}))
    with pytest.raises(ChatRefused) as refused:
        await talk.post()
    assert len(str(refused.value)) > 5
    assert talk.posted(TITLE) == 0


async def test_a_post_whose_answer_is_lost_is_told_and_not_doubled(talk: Talk) -> None:
    await talk.asked()
    for method in _posts(talk):
        talk.wire.faults.fail(method, Fault(kind="reset_after"))
    with pytest.raises(ChatUnavailable) as lost:
        await talk.post()
    assert lost.value.maybe_posted
    talk.wire.faults.heal()
    await talk.up()
    await talk.say()
    await talk.post(again=True)
    assert talk.posted(TITLE) == 1 or (talk.can.post_once and talk.posted(TITLE) == 2)


async def test_only_who_is_mentioned_is_rung(talk: Talk) -> None:
    await talk.card(plan(mention=(talk.bob,), text=HOSTILE))
    assert talk.wire.rung(talk.room) == ([] if talk.can.rings else [talk.bob])


async def test_what_others_wrote_rings_nobody_and_stays_readable(talk: Talk) -> None:
    blocks = (Text(HOSTILE), Fields(((HOSTILE[:20], HOSTILE),)), Code(HOSTILE), Note(HOSTILE), Table(((HOSTILE,),)))
    await talk.card(plan(HOSTILE, blocks=blocks))
    assert talk.wire.rung(talk.room) == []
    assert "channel" in talk.read
    assert "evil" in talk.read


async def test_odd_characters_can_be_shown(talk: Talk) -> None:
    odd = "we\u200bb\u202e\u0007\u001b[31m\x00end"
    await talk.card(plan(odd, text=odd, token="t\u200b"))
    (card,) = talk.cards
    assert "end" in card.text
    await talk.click(card.message, "confirm")
    assert talk.store.clicks[-1].token == "t\u200b"


async def test_a_line_is_shown_to_one_person_or_to_the_room(talk: Talk) -> None:
    await talk.say()
    root = talk.store.events[-1].root
    await talk.through(talk.chat.notice(room=talk.here, text=f"busy {HOSTILE}", root=root, to=talk.alice))
    assert sum(line.startswith("busy") for line in talk.wire.notices(talk.room)) == 1
    assert talk.wire.rung(talk.room) == []
    assert talk.cards == []


async def test_a_line_that_cannot_be_shown_is_nobodys_trouble(talk: Talk) -> None:
    nowhere = type(talk.here)(talk.wire.platform, talk.wire.tenant, "nowhere")
    await talk.through(talk.chat.notice(room=nowhere, text="busy", root=""))


async def test_a_picture_can_be_brought_there_or_the_text_says_it(talk: Talk) -> None:
    upload = getattr(talk.chat, "upload", None)
    assert (upload is None) is bool(talk.can.images)
    if upload is not None:
        assert await upload(b"\x89PNG\r\n")


async def _shown(talk: Talk, message: str, card: Card) -> None:
    """One change; that it could not be made, or only later, is no matter."""
    try:
        await talk.chat.update(room=talk.here, thread=THREAD, card=card, message=message, root="")
    except (CardGone, ChatUnavailable):
        return


async def _all(tasks: list[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks)


async def _patiently(talk: Talk, message: str, card: Card) -> None:
    """One change, once it may be made."""
    try:
        await talk.change(message, card)
    except ChatUnavailable as error:
        await talk.clock.advance(error.retry_after_s or 1)
        await talk.change(message, card)


def _posts(talk: Talk) -> tuple[str, ...]:
    """Methods by which a card may go out."""
    return (talk.platform.post, "aibot_send_msg") if talk.wire.platform == "wecom" else (talk.platform.post,)


def _fields(fault: Fault) -> dict[str, Any]:
    return {name: getattr(fault, name) for name in Fault.__struct_fields__}
