"""Slots of a proposal: what does not stand in the text was made up."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.intents import Quantity
from chatops_bot.domain.proposals import values
from chatops_bot.domain.proposals.form import Said
from tests.unit.domain.proposals.scene import RULES, heard


def kept(intent: str, text: str, slot: str, value: str, how: str = "plain") -> Any:
    """The value of one slot, or None."""
    evidence = RULES.evidence(heard(text), [intent])
    slots, _ = values.checked(intent, (Said(slot, value, how),), evidence, text=text)
    return slots.get(slot)


@pytest.mark.parametrize(
    ("text", "value", "how", "expected"),
    [
        ("scale web to 5", "5", "to", Quantity("to", 5)),
        ("scale web to 5", "5", "by", Quantity("to", 5)),  # the words say which it is
        ("scale web by 2", "2", "to", Quantity("by", 2)),
        ("扩容 5 个", "5", "to", Quantity("unclear", 5)),
        ("把 web 翻倍", "2", "times", Quantity("times", 2)),
        ("five of those would be lovely for web", "5", "to", Quantity("unclear", 5)),  # they do not: both are offered
        ("scale web to 5", "6", "to", None),
        ("scale web", "1", "to", None),
        ("scale web to 3 or 5", "5", "to", None),
        ("scale web to 5", "-5", "to", Quantity("to", 5)),
        ("scale web to 5", "five", "to", None),
        ("scale web to 5", "1e9", "to", None),
    ],
)
def test_numbers_of_replicas(text: str, value: str, how: str, expected: object) -> None:
    assert kept("scale", text, "replicas", value, how) == expected


@pytest.mark.parametrize(
    ("intent", "text", "slot", "value", "expected"),
    [
        ("logs", "web logs, ten minutes' worth", "since", "600", 600),
        ("logs", "日志给我看看，大概二十分钟的", "since", "1200", 1200),
        ("logs", "web logs", "since", "600", None),
        ("logs", "web logs of 10 pods", "since", "600", None),
        ("logs", "last 10 minutes of web logs", "since", "6000", 600),
        ("logs", "web logs, 300 of the newest", "tail", "300", 300),
        ("logs", "web logs", "tail", "300", None),
        ("logs", "what did it print before it died", "previous", "true", True),
        ("logs", "anything about TimeoutError in there", "grep", "timeouterror", "TimeoutError"),
        ("logs", "anything about TimeoutError in there", "grep", "Timeout", None),
        ("logs", "the sidecar one, envoy I mean", "container", "envoy", "envoy"),
        ("logs", "the sidecar one", "container", "envoy", None),
        ("set_image", "put reg.io/web:1.2.3 on it.", "image", "reg.io/web:1.2.3", "reg.io/web:1.2.3"),
        ("set_image", "put reg.io/web:1.2.3 on it", "image", "reg.io/web:1.2", None),
        ("set_image", "put the newest on it", "image", "latest", None),
        ("rollback", "back to the one before 41", "revision", "40", None),
        ("set_autoscaler", "somewhere from 2 up to 9", "max", "9", 9),
        ("set_autoscaler", "somewhere from 2 up to 9", "max", "90", None),
        ("drain", "empty node-3 by all means", "force", "true", None),
        ("drain", "empty node-3", "node", "node-3", "node-3"),
        ("drain", "empty node-3", "node", "node-30", None),
        ("logs", "web logs", "since", "-5", None),
        ("logs", "web logs", "container", "", None),
        ("logs", "envoy", "container", "envoy", "envoy"),
        ("logs", "web-1: logs", "container", "web", None),
        ("logs", "logs of envoy: please", "container", "envoy", "envoy"),
        ("scale", "scale web", "reason", "because", None),
        ("scale", "scale web", "grep", "web", None),
        ("status", "how is web in staging", "environment", "prod", "staging"),
    ],
)
def test_everything_else(intent: str, text: str, slot: str, value: str, expected: object) -> None:
    assert kept(intent, text, slot, value) == expected


def test_places_that_the_words_say_are_kept_though_a_model_leaves_them_out() -> None:
    evidence = RULES.evidence(heard("give web a kick in staging"), ["restart"])
    slots, dropped = values.checked("restart", (), evidence, text="give web a kick in staging")
    assert (slots, dropped) == ({"environment": "staging"}, ())


def test_what_is_looked_at_is_kept_likewise() -> None:
    evidence = RULES.evidence(heard("logs of web, the last 10 minutes"), ["logs"])
    slots, _ = values.checked("logs", (), evidence, text="logs of web, the last 10 minutes")
    assert slots == {"since": 600}
