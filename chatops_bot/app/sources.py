"""What the settings refer to: policy and catalog, inline or in files of their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from chatops_bot.app.yaml_file import Unreadable, YamlError, read_yaml
from chatops_bot.domain import catalog, policy_file
from chatops_bot.domain.catalog import CatalogError
from chatops_bot.domain.entities import Service
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.policy_file import PolicyError


def read_policy(raw: Mapping[str, Any]) -> Policy:
    """The policy of a raw configuration (its `policy` or `policy_file`); closed where it has none.

    Raises `PolicyError`, or `YamlError` for a file that cannot be read.
    """
    users = _console_users(raw)
    if raw.get("policy") is not None:
        return policy_file.parse(raw["policy"], users=users)
    if isinstance(raw.get("policy_file"), str | Path):
        return read_policy_file(Path(raw["policy_file"]), users=users)
    return Policy.closed()


def read_policy_file(path: Path, *, users: tuple[str, ...] = ()) -> Policy:
    """The policy in a file of its own, with or without a leading `policy:`. Raises as `read_policy`."""
    content = read_yaml(path)
    if isinstance(content, dict) and list(content) == ["policy"]:
        content = content["policy"]
    return policy_file.parse(content, where=str(path), users=users)


def read_services(raw: Mapping[str, Any]) -> list[Service]:
    """The services of a raw configuration (`services` or `catalog_file`), each with its cluster's environment where
    it has none of its own. Raises `CatalogError`, or `YamlError` for a file that cannot be read."""
    listed = raw.get("clusters")
    clusters = [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list | tuple) else []
    environments = {str(cluster.get("name")): str(cluster.get("environment") or "") for cluster in clusters}
    default = next(iter(environments)) if len(environments) == 1 else ""
    entries, where = raw.get("services"), "services"
    if entries is None and isinstance(raw.get("catalog_file"), str | Path):
        entries, where = _catalog_entries(Path(raw["catalog_file"]))
    services = catalog.parse(
        list(entries) if isinstance(entries, tuple) else entries, default_cluster=default, where=where
    )
    unknown = [service for service in services if service.entity.cluster not in environments]
    if unknown:
        raise CatalogError(
            f"{where}: {service.entity.name} is in the cluster {service.entity.cluster!r}, which is not under clusters"
            for service in unknown
        )
    return [_placed(service, environments[service.entity.cluster]) for service in services]


class PolicyInForce:
    """The policy as it is now: a file of its own is read again when it has changed.

    A file that has got errors changes nothing: the rules of before hold, marked as `outdated`, so that everybody is
    told. One that is gone or cannot be opened stops every change. Both are complained about once per change through
    `problems`, and end when the file is mended.
    """

    def __init__(self, policy: Policy, *, file: Path | None = None, users: tuple[str, ...] = ()) -> None:
        self._policy = policy
        self._file = file
        self._users = users
        self._seen = self._stamp()
        self.problems: tuple[str, ...] = ()

    def current(self) -> Policy:
        """The policy to judge by at this moment; costs one look at the file's state."""
        stamp = self._stamp()
        if self._file is not None and stamp != self._seen:
            self._seen = stamp
            self._read(self._file)
        return self._policy

    def _read(self, file: Path) -> None:
        try:
            self._policy, self.problems = read_policy_file(file, users=self._users), ()
        except PolicyError as error:
            self._policy, self.problems = self._outdated(), error.problems
        except Unreadable as error:
            self._policy, self.problems = self._policy.unavailable(), (str(error),)
        except YamlError as error:
            self._policy, self.problems = self._outdated(), (str(error),)

    def _outdated(self) -> Policy:
        """The rules of before; after a file that could not be opened they stay suspended."""
        return msgspec.structs.replace(self._policy, outdated=self._policy.standing != "broken")

    def _stamp(self) -> tuple[int, int, int] | None:
        """Changes whenever the file does, also where it is replaced behind a link, as in a mounted ConfigMap."""
        if self._file is None:
            return None
        try:
            state = self._file.stat()
        except OSError:
            return None
        return state.st_mtime_ns, state.st_size, state.st_ino


def _catalog_entries(path: Path) -> tuple[object, str]:
    content = read_yaml(path)
    if not isinstance(content, dict) or list(content) != ["services"]:
        raise YamlError(f"{path}: must hold one key, `services:`, with the list of services")
    return content["services"], f"{path}: services"


def _placed(service: Service, environment: str) -> Service:
    if service.entity.environment or not environment:
        return service
    return msgspec.structs.replace(service, entity=msgspec.structs.replace(service.entity, environment=environment))


def _console_users(raw: Mapping[str, Any]) -> tuple[str, ...]:
    console = raw.get("console")
    users = console.get("users") if isinstance(console, Mapping) else None
    return tuple(user for user in users if isinstance(user, str)) if isinstance(users, list | tuple) else ()
