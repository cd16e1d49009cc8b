"""The line of a log that says why a container ended."""

from __future__ import annotations

import re

from chatops_bot.domain.diagnosis.examining import Scene
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import clause

_TELLING = re.compile(
    r"\b(?:panic|fatal|exception|error|cannot|could not|failed|refused|denied)|异常|错误|失败", re.IGNORECASE
)
_LOOKED_AT = 15
"""Lines from the end: what stands further up is of an earlier trouble."""


def last_words(scene: Scene, pod: str, container: str) -> str:
    """The last line that speaks of a failure, else the last one; "" where no log was read."""
    log = next((one for one in scene.observed.around.logs if one.pod == pod and one.container == container), None)
    rows = [row for row in log.text.splitlines() if row.strip()][-_LOOKED_AT:] if log is not None else []
    telling = [row for row in rows if _TELLING.search(row)]
    said = (telling or rows or [""])[-1]
    return clause(mask(said), 160) if said else ""
