"""A runbook step by step: what each step shows and does, and that it never confirms anything."""

from __future__ import annotations

import datetime

import msgspec
import pytest

from chatops_bot.adapters.runbooks.loading import packaged
from chatops_bot.domain.cards import Card
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.effects import Judge, Prepare, Query
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Queried
from chatops_bot.domain.intents import Quantity, Route, State
from chatops_bot.domain.policy_file import parse
from chatops_bot.domain.reports import Cited, Report
from chatops_bot.domain.runbooks import Answer, Runbook, Runbooks, Step, Texts
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Summary, Walk
from tests.unit.domain.dialogue.talk import API, NOW, WEB, Talk, act

LOOK, ASK, SCALE, SAY = 0, 1, 2, 3


def both(text: str) -> Texts:
    return Texts(zh=f"{text}（中）", en=text)


def book(id_: str, *steps: Step) -> Runbook:
    return Runbook(
        id=id_,
        title=both(f"About {id_}"),
        steps=steps,
        verification=both("It is well"),
        back=both("Undo it"),
        owner="SRE",
        reviewed=datetime.date(2026, 1, 1),
    )


FULL = book(
    "area/full",
    Step(kind="query", texts=both("Ready pods"), intent="logs", slots={"previous": True, "tail": 20}),
    Step(
        kind="ask",
        texts=both("Is it load?"),
        answers=(Answer(both("Yes, load")), Answer(both("No, not load"), goto="tell")),
    ),
    Step(kind="action", texts=both("Share the load"), intent="scale", slots={"replicas": "+2"}, goto="tell"),
    Step(kind="say", texts=both("Tell the owner"), id="tell"),
)
TALK = book("area/talk", Step(kind="say", texts=both("Call them")), Step(kind="say", texts=both("Write it down")))


def talk(*books: Runbook) -> Talk:
    made = Talk()
    made.world = msgspec.structs.replace(made.world, runbooks=Runbooks(books or (FULL, TALK)))
    return made


def walk_of(made: Talk) -> Walk:
    assert made.session.walk is not None
    return made.session.walk


def newest(made: Talk) -> Card:
    return made.cards[f"c{made.session.cards}"]


def buttons(made: Talk) -> dict[str, str]:
    return {button.id: button.value for button in newest(made).buttons}


def words(made: Talk, text: str, who: str = "alice", *, addressed: bool = True, via_card: bool = False) -> Decision:
    return made.say(who, Route.CHAT, text=text, addressed=addressed, via_card=via_card)


def press(made: Talk, move: str, who: str = "alice", value: str | None = None) -> Decision:
    carried = buttons(made)[f"walk:{move}"] if value is None else value
    return made.click(who, f"walk:{move}", token="", value=carried)


def begun(target: Entity | None = WEB, *, id_: str = "area/full") -> Talk:
    """The first step of a runbook is on the screen."""
    made = talk()
    if target is not None:
        made.say("alice", Route.QUERY, act("status", target), text=f"status of {target.name}")
        made.queried()
    made.click("alice", "walk:start", token="", value=id_)
    if id_ == "area/full":
        made.queried()
    return made


def at(position: int) -> Talk:
    made = begun()
    for _ in range(min(position, 1)):
        words(made, "next")
    if position >= SCALE:
        words(made, "yes" if position == SCALE else "no")
    assert walk_of(made).position == position
    return made


def test_a_step_that_looks_is_run_on_the_locked_service_and_says_what_to_see() -> None:
    made = talk()
    made.say("alice", Route.QUERY, act("status", WEB), text="status of web")
    made.queried()
    made.click("alice", "walk:start", token="", value="area/full")
    query = made.take(Query)
    assert isinstance(query, Query)
    assert (query.intent, query.entity, query.slots) == ("logs", WEB, {"previous": True, "tail": 20})
    made.event(Queried(effect=query.id, report=Report("logs", NOW, say("answer.thanks"), WEB)))
    text = newest(made).text()
    assert "Runbook “About area/full”, step 1 of 4" in text
    assert "What to see: Ready pods" in text
    assert next(iter(buttons(made))) == "walk:next"


def test_a_query_that_fails_does_not_hold_it_up() -> None:
    made = talk()
    made.say("alice", Route.QUERY, act("status", WEB), text="status of web")
    made.queried()
    made.click("alice", "walk:start", token="", value="area/full")
    effect = made.take(Query)
    made.event(Queried(effect=effect.id, problem=say("answer.no_cluster", cluster="east")))
    assert "step 1 of 4" in newest(made).text()
    words(made, "next")
    assert "Is it load?" in newest(made).text()


