"""How well utterances are understood: the logic of `chatops-bot eval`.

A file holds one JSON object a line: `lang` (zh, en), `label`, `text`, and where there is one the bot's `prompt`
that it answers. Every row is judged in the state `confirming`, with the plan that its prompt shows. A row counts
as confirmed only when both keys turn: the route is `confirm` and the strict guard agrees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import typer

from chatops_bot.adapters.rules import RulesInterpreter
from chatops_bot.app.evaluation.prompts import plan_of
from chatops_bot.app.yaml_file import YamlError, read_yaml
from chatops_bot.domain import names
from chatops_bot.domain.catalog import Catalog, CatalogError, Nodes, index_nodes, parse
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.intents import Interpretation, PendingPlan, Route, State, Utterance
from chatops_bot.domain.normalise import clean
from chatops_bot.domain.places import environment_of_entity

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


class EvaluationError(Exception):
    """A file that cannot be evaluated; the message says where and what to do."""


class Row(msgspec.Struct, frozen=True):
    """One labelled utterance."""

    text: str
    label: str
    lang: str = "en"
    prompt: str = ""
    slots: dict[str, str | int] = {}


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


OWN_ROWS: Final = Path(__file__).with_name("evaluation") / "utterances.jsonl"
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


def _evaluate_file(path: Path, interpreter: RulesInterpreter, *, misses: bool) -> dict[str, Any]:
    plans: dict[str, tuple[PendingPlan, Catalog]] = {}
    judged = []
    services = services_beside(path)
    rows = [(line, row) for line, row in read_rows(path) if row.label not in NOT_JUDGED]
    named = {str(row.slots["node"]) for _, row in rows if "node" in row.slots}
    prompted = [plan_of(prompt).entity for prompt in {row.prompt for _, row in rows}]
    nodes = index_nodes([_node(name) for name in sorted(named | {e.name for e in prompted if e.kind == "Node"})])
    for line, row in rows:
        if row.prompt not in plans:
            plans[row.prompt] = _among(services, plan_of(row.prompt))
        judged.append(_Judged(line, row, _understood(row, *plans[row.prompt], nodes, interpreter)))
    by_lang = defaultdict(list)
    for one in judged:
        by_lang[one.row.lang].append(one)
    figures: dict[str, Any] = {"file": str(path), **_figures(judged)}
    figures["by_lang"] = {lang: _figures(rows) for lang, rows in sorted(by_lang.items())}
    if misses:
        figures["misses"] = [_miss(one) for one in judged if not one.right]
    return figures


def services_beside(path: Path) -> list[Service]:
    """The services that the rows of a file may name: those of `services.yaml` in its folder or the one above, none
    where there is no such file. Raises `EvaluationError` for one that cannot be used."""
    where = next((f for f in (path.with_name(BESIDE), path.parent.parent / BESIDE) if f.is_file()), None)
    if where is None:
        return []
    try:
        raw = read_yaml(where)
        return parse(raw.get("services") if isinstance(raw, dict) else None, default_cluster="prod")
    except YamlError as error:
        raise EvaluationError(str(error)) from error
    except CatalogError as error:
        raise EvaluationError("\n".join(f"{where}: {problem}" for problem in error.problems)) from error


BESIDE: Final = "services.yaml"
"""The catalog beside labelled rows, as in the head of a transcript."""


def _among(services: list[Service], plan: PendingPlan) -> tuple[PendingPlan, Catalog]:
    """The plan for its service as the catalog has it, and the catalog with it."""
    if plan.entity.kind == "Node":
        return plan, Catalog(services)
    of_name = [s.entity for s in services if s.entity.name == plan.entity.name]
    known = next((e for e in of_name if environment_of_entity(e) == environment_of_entity(plan.entity)), None)
    if known is None:
        return plan, Catalog([*services, Service(entity=plan.entity)])
    return msgspec.structs.replace(plan, entity=known), Catalog(services)


def _node(name: str) -> Entity:
    return Entity(cluster="prod", namespace="", kind="Node", workload=name, name=name)


def _understood(
    row: Row, plan: PendingPlan, catalog: Catalog, nodes: Nodes, interpreter: RulesInterpreter
) -> Interpretation:
    text = clean(row.text)
    found = names.find(text, catalog, nodes)
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
