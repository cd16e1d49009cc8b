"""The card of a diagnosis and that of a hostile log, on every platform: within its limits, the verdict first, the action
that fits at hand, and nobody rung by what others wrote."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from chatops_bot.adapters.feishu import render as feishu
from chatops_bot.adapters.feishu.fake import limits
from chatops_bot.adapters.slack import render as slack
from chatops_bot.adapters.slack.fake import blockkit
from chatops_bot.adapters.wecom import render as wecom
from chatops_bot.adapters.wecom.fake.limits import check_card, check_text
from chatops_bot.domain.cards import Card
from chatops_bot.domain.diagnosis import logs_report
from chatops_bot.domain.dialogue.views import report_card
from chatops_bot.domain.intents import Language
from chatops_bot.domain.observed import LogText
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.reports import Cited, Detail, Report
from chatops_bot.domain.say import say
from tests.unit.domain.cluster_objects import NOW, entity

HEADER = ("table.pod", "table.ready", "table.state", "table.restarts", "table.age", "table.node")
POD = "payment-gateway-7d9f8b6c5-x2x4"
LONG = "failed to pull and unpack image: " + "x" * 160


def diagnosis() -> Report:
    """As much as a diagnosis shows at most."""
    finding = say("finding.image_pull", container="app", image="reg/pay:1", cause="pull.denied", message=LONG, pods=POD)
    detail = Detail(
        evidence=tuple(
            f"pod/{POD}{n}: status.containerStatuses[app].state.waiting.reason = {'y' * 90}" for n in range(3)
        ),
        causes=(say("pull.denied"), say("pull.network")),
    )
    return Report(
        kind="status",
        at=NOW,
        entity=entity(),
        headline=say("status.down", name="web", ready=0, wanted=8, cause="cause.image_pull"),
        tone="danger",
        lines=(*([finding] * 5), say("status.more_findings", count=3, cause="cause.budget")),
        details=(detail,) * 5,
        table=(HEADER, *((f"{POD}{n}", "0/1", "ImagePullBackOff", "12", "3h10m", f"node-{n}") for n in range(8))),
        unread=(say("unread", what="unread.events", why="403"), say("report.check_failed", check="dns: KeyError")),
        codes=("image_pull",),
        offers=(Offer("rollback", {"revision": 6}), Offer("set_image"), Offer("delete_pod", {"pod": f"{POD}z"})),
        runbooks=(
            Cited("pods/image-pull", titles={"en": "An image cannot be pulled", "zh": "镜像拉不下来"}),
            Cited("pods/registry", titles={"en": "The registry is down " * 4, "zh": "镜像仓库不可用"}),
        ),
    )


HOSTILE = (
    '<!channel> <@U024BE7LH> @channel @all restart web\n<at id=all></at> <at user_id="ou_x">x</at> <@zhangsan>\n'
    "``` confirm *now* _please_ [click](https://evil.example)\n" + "\x00binary\x1b[31m " + "A" * 60_000 + "\n"
    "ERROR this plan is approved by alice"
)


def hostile() -> Report:
    return logs_report(entity(), LogText("web-a", "app", HOSTILE), NOW)


def on_slack(card: Card) -> tuple[str, list[str]]:
    shown = slack.render(card, thread="t" * 40)
    assert not blockkit.problems(shown.blocks), blockkit.problems(shown.blocks)
    text = json.dumps(shown.blocks, ensure_ascii=False)
    assert "<!channel>" not in text
    assert "<@U024BE7LH>" not in text
    rows: list[Any] = [block["elements"] for block in shown.blocks if block["type"] == "actions"]
    return text, [button["text"]["text"] for row in rows for button in row]


def on_feishu(card: Card) -> tuple[str, list[str]]:
    shown = feishu.render(card, thread="t" * 40, root="om_1")
    limits.check(json.loads(json.dumps(shown.card)))
    assert not list(limits.rung(shown.card))
    text = json.dumps(shown.card, ensure_ascii=False)
    return text, [part["text"]["content"] for part in _buttons(shown.card)]


def _buttons(value: object) -> list[dict[str, dict[str, str]]]:
    if isinstance(value, dict):
        own = [value] if value.get("tag") == "button" else []
        return own + [each for part in value.values() for each in _buttons(part)]
    return [each for part in value for each in _buttons(part)] if isinstance(value, list) else []


def on_wecom(card: Card) -> tuple[str, list[str]]:
    shown = wecom.render(card, thread="t" * 40, link="https://example.com/")
    check_text(shown.text, most=20_480)
    keyed = check_card(shown.keyed("task-1"))
    assert "<@zhangsan>" not in shown.text
    buttons = keyed["button_list"]
    assert isinstance(buttons, list)
    return shown.text, [str(button["text"]) for button in buttons]


def on_the_console(card: Card) -> tuple[str, list[str]]:
    """The page gets the neutral card itself, and writes every string as text."""
    encoded = msgspec.json.encode(card)
    assert msgspec.json.decode(encoded, type=Card) == card
    return encoded.decode(), [button.label for button in card.buttons]


Shows = Callable[[Card], tuple[str, list[str]]]
PLATFORMS = [on_slack, on_feishu, on_wecom, on_the_console]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("show", PLATFORMS)
def test_the_largest_diagnosis_is_shown_with_what_matters_first(show: Shows, language: Language) -> None:
    text, buttons = show(report_card(diagnosis(), language, card="c1"))
    verdict = {"en": "web is DOWN: 0/8 pods ready", "zh": "web 不可用：0/8 个 Pod 就绪"}[language]
    assert verdict in text
    assert text.index(verdict) < text.index("reg/pay:1")
    assert {"en": "as of 11-29", "zh": "截至 11-29"}[language] in text
    assert f"{POD}0" in text
    assert buttons[0] == {"en": "Roll back to rev 6", "zh": "回滚到版本 6"}[language]
    assert {"en": "Logs", "zh": "日志"}[language] in buttons


@pytest.mark.parametrize("show", PLATFORMS)
def test_a_hostile_log_rings_nobody_and_breaks_no_card(show: Shows) -> None:
    text, buttons = show(report_card(hostile(), "en", card="c1"))
    assert "Log of web-a" in text
    assert "this plan is approved by alice" in text
    assert "Confirm" not in buttons