def test_a_runbook_that_only_tells_needs_no_service() -> None:
    made = begun(None, id_="area/talk")
    assert "Call them" in newest(made).text()
    assert made.state is State.FOLLOW_UP
    words(made, "ok")
    assert "Write it down" in newest(made).text()
    words(made, "下一步")
    assert "Runbook finished" in newest(made).text() or "预案走完了" in newest(made).text()
    assert made.session.walk is None


def test_the_service_is_asked_for_where_it_is_needed_and_then_it_begins() -> None:
    made = talk()
    made.click("alice", "walk:start", token="", value="area/full")
    assert "service:web" in buttons(made)
    made.click("alice", "service:web", token="")
    assert made.state is State.FOLLOW_UP
    assert walk_of(made).entity == WEB
    assert made.session.lock is not None
    assert made.session.lock.entity == WEB


def test_an_answer_is_a_button_or_words_and_leads_where_it_says() -> None:
    made = at(ASK)
    assert [id_ for id_ in buttons(made) if "answer" in id_] == ["walk:answer-1", "walk:answer-2"]
    press(made, "answer-2")
    assert walk_of(made).position == SAY
    words(made, "back")
    assert walk_of(made).position == ASK
    words(made, "Yes, load")
    assert walk_of(made).position == SCALE


@pytest.mark.parametrize("text", ["next", "ok", "skip", "好", "下一步"])
def test_a_question_is_not_passed_over(text: str) -> None:
    made = at(ASK)
    words(made, text)
    assert walk_of(made).position == ASK
    assert "Is it load?" in newest(made).text()


def test_a_forged_answer_is_none() -> None:
    made = at(ASK)
    for move in ("answer-9", "answer-0", "answer-x", "answer"):
        press(made, move, value=buttons(made)["walk:answer-1"])
        assert walk_of(made).position == ASK


@pytest.mark.parametrize("how", ["button", "words"])
def test_an_action_becomes_a_plan_that_waits(how: str) -> None:
    made = at(SCALE)
    press(made, "do", "bob") if how == "button" else words(made, "do it", "bob")
    effect = made.take(Prepare)
    assert isinstance(effect, Prepare)
    assert (effect.action, effect.entity, effect.user.id) == ("scale", WEB, "bob")
    assert effect.slots == {"replicas": Quantity("by", 2)}
    assert made.state is State.CONFIRMING
    assert not made.work


@pytest.mark.parametrize("text", ["next", "ok", "好", "好的", "done", "继续", "skip", "back"])
def test_what_could_be_meant_for_the_runbook_confirms_no_plan(text: str) -> None:
    made = at(SCALE)
    words(made, "do it")
    made.prepared()
    made.say("alice", Route.CONFIRM, text=text, affirmative=True)
    assert not [effect for effect in made.work if isinstance(effect, Judge)]
    assert made.state is State.CONFIRMING
    assert walk_of(made).position == SCALE
    assert "confirm" in buttons(made)
    assert "it confirmed nothing" in newest(made).text()


@pytest.mark.parametrize("text", ["confirm", "yes", "do it", "go ahead", "确认"])
def test_what_agrees_to_the_plan_goes_by_the_rules_of_confirming(text: str) -> None:
    made = at(SCALE)
    press(made, "do")
    made.prepared()
    made.say("alice", Route.CONFIRM, text=text, affirmative=True)
    made.take(Judge)


@pytest.mark.parametrize("move", ["next", "skip", "back", "do"])
def test_no_button_moves_it_while_a_plan_waits(move: str) -> None:
    made = at(SCALE)
    mark = buttons(made)["walk:do"]
    press(made, "do")
    made.prepared()
    press(made, move, value=mark)
    assert walk_of(made).position == SCALE
    assert len(made.session.pending) == 1
    assert "confirm" in buttons(made)


def test_agreeing_to_a_step_with_an_action_does_not_do_it() -> None:
    made = at(SCALE)
    words(made, "ok")
    assert walk_of(made).position == SCALE
    assert not made.work
    words(made, "next")
    assert walk_of(made).position == SAY
    assert not made.work


