"""An incident of a room on Slack that is shown in one on Feishu: each platform's adapter draws it in its own way, a press
on either counts once, and what goes wrong on one of them holds up nothing on the other."""

from __future__ import annotations

import contextlib
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from chatops_bot.app.replay_store import SwitchedClient
from chatops_bot.ports.store import Arrival, Intake, StoreUnavailable
from chatops_bot.ports.wire import Fault
from tests.scenario.mirrored import Both, both_platforms


@pytest.fixture
async def both() -> AsyncIterator[Both]:
    async with both_platforms() as ready:
        await ready.incident()
        yield ready


async def planned(both: Both, number: int = 4) -> None:
    await both.slack.say(f"@bot scale web to {number}", reply_to=both.declared.message)


async def test_its_cards_are_drawn_in_both_rooms_from_the_link_on(both: Both) -> None:
    (there,) = both.feishu.cards()
    assert "alice" in there.text
    assert "linked inc-20260105-1 with the factory" in there.text
    assert {button.id for button in there.buttons} >= {"incident:resolve", "incident:mitigated"}
    assert "linked inc-20260105-1" in both.slack.cards()[-1].text
    assert "Shown in" in both.slack.cards()[-1].text
    await planned(both)
    for place in (both.slack, both.feishu):
        plan = place.card("2 → 4")
        assert {button.id for button in plan.buttons} >= {"confirm", "cancel"}
    # It stands in the thread in which it was asked for, there in the open room.
    assert both.slack.card("2 → 4").root
    assert not both.feishu.card("2 → 4").root


async def test_a_press_in_the_other_room_runs_it_and_both_are_updated(both: Both) -> None:
    await planned(both)
    plans = [place.card("2 → 4") for place in (both.slack, both.feishu)]
    await both.feishu.press(plans[1], "confirm", user="bob")
    assert both.replicas() == 4
    for place in (both.slack, both.feishu):
        done = place.card("Done: scale web")
        assert "bob" in done.text.lower()
        assert not {"confirm", "cancel"} & {button.id for button in done.buttons}
    confirmed = [record for record in await both.audit() if record.kind == "confirmation"]
    user = f"feishu:{both.feishu.wire.person('bob')}"
    assert {(record.user, record.room) for record in confirmed[:1]} == {(user, both.feishu.full.key)}


async def test_pressed_in_both_rooms_it_runs_once(both: Both) -> None:
    await planned(both)
    slack, feishu = both.slack.card("2 → 4"), both.feishu.card("2 → 4")
    before = both.sandbox.requests[-1].sequence
    for place, card in ((both.feishu, feishu), (both.slack, slack)):
        token = next(button.token for button in card.buttons if button.id == "confirm")
        await place.wire.click(
            event_id=both.event(),
            room=place.room,
            user=place.wire.person("alice"),
            message=card.message,
            button="confirm",
            token=token,
        )
    await both.rest()
    await both.wait(3)
    writes = await both.cluster.executed(before)
    assert [write["action"] for write in writes] == ["scale"]
    assert both.replicas() == 4


async def test_a_redelivered_press_is_one_press(both: Both) -> None:
    await planned(both)
    await both.feishu.press(both.feishu.card("2 → 4"), "cancel", id="once")
    cards = len(both.feishu.cards())
    assert (await both.feishu.wire.faults.redeliver("once")).accepted
    await both.rest()
    assert len(both.feishu.cards()) == cards


async def test_a_reply_there_belongs_to_the_thread_and_is_answered_in_both(both: Both) -> None:
    shown = both.feishu.card("linked inc-20260105-1")
    await both.feishu.say("@bot scale it to 3", user="bob", reply_to=shown.message)
    for place in (both.slack, both.feishu):
        assert "confirm" in {button.id for button in place.card("2 → 3").buttons}
    assert both.feishu.card("2 → 3").root
    # What is said there beside the cards has nothing to inherit.
    await both.feishu.say("@bot restart it", user="carol")
    assert not both.slack.cards("To confirm: restart")
    assert both.replicas() == 2


