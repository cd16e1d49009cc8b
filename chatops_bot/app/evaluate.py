"""How well utterances are understood: the logic of `chatops-bot eval`.

A file holds one JSON object a line: `lang` (zh, en), `label`, `text`, and where there is one the bot's `prompt`
that it answers. Every row is judged in the state `confirming`, with the plan that its prompt shows. A row counts
as confirmed only when both keys turn: the route is `confirm` and the strict guard agrees.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import typer

from chatops_bot.adapters.rules import RulesInterpreter
from chatops_bot.domain import names
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.intents import Interpretation, PendingPlan, Route, SlotValue, State, Utterance
from chatops_bot.domain.normalise import clean
from chatops_bot.domain.places import environment_in

ROUTES_OF_LABEL: Final[dict[str, frozenset[Route]]] = {
    "confirm": frozenset({Route.CONFIRM}),
    "modify": frozenset({Route.MODIFY}),
    "cancel": frozenset({Route.CANCEL}),
    "question": frozenset({Route.ASK}),
    "hold": frozenset({Route.UNCLEAR}),
    "exit": frozenset({Route.CANCEL, Route.HAND_OFF}),
    "switch": frozenset({Route.SWITCH}),
    "not_confirm": frozenset(Route) - {Route.CONFIRM},
}
"""Which routes understand a label rightly."""

NOT_JUDGED: Final = frozenset({"either", "confirm+question"})
"""Labels under which both confirming and not confirming can be right."""

_LABEL_OF_ROUTE: Final = {
    Route.MODIFY: "modify",
    Route.CANCEL: "cancel",
    Route.ASK: "question",
    Route.UNCLEAR: "hold",
    Route.HAND_OFF: "exit",
    Route.SWITCH: "switch",
}
_ACTIONS: Final = (
    ("rollback", re.compile(r"roll(?:ing)? ?back|revert|回滚|回退", re.IGNORECASE)),
    ("restart", re.compile(r"restart|reboot|重启", re.IGNORECASE)),
    ("drain", re.compile(r"\bdrain|排空", re.IGNORECASE)),
    ("scale", re.compile(r"\bscal(?:e|ing)|\breplicas?\b|副本|扩容|缩容", re.IGNORECASE)),
)
_FROM_TO: Final = re.compile(
    r"(?:from|从|由)\s*(\d+)\D{0,16}?(?:to|->|→|到|为|至|成)\s*(\d+)|(\d+)\s*(?:->|→|=>)\s*(\d+)", re.IGNORECASE
)
_TO: Final = re.compile(r"(?:\bto|到|为|至|成)\s*(\d+)\s*(?:个|replicas?|副本|instances?)?", re.IGNORECASE)
_NAMED: Final = re.compile(
    r"(?:deployment|statefulset|daemonset|service|服务|应用|部署)[\s/:]*[\"'`]?(?P<a>[a-z][a-z0-9]*(?:[-.][a-z0-9]+)*)"
    r"|(?P<b>[a-z][a-z0-9]*(?:-[a-z0-9]+)+)",
    re.IGNORECASE | re.ASCII,
)
_VERB_OBJECT: Final = re.compile(
    r"(?:scale|restart|roll back|rollback|重启|回滚|扩容|缩容|将|把)\s*[\"'`]?(?P<a>[a-z][\w.-]*)",
    re.IGNORECASE | re.ASCII,
)
_ENVIRONMENT: Final = re.compile(r"[A-Za-z][A-Za-z-]*|生产|线上|预发布?|测试|开发|灰度")
_CHINESE_ENVIRONMENTS: Final = {"生产": "prod", "线上": "prod", "预发": "staging", "预发布": "staging", "测试": "test"}


class EvaluationError(Exception):
    """A file that cannot be evaluated; the message says where and what to do."""


class Row(msgspec.Struct, frozen=True):
    """One labelled utterance."""

    text: str
    label: str
    lang: str = "en"
    prompt: str = ""


class _Judged(NamedTuple):
    line: int
    row: Row
    meaning: Interpretation

    @property
    def confirmed(self) -> bool:
        return self.meaning.route is Route.CONFIRM and self.meaning.affirmative

    @property
    def right(self) -> bool:
        if self.row.label == "confirm":
            return self.confirmed
        return not self.confirmed and self.meaning.route in ROUTES_OF_LABEL[self.row.label] | (
            {Route.CONFIRM} if self.row.label == "not_confirm" else set()
        )

    def predicted(self, labels: set[str]) -> str:
        """The label that was understood, in the words of the file."""
        if self.right:
            return self.row.label
        if self.confirmed:
            return "confirm"
        label = _LABEL_OF_ROUTE.get(self.meaning.route, "hold")
        return label if label in labels or "not_confirm" not in labels else "not_confirm"


def evaluate(paths: Iterable[Path], misses: bool = False) -> list[dict[str, Any]]:
    """Figures per file: `file`, `n` (rows judged), `false_confirmations` (count), `confirmations_recognised`,
    `accuracy` and `macro_f1` (0 to 1, or None where there is nothing to count), `by_lang` with the same figures per
    language, and `misses` when asked for. Raises `EvaluationError` for what cannot be read.
    """
    interpreter = RulesInterpreter()
    return [_evaluate_file(Path(path), interpreter, misses=misses) for path in paths]


def main(files: list[Path], *, as_json: bool, misses: bool) -> int:
    """Print the figures. 0 when no row was confirmed falsely, 1 when one was, 2 when a file cannot be used."""
    try:
        figures = evaluate(files or [OWN_ROWS], misses)
    except EvaluationError as error:
        typer.echo(str(error), err=True)
        return 2
    for figure in figures:
        typer.echo(msgspec.json.encode(figure).decode() if as_json else _shown(figure))
    return 1 if any(figure["false_confirmations"] for figure in figures) else 0


OWN_ROWS: Final = Path(__file__).with_name("utterances.jsonl")
"""The project's own rows, evaluated when no file is named."""