def test_do_it_means_nothing_where_there_is_nothing_to_do() -> None:
    made = at(ASK)
    words(made, "do it")
    assert walk_of(made).position == ASK
    assert not made.work
    press(made, "do", value=buttons(made)["walk:answer-1"])
    assert not made.work


def test_the_plan_that_was_dropped_leaves_the_step_where_it_was() -> None:
    made = at(SCALE)
    words(made, "do it")
    made.prepared()
    made.say("alice", Route.CANCEL, text="cancel")
    assert not made.session.pending
    assert walk_of(made).position == SCALE
    assert "walk:do" in buttons(made)


def executed(made: Talk, outcome: str = "done") -> Decision:
    press(made, "do")
    made.prepared()
    made.click("bob", "confirm")
    made.judged()
    return made.executed(outcome)


def test_after_its_action_the_session_ends_and_the_runbook_goes_on_from_the_summary() -> None:
    made = at(SCALE)
    decision = executed(made)
    assert made.state is State.ARCHIVED
    assert decision.summary is not None
    assert decision.summary.walk is not None
    assert (decision.summary.walk.position, decision.summary.walk.by) == (SAY, "bob")
    outcome = next(card for _, card in decision.cards if any(button.id == "undo" for button in card.buttons))
    [go_on] = [button for button in outcome.buttons if button.id == "walk:on"]
    assert go_on.label == "Go on: step 4 of 4"
    anew = reopened(decision.summary)
    anew.event_click("carol", "walk:on", go_on.value)
    assert "Tell the owner" in newest(anew).text()


class Anew(Talk):
    """A thread that goes on with a card."""

    summary: Summary

    def event_click(self, who: str, button: str, value: str) -> Decision:
        self._once()
        return self.click(who, button, token="", value=value)

    def event_words(self, who: str, text: str) -> Decision:
        self._once()
        return words(self, text, who, via_card=True)

    def _once(self) -> None:
        original, summary = self.event, self.summary

        def event(*args: object, **more: object) -> Decision:
            self.event = original  # type: ignore[method-assign]
            return original(*args, **more, beside=summary)  # type: ignore[arg-type]

        self.event = event  # type: ignore[method-assign]


def reopened(summary: Summary) -> Anew:
    anew = Anew()
    anew.world = msgspec.structs.replace(anew.world, runbooks=Runbooks((FULL, TALK)))
    anew.session = msgspec.structs.replace(anew.session, thread="t2", owner="")
    anew.summary = summary
    return anew


@pytest.mark.parametrize("text", ["next", "ok", "好的"])
def test_in_words_it_goes_on_at_the_next_step_and_passes_none_over(text: str) -> None:
    decision = executed(at(SCALE))
    assert decision.summary is not None
    anew = reopened(decision.summary)
    anew.event_words("alice", text)
    assert walk_of(anew).position == SAY
    assert walk_of(anew).shown
    assert made_text(anew).endswith("where was I, stop the runbook") or "Tell the owner" in made_text(anew)


def made_text(made: Talk) -> str:
    return newest(made).text()


def test_what_may_not_have_been_done_is_not_left() -> None:
    decision = executed(at(SCALE), "unknown")
    assert decision.summary is not None
    assert decision.summary.walk is not None
    assert decision.summary.walk.position == SCALE


def test_another_action_than_that_of_the_step_is_no_step() -> None:
    made = at(SCALE)
    made.say("alice", Route.ACT, act("restart", WEB), text="restart web")
    made.prepared()
    made.click("bob", "confirm")
    made.judged()
    decision = made.executed()
    assert decision.summary is not None
    assert decision.summary.walk is not None
    assert decision.summary.walk.position == SCALE


def test_a_question_in_between_is_answered_and_the_step_repeated() -> None:
    made = at(ASK)
    made.say("bob", Route.QUERY, act("events"), text="events?")
    made.queried()
    assert "step 2 of 4: Is it load?" in made_text(made)
    assert "walk:answer-2" in buttons(made)
    press(made, "answer-2", "bob")
    assert walk_of(made).position == SAY


def test_a_button_of_another_step_says_where_it_is() -> None:
    made = at(ASK)
    stale = buttons(made)["walk:answer-1"]
    press(made, "answer-2")
    refused = press(made, "answer-1", "bob", value=stale)
    assert walk_of(made).position == SAY
    assert "belongs to another step" in made_text(made)
    assert "Tell the owner" in made_text(made)
    assert [record.reason for record in refused.audit if record.kind == "refusal"] == ["stale"]


