"""What is remembered, through the whole pipeline: contexts that nothing foreign makes larger, coming back, looking back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from chatops_bot.app.bot import BuiltInRules
from chatops_bot.domain.context import BOUNDS
from chatops_bot.domain.intents import Context, Interpretation, Utterance
from chatops_bot.domain.world import Recall
from chatops_bot.ports.interpreter import ANYWHERE, Where
from tests.scenario.playing import Scene, scene

DAY_S = 86_400
FOREIGN = 150


class Listening:
    """The rules, which look at no context, and what a model would have seen instead."""

    def __init__(self) -> None:
        self._rules = BuiltInRules()
        self.seen: dict[str, Context] = {}

    async def interpret(self, utterance: Utterance, *, where: Where = ANYWHERE) -> Interpretation:
        if utterance.context is not None:
            self.seen[utterance.text.strip()] = utterance.context
        return self._rules.interpret(utterance)


def size(context: Context) -> int:
    return sum(len(text) for text in (*(heard.text for heard in context.window), *context.memory, *context.quoted))


async def conversation(stage: Scene, *, foreign: int) -> None:
    """One thread of ten messages; between them so much goes on in other threads and other rooms."""
    first = await stage.say("alice", "@bot status of web")
    assert first["service"] == "web"
    for number in range(10):
        await noise(stage, number, foreign // 10)
        await stage.say("alice", f"@bot logs of it, the last {10 + number} lines")
    await stage.say("alice", "@bot restart it")


async def noise(stage: Scene, round: int, count: int) -> None:
    for number in range(count):
        text = f"@bot status of api, please, for the {round}th time {number} " + "and more " * 20
        room = "ops" if number % 2 else f"room{number % 5}"
        await stage.say(f"person{round}x{number}", text, room=room, after_s=0.5)


async def test_what_a_model_sees_is_as_large_in_a_busy_room_as_in_a_silent_one(tmp_path: Path) -> None:
    found = []
    for foreign in (0, FOREIGN):
        listening = Listening()
        async with scene(tmp_path, interpreter=listening) as stage:
            await conversation(stage, foreign=foreign)
        found.append(listening.seen["restart it"])
    silent, busy = found
    assert silent.situation == busy.situation == "action"
    assert len(silent.window) == BOUNDS["action"].messages
    assert abs(size(busy) - size(silent)) <= 0.05 * size(silent)
    assert not any("person" in text or "api" in text for text in (*(h.text for h in busy.window), *busy.memory))


async def test_a_thread_of_many_people_is_no_larger_to_see_than_one_of_few(tmp_path: Path) -> None:
    sizes = []
    for people in (2, 60):
        listening = Listening()
        async with scene(tmp_path, interpreter=listening) as stage:
            await stage.say("alice", "@bot status of web")
            for number in range(60):
                await stage.say(f"u{number % people:02}", f"still slow for me, no {number:03}", reply_to="1", after_s=1)
            await stage.say("alice", "@bot restart it", reply_to="1")
        sizes.append(size(listening.seen["restart it"]))
    assert abs(sizes[1] - sizes[0]) <= 0.05 * sizes[0]


async def test_back_after_the_end_a_model_sees_the_summary_and_no_message(tmp_path: Path) -> None:
    listening = Listening()
    async with scene(tmp_path, interpreter=listening) as stage:
        await scaled(stage)
        await stage.wait(2 * DAY_S)
        await stage.say("alice", "@bot how is web?")
        await stage.say("carol", "@bot and how is web for me?")
    back = listening.seen["how is web?"]
    assert (back.situation, back.window) == ("returned", ())
    assert any(line.startswith("done: scale web (replicas 2 → 5): verified by bob") for line in back.memory)
    assert listening.seen["and how is web for me?"].situation == "status"


async def scaled(stage: Scene, *, by: str = "alice", room: str = "ops") -> None:
    """A change that is asked for, confirmed by bob, made and verified."""
    await stage.say(by, "@bot scale web to 5", room=room)
    shown = str(stage.count)
    done = await stage.click("bob", "confirm", shown, room=room)
    assert done["executed"]
    await stage.wait(60)


async def test_coming_back_days_later_begins_with_one_line_and_only_once(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await scaled(stage)
        await stage.wait(3 * DAY_S)
        back = await stage.say("alice", "@bot status of web")
        assert (
            "Earlier here, 3d ago: scale web (replicas 2 → 5): verified (bob). Nothing of it is open." in back["reply"]
        )
        again = await stage.say("alice", "@bot events of web")
        assert "Earlier here" not in again["reply"]
        await stage.wait(3_600)
        anew = await stage.say("alice", "@bot status of web")
        assert anew["thread"] != back["thread"]
        assert "Earlier here" not in anew["reply"]


async def test_it_is_told_in_the_language_of_whoever_comes_back(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await scaled(stage)
        await stage.wait(2 * DAY_S)
        back = await stage.say("alice", "@bot web 状态怎么样")
        assert "此前（2 天前）：扩缩容 web（replicas 2 → 5）：已确认生效（bob）。没有遗留。" in back["reply"]


async def test_what_was_only_looked_at_is_not_told_by_itself(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.wait(DAY_S)
        back = await stage.say("alice", "@bot status of web")
        assert "arlier" not in back["reply"]


async def test_others_are_told_for_a_day_and_other_rooms_never(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await scaled(stage)
        await stage.wait(3_600)
        other_room = await stage.say("carol", "@bot status of web", room="elsewhere")
        assert "Earlier here" not in other_room["reply"]
        other = await stage.say("carol", "@bot status of web")
        assert "Earlier here" in other["reply"]
        await stage.wait(2 * DAY_S)
        late = await stage.say("dave", "@bot status of web")
        assert "Earlier here" not in late["reply"]


async def test_an_order_that_was_not_said_to_the_end_is_still_open(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot scale web")
        await stage.wait(DAY_S)
        back = await stage.say("alice", "@bot status of web")
        assert "Still open: scale web, not said to the end." in back["reply"]


async def test_who_may_not_read_a_service_is_told_nothing_of_it(tmp_path: Path) -> None:
    policy = {
        "rules": [
            {"actions": ["read", "logs"], "services": ["web"], "request": ["alice", "bob"]},
            {"actions": ["*"], "confirm": ["*"]},
        ]
    }
    async with scene(tmp_path, policy=policy) as stage:
        await scaled(stage)
        await stage.wait(3_600)
        back = await stage.say("mallory", "@bot status of web")
        assert "Earlier here" not in back["reply"]
        assert "scale" not in back["reply"]
        replied = await stage.say("mallory", "what came of it", reply_to="1")
        assert "Earlier here" not in replied["reply"]
        asked = await stage.say("mallory", "@bot what happened here today")
        assert "scale web" not in asked["reply"]
        allowed = await stage.say("alice", "@bot what happened here today")
        assert "scale web" in allowed["reply"]


async def test_what_was_done_to_a_service_is_told_wherever_it_was_asked_for(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await scaled(stage, room="elsewhere")
        of_service = await stage.say("carol", "@bot what did we do on web today?")
        assert "scale web (replicas 2 → 5): done; confirmed by bob" in of_service["reply"]
        of_room = await stage.say("carol", "@bot what happened here today?")
        assert "scale web" not in of_room["reply"]
        assert "nothing was changed through me today" in of_room["reply"]


async def test_a_refusal_is_told_in_its_room_and_nowhere_else(tmp_path: Path) -> None:
    policy = {"rules": [{"actions": ["restart"], "request": ["alice"], "confirm": ["alice"]}]}
    async with scene(tmp_path, policy=policy) as stage:
        await stage.say("bob", "@bot restart web")
        asked = await stage.say("carol", "@bot what did we do on web today?")
        assert "bob: restart web refused (the rules do not allow it)" in asked["reply"]
        other = await stage.say("carol", "@bot what did we do on web today?", room="elsewhere")
        assert "refused" not in other["reply"]


async def test_yesterday_goes_by_the_clock_of_the_room(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        recall = Recall(zone="UTC", zones={"tokyo": "Asia/Tokyo"})
        stage.stage.snapshot.world = msgspec.structs.replace(stage.stage.snapshot.world, recall=recall)
        await stage.wait(7 * 3_600)  # from ten to seventeen, two in the morning in Tokyo
        await scaled(stage)
        london = await stage.say("carol", "@bot what did we do on web yesterday?")
        assert "nothing was changed" in london["reply"]
        tokyo = await stage.say("carol", "@bot what did we do on web today?", room="tokyo")
        assert "scale web" in tokyo["reply"]
        assert "(Asia/Tokyo)" in tokyo["reply"]


async def test_where_the_records_end_is_said(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        recall = Recall(summaries_days=3, audit_days=5)
        stage.stage.snapshot.world = msgspec.structs.replace(stage.stage.snapshot.world, recall=recall)
        asked = await stage.say("carol", "@bot what did we do on web last week?")
        assert "on record for 3 days" in asked["reply"]
        assert "goes back 5 days" in asked["reply"]
        near = await stage.say("carol", "@bot what did we do on web today?")
        assert "on record" not in near["reply"]


async def test_a_pronoun_and_the_week_before_keep_to_the_same_question(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        asked: dict[str, Any] = await stage.say("alice", "@bot what did we do on it this week?")
        assert asked["service"] == "web"
        assert "this week" in asked["reply"]
        for text, when in (
            ("@bot and last week?", "last week"),
            ("@bot not this one, the week before", "the week before last"),
            ("@bot 昨天呢", "昨天"),
            ("@bot 再前一天呢", "前天"),
        ):
            other = await stage.say("alice", text)
            assert other["service"] == "web"
            assert when in other["reply"], text


async def test_of_a_room_another_span_and_a_refresh_are_still_of_the_room(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot what happened here today?")
        other = await stage.say("alice", "@bot and last week?")
        assert other["service"] is None
        assert "This room: nothing was changed through me last week." in other["reply"]
        again = await stage.say("alice", "@bot refresh")
        assert "This room: nothing was changed through me last week." in again["reply"]
        one = await stage.say("alice", "@bot same for web")
        assert (one["service"], one["intents"]) == ("web", ["changes"])
        assert "web: nothing was changed through me last week." in one["reply"]


async def test_an_incident_is_part_of_what_happened(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.say("alice", "@bot declare an incident sev2: checkout fails", reply_to="1")
        asked = await stage.say("carol", "@bot what happened here today?")
        assert "(sev2, open): checkout fails" in asked["reply"]
