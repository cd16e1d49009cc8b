"""Reads a YAML file of ours, with complaints that say where."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml


class YamlError(ValueError):
    """The file cannot be read; the message is one sentence with the place."""


class Unreadable(YamlError):
    """There is no file, or it cannot be opened: nothing is known of its content."""


class _Loader(yaml.SafeLoader):
    """Plain data only; a key that is written twice is an error, where YAML would drop the first silently.

    Words are read as YAML 1.2 reads them: `on`, `yes` and `10:01:00` are texts, only true and false are truth
    values, so that the keys and sentences of a transcript stay what was written.
    """

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value != "<<":
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} is written twice", key.start_mark
                    )
                seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


_Loader.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in resolvers
        if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:int", "tag:yaml.org,2002:timestamp")
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
_Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789"))


def read_yaml(path: Path) -> object:
    """The decoded content, None for an empty file. Raises `YamlError`."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Unreadable(f"{path}: there is no such file") from None
    except OSError as error:
        raise Unreadable(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise YamlError(f"{path}: is not UTF-8 text") from None
    return parse_yaml(text, where=str(path))


def parse_yaml(text: str, *, where: str) -> object:
    """The decoded text. Raises `YamlError` with line and column."""
    try:
        return yaml.load(text, _Loader)  # noqa: S506 (a SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        what = " ".join(filter(None, (error.context, error.problem))) or "is not YAML"
        raise YamlError(f"{where}: {place}{what}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise YamlError(f"{where}: is not YAML ({str(error).splitlines()[0]})") from None