def test_a_button_of_a_runbook_that_is_over_offers_to_begin_it() -> None:
    made = at(ASK)
    mark = buttons(made)["walk:answer-1"]
    words(made, "stop the runbook")
    assert made.session.walk is None
    press(made, "answer-1", value=mark)
    assert "No runbook is under way" in made_text(made)
    assert buttons(made)["walk:start"] == "area/full"


@pytest.mark.parametrize("text", ["stop the runbook", "stop", "算了", "never mind"])
def test_it_is_stopped_in_words(text: str) -> None:
    made = at(ASK)
    words(made, text)
    assert made.session.walk is None
    assert "ended at step 2 of 4" in made_text(made) or "停在第 2/4 步" in made_text(made)


def test_stopping_it_leaves_the_plan_that_waits_and_cancelling_the_plan_leaves_it() -> None:
    made = at(SCALE)
    press(made, "do")
    made.prepared()
    words(made, "stop the runbook")
    assert made.session.walk is None
    assert len(made.session.pending) == 1
    assert "confirm" in buttons(made)


def test_where_it_is_runs_nothing_again() -> None:
    made = begun()
    words(made, "where was I?")
    assert not made.work
    assert "step 1 of 4" in made_text(made)
    press(made, "on")
    assert isinstance(made.take(Query), Query)


def test_another_service_ends_it_with_a_word() -> None:
    made = at(ASK)
    made.say("alice", Route.QUERY, act("status", API), text="status of api")
    made.queried()
    assert made.session.walk is None
    assert "was walked for web (prod); it ends at step 2" in made_text(made)


def test_the_same_service_named_again_does_not() -> None:
    made = at(ASK)
    made.say("alice", Route.QUERY, act("status", WEB), text="status of web")
    assert walk_of(made).position == ASK


def test_another_runbook_takes_its_place_and_the_same_one_does_not_begin_anew() -> None:
    made = at(ASK)
    made.click("alice", "walk:start", token="", value="area/full")
    assert walk_of(made).position == ASK
    assert "under way already" in made_text(made)
    made.click("alice", "walk:start", token="", value="area/talk")
    assert walk_of(made).runbook == "area/talk"
    assert "“About area/full” ends at step 2" in made_text(made)


@pytest.mark.parametrize("left", [0, 3])
def test_a_runbook_that_was_removed_or_has_other_steps_is_said(left: int) -> None:
    made = at(ASK)
    books = (msgspec.structs.replace(FULL, steps=FULL.steps[:left]),) if left else (TALK,)
    made.world = msgspec.structs.replace(made.world, runbooks=Runbooks(books))
    words(made, "next")
    assert made.session.walk is None
    assert ("was changed meanwhile (4 steps, now 3)" if left else "removed or renamed") in made_text(made)


def test_a_runbook_with_other_words_and_as_many_steps_goes_on() -> None:
    made = at(ASK)
    steps = (*FULL.steps[:SAY], msgspec.structs.replace(FULL.steps[SAY], texts=both("Call the owner")))
    changed = Runbooks((msgspec.structs.replace(FULL, steps=steps),))
    made.world = msgspec.structs.replace(made.world, runbooks=changed)
    words(made, "No, not load")
    assert "Call the owner" in made_text(made)


def test_below_a_card_words_count_while_nobody_else_has_written_since_the_step() -> None:
    made = begun(None, id_="area/talk")
    words(made, "i will call them", "bob", addressed=False, via_card=True)
    words(made, "ok", addressed=False, via_card=True)
    assert walk_of(made).position == 0
    words(made, "ok", addressed=True, via_card=True)
    assert walk_of(made).position == 1
    words(made, "done", addressed=False, via_card=True)
    assert made.session.walk is None


def test_an_answer_to_the_question_needs_no_mention_by_whom_it_asks() -> None:
    made = at(ASK)
    assert words(made, "No, not load", "bob", addressed=False).ignored
    assert words(made, "next", addressed=False).ignored
    assert walk_of(made).position == ASK
    assert not words(made, "No, not load", addressed=False).ignored
    assert walk_of(made).position == SAY


