"""What a text bears out of what a model proposes for it, read with the tables of the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import Final

from chatops_bot.adapters.rules.listening import tells
from chatops_bot.adapters.rules.requests.clauses import split
from chatops_bot.adapters.rules.requests.finding import find_requests
from chatops_bot.adapters.rules.requests.orders import hangs, is_told
from chatops_bot.adapters.rules.text.numbers import NUM, number
from chatops_bot.adapters.rules.text.reading import read
from chatops_bot.adapters.rules.tone.flow import flow_of
from chatops_bot.adapters.rules.values.parameters import slots_of
from chatops_bot.domain.intents import Utterance
from chatops_bot.domain.proposals.evidence import Evidence

_NUMBER: Final = re.compile(NUM)
_MOST_NUMBERS: Final = 50

_LEAVES: Final = re.compile(
    r"\b(?:no|not|nope|nah|don't|dont|never|stop|cancel|abort|forget|skip|scrap|drop|leave|undo|nvm|nevermind|"
    r"quit|kill|hold off|back out|call it off|false alarm|mistake|wrong)\b|[不别甭勿免停]|"
    r"算了|取消|放弃|撤|罢了|拉倒|作罢|错了"
)
"""Without one of these nothing is left, whatever a model says."""


def evidence(utterance: Utterance, intents: Iterable[str]) -> Evidence:
    """All that the rules can tell of the text, whatever they make of it; of parameters, those of these intents."""
    reading = read(utterance)
    findings = find_requests(reading)
    flow = flow_of(reading)
    said = split(reading)
    said_of = {intent: slots_of(intent, reading.masked, reading.text) for intent in {*intents}}
    numbers = [number(found.group()) for found in islice(_NUMBER.finditer(reading.masked), _MOST_NUMBERS)]
    return Evidence(
        numbers=tuple(numbers),
        said=said_of,
        denied=frozenset(findings.denied),
        told=findings.told or tells(reading) or any(is_told(said, clause) for clause in said.clauses),
        conditional=any(hangs(said, index) for index in range(len(said.clauses))),
        asks=bool(flow.question) and not flow.polite,
        leaves=bool(flow.cancel) or bool(findings.denied) or _LEAVES.search(reading.masked) is not None,
        holds=flow.hold or flow.doubt,
    )
