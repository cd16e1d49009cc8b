"""Rows written for a test, and who judges them."""

import json
from pathlib import Path
from typing import Any

from chatops_bot.app.evaluation.contenders import rules
from chatops_bot.app.evaluation.posing import Contender
from chatops_bot.domain.intents import Interpretation, Request, Route, Utterance
from chatops_bot.ports.interpreter import ANYWHERE, Where
from tests.fakes.clock import ManualClock

SERVICES = """
services:
  - {name: web, namespace: shop, workload: deployment/web, environment: prod, aliases: [前端]}
  - {name: web, namespace: shop-staging, workload: deployment/web, environment: staging}
  - {name: api, namespace: shop, workload: deployment/api, environment: prod}
  - {name: order-db, namespace: shop, workload: statefulset/order-db, environment: prod}
"""


class Says:
    """An interpreter that says the same of everything, as a broken or malicious one might."""

    def __init__(self, route: Route, *requests: Request, affirmative: bool = False, tokens: int = 0) -> None:
        self._meaning = Interpretation(
            route=route, language="en", requests=requests, affirmative=affirmative, tokens=tokens
        )

    async def interpret(self, utterance: Utterance, *, where: Where = ANYWHERE) -> Interpretation:
        return self._meaning


def saying(route: Route, *requests: Request, affirmative: bool = False) -> Contender:
    return Contender("says", Says(route, *requests, affirmative=affirmative), ManualClock())


RULES = rules(ManualClock())


def written(folder: Path, *rows: dict[str, Any], services: str = SERVICES) -> Path:
    """A file of rows with its catalog beside it."""
    (folder / "services.yaml").write_text(services, encoding="utf-8")
    path = folder / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path