async def test_two_accounts_are_one_person_in_both_rooms(both: Both) -> None:
    """Confirmed on Slack, approved on Feishu by the same person: one is not two."""
    alice = [f"slack:{both.slack.wire.person('alice')}", f"feishu:{both.feishu.wire.person('alice')}"]
    carol = f"feishu:{both.feishu.wire.person('carol')}"
    both.rules(
        {"people": {"Alice": alice, "Carol": [carol]}, "rules": [{"confirm": ["Alice", "Carol"], "approvals": 1}]}
    )
    await planned(both)
    await both.slack.press(both.slack.card("2 → 4"), "confirm")
    waits = both.feishu.card("To approve")
    assert both.feishu.wire.rung(both.feishu.room) == [both.feishu.wire.person("carol")]
    await both.feishu.press(waits, "approve", user="alice")
    assert both.replicas() == 2
    assert both.feishu.cards("cannot approve")
    await both.feishu.press(both.feishu.card("To approve"), "approve", user="carol")
    assert both.replicas() == 4


async def test_one_platform_down_does_not_hold_up_the_other(both: Both) -> None:
    feishu = both.feishu.wire.faults
    for method in ("messages.create", "messages.reply", "messages.patch"):
        feishu.fail(method, Fault(kind="answer", status=500, times=1_000))
    shown = len(both.feishu.cards())
    await planned(both)
    await both.slack.press(both.slack.card("2 → 4"), "confirm")
    assert both.replicas() == 4
    assert both.slack.cards("Done: scale web")
    assert len(both.feishu.cards()) == shown
    feishu.heal()
    await both.wait(90)
    # Only how each of its cards stands by now is drawn.
    assert both.feishu.cards("Done: scale web")
    assert not both.feishu.cards("To confirm")


class Between:
    """A store that fails at the door of one room."""

    def __init__(self, store: Any, *, at: str, after: bool = False) -> None:
        self._store = store
        self._at = at
        self._after = after
        self.failures = 0

    async def intake(self, arrival: Arrival) -> Intake:
        if arrival.room.key != self._at or self.failures:
            return await self._store.intake(arrival)  # type: ignore[no-any-return]
        self.failures += 1
        if self._after:
            await self._store.intake(arrival)
        raise StoreUnavailable("the process dies here")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@pytest.mark.parametrize("after", [False, True])
async def test_what_was_not_stored_at_home_is_delivered_again_and_nothing_is_doubled(
    both: Both, *, after: bool
) -> None:
    """Found elsewhere, and then the process dies: before it is stored at home, or before that could be acknowledged."""
    await planned(both)
    between = Between(both.bot.stores.threads, at=both.slack.full.key, after=after)
    both.bot.intake._store = between
    before = both.sandbox.requests[-1].sequence
    pressed = await both.feishu.press(both.feishu.card("2 → 4"), "confirm", id="dies")
    assert between.failures == 1
    assert not pressed.accepted
    await both.end()
    await both.begin()
    await both.wait(9)
    assert (await both.feishu.wire.faults.redeliver("dies")).accepted
    await both.rest()
    await both.wait(3)
    assert [write["action"] for write in await both.cluster.executed(before)] == ["scale"]
    assert both.slack.cards("Done: scale web")
    assert both.feishu.cards("Done: scale web")


async def test_after_a_restart_both_rooms_are_still_one(both: Both) -> None:
    await planned(both)
    await both.end()
    await both.begin()
    await both.feishu.press(both.feishu.card("2 → 4"), "confirm")
    assert both.replicas() == 4
    await both.feishu.say("@bot how is web?", reply_to=both.feishu.card("Done: scale web").message)
    assert both.slack.cards("web is healthy") or both.slack.cards("pods ready")


