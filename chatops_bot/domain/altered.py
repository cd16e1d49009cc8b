"""What a cluster made of a patch, against what the patch said."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.observed import Raw


def altered_by_cluster(patch: Raw, made: Raw) -> str:
    """What the object has otherwise than the patch set it, "" where nothing: a mutating admission policy or webhook
    had its own way. Lists are merged: their items are compared where they have names, and left out else."""
    return ", ".join(_altered(patch, made, ()))


def _altered(patch: Raw, made: Raw, path: tuple[str, ...]) -> Iterator[str]:
    for key, wanted in patch.items():
        there = made.get(key)
        if isinstance(wanted, dict):
            yield from _altered(wanted, there if isinstance(there, dict) else {}, (*path, key))
        elif isinstance(wanted, list):
            yield from _altered(_by_name(wanted), _by_name(there), (*path, key))
        elif not key.startswith("$") and (there or None) != (wanted or None):  # zeros may be left out
            yield f"{'.'.join((*path, key))}: {there}"


def _by_name(items: object) -> Raw:
    """The items of a list by their names; nothing where one has none, or two have the same."""
    rows = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    named = {row["name"]: row for row in rows if isinstance(row.get("name"), str)}
    return named if len(named) == len(rows) else {}
