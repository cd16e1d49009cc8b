"""From a file and the environment to a checked configuration, with every problem found at once.

The environment wins over the file. Secrets come from the environment or from files of their own; one that stands in
the configuration file is an error that does not print it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
from pydantic import BaseModel, SecretStr, ValidationError
from pydantic_settings import EnvSettingsSource, SettingsError

from chatops_bot.adapters.redis import url as redis_url
from chatops_bot.app.settings import NESTED, PREFIX, Settings
from chatops_bot.app.sources import read_policy, read_services
from chatops_bot.app.wording import in_words
from chatops_bot.app.yaml_file import YamlError, read_yaml
from chatops_bot.domain.catalog import CatalogError
from chatops_bot.domain.entities import Service
from chatops_bot.domain.masking import mask
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.policy_file import PolicyError

DEFAULT_FILE = Path("chatops-bot.yaml")
CONFIG_VARIABLE = f"{PREFIX}CONFIG"
REDIS_VARIABLE = "REDIS_URL"

Raw = dict[str, Any]

_OTHER_VARIABLES = frozenset({CONFIG_VARIABLE, f"{PREFIX}REQUIRE_ALL"})
# What Kubernetes puts into every pod for a Service called chatops, chatops-bot …
_SERVICE_LINK = re.compile(r"_(SERVICE_HOST|SERVICE_PORT|PORT)(_\w+)?$")
_URL_PASSWORD = re.compile(r"\w://(?:[^/@\s:]*:[^/@\s]+@|\S*password=)")
_TOKEN = re.compile(r"\bx(?:ox[a-z]|app)-\w")


class ConfigurationError(ValueError):
    """A configuration that cannot be used. `problems` lists everything that is wrong, one sentence each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class Configuration(msgspec.Struct, frozen=True):
    """What was read: the settings, the file they come from (None: environment alone), and what they refer to."""

    settings: Settings
    path: Path | None = None
    services: tuple[Service, ...] = ()
    policy: Policy = Policy.closed()


def config_path(given: Path | None, environ: Mapping[str, str]) -> Path | None:
    """The file to read: the one given, else the one of `CHATOPS_CONFIG`, else `./chatops-bot.yaml` if it exists."""
    if given is not None:
        return given
    if environ.get(CONFIG_VARIABLE):
        return Path(environ[CONFIG_VARIABLE])
    return DEFAULT_FILE if DEFAULT_FILE.exists() else None


def load(path: Path | None, environ: Mapping[str, str]) -> Configuration:
    """Read everything. Raises `ConfigurationError` with all problems of file, environment, policy and catalog."""
    problems: list[str] = []
    raw = _from_file(path, problems)
    _merge(raw, _from_environment(environ, problems))
    _read_secrets(Settings, raw, "", problems)
    _check_address(raw, problems)
    settings, complaints = _validated(raw)
    policy, services = Policy.broken(), list[Service]()
    try:
        policy = read_policy(raw)
    except (PolicyError, YamlError) as error:
        problems.extend(getattr(error, "problems", [str(error)]))
    try:
        services = read_services(raw)
    except (CatalogError, YamlError) as error:
        problems.extend(getattr(error, "problems", [str(error)]))
    # What their own readers complained about, they said better.
    said = {problem.partition(":")[0].partition(".")[0].partition("[")[0] for problem in problems}
    problems.extend(problem for section, problem in complaints if section not in said & {"policy", "services"})
    if problems or settings is None:
        raise ConfigurationError(dict.fromkeys(problems))
    return Configuration(settings=settings, path=path, services=tuple(services), policy=policy)


def _from_file(path: Path | None, problems: list[str]) -> Raw:
    if path is None:
        return {}
    try:
        content = read_yaml(path)
    except YamlError as problem:
        problems.append(str(problem))
        return {}
    if content is None:
        return {}
    if not isinstance(content, dict):
        problems.append(f"{path}: must be a mapping of sections, such as `clusters:`")
        return {}
    raw: Raw = {str(key): value for key, value in content.items()}
    problems.extend(_written_secrets(Settings, raw, ""))
    _anchor_paths(Settings, raw, path.parent)
    return raw


def _from_environment(environ: Mapping[str, str], problems: list[str]) -> Raw:
    """Nested values of all our variables. Each is read on its own, so that each can be complained about."""
    raw: Raw = {}
    for name in sorted(environ):
        if not name.startswith(PREFIX) or not environ[name] or name in _OTHER_VARIABLES:
            continue
        section = name.removeprefix(PREFIX).split(NESTED)[0].lower()
        if section not in Settings.model_fields:
            if not _SERVICE_LINK.search(name):
                problems.append(f"{name}: there is no such setting; `chatops-bot check-config --reference` lists all")
            continue
        try:
            _merge(raw, _Variable(name, environ[name])())
        except SettingsError:
            problems.append(f'{name}: must be JSON, such as ["one"] or {{"key": "value"}}')
    if environ.get(REDIS_VARIABLE):
        _merge(raw, {"store": {"url": environ[REDIS_VARIABLE]}})
    return raw


