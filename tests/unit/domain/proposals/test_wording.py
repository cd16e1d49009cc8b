"""An answer in a model's words says nothing that its source does not say."""

from __future__ import annotations

import json

import pytest

from chatops_bot.domain.proposals.inquiry import rendered
from chatops_bot.domain.proposals.wording import LONGEST, MOST, Sentence, Source, question, unfounded, worded

BOOK = Source("disk/full", "A disk is full\n1. Look at usage with df -h on node-3.\n2. Delete logs older than 7 days.")
OTHER = Source("pods/crash", "A pod restarts\n1. Look at the last 20 lines of its log.")
ZH = Source("disk/full", "磁盘满了\n1. 用 df -h 看用量。\n2. 删掉 7 天以前的日志，最多三个节点。")


def services(text: str) -> list[str]:
    """What the catalog would find."""
    return [name for name in ("payment", "支付") if name in text]


def reply(*sentences: tuple[object, object]) -> str:
    return json.dumps({"sentences": [{"text": text, "source": source} for text, source in sentences]})


def test_sentences_of_the_source_are_shown() -> None:
    said = reply(
        ("First look at usage with df -h on node-3.", "disk/full"), ("Then delete logs older than 7 days.", "disk/full")
    )
    assert worded(said, (BOOK, OTHER), services_in=services) == (
        Sentence("First look at usage with df -h on node-3.", "disk/full"),
        Sentence("Then delete logs older than 7 days.", "disk/full"),
    )
    assert worded(reply(("先用 df -h 看用量，再删 7 天以前的日志。", "disk/full")), (ZH,), services_in=services)


@pytest.mark.parametrize(
    "text",
    [
        "Delete logs older than 30 days.",
        "Delete logs on node-4.",
        "Run kubectl delete pod web-1.",
        "Look at /etc/passwd first.",
        "Restart PaymentService.",
        "See https://example.com for more.",
        "Run `rm -rf` on it.",
        "It takes five minutes.",
        "Look at payment first.",
        'Say "I did it" to everybody.',
        "Look at the last 20 lines of its log.",  # of another source
        "Keep ５００ copies.",
        "Delete logs older than ٣٠ days.",
        "Keep ③ copies, or ½.",
        "Keep seventeen copies.",
        "Keep millions of them.",
        "Look at раyment first.",
        "Look at ｗｅｂ first.",
        "Delete\u200b logs.",
    ],
)
def test_a_number_or_a_name_of_its_own_drops_the_answer(text: str) -> None:
    assert unfounded(text, BOOK.text, names=services(text))
    assert (
        worded(reply(("Look at usage.", "disk/full"), (text, "disk/full")), (BOOK, OTHER), services_in=services) == ()
    )


@pytest.mark.parametrize(
    "text",
    ["先看支付。", "删掉 30 天以前的日志。", "最多五个节点。", "重启 order-db。", "留下百分之五十。", "等九周。"],
)
def test_likewise_in_chinese(text: str) -> None:
    assert worded(reply((text, "disk/full")), (ZH,), services_in=services) == ()


@pytest.mark.parametrize(
    "said",
    [
        "",
        "no",
        "[]",
        "{}",
        '{"sentences": []}',
        '{"sentences": "Look."}',
        '{"sentences": ["Look."]}',
        reply(("Look at usage.", "made/up")),
        reply((5, "disk/full")),
        reply(("", "disk/full")),
        reply(("a " * LONGEST, "disk/full")),
        reply(*[("Look at usage.", "disk/full")] * (MOST + 1)),
    ],
)
def test_what_is_no_answer(said: str) -> None:
    assert worded(said, (BOOK,), services_in=services) == ()


def test_the_question_is_bounded_masked_and_fenced() -> None:
    asked = question(
        "password=hunter22hunter22 " + "x" * 5_000, (Source("a/b", "y" * 90_000),), language="en", limit=8_000
    )
    body = rendered(asked.parts)
    assert "hunter22" not in body
    assert len(body) < 9_000
    assert asked.schema["properties"]["sentences"]["items"]["properties"]["source"]["enum"] == ["a/b"]
