"""Evidence: what a verdict rests on, quoted from the objects."""

from __future__ import annotations

from chatops_bot.domain.diagnosis.findings import Evidence
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import at, shortened
from chatops_bot.domain.observed import Raw

_MOST = 160


def proof(about: str, path: str, value: object) -> Evidence:
    """`about` as `kind/name`. The value is masked and cut to one line; `true` and `false` as manifests write them."""
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return Evidence(object=about, path=path, value=shortened(mask(shown), _MOST))


def quoted(about: str, raw: Raw, *path: str) -> Evidence:
    """What stands at the path of an object; what is absent there is `-`."""
    value = at(raw, *path)
    return proof(about, ".".join(path), "-" if value is None else value)


def of_condition(about: str, found: Raw) -> Evidence:
    """A status condition, as `True/Reason: message`."""
    said = f"{found.get('status', '-')}/{found.get('reason', '-')}"
    message = found.get("message")
    return proof(about, f"status.conditions[{found.get('type', '-')}]", f"{said}: {message}" if message else said)
