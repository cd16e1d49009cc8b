"""After a change: an Event on its target for whoever looks at the cluster, and the card's link on record.

Work of its own, begun when the outcome is in the ledger and on the card: it delays nothing, and its failure is no
failure of the plan.
"""

from __future__ import annotations

from typing import Final, Literal

import structlog

from chatops_bot.domain import audit
from chatops_bot.domain.dialogue.views import change_of
from chatops_bot.domain.effects import LeaveNote
from chatops_bot.domain.masking import mask
from chatops_bot.domain.notes import PLAN_CHARACTERS, note_of
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.say import say
from chatops_bot.domain.texts import render
from chatops_bot.engine.gate import Gate, decode_plan
from chatops_bot.engine.links import Links
from chatops_bot.engine.outcomes import Wait
from chatops_bot.ports.cluster import ClusterError, ClusterUnavailable, Permit
from chatops_bot.ports.store import AuditLog

log = structlog.get_logger(__name__)

MOST_ATTEMPTS: Final = 4
"""At an API server that does not answer, before the note is given up."""

AGAIN_MS: Final = 5_000

Left = Literal["written", "off", "refused", "failed"]


class Noting:
    """Leaves notes, each once."""

    def __init__(self, gate: Gate, *, links: Links, audit_log: AuditLog) -> None:
        self._gate = gate
        self._links = links
        self._audit = audit_log

    async def run(self, effect: LeaveNote, *, attempts: int) -> None:
        """Raises `Wait` while the API server does not answer and attempts are left."""
        gate = self._gate
        step = await gate.ledger.read(token=effect.token, target=effect.entity.key)
        if not step.plan:
            return
        plan = decode_plan(step.plan)
        message = await gate.store.posted(room=effect.room, thread=effect.thread, card=effect.card)
        link = await self._links.find(effect.token, effect.room, message)
        left = await self._note(effect, plan, link, attempts=attempts)
        if left != "off":
            gate.meter.count("events_noted", result=left)
        if left != "off" or link:
            more = {"link": link, "card": message}
            record = gate.record("outcome", step.by, plan, more, reason=_REASONS[left], event=effect.id)
            await self._audit.append(shard_of=plan.entity.key, record=record)

    async def _note(self, effect: LeaveNote, plan: Plan, link: str, *, attempts: int) -> Left:
        cluster = self._gate.clusters.get(plan.entity.cluster)
        if cluster is None or not cluster.notes:
            return "off"
        note = note_of(plan, _text(effect, plan, link), warning=effect.outcome != "done", at=self._gate.now())
        permit = Permit(token=plan.token, target=plan.entity.key, attempt="note", ended=True)
        try:
            await cluster.writer.note(plan.entity, note, permit=permit)
        except ClusterUnavailable as error:
            if attempts < MOST_ATTEMPTS:
                raise Wait(AGAIN_MS * attempts) from error
            log.warning("event_not_written", token=plan.token, target=plan.entity.key, why=error.message)
            return "failed"
        except (ClusterError, PermissionError) as error:
            log.warning("event_not_written", token=plan.token, target=plan.entity.key, why=str(error))
            return "refused"
        return "written"


_REASONS: Final[dict[Left, str]] = {
    "written": "event written",
    "off": "linked",
    "refused": "event refused",
    "failed": "event not written",
}


def _text(effect: LeaveNote, plan: Plan, link: str) -> str:
    """One line: who, what, which plan, and where it was talked about."""
    language = plan.language
    names = ", ".join(effect.approvers)
    approved = render(say("event.approved", names=names), language) if names else ""
    said = say(
        f"event.{effect.outcome}",
        name=effect.by,
        change=mask(change_of(plan, language)),
        plan=plan.token[:PLAN_CHARACTERS],
        asked=plan.requester_name or plan.requester,
        approved=approved,
        link=link,
    )
    return audit.shortened(render(said, language), audit.SENT_LIMIT)
