"""The form of what the doctor says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from chatops_bot.domain.masking import mask

Severity = Literal["ok", "warn", "bad"]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One finding. `bad`: something does not work or is not safe; `warn`: it should be known. `to_do` says what
    helps, "" where nothing has to be done."""

    severity: Severity
    what: str
    to_do: str = ""


def ok(what: str) -> Finding:
    """All is well."""
    return Finding("ok", what)


def warn(what: str, to_do: str) -> Finding:
    """It works, but should be known."""
    return Finding("warn", what, to_do)


def bad(what: str, to_do: str) -> Finding:
    """It does not work, or is not safe."""
    return Finding("bad", what, to_do)


def shown(findings: Iterable[Finding], *, as_json: bool) -> Iterator[str]:
    """Lines for a person, or one JSON object each. Secrets are masked, wherever they came from."""
    for finding in findings:
        safe = Finding(finding.severity, mask(finding.what), mask(finding.to_do))
        if as_json:
            yield msgspec.json.encode(safe).decode()
            continue
        yield f"{safe.severity:<4}  {safe.what}"
        if safe.to_do:
            yield f"      -> {safe.to_do}"
