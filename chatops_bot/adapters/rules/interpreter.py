"""The rules as an interpreter: one utterance in, one `Interpretation` out. No I/O; safe to share between tasks."""

from __future__ import annotations

from chatops_bot.adapters.rules.answers import corrections
from chatops_bot.adapters.rules.answers.weights import learned
from chatops_bot.adapters.rules.routing import route
from chatops_bot.adapters.rules.text.reading import read
from chatops_bot.adapters.rules.tone.flow import says_all, says_other
from chatops_bot.domain.intents import Interpretation, Language, Utterance
from chatops_bot.domain.normalise import language_of


class RulesInterpreter:
    """Understands Chinese and English without any model. `fallback` is the language of what has none ("5", "👌")."""

    def __init__(self, *, fallback: Language = "en") -> None:
        self._fallback: Language = fallback
        learned()  # a table that is not whole is told at the start, and no message waits for it

    def interpret(self, utterance: Utterance) -> Interpretation:
        """What the utterance means in its state; the route is always one that the state offers."""
        reading = read(utterance)
        verdict = route(reading, utterance)
        return Interpretation(
            route=verdict.route,
            language=language_of(reading.text, self._fallback),
            requests=verdict.requests,
            dismissed=utterance.dismissed,
            affirmative=verdict.affirmative,
            all=says_all(reading.masked),
            other=says_other(reading.masked),
            as_before=corrections.says_as_before(reading.masked),
        )
