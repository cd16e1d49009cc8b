"""PromQL of others and of ours: values put into templates, and the parts of an alert's expression.

Grammar: Prometheus' documentation, "Querying basics" (string literals) and "Operators".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from chatops_bot.domain.entities import Entity

INSIDE: Final = ("namespace", "workload", "service", "pods", "cluster")
"""Placeholders of a template that stand inside a double-quoted string."""

OUTSIDE: Final = ("place", "where", "window")
"""Those that stand outside of one: `$place` is `namespace="…"` (and the cluster's label, where one is set), `$where` is
`$place, pod=~"…"`, and `$window` a duration such as `300s`."""

LONGEST: Final = 4_000
"""Characters of an expression that is looked at: rules are written by people."""

_HASH: Final = "[bcdfghjklmnpqrstvwxz2456789]"
"""What Kubernetes makes names from (apimachinery, `util/rand`), so that `web-api-x7k2p` is no pod of `web`."""

_PLACEHOLDER = re.compile(r"\$([A-Za-z_]+)")
_SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$]")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_COMPARISON = re.compile(r"==|!=|<=|>=|<|>")


class Compared(NamedTuple):
    """`EXPRESSION > NUMBER` in its parts."""

    expression: str
    comparison: str
    number: float


def problem_of(template: str) -> str:
    """What is wrong with a template, "" where nothing is: a placeholder that is unknown or stands where what is put
    for it would be read as PromQL."""
    if not template.strip():
        return "is empty"
    if len(template) > LONGEST:
        return f"is longer than {LONGEST} characters"
    for text, quote in _parts(template):
        for found in _PLACEHOLDER.finditer(text):
            name = found.group(1)
            if name in INSIDE and quote != '"':
                return f'has ${name} outside of a string; write it in double quotes, as "${name}"'
            if name in OUTSIDE and quote:
                return f"has ${name} inside a string, where it is not filled in"
            if name not in INSIDE + OUTSIDE and not quote:
                return f"has ${name}, which is no placeholder; known are ${', $'.join(INSIDE + OUTSIDE)}"
    return ""


def fill(template: str, entity: Entity, *, window_s: int, cluster_label: str = "") -> str:
    """The query of a template for one workload. Whatever the names hold, they stay inside their strings and mean only
    themselves there, also where the string is a regular expression: a template that `problem_of` takes has them
    nowhere else."""
    pods = pods_of(entity)
    place = (
        f"{f'{cluster_label}={quoted(entity.cluster)}, ' if cluster_label else ''}namespace={quoted(entity.namespace)}"
    )
    outside = {
        "place": place,
        "where": f"{place}, pod=~{quoted(pods)}",
        "window": f"{window_s}s",
    }
    plain = {
        "namespace": entity.namespace,
        "workload": entity.workload,
        "service": entity.name,
        "cluster": entity.cluster,
    }
    exact = {name: quoted(value)[1:-1] for name, value in plain.items()} | {"pods": quoted(pods)[1:-1]}
    alike = {name: quoted(pattern(value))[1:-1] for name, value in plain.items()} | {"pods": exact["pods"]}
    filled, before = "", ""
    for text, quote in _parts(template):
        values = outside if not quote else alike if before.rstrip().endswith(("=~", "!~")) else exact
        filled += _PLACEHOLDER.sub(lambda found, known=values: known.get(found.group(1), found.group(0)), text)  # type: ignore[misc]
        before = text
    return filled


def quoted(value: str) -> str:
    """A string literal that holds exactly `value`."""
    kept = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{kept}"'


def pattern(value: str) -> str:
    """A regular expression (RE2) that matches exactly `value`."""
    return _SPECIAL.sub(lambda found: "\\" + found.group(0), value)


def pods_of(entity: Entity) -> str:
    """A regular expression for the names of a workload's pods, as its controller makes them."""
    name = pattern(entity.workload)
    if entity.kind in ("Deployment", "Rollout"):
        return f"{name}-{_HASH}{{1,10}}-{_HASH}{{5}}"
    if entity.kind == "StatefulSet":
        return f"{name}-[0-9]+"
    if entity.kind in ("DaemonSet", "Job"):
        return f"{name}-{_HASH}{{5}}"
    return f"{name}-.+" if entity.kind == "CronJob" else name


def expression_of(url: str) -> str:
    """The expression that an alert's `generatorURL` carries (`…/graph?g0.expr=…`), "" where it has none."""
    if len(url) > 2 * LONGEST:
        return ""
    try:
        found = parse_qs(urlsplit(url).query, max_num_fields=50).get("g0.expr", [])
    except ValueError:
        return ""
    expression = found[0].strip() if found else ""
    return expression if len(expression) <= LONGEST else ""


def compared(expression: str) -> Compared | None:
    """The parts of a comparison with a number, where that is all of the expression; None for any other. One inside
    brackets, or beside `and`, `or` and `unless`, is part of what is measured."""
    top = _top(expression)
    # Prometheus writes expressions into addresses without their comments; with one, quotes would mean nothing.
    if "#" in top or re.search(r"\b(?:and|or|unless|bool)\b", top, re.IGNORECASE):
        return None
    found = list(_COMPARISON.finditer(top))
    if len(found) != 1:
        return None
    left, right = expression[: found[0].start()].strip(), expression[found[0].end() :].strip()
    if not left or not _NUMBER.fullmatch(right):
        return None
    return Compared(left, found[0].group(0), float(right))


def _top(expression: str) -> str:
    """The expression with everything inside strings and brackets blanked, in its own length."""
    kept: list[str] = []
    depth = 0
    for text, quote in _parts(expression):
        for character in text:
            if not quote and character in ")]}":
                depth -= 1
            kept.append(" " if quote or depth > 0 else character)
            if not quote and character in "([{":
                depth += 1
    return "".join(kept)


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """The text in pieces, each with the quote that it stands in ("" outside); the quotes are in the strings."""
    held, quote, escaped = "", "", False
    for character in text:
        if not quote and character in "\"'`":
            yield held, ""
            held, quote = character, character
            continue
        held += character
        if not quote:
            continue
        if escaped:
            escaped = False
        elif character == "\\" and quote != "`":
            escaped = True
        elif character == quote:
            yield held, quote
            held, quote = "", ""
    yield held, quote
