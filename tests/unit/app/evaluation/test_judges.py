"""How rows are judged: by the rules, and by interpreters that say the same of everything."""

from pathlib import Path
from typing import Any

import pytest

from chatops_bot.app.evaluation import commands, confirming, requests, several
from chatops_bot.app.evaluation.judged import Judged
from chatops_bot.app.evaluation.measuring import files_of, measure
from chatops_bot.app.evaluation.rows import EvaluationError, read
from chatops_bot.domain.intents import Request, Route
from tests.unit.app.evaluation.written import RULES, saying, written

SCALE = 'To confirm: scale web in prod from 2 to 5 replicas. Reply "confirm" to run it.'
DRAIN = "待确认：排空节点 node-b。回复“确认”执行。"


def answer(label: str, text: str, lang: str = "en", prompt: str = SCALE, **more: Any) -> dict[str, Any]:
    return {"lang": lang, "label": label, "prompt": prompt, "text": text, **more}


def understood(judged: list[Judged]) -> list[tuple[str, bool]]:
    return [(one.understood, one.right) for one in judged]


async def test_answers_to_a_plan(tmp_path: Path) -> None:
    file = read(
        written(
            tmp_path,
            answer("confirm", "yes, to 5"),
            answer("confirm", "certainly maybe"),
            answer("modify", "make it 8", slots={"replicas": 8}),
            answer("modify", "node-c instead", prompt=DRAIN, slots={"node": "node-c"}),
            answer("question", "why?"),
            answer("switch", "roll back api instead"),
            answer("either", "great"),
            answer("exit", "转人工", "zh", DRAIN),
        )
    )

    judged = await confirming.judge(file, RULES)

    assert understood(judged) == [
        ("confirm", True),
        ("hold", False),
        ("modify", True),
        ("modify", True),
        ("question", True),
        ("switch", True),
        ("exit", True),
    ]
    assert [one.executed for one in judged] == [True] + [False] * 6
    assert [(one.wanted, one.found) for one in judged[2:4]] == [
        ({"replicas": "8"}, {"replicas": "8"}),
        ({"node": "node-c"}, {"node": "node-c"}),
    ]
    assert not any(one.false for one in judged)


async def test_values_are_compared_by_what_the_plan_would_come_to(tmp_path: Path) -> None:
    image = 'To confirm: set the image of web in prod to reg/web:2.8. Reply "confirm" to run it.'
    back = 'To confirm: roll back web in prod to revision 14. Reply "confirm" to run it.'
    file = read(
        written(
            tmp_path,
            answer("modify", "use 2.7", prompt=image, slots={"image": "reg/web:2.7"}),
            answer("modify", "use reg/other:2.7", prompt=image, slots={"image": "2.7"}),
            answer("modify", "go one further back than that", prompt=back, slots={"revision": "-1"}),
        )
    )

    judged = await confirming.judge(file, RULES)

    assert [(one.wanted, one.found) for one in judged] == [
        ({"image": "reg/web:2.7"}, {"image": "reg/web:2.7"}),
        ({"image": "reg/web:2.7"}, {"image": "reg/other:2.7"}),
        ({"revision": "13"}, {"revision": "13"}),
    ]


async def test_rows_of_two_choices_only(tmp_path: Path) -> None:
    file = read(written(tmp_path, answer("not_confirm", "what a day"), answer("confirm", "yes")))

    judged = await confirming.judge(file, saying(Route.UNCLEAR))

    assert understood(judged) == [("not_confirm", True), ("not_confirm", False)]


async def test_whoever_confirms_everything_executes_falsely(tmp_path: Path) -> None:
    file = read(written(tmp_path, answer("confirm", "yes"), answer("hold", "wait"), answer("not_confirm", "no")))

    judged = await confirming.judge(file, saying(Route.CONFIRM, affirmative=True))

    assert [(one.executed, one.confirmed, one.false) for one in judged] == [
        (True, True, False),
        (True, True, True),
        (True, True, True),
    ]
    assert understood(judged)[1:] == [("confirm", False), ("confirm", False)]


