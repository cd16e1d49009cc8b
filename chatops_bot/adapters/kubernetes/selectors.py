"""Label selectors as the text of a query."""

from __future__ import annotations

from chatops_bot.domain.objects import items, mapping, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.selectors import values_of


def selector_text(selector: Raw) -> str:
    """The `labelSelector` parameter; "" for a selector that selects everything or cannot be written."""
    parts = [f"{key}={value}" for key, value in sorted(mapping(selector, "matchLabels").items())]
    for expression in items(selector, "matchExpressions"):
        key, values = text(expression, "key"), ",".join(values_of(expression))
        written = {
            "In": f"{key} in ({values})",
            "NotIn": f"{key} notin ({values})",
            "Exists": key,
            "DoesNotExist": f"!{key}",
        }
        parts.append(written.get(text(expression, "operator"), ""))
    return ",".join(part for part in parts if part)
