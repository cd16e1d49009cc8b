"""The rules first, and a model where they leave something open: on a short lead, and never without them.

Whatever goes wrong with the model, the rules' own reading holds. Log and metrics tell what happened, never what was
said.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Final

import msgspec
import structlog

from chatops_bot.domain.breaker import Breaker, Phase
from chatops_bot.domain.dialogue.parking import asks_back
from chatops_bot.domain.dialogue.switch import command_of as switch_command
from chatops_bot.domain.dialogue.walking_words import move_of
from chatops_bot.domain.entities import Service
from chatops_bot.domain.events import Message
from chatops_bot.domain.incident_words import command_of as incident_command
from chatops_bot.domain.intents import Interpretation, State, Utterance
from chatops_bot.domain.proposals.asking import worth_asking
from chatops_bot.domain.proposals.candidates import candidates
from chatops_bot.domain.proposals.checking import intents_in
from chatops_bot.domain.proposals.form import read
from chatops_bot.domain.proposals.inquiry import PROMPT, Inquiry, inquiry
from chatops_bot.domain.proposals.merging import merged
from chatops_bot.domain.session import Session
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.interpreter import ANYWHERE, Rules, Where
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.model import AGAIN, Model, ModelError, Reply, Spending
from chatops_bot.ports.store import StoreUnavailable

log = structlog.get_logger(__name__)

LEAST_S: Final = 0.3
"""Less time than this is not worth another try."""

PAUSE_S: Final = 0.1
"""Before a second try, where the server does not say how long."""

_CHARACTERS_A_TOKEN: Final = 3
"""About; counted where a server does not say what was used."""


class Limits(msgspec.Struct, frozen=True):
    """How much a model may take. `timeout_s`: all tries of one question together. Budgets are tokens a day (UTC), 0
    for none at all."""

    timeout_s: float = 3.0
    retries: int = 1
    characters: int = 12_000
    of_thread: int = 50_000
    of_room: int = 500_000
    of_all: int = 5_000_000
    at_once: int = 16


class Lead:
    """One model on its lead: budget, breaker, time limit, one more try. Several things may be asked through one."""

    def __init__(
        self,
        model: Model,
        *,
        spending: Spending | None,
        limits: Limits,
        breaker: Breaker,
        clock: Clock,
        meter: Meter,
    ) -> None:
        """Without `spending` nothing is counted (evaluation)."""
        self.model = model
        self.limits = limits
        self._spending = spending
        self._breaker = breaker
        self._clock = clock
        self._meter = meter
        self._busy = 0
        self._told: set[tuple[str, str]] = set()

    @property
    def phase(self) -> Phase:
        """Of the breaker."""
        return self._breaker.phase(self._clock.monotonic())

    async def ask(self, question: Inquiry, *, where: Where) -> Reply | None:
        """What the model says; None where it says nothing, which is counted with its reason."""
        why = await self._why_not(where)
        if why:
            self._meter.count("model_fallbacks", reason=why)
            log.info("model_not_asked", reason=why, prompt=question.prompt)
            return None
        begun = self._clock.monotonic()
        self._breaker = self._breaker.begun(begun)
        self._busy += 1
        try:
            reply, tries = await self._within(question, where)
        except ModelError as error:
            # One that would not answer is there. Otherwise anybody could silence it for all with a few such messages.
            works = error.trouble == "declined"
            self._breaker = self._breaker.succeeded() if works else self._breaker.failed(self._clock.monotonic())
            self._done(question, error.trouble, begun)
            self._meter.count("model_fallbacks", reason=error.trouble)
            log.warning("model_failed", trouble=error.trouble, why=error.message, breaker=self.phase)
            return None
        finally:
            self._busy -= 1
        self._breaker = self._breaker.succeeded()
        self._done(question, "answered", begun, tries=tries, tokens=reply.tokens)
        return reply

    def _done(self, question: Inquiry, outcome: str, begun: float, *, tries: int = 0, tokens: int = 0) -> None:
        seconds = self._clock.monotonic() - begun
        self._meter.count("model_calls", prompt=question.prompt, outcome=outcome)
        self._meter.observe("model_seconds", seconds, prompt=question.prompt)
        log.info(
            "model_asked",
            model=self.model.name,
            prompt=self.model.version(question.prompt),
            outcome=outcome,
            seconds=round(seconds, 3),
            tries=tries,
            tokens=tokens,
        )

    async def _why_not(self, where: Where) -> str:
        """Why it may not be asked now, "" where it may."""
        if not self._breaker.allows(self._clock.monotonic()):
            return "breaker"
        if self._busy >= self.limits.at_once:
            return "busy"
        if self._spending is None:
            return ""
        day = day_of(self._clock.now())
        try:
            spent = await self._spending.spent(thread=where.thread, room=where.room, day=day)
        except StoreUnavailable:
            return "store"
        budgets = (self.limits.of_thread, self.limits.of_room, self.limits.of_all)
        for of, used, budget in zip(("thread", "room", "day"), spent, budgets, strict=True):
            if used >= budget:
                self._tell(of, day, used, budget)
                return f"budget_{of}"
        return ""

    def _tell(self, of: str, day: str, used: int, budget: int) -> None:
        """A budget is spent: once a day, for whoever runs the bot. People are answered by the rules meanwhile."""
        if (of, day) not in self._told:
            self._told = {told for told in self._told if told[1] == day} | {(of, day)}
            log.warning(
                "model_budget_spent",
                of=of,
                used=used,
                budget=budget,
                consequence="the rules answer alone until midnight UTC",
                what_to_do="raise the budget under model, or find out what asks so much",
            )

    async def _within(self, question: Inquiry, where: Where) -> tuple[Reply, int]:
        """As many tries as there may be, all within the time limit. Raises `ModelError`."""
        asking = asyncio.create_task(self._tries(question, where), name="model")
        limit = asyncio.create_task(self._clock.sleep(self.limits.timeout_s), name="model limit")
        try:
            await asyncio.wait({asking, limit}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise ModelError("slow", f"no answer within {self.limits.timeout_s:g} s")
            return asking.result()
        finally:
            for task in (asking, limit):
                task.cancel()
            await asyncio.gather(asking, limit, return_exceptions=True)

    async def _tries(self, question: Inquiry, where: Where) -> tuple[Reply, int]:
        until = self._clock.monotonic() + self.limits.timeout_s
        tries = 0
        while True:
            tries += 1
            left = until - self._clock.monotonic()
            try:
                reply = await self.model.ask(question, timeout_s=left)
            except ModelError as error:
                await self._spend(error.tokens, 0, where)
                pause = max(PAUSE_S, error.after_s)
                left = until - self._clock.monotonic()
                if tries > self.limits.retries or error.trouble not in AGAIN or left - pause < LEAST_S:
                    raise
                await self._clock.sleep(pause)
                continue
            if not reply.tokens:
                reply = _estimated(reply, question)
            await self._spend(reply.tokens_in, reply.tokens_out, where)
            return reply, tries

    async def _spend(self, tokens_in: int, tokens_out: int, where: Where) -> None:
        if not tokens_in + tokens_out:
            return
        self._meter.count("model_tokens", tokens_in, model=self.model.name, way="in")
        self._meter.count("model_tokens", tokens_out, model=self.model.name, way="out")
        if self._spending is None:
            return
        try:
            await self._spending.spend(
                tokens_in + tokens_out, thread=where.thread, room=where.room, day=day_of(self._clock.now())
            )
        except StoreUnavailable as error:
            log.warning("model_tokens_uncounted", tokens=tokens_in + tokens_out, why=str(error))


def day_of(seconds: float) -> str:
    """The day (UTC) that a budget is for, at this time (seconds since 1970)."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%d")


