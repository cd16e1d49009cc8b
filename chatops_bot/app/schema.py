"""The configuration file as a JSON Schema, for editors and for the Helm chart: made of the settings themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from chatops_bot.app.settings import Settings

DRAFT: Final = "http://json-schema.org/draft-07/schema#"
"""The draft that editors and Helm have in common."""

_SECRET: Final = "password"  # noqa: S105 (a format of JSON Schema)


def render() -> str:
    """The schema as JSON, ready to be saved."""
    return json.dumps({"$schema": DRAFT, **of_file()}, indent=2, ensure_ascii=False)


def of_file() -> dict[str, Any]:
    """What the YAML file may hold. Secrets are left out, since they must not stand in it. References are resolved,
    so that each part can be used by itself."""
    whole = Settings.model_json_schema()
    return _plain(whole, whole["$defs"])


def _plain(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        referred = definitions[str(node["$ref"]).rpartition("/")[2]]
        node = {**referred, **{key: value for key, value in node.items() if key != "$ref"}}
    if "anyOf" in node:  # a value or none: leaving it out says the same
        (kind,) = (each for each in node["anyOf"] if each.get("type") != "null")
        node = {**node, **_plain(kind, definitions)}
    plain = {key: node[key] for key in _KEPT if key in node}
    if "description" in plain:
        plain["description"] = " ".join(plain["description"].split())
    if isinstance(node.get("default"), str | bool | int) and node["default"] != "":
        plain["default"] = node["default"]
    for key in ("items", "additionalProperties"):
        if key in node:
            plain[key] = _plain(node[key], definitions) if isinstance(node[key], Mapping) else node[key]
    if "properties" in node:
        fields = {name: _plain(field, definitions) for name, field in node["properties"].items()}
        secret = [name for name, field in fields.items() if field.pop("format", "") == _SECRET and name != "url"]
        plain["properties"] = {name: field for name, field in fields.items() if name not in secret}
    return plain


_KEPT: Final = (
    "description",
    "type",
    "format",
    "enum",
    "const",
    "pattern",
    "minimum",
    "maximum",
    "maxLength",
    "required",
)
