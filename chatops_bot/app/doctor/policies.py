"""The policy: whether its rules say what whoever wrote them meant."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from chatops_bot.app.doctor.findings import Finding, bad, ok, warn
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.freezes import Freeze
from chatops_bot.domain.intents import ACTIONS
from chatops_bot.domain.memberships import UNREAD, Membership
from chatops_bot.domain.policy import Policy, Role, Rule, shown_duration
from chatops_bot.domain.scopes import EVERYBODY, PLACES, READS, Scoped

_DECIDE: Final[tuple[Role, ...]] = ("confirm", "approve")
_IDS: Final = {
    "slack": (
        "Slack",
        re.compile(r"slack:(T[A-Z0-9]+/|E[A-Z0-9]+/)?[UW][A-Z0-9]{6,}"),
        "copy the member id from the person's profile; it begins with U or W",
    ),
    "feishu": (
        "Feishu",
        re.compile(r"feishu:([^/\s]+/)?ou_[0-9A-Za-z_-]+"),
        "write the open id as this app knows it, ou_…; `chatops-bot audit list` shows it once they asked for a change",
    ),
}
"""How people's ids look where that can be told: the platform, the form, and where an id is found."""


class Known(msgspec.Struct, frozen=True):
    """What rules can speak of: configured clusters, all entities there are, and whether the console is on; and for how
    long a plan waits for approvals (0: not known)."""

    clusters: frozenset[str]
    entities: tuple[Entity, ...]
    console: bool
    approval_s: int = 0


def on_policy(policy: Policy, known: Known, *, now: int = 0) -> list[Finding]:
    """All findings about the policy at `now` (ms of wall time); one good one where there is none."""
    if policy.standing != "file":
        return [warn("there is no policy, so the bot only reads", "write one (policy or policy_file) to allow changes")]
    found = [
        *_groups(policy),
        *_persons(policy),
        *_people(policy, known),
        *(finding for number, rule in enumerate(policy.rules) for finding in _rule(policy, number, rule, known)),
        *(finding for freeze in policy.freezes for finding in _freeze(policy, freeze, known, now)),
        *_unplaced((*policy.rules, *policy.freezes), known.entities),
    ]
    return found or [ok(f"the policy is sound: {len(policy.rules)} rules")]


def _groups(policy: Policy) -> Iterator[Finding]:
    for name, members in policy.groups.items():
        if not members:
            yield warn(f"the group {name} has no members, so it is nobody", "add people, or remove it")
    for entry in policy.kept_outside():
        membership = policy.outside.get(entry, Membership(problem=UNREAD))
        if membership.problem:
            yield bad(f"who is in {entry} cannot be read: {membership.problem}", "until it can, nobody is in it")
        elif not membership.members:
            yield warn(f"{entry} has no members, so it is nobody", "add people to it on its platform")


def _persons(policy: Policy) -> Iterator[Finding]:
    accounts = policy.people.accounts
    for name, own in accounts.items():
        if not own:
            yield warn(f"the person {name} has no account, so it is nobody", "add accounts, or remove it")
    for entry in dict.fromkeys(_entries(policy)):
        owner = policy.people.owners.get(entry, "")
        if owner not in ("", entry) and len(accounts[owner]) > 1:
            yield warn(
                f"{entry} is one account of {owner}, whose other accounts are not meant by it",
                f"write {owner} to mean them all",
            )


def _entries(policy: Policy) -> list[str]:
    """Every entry of rules, freezes and groups."""
    rules = [
        entry
        for rule in policy.rules
        for entry in (*rule.request, *rule.confirm, *(rule.approve or ()), *rule.escalate)
    ]
    overrides = (entry for freeze in policy.freezes for entry in freeze.override)
    return [*rules, *overrides, *(member for people in policy.groups.values() for member in people)]


def _people(policy: Policy, known: Known) -> Iterator[Finding]:
    accounts = [account for own in policy.people.accounts.values() for account in own]
    named = {*policy.groups, *policy.people.accounts, EVERYBODY} - set(accounts)
    for entry in dict.fromkeys([*_entries(policy), *accounts]):
        if entry in named:
            continue
        if ":" not in entry and not known.console:
            yield warn(
                f"{entry} is no group, so it is a name on the console, which is off",
                "write the group's name as under groups, or a person as slack:U…",
            )
        platform, form, where = _IDS.get(entry.partition(":")[0], ("", None, ""))
        if form is not None and not form.fullmatch(entry):
            yield warn(f"{entry} is no user id of {platform}, so it names nobody", where)


def _rule(policy: Policy, number: int, rule: Rule, known: Known) -> Iterator[Finding]:
    name = f"rule {number + 1}"
    earlier = next((index for index in range(number) if _contains(policy.rules[index], rule)), None)
    if earlier is not None:
        yield warn(
            f"{name} never matches: rule {earlier + 1} comes first and covers all that it does",
            "put the narrower rule first, or remove it",
        )
    for scope, values in _strangers(rule, known).items():
        yield warn(
            f"{name} speaks of {scope} that do not exist: {', '.join(values)}",
            "correct the names; they are compared exactly",
        )
    if not _writes(rule):
        if rule.risk is not None:
            yield warn(f"{name} raises the risk of what only reads", "name the changes that are meant, or remove risk")
        return
    if not policy.members(rule.confirm):
        yield warn(f"{name} lets nobody confirm, so it forbids what it covers", "fill confirm, if that is not meant")
    elif short := _short_of(policy, rule):
        yield bad(f"{name} wants {rule.approvals} approvals, but {short}", "add people to approve, or ask for fewer")
    yield from _escalation(policy, name, rule, known)


