"""How buttons call entities apart."""

from __future__ import annotations

from chatops_bot.domain.entities import Entity


def labels(candidates: tuple[Entity, ...]) -> dict[str, Entity]:
    """Shortest unambiguous label of each candidate, as its button names it: the name, else with its
    namespace, environment or cluster in front."""
    for form in _FORMS:
        labelled = {form(entity): entity for entity in candidates}
        if len(labelled) == len(candidates):
            return labelled
    return {entity.key: entity for entity in candidates}


_FORMS = (
    lambda entity: entity.name,
    lambda entity: f"{entity.namespace}/{entity.name}",
    lambda entity: f"{entity.cluster}/{entity.name}",
    lambda entity: f"{entity.cluster}/{entity.namespace}/{entity.name}",
)
