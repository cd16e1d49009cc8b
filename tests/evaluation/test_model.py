"""`eval` with a model beside the rules: a scripted server that speaks its interface over real HTTP."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from chatops_bot.app.evaluation.command import Wanted, main
from tests.evaluation.test_dialogues import correction
from tests.fakes.openai_server import Answer, Served, Status, Step, serving, understood
from tests.unit.app.evaluation.test_judges import answer, request
from tests.unit.app.evaluation.written import written


@contextmanager
def served(answer: Answer | Step) -> Iterator[Served]:
    """A server in a loop of its own, since the command has one too."""
    ready, over = Event(), Event()
    running: list[Served] = []

    async def serve() -> None:
        async with serving(answer) as server:
            running.append(server)
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield running[0]
    finally:
        over.set()
        thread.join()


def ended(path: Path, server: Served) -> tuple[int, str, list[str]]:
    """Exit code, output and complaints."""
    out: list[str] = []
    problems: list[str] = []
    environ = {"CHATOPS_MODEL__NAME": "m", "CHATOPS_MODEL__URL": server.url}
    code = main([path], Wanted(misses=True), environ=environ, echo=out.append, complain=problems.append)
    return code, "\n".join(out), problems


ROWS = [
    answer("confirm", "yes"),
    answer("hold", "let me think about that thing with the numbers for a while, it smells"),
    answer("not_confirm", "the moon is made of cheese and so are you"),
]


def test_rules_and_model_side_by_side(tmp_path: Path) -> None:
    with served(understood("unclear")) as server:
        code, out, problems = ended(written(tmp_path, *ROWS), server)

    assert code == 0
    assert "rules: 3 rows" in out
    assert "m: 3 rows" in out
    assert "by a model with 150 tokens each" in out
    assert problems == [f"m: questions by outcome: answered {len(server.bodies)}"]
    assert server.bodies


def test_a_model_that_always_confirms_executes_nothing(tmp_path: Path) -> None:
    """A yes that it alone understands takes a press; what is none is misunderstood, and runs nothing either."""
    yes = answer("confirm", "the sunshine over there has my vote of trust")
    with served(understood("confirm")) as server:
        code, out, _ = ended(written(tmp_path, *ROWS, yes), server)

    assert code == 0
    assert "FALSELY" not in out
    rules, _, model = out.partition("  m: 4 rows")
    assert "confirmations recognised 50.0%, executed by words 50.0%, 0 false confirmations" in rules
    assert "confirmations recognised 100.0%, executed by words 50.0%, 0 false confirmations" in model
    assert "0 false executions of 2" in model
    assert server.bodies


def test_nor_does_it_in_dialogues_and_requests(tmp_path: Path) -> None:
    with served(understood("confirm")) as server:
        dialogue = correction("value", "scale", "scale api to 5", "the moon is made of cheese somehow", replicas="5")
        code, out, _ = ended(written(tmp_path, dialogue), server)
        assert (code, "0 false executions of 1" in out) == (0, True)

        code, out, _ = ended(written(tmp_path, request("do that thing with the stuff", "status", lock="api")), server)
        assert (code, "0 false executions of 1" in out) == (0, True)
    assert server.bodies


def test_a_model_that_never_answers_is_told(tmp_path: Path) -> None:
    with served(Status(401)) as server:
        code, _, problems = ended(written(tmp_path, *ROWS), server)

    assert code == 0
    assert "never answered; its figures are those of the rules" in problems[-1]