def _escalation(policy: Policy, name: str, rule: Rule, known: Known) -> Iterator[Finding]:
    """Whether those asked when nobody answers are other people, and asked in time."""
    if not rule.escalate:
        return
    approve = _persons_of(policy, rule.people("approve"))
    if EVERYBODY in approve or _persons_of(policy, rule.escalate) <= approve:
        yield warn(f"{name} escalates to nobody who may not approve at once", "name other people in escalate")
    if known.approval_s and rule.escalate_after >= known.approval_s:
        yield bad(
            f"{name} escalates after {shown_duration(rule.escalate_after)}, when the plan has expired",
            "make escalate_after shorter than timeouts.approval_s",
        )


def _freeze(policy: Policy, freeze: Freeze, known: Known, now: int) -> Iterator[Finding]:
    name = f"the freeze {freeze.name}"
    for scope, values in _strangers(freeze, known).items():
        yield warn(
            f"{name} speaks of {scope} that do not exist: {', '.join(values)}",
            "correct the names; they are compared exactly",
        )
    override = _persons_of(policy, freeze.override)
    confirm = {person for rule in policy.rules for role in _DECIDE for person in _persons_of(policy, rule.people(role))}
    if not override:
        yield warn(f"{name} names nobody who may override it", "fill override, if nothing at all is to change in it")
    elif EVERYBODY not in confirm and not override & confirm:
        yield warn(
            f"no rule lets those confirm or approve who may override {name.removeprefix('the ')}",
            "name them in a rule too: a freeze takes rights away and gives none",
        )
    span = freeze.window.open_at(now)
    if span is not None:
        until = freeze.window.shown(span.ends) or "nobody can tell when"
        yield warn(f"{name} is on until {until}", "nothing, if that is meant")
    elif not freeze.window.next_after(now):
        yield warn(f"{name} is over and does not come again", "remove it, or give it its next time")


def _short_of(policy: Policy, rule: Rule) -> str:
    """Why there can never be enough approvals. The confirmer, at least, is not among those who approve."""
    approvers = _persons_of(policy, rule.people("approve", escalated=True))
    if EVERYBODY in approvers or not rule.approvals:
        return ""
    confirmers = _persons_of(policy, rule.confirm)
    inevitable = 0 if rule.self_approve or not confirmers <= approvers else 1
    left = len(approvers) - inevitable
    return "" if left >= rule.approvals else f"only {left} of those who may approve can be further people"


def _persons_of(policy: Policy, entries: Iterable[str]) -> set[str]:
    """The people behind entries, each once."""
    return {policy.people.owners.get(account, account) for account in policy.members(entries)}


def _strangers(rule: Scoped, known: Known) -> Mapping[str, list[str]]:
    """Names in the rule's scopes that nothing bears."""
    bearers: dict[str, Collection[str]] = {"clusters": known.clusters}
    if known.entities:
        bearers |= {
            "environments": {entity.environment for entity in known.entities},
            "namespaces": {entity.namespace for entity in known.entities},
            "services": {name for entity in known.entities for name in (entity.name, entity.key)},
        }
    strange = {}
    for scope, names in bearers.items():
        folded = {name.casefold() for name in names}
        unknown = [
            entry for entry in getattr(rule, scope) or () if entry != EVERYBODY and entry.casefold() not in folded
        ]
        if unknown:
            strange[scope] = unknown
    return strange


def _unplaced(rules: Sequence[Scoped], entities: Iterable[Entity]) -> Iterator[Finding]:
    if not any(rule.environments for rule in rules):
        return
    nowhere = sorted({entity.name for entity in entities if not entity.environment and entity.kind != "Node"})
    if nowhere:
        shown = ", ".join(nowhere[:5]) + (" …" if len(nowhere) > 5 else "")
        yield warn(
            f"{len(nowhere)} services have no environment, so nothing said by environment speaks of them: {shown}",
            "set environment of the cluster or in the catalog",
        )


def _contains(wide: Rule, narrow: Rule) -> bool:
    """Whether every case of one rule is a case of the other."""
    return _actions(narrow) <= _actions(wide) and all(
        _covers(getattr(wide, scope), getattr(narrow, scope)) for scope in PLACES
    )


def _covers(wide: tuple[str, ...] | None, narrow: tuple[str, ...] | None) -> bool:
    if wide is None or EVERYBODY in wide:
        return True
    if narrow is None or EVERYBODY in narrow:
        return False
    return {entry.casefold() for entry in narrow} <= {entry.casefold() for entry in wide}


def _actions(rule: Rule) -> frozenset[str]:
    """Everything that the rule's `actions` mean."""
    named = (EVERYBODY,) if rule.actions is None else rule.actions
    meant = {action for action in named if action != EVERYBODY}
    if EVERYBODY in named:
        meant |= set(ACTIONS)
    return frozenset(meant | set(READS) if "read" in meant else meant)


def _writes(rule: Rule) -> bool:
    return not _actions(rule) <= set(READS)
