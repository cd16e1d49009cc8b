"""The card of a watched service: a diagnosis card that says that nobody has sent an alert."""

from __future__ import annotations

from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.events import Alert, AlertGroup
from tests.unit.domain.dialogue.talk import ROOM, WEB, Talk


def told(talk: Talk, *, firing: bool) -> Decision:
    alert = Alert(fingerprint="crash_loop", firing=firing, name="web: a container keeps crashing", summary="held")
    return talk.event(
        AlertGroup(
            id=f"care:1:{firing}",
            room=ROOM,
            group="care:1",
            alerts=(alert,),
            service=WEB.key,
            firing=int(firing),
            resolved=int(not firing),
        )
    )


def test_it_is_noticed_and_gone_again_on_the_same_card() -> None:
    talk = Talk()
    ((card, first),) = told(talk, firing=True).cards
    assert first.title == "Noticed: web: a container keeps crashing"
    assert talk.session.lock is not None
    assert talk.session.lock.entity == WEB
    assert len(talk.work) == 1
    ((again, last),) = told(talk, firing=False).cards
    assert (again, last.title, last.tone) == (card, "Gone again: web: a container keeps crashing", "ok")
    assert talk.session.archived
