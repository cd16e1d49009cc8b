"""The JSON Schema of the configuration file holds all settings that may stand in it, and no secret."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from pydantic import BaseModel, SecretStr

from chatops_bot.app.schema import of_file, render
from chatops_bot.app.settings import Settings


def in_schema(schema: dict[str, Any], path: str = "") -> Iterator[str]:
    """Every setting that the schema knows, as the reference writes it."""
    for name, field in schema.get("properties", {}).items():
        yield f"{path}{name}"
        for inner, suffix in (
            (field, "."),
            (field.get("items", {}), "[]."),
            (field.get("additionalProperties"), ".<id>."),
        ):
            if isinstance(inner, dict):
                yield from in_schema(inner, f"{path}{name}{suffix}")


def in_settings(model: type[BaseModel], path: str = "") -> Iterator[str]:
    """Every setting that may stand in the file. An address may, as long as it holds no password."""
    for name, field in model.model_fields.items():
        kinds = (field.annotation, *get_args(field.annotation))
        if SecretStr in kinds and name != "url":
            continue
        yield f"{path}{name}"
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                suffix = ".<id>." if str in kinds else "[]." if get_origin(field.annotation) is tuple else "."
                yield from in_settings(kind, f"{path}{name}{suffix}")


def test_it_knows_the_settings_that_may_stand_in_the_file_and_no_others() -> None:
    known = list(in_schema(of_file()))
    assert sorted(known) == sorted(in_settings(Settings))
    assert {"store.url", "clusters[].name", "rooms.<id>.listen", "alerts.routes[].room"} <= set(known)
    assert not {"slack.bot_token", "alerts.password", "store.password", "clusters[].token"} & set(known)


def test_unknown_keys_are_refused_everywhere() -> None:
    def sections(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if "properties" in schema:
            yield schema
        for inner in [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]:
            if isinstance(inner, dict):
                yield from sections(inner)

    found = list(sections(of_file()))
    assert len(found) > 10
    assert all(section["additionalProperties"] is False for section in found)


def test_bounds_choices_and_sentences_are_taken_over() -> None:
    fields = of_file()["properties"]
    assert fields["language"]["enum"] == ["zh", "en"]
    assert fields["timeouts"]["properties"]["idle_s"]["maximum"] == 604_800
    assert fields["clusters"]["items"]["required"] == ["name"]
    assert fields["slack"]["properties"]["command"] == {
        "description": "The slash command, as in the app's manifest.",
        "type": "string",
        "pattern": "^/[a-z0-9_-]{1,31}$",
        "default": "/ops",
    }


def test_it_is_printed_as_one_document() -> None:
    printed = render()
    assert json.loads(printed)["properties"] == of_file()["properties"]
    assert "$ref" not in printed
