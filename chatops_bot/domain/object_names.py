"""Pods, Jobs and CronJobs named in a text: by a kind word beside a name, or by the shape of a pod's name.

Services are found elsewhere and win: this is asked only where a text names none.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.name_words import NO_NAMES

_KINDS: Final[dict[str, EntityKind]] = {
    **dict.fromkeys(("pod", "pods", "po", "容器组"), "Pod"),
    **dict.fromkeys(("job", "jobs", "任务", "作业"), "Job"),
    **dict.fromkeys(("cronjob", "cronjobs", "cj", "cron job", "cron", "定时任务", "计划任务"), "CronJob"),
}
_WORD: Final = r"(?P<{0}>cron ?jobs?|cron|cj|jobs?|pods?|po|定时任务|计划任务|任务|作业|容器组)"
_ONE: Final = r"(?P<{0}>cron ?job|cron|cj|job|pod|po|定时任务|计划任务|任务|作业|容器组)(?![a-z])"
"""Of several, the name is that of what has them ("the pods of web")."""
_NAME: Final = r"(?P<{0}>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)"
_SPLIT: Final = r"(?P<{0}>(?=[a-z0-9.-]*(?:-|[a-z]\d))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)"
"""A name that cannot be a word of the language: with a hyphen in it, or with digits at its end."""
_EDGE: Final = r"(?![a-z0-9./-])"
_BEGIN: Final = r"(?<![a-z0-9./_-])"
_SLASHED: Final = re.compile(
    rf"{_BEGIN}(?:(?P<space>[a-z0-9-]+)/)?{_WORD.format('k')}/{_NAME.format('n')}{_EDGE}", re.ASCII
)
_BEFORE: Final = re.compile(
    rf"{_BEGIN}{_ONE.format('k')}\s*(?:named |called |[:：])?\s*(?:[\"'`](?P<q>[a-z0-9][a-z0-9.-]*)[\"'`]|"
    rf"{_SPLIT.format('n')}{_EDGE})",
    re.ASCII,
)
_PLAIN: Final = re.compile(
    rf"(?:^|\b(?:of|for|is|the|show|check|查|看)\s*){_ONE.format('k')}\s+(?P<n>[a-z]{{3,}})"
    r"(?=\s*(?:[?.!,，。？！]|$|(?:in|from|的|状态|日志|怎么|为什么)))",
    re.ASCII,
)
"""A plain word: the name of a job where no word of the language may stand there."""
_AFTER: Final = re.compile(
    rf"{_BEGIN}[\"'`]?{_SPLIT.format('n')}[\"'`]?\s*(?:这个|那个|的)?\s*{_ONE.format('k')}(?![a-z0-9_])", re.ASCII
)
_POD: Final = re.compile(
    rf"{_BEGIN}(?P<n>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?-[bcdfghjklmnpqrstvwxz2456789]{{6,10}}-"
    rf"[bcdfghjklmnpqrstvwxz2456789]{{5}}){_EDGE}",
    re.ASCII,
)
_SPACE: Final = re.compile(
    rf"\b(?:namespace|ns)[ :=/]+{_NAME.format('a')}{_EDGE}|(?:^|\s)-n\s+{_NAME.format('b')}{_EDGE}|"
    rf"{_BEGIN}{_NAME.format('c')}\s+namespace\b|命名空间\s*[:：]?\s*{_NAME.format('d')}|"
    rf"{_BEGIN}{_NAME.format('e')}\s*(?:这个|那个)?命名空间|\b(?:in|from)\s+{_NAME.format('f')}\s*[?.!]*$",
    re.ASCII,
)
_NO_NAME: Final = re.compile(r"(?:last|past|next|top)-.*|\d+-.*|x\d+|v\d.*|.*-(?:ready|running|failed|up|down)")


class ObjectName(msgspec.Struct, frozen=True):
    """What was named, and the namespace said beside it or ""."""

    kind: EntityKind
    name: str
    namespace: str = ""

    @property
    def key(self) -> str:
        """As routing knows it before anybody has looked where it is."""
        return key_of(self.kind, self.name)


def key_of(kind: EntityKind, name: str) -> str:
    """By kind and name alone. A CronJob is called a job as well."""
    return f"?/{kind.lower().removeprefix('cron')}/{name}"


def named_in(text: str) -> ObjectName | None:
    """The first object that a text names, None where it names none."""
    folded = text.casefold()
    for pattern in (_SLASHED, _BEFORE, _AFTER, _POD, _PLAIN):
        for found in pattern.finditer(folded):
            name = _group(found, "n", "q")
            if _NO_NAME.fullmatch(name) is None and name not in NO_NAMES:
                kind = _KINDS[_singular(_group(found, "k") or "pod")]
                space = _group(found, "space") or _namespace(folded, name)
                return ObjectName(kind=kind, name=name, namespace=space)
    return None


def _singular(word: str) -> str:
    return word if word in _KINDS else word.removesuffix("s")


def _namespace(text: str, name: str) -> str:
    found = _SPACE.search(text)
    said = next((group for group in found.groups() if group), "") if found else ""
    return "" if said == name else said


def _group(found: re.Match[str], *names: str) -> str:
    known = found.groupdict()
    return next((known[name] for name in names if known.get(name)), "") or ""