async def test_the_route_alone_executes_nothing(tmp_path: Path) -> None:
    """A model can say `confirm`; without the guard that is one key of two. A yes is understood then, and told what would
    execute it; what is something else is misunderstood, and executes nothing either. `not_confirm` asks no more."""
    file = read(
        written(tmp_path, answer("confirm", "yes"), answer("hold", "wait"), answer("not_confirm", "what a day"))
    )

    judged = await confirming.judge(file, saying(Route.CONFIRM))

    assert not any(one.executed or one.confirmed or one.false for one in judged)
    assert understood(judged) == [("confirm", True), ("confirm", False), ("not_confirm", True)]


async def test_a_yes_that_something_speaks_against_is_not_understood(tmp_path: Path) -> None:
    """Whatever an interpreter says: a command is carried out, and the plan is none of its business."""
    file = read(written(tmp_path, answer("confirm", "declare an incident sev2"), answer("hold", "hmm")))

    for affirmative in (True, False):
        judged = await confirming.judge(file, saying(Route.CONFIRM, affirmative=affirmative))

        assert understood(judged) == [("hold", False), ("confirm", False)]
        assert not judged[0].executed


def request(text: str, intent: str, lang: str = "en", lock: str = "", **slots: str) -> dict[str, Any]:
    return {"lang": lang, "text": text, "intent": intent, "slots": slots, **({"lock": lock} if lock else {})}


async def test_intents_and_slots(tmp_path: Path) -> None:
    file = read(
        written(
            tmp_path,
            request("restart web in staging", "restart", service="web", environment="staging"),
            request("logs of it for the last 30 minutes", "logs", lock="api", since="30m"),
            request("把 api 缩容 3 个", "scale", "zh", service="api", replicas="?3"),
            request("double it", "scale", lock="api", replicas="x2"),
            request("cordon node-7", "cordon", node="node-7"),
            request("delete pod order-db-2", "delete_pod", pod="order-db-2"),
            request("roll back api to the previous version", "rollback", service="api", revision="previous"),
            request("thanks, all good now", "chat", lock="api"),
            request("get me a human", "hand_off", lock="api"),
            request("what can you do", "help"),
        )
    )

    judged = await requests.judge(file, RULES)

    assert [one.understood for one in judged] == [one.label for one in judged]
    assert [one.found for one in judged] == [one.wanted for one in judged]
    assert [one.harmless for one in judged] == [one.label != "chat" for one in judged]
    assert not any(one.false for one in judged)
    assert {len(one.seconds) for one in judged} == {1, 2}


async def test_an_order_that_nobody_gave_is_marked(tmp_path: Path) -> None:
    file = read(written(tmp_path, request("how is api", "status", service="api"), request("ok", "chat")))

    judged = await requests.judge(file, saying(Route.ACT, Request("restart"), affirmative=True))

    assert [one.marks for one in judged] == [{"orders_invented"}, {"orders_invented"}]
    assert understood(judged) == [("restart", False), ("restart", False)]


async def test_requests_below_the_plan_of_something_else_confirm_it_falsely(tmp_path: Path) -> None:
    file = read(written(tmp_path, request("how is api", "status", service="api"), request("ok", "chat")))

    judged = await requests.judge(file, saying(Route.CONFIRM, affirmative=True))

    assert [one.false for one in judged] == [True, False]


def test_requests_need_services_and_locks_that_there_are(tmp_path: Path) -> None:
    path = written(tmp_path, request("restart it", "restart", lock="nope"))
    with pytest.raises(EvaluationError, match=r"rows\.jsonl:1: lock 'nope'"):
        files_of([path])

    (tmp_path / "services.yaml").unlink()
    with pytest.raises(EvaluationError, match=r"rows\.jsonl: requests need services\.yaml beside it"):
        files_of([path])


@pytest.mark.parametrize(
    ("services", "problem"),
    [("services: [", r"services\.yaml"), ("things: []", "must have services"), ("services: [{name: 1}]", "namespace")],
)
def test_a_bad_catalog_is_told(tmp_path: Path, services: str, problem: str) -> None:
    for row in (request("restart web", "restart"), both("logs of web", ("logs", "web")), answer("confirm", "yes")):
        with pytest.raises(EvaluationError, match=problem):
            files_of([written(tmp_path, row, services=services)])


