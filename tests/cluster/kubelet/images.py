"""Which images are run as processes of this machine, and by which command."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.cluster.kubelet.client import Json

_REFERENCE = re.compile(r"\$(?:\$|\(([^()\s]+)\))")


@dataclass(frozen=True)
class Image:
    """As a Dockerfile has it."""

    entrypoint: tuple[str, ...]
    cmd: tuple[str, ...]
    own_network: bool = False
    """Not of a Dockerfile: whether its containers have a network of their own, with nothing but a loopback."""


class Images:
    """`options` are `PREFIX=JSON`: a list (CMD alone), or an object with the lists `entrypoint` and `cmd` and, for what
    listens where others do too, `"network": "own"`. The longest prefix of an image counts. Raises ValueError.
    """

    def __init__(self, options: Sequence[str]) -> None:
        self._images: dict[str, Image] = {}
        for option in options:
            prefix, _, text = option.partition("=")
            said = json.loads(text)
            parts = said if isinstance(said, dict) else {"cmd": said}
            network = parts.pop("network", "shared")
            if not (prefix and set(parts) <= {"entrypoint", "cmd"} and network in {"own", "shared"}):
                raise ValueError(f"not PREFIX=JSON as it should be: {option!r}")
            entrypoint, cmd = (tuple(map(str, parts.get(name, ()))) for name in ("entrypoint", "cmd"))
            self._images[prefix] = Image(entrypoint, cmd, own_network=network == "own")

    def __bool__(self) -> bool:
        return bool(self._images)

    def find(self, image: str) -> Image | None:
        """None for an image whose containers are only said to run."""
        found = [prefix for prefix in self._images if image.startswith(prefix)]
        return self._images[max(found, key=len)] if found else None


def command_of(container: Json, image: Image, env: Mapping[str, str]) -> list[str]:
    """`command` goes before ENTRYPOINT and CMD, `args` before CMD. What the image says is not expanded by a kubelet;
    here it is, so that it can name the pod's address.
    """
    command, args = container.get("command"), container.get("args")
    entry: Sequence[str] = command or image.entrypoint
    rest: Sequence[str] = args if args is not None else (() if command else image.cmd)
    return [expand(part, env) for part in [*entry, *rest]]


def expand(text: str, env: Mapping[str, str]) -> str:
    """`$(NAME)`; `$$` is a dollar, and what is not known stays as it is."""
    return _REFERENCE.sub(lambda found: "$" if found[1] is None else env.get(found[1], found[0]), text)
