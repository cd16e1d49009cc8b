"""What an Event in the cluster says, which is kept by others and read by anybody who may list events."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.effects import LeaveNote
from chatops_bot.domain.say import say
from chatops_bot.engine.noting import _text
from tests.unit.engine.test_permits import PLAN


def test_no_secret_of_the_change_gets_into_it() -> None:
    line = say("template.image", container="web", before="reg/web:1", after="https://bot:hunter22@reg/web:2")
    plan = msgspec.structs.replace(PLAN, preview=(line,))
    effect = LeaveNote(
        id="e", thread="t", room=plan.room, token=plan.token, entity=plan.entity, card="c1", outcome="done", by="bob"
    )
    link = "https://chat.example/open?token=is-part-of-the-address"
    said = _text(effect, plan, link)
    assert "hunter22" not in said
    assert "reg/web:2" in said
    assert link in said