class _Variable(EnvSettingsSource):
    """One variable as a source of settings."""

    def __init__(self, name: str, value: str) -> None:
        super().__init__(Settings)
        self.env_vars = {name.lower(): value}


def _merge(into: Raw, other: Mapping[str, Any]) -> None:
    """Lay `other` over `into`, mapping by mapping; lists and scalars are replaced."""
    for key, value in other.items():
        mine = into.get(key)
        if isinstance(mine, dict) and isinstance(value, Mapping):
            _merge(mine, value)
        else:
            into[key] = dict(value) if isinstance(value, Mapping) else value


def _check_address(raw: Raw, problems: list[str]) -> None:
    store = raw.get("store")
    address = store.get("url") if isinstance(store, dict) else None
    if not isinstance(store, dict) or not isinstance(address, str):
        return
    try:
        if isinstance(store.get("password"), str):
            address = store["url"] = redis_url.with_password(address, store["password"])
        redis_url.parse(address)
    except (ValueError, OSError) as error:  # OSError: a certificate that cannot be read
        problems.append(f"store.url: {mask(str(error))}")


def _validated(raw: Raw) -> tuple[Settings | None, list[tuple[str, str]]]:
    """The settings, or None and what is wrong with them as (section, sentence)."""
    try:
        return Settings(**raw), []
    except ValidationError as error:
        return None, [(str(item["loc"][0]) if item["loc"] else "", in_words(item)) for item in error.errors()]


def _sections(model: type[BaseModel], raw: Raw, path: str) -> Iterator[tuple[type[BaseModel], Raw, str]]:
    """The model with its part of the raw configuration, and all sections below it."""
    yield model, raw, path
    for name, field in model.model_fields.items():
        value = raw.get(name)
        for inner in (field.annotation, *get_args(field.annotation)):
            if not isinstance(inner, type) or not issubclass(inner, BaseModel):
                continue
            if isinstance(value, dict) and not get_args(field.annotation):
                yield from _sections(inner, value, f"{path}{name}.")
            for number, item in enumerate(value if isinstance(value, list) else ()):
                if isinstance(item, dict):
                    yield from _sections(inner, item, f"{path}{name}[{number}].")


def _is(wanted: type, annotation: object) -> bool:
    return annotation is wanted or wanted in get_args(annotation)


def _written_secrets(model: type[BaseModel], raw: Raw, path: str) -> Iterator[str]:
    """Complaints about secrets that stand in the file itself, without showing them."""
    for section, values, place in _sections(model, raw, path):
        for name, value in values.items():
            field = section.model_fields.get(name)
            secret = field is not None and _is(SecretStr, field.annotation) and name != "url"
            if value is not None and (secret or (isinstance(value, str) and _looks_secret(value))):
                yield f"{place}{name}: is a secret, which must not stand in this file; {_way_out(section, name, place)}"


def _looks_secret(value: str) -> bool:
    return bool(_URL_PASSWORD.search(value) or _TOKEN.search(value))


def _way_out(section: type[BaseModel], name: str, place: str) -> str:
    file = f"write the name of a file into {place}{name}_file" if f"{name}_file" in section.model_fields else ""
    if "[" in place:  # entries of a list have no variables of their own
        return file or "use an address without credentials"
    variable = PREFIX + (place.replace(".", NESTED) + name).upper()
    return f"set {variable}{', or ' if file else ''}{file}, and change it, since it has been written down"


def _anchor_paths(model: type[BaseModel], raw: Raw, folder: Path) -> None:
    """Paths in the file are relative to the file, wherever the bot is started."""
    for section, values, _ in _sections(model, raw, ""):
        for name, field in section.model_fields.items():
            if _is(Path, field.annotation) and isinstance(values.get(name), str):
                values[name] = str(folder / Path(values[name]).expanduser())
            elif field.annotation == tuple[Path, ...] and isinstance(values.get(name), list):
                values[name] = [str(folder / Path(str(each)).expanduser()) for each in values[name]]


def _read_secrets(model: type[BaseModel], raw: Raw, path: str, problems: list[str]) -> None:
    """Fill every secret whose `_file` is given."""
    for section, values, place in _sections(model, raw, path):
        for name, field in section.model_fields.items():
            file = values.get(f"{name}_file")
            if not isinstance(file, str) or not _is(SecretStr, field.annotation):
                continue
            if values.get(name) is not None:
                if name != "url":  # an address from the environment wins over a file, as it wins over the address
                    problems.append(f"{place}{name}: is given both itself and as {name}_file; keep one")
                continue
            try:
                values[name] = Path(file).read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                why = getattr(error, "strerror", None) or "it is not text"
                problems.append(f"{place}{name}_file: {file} cannot be read ({why})")
            else:
                if not values[name]:
                    problems.append(f"{place}{name}_file: {file} is empty")
