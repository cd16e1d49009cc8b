"""Logs and metrics of the process.

Every line of the log carries the id of the platform event that led to it (`event_id`), from the adapter's first line
to the call to the cluster: whoever begins to work on an event does so within
`structlog.contextvars.bound_contextvars(event_id=…)`, and tasks started there inherit it. Secrets are masked in every
value, tracebacks included.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping, MutableMapping
from contextlib import nullcontext
from typing import Any, Final, Literal, TextIO, TypeVar, cast

import msgspec
import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from chatops_bot.app.settings import LogSettings
from chatops_bot.domain.masking import mask, suspicious

_QUIET: Final = {
    **dict.fromkeys(
        ("slack_sdk", "slack_bolt", "asyncio", "httpx", "httpx2", "httpcore", "httpcore2", "openai", "aiohttp.access"),
        logging.WARNING,
    ),
    **dict.fromkeys(("websockets", "Lark"), logging.WARNING),
    **dict.fromkeys(("urllib3", "uvicorn"), logging.ERROR),
}
"""Libraries whose lower levels are of no use to whoever runs the bot: its own parts say what a retry was about. Those
of websockets would also show the address of Feishu's long connection, which is a credential."""

_QUICK: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SLOW: Final = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)


Labelled = TypeVar("Labelled", Counter, Histogram)


class Metric(msgspec.Struct, frozen=True):
    """One metric. Labels have few values each: never a user, a service, a thread or a token."""

    kind: Literal["counter", "histogram", "gauge"]
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = _QUICK


METRICS: Final[Mapping[str, Metric]] = {
    "events": Metric("counter", "Events taken in, by what became of them.", ("platform", "kind", "taken")),
    "deliveries": Metric("counter", "Requests of platforms by the status of the answer.", ("path", "status")),
    "turns": Metric("counter", "Turns decided.", ("route", "state")),
    "plans": Metric("counter", "Steps in the life of plans.", ("action", "step")),
    "executions": Metric("counter", "Executed plans by outcome.", ("action", "outcome")),
    "refusals": Metric("counter", "Requests refused, by the key of the reason.", ("reason",)),
    "care_looks": Metric("counter", "Looks at watched services by what they found.", ("result",)),
    "alerts": Metric("counter", "Deliveries of Alertmanager by what became of them.", ("result",)),
    "incidents": Metric("counter", "Incidents opened, mitigated, resolved and reopened.", ("step",)),
    "audit_sent": Metric("counter", "Entries of the audit log copied to a second place.", ("sink",)),
    "audit_unsent": Metric("counter", "Attempts at that which failed.", ("sink",)),
    "audit_unwritable": Metric("counter", "Changes refused since the audit log could not be written.", ()),
    "audit_trimmed": Metric("counter", "Entries of the audit log that were older than what is kept.", ()),
    "links_unknown": Metric("counter", "Cards whose link a platform did not tell.", ("platform",)),
    "events_noted": Metric("counter", "Kubernetes Events about executed plans, by what became of each.", ("result",)),
    "model_tokens": Metric("counter", "Tokens used by language models, in and out.", ("model", "way")),
    "model_calls": Metric("counter", "Questions to a language model by what became of them.", ("prompt", "outcome")),
    "model_fallbacks": Metric("counter", "Messages that the rules read alone though a model was wanted.", ("reason",)),
    "model_proposals": Metric("counter", "Proposals of a model: used, agreed with the rules, dropped.", ("result",)),
    "model_disagreements": Metric("counter", "What of a model's proposals did not count.", ("what",)),
    "model_answers": Metric("counter", "Answers worded by a model: shown, or dropped.", ("result",)),
    "failures": Metric("counter", "Unforeseen errors caught where a loop must go on.", ("place",)),
    "intake_seconds": Metric("histogram", "From an event's arrival to its acknowledgement.", ("platform",)),
    "turn_seconds": Metric("histogram", "From taking an event to its commit.", ("kind",)),
    "answer_seconds": Metric("histogram", "From an event's arrival to the card that answers it.", ("kind",), _SLOW),
    "model_seconds": Metric("histogram", "One question to a language model, all tries.", ("prompt",)),
    "effect_seconds": Metric("histogram", "One piece of work.", ("effect",), _SLOW),
    "cluster_seconds": Metric("histogram", "One call to a cluster.", ("cluster", "call"), _SLOW),
    "incident_seconds": Metric(
        "histogram",
        "From the detection of an incident: acknowledged, mitigated, resolved.",
        ("step",),
        (60.0, 300.0, 900.0, 1_800.0, 3_600.0, 7_200.0, 14_400.0, 28_800.0, 86_400.0),
    ),
    "queue_depth": Metric("gauge", "Entries waiting.", ("queue",)),
    "conversations_ended": Metric("gauge", "Conversations of the last days, by how they ended.", ("verdict",)),
    "conversations_unresolved": Metric("gauge", "Those not resolved, by what speaks against it.", ("signal",)),
    "model_breaker": Metric("gauge", "0 while the model is asked, 2 while it is left alone, 1 before it is tried."),
    "read_only": Metric("gauge", "1 while every change is refused."),
    "ready": Metric("gauge", "1 while this can be reached.", ("what",)),
    "build_info": Metric("gauge", "Always 1; tells the version.", ("version",)),
}
"""All metrics, exposed as `chatops_NAME` (counters with `_total`)."""


