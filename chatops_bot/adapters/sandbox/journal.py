"""What clients asked of the sandbox, in order: the evidence of what really reached the cluster."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

WRITING_VERBS = frozenset({"create", "update", "patch", "delete", "deletecollection"})
# They are POSTed and change nothing.
_QUESTIONS = frozenset({"selfsubjectaccessreviews", "subjectaccessreviews", "selfsubjectreviews"})


@dataclass(slots=True)
class RequestRecord:
    """One request. `code` is 0 until it has been answered, and stays 0 when its answer was never given.

    `user` is who authenticated, `acting_as` who was impersonated ("" for nobody), `body` the parsed JSON.
    `applied` says that it changed what is stored, whatever the client was told.
    """

    sequence: int
    time: float
    method: str
    path: str
    query: dict[str, list[str]]
    body: Any
    content_type: str
    user: str = ""
    acting_as: str = ""
    groups: tuple[str, ...] = ()
    user_agent: str = ""
    field_manager: str = ""
    dry_run: bool = False
    verb: str = ""
    group: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    code: int = 0
    applied: bool = False

    @property
    def is_write(self) -> bool:
        return self.verb in WRITING_VERBS and self.resource not in _QUESTIONS


@dataclass(slots=True)
class Journal:
    """`limit` keeps a sandbox that runs for days from growing; what is dropped is the oldest."""

    records: list[RequestRecord] = field(default_factory=list)
    limit: int = 20_000
    _next: int = 1

    def append(self, record: RequestRecord) -> None:
        record.sequence = self._next
        self._next += 1
        self.records.append(record)
        if len(self.records) > self.limit:
            del self.records[: self.limit // 10]

    def writes(self, after: int = 0) -> Iterator[RequestRecord]:
        """Writes by clients that took effect, later than sequence number `after`; dry runs and refusals are none."""
        return (record for record in self.records if record.applied and record.sequence > after)
