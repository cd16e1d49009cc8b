"""The conditions in an object's status."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.objects import Json


def condition(obj: Json, kind: str) -> Json | None:
    for item in obj.get("status", {}).get("conditions") or []:
        if item.get("type") == kind:
            return dict(item)
    return None


def is_true(obj: Json, kind: str) -> bool:
    found = condition(obj, kind)
    return found is not None and found.get("status") == "True"


def set_condition(
    conditions: list[Json],
    kind: str,
    status: str,
    *,
    stamp: str,
    reason: str = "",
    message: str = "",
    **further: object,
) -> list[Json]:
    """The conditions with this one in it; its lastTransitionTime moves only when the status does.

    `further` are fields beside the usual ones of the condition, as a Deployment's `lastUpdateTime`.
    """
    old = next((item for item in conditions if item["type"] == kind), None)
    new: Json = {"type": kind, "status": status, **further}
    if reason:
        new["reason"] = reason
    if message:
        new["message"] = message
    moved = old is None or old.get("status") != status
    new["lastTransitionTime"] = stamp if moved or old is None else old["lastTransitionTime"]
    return [new if item["type"] == kind else item for item in conditions] + ([new] if old is None else [])