class Metrics:
    """Implements `ports.meter.Meter` on a registry of its own."""

    content_type = "text/plain; version=0.0.4; charset=utf-8"

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._counters: dict[str, Counter] = {}
        self._histograms: dict[str, Histogram] = {}
        self._gauges: dict[str, Gauge] = {}
        # Those with labels, once they are known: finding them anew costs more than counting.
        self._labelled: dict[tuple[str, tuple[tuple[str, str], ...]], Counter | Histogram] = {}
        for name, metric in METRICS.items():
            full = f"chatops_{name}"
            if metric.kind == "counter":
                self._counters[name] = Counter(full, metric.help, metric.labels, registry=self._registry)
            elif metric.kind == "gauge":
                self._gauges[name] = Gauge(full, metric.help, metric.labels, registry=self._registry)
            else:
                self._histograms[name] = Histogram(
                    full, metric.help, metric.labels, registry=self._registry, buckets=metric.buckets
                )

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Add to a counter. Raises `KeyError` or `ValueError` for what is not in `METRICS`."""
        counter = self._with(self._counters[name], name, labels)
        counter.inc(amount)

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        """One duration, of a histogram in `METRICS`."""
        histogram = self._with(self._histograms[name], name, labels)
        histogram.observe(seconds)

    def level(self, name: str, value: float, **labels: str) -> None:
        """Set a gauge in `METRICS`."""
        gauge = self._gauges[name]
        (gauge.labels(**labels) if labels else gauge).set(value)

    def _with(self, metric: Labelled, name: str, labels: dict[str, str]) -> Labelled:
        if not labels:
            return metric
        key = (name, tuple(labels.items()))
        known = self._labelled.get(key)
        if known is None:
            known = self._labelled[key] = metric.labels(**labels)
        return cast(Labelled, known)

    def render(self) -> bytes:
        """Everything, in Prometheus' text format."""
        return generate_latest(self._registry)


class Lines:
    """Where finished lines of one logger go. What cannot be written is lost: a log must not end what it tells of."""

    def __init__(self, name: str, handler: logging.StreamHandler[TextIO]) -> None:
        self.name = name
        self._handler = handler

    def msg(self, line: str) -> None:
        """Write one line, at once and whole."""
        handler = self._handler
        with handler.lock or nullcontext():
            try:
                handler.stream.write(f"{line}\n")
                handler.flush()
            except (OSError, ValueError):
                return

    debug = info = warning = error = critical = msg


def configure_logging(log: LogSettings, *, stream: TextIO | None = None) -> None:
    """Write the whole process's log, that of libraries included, to `stream` (standard error) in one form.

    Our own lines do not pass through `logging`, which costs three times as much as all that is done with them here.
    """
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.format_exc_info,
        structlog.processors.EventRenamer("message"),
        masked,
        # Nothing secret is in these.
        structlog.stdlib.add_log_level,
        _add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    handler = logging.StreamHandler(stream or sys.stderr)
    structlog.configure(
        processors=[*shared, _renderer(log)],
        logger_factory=lambda name="": Lines(name, handler),
        wrapper_class=structlog.make_filtering_bound_logger(log.level),
        cache_logger_on_first_use=False,
    )
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _renderer(log)],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(log.level.upper())
    for name, level in _QUIET.items():
        logging.getLogger(name).setLevel(level)


def _add_logger_name(logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    record = event.get("_record")  # of a library's line, which structlog's logger is not behind
    event["logger"] = record.name if record is not None else logger.name
    return event


def masked(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Take secrets out of everything that a line says. Runs after tracebacks have become text."""
    if _says_nothing_secret(event):
        return event
    for key, value in event.items():
        if not key.startswith("_"):  # structlog's own
            event[key] = _without_secrets(key, value)
    return event


def _says_nothing_secret(event: Mapping[str, object]) -> bool:
    """Most lines: a few words and numbers, looked at all together. False where they have to be looked at closely."""
    said = []
    for key, value in event.items():
        if isinstance(value, str):
            said.append(f"{key}={value}")
        elif not isinstance(value, int | float | None) and not key.startswith("_"):
            return False
    text = "\n".join(said)
    return text.isascii() and not suspicious(text)


def _without_secrets(key: str, value: object) -> object:
    match value:
        case bool() | int() | float() | None:
            return value
        case Mapping():
            return {str(name): _without_secrets(str(name), item) for name, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_without_secrets(key, item) for item in value]
        case _:
            return _masked_text(key, str(value))


def _masked_text(key: str, text: str) -> str:
    """Masked both by what it looks like and by what it is called: `token=abc` says only beside its name that it
    is secret."""
    text = text.encode(errors="replace").decode()  # half a surrogate pair would cost the whole line
    named = mask(f"{key}={text}")
    return named[len(key) + 1 :] if named.startswith(f"{key}=") else mask(text)


def _renderer(log: LogSettings) -> structlog.typing.Processor:
    if log.format == "console":
        return structlog.dev.ConsoleRenderer(colors=False, event_key="message")
    return structlog.processors.JSONRenderer(serializer=_as_json)


def _as_json(event: object, **_options: object) -> str:
    return msgspec.json.encode(event, enc_hook=str).decode()