def test_who_takes_each_step_is_on_record_and_on_its_card() -> None:
    made = at(ASK)
    card = f"c{made.session.cards}"
    decision = press(made, "answer-2", "bob")
    [record] = [record for record in decision.audit if record.reason == "runbook step"]
    assert (record.user, record.text) == ("bob", "area/full 2/4: No, not load")
    assert "✓ bob: No, not load" in made.cards[card].text()
    assert not made.cards[card].buttons
    assert walk_of(made).by == "bob"


def test_each_step_is_in_the_timeline_of_the_incident() -> None:
    made = at(ASK)
    made.session = msgspec.structs.replace(made.session, incident="inc-20260101-1")
    decision = press(made, "answer-2", "bob")
    [change] = decision.incidents
    [entry] = [entry for entry in change.entries if entry.kind == "runbook"]
    assert entry.said == say("incident.entry.walk", id="area/full", number=2, count=4, how="No, not load")
    assert (entry.name, entry.runbooks) == ("bob", ("area/full",))
    assert change.id == "inc-20260101-1"


def test_it_is_cited_when_it_begins() -> None:
    made = talk()
    decision = made.click("alice", "walk:start", token="", value="area/talk")
    assert decision.cited == decision.session.cited_runbooks == ("area/talk",)


def test_handed_off_it_stands_still_and_is_told_to_whoever_takes_over() -> None:
    made = at(ASK)
    made.say("alice", Route.HAND_OFF, text="get a human")
    assert "stands at step 2 of 4" in made_text(made)
    made.say("bob", Route.NOTE, text="Yes, load")
    assert walk_of(made).position == ASK
    made.say("bob", Route.RESUME, text="resume")
    assert "Is it load?" in made_text(made)
    made.click("bob", "hand_off")
    assert "stands at step 2 of 4" in made_text(made)


def test_it_lives_as_long_as_a_question() -> None:
    made = at(ASK)
    made.timer(made.world.timing.idle_s + 1)
    assert not made.session.archived
    decision = made.timer(made.world.timing.collecting_s)
    assert made.state is State.ARCHIVED
    assert decision.summary is not None
    anew = reopened(decision.summary)
    anew.event_words("alice", "No, not load")
    assert walk_of(anew).position == SAY


def test_who_may_not_look_at_the_service_is_told_and_sees_nothing() -> None:
    made = begun()
    rules = parse({"rules": [{"actions": ["logs"], "request": [], "confirm": []}]})
    made.world = msgspec.structs.replace(made.world, policy=rules)
    press(made, "stop", value=buttons(made)["walk:next"])
    made.click("alice", "walk:start", token="", value="area/full")
    assert not made.work
    assert "Not done" in made_text(made) or "rule" in made_text(made)


def asked_for(made: Talk, text: str, who: str = "alice") -> Decision:
    return made.say(who, Route.QUERY, act("runbook"), text=text)


def test_one_that_is_named_begins_at_once() -> None:
    made = talk()
    asked_for(made, "walk me through area/talk")
    assert walk_of(made).runbook == "area/talk"
    assert not made.work


def test_it_is_the_one_that_was_shown_last() -> None:
    made = talk()
    made.click("alice", "runbook", token="", value="area/talk")
    assert buttons(made)["walk:start"] == "area/talk"
    asked_for(made, "walk me through it")
    assert walk_of(made).runbook == "area/talk"


def hits(*books: Runbook) -> Report:
    return Report(
        "runbook",
        NOW,
        say("runbook.found", count=len(books)),
        cited=tuple(one.id for one in books),
        runbooks=tuple(Cited(one.id, titles={"en": one.title.en}) for one in books),
    )


def test_of_several_that_were_shown_one_is_chosen() -> None:
    made = talk()
    asked_for(made, "what about load?")
    made.event(Queried(effect=made.take(Query).id, report=hits(TALK, FULL)))
    asked_for(made, "start the runbook")
    assert made.session.walk is None
    assert [button.value for button in newest(made).buttons] == ["area/talk", "area/full"]


def test_the_best_that_is_found_begins_and_the_others_are_offered() -> None:
    made = talk()
    asked_for(made, "walk me through the calls runbook")
    effect = made.take(Query)
    assert isinstance(effect, Query)
    assert effect.slots == {"text": "the calls runbook"}
    decision = made.event(Queried(effect=effect.id, report=hits(TALK, FULL)))
    assert walk_of(made).runbook == "area/talk"
    assert decision.cited == ("area/talk",)
    [(_, first), (_, second)] = decision.cards
    assert [button.value for button in first.buttons] == ["area/full"]
    assert "Call them" in second.text()


