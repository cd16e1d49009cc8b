"""Whether what a turn printed is what its transcript expects: subsets, `contains` and `absent`."""

from __future__ import annotations

from typing import Any


def mismatches(expected: Any, actual: Any, where: str = "") -> list[str]:
    """Every place where `actual` is not what is expected; empty when it matches.

    Mappings match by key; lists by length and order, each item as a subset; `{contains: T}` and
    `{absent: T}` look at text (of a list: its items joined), ignoring case.
    """
    if isinstance(expected, dict) and expected and set(expected) <= {"contains", "absent"}:
        return _text(expected, actual, where)
    if isinstance(expected, dict):
        return _mapping(expected, actual, where)
    if isinstance(expected, list):
        return _list(expected, actual, where)
    same = expected == actual and isinstance(expected, bool) == isinstance(actual, bool)
    return [] if same else [f"{where or 'value'}: expected {expected!r}, got {actual!r}"]


def _text(expected: dict[str, Any], actual: Any, where: str) -> list[str]:
    text = "\n".join(_flat(item) for item in actual) if isinstance(actual, list) else _flat(actual)
    folded = text.casefold()
    wanted, unwanted = _each(expected.get("contains")), _each(expected.get("absent"))
    problems = [f"{where}: does not contain {w!r}: {text!r}" for w in wanted if w.casefold() not in folded]
    return problems + [f"{where}: contains {u!r}: {text!r}" for u in unwanted if u.casefold() in folded]


def _each(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _flat(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else str(value)


def _mapping(expected: dict[str, Any], actual: Any, where: str) -> list[str]:
    if not isinstance(actual, dict):
        return [f"{where or 'value'}: expected {expected!r}, got {actual!r}"]
    problems = []
    for key, value in expected.items():
        place = f"{where}.{key}" if where else str(key)
        if key not in actual:
            problems.append(f"{place}: expected {value!r}, but it is not there")
        else:
            problems += mismatches(value, actual[key], place)
    return problems


def _list(expected: list[Any], actual: Any, where: str) -> list[str]:
    if not isinstance(actual, list) or len(actual) != len(expected):
        return [f"{where or 'value'}: expected {expected!r}, got {actual!r}"]
    return [
        problem
        for number, (wanted, got) in enumerate(zip(expected, actual, strict=True))
        for problem in mismatches(wanted, got, f"{where}[{number}]")
    ]
