"""What a transcript cannot show of hand-offs and subscriptions: who is rung on each platform and how often, over time and
restarts, and what is on record."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
import yaml

from chatops_bot.adapters.feishu.connection import load
from chatops_bot.app import transcript
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.stage import Stage
from chatops_bot.app.stage_wire import WireChat
from chatops_bot.domain.audit import Record
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.wire import Wire
from tests.scenario.playing import HEAD, Scene, scene
from tests.scenario.test_approvals import WIRES, posted

GROUP: Final = "S0123ABCD"
ONCALL: Final[dict[str, Any]] = {
    "groups": {"team-web": ["erin", f"slack-group:{GROUP}"], "elsewhere": ["slack:UFAR", "wecom:far", "feishu:ou_far"]},
    "reminder_s": 300,
}
SERVICES: Final[list[dict[str, Any]]] = [{**HEAD["services"][0], "owners": ["team-web"]}, HEAD["services"][1]]


@asynccontextmanager
async def on(platform: str, folder: Path) -> AsyncIterator[tuple[Wire, Scene]]:
    """A scene on a platform's wire, with owners of `web`."""
    await asyncio.to_thread(load)
    turns = [{"from": name, "say": "hi"} for name in ("alice", "bob", "dana", "erin")]
    file = folder / "scene.yaml"
    content = {**HEAD, "services": SERVICES, "oncall": ONCALL, "turns": turns}
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    wires: list[Wire] = []

    def chat(clock: Clock) -> WireChat:
        wires.append(WIRES[platform](clock))
        return WireChat(wires[0], clock=clock, tell=lambda line: None)

    async with ReplayRedis() as redis, Stage(transcript.read(file), redis, chat=chat) as stage:
        yield wires[0], Scene(stage)


def called(wire: Wire) -> set[str]:
    """Whom a hand-off of `web` rings: on Slack the group as such, and the person."""
    return {wire.person("erin"), *([GROUP] if wire.platform == "slack" else [])}


@pytest.mark.parametrize("platform", WIRES)
async def test_the_owners_are_rung_once_reminded_once_and_then_the_room_is_told(platform: str, tmp_path: Path) -> None:
    async with on(platform, tmp_path) as (wire, playing):
        room = wire.room("ops")
        await playing.say("alice", "@bot how is web?")
        handed = await playing.say("alice", "@bot get me a human")
        assert handed["state"] == "handed_off"
        assert set(wire.rung(room)) == called(wire)
        assert posted(playing) == [called(wire)]
        await playing.do("restart", True)
        await playing.wait(280)
        assert posted(playing) == [called(wire)]
        await playing.wait(30)
        assert posted(playing) == [called(wire)] * 2
        await playing.do("restart", True)
        await playing.wait(300)
        assert "nobody (team-web) has taken this" in "\n".join(card.text for card in wire.shown(room))
        await playing.wait(3600)
        assert posted(playing) == [called(wire)] * 2


@pytest.mark.parametrize("platform", WIRES)
async def test_whoever_is_named_is_rung_and_who_takes_it_ends_the_reminders(platform: str, tmp_path: Path) -> None:
    async with on(platform, tmp_path) as (wire, playing):
        room, dana = wire.room("ops"), wire.person("dana")
        first = await playing.say("alice", "@bot how is web?")
        await playing.say("dana", "@bot logs", reply_to=first["turn"])
        handed = await playing.say("alice", "@bot hand this over to @dana", reply_to=first["turn"])
        assert handed["state"] == "handed_off"
        assert posted(playing) == [{dana}]
        await playing.click("dana", "take", handed["turn"])
        await playing.wait(3600)
        assert posted(playing) == [{dana}]
        assert "took it at" in "\n".join(card.text for card in wire.shown(room))


@pytest.mark.parametrize("platform", WIRES)
async def test_of_a_group_only_accounts_of_the_platform_are_rung(platform: str, tmp_path: Path) -> None:
    async with on(platform, tmp_path) as (_, playing):
        only = {"slack": {"UFAR"}, "wecom": {"far"}, "feishu": {"ou_far"}}[platform]
        await playing.say("alice", "@bot how is web?")
        await playing.say("alice", "@bot escalate to elsewhere")
        assert posted(playing) == [only]
        await playing.say("alice", "@bot resume")
        asked = await playing.say("alice", "@bot page elsewhere-team")
        assert asked["state"] == "collecting"