def test_where_none_is_found_that_is_said() -> None:
    made = talk()
    asked_for(made, "walk me through the coffee machine")
    made.event(Queried(effect=made.take(Query).id, report=Report("runbook", NOW, say("runbook.none"))))
    assert made.session.walk is None
    assert "There is no runbook about this" in made_text(made)


def test_a_button_that_nobody_drew_is_refused() -> None:
    made = at(ASK)
    before = walk_of(made)
    press(made, "jump", value=buttons(made)["walk:answer-1"])
    assert walk_of(made) == before


def test_a_runbook_for_nodes_asks_for_a_node() -> None:
    drain = Step(kind="action", texts=both("Empty it"), intent="drain")
    made = talk(book("area/node", drain))
    asked_for(made, "walk me through area/node")
    assert "Which node" in made_text(made)
    assert made.session.flow is not None


def test_an_overview_looks_where_the_service_lies() -> None:
    made = talk(book("area/round", Step(kind="query", texts=both("Others"), intent="overview")))
    made.say("alice", Route.QUERY, act("status", WEB), text="status of web")
    made.queried()
    made.click("alice", "walk:start", token="", value="area/round")
    effect = made.take(Query)
    assert isinstance(effect, Query)
    assert (effect.intent, effect.slots) == ("overview", {"cluster": "east", "namespace": "shop"})
    unlocked = talk(book("area/round", Step(kind="query", texts=both("Others"), intent="overview")))
    unlocked.click("alice", "walk:start", token="", value="area/round")
    assert unlocked.state is State.FOLLOW_UP


def test_what_it_is_about_is_not_looked_at_beside_it() -> None:
    made = talk()
    made.say("alice", Route.QUERY, act("status", WEB), text="status of web")
    made.queried()
    made.say("alice", Route.QUERY, act("logs"), act("runbook"), text="walk me through area/talk, about the logs")
    assert walk_of(made).runbook == "area/talk"
    assert not made.work


def answers(step: Step) -> range:
    return range(1, len(step.answers) + 1)


@pytest.mark.parametrize("runbook", packaged().runbooks, ids=lambda runbook: runbook.id)
def test_every_way_through_every_runbook_that_comes_with_the_bot(runbook: Runbook) -> None:
    """Each step is shown and left by its buttons, on every answer, up to the verification; and nothing is confirmed."""
    seen: set[int] = set()
    finished = False
    todo: list[tuple[str, ...]] = [()]
    while todo:
        way = todo.pop()
        made = talk(runbook)
        made.say("alice", Route.QUERY, act("status", WEB), text="status of web")
        made.queried()
        made.click("alice", "walk:start", token="", value=runbook.id)
        for move in way:
            while made.work:
                made.queried()
            press(made, move)
        while made.work:
            made.queried()
        assert not made.session.pending
        if made.session.walk is None:
            finished = True
            assert runbook.verification.en in made_text(made)
            continue
        position = walk_of(made).position
        if position in seen:
            continue
        seen.add(position)
        step = runbook.steps[position]
        assert step.texts.en in made_text(made)
        moves = [f"answer-{n}" for n in answers(step)] or ["skip" if step.kind == "action" else "next"]
        todo += [(*way, move) for move in moves]
    assert finished
    assert seen == set(range(len(runbook.steps)))


def test_without_a_word_about_what_the_findings_say_it() -> None:
    made = talk()
    made.say("alice", Route.QUERY, act("status", WEB), text="status of web")
    report = Report("status", NOW, say("answer.thanks"), WEB, codes=("out_of_memory",))
    made.event(Queried(effect=made.take(Query).id, report=report))
    asked_for(made, "walk me through it")
    effect = made.take(Query)
    assert isinstance(effect, Query)
    assert effect.slots == {"text": "", "symptoms": "out_of_memory"}


def test_beside_another_plan_a_service_that_is_named_later_ends_it_too() -> None:
    made = at(SCALE)
    made.session = msgspec.structs.replace(made.session, lock=None)
    made.say("alice", Route.QUERY, act("status", API), text="status of api")
    assert made.session.walk is None


def test_handed_off_an_answer_to_nobody_is_not_heard() -> None:
    made = at(ASK)
    made.say("alice", Route.HAND_OFF, text="get a human")
    assert made.say("alice", Route.NOTE, text="Yes, load", addressed=False).ignored
