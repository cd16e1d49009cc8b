"""From settings to what understands: the rules alone, or with a model beside them."""

from __future__ import annotations

from collections.abc import Callable

from chatops_bot.app.bot import BuiltInRules, ByRules
from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.domain.breaker import Breaker
from chatops_bot.domain.catalog import Catalog
from chatops_bot.engine.understanding import Lead, Limits, Understanding
from chatops_bot.engine.wording import Wording
from chatops_bot.ports.clock import Clock, SystemClock
from chatops_bot.ports.interpreter import Interpreter, Rules
from chatops_bot.ports.meter import Meter, NoMeter
from chatops_bot.ports.model import Model, Spending


class Modelling:
    """One model on its lead, as configured. `close` releases its connections."""

    def __init__(self, chosen: ModelSettings, *, model: Model, lead: Lead, meter: Meter) -> None:
        self.chosen = chosen
        self.model = model
        self.lead = lead
        self._meter = meter

    def interpreter(self, rules: Rules) -> Interpreter:
        """The rules with it beside them."""
        return Understanding(rules, self.lead, meter=self._meter)

    def wording(self, catalog: Callable[[], Catalog]) -> Wording | None:
        """What words answers, where that is wanted; `catalog` as it is now."""
        return Wording(self.lead, catalog=catalog, meter=self._meter) if self.chosen.answers else None

    async def close(self) -> None:
        """Release connections."""
        await self.model.close()


def modelling_of(
    chosen: ModelSettings,
    *,
    spending: Spending | None = None,
    clock: Clock | None = None,
    meter: Meter | None = None,
) -> Modelling | None:
    """What is configured, None where no model is. Without `spending` no budget holds (evaluation). `clock` is that of
    the time limit: the real one, also where a replay has another."""
    if not chosen.enabled:
        return None
    model, meter = model_of(chosen), meter or NoMeter()
    lead = Lead(
        model,
        spending=spending,
        limits=Limits(
            timeout_s=chosen.timeout_s,
            retries=chosen.retries,
            characters=chosen.max_input_chars,
            of_thread=chosen.thread_tokens,
            of_room=chosen.room_tokens,
            of_all=chosen.day_tokens,
        ),
        breaker=Breaker(after=chosen.breaker_failures, pause_s=chosen.breaker_pause_s),
        clock=clock or SystemClock(),
        meter=meter,
    )
    return Modelling(chosen, model=model, lead=lead, meter=meter)


def model_of(chosen: ModelSettings) -> Model:
    """The model alone."""
    from chatops_bot.adapters.openai import Access, OpenAIModel  # takes half a second, and only where it is used

    return OpenAIModel(
        Access(
            url=chosen.url,
            model=chosen.name,
            key=chosen.key.get_secret_value() if chosen.key is not None else "",
            ca=chosen.ca_file,
            form=chosen.response_format,
            tokens_out=chosen.max_output_tokens,
            options=dict(chosen.options),
        )
    )


def interpreter_of(chosen: ModelSettings, *, meter: Meter | None = None) -> tuple[Interpreter, Modelling | None]:
    """What understands utterances outside a running bot (evaluation, replay): no budget holds; which services there are
    is told by each utterance's `Where`. The second is to be closed in the end; None where the rules are alone."""
    rules = BuiltInRules()
    made = modelling_of(chosen, meter=meter)
    if made is None:
        return ByRules(rules), None
    return made.interpreter(rules), made
