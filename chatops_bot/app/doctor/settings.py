"""Settings that are allowed but deserve a second look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chatops_bot.app import runbooks
from chatops_bot.app.doctor.findings import Finding, bad, ok, warn
from chatops_bot.app.settings import PLATFORMS, Settings
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.runbooks import Runbooks


def on_settings(settings: Settings) -> Iterator[Finding]:
    """What the settings amount to."""
    if not settings.clusters:
        yield bad("no cluster is configured", "add one under clusters")
    if not any(getattr(settings, platform).enabled for platform in PLATFORMS):
        yield bad(
            "no platform is enabled, so nobody can write to the bot",
            f"set {', '.join(f'{platform}.enabled' for platform in PLATFORMS[:-1])} or {PLATFORMS[-1]}.enabled",
        )
    if settings.console.enabled and settings.console.trust_network:
        yield warn(
            "the console has no login and listens beyond this machine: whoever reaches it is whom they say they are",
            "put something that lets in nobody else in front of it, or unset console.trust_network",
        )
    if settings.alerts.enabled and settings.alerts.unauthenticated:
        yield warn("alerts are taken from anybody who reaches the port", "set a token for alerts")
    if settings.read_only:
        yield warn("read_only is set: every change is refused", "unset it when changes are wanted")


def on_runbooks(settings: Settings, services: Sequence[Service]) -> Iterator[Finding]:
    """Which runbooks are left out, and why, and which the catalog names that are not there."""
    loaded = runbooks.read(settings.runbooks)
    known = Runbooks(loaded.runbooks)
    for service in services:
        for id_ in service.runbooks:
            if known.by_id(id_) is None:
                yield warn(
                    f"the catalog names the runbook {id_} for {service.entity.name}, but there is none of that id",
                    "correct it to AREA/NAME, or add the runbook",
                )
    for problem in loaded.problems:
        yield warn(f"a runbook is left out: {problem}", "mend it; `chatops-bot lint-runbooks FOLDER` looks again")
    if not loaded.problems:
        yield ok(f"the runbooks are sound: {len(loaded.runbooks)}")


def on_catalog(services: Sequence[Service], entities: Sequence[Entity]) -> Iterator[Finding]:
    """Whether the services of the catalog file exist among the entities that the clusters hold; nothing is said of
    clusters that could not be asked."""
    if not entities:
        return
    there = {entity.key for entity in entities}
    seen = {entity.cluster for entity in entities}
    absent = [service for service in services if service.entity.cluster in seen and service.entity.key not in there]
    for service in absent:
        yield warn(
            f"the catalog names {service.entity.name}, but there is no {service.entity.target} in "
            f"{service.entity.cluster}/{service.entity.namespace}",
            "correct the entry, or remove it",
        )
    if not absent:
        yield ok(f"the catalog is sound: {len(services)} entries, {len(there)} workloads in the clusters")
