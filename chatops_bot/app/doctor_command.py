"""`chatops-bot doctor`: builds what is configured, looks at each part, and changes nothing."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec

from chatops_bot.adapters.kubernetes import Connection, KubernetesCluster
from chatops_bot.adapters.redis.embedded import EmbeddedError
from chatops_bot.adapters.redis.spending import RedisSpending
from chatops_bot.adapters.redis.tallies import RedisTallies
from chatops_bot.app import groups
from chatops_bot.app.configuration import Configuration
from chatops_bot.app.doctor import alerts, chats, clusters, metrics, model, oncall, policies, settings, settling, store
from chatops_bot.app.doctor.findings import Finding, bad, ok
from chatops_bot.app.opening import Opened, open_store
from chatops_bot.app.settings import ClusterSettings, Settings
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.scopes import EVERYBODY
from chatops_bot.engine.understanding import day_of
from chatops_bot.ports.clock import SystemClock
from chatops_bot.ports.cluster import ClusterError, ClusterReader
from chatops_bot.ports.store import StoreUnavailable


async def examine_all(configuration: Configuration) -> list[Finding]:
    """Everything there is to say about an installation, part by part."""
    chosen = configuration.settings
    policy = await groups.policy_of(configuration, clock=SystemClock())
    findings = [ok(f"{configuration.path or 'the environment'} is usable"), *settings.on_settings(chosen)]
    findings += settling.on_settings(chosen.digest, chosen.model)
    findings += await on_store(chosen)
    entities: list[Entity] = []
    for cluster in chosen.clusters:
        actions = _confirmable(policy, cluster.name) if not chosen.read_only else ()
        findings += await _on_cluster(cluster, entities, actions=actions)
    findings += settings.on_catalog(configuration.services, entities)
    findings += settings.on_runbooks(chosen, configuration.services)
    findings += alerts.on_alerts(chosen, configuration.services)
    findings += oncall.on_oncall(chosen, configuration.services, policy)
    listed = [service.entity for service in configuration.services]
    known = policies.Known(
        clusters=frozenset(cluster.name for cluster in chosen.clusters),
        entities=_once([*listed, *entities]),
        console=chosen.console.enabled,
        approval_s=chosen.timeouts.approval_s,
    )
    findings += policies.on_policy(policy, known, now=int(SystemClock().now() * 1_000))
    findings += await metrics.on_metrics(chosen, clock=SystemClock())
    findings += await model.on_model(chosen.model, spent=await _spent(chosen), clock=SystemClock())
    return [*findings, *await chats.on_platforms(chosen, clock=SystemClock())]


async def on_store(chosen: Settings) -> list[Finding]:
    """Findings about the store, which is opened for it."""
    findings = store.on_settings(chosen.store)
    embedded = chosen.store.url is None
    if embedded and not chosen.store.directory.exists():
        return [*findings, _on_absent(chosen.store.directory)]
    try:
        async with open_store(chosen.store, join=True, patience_s=0.5) as opened:
            findings += store.on_servers(await opened.threads.check(), embedded=embedded)
            findings += await _on_settling(chosen, opened)
    except EmbeddedError as error:
        findings.append(bad(f"the embedded store cannot be started: {error}", "give its folder, or set REDIS_URL"))
    return findings


async def _on_settling(chosen: Settings, opened: Opened) -> list[Finding]:
    """Whether conversations are judged; nothing is said where the store does not tell, which is a finding already."""
    try:
        kept = bool(await RedisTallies(opened.client).last())
    except StoreUnavailable:
        return []
    return settling.on_tally(chosen.digest, kept=kept)


async def _spent(chosen: Settings) -> int | None:
    """Tokens of models on this day so far; None without a model, or where the store does not tell."""
    if not chosen.model.enabled or (chosen.store.url is None and not chosen.store.directory.exists()):
        return None
    try:
        async with open_store(chosen.store, join=True, patience_s=0.5) as opened:
            day = day_of(SystemClock().now())
            return (await RedisSpending(opened.client).spent(thread="", room="", day=day))[2]
    except (EmbeddedError, StoreUnavailable):
        return None


def _on_absent(directory: Path) -> Finding:
    """Whether the first start can make the embedded store's folder."""
    above = next(folder for folder in directory.absolute().parents if folder.exists())
    if os.access(above, os.W_OK | os.X_OK):
        return ok(f"{directory} is not there yet; the first start makes it")
    return bad(f"{directory} cannot be made: {above} cannot be written to", "set store.directory, or REDIS_URL")


def connection_to(chosen: ClusterSettings) -> Connection:
    """How a configured cluster is reached. Raises `ClusterError` where its configuration cannot be used."""
    if chosen.kubeconfig is not None:
        return Connection.from_kubeconfig(chosen.kubeconfig, chosen.context)
    if chosen.in_cluster:
        return Connection.in_cluster()
    return Connection.at_url(chosen.url, chosen.token.get_secret_value() if chosen.token else "")


def _confirmable(policy: Policy, cluster: str) -> tuple[str, ...]:
    """Names of the actions that some rule lets somebody confirm in this cluster."""
    rules = [
        rule
        for rule in policy.rules
        if policy.members(rule.confirm) and (rule.clusters is None or {cluster, EVERYBODY} & set(rule.clusters))
    ]
    return tuple(name for name in ACTIONS if any(rule.covers_action(name, reading=False) for rule in rules))


async def _on_cluster(chosen: ClusterSettings, entities: list[Entity], *, actions: Collection[str]) -> list[Finding]:
    """Findings about one cluster; what lives there is added to `entities`."""
    async with AsyncExitStack() as stack:
        try:
            cluster: ClusterReader = KubernetesCluster(
                chosen.name,
                connection_to(chosen),
                clock=SystemClock(),
                namespaces=chosen.namespaces,
                environment=chosen.environment,
            )
        except ClusterError as error:
            return [bad(f"cluster {chosen.name} cannot be used: {error.message}", "check its entry under clusters")]
        stack.push_async_callback(cluster.close)
        findings = await clusters.on_cluster(
            cluster, namespaces=chosen.namespaces, actions=actions, events=chosen.events
        )
        if all(finding.severity != "bad" for finding in findings):
            try:
                if chosen.impersonate is not None and actions:
                    findings += await clusters.impersonating(cluster, chosen.impersonate.of_cluster())
                entities += await cluster.workloads()
            except ClusterError as error:
                findings.append(bad(f"workloads of {chosen.name} cannot be listed: {error.message}", "see above"))
        return findings


def _once(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Each entity once, as the catalog file has it where it does."""
    by_key: dict[str, Entity] = {}
    for entity in entities:
        first = by_key.setdefault(entity.key, entity)
        if not first.environment and entity.environment:
            by_key[entity.key] = msgspec.structs.replace(first, environment=entity.environment)
    return tuple(by_key.values())
