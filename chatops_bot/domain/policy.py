"""Who may do what: the rules of the policy file, judged for one person at one moment. Design section 9 and rule 5.

Everything here is pure. What cannot be judged is refused: an unknown action, a broken policy, a person whom
no list names. A list that is empty is nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.freezes import Freeze, Frozen
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import ACTIONS, QUERIES, SlotValue
from chatops_bot.domain.memberships import Membership, accounts_of, kept_outside, why_unread
from chatops_bot.domain.people import People
from chatops_bot.domain.risks import RISKS, Risk
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.scopes import EVERYBODY, READ, Scoped

Role = Literal["read", "request", "confirm", "approve"]
Standing = Literal["file", "missing", "broken"]

_PERSON: Final = "person "
"""So that somebody in the map is never mistaken for a name on the console."""


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """Bounds of what a rule allows. `max_replicas`: the most replicas a plan may ask for, None for no bound."""

    max_replicas: int | None = None


class Rule(Scoped, frozen=True, omit_defaults=True):
    """One rule.

    People are entries: a group, a person of the `people` map (all their accounts), one account as `slack:U…` or
    `slack:T…/U…` (of another organisation), a bare console name, or `*`. `confirm` is nobody where the file leaves it
    out; `approve` None means as `confirm`. `escalate` may approve too, once a plan has waited for `escalate_after`
    seconds. `risk` is the least that its actions count as: the bot's own table may say more, never less.
    """

    request: tuple[str, ...] = (EVERYBODY,)
    confirm: tuple[str, ...] = ()
    approve: tuple[str, ...] | None = None
    approvals: int = 0
    self_approve: bool = False
    limits: Limits = Limits()
    escalate: tuple[str, ...] = ()
    escalate_after: int = 0
    risk: Risk | None = None

    def people(self, role: Role, *, escalated: bool = False) -> tuple[str, ...]:
        """The entries that name who may play this role; reading is asking."""
        if role == "confirm":
            return self.confirm
        if role == "approve":
            approve = self.confirm if self.approve is None else self.approve
            return tuple(dict.fromkeys((*approve, *self.escalate))) if escalated else approve
        return self.request


class Ruling(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the policy says to one person about one action in one role.

    `rule` is the index of the rule that decided, -1 where none did (shown one higher: "rule 3"). `problem` says
    why not. `who` are the entries that name those who could; `approvers` the keys of those who may approve,
    groups and people resolved, or `*`. `approvals` is how many must approve after the confirmation. `people`, `room`
    and `further` rooms tell which accounts are one person's. `next_approvers` are the keys of those who may approve
    once the plan has waited for `escalate_after` seconds; none where the rule names nobody, or it has been escalated
    to them.
    """

    allowed: bool
    rule: int = -1
    problem: Say | None = None
    approvals: int = 0
    self_approve: bool = False
    limits: Limits = Limits()
    who: tuple[str, ...] = ()
    approvers: tuple[str, ...] = ()
    people: People = People()
    room: Room | None = None
    further: tuple[Room, ...] = ()
    next_approvers: tuple[str, ...] = ()
    escalate_after: int = 0
    risk: Risk | None = None

    def person(self, key: str) -> str:
        """Who is behind a user key: the same text for all accounts of one person."""
        owners = (self.people.owner(key, room) for room in (self.room, *self.further))
        name = next((name for name in owners if name), "")
        return f"{_PERSON}{name}" if name else key

    def one_each(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Of each person's accounts the first."""
        first: dict[str, str] = {}
        for key in keys:
            first.setdefault(self.person(key), key)
        return tuple(first.values())

    def raised(self, risk: Risk) -> Risk:
        """What a plan of this risk counts as by the rule."""
        return risk if self.risk is None else max(risk, self.risk, key=RISKS.index)

    def beyond_limits(self, parameters: Mapping[str, SlotValue]) -> Say | None:
        """Why a plan with these resolved parameters goes beyond the rule's limits, or None."""
        most = self.limits.max_replicas
        if most is None:
            return None
        for slot in ("replicas", "min", "max"):
            value = parameters.get(slot, 0)
            if isinstance(value, bool) or not isinstance(value, int):
                return say("policy.limit_unreadable", rule=self.rule + 1, max=most, slot=slot)
            if value > most:
                return say("policy.limit_replicas", rule=self.rule + 1, max=most, asked=value)
        return None


class Policy(msgspec.Struct, frozen=True, omit_defaults=True):
    """The people, groups, rules and freezes in force. `standing`: read from a file, missing, or broken (nothing may
    be written). `outside` are the members of groups that platforms keep, by entry; who cannot be read is nobody.
    `outdated`: the file has been changed since, and cannot be used as it is now; these are the rules of before."""

    groups: dict[str, tuple[str, ...]] = {}
    rules: tuple[Rule, ...] = ()
    standing: Standing = "file"
    people: People = People()
    freezes: tuple[Freeze, ...] = ()
    outside: Mapping[str, Membership] = {}
    outdated: bool = False

    @classmethod
    def open(cls) -> Policy:
        """Everybody but guests may do everything: for a transcript that has no policy."""
        return cls(rules=(Rule(confirm=(EVERYBODY,)),))

    @classmethod
    def closed(cls) -> Policy:
        """There is no policy file: everybody but guests may read, nobody may write."""
        return cls(standing="missing")

    @classmethod
    def broken(cls) -> Policy:
        """The policy file cannot be used: as closed, and said so."""
        return cls(standing="broken")

    def unavailable(self) -> Policy:
        """The file is gone or cannot be read: nothing may be written, and who may read stays as it was."""
        return msgspec.structs.replace(self, standing="broken", outdated=False)

    def judge(
        self, *, action: str, entity: Entity | None, room: Room, user: User, role: Role, escalated: bool = False
    ) -> Ruling:
        """Whether this person may play this role in this action, by the first rule that matches. `escalated`: those
        whom the rule names for when nobody answers have been asked to approve.

        Without a match reading is allowed and everything else refused. A query is reading whatever the role. Where
        the entity is not known, a rule that may match counts if it refuses.
        """
        reading = role == READ or action in QUERIES or action == READ
        if not reading and action not in ACTIONS:
            return Ruling(allowed=False, problem=say("policy.unknown_action", action=action))
        if not reading and self.standing == "broken":
            return self._by_default(action, reading=False, room=room, user=user)
        for number, rule in enumerate(self.rules):
            if not rule.covers_action(action, reading=reading):
                continue
            covered = rule.covers_place(entity, room)
            if covered is False:
                continue
            ruling = self._by_rule(
                number, role=READ if reading else role, action=action, room=room, user=user, escalated=escalated
            )
            if covered or not ruling.allowed:
                return ruling
        return self._by_default(action, reading=reading, room=room, user=user)

    def may_talk(self, room: Room, user: User) -> Ruling:
        """Whether this person may ask anything at all: what is asked about is judged for itself. So a rule that keeps
        them from reading some places and not from others keeps nobody from talking, but for guests and people of other
        organisations."""
        if user.guest or user.foreign:
            return self.judge(action=READ, entity=None, room=room, user=user, role=READ)
        for number, rule in enumerate(self.rules):
            covered = rule.covers_place(None, room) if rule.covers_action(READ, reading=True) else False
            if covered is False:
                continue
            ruling = self._by_rule(number, role=READ, action=READ, room=room, user=user, escalated=False)
            if covered or ruling.allowed:
                return ruling
        return self._by_default(READ, reading=True, room=room, user=user)

    def frozen(self, *, action: str, entity: Entity, room: Room, now: int) -> tuple[Frozen, ...]:
        """The freezes that hold for this write at `now` (ms of wall time)."""
        held = (freeze.holds(action=action, entity=entity, room=room, now=now) for freeze in self.freezes)
        return tuple(frozen for frozen in held if frozen is not None)

    def not_overridden(self, frozen: Iterable[Frozen], *, by: Iterable[str], room: Room) -> Say | None:
        """The first of these freezes that none of these people (user keys) may override, in words. `*` is nobody
        here."""
        keys = frozenset(by)
        for one in frozen:
            entitled = {key_of(entry, room) for entry in self.members(one.override)}
            if entitled.isdisjoint(keys):
                unread = self.unread(one.override)
                if unread is not None:
                    return freeze_line("unread", one, group=unread[0], why=unread[1])
                return freeze_line("only" if entitled else "nobody", one)
        return None

    def freeze_problem(
        self, *, action: str, entity: Entity, room: Room, now: int, by: Iterable[str], reason: str
    ) -> Say | None:
        """Why a freeze that holds at `now` keeps this write from being confirmed, approved or executed by these
        people with this reason, or None."""
        frozen = self.frozen(action=action, entity=entity, room=room, now=now)
        if frozen and not reason.strip():
            return self.not_overridden(frozen, by=by, room=room) or freeze_line("reason", frozen[0])
        return self.not_overridden(frozen, by=by, room=room)

    def members(self, entries: Iterable[str], *, outside: bool = True) -> tuple[str, ...]:
        """The accounts that these entries name, groups and people resolved, sorted; `*` stays. Without `outside`,
        those alone whom the file itself names."""
        named: set[str] = set()
        for entry in entries:
            for member in self.groups.get(entry, (entry,)):
                if not kept_outside(member):
                    named.update(self.people.named_by(member))
                elif outside:
                    named.update(accounts_of(member, self.outside, self.people))
        return tuple(sorted(named))

    def kept_outside(self) -> tuple[str, ...]:
        """Every group of a platform that the groups of the file name, sorted."""
        return tuple(sorted({m for members in self.groups.values() for m in members if kept_outside(m)}))

    def unread(self, entries: Iterable[str]) -> tuple[str, str] | None:
        """The first group among these entries whose members cannot be read, as the file and the platform call it,
        and why; None where all can."""
        for entry in entries:
            found = why_unread(self.groups.get(entry, ()), self.outside)
            if found is not None:
                return f"{entry} ({found[0]})", found[1]
        return None

    def _by_rule(self, number: int, *, role: Role, action: str, room: Room, user: User, escalated: bool) -> Ruling:
        rule = self.rules[number]
        entries = rule.people(role, escalated=escalated)
        outsider = user.guest or user.foreign
        # A guest is let in by whoever keeps the policy, not by whoever keeps a group of the platform.
        named = frozenset(self.members(entries, outside=not outsider))
        allowed = not named.isdisjoint(_entries_for(user, room)) or (EVERYBODY in named and not outsider)
        problem = None
        if not allowed:
            problem = _refusal(number, role=role, action=action, room=room, user=user, entries=entries)
            unread = None if outsider else self.unread(entries)
            if unread is not None:
                problem = say(
                    "policy.unread",
                    rule=number + 1,
                    action=action,
                    group=unread[0],
                    why=unread[1],
                    who=_shown(entries),
                )
            later = frozenset(self.members(rule.people(role, escalated=True), outside=not outsider))
            if not later.isdisjoint(_entries_for(user, room)):
                after = shown_duration(rule.escalate_after)
                problem = say("policy.not_yet", rule=number + 1, action=action, who=_shown(entries), after=after)
        return Ruling(
            allowed=allowed,
            rule=number,
            problem=problem,
            approvals=rule.approvals,
            self_approve=rule.self_approve,
            limits=rule.limits,
            risk=rule.risk,
            who=entries,
            approvers=self._keys(rule.people("approve", escalated=escalated), room),
            people=self.people,
            room=room,
            next_approvers=() if escalated else self._keys(rule.escalate, room),
            escalate_after=0 if escalated else rule.escalate_after,
        )

    def _keys(self, entries: Iterable[str], room: Room) -> tuple[str, ...]:
        return tuple(key_of(entry, room) for entry in self.members(entries))

    def _by_default(self, action: str, *, reading: bool, room: Room, user: User) -> Ruling:
        if user.guest or user.foreign:
            return Ruling(allowed=False, problem=_outsider(action, room=room, user=user))
        if reading:
            return Ruling(allowed=True, who=(EVERYBODY,))
        key = {"file": "policy.no_rule", "missing": "policy.no_file", "broken": "policy.broken"}[self.standing]
        return Ruling(allowed=False, problem=say(key, action=action))


def freeze_line(key: str, frozen: Frozen, **more: str) -> Say:
    """A sentence about a freeze: `freeze.KEY` of the texts, filled."""
    until, why = frozen.until or "?", f" ({frozen.why})" if frozen.why else ""
    return say(f"freeze.{key}", name=f"{frozen.name}{why}", until=until, who=_shown(frozen.override), **more)


def shown_duration(seconds: int) -> str:
    """Seconds as a policy file writes them, in the largest unit that holds them whole: `90s`, `15m`, `2h`."""
    unit, size = next((unit, size) for unit, size in (("h", 3600), ("m", 60), ("s", 1)) if seconds % size == 0)
    return f"{seconds // size}{unit}"


def counted_approvals(ruling: Ruling, *, requester: str, confirmer: str, approvers: Iterable[str]) -> tuple[str, ...]:
    """The approvals (user keys) that count by the rule as it is now: of distinct people, not accounts, whom the rule
    lets approve, neither requester nor confirmer unless it says so."""
    entitled = frozenset(ruling.approvers)
    counted = [key for key in approvers if EVERYBODY in entitled or key in entitled]
    if not ruling.self_approve:
        own = {ruling.person(requester), ruling.person(confirmer)}
        counted = [key for key in counted if ruling.person(key) not in own]
    return ruling.one_each(counted)


def lapsed_approvals(ruling: Ruling, *, requester: str, confirmer: str, approvers: Iterable[str]) -> tuple[str, ...]:
    """Those who approved (user keys, one of each person) and do not count by the rule as it is now."""
    given = ruling.one_each(approvers)
    counted = counted_approvals(ruling, requester=requester, confirmer=confirmer, approvers=given)
    kept = {ruling.person(key) for key in counted}
    return tuple(key for key in given if ruling.person(key) not in kept)


def approvals_missing(ruling: Ruling, *, requester: str, confirmer: str, approvers: Iterable[str]) -> int:
    """How many further people must approve by the rule as it is now. A ruling that refuses always misses one."""
    counted = counted_approvals(ruling, requester=requester, confirmer=confirmer, approvers=approvers)
    return max(0 if ruling.allowed else 1, ruling.approvals - len(counted))


def own_approval(ruling: Ruling, *, requester: str, confirmer: str, approver: str) -> Say | None:
    """Why somebody's approval does not count although the rule names them: it is their own plan."""
    if ruling.self_approve or ruling.person(approver) not in (ruling.person(requester), ruling.person(confirmer)):
        return None
    if EVERYBODY in ruling.who:
        return say("policy.own_approval_anybody", rule=ruling.rule + 1)
    return say("policy.own_approval", rule=ruling.rule + 1, who=_shown(ruling.who))


def entry_for(user: User, room: Room) -> str:
    """What a rule has to say to name this person."""
    return user.full_key if user.foreign and user.tenant != room.tenant else user.key


def key_of(entry: str, room: Room) -> str:
    """The key of the person whom an entry names (`User.key`): without the tenant where it is the room's own."""
    own = f"{room.platform}:{room.tenant}/"
    return f"{room.platform}:{entry.removeprefix(own)}" if entry.startswith(own) else entry


def _entries_for(user: User, room: Room) -> frozenset[str]:
    """Every entry that names this person individually. Ids are unique within a tenant only, so somebody of
    another organisation is never meant by an entry without it."""
    return frozenset((entry_for(user, room), user.full_key))


def _refusal(number: int, *, role: Role, action: str, room: Room, user: User, entries: tuple[str, ...]) -> Say:
    if not entries:
        return say(f"policy.nobody.{role}", rule=number + 1, action=action)
    if user.guest or user.foreign:
        return _outsider(action, room=room, user=user)
    return say(f"policy.only.{role}", rule=number + 1, action=action, who=_shown(entries))


def _outsider(action: str, *, room: Room, user: User) -> Say:
    return say("policy.foreign" if user.foreign else "policy.guest", action=action, entry=entry_for(user, room))


def _shown(entries: Iterable[str]) -> str:
    return ", ".join(entries)
