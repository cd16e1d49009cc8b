"""What a model may say is what the bot knows, and the prompt tells it of all of that."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.openai.prompting import text_of
from chatops_bot.adapters.rules.values.parameters import OF_INTENT
from chatops_bot.domain.intents import ACTIONS, QUERIES, ROUTES, Route, State
from chatops_bot.domain.proposals.form import read
from chatops_bot.domain.proposals.inquiry import PROMPT
from chatops_bot.domain.proposals.vocabulary import CHANGE, PLAN, SLOTS, WITHOUT_MODEL, intents_of, routes_of


def test_slots_are_those_that_the_rules_know_for_the_intent() -> None:
    for intent, slots in SLOTS.items():
        assert set(slots) <= set(OF_INTENT[intent]), intent
        assert not {"force", "local_data"} & set(slots)


@pytest.mark.parametrize("intent", [*QUERIES, *ACTIONS, CHANGE, PLAN])
def test_the_prompt_tells_of_every_intent(intent: str) -> None:
    assert f"`{intent}`" in text_of(PROMPT)


def test_the_prompt_tells_of_every_route_that_is_offered() -> None:
    offered = {route for state in State if state not in WITHOUT_MODEL for route in ROUTES[state]}
    assert not [route for route in offered if f"`{route.value}`" not in text_of(PROMPT)]
    assert Route.RESUME not in offered


def test_every_example_of_the_prompt_is_of_the_form_and_of_its_state() -> None:
    lines = text_of(PROMPT).partition("## Examples")[2].strip().splitlines()
    stories = [line for line in lines if line.startswith("state ")]
    answers = [line for line in lines if line.startswith("{")]
    assert len(stories) == len(answers) >= 6
    for story, answer in zip(stories, answers, strict=True):
        state = State(story.split()[1].strip(","))
        proposal = read(answer)
        assert proposal is not None
        assert proposal.route in routes_of(state)
        assert {request.intent for request in proposal.requests} <= set(intents_of(state))
        message = story.partition('message "')[2]
        assert all(request.said in message for request in proposal.requests)
