"""What waits is always on the newest card, and a plan that was not carried out is told with its reason."""

from __future__ import annotations

from chatops_bot.domain.cards import Card
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.effects import Execute, Prepare
from chatops_bot.domain.events import Executed, Lost
from chatops_bot.domain.intents import Route, State
from chatops_bot.domain.policy import Policy, Rule
from chatops_bot.domain.say import say
from chatops_bot.domain.scopes import EVERYBODY
from tests.unit.domain.dialogue.talk import WEB, Talk, act, user

PLAN = ["confirm", "cancel", "modify"]


def newest(talk: Talk) -> Card:
    return talk.cards[f"c{talk.session.cards}"]


def buttons(card: Card) -> list[str]:
    return [button.id for button in card.buttons]


def carrying(talk: Talk) -> list[str]:
    return [card_id for card_id, card in talk.cards.items() if "confirm" in buttons(card)]


def test_a_refused_button_leaves_the_plan_on_the_newest_card() -> None:
    talk = Talk()
    talk.plan()
    talk.click("bob", "explode")
    assert buttons(newest(talk)) == PLAN
    assert carrying(talk) == [f"c{talk.session.cards}"]


def test_a_rejection_that_is_refused_leaves_the_buttons_of_the_approval() -> None:
    policy = Policy(rules=(Rule(confirm=(EVERYBODY,), approve=("console:carol",), approvals=1),))
    talk = Talk(policy=policy)
    talk.plan()
    talk.click("alice", "confirm")
    talk.judged(missing=1)
    talk.click("alice", "reject")
    assert talk.state is State.APPROVING
    assert buttons(newest(talk)) == ["approve", "reject", "cancel"]


def test_a_question_that_waits_is_repeated_below_a_refusal() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale"), text="scale it")
    offered = buttons(newest(talk))
    talk.click("bob", "explode", token="")
    assert buttons(newest(talk)) == offered
    assert offered[-1] == "cancel"


def test_a_plan_that_could_not_be_confirmed_is_shown_again_below_what_came_after_it() -> None:
    talk = Talk()
    talk.plan()
    shown = f"c{talk.session.cards}"
    talk.say("bob", Route.ASK, act("logs"), via_card=True)
    talk.queried()
    talk.click("alice", "confirm")
    talk.judged(ok=False)
    assert carrying(talk) == [f"c{talk.session.cards}"]
    assert "below" in talk.cards[shown].title


def executed(outcome: str, problem: str) -> Decision:
    talk = Talk()
    talk.plan()
    talk.click("bob", "confirm")
    talk.judged()
    effect = talk.take(Execute)
    assert isinstance(effect, Execute)
    event = Executed(effect=effect.id, token=effect.token, outcome=outcome, problem=say(problem) if problem else None)
    return talk.event(event)


def test_a_confirmed_plan_that_was_refused_is_recorded_with_its_confirmer() -> None:
    decision = executed("refused", "gate.replaced")
    refusals = [record for record in decision.audit if record.kind == "refusal"]
    assert [(record.user, record.reason, record.action) for record in refusals] == [
        (user("bob").key, "gate.replaced", "scale")
    ]


def test_what_was_done_or_is_unknown_is_no_refusal() -> None:
    for outcome in ("done", "unknown", "interrupted"):
        assert [record.kind for record in executed(outcome, "").audit if record.kind == "refusal"] == []


def lost(who: str = "bob") -> Talk:
    """The write of a confirmed plan was sent, and then contact was lost."""
    talk = Talk()
    talk.plan()
    talk.click(who, "confirm")
    talk.judged()
    effect = talk.take(Execute)
    assert isinstance(effect, Execute)
    assert not effect.lost
    talk.event(Lost(effect=effect.id, token=effect.token, why="no answer"))
    return talk


def test_a_lost_write_is_told_at_once_and_looked_into_further() -> None:
    talk = lost()
    card = newest(talk)
    assert "not known yet" in card.title
    assert "no answer" in card.text()
    assert "It is not sent again" in card.text()
    assert card.buttons == ()
    assert talk.state is State.EXECUTING
    (effect,) = [effect for effect in talk.work if isinstance(effect, Execute)]
    assert effect.lost
    assert effect.confirmer == user("bob")
    talk.executed("done")
    assert "Done" in newest(talk).title


def test_contact_lost_by_a_plan_that_has_ended_meanwhile_says_nothing() -> None:
    talk = lost()
    token = talk.session.pending[0].token
    talk.executed("done")
    before = newest(talk)
    decision = talk.event(Lost(effect="late", token=token, why="no answer"))
    assert not decision.work
    assert newest(talk) == before


def digression(policy: Policy | None = None) -> Talk:
    """A plan with an answer below it, confirmed by the buttons of that answer."""
    talk = Talk(policy=policy)
    talk.plan()
    talk.say("bob", Route.ASK, act("logs"), via_card=True)
    talk.queried()
    talk.click("alice", "confirm")
    return talk


def test_an_approval_is_asked_for_below_what_came_after_the_plan() -> None:
    talk = digression(Policy(rules=(Rule(confirm=(EVERYBODY,), approve=("carol",), approvals=1),)))
    talk.judged(missing=1)
    assert buttons(newest(talk)) == ["approve", "reject", "cancel"]


def test_the_outcome_is_told_below_what_came_after_the_plan() -> None:
    talk = digression()
    talk.judged()
    talk.executed()
    assert newest(talk).title.startswith("Done: ")
    assert "undo" in buttons(newest(talk))


def test_a_better_action_takes_the_place_of_the_plan_only_once_it_is_asked_for() -> None:
    talk = Talk()
    talk.plan()
    old = talk.token
    talk.click("alice", "set_autoscaler", value="min=6 max=8 no-such/entity/at/all")
    assert (talk.state, talk.token) == (State.CONFIRMING, old)
    talk.click("alice", "set_autoscaler", token="none-of-these", value=f"min=6 max=8 {WEB.key}")
    assert (talk.state, talk.token) == (State.CONFIRMING, old)
    done = talk.click("alice", "set_autoscaler", value=f"min=6 max=8 extra=3 min2=x max=-1 {WEB.key}")
    (wanted,) = [effect for effect in done.work if isinstance(effect, Prepare)]
    assert (wanted.action, wanted.slots) == ("set_autoscaler", {"min": 6, "max": 8})
    assert [ended.outcome for ended in talk.session.ended] == ["superseded"]


def test_a_better_action_that_is_refused_leaves_the_plan() -> None:
    policy = Policy(rules=(Rule(actions=("set_autoscaler",), request=()), Rule(confirm=(EVERYBODY,))))
    talk = Talk(policy=policy)
    talk.plan()
    old = talk.token
    talk.click("alice", "set_autoscaler", value=f"min=6 max=8 {WEB.key}")
    assert (talk.state, talk.token, talk.session.ended) == (State.CONFIRMING, old, ())
