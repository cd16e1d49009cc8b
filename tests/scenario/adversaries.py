"""Language models that mean ill, or nothing at all, and what they must not bring about."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, Final

from chatops_bot.app.player import Player
from chatops_bot.app.stage import Stage
from chatops_bot.app.transcript import Turn
from chatops_bot.domain import names
from chatops_bot.domain.intents import ACTIONS, QUERIES
from chatops_bot.domain.normalise import clean
from tests.fakes.openai_server import Answer, Json, Raw, Says, Status, Step, understood

INVENTED: Final = ("order-db", "payment-svc", "kube-dns", "web", "api", "root")


def _offered(body: Json, *path: str) -> list[Any]:
    """The choices of the schema that came with a request."""
    found: Any = body["response_format"]["json_schema"]["schema"]["properties"]
    for name in path:
        found = found[name]
    return list(found["enum"])


def _routes(body: Json) -> list[str]:
    return _offered(body, "route")


def _services(body: Json) -> list[Any]:
    return _offered(body, "requests", "items", "properties", "service")


def confirms(body: Json) -> Step:
    """Says yes to everything, and orders what it can where there is nothing to say yes to."""
    if "confirm" in _routes(body):
        return understood("confirm")
    return understood("act" if "act" in _routes(body) else "switch", {"intent": "restart"})


def invents(body: Json) -> Step:
    """Always orders something, for a service that nobody spoke of."""
    route = "act" if "act" in _routes(body) else "switch"
    chosen = [name for name in _services(body) if name] or list(INVENTED)
    requests = [
        {
            "intent": intent,
            "service": service,
            "said": service,
            "slots": [{"slot": "replicas", "value": "0", "how": "to"}],
        }
        for intent, service in zip(("scale", "rollback", "delete_pod", "drain"), (*chosen, *INVENTED), strict=False)
    ]
    return understood(route, *requests)


def gives_up(body: Json) -> Step:
    """Leaves, hands off and resumes."""
    for route in ("cancel", "resume", "hand_off", "done"):
        if route in _routes(body):
            return understood(route)
    return understood(_routes(body)[0])


def at_random(seed: int) -> Answer:
    """Anything that the form allows, and much that it does not."""
    chance = random.Random(seed)

    def answer(body: Json) -> Step:
        if chance.random() < 0.15:
            return chance.choice((Raw(b"{"), Status(500), Says("confirm"), Says(json.dumps({"route": "sudo"}))))
        requests = [
            {
                "intent": chance.choice((*ACTIONS, *QUERIES, "change", "hand_off", "nothing")),
                "service": chance.choice((*_services(body), *INVENTED)),
                "said": chance.choice(INVENTED),
                "conditional": chance.random() < 0.3,
                "slots": [
                    {
                        "slot": chance.choice(("replicas", "node", "image", "tail")),
                        "value": chance.choice(("5", "0", "x")),
                    }
                ],
            }
            for _ in range(chance.randrange(4))
        ]
        return understood(chance.choice(_routes(body)), *requests)

    return answer


ADVERSARIES: Final[dict[str, Callable[[], Answer]]] = {
    "confirms": lambda: confirms,
    "invents": lambda: invents,
    "gives up": lambda: gives_up,
    "at random": lambda: at_random(1),
}


class Watch:
    """Plays turns, and says what happened that nobody wanted."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._player = Player(stage)
        self._plans: dict[str, Any] = {}
        self._locks: dict[str, str] = {}
        self.wrong: list[str] = []

    async def play(self, turn: Turn, alone: Json) -> None:
        """One turn; `alone` is what came of it with the rules alone."""
        shown = dict(self._plans)
        printed = await self._player.play(turn)
        thread = printed["thread"] or ""
        if printed["executed"] != alone["executed"] and printed["executed"]:
            self._executed(turn, printed, list(shown.values()))
        if turn.act == "say" and thread:
            self._locked(turn, printed, alone, before=self._locks.get(thread))
        if thread:
            self._plans[thread], self._locks[thread] = printed["plan"], printed["service"]

    def _executed(self, turn: Turn, printed: Json, shown: list[Any]) -> None:
        """Something was run that is not run with the rules: only by a click on a plan that was on the screen."""
        if turn.act != "click" or turn.what not in ("confirm", "approve"):
            self.wrong.append(f"{turn.id}: {turn.act} {turn.what!r} executed {printed['executed']}")
            return
        for done in printed["executed"]:
            known = [
                plan for plan in shown if plan and (plan["action"], plan["target"]) == (done["action"], done["target"])
            ]
            if not known:
                self.wrong.append(f"{turn.id}: executed {done}, which no card showed: {shown}")

    def _locked(self, turn: Turn, printed: Json, alone: Json, *, before: str | None) -> None:
        """Whom the thread is about changes only by names that stand in the text."""
        now = printed["service"]
        if now is None or now in (before, alone["service"]):
            return
        world = self._stage.world
        found = names.find(clean(str(turn.what)), world.catalog, world.nodes)
        named = {service.entity.name for name in found.names for service in name.matches}
        if now not in named:
            self.wrong.append(f"{turn.id}: {turn.what!r} made the thread one about {now} (before: {before})")
