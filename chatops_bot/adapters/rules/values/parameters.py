"""Which parameters each intent can carry, and all that one utterance says of them."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.tables import looking, past, surveying
from chatops_bot.adapters.rules.text.reading import NAME
from chatops_bot.adapters.rules.values import lengths, slots
from chatops_bot.adapters.rules.values.destinations import back_to
from chatops_bot.adapters.rules.values.origins import without_origins
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.name_words import of_words


def _since(masked: str, text: str) -> SlotValue | None:
    """How far back; where a span is named ("last week"), that says it."""
    return lengths.since(masked, text) if past.when(masked, text) is None else None


def _back(masked: str, text: str) -> SlotValue | None:
    """How far back; a span that is named ("yesterday") as far as it takes to hold it."""
    said = lengths.since(masked, text)
    return said if said is not None else past.reach(masked, text)


_SAID_BESIDE: Final = re.compile(
    r"\b(?:ffs|lol|mate|bro|dude|pal|man|immediately|quick(?:ly)?|(?:i )?beg you|for (?:god|fuck|heaven)'?s sake|"
    r"already|i guess|ok(?:ay)?)\b"
)
"""Behind what it goes back to it says nothing of that."""
_THE_ONE_BEFORE: Final = re.compile(
    r"(?:(?:the|its|a|one|version|revision|release|image|build) ?)*(?:right |just )?before (?:the |this |that |it|its |"
    r"our )*"
    r"(?:current|present|new|running)? ?(?:one|version|revision|release|image|build|deploy\w*)?\W*"
)


def _revision(masked: str, text: str) -> SlotValue | None:
    """Where it goes back to; the one before what runs now is the previous one, which is said by nothing."""
    said = back_to(_SAID_BESIDE.sub(lambda found: " " * len(found.group()), masked), text)
    return None if isinstance(said, str) and _THE_ONE_BEFORE.fullmatch(said) else said


PLACES: Final[dict[str, slots.Extractor]] = {
    "environment": slots.environment,
    "namespace": slots.namespace,
    "cluster": slots.cluster,
}
LOG_SLOTS: Final[dict[str, slots.Extractor]] = {
    "since": _back,
    "tail": slots.tail,
    "previous": slots.previous,
    "grep": slots.grep,
    "container": slots.container,
    "pod": slots.pod,
    "errors": looking.errors,
    "everyone": looking.everyone,
}
OF_INTENT: Final[dict[str, dict[str, slots.Extractor]]] = {
    "scale": {"replicas": slots.replicas},
    "restart": {},
    "rollback": {"revision": _revision},
    "pause": {},
    "resume": {},
    "set_image": {"image": slots.image, "container": slots.container},
    "set_autoscaler": {"min": slots.minimum, "max": slots.maximum},
    "abort": {},
    "delete_pod": {"pod": slots.pod},
    "cordon": {"node": slots.node},
    "uncordon": {"node": slots.node},
    "drain": {"node": slots.node, "force": slots.force, "local_data": slots.local_data},
    "logs": LOG_SLOTS,
    "events": {"since": _back, "pod": slots.pod},
    "history": {"revision": slots.revision},
    "changes": {"since": _since, "when": past.when, "part": past.part, "about": past.about},
    "resources": {"since": _back, "container": slots.container, "pod": slots.pod},
    "status": {"part": looking.part, "pod": slots.pod},
    "overview": {"about": surveying.about},
    "incident": {"since": lengths.since},
}
"""Which parameters each intent can carry, and how they are found."""


_OF_A_PLACE: Final = frozenset({"overview", "events", "changes"})
"""What can be asked of a namespace that only "in" tells."""
_NO_PLACES: Final = of_words(
    "events logs history detail details order place past last recent k8s kubernetes kube total depth"
)


def slots_of(intent: str, masked: str, text: str) -> dict[str, SlotValue]:
    """All parameters that a request of this intent says, with the places that it says."""
    found: dict[str, SlotValue] = {}
    masked = without_origins(masked)
    for slot, extract in {**OF_INTENT.get(intent, {}), **PLACES}.items():
        value = extract(masked, text)
        if value is not None:
            found[slot] = value
    if intent in _OF_A_PLACE and "namespace" not in found and "cluster" not in found and NAME not in masked:
        said = slots.scope(masked, text)
        if said is not None and (intent == "overview" or said not in _NO_PLACES):
            found["namespace"] = said
    return found