def _estimated(reply: Reply, question: Inquiry) -> Reply:
    """About what was used, where the server does not say."""
    sent = sum(len(part.text) for part in question.parts)
    return Reply(reply.text, sent // _CHARACTERS_A_TOKEN + 1, len(reply.text) // _CHARACTERS_A_TOKEN + 1)


class Understanding:
    """`Interpreter`: the rules, with a model beside them."""

    def __init__(self, rules: Rules, lead: Lead, *, meter: Meter) -> None:
        self._rules = rules
        self._lead = lead
        self._meter = meter

    async def interpret(self, utterance: Utterance, *, where: Where = ANYWHERE) -> Interpretation:
        """The rules' reading, with what a model's proposal adds to it. Never raises for the model."""
        ruled = self._rules.interpret(utterance)
        if not where.ask or _is_command(utterance.text) or not worth_asking(ruled, utterance):
            return ruled
        services = candidates(utterance, where.catalog, where.recent)
        question = inquiry(utterance, services, limit=self._lead.limits.characters)
        reply = await self._lead.ask(question, where=where)
        if reply is None:
            return ruled
        meaning = self._merged(ruled, utterance, services, reply)
        prompt = self._lead.model.version(PROMPT)
        return msgspec.structs.replace(meaning, tokens=reply.tokens, model=f"{self._lead.model.name} {prompt}")

    def _merged(
        self, ruled: Interpretation, utterance: Utterance, services: tuple[Service, ...], reply: Reply
    ) -> Interpretation:
        proposal = read(reply.text)
        if proposal is None:
            self._meter.count("model_fallbacks", reason="form")
            log.info("model_proposal", result="unusable", rules=ruled.route.value)
            return ruled
        evidence = self._rules.evidence(utterance, intents_in(proposal, utterance))
        both = merged(ruled, proposal, utterance, evidence, services)
        result = "used" if both.used else "dropped" if both.dropped else "agreed"
        self._meter.count("model_proposals", result=result)
        for what in set(both.dropped):
            self._meter.count("model_disagreements", what=what)
        log.info(
            "model_proposal",
            result=result,
            rules=ruled.route.value,
            proposed=proposal.route,
            route=both.meaning.route.value,
            dropped=both.dropped,
        )
        return both.meaning


def for_the_bot(event: Message, before: Session, *, via_card: bool) -> bool:
    """Whether a message is so surely for the bot that a model may see it: it is addressed, or a request in a room that
    is listened to; or it is said below a card where nobody else talks, or where words are waited for. What people say
    to each other leaves the house for nobody."""
    heard = event.heard
    if event.addressed or event.direct or (heard is not None and heard.listen == "all" and heard.request):
        return True
    alone = not before.people.keys() - {event.user.key}
    return via_card and (alone or before.state in (State.COLLECTING, State.CONFIRMING))


def _is_command(text: str) -> bool:
    """Whether the whole message is a command that is read by its words alone."""
    found = switch_command(text), incident_command(text), move_of(text)
    return any(command is not None for command in found) or asks_back(text)
