"""A Prometheus that is absent, slow or wrong: each is told apart, in time, and nothing of it gets further."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.adapters.prometheus import Access, Prometheus
from chatops_bot.adapters.prometheus.answers import read
from chatops_bot.adapters.prometheus.client import MOST_BYTES
from chatops_bot.ports.metrics import MOST_LINES, MetricsError
from tests.prometheus.server import free_port

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Odd:
    """Something that answers as a test says, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answer: Answer = self._nothing
        self.asked: list[tuple[str, dict[str, str], str]] = []
        self.url = ""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        form = {name: str(value) for name, value in (await request.post()).items()}
        self.asked.append((request.path, form, request.headers.get("Authorization", "")))
        return await self.answer(request)

    async def _nothing(self, request: web.Request) -> web.StreamResponse:
        return web.json_response({"status": "success", "data": {"resultType": "matrix", "result": []}})

    def says(self, body: bytes | str, *, status: int = 200, headers: dict[str, str] | None = None) -> None:
        async def answer(request: web.Request) -> web.StreamResponse:
            return web.Response(body=body, status=status, headers=headers)

        self.answer = answer


@pytest.fixture
async def odd() -> AsyncIterator[Odd]:
    made = Odd()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.serve)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield made
    await runner.cleanup()


@pytest.fixture
async def prometheus(odd: Odd) -> AsyncIterator[Prometheus]:
    made = Prometheus(Access(f"{odd.url}/prom/", token="hush"), timeout_s=0.5)
    yield made
    await made.close()


async def trouble(prometheus: Prometheus) -> MetricsError:
    with pytest.raises(MetricsError) as raised:
        await prometheus.range("up", start=1_000, end=61_500, step=15_000)
    assert "hush" not in raised.value.message
    assert "127.0.0.1" not in raised.value.message
    return raised.value


def matrix(*series: object) -> str:
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": list(series)}})


async def test_what_is_asked_and_with_what_it_gets_in(odd: Odd, prometheus: Prometheus) -> None:
    assert (await prometheus.range("up", start=1_000, end=61_500, step=15_000)).lines == ()
    await prometheus.instant("up", at=1_500)
    window = {"query": "up", "start": "1.000", "end": "61.500", "step": "15.000", "timeout": "1s"}
    assert odd.asked == [
        ("/prom/api/v1/query_range", window, "Bearer hush"),
        ("/prom/api/v1/query", {"query": "up", "time": "1.500", "timeout": "1s"}, "Bearer hush"),
    ]


async def test_nobody_there() -> None:
    prometheus = Prometheus(Access(f"http://127.0.0.1:{free_port()}"), timeout_s=0.5)
    assert (await trouble(prometheus)).trouble == "unreachable"
    await prometheus.close()


@pytest.mark.parametrize("begun", [False, True])
async def test_one_that_never_comes_to_an_end(odd: Odd, prometheus: Prometheus, begun: bool) -> None:
    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        if begun:
            await response.prepare(request)
            await response.write(b'{"status":')
        await asyncio.sleep(30)
        return response

    odd.answer = answer
    assert (await trouble(prometheus)).trouble == "slow"


@pytest.mark.parametrize("access", [Access("", token="hush"), Access("", username="bot", password="hush")])
async def test_one_that_repeats_what_it_was_sent_gives_nothing_away(odd: Odd, access: Access) -> None:
    async def repeat(request: web.Request) -> web.StreamResponse:
        sent = request.headers["Authorization"].partition(" ")[2]
        return web.json_response({"status": "error", "error": f"no user has {sent}, which is hush"}, status=401)

    odd.answer = repeat
    prometheus = Prometheus(msgspec.structs.replace(access, url=odd.url), timeout_s=0.5)
    assert (await trouble(prometheus)).message == "status 401: no user has ***, which is ***"
    await prometheus.close()


async def test_a_redirect_is_not_followed(odd: Odd, prometheus: Prometheus) -> None:
    odd.says(b"", status=307, headers={"Location": f"{odd.url}/elsewhere"})
    assert (await trouble(prometheus)).trouble == "wrong"
    assert [path for path, _, _ in odd.asked] == ["/prom/api/v1/query_range"]


@pytest.mark.parametrize("packed", [False, True])
async def test_an_answer_without_end_is_not_read_to_it(odd: Odd, packed: bool) -> None:
    sent = 0

    async def answer(request: web.Request) -> web.StreamResponse:
        nonlocal sent
        response = web.StreamResponse(headers={"Content-Encoding": "gzip"} if packed else {})
        await response.prepare(request)
        piece = b" " * 1_000_000
        await response.write(gzip.compress(piece * 20) if packed else b"")
        while not packed and sent < 100:
            await response.write(piece)
            sent += 1
        return response

    odd.answer = answer
    patient = Prometheus(Access(odd.url), timeout_s=20)
    assert (await trouble(patient)).trouble == "large"
    assert sent * 1_000_000 < 5 * MOST_BYTES
    await patient.close()


