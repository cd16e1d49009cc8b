"""The real client against a scripted server: what is sent, what comes back, and every fault of the wire."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import certifi
import pytest

from chatops_bot.adapters.openai import Access, OpenAIModel
from chatops_bot.adapters.openai.answers import MOST_BYTES
from chatops_bot.adapters.openai.asking import Asking
from chatops_bot.adapters.openai.prompting import text_of, version_of
from chatops_bot.domain.intents import State
from chatops_bot.domain.proposals.form import schema_of
from chatops_bot.domain.proposals.inquiry import PROMPT, Inquiry, Part
from chatops_bot.ports.model import ModelError, Reply
from tests.fakes.openai_server import Answer, Flood, Raw, Reset, Says, Silence, Status, Step, one_by_one, serving

QUESTION = Inquiry(
    PROMPT,
    (Part("State", "state: idle", trusted=True), Part("Message", "restart web")),
    schema_of(State.IDLE, ("web",)),
    "understanding",
)
GOOD = Says('{"route": "chat", "requests": []}')


async def asked(answer: Answer | Step, *, timeout_s: float = 5.0, **access: Any) -> tuple[Reply, list[dict[str, Any]]]:
    """What the model replies, and the bodies of all requests."""
    async with serving(answer) as served:
        model = OpenAIModel(Access(url=served.url, model="m", **access))
        try:
            return await model.ask(QUESTION, timeout_s=timeout_s), served.bodies
        finally:
            await model.close()


async def troubled(answer: Answer | Step, *, timeout_s: float = 5.0, **access: Any) -> ModelError:
    """The trouble that it ends with."""
    with pytest.raises(ModelError) as caught:
        await asked(answer, timeout_s=timeout_s, **access)
    return caught.value


async def test_what_is_sent() -> None:
    async with serving(GOOD) as served:
        model = OpenAIModel(Access(url=served.url, model="m", key="k-123", options={"reasoning_effort": "low"}))
        reply = await model.ask(QUESTION, timeout_s=5)
        await model.close()
    (body,), (headers,) = served.bodies, served.headers
    assert reply == Reply(GOOD.text, 120, 30)
    assert headers["authorization"] == "Bearer k-123"
    assert "openai-organization" not in headers
    assert "openai-project" not in headers
    assert body["response_format"]["json_schema"]["strict"] is True
    assert body["response_format"]["json_schema"]["schema"] == QUESTION.schema
    assert (body["temperature"], body["max_tokens"], body["reasoning_effort"]) == (0, 600, "low")
    system, user = body["messages"]
    assert system == {"role": "system", "content": text_of(PROMPT)}
    assert "restart web" in user["content"]


async def test_variables_of_the_client_itself_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "from-outside")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    async with serving(GOOD) as served:
        model = OpenAIModel(Access(url=served.url, model="m"))
        await model.ask(QUESTION, timeout_s=5)
        await model.close()
    assert "from-outside" not in repr(served.headers)


async def test_the_key_is_in_no_words_of_it() -> None:
    assert "k-123" not in repr(Access(url="http://x/v1", model="m", key="k-123"))
    error = await troubled(Status(401, "Incorrect API key provided: k-123", error="k-123"), key="k-123")
    assert (error.trouble, "k-123" in str(error)) == ("refused", False)


@pytest.mark.parametrize(
    ("refused", "form"), [((), "json_schema"), (("response_format",), "tools"), (("response_format", "tools"), "json")]
)
async def test_a_server_that_refuses_a_form_is_asked_in_the_next(refused: tuple[str, ...], form: str) -> None:
    async with serving(GOOD) as served:
        served.unknown = refused
        model = OpenAIModel(Access(url=served.url, model="m"))
        assert (await model.ask(QUESTION, timeout_s=5)).text == GOOD.text
        before = len(served.bodies)
        assert (await model.ask(QUESTION, timeout_s=5)).text == GOOD.text
        await model.close()
    body = served.bodies[-1]
    assert (before, len(served.bodies)) == (len(refused) + 1, len(refused) + 2)  # it is remembered
    assert ("response_format" in body, "tools" in body) == (form == "json_schema", form == "tools")
    assert ("JSON schema" in body["messages"][-1]["content"]) is (form == "json")


async def test_a_form_that_is_configured_is_not_left() -> None:
    async with serving(GOOD) as served:
        served.unknown = ("tools",)
        model = OpenAIModel(Access(url=served.url, model="m", form="tools"))
        with pytest.raises(ModelError) as caught:
            await model.ask(QUESTION, timeout_s=5)
        await model.close()
    assert (caught.value.trouble, len(served.bodies)) == ("rejected", 1)


async def test_fields_that_a_server_does_not_know_are_left_out() -> None:
    async with serving(GOOD) as served:
        served.unknown = ("max_tokens", "temperature")
        model = OpenAIModel(Access(url=served.url, model="m"))
        await model.ask(QUESTION, timeout_s=5)
        await model.close()
    assert served.bodies[-1]["max_completion_tokens"] == 600
    assert "temperature" not in served.bodies[-1]


@pytest.mark.parametrize(
    "refusal",
    [
        "'max_tokens' is too large: 600. This model's maximum context length is 512 tokens.",
        {"message": "The prompt is too long; reduce temperature or tools", "code": None},
        {"detail": [{"loc": ["body"], "msg": "odd", "input": {"text": "drop max_tokens, temperature and every tool"}}]},
        {"message": "no", "body": ["response_format"]},
    ],
)
def test_what_is_too_long_or_only_repeated_leaves_nothing_out(refusal: object) -> None:
    asking = Asking(Access(url="http://x/v1", model="m"))
    body = asking.body([], QUESTION)
    assert not asking.give_up(refusal, body)
    assert asking.body([], QUESTION) == body
    assert asking.give_up({"detail": [{"loc": ["body", "max_tokens"], "msg": "extra", "input": 600}]}, body)


@pytest.mark.parametrize(
    ("step", "trouble"),
    [
        (Status(400, "bad request"), "rejected"),
        (Status(400, "filtered", error="content_filter"), "declined"),
        (Status(401), "refused"),
        (Status(403), "refused"),
        (Status(404, error="model_not_found"), "rejected"),
        (Status(408), "slow"),
        (Status(422), "rejected"),
        (Status(429, headers={"retry-after": "2"}), "limited"),
        (Status(500), "broken"),
        (Status(503), "broken"),
        (Status(307, headers={"location": "http://127.0.0.1:9/v1/chat/completions"}), "rejected"),
        (Reset(), "unreachable"),
        (Reset(after=b"HTTP/1.1 200 X\r\ncontent-length: 5000\r\n\r\n{"), "unreachable"),
        (Reset(after=b"garbage garbage\r\n\r\n"), "unreachable"),
        (Raw(b""), "garbled"),
        (Raw(b"<html>log in</html>", kind="text/html"), "garbled"),
        (Raw(b'data: {"choices": []}\n\ndata: [DONE]\n\n', kind="text/event-stream"), "garbled"),
        (Raw(b"[1, 2]"), "garbled"),
        (Raw(b"{}"), "garbled"),
        (Raw(b'{"choices": []}'), "garbled"),
        (Raw(b'{"choices": [{"message": "x"}]}'), "garbled"),
        (Raw(b'{"choices": [{"message": {"content": null}}]}'), "garbled"),
        (Raw(b'{"choices": [{"message": {"content": [{"type": "text"}]}}]}'), "garbled"),
        (Raw(b'{"choices": [{"message": {"tool_calls": [{"function": 3}]}}]}'), "garbled"),
        (Raw(b"[" * 100_000), "garbled"),
        (Raw(b" " * (MOST_BYTES + 1)), "garbled"),
        (Says("", refusal="I would rather not"), "declined"),
        (Says("", finish="content_filter"), "declined"),
        (Says('{"route": "ch', finish="length"), "garbled"),
        (Says(" "), "garbled"),
    ],
)
async def test_every_fault_is_a_trouble(step: Step, trouble: str) -> None:
    assert (await troubled(step)).trouble == trouble


@pytest.mark.parametrize(("code", "trouble"), [(302, "rejected"), (400, "rejected"), (401, "refused"), (500, "broken")])
async def test_an_error_without_end_is_known_by_its_status(code: int, trouble: str) -> None:
    assert (await troubled(Flood(code), timeout_s=1.0)).trouble == trouble


@pytest.mark.parametrize(
    "access", [{"key": "kéy"}, {"options": {"top_p": float("nan")}}, {"options": {"user": "\ud800"}}]
)
async def test_what_cannot_be_written_down_is_a_trouble_and_not_told(access: dict[str, Any]) -> None:
    error = await troubled(GOOD, **access)
    assert error.trouble == "rejected"
    assert "kéy" not in error.message


async def test_silence_is_a_trouble_too() -> None:
    assert (await troubled(Silence(), timeout_s=0.05)).trouble == "slow"


async def test_nobody_there() -> None:
    model = OpenAIModel(Access(url="http://127.0.0.1:9/v1", model="m"))
    with pytest.raises(ModelError) as caught:
        await model.ask(QUESTION, timeout_s=5)
    await model.close()
    assert caught.value.trouble == "unreachable"


@pytest.mark.parametrize("content", [None, "no certificate"])
async def test_certificates_that_cannot_be_read(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)
    error = await troubled(GOOD, ca=file)
    assert (error.trouble, "ca_file" in error.message) == ("unreachable", True)


async def test_certificates_of_its_own_are_trusted() -> None:
    reply, _ = await asked(GOOD, ca=Path(certifi.where()))
    assert reply.text == GOOD.text


async def test_how_long_it_wants_to_be_left_alone() -> None:
    assert (await troubled(Status(429, headers={"retry-after": "2.5"}))).after_s == 2.5
    assert (await troubled(Status(429, headers={"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}))).after_s == 0


async def test_a_call_is_not_repeated_by_the_client() -> None:
    async with serving(one_by_one([Status(500), GOOD])) as served:
        model = OpenAIModel(Access(url=served.url, model="m"))
        with pytest.raises(ModelError):
            await model.ask(QUESTION, timeout_s=5)
        await model.close()
    assert len(served.bodies) == 1


async def test_what_never_is_taken_ends() -> None:
    refusals = ("response_format", "tool", "max_tokens", "max_completion_tokens", "temperature", "json_object")
    error = await troubled(Status(400, ", ".join(refusals)))
    assert error.trouble == "rejected"


@pytest.mark.parametrize("usage", ["x", {"prompt_tokens": -5, "completion_tokens": True}, {"prompt_tokens": 10**12}])
async def test_impossible_counts_are_none(usage: object) -> None:
    body = {"choices": [{"message": {"content": "{}"}}], "usage": usage}
    reply, _ = await asked(Raw(json.dumps(body).encode()))
    assert (reply.tokens_in, reply.tokens_out) == (0, 0)


async def test_tokens_of_an_answer_that_is_of_no_use_are_told() -> None:
    assert (await troubled(Says("", finish="length"))).tokens == 150


def test_prompts_have_versions() -> None:
    assert version_of(PROMPT) == "understand.v1"
    with pytest.raises(KeyError):
        version_of("nothing")


async def test_it_is_imported_only_where_it_is_switched_on() -> None:
    code = "import sys, chatops_bot.app.run, chatops_bot.app.cli; sys.exit('openai' in sys.modules)"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await process.wait() == 0