async def test_whoever_comes_back_to_the_card_of_an_ended_conversation_is_in_one_thread_in_either_room(
    both: Both,
) -> None:
    await planned(both)
    await both.slack.press(both.slack.card("2 → 4"), "confirm")
    await both.feishu.press(both.feishu.card("Done: scale web"), "undo", user="bob")
    for place in (both.slack, both.feishu):
        assert "confirm" in {button.id for button in place.card("4 → 2").buttons}
    await both.slack.say("@bot how is web?", reply_to=both.slack.card("Done: scale web").message)
    # It did not open another one, beside that of the undo: what waits there is repeated below the answer.
    assert "4 → 2" in both.feishu.cards()[-1].text
    await both.slack.press(both.slack.card("4 → 2"), "confirm", user="carol")
    assert both.replicas() == 2


async def test_a_row_of_an_overview_opens_a_thread_in_the_room_where_it_is_pressed(both: Both) -> None:
    both.sandbox.apply(
        {"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "api", "pods": ["CrashLoopBackOff"]}]}
    )
    await both.cluster.settle()
    await both.slack.say("@bot what is broken in shop?", reply_to=both.declared.message)
    shown = both.feishu.card("shop")
    row = next(button.id for button in shown.buttons if button.id.startswith("open"))
    before = len(both.slack.cards())
    await both.feishu.press(shown, row, user="bob")
    assert both.feishu.cards("api · ")
    assert len(both.slack.cards()) == before


async def test_a_card_whose_drawing_was_cut_off_finds_its_thread_all_the_same(both: Both) -> None:
    """Posted, and then the process dies before it could be noted: it is found again, or posted once more, and pressed."""
    store: Any = both.bot.stores.threads
    cut = type(store).drawn

    async def dies(self: Any, claim: Any, **more: Any) -> Any:
        if more.get("twin") is not None and not more["twin"].home:
            raise StoreUnavailable("the process dies here")
        return await cut(self, claim, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(store), "drawn", dies)
        await planned(both)
        await both.wait(9)
        await both.feishu.press(both.feishu.card("2 → 4"), "confirm", user="bob")
        assert both.replicas() == 4
    await both.end()
    await both.begin()
    await both.wait(20)
    assert len(both.feishu.cards("Done: scale web")) == 1
    assert len(both.feishu.cards("2 → 4")) == len(both.slack.cards("2 → 4")) == 1


class Storm:
    """The store's answers get lost, before or after what was asked for is done."""

    def __init__(self, both: Both, seed: int) -> None:
        self._chance = random.Random(seed)
        self._both = both
        self._patch = pytest.MonkeyPatch()
        self.lost = 0

    def __enter__(self) -> Storm:
        real = SwitchedClient.script

        async def script(client: Any, *arguments: Any, **more: Any) -> Any:
            fate = self._chance.random()
            if fate < 0.12:
                self.lost += 1
                raise StoreUnavailable("it never arrived")
            answer = await real(client, *arguments, **more)
            if fate < 0.24:
                self.lost += 1
                raise StoreUnavailable("its answer was lost")
            return answer

        self._patch.setattr(SwitchedClient, "script", script)
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.undo()


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_is_lost_on_the_way_it_runs_once_and_both_rooms_say_so(both: Both, seed: int) -> None:
    await planned(both)
    plans = {place: place.card("2 → 4") for place in (both.slack, both.feishu)}
    before = both.sandbox.requests[-1].sequence
    chance = random.Random(seed)
    with Storm(both, seed) as storm:
        presses = [(place, f"press-{number}-{place.wire.platform}") for number in range(2) for place in plans]
        chance.shuffle(presses)
        for place, id in presses:
            with contextlib.suppress(StoreUnavailable):
                pressed = await place.press(plans[place], "confirm", user=chance.choice(("alice", "bob")), id=id)
                for _ in range(6):
                    if pressed.accepted:
                        break
                    pressed = await place.wire.faults.redeliver(id)
            if chance.random() < 0.4:
                await both.end()
                await both.begin()
    assert storm.lost
    await both.wait(100)
    writes = await both.cluster.executed(before)
    assert [write["action"] for write in writes] == ["scale"]
    assert both.replicas() == 4
    for place in (both.slack, both.feishu):
        assert len(place.cards("Done: scale web")) == 1, [card.text[:60] for card in place.cards()]
        assert not place.cards("To confirm")
