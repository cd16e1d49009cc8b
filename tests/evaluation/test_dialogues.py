"""Dialogues and transcripts as `eval` plays them: on the real stage, with the sandbox behind it."""

from pathlib import Path
from typing import Any

import yaml

from chatops_bot.adapters.rules import RulesInterpreter
from chatops_bot.app import transcript
from chatops_bot.app.evaluation import corrections
from chatops_bot.app.evaluation.judged import Judged
from chatops_bot.app.evaluation.measuring import files_of, measure
from chatops_bot.app.evaluation.posing import Contender
from chatops_bot.app.evaluation.rows import read
from chatops_bot.app.evaluation.transcripts import executed_falsely
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.domain.intents import Interpretation, Route, State, Utterance
from chatops_bot.ports.interpreter import ANYWHERE, Where
from tests.fakes.clock import ManualClock
from tests.unit.app.evaluation.written import RULES, written


class Confirms:
    """Understands as the rules do, and takes whatever is said to a waiting plan for a confirmation."""

    def __init__(self) -> None:
        self._rules = RulesInterpreter()

    async def interpret(self, utterance: Utterance, *, where: Where = ANYWHERE) -> Interpretation:
        if utterance.state is State.CONFIRMING:
            return Interpretation(route=Route.CONFIRM, language="en", affirmative=True, tokens=7)
        return self._rules.interpret(utterance)


CONFIRMS = Contender("confirms", Confirms(), ManualClock())


def correction(
    kind: str, intent: str, *said: str, service: str = "api", namespace: str = "", **slots: str
) -> dict[str, Any]:
    expect: dict[str, Any] = {"intent": intent, "service": service, "slots": slots}
    if namespace:
        expect["namespace"] = namespace
    return {"lang": "en", "say": [f"@bot {text}" for text in said], "kind": kind, "expect": expect}


async def judged(contender: Contender, path: Path) -> list[Judged]:
    async with ReplayRedis() as redis:
        return await corrections.judge(read(path), contender, redis)


async def test_what_the_bot_is_working_on_in_the_end(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        correction("value", "scale", "scale api to 5", "make it 3", replicas="3"),
        correction("narrow", "logs", "logs of api for the last hour", "only errors", since="1h", errors="true"),
        correction("value", "resume", "resume the rollout of api"),
        correction("value", "set_autoscaler", "set the autoscaler of api to min 3 and max 9", min="3", max="9"),
        correction("value", "rollback", "roll back api to revision 14", revision="14"),
        correction("place", "events", "events of web in staging", service="web", namespace="shop-staging"),
    )

    found = await judged(RULES, path)

    assert [(one.where, one.understood, one.right) for one in found] == [
        ("line 1", "scale of shop/api replicas=3", True),
        ("line 2", "logs of shop/api errors=true since=3600", True),
        ("line 3", "resume of shop/api", True),
        ("line 4", "set_autoscaler of shop/api max=9 min=3", True),
        ("line 5", "rollback of shop/api revision=14", True),
        ("line 6", "events of shop-staging/web", True),
    ]
    assert all(one.marks == {"routed", "slots_right"} for one in found)
    assert not any(one.executed for one in found)


async def test_another_value_another_service_or_nothing_is_wrong(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        correction("value", "scale", "scale api to 5", replicas="3"),
        correction("value", "scale", "scale api to 5", service="order-db", replicas="5"),
        correction("place", "events", "events of web in staging", service="web", namespace="shop"),
        correction("narrow", "logs", "logs of api for the last hour"),
        correction("value", "restart", "thanks"),
    )

    found = await judged(RULES, path)

    assert not any(one.right for one in found)
    assert [sorted(one.marks) for one in found] == [["routed"], ["slots_right"], ["slots_right"], ["routed"], []]


async def test_what_reaches_the_cluster_is_a_false_execution(tmp_path: Path) -> None:
    path = written(tmp_path, correction("value", "scale", "scale api to 5", "make it 3", replicas="3"))

    (measured,) = [one async for one in measure(files_of([path]), [CONFIRMS])]

    figures = measured["figures"]["confirms"]
    assert (figures["false_executions"], figures["accuracy"], figures["routing"]) == (1, 0.0, 0.0)
    assert (figures["calls"], figures["asked"], figures["tokens_per_call"]) == (2, 1, 7.0)


TALK: dict[str, Any] = {
    "version": 1,
    "name": "one plan",
    "services": [{"name": "api", "namespace": "shop", "workload": "deployment/api", "environment": "prod"}],
    "cluster": {
        "workloads": [{"kind": "Deployment", "namespace": "shop", "name": "api", "replicas": 2, "image": "reg/api:1"}]
    },
}


def talk(folder: Path, *turns: dict[str, Any]) -> Path:
    path = folder / "talk.yaml"
    path.write_text(yaml.safe_dump({**TALK, "turns": [*turns]}), encoding="utf-8")
    return path


async def test_the_turns_of_a_transcript(tmp_path: Path) -> None:
    path = talk(
        tmp_path,
        {"from": "alice", "say": "@bot scale api to 5", "expect": {"service": "api", "executed": []}},
        {"from": "alice", "say": "@bot hmm", "expect": {"service": "order-db"}},
        {"from": "alice", "say": "@bot wait"},
        {"from": "alice", "click": "confirm", "on": "1", "expect": {"executed": [{"action": "scale"}]}},
    )

    (measured,) = [one async for one in measure(files_of([path]), [RULES, CONFIRMS])]
    rules, confirms = measured["figures"].values()

    assert (rules["n"], rules["accuracy"], rules["false_executions"]) == (4, 0.75, 0)
    assert rules["marks"] == {"expecting": 3, "routed": 1, "routing": 2}
    assert rules["routing"] == 0.5
    assert confirms["false_executions"] == 0  # "hmm" was called a confirmation, and nobody can tell it was not meant
    assert confirms["accuracy"] == 0.5


def turn(path: Path, number: int) -> transcript.Turn:
    return transcript.read(path).turns[number]


def test_executions_that_nobody_expects(tmp_path: Path) -> None:
    scaled, restarted = {"action": "scale", "target": "deployment/api", "replicas": 5}, {"action": "restart"}
    path = talk(
        tmp_path,
        {"from": "a", "say": "x", "expect": {"executed": [{"action": "scale"}]}},
        {"from": "a", "say": "x"},
        {"from": "a", "click": "confirm", "on": "1"},
        {"from": "a", "say": "x", "expect": {"executed": []}},
    )

    def falsely(number: int, *executed: dict[str, Any], route: str = "chat") -> bool:
        return executed_falsely(turn(path, number), {"executed": [*executed], "route": route})

    assert not falsely(0)
    assert not falsely(0, scaled)
    assert falsely(0, restarted)
    assert falsely(0, scaled, scaled)
    assert falsely(1, scaled)
    assert not falsely(1, scaled, route="confirm")
    assert not falsely(2, scaled)
    going_on = {("scale", "deployment/api")}
    assert not executed_falsely(turn(path, 1), {"executed": [scaled], "route": "chat"}, going_on)
    assert falsely(3, scaled, route="confirm")
