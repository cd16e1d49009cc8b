"""Every action there is. What is offered, permitted and explained is derived from here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from chatops_bot.domain.actions.argo import Abort
from chatops_bot.domain.actions.base import Action, Stepwise
from chatops_bot.domain.actions.cordoning import Cordon, Uncordon
from chatops_bot.domain.actions.delete_pod import DeletePod
from chatops_bot.domain.actions.drain import Drain
from chatops_bot.domain.actions.pausing import Pause, Resume
from chatops_bot.domain.actions.restart import Restart
from chatops_bot.domain.actions.rollback import Rollback
from chatops_bot.domain.actions.scale import Scale
from chatops_bot.domain.actions.set_autoscaler import SetAutoscaler
from chatops_bot.domain.actions.set_image import SetImage
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.observed import Permission
from chatops_bot.domain.say import Say, say

_ALL: tuple[Action, ...] = (
    Scale(),
    Restart(),
    Rollback(),
    Pause(),
    Resume(),
    SetImage(),
    SetAutoscaler(),
    DeletePod(),
    Abort(),
    Cordon(),
    Uncordon(),
    Drain(),
)

ACTIONS: Mapping[str, Action] = MappingProxyType({action.name: action for action in _ALL})
"""By name, in the order in which help lists them."""

STEPWISE: Mapping[str, Stepwise] = MappingProxyType({a.name: a for a in _ALL if isinstance(a, Stepwise)})
"""Those whose plans may be of several writes."""


def help_says() -> tuple[Say, ...]:
    """One line an action, from the texts `help.NAME`."""
    return tuple(say(f"help.{name}") for name in ACTIONS)


def is_node_action(name: str) -> bool:
    """Whether it is done to nodes, and to nothing else."""
    action = ACTIONS.get(name)
    return action is not None and action.kinds == {"Node"}


def offered_for(kind: EntityKind) -> tuple[str, ...]:
    """Names of the actions that work on this kind of entity."""
    return tuple(name for name, action in ACTIONS.items() if kind in action.kinds)


def all_permissions() -> frozenset[Permission]:
    """Everything the bot must be allowed to do for all actions on all their kinds."""
    return frozenset(
        permission for action in ACTIONS.values() for kind in action.kinds for permission in action.permissions(kind)
    )
