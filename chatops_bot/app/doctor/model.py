"""The language model: it is reached, known to its server, answers in the form and in time, and has budget left."""

from __future__ import annotations

import asyncio
from typing import Final
from urllib.parse import urlsplit

from chatops_bot.app.doctor.findings import Finding, bad, ok, warn
from chatops_bot.app.modelling import model_of
from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.intents import State, Utterance
from chatops_bot.domain.proposals.form import read
from chatops_bot.domain.proposals.inquiry import inquiry
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.model import Model, ModelError, Reply, Trouble

_PATIENCE_S: Final = 15.0
"""For the sample question: how long it takes is told, rather than that it takes too long."""

_TO_DO: Final[dict[Trouble, str]] = {
    "slow": "look at the server's load; model.url may also be that of something that never answers",
    "unreachable": "check model.url, the network, its policies, and the certificate (model.ca_file)",
    "refused": "check the key (model.key_file): it is not taken for this server or this model",
    "limited": "too many calls, or nothing left to pay them with: look at the account, lower the budgets under model",
    "broken": "the server has an error of its own; its log says more",
    "rejected": "check model.name, model.url (up to /v1) and model.options",
    "declined": "choose another model: this one would not even say what a plain question means",
    "garbled": "check that model.url is OpenAI's interface; set model.response_format, or raise max_output_tokens",
}

_SAMPLE: Final = Utterance(text="how is web doing, and who touched it last?", state=State.IDLE)
_WEB: Final = Service(entity=Entity("c", "shop", "Deployment", "web", "web", ""))


async def on_model(chosen: ModelSettings, *, spent: int | None, clock: Clock) -> list[Finding]:
    """Findings about the model; none where no one is configured. `spent` are the tokens of this day so far, None where
    that cannot be told."""
    if not chosen.enabled:
        return []
    findings = [*_of_settings(chosen)]
    if spent is not None and spent >= chosen.day_tokens:
        what = (
            f"the model's budget of this day is spent ({spent} of {chosen.day_tokens} tokens): the rules answer alone"
        )
        findings.append(warn(what, "raise model.day_tokens, or find out what asks so much"))
    model = model_of(chosen)
    try:
        return [*findings, *await examine(model, chosen, clock=clock)]
    finally:
        await model.close()


async def examine(model: Model, chosen: ModelSettings, *, clock: Clock) -> list[Finding]:
    """Ask it what a sample question means."""
    begun = clock.monotonic()
    try:
        reply = await _asked(model, chosen)
    except ModelError as error:
        why = f": {error.message}" if error.message else ""
        return [bad(f"the model {model.name} cannot be used ({error.trouble}){why}", _TO_DO[error.trouble])]
    seconds = clock.monotonic() - begun
    if read(reply.text) is None:
        what = f"the model {model.name} answers, but not in the form that it is held to ({model.form})"
        return [bad(what, "set another model.response_format, or choose another model")]
    findings = [ok(f"the model {model.name} answers in {seconds:.1f} s, in the form ({model.form})")]
    if seconds > chosen.timeout_s:
        what = f"that is longer than model.timeout_s ({chosen.timeout_s:g} s): its answers would come too late"
        findings.append(warn(what, "choose a quicker model, or lower what it thinks (model.options)"))
    if not reply.tokens:
        what = "the server does not say how many tokens were used: they are estimated for the budgets"
        findings.append(warn(what, "nothing, if that is known"))
    return findings


async def _asked(model: Model, chosen: ModelSettings) -> Reply:
    """The answer to the sample; also one that comes drop by drop has to be there in time. Raises `ModelError`."""
    try:
        async with asyncio.timeout(_PATIENCE_S):
            return await model.ask(inquiry(_SAMPLE, (_WEB,), limit=chosen.max_input_chars), timeout_s=_PATIENCE_S)
    except TimeoutError:
        raise ModelError("slow", f"no answer within {_PATIENCE_S:g} s") from None


def _of_settings(chosen: ModelSettings) -> list[Finding]:
    found = []
    parts = urlsplit(chosen.url)
    if parts.scheme == "http" and chosen.key is not None and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        found.append(
            warn("the key for the model, and what people write, go over the network in the clear", "use https")
        )
    if not min(chosen.thread_tokens, chosen.room_tokens, chosen.day_tokens):
        found.append(warn("a budget of the model is 0: it is never asked", "raise it, or leave model.name empty"))
    return found
