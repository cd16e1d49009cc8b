"""A language model that answers at random, the same to the same question: it lives in the worker's own process."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

from chatops_bot.app.bot import BuiltInRules
from chatops_bot.domain.breaker import Breaker
from chatops_bot.domain.intents import ACTIONS
from chatops_bot.domain.proposals.inquiry import Inquiry, rendered
from chatops_bot.engine.understanding import Lead, Limits, Understanding
from chatops_bot.ports.clock import SystemClock
from chatops_bot.ports.interpreter import Interpreter
from chatops_bot.ports.meter import NoMeter
from chatops_bot.ports.model import Reply


class Wild:
    """`ports.model.Model` without a server. It knows all that may be said, and means nothing by it."""

    name = "wild"
    form = "json_schema"

    def version(self, prompt: str) -> str:
        return prompt

    async def ask(self, inquiry: Inquiry, *, timeout_s: float) -> Reply:
        chance = random.Random(hashlib.sha256(rendered(inquiry.parts).encode()).digest())
        fields: Any = inquiry.schema["properties"]
        request = fields["requests"]["items"]["properties"]
        routes = [route for route in fields["route"]["enum"] for _ in range(3 if route in _TELLING else 1)]
        intents = [intent for intent in request["intent"]["enum"] if intent not in ACTIONS or intent in _JUDGED]
        requests = [
            {
                "intent": chance.choice((*_JUDGED, "change", *intents)),
                "service": chance.choice(request["service"]["enum"]),
                "said": None,
                "conditional": False,
                "slots": [{"slot": "replicas", "value": chance.choice(("0", "3", "5")), "how": "to"}],
            }
            for _ in range(chance.randrange(3))
        ]
        return Reply(json.dumps({"route": chance.choice(routes), "requests": requests}))

    async def close(self) -> None:
        return


_JUDGED = ("scale", "restart")
"""Actions whose cards the judge can read: of a plan for another one it could not tell what was shown."""

_TELLING = ("confirm", "act", "switch", "modify")


def interpreter() -> Interpreter:
    """The rules with it beside them, on no lead but its time."""
    limits = Limits(timeout_s=60, at_once=1_000)
    lead = Lead(Wild(), spending=None, limits=limits, breaker=Breaker(), clock=SystemClock(), meter=NoMeter())
    return Understanding(BuiltInRules(), lead, meter=NoMeter())
