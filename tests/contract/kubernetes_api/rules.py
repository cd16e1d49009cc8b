"""Rules of RBAC for the sandbox, whose own access policy knows only what is denied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chatops_bot.adapters.sandbox import Access

Json = dict[str, Any]


class Rules:
    """What users may do in namespaces; everybody may ask what they may do, as on a real server."""

    def __init__(self) -> None:
        self._granted: dict[tuple[str, str], list[Json]] = {}

    def add(self, user: str, namespace: str, rules: Sequence[Json]) -> None:
        self._granted.setdefault((user, namespace), []).extend(rules)

    def allow(self, access: Access) -> bool:
        return any(
            access.verb in rule["verbs"]
            and access.resource in rule["resources"]
            and access.group in rule["apiGroups"]
            and access.name in rule.get("resourceNames", [access.name])
            for rule in self._of(access)
        )

    def _of(self, access: Access) -> Iterator[Json]:
        yield from self._granted.get((access.user.name, access.namespace), ())