@pytest.mark.parametrize(
    ("status", "body", "kind", "said"),
    [
        (400, {"status": "error", "errorType": "bad_data", "error": "parse error: x"}, "refused", "parse error"),
        (422, {"status": "error", "error": "too many samples"}, "refused", "too many samples"),
        (200, {"status": "error", "error": "half"}, "refused", "half"),
        (503, "<html>upstream</html>", "refused", "status 503"),
        (401, "", "refused", "status 401"),
        (200, "<html>log in</html>", "wrong", "form"),
        (200, '{"status": "succ', "wrong", "form"),
        (200, "", "wrong", "form"),
        (200, "[" * 100_000, "wrong", "form"),
        (200, b"\xff\xfe{}", "wrong", "form"),
        (200, {"status": "success"}, "wrong", "no data"),
        (200, {"status": "success", "data": {"resultType": "string", "result": [1, "x"]}}, "wrong", "form"),
        (200, {"status": "success", "data": {"resultType": "matrix", "result": {"a": 1}}}, "wrong", "form"),
        (200, matrix({"metric": {"a": 1}, "values": []}), "wrong", "form"),
        (200, matrix({"metric": {}, "values": [[1, 2]]}), "wrong", "form"),
        (200, matrix({"metric": {}, "values": [["1", "2"]]}), "wrong", "form"),
        (200, matrix({"metric": {}, "values": [[1]]}), "wrong", "form"),
        (200, matrix(7), "wrong", "form"),
    ],
)  # fmt: skip
async def test_an_answer_that_is_none(
    odd: Odd, prometheus: Prometheus, status: int, body: object, kind: str, said: str
) -> None:
    odd.says(body if isinstance(body, bytes | str) else json.dumps(body), status=status)
    error = await trouble(prometheus)
    assert error.trouble == kind
    assert said in error.message


def test_a_reason_is_short_and_without_secrets() -> None:
    body = json.dumps({"status": "error", "error": "password=hunter2 " + "x" * 5000}).encode()
    with pytest.raises(MetricsError) as raised:
        read(body, status=400)
    assert "hunter2" not in raised.value.message
    assert len(raised.value.message) < 400


def test_what_lets_the_bot_in_is_in_no_traceback() -> None:
    shown = repr(Access("http://prometheus:9090", token="hunter2", username="bot", password="hunter3"))
    assert shown == "Access(url='http://prometheus:9090')"


def test_secrets_are_looked_for_in_what_is_shown_of_a_large_answer_alone() -> None:
    labels = {f"{number}{'x' * 300}": "password " * 28 for number in range(20_000)}
    (line,) = read(matrix({"metric": labels, "values": [[0, "1"]]}).encode(), status=200).lines
    assert len(line.labels) == 64
    assert max(map(len, line.labels)) == 256
    began = time.process_time()
    with pytest.raises(MetricsError):
        read(json.dumps({"status": "error", "error": 'token="' * 1_000_000}).encode(), status=400)
    assert time.process_time() - began < 0.5  # of the loop, which everything else waits for


def test_values_that_cannot_be_drawn_are_left_out() -> None:
    points = [[0, "NaN"], [15, "1"], [30, "+Inf"], [45, "-Inf"], [60, "2.5"], [75, "one"], [-5, "1"], [1e300, "1"]]
    (line,) = read(matrix({"metric": {"a": "x" * 5000}, "values": points}).encode(), status=200).lines
    assert line.points == ((15_000, 1.0), (60_000, 2.5))
    assert len(line.labels["a"]) == 256


def test_of_five_thousand_lines_those_that_end_highest_are_kept_and_the_rest_counted() -> None:
    series = [{"metric": {"pod": str(number)}, "values": [[0, "9999"], [15, str(number)]]} for number in range(5_000)]
    measured = read(
        matrix(*series, {"metric": {}, "values": []}, {"metric": {}, "values": [[0, "x"]]}).encode(), status=200
    )
    assert len(measured.lines) == MOST_LINES
    assert measured.left_out == 5_002 - MOST_LINES
    assert {int(line.labels["pod"]) for line in measured.lines} == set(range(5_000 - MOST_LINES, 5_000))


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["status", "data", "resultType", "result", "metric", "values", "value"]), inner
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_whatever_comes_is_an_answer_or_an_error_of_ours(body: object) -> None:
    for shown in (body, {"status": "success", "data": {"resultType": "matrix", "result": body}}):
        with contextlib.suppress(MetricsError):
            read(json.dumps(shown).encode(), status=200)
