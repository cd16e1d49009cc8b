"""What the scheduler says of a pod that it cannot place, cut to what matters.

Its message is `0/5 nodes are available: 3 Insufficient cpu, 2 node(s) had untolerated taint {gpu: true}.
preemption: …`; the wording changes between releases, so an unknown text is kept as it is.
"""

from __future__ import annotations

import re

from chatops_bot.domain.objects import shortened

_MESSAGE = re.compile(r"^(\d+)/(\d+) nodes are available: (.*?)\.?(?:\s*(?:preemption|no new claims):.*)?$", re.DOTALL)


def unschedulable_reasons(message: str) -> str:
    """`0/5 nodes: 3 Insufficient cpu, 2 had untolerated taint {gpu: true}`, or the message itself, shortened."""
    match = _MESSAGE.match(message.strip())
    if match is None:
        return shortened(message) or "?"
    reasons = match[3].replace("node(s) ", "").strip(" .")
    return shortened(f"{match[1]}/{match[2]} nodes: {reasons}")
