"""The console over HTTP: what the page sends and reads, what is refused, and what is never executed."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from chatops_bot.adapters.console import ConsoleChat
from chatops_bot.adapters.console.bodies import BODY_BYTES
from chatops_bot.adapters.console.web import web_console
from chatops_bot.domain.cards import Button, Card, Code, Fields, Note, Table, Text
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from tests.contract.chat.console.stub import StubPane, StubSink, card

OPS = Room("console", "local", "ops")
HOME = "http://127.0.0.1:8080"
SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture
def pane() -> StubPane:
    return StubPane()


@pytest.fixture
async def client(chat: ConsoleChat, pane: StubPane) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=web_console(chat, rooms=("ops", "dev"), pane=pane))
    async with httpx.AsyncClient(transport=transport, base_url=HOME) as client:
        yield client


def words(**changes: object) -> dict[str, object]:
    return {"room": "ops", "user": "alice", "text": "@bot how is web?", **changes}


def press(**changes: object) -> dict[str, object]:
    return {"room": "ops", "user": "bob", "card": "card:1", "button": "confirm", **changes}


async def post_card(chat: ConsoleChat, view: Card | None = None) -> str:
    posted = await chat.post(room=OPS, thread="T", card=view or card(), root="", key="", again=False)
    return posted.message


async def test_the_page_and_its_files_are_served(client: httpx.AsyncClient) -> None:
    page = await client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for path, kind in (("static/main.js", "javascript"), ("static/base.css", "text/css")):
        assert path in page.text
        assert kind in (await client.get(f"/{path}")).headers["content-type"]


@pytest.mark.parametrize("path", ["/static/../web.py", "/static/%2e%2e/web.py", "/static/", "/web.py"])
async def test_nothing_else_is_served(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code == 404


async def test_the_page_may_load_and_reach_nothing_but_itself(client: httpx.AsyncClient) -> None:
    for path in ("/", "/static/main.js", "/api/room", "/api/nothing"):
        headers = (await client.get(path)).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"


async def test_a_closed_console_is_for_the_people_named(chat: ConsoleChat, sink: StubSink) -> None:
    closed = web_console(chat, people=("alice",), closed=True)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=closed), base_url=HOME) as client:
        assert (await client.post("/api/say", json=words())).status_code == 200
        for path, body in (("/api/say", words(user="mallory")), ("/api/click", press())):
            refused = await client.post(path, json=body)
            assert (refused.status_code, refused.json()["error"]) == (403, "unknown_person")
    assert [event.user.id for event in sink.events] == ["alice"]


async def test_it_works_under_a_path(chat: ConsoleChat) -> None:
    outer = Starlette(routes=[Mount("/console", app=web_console(chat))])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=outer), base_url=HOME) as client:
        assert (await client.get("/console/")).status_code == 200
        assert (await client.get("/console/api/room")).json()["room"] == "ops"
        assert (await client.post("/console/api/say", json=words())).status_code == 200
        foreign = await client.get("/console/api/room", headers={"sec-fetch-site": "cross-site"})
        assert foreign.status_code == 403


async def test_the_state_of_a_room_holds_all_that_it_shows(client: httpx.AsyncClient, chat: ConsoleChat) -> None:
    await client.post("/api/say", json=words())
    message = await post_card(chat)
    state = (await client.get("/api/room/ops")).json()
    assert (state["room"], state["rooms"], state["bot"], state["pane"]) == ("ops", ["ops", "dev"], "bot", True)
    assert (state["epoch"], state["sequence"]) == (chat.epoch, chat.feed.sequence)
    said, shown = state["entries"]
    assert (said["kind"], said["user"], said["text"]) == ("said", "alice", "@bot how is web?")
    assert (shown["id"], shown["card"]["title"]) == (message, "web is healthy")
    assert shown["card"]["blocks"] == [{"type": "text", "text": "2 of 2 pods are ready", "strong": False}]
    assert shown["card"]["buttons"] == [{"id": "refresh", "label": "Refresh", "token": "web"}]
    assert (await client.get("/api/room/dev")).json()["entries"] == []


async def test_what_is_said_reaches_the_engine(client: httpx.AsyncClient, sink: StubSink, chat: ConsoleChat) -> None:
    message = await post_card(chat)
    answer = await client.post("/api/say", json=words(reply_to=message, nonce="0123456789ab"))
    assert answer.json() == {"taken": "stored", "thread": "thread-1"}
    event = sink.events[0]
    assert isinstance(event, Message)
    assert (event.id, event.user.id, event.text, event.answers) == (
        "said:0123456789ab",
        "alice",
        "how is web?",
        (message,),
    )


async def test_a_click_reaches_the_engine(client: httpx.AsyncClient, sink: StubSink, chat: ConsoleChat) -> None:
    message = await post_card(chat)
    body = press(card=message, token="t0k3n", value="5", nonce="0123456789ab")
    assert (await client.post("/api/click", json=body)).status_code == 200
    event = sink.events[0]
    assert isinstance(event, Click)
    assert (event.id, event.card, event.thread, event.token, event.value) == (
        "click:0123456789ab",
        message,
        "T",
        "t0k3n",
        "5",
    )


async def test_the_same_mark_twice_is_one_event(client: httpx.AsyncClient, sink: StubSink, chat: ConsoleChat) -> None:
    for path, body in (("/api/say", words(nonce="0123456789ab")), ("/api/click", press(nonce="0123456789ab"))):
        assert (await client.post(path, json=body)).json()["taken"] == "stored"
        assert (await client.post(path, json=body)).json()["taken"] == "duplicate"
    assert len(chat.log.entries("ops")) == 1


async def test_what_the_engine_cannot_take_is_told_and_can_be_sent_again(
    client: httpx.AsyncClient, sink: StubSink, chat: ConsoleChat
) -> None:
    sink.refuses = "the store is away"
    answer = await client.post("/api/say", json=words(nonce="0123456789ab"))
    assert (answer.status_code, answer.json()["error"]) == (503, "not_accepted")
    assert chat.log.entries("ops")[0].delivery == "failed"
    sink.refuses = ""
    assert (await client.post("/api/say", json=words(nonce="0123456789ab"))).status_code == 200
    assert [entry.delivery for entry in chat.log.entries("ops")] == ["done"]


@pytest.mark.parametrize(
    "body",
    [
        words(text="x" * 4001),
        words(text=" \n "),
        words(text=None),
        words(user=""),
        words(user="x" * 41),
        words(user="a\nb"),
        words(user=" alice"),
        words(user="<b>bob</b>"),
        words(user="Bot"),
        words(nonce="short"),
        words(nonce="0123456789\n"),
        words(reply_to=7),
        words(unknown="field"),
        {"room": "ops"},
        [],
        "text",
    ],
)
async def test_a_message_that_is_not_as_it_should_be_is_refused(
    client: httpx.AsyncClient, sink: StubSink, body: object
) -> None:
    answer = await client.post("/api/say", json=body)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid")
    assert answer.json()["detail"]
    assert sink.events == []


@pytest.mark.parametrize("path", ["/api/say", "/api/click", "/api/stage"])
async def test_bodies_that_cannot_be_read_are_refused(client: httpx.AsyncClient, path: str) -> None:
    json_type = {"content-type": "application/json; charset=utf-8"}
    cases: list[tuple[bytes, dict[str, str], int, str]] = [
        (b"{", json_type, 400, "invalid"),
        (b"", json_type, 400, "invalid"),
        (b"\xff\xfe", json_type, 400, "invalid"),
        (b"[" * 5_000, json_type, 400, "invalid"),
        (b" " * (BODY_BYTES + 1), json_type, 413, "too_large"),
        (b"{}", {"content-type": "text/plain"}, 415, "not_json"),
        (b"room=ops", {"content-type": "application/x-www-form-urlencoded"}, 415, "not_json"),
        (b"{}", {}, 415, "not_json"),
    ]
    for body, headers, status, error in cases:
        answer = await client.post(path, content=body, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (status, error), body[:20]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "error"),
    [
        ("GET", "/api/room/secret", None, 404, "unknown_room"),
        ("POST", "/api/say", words(room="secret"), 404, "unknown_room"),
        ("POST", "/api/click", press(room="secret"), 404, "unknown_room"),
        ("GET", "/api/nothing", None, 404, "http"),
        ("GET", "/api/say", None, 405, "http"),
        ("POST", "/api/room", None, 405, "http"),
    ],
)
async def test_what_does_not_exist_is_said_clearly(
    client: httpx.AsyncClient, method: str, path: str, body: object, status: int, error: str
) -> None:
    answer = await client.request(method, path, json=body)
    assert (answer.status_code, answer.json()["error"]) == (status, error)


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "attacker.example"},
        {"host": "attacker.example:8080"},
        {"host": "127.0.0.1.attacker.example"},
        {"host": "127.0.0.1@attacker.example"},
        {"host": ""},
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/room", "/static/main.js"])
async def test_a_name_that_was_rebound_to_this_machine_gets_nothing(
    client: httpx.AsyncClient, headers: dict[str, str], path: str
) -> None:
    answer = await client.get(path, headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://attacker.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "http://localhost:8080"},
        {"origin": "null"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
async def test_other_sites_can_send_nothing(
    client: httpx.AsyncClient, sink: StubSink, pane: StubPane, headers: dict[str, str]
) -> None:
    before = pane.snapshot()
    for path, body in (("/api/say", words()), ("/api/click", press()), ("/api/stage", stage())):
        answer = await client.post(path, json=body, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")
    assert sink.events == []
    assert pane.snapshot() == before


@pytest.mark.parametrize(
    ("host", "origin"),
    [("localhost:8080", "http://localhost:8080"), ("[::1]:8080", "http://[::1]:8080"), ("127.0.0.1", None)],
)
async def test_the_page_itself_is_let_in(client: httpx.AsyncClient, host: str, origin: str | None) -> None:
    headers = {"host": host, "sec-fetch-site": "same-origin", **({"origin": origin} if origin else {})}
    assert (await client.post("/api/say", json=words(), headers=headers)).status_code == 200


async def test_further_host_names_can_be_allowed(chat: ConsoleChat) -> None:
    transport = httpx.ASGITransport(app=web_console(chat, hosts={"Ops.example"}))
    async with httpx.AsyncClient(transport=transport, base_url="http://ops.example:9000") as client:
        assert (await client.get("/api/room")).status_code == 200
        assert (await client.get("/api/room", headers={"host": "localhost"})).status_code == 403


async def test_markup_goes_through_as_the_text_that_it_is(client: httpx.AsyncClient, chat: ConsoleChat) -> None:
    await client.post("/api/say", json=words(text=SCRIPT))
    await post_card(
        chat,
        Card(
            title=SCRIPT,
            language="en",
            blocks=(
                Text(SCRIPT),
                Fields(((SCRIPT, SCRIPT),)),
                Table(((SCRIPT,), (SCRIPT,))),
                Code(SCRIPT),
                Note(SCRIPT),
            ),
            buttons=(Button(id="x", label=SCRIPT),),
        ),
    )
    answer = await client.get("/api/room")
    assert answer.headers["content-type"] == "application/json"
    said, shown = answer.json()["entries"]
    assert said["text"] == SCRIPT
    assert json.dumps(shown).count("onerror=alert(1)") == 9


def stage(**changes: object) -> dict[str, object]:
    return {"namespace": "payments", "name": "payment-svc", "trouble": "OOMKilled", **changes}


async def test_the_pane_is_shown_and_can_be_broken(client: httpx.AsyncClient) -> None:
    def first_pod(snapshot: Any) -> object:
        return snapshot["workloads"][0]["pods"][0]["state"]

    assert first_pod((await client.get("/api/cluster")).json()) == "Running"
    assert (await client.post("/api/stage", json=stage())).status_code == 200
    assert first_pod((await client.get("/api/cluster")).json()) == "OOMKilled"


@pytest.mark.parametrize(
    ("changes", "status", "error"),
    [
        ({"name": "nothing"}, 404, "unknown_workload"),
        ({"trouble": "Earthquake"}, 400, "invalid"),
        ({"namespace": ""}, 400, "invalid"),
    ],
)
async def test_a_trouble_that_cannot_be_staged_is_refused(
    client: httpx.AsyncClient, changes: dict[str, object], status: int, error: str
) -> None:
    answer = await client.post("/api/stage", json=stage(**changes))
    assert (answer.status_code, answer.json()["error"]) == (status, error)


async def test_without_a_sandbox_there_is_no_pane(chat: ConsoleChat) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=web_console(chat)), base_url=HOME) as client:
        assert (await client.get("/api/room")).json()["pane"] is False
        for answer in (await client.get("/api/cluster"), await client.post("/api/stage", json=stage())):
            assert (answer.status_code, answer.json()["error"]) == (404, "no_pane")
