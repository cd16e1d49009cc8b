"""Engines broken on purpose: each must be found out, or the judge sees nothing."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import msgspec

from tests.safety.playing import ROOT


class Mutant(msgspec.Struct, frozen=True):
    """`changes`: file, what stands there, what stands there instead."""

    name: str
    changes: tuple[tuple[str, str, str], ...]
    weights: dict[str, float] = {}
    """What the generator does more often, where the fault shows only then."""
    shows: str = ""
    """Part of what the judge then says."""


CLICKS: Final = "domain/dialogue/clicks.py"
CONFIRMING: Final = "domain/dialogue/confirming.py"
EXECUTION: Final = "engine/execution.py"
GATE: Final = "engine/gate.py"
POLICY: Final = "domain/policy.py"
LEDGER: Final = "adapters/redis/lua/ledger.lua"

_START: Final = """  if p.state == 'executing' then return answer(p.owner == attempt and now < deadline) end
  if p.state == 'prepared' then return answer(false, 'unconfirmed') end
  if p.state ~= 'confirmed' then return answer(false, ended_reason()) end
  if now >= deadline then
    lapse()"""

QUICK: Final = (
    Mutant(
        "any token confirms",
        shows="nobody confirmed it",
        changes=(
            (CLICKS, "(p for p in turn.session.pending if p.token == event.token)", "iter(turn.session.pending)"),
        ),
        weights={"forged": 12},
    ),
    Mutant(
        "the person is not judged",
        shows="may not confirm",
        changes=(
            (
                POLICY,
                "allowed = not named.isdisjoint(_entries_for(user, room)) or (EVERYBODY in named and not outsider)",
                "allowed = True",
            ),
        ),
        weights={"policy": 10},
    ),
    Mutant(
        "the target is not read again",
        shows="was written although",
        changes=((EXECUTION, "changed = drift(live, plan)", "changed = None"),),
        weights={"somebody scales": 20},
    ),
    Mutant(
        "read-only is a word on a card",
        shows="written while read-only",
        changes=(
            (
                GATE,
                'if why:\n            return say("refuse.read_only"',
                'if False:\n            return say("refuse.read_only"',
            ),
            (CONFIRMING, "if turn.world.read_only:", "if False:"),
        ),
        weights={"read only": 12},
    ),
)

DEEP: Final = (
    Mutant(
        "a plan is begun twice",
        shows="was written 2 times",
        changes=(
            (LEDGER, _START, "  if false then\n    lapse()"),
            (EXECUTION, "if _carries(live, plan):\n                return", "if False:\n                return"),
            (EXECUTION, "changed = drift(live, plan)", "changed = None"),
        ),
        weights={"kill at": 20, "doom": 16},
    ),
    Mutant(
        "the target is that of the lock",
        shows="another workload than shown",
        changes=(
            (
                "domain/dialogue/results.py",
                "        action=plan.action,\n        confirmer=",
                "        action=turn.session.lock.entity.workload if turn.session.lock else plan.entity.workload,\n        confirmer=",
            ),
            (
                EXECUTION,
                "        if cluster is None or problem is not None:\n",
                "        plan = msgspec.structs.replace(plan, change=msgspec.structs.replace(plan.change, name=effect.action))\n        if cluster is None or problem is not None:\n",
            ),
            (GATE, "return change is None or change == decode_plan(step.plan).change", "return True"),
        ),
    ),
    Mutant(
        "an unknown outcome is read without being touched first",
        shows="recorded as interrupted and was written",
        changes=(
            (
                EXECUTION,
                "live = await cluster.writer.touch(plan.written, uid=plan.written_uid, permit=permit)",
                "live = await cluster.reader.read(plan.written)",
            ),
        ),
        weights={"doom": 20, "release": 6},
    ),
    Mutant(
        "a write does not say which version it read",
        shows="without uid or resourceVersion",
        changes=(("adapters/kubernetes/writer.py", '{"uid": uid, **version}', '{"uid": uid}'),),
    ),
    Mutant(
        "plans do not expire",
        shows="is left with plans",
        changes=(
            ("domain/dialogue/timers.py", "if until and turn.now >= until:", "if False:"),
            (
                LEDGER,
                "if p.state ~= 'prepared' then return answer(false, ended_reason()) end\n  if now >= deadline then",
                "if p.state ~= 'prepared' then return answer(false, ended_reason()) end\n  if false then",
            ),
        ),
        weights={"time": 16},
    ),
    Mutant(
        "almost is yes",
        shows="nobody confirmed it",
        changes=(
            (CONFIRMING, "if (unclear := _of_something_else(turn, event, meaning)) is not None:", "if False:"),
            (
                "domain/dialogue/messages.py",
                "    route = admissible(state, true_route(meaning))\n",
                "    route = admissible(state, true_route(meaning))\n    route = Route.CONFIRM if route is Route.UNCLEAR and state is State.CONFIRMING else route\n",
            ),
        ),
    ),
    Mutant(
        "a plain yes is enough for what is dangerous",
        shows="nobody confirmed it",
        changes=(
            (
                CONFIRMING,
                "if _high(turn, pending) and not _names(meaning, pending):",
                "if False:",
            ),
        ),
        weights={"yes": 50, "order": 50, "confirm": 2},
    ),
    Mutant(
        "words confirm a plan that is not on the screen yet",
        shows="that no card has shown",
        changes=(("engine/turns.py", "return await self._store.seen(claim, card)", "return True"),),
        weights={"yes": 40, "platform": 16, "freeze at": 6},
    ),
    Mutant(
        "a cancelled plan lives on",
        shows="after it was over",
        changes=(
            (
                "domain/dialogue/clicks.py",
                'requests.drop(turn, pending, "cancelled", say("plan.cancelled", name=_who(turn)))',
                'turn.kill_buttons(pending.token, say("plan.cancelled", name=_who(turn)))',
            ),
        ),
        weights={"button": 16, "stale": 10},
    ),
    Mutant(
        "approvals are not counted",
        shows="approved by",
        changes=(
            (
                GATE,
                "        missing = approvals_missing(\n            ruling, requester=effect.requester, confirmer=effect.user.key, approvers=step.approvals\n        )",
                "        missing = 0",
            ),
            (EXECUTION, 'return say("gate.approvals", count=missing) if missing else None', "return None"),
        ),
        weights={"policy": 10},
    ),
    Mutant(
        "nobody is on record",
        shows="before that is in the audit log",
        changes=(
            (
                EXECUTION,
                "record = gate.record(kind, effect.confirmer.key, plan",
                'record = gate.record("outcome", "", plan',
            ),
        ),
    ),
    Mutant(
        "a failed read is never answered",
        shows="is left",
        changes=(
            (
                "engine/dispatch.py",
                'event = events.encode(result) if result is not None else b""',
                'event = events.encode(result) if result is not None and "problem=None" in repr(result) else b""',
            ),
        ),
    ),
)


def broken_copy(folder: Path, mutant: Mutant) -> Path:
    """A root with a package that has this fault, and these tests. Raises `ValueError` where the source has moved on."""
    shutil.copytree(ROOT / "chatops_bot", folder / "chatops_bot", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tests").symlink_to(ROOT / "tests")
    for file, old, new in mutant.changes:
        path = folder / "chatops_bot" / file
        text = path.read_text()
        if text.count(old) != 1:
            raise ValueError(f"{mutant.name}: {file} has {text.count(old)} times {old!r}")
        path.write_text(text.replace(old, new))
    return folder
