"""What the doctor says of a language model, by a server that is asked for real."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import SecretStr

from chatops_bot.app.doctor import model
from chatops_bot.app.doctor.findings import Finding
from chatops_bot.app.doctor.model import on_model
from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.ports.clock import SystemClock
from tests.fakes.openai_server import Drip, Says, Status, Step, serving, understood

GOOD = understood("query", {"intent": "status", "service": "web"})


async def found(step: Step, *, spent: int | None = None, **settings: Any) -> list[Finding]:
    async with serving(step) as served:
        chosen = ModelSettings(**{"name": "m", "url": served.url, **settings})
        return await on_model(chosen, spent=spent, clock=SystemClock())


async def test_nothing_is_said_where_none_is_configured() -> None:
    assert await on_model(ModelSettings(), spent=None, clock=SystemClock()) == []


async def test_one_that_works() -> None:
    (finding,) = await found(GOOD)
    assert finding.severity == "ok"
    assert "(json_schema)" in finding.what


@pytest.mark.parametrize(
    ("step", "says", "to_do"),
    [
        (Status(401), "refused", "model.key_file"),
        (Status(404, error="model_not_found"), "model_not_found", "model.name"),
        (Status(500), "broken", "log"),
        (Status(429), "limited", "account"),
        (Says("{}", refusal="no"), "declined", "another model"),
        (Says("Web is fine, I guess."), "not in the form", "response_format"),
    ],
)
async def test_what_is_wrong_and_what_helps(step: Step, says: str, to_do: str) -> None:
    (finding,) = await found(step)
    assert finding.severity == "bad"
    assert says in finding.what
    assert to_do in finding.to_do


async def test_nobody_there() -> None:
    (finding,) = await on_model(ModelSettings(name="m", url="http://127.0.0.1:9/v1"), spent=0, clock=SystemClock())
    assert (finding.severity, "unreachable" in finding.what) == ("bad", True)


async def test_one_that_is_too_slow() -> None:
    class Slow(SystemClock):
        def __init__(self) -> None:
            self._seconds = iter((0.0, 9.0))

        def monotonic(self) -> float:
            return next(self._seconds)

    async with serving(GOOD) as served:
        findings = await on_model(ModelSettings(name="m", url=served.url), spent=None, clock=Slow())
    assert [finding.severity for finding in findings] == ["ok", "warn"]
    assert "timeout_s" in findings[1].what


async def test_a_spent_budget_and_one_of_nothing() -> None:
    assert "budget" in (await found(GOOD, spent=10, day_tokens=10))[0].what
    assert (await found(GOOD, spent=9, day_tokens=10))[0].severity == "ok"
    assert "never asked" in (await found(GOOD, thread_tokens=0))[0].what


async def test_tokens_that_are_not_told() -> None:
    findings = await found(Says(GOOD.text, tokens=None))
    assert [finding.severity for finding in findings] == ["ok", "warn"]


async def test_a_key_in_the_clear() -> None:
    chosen = ModelSettings(name="m", url="http://127.0.0.2:9/v1", key=SecretStr("k"))
    findings = await on_model(chosen, spent=None, clock=SystemClock())
    assert "in the clear" in findings[0].what


async def test_an_answer_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "_PATIENCE_S", 0.2)
    async with asyncio.timeout(10):
        (finding,) = await found(Drip())
    assert finding.severity == "bad"
    assert "(slow)" in finding.what
