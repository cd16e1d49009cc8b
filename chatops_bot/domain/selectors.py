"""Label selectors as objects hold them, matched here."""

from __future__ import annotations

from chatops_bot.domain.objects import at, items, mapping, text
from chatops_bot.domain.observed import Raw


def selects(selector: object, labels: Raw) -> bool:
    """Whether a selector fits the labels; an empty one fits all, none at all fits nothing."""
    if not isinstance(selector, dict):
        return False
    if any(labels.get(key) != value for key, value in mapping(selector, "matchLabels").items()):
        return False
    return all(_fits(expression, labels) for expression in items(selector, "matchExpressions"))


def _fits(expression: Raw, labels: Raw) -> bool:
    key, values = text(expression, "key"), values_of(expression)
    match text(expression, "operator"):
        case "In":
            return labels.get(key) in values
        case "NotIn":
            return labels.get(key) not in values
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
        case _:
            return False


def values_of(expression: Raw) -> list[str]:
    """What a set expression lists."""
    values = at(expression, "values")
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