async def test_nobody_set_up_is_said_with_the_owners(tmp_path: Path) -> None:
    async with scene(tmp_path, services=SERVICES) as playing:
        await playing.say("alice", "@bot how is web?")
        handed = await playing.say("alice", "@bot 转人工")
        assert "在这个群里无法提醒 team-web" in handed["reply"]
        assert posted(playing) == []


@pytest.mark.parametrize("platform", WIRES)
async def test_subscribers_are_rung_when_the_rollout_has_ended_and_never_for_their_own_click(
    platform: str, tmp_path: Path
) -> None:
    async with on(platform, tmp_path) as (wire, playing):
        alice = wire.person("alice")
        asked = await playing.say("alice", "@bot restart web and ping me when it is done")
        assert "when this changes" in asked["reply"]
        done = await playing.click("alice", "confirm", asked["turn"])
        assert done["state"] == "archived"
        await playing.wait(900)
        rung = posted(playing)
        assert rung == [{alice}]


@pytest.mark.parametrize("platform", WIRES)
async def test_what_flaps_rings_less_and_less_often_and_the_end_is_always_told(platform: str, tmp_path: Path) -> None:
    def alert(status: str, minute: int) -> dict[str, Any]:
        labels = {"alertname": "Slow", "namespace": "shop", "deployment": "web"}
        one = {"status": status, "fingerprint": "f", "startsAt": f"2026-01-05T10:{minute:02}:00Z", "labels": labels}
        ended = {"endsAt": f"2026-01-05T10:{minute:02}:30Z"} if status == "resolved" else {}
        return {"version": "4", "groupKey": "g", "alerts": [{**one, **ended}]}

    async with on(platform, tmp_path) as (wire, playing):
        bob = wire.person("bob")
        shown = await playing.do("alert", alert("firing", 0))
        await playing.say("bob", "@bot keep me posted", reply_to=shown["turn"])
        for minute in range(1, 11):
            await playing.do("alert", alert("resolved", minute), after_s=10)
            await playing.do("alert", alert("firing", minute), after_s=10)
        await playing.do("alert", alert("resolved", 12), after_s=10)
        await playing.wait(1800)
        rung = posted(playing)
        assert 2 <= len(rung) <= 5
        assert all(each == {bob} for each in rung)
        last = [views[0] for views in playing.stage.history.values() if views[0].mention][-1]
        assert last.title.startswith("Resolved: Slow")


async def test_an_incident_knows_who_has_its_thread_and_its_end_is_told(tmp_path: Path) -> None:
    async with scene(tmp_path, services=SERVICES, oncall={"groups": {"team-web": ["erin"]}}) as playing:
        first = await playing.say("alice", "@bot how is web?")
        await playing.say("alice", "@bot declare incident sev2")
        await playing.say("bob", "@bot keep me posted", reply_to=first["turn"])
        handed = await playing.say("alice", "@bot get me a human")
        assert "incident inc-20260105-1" in handed["reply"]
        shown = await playing.say("alice", "@bot incident status")
        assert "Assigned to: team-web" in shown["reply"]
        await playing.click("erin", "take", handed["turn"])
        shown = await playing.say("alice", "@bot incident status")
        assert "Assigned to: erin" in shown["reply"]
        assert "taken by erin" in shown["reply"]
        quoted = await playing.say("alice", "@bot look\n> resolve the incident\n> declare incident sev0")
        assert quoted["route"] == "note"
        await playing.say("alice", "@bot resume")
        shown = await playing.say("alice", "@bot incident status")
        assert "Assigned to" not in shown["reply"]
        await playing.wait(300)
        ended = await playing.say("alice", "@bot incident resolved")
        assert "Incident inc-20260105-1: resolved" in ended["reply"]
        assert posted(playing)[-1] == {"bob"}


async def test_all_of_it_is_on_record(tmp_path: Path) -> None:
    async with scene(tmp_path, services=SERVICES, oncall={"groups": {"team-web": ["erin"]}}) as playing:
        await playing.say("alice", "@bot how is web?")
        handed = await playing.say("alice", "@bot get me a human")
        await playing.click("erin", "take", handed["turn"])
        await playing.say("alice", "@bot resume")
        decided = [record for _, decision in playing.stage.decisions for record in decision.audit]
        kept = [(one.reason, one.user, one.text) for one in decided if one.kind == "decision"]
        assert kept == [("hand_off", "alice", "get me a human"), ("taken", "erin", ""), ("resumed", "alice", "")]
        assert decided[-1] == msgspec.structs.replace(decided[-1], parameters={"notes": 0})
        assert isinstance(decided[-1], Record)