def both(text: str, *pairs: tuple[str, str], lang: str = "en") -> dict[str, Any]:
    intents, services = zip(*pairs, strict=True)
    return {"lang": lang, "text": text, "intents": list(intents), "services": list(services)}


async def test_several_requests(tmp_path: Path) -> None:
    file = read(
        written(
            tmp_path,
            both("@bot restart api and show me the logs of order-db", ("restart", "api"), ("logs", "order-db")),
            both("@bot logs of api, and restart it", ("logs", "api"), ("restart", "api")),
            both("@bot drain node-1, then status of api", ("drain", "node-1"), ("status", "api")),
            both("@bot what is broken? and restart api", ("overview", ""), ("restart", "api")),
        )
    )

    judged = await several.judge(file, RULES)

    assert [one.understood for one in judged] == [
        "restart api, logs order-db",
        "logs api, restart api",
        "drain node-1, status api",
        "overview, restart api",
    ]
    assert all(one.right and one.marks == {"intents_right"} for one in judged)


async def test_an_order_lost_among_questions_is_marked(tmp_path: Path) -> None:
    row = both("@bot restart api and show its logs", ("restart", "api"), ("logs", "api"))
    file = read(written(tmp_path, row))

    (lost,) = await several.judge(file, saying(Route.QUERY, Request("logs")))
    (nothing,) = await several.judge(file, saying(Route.CHAT))
    (kept_back,) = await several.judge(file, saying(Route.HELP, Request("restart"), Request("logs")))

    assert "orders_hidden" in lost.marks
    assert not nothing.marks
    assert nothing.understood == "nothing"
    assert "orders_hidden" in kept_back.marks


async def test_an_order_among_questions_that_nobody_gave_is_marked(tmp_path: Path) -> None:
    file = read(written(tmp_path, both("@bot logs of api", ("logs", "api"))))

    (invented,) = await several.judge(file, saying(Route.ACT, Request("logs"), Request("restart")))

    assert invented.marks == {"orders_invented"}


def command(text: str, modifies: str) -> dict[str, Any]:
    return {"category": "x", "name": "x", "command": text, "modifies": modifies}


async def test_commands(tmp_path: Path) -> None:
    file = read(
        written(
            tmp_path,
            command("kubectl delete pod nginx", "yes"),
            command("kubectl get pods", "no"),
            command("kubectl drain node1", "yes"),
            command("kubectl version", "no"),
            command("ls -la", "unknown"),
        )
    )

    judged = await commands.judge(file, RULES)

    assert [(one.label, one.right) for one in judged] == [("yes", True), ("no", True), ("yes", True), ("no", True)]
    assert [sorted(one.marks) for one in judged] == [["planned"], [], ["planned"], []]


async def test_a_change_that_is_taken_for_a_read_is_marked(tmp_path: Path) -> None:
    file = read(written(tmp_path, command("kubectl delete pod nginx", "yes"), command("kubectl get pods", "no")))

    read_all = await commands.judge(file, saying(Route.QUERY, Request("status")))
    changed_all = await commands.judge(file, saying(Route.ACT, Request("restart")))

    assert [(one.understood, sorted(one.marks)) for one in read_all] == [("no", ["taken_for_a_read"]), ("no", [])]
    assert [(one.understood, sorted(one.marks)) for one in changed_all] == [
        ("yes", ["planned"]),
        ("yes", ["orders_invented"]),
    ]


async def test_two_contenders_in_two_runs_side_by_side(tmp_path: Path) -> None:
    file = read(written(tmp_path, answer("confirm", "yes"), answer("hold", "hmm")))

    contenders = [RULES, saying(Route.CONFIRM, affirmative=True)]

    (measured,) = [one async for one in measure([file], contenders, runs=2, misses=True)]

    assert (measured["kind"], measured["n"], measured["runs"]) == ("confirming", 2, 2)
    assert {name: of["accuracy"] for name, of in measured["figures"].items()} == {"rules": 1.0, "says": 0.5}
    assert measured["figures"]["says"]["false_executions"] == 2
    assert measured["figures"]["says"]["could_execute_falsely"] == 2
    assert measured["misses"]["rules"] == []
    (miss,) = measured["misses"]["says"]
    assert (miss["where"], miss["label"], miss["understood"], miss["executed"]) == ("line 2", "hold", "confirm", True)
