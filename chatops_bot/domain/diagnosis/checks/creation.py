"""Pods that the API server refuses to have made: quota, policy, a LimitRange, a webhook that does not answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from chatops_bot.domain.amounts import Amounts, amount, amounts, shown
from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Evidence, Finding
from chatops_bot.domain.diagnosis.proving import of_condition, proof
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import condition, holds, name_of, number, shortened, text
from chatops_bot.domain.observed import Observed
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.rollout import wanted_pods
from chatops_bot.domain.say import say

_QUOTA: Final = re.compile(
    r"exceeded quota: ([^,]{1,253}), requested: (\S{1,500}), used: (\S{1,500}), limited: (\S{1,500})"
)
_WEBHOOK: Final = re.compile(r'failed calling webhook "([^"]{1,253})"')
_SERVICE: Final = re.compile(r"https?://([a-z0-9-]{1,63})\.([a-z0-9-]{1,63})\.svc")
_SORTS: Final = (
    ("violates podsecurity", "why.pod_security"),
    ("denied the request", "why.policy"),
    ("denied request", "why.policy"),
    ("must specify", "why.quota_unsaid"),
    ("must be set", "why.quota_unsaid"),
    ("exceeded quota", "why.quota"),
    ("usage per container", "why.limit_range"),
    ("usage per pod", "why.limit_range"),
    ("limit to request ratio", "why.limit_range"),
    ("serviceaccount", "why.service_account"),
    ("service account", "why.service_account"),
)
"""What refused it, by what the API server says; the first that occurs in lower case."""


def creation(scene: Scene) -> Iterator[Finding]:
    """Why no more pods can be made. Deployments tell in a condition; all others only in an event, which is history
    once their pods are there."""
    message, evidence = _refusal(scene)
    if not message:
        return
    about = scene.observed.entity.target
    webhook = _WEBHOOK.search(message)
    if webhook is not None:
        yield _webhook_down(webhook[1], message, about, evidence)
        return
    quota = _quota(scene.observed, message)
    low = message.lower()
    cause = next((key for part, key in _SORTS if part in low), "")
    yield Finding(
        "blocked",
        "danger",
        say("finding.quota", **quota) if quota else say("rollout.blocked", message=shortened(message)),
        object=about,
        evidence=(evidence,),
        causes=(cause,) if cause else (),
        offers=(Offer("scale"),) if quota else (),
    )


def _refusal(scene: Scene) -> tuple[str, Evidence]:
    observed, about = scene.observed, scene.observed.entity.target
    failure = condition(observed.object, "ReplicaFailure")
    if holds(observed.object, "ReplicaFailure"):
        return mask(" ".join(text(failure, "message").split())) or "?", of_condition(about, failure)
    if observed.entity.kind != "Deployment" and _lacks_pods(scene):
        for one in scene.happened("FailedCreate"):
            return one.whole, proof(one.about, "event FailedCreate", one.message)
    return "", proof(about, "", "")


def _lacks_pods(scene: Scene) -> bool:
    observed = scene.observed
    if observed.entity.kind == "Job":
        status = observed.object.get("status")
        return (
            not number(status, "active") and not text(status, "completionTime") and not holds(observed.object, "Failed")
        )
    return sum(not row.ended for row in scene.rows) < wanted_pods(observed.object, observed.entity.kind)


def _webhook_down(name: str, message: str, about: str, evidence: Evidence) -> Finding:
    service = _SERVICE.search(message)
    return Finding(
        "webhook_down",
        "danger",
        say(
            "finding.webhook_down",
            webhook=name,
            service=f"{service[2]}/{service[1]}" if service else "?",
            message=shortened(message),
        ),
        where=name,
        object=about,
        evidence=(evidence,),
        causes=("why.webhook_pods", "why.webhook_network"),
    )


def _quota(observed: Observed, message: str) -> dict[str, str]:
    """The scarcest resource of the quota that is named, in its present numbers where they were read; nothing where the
    message is worded otherwise."""
    found = _QUOTA.search(message)
    if found is None:
        return {}
    asked, used, hard = (_written(part) for part in found.groups()[1:])
    now = next((row for row in observed.quotas if name_of(row) == found[1]), None)
    if now is not None:
        used, hard = {**used, **amounts(now, "status", "used")}, {**hard, **amounts(now, "status", "hard")}
    short = [name for name in asked if name in used and name in hard and used[name] + asked[name] > hard[name]]
    name = next(iter(short or asked), "")
    if name not in used or name not in hard:
        return {}
    return {
        "quota": found[1],
        "resource": name,
        "used": shown(name, used[name]),
        "hard": shown(name, hard[name]),
        "each": shown(name, asked[name]),
    }


def _written(part: str) -> Amounts:
    """`requests.cpu=500m,pods=1` as amounts."""
    pairs = (row.partition("=") for row in part.split(","))
    read = ((name, amount(value)) for name, _, value in pairs)
    return {name: value for name, value in read if value is not None}


CHECKS: tuple[Check, ...] = (creation,)
