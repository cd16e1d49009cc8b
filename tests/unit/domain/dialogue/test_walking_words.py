"""Which words move a runbook on, which answer it, and which ask for one to be walked."""

from __future__ import annotations

import pytest

from chatops_bot.domain.dialogue.walking_words import answer_of, move_of, topic, wanted
from chatops_bot.domain.runbooks import Answer, Step, Texts

MOVES = {
    "next": [
        "next",
        "Next step, please.",
        "ok next",
        "done",
        "that's done",
        "continue",
        "下一步",
        "好的，下一步",
        "做完了",
        "继续",
    ],
    "ok": ["ok", "OK!", "okay", "got it", "好", "好的", "嗯嗯", "知道了"],
    "skip": ["skip", "skip this step", "跳过", "跳过这一步吧"],
    "back": ["back", "go back", "previous step", "上一步", "回到上一步"],
    "where": ["where was I?", "where are we", "which step are we at?", "到哪了？", "现在第几步", "走到哪一步了"],
    "stop": ["stop the runbook", "end this playbook", "结束预案", "退出手册", "不走了"],
    "leave": ["stop", "never mind", "算了", "结束"],
    "do": ["do it", "ok, do it", "run this step", "执行", "执行吧"],
}


@pytest.mark.parametrize(("move", "text"), [(move, text) for move, texts in MOVES.items() for text in texts])
def test_a_whole_message_is_a_move(move: str, text: str) -> None:
    assert move_of(text) == move


@pytest.mark.parametrize(
    "text",
    [
        *["yes", "confirm", "go ahead", "行", "可以", "没问题", "确认", "就这么办"],  # what agrees to a plan is no move
        *["done?", "skip?", "下一步？", "ok?", "好吗"],  # a question moves nothing
        *[
            "next week we deploy",
            "ok but first look at the logs",
            "好，重启它",
            "back to 3 replicas",
            "回滚",
            "回退",
            "stop web",
        ],
        *["", "thanks", "next " * 60],
    ],
)
def test_everything_else_is_none(text: str) -> None:
    assert move_of(text) is None


ASK = Step(
    kind="ask",
    texts=Texts(zh="回得去吗？", en="Can it go back?"),
    answers=(
        Answer(Texts(zh="可以回滚", en="Safe to roll back")),
        Answer(Texts(zh="不能回滚", en="Not safe")),
        Answer(Texts(zh="不知道（先问）", en="Do not know (ask first)")),
    ),
)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Safe to roll back", 0),
        ("safe to roll back.", 0),
        ("可以回滚", 0),
        ("可以", 0),
        ("not safe!", 1),
        ("不能", 1),
        ("do not know", 2),
        ("2", 1),
        ("第三个", 2),
        ("the second one", 1),
        ("选 1", 0),
        ("4", None),
        ("0", None),
        ("不可以回滚", None),
        ("is it safe to roll back?", None),
        ("可以回滚吗？", None),
        ("不", None),
        ("回滚", None),
        ("next", None),
        ("", None),
    ],
)
def test_an_answer_is_the_whole_message(text: str, answer: int | None) -> None:
    assert answer_of(ASK, text) == answer


def test_words_that_begin_two_answers_are_neither() -> None:
    step = Step(
        kind="ask",
        texts=Texts(zh="?", en="?"),
        answers=(Answer(Texts(zh="是，全部", en="Yes, all")), Answer(Texts(zh="是，一个", en="Yes, one"))),
    )
    assert answer_of(step, "yes") is None
    assert answer_of(step, "yes, one") == 1


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("walk me through it", ""),
        ("start the runbook", ""),
        ("一步一步来", ""),
        ("带我走一遍", ""),
        ("照这份预案走", ""),
        ("step by step please", ""),
        ("walk me through the OOM runbook", "OOM"),
        ("带我走一遍 oom 手册", "oom"),
        ("how do we handle a full disk, step by step", "full disk"),
    ],
)
def test_a_runbook_is_wanted_step_by_step(text: str, about: str) -> None:
    assert wanted(text)
    assert about in topic(text) if about else not topic(text)


@pytest.mark.parametrize(
    "text", ["runbook for web", "有没有 OOM 的手册？", "how do we handle a full disk?", "逐步扩容到 6 个"]
)
def test_to_look_for_one_is_not_to_walk_it(text: str) -> None:
    assert not wanted(text)
