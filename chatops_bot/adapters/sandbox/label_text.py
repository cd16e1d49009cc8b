"""The `labelSelector` parameter: read token by token as the API server reads it, with its words for what it refuses.

https://pkg.go.dev/k8s.io/apimachinery/pkg/labels#Parse
"""

from __future__ import annotations

import re
from collections.abc import Callable

from chatops_bot.adapters.sandbox.errors import bad_request

Labels = dict[str, str]
Requirement = Callable[[Labels], bool]

_TOKENS = re.compile(r"\s*(==|!=|[=!(),<>]|[^\s=!(),<>]+)")
_SYMBOLS = {"=", "==", "!=", "!", "(", ")", ",", "<", ">", ""}
_OPERATORS = ("in", "notin", "=", "==", "!=", ">", "<")


def label_matcher(text: str) -> Requirement:
    """The test that the text describes; of no text, one that everything passes. Raises 400 when it cannot be read."""
    requirements = _Reader(text).requirements()
    return lambda labels: all(holds(labels) for holds in requirements)


class _Reader:
    """`next` is "" at the end of the text."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKENS.findall(text)

    @property
    def next(self) -> str:
        return self._tokens[0] if self._tokens else ""

    def take(self) -> str:
        return self._tokens.pop(0) if self._tokens else ""

    def requirements(self) -> list[Requirement]:
        found: list[Requirement] = []
        while self.next:
            if self.next in _SYMBOLS - {"!"}:
                raise bad_request(f"found '{self.next}', expected: !, identifier, or 'end of string'")
            try:
                found.append(self._requirement())
            except _UnreadableError as problem:
                raise bad_request(f"unable to parse requirement: {problem}") from problem
            after = self.take()
            if after not in {"", ","}:
                raise bad_request(f"found '{after}', expected: ',' or 'end of string'")
            if after and self.next in _SYMBOLS - {"!"}:
                raise bad_request(f"found '{self.next}', expected: identifier after ','")
        return found

    def _requirement(self) -> Requirement:
        absent = self.next == "!" and bool(self.take())
        key = self.take()
        if key in _SYMBOLS:
            raise _UnreadableError(f"found '{key}', expected: identifier")
        if absent:
            return lambda labels: key not in labels
        if self.next in {"", ","}:
            return lambda labels: key in labels
        operator = self.take()
        if operator not in _OPERATORS:
            raise _UnreadableError(f"found '{operator}', expected: {', '.join(_OPERATORS)}")
        if operator in {"in", "notin"}:
            values = self._values()
            return lambda labels: (labels.get(key) in values) == (operator == "in")
        value = self._value()
        if operator in {"<", ">"}:
            return lambda labels: _compares(labels.get(key), operator, value)
        return lambda labels: (labels.get(key) == value) == (operator != "!=")

    def _value(self) -> str:
        if self.next in {"", ","}:
            return ""
        value = self.take()
        if value in _SYMBOLS:
            raise _UnreadableError(f"found '{value}', expected: identifier")
        return value

    def _values(self) -> set[str]:
        opening = self.take()
        if opening != "(":
            raise _UnreadableError(f"found '{opening}' expected: '('")
        values: set[str] = set()
        while self.next != ")":
            if self.next == ",":
                values.add("")
            elif self.next in _SYMBOLS:
                raise _UnreadableError(f"found '{self.next}', expected: ',', ')' or identifier")
            else:
                values.add(self.take())
            if self.next not in {",", ")"}:
                raise _UnreadableError(f"found '{self.next}', expected: ',' or ')'")
            if self.next == ",":
                self.take()
        self.take()
        return values or {""}


class _UnreadableError(Exception):
    """A requirement that is none; the text says what was found in its place."""


def _compares(have: str | None, operator: str, bound: str) -> bool:
    try:
        one, other = int(have or ""), int(bound)
    except ValueError:
        return False
    return one > other if operator == ">" else one < other