def read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """The rows of a file with their line numbers. Raises `EvaluationError` naming file and line."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise EvaluationError(f"{path}: is not UTF-8 text") from error
    except OSError as error:
        raise EvaluationError(f"{path}: cannot be read ({error.strerror or error})") from error
    if not text.strip():  # a measurement of nothing would pass
        raise EvaluationError(f"{path}: holds no rows")
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, _row(line, f"{path}:{number}")


def _row(line: str, where: str) -> Row:
    try:
        row = msgspec.json.decode(line, type=Row)
    except msgspec.MsgspecError as error:
        raise EvaluationError(
            f"{where}: {error}; every line must be a JSON object with text, label and, where known, lang and prompt"
        ) from error
    if row.label not in ROUTES_OF_LABEL and row.label not in NOT_JUDGED:
        known = ", ".join(sorted({*ROUTES_OF_LABEL, *NOT_JUDGED}))
        raise EvaluationError(f"{where}: unknown label {row.label!r}; known are {known}")
    return row


def plan_of(prompt: str) -> PendingPlan:
    """The plan that a prompt shows, as far as it can be read out of it in either language."""
    text = clean(prompt)
    action = next((action for action, pattern in _ACTIONS if pattern.search(text)), "")
    named = _NAMED.search(text) or _VERB_OBJECT.search(text) if action else None
    name = next((said for said in named.groupdict().values() if said), "") if named else ""
    parameters: dict[str, SlotValue] = {}
    before: dict[str, SlotValue] = {}
    if action == "scale":
        span = _FROM_TO.search(text)
        if span is not None:
            numbers = [int(value) for value in span.groups() if value]
            before["replicas"], parameters["replicas"] = numbers
        elif (to := _TO.search(text)) is not None:
            parameters["replicas"] = int(to.group(1))
    entity = Entity(
        cluster="prod",
        namespace="default",
        kind="Deployment",
        workload=name or "service",
        name=name or "service",
        environment=_environment(text) if action else "",
    )
    return PendingPlan(action=action or "scale", entity=entity, parameters=parameters, before=before)


def _environment(text: str) -> str:
    for found in _ENVIRONMENT.finditer(text):
        word = found.group()
        environment = _CHINESE_ENVIRONMENTS.get(word) or (environment_in(word) if "-" not in word else None)
        if environment is not None:
            return environment
    return ""


def _evaluate_file(path: Path, interpreter: RulesInterpreter, *, misses: bool) -> dict[str, Any]:
    plans: dict[str, tuple[PendingPlan, Catalog]] = {}
    judged = []
    for line, row in read_rows(path):
        if row.label in NOT_JUDGED:
            continue
        if row.prompt not in plans:
            plan = plan_of(row.prompt)
            plans[row.prompt] = (plan, Catalog([Service(entity=plan.entity)]))
        judged.append(_Judged(line, row, _understood(row, *plans[row.prompt], interpreter)))
    by_lang = defaultdict(list)
    for one in judged:
        by_lang[one.row.lang].append(one)
    figures: dict[str, Any] = {"file": str(path), **_figures(judged)}
    figures["by_lang"] = {lang: _figures(rows) for lang, rows in sorted(by_lang.items())}
    if misses:
        figures["misses"] = [_miss(one) for one in judged if not one.right]
    return figures


def _understood(row: Row, plan: PendingPlan, catalog: Catalog, interpreter: RulesInterpreter) -> Interpretation:
    text = clean(row.text)
    found = names.find(text, catalog)
    return interpreter.interpret(
        Utterance(
            text=text,
            state=State.CONFIRMING,
            names=found.names,
            dismissed=found.dismissed,
            lock=plan.entity,
            plans=(plan,),
        )
    )


def _figures(judged: list[_Judged]) -> dict[str, Any]:
    confirms = [one for one in judged if one.row.label == "confirm"]
    return {
        "n": len(judged),
        "false_confirmations": sum(one.confirmed for one in judged if one.row.label != "confirm"),
        "confirmations_recognised": _share(sum(one.confirmed for one in confirms), len(confirms)),
        "accuracy": _share(sum(one.right for one in judged), len(judged)),
        "macro_f1": _macro_f1(judged),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _macro_f1(judged: list[_Judged]) -> float | None:
    """The mean of the labels' F1, over the labels that the file has."""
    labels = {one.row.label for one in judged}
    if not labels:
        return None
    pairs = [(one.row.label, one.predicted(labels)) for one in judged]
    scores = []
    for label in labels:
        hits = sum(wanted == got == label for wanted, got in pairs)
        said = sum(got == label for _, got in pairs)
        there = sum(wanted == label for wanted, _ in pairs)
        scores.append(2 * hits / (said + there))
    return round(sum(scores) / len(scores), 4)


def _miss(one: _Judged) -> dict[str, Any]:
    return {
        "line": one.line,
        "lang": one.row.lang,
        "label": one.row.label,
        "route": one.meaning.route.value,
        "confirmed": one.confirmed,
        "text": one.row.text,
    }


def _shown(figure: dict[str, Any]) -> str:
    lines = [f"{figure['file']}: {_sentence(figure)}"]
    if len(figure["by_lang"]) > 1:
        lines += [f"  {lang}: {_sentence(figures)}" for lang, figures in figure["by_lang"].items()]
    for miss in figure.get("misses", ()):
        confirmed = " FALSELY CONFIRMED" if miss["confirmed"] else ""
        lines.append(f"  line {miss['line']}: {miss['label']} taken for {miss['route']}{confirmed}: {miss['text']}")
    return "\n".join(lines)


def _sentence(figures: dict[str, Any]) -> str:
    def percent(value: float | None) -> str:
        return "none to count" if value is None else f"{value:.1%}"

    return (
        f"{figures['n']} rows, {figures['false_confirmations']} false confirmations, "
        f"confirmations recognised {percent(figures['confirmations_recognised'])}, "
        f"accuracy {percent(figures['accuracy'])}, macro F1 {percent(figures['macro_f1'])}"
    )
