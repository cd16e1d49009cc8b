"""What a usable configuration amounts to, in a few lines."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.app.chats import absent_extras
from chatops_bot.app.configuration import Configuration
from chatops_bot.app.doctor.oncall import unmapped
from chatops_bot.app.settings import PLATFORMS, ClusterSettings, Settings


def summary(configuration: Configuration) -> Iterator[str]:
    """Lines for a person; no secret is in them."""
    settings = configuration.settings
    yield f"{configuration.path or 'The environment'} is usable."
    yield f"store: {_store(settings)}"
    for cluster in settings.clusters:
        yield f"cluster {cluster.name}: {_cluster(cluster)}"
    if not settings.clusters:
        yield "clusters: none, so there is nothing to look at"
    platforms = [name for name in PLATFORMS if getattr(settings, name).enabled]
    yield f"platforms: {', '.join(platforms) or 'none, so nobody can write to the bot'}"
    yield from (f"{platform}: {problem}, where it shall run" for platform, problem in absent_extras(settings).items())
    yield f"catalog: {len(configuration.services)} services beside those of the clusters"
    yield f"policy: {_policy(configuration)}"
    if settings.alerts.enabled:
        yield f"alerts: to {settings.alerts.room}, {len(settings.alerts.routes)} routes beside it"
    yield f"hand-offs: {_oncall(configuration)}"


def _store(settings: Settings) -> str:
    if settings.store.url is None:
        return f"embedded, data in {settings.store.directory}"
    return f"Redis, {settings.store.wait_replicas} copies awaited"


def _cluster(cluster: ClusterSettings) -> str:
    if cluster.kubeconfig is not None:
        way = f"{cluster.kubeconfig}{f', context {cluster.context}' if cluster.context else ''}"
    else:
        way = "service account of the pod" if cluster.in_cluster else cluster.url
    where = ", ".join(cluster.namespaces) or "every namespace"
    return f"{way}; {where}; environment {cluster.environment or 'as the catalog says'}"


def _policy(configuration: Configuration) -> str:
    if configuration.settings.read_only:
        return "read_only is set: every change is refused"
    if configuration.policy.standing == "missing":
        return "none, so the bot only reads"
    policy = configuration.policy
    people = f", {len(policy.people.accounts)} people" if policy.people.accounts else ""
    return f"{len(policy.rules)} rules, {len(policy.groups)} groups{people}"


def _oncall(configuration: Configuration) -> str:
    oncall = configuration.settings.oncall.of_world(configuration.settings.rooms)
    missing = unmapped(oncall, configuration.services, configuration.policy)
    nobody = f"; nobody is mentioned for {', '.join(missing)}" if missing else ""
    return f"{len(oncall.groups)} groups, {oncall.default or 'nobody'} for what has no owner{nobody}"
