"""What is said about an incident: the whole message or nothing."""

from __future__ import annotations

import pytest

from chatops_bot.domain.incident_words import ME, Command, command_of, severity_of
from chatops_bot.domain.texts.incidents import WORDS

SAID: list[tuple[str, Command]] = [
    ("declare an incident sev2: checkout fails", Command("declare", severity="sev2", text="checkout fails")),
    (
        "Please declare a sev 1 incident: payments are down",
        Command("declare", severity="sev1", text="payments are down"),
    ),
    ("declare an incident", Command("declare")),
    ("open an incident for checkout errors", Command("declare", text="checkout errors")),
    ("this is a SEV-1 incident", Command("declare", severity="sev1")),
    ("make this an incident", Command("declare")),
    ("escalate this to an incident P1", Command("declare", severity="P1")),
    ("declare sev2: login fails", Command("declare", severity="sev2", text="login fails")),
    ("升级成事故 P1", Command("declare", severity="P1")),
    ("升级为P1事故：支付失败", Command("declare", severity="P1", text="支付失败")),
    ("请把这个升级成事故 sev2，下单失败", Command("declare", severity="sev2", text="下单失败")),
    ("宣布事故", Command("declare")),
    ("开一个事故", Command("declare")),
    ("这是一起 P0 级事故", Command("declare", severity="P0")),
    ("incident status", Command("status")),
    ("what's the status of the incident?", Command("status")),
    ("is the incident resolved?", Command("status")),
    ("incident resolved?", Command("status")),
    ("inc-20261130-1", Command("status", id="inc-20261130-1")),
    ("status of INC-20261130-12", Command("status", id="inc-20261130-12")),
    ("incident inc-20261130-1 status", Command("status", id="inc-20261130-1")),
    ("事故进展", Command("status")),
    ("事故现在怎么样了？", Command("status")),
    ("事故恢复了吗", Command("status")),
    ("事故 inc-20261130-1 恢复了吗？", Command("status", id="inc-20261130-1")),
    ("list incidents", Command("list")),
    ("which incidents are open?", Command("list")),
    ("现在有哪些事故？", Command("list")),
    ("事故列表", Command("list")),
    ("note: rolled the database back", Command("note", text="rolled the database back")),
    ("NOTE: a\nb", Command("note", text="a\nb")),
    ("inc-20261130-1 note: paged the DBA", Command("note", id="inc-20261130-1", text="paged the DBA")),
    ("note: see inc-20261130-1", Command("note", text="see inc-20261130-1")),
    ("记录：已联系 DBA", Command("note", text="已联系 DBA")),
    ("备注: 等待厂商", Command("note", text="等待厂商")),
    ("I take command", Command("command", who=ME, sure=False)),
    ("I'm the incident commander", Command("command", who=ME, sure=False)),
    ("I take command of inc-20261130-1", Command("command", id="inc-20261130-1", who=ME)),
    ("commander is @bob", Command("command", who="bob", sure=False)),
    ("make Bob Li the incident commander", Command("command", who="Bob Li", sure=False)),
    ("hand command over to carol", Command("command", who="carol", sure=False)),
    ("bob takes command", Command("command", who="bob", sure=False)),
    ("我来指挥", Command("command", who=ME, sure=False)),
    ("我来当事故指挥", Command("command", who=ME, sure=False)),
    ("指挥是 @bob", Command("command", who="bob", sure=False)),
    ("由 bob 担任指挥", Command("command", who="bob", sure=False)),
    ("指挥权交给 carol", Command("command", who="carol", sure=False)),
    ("severity sev1", Command("severity", severity="sev1", sure=False)),
    ("raise it to sev1", Command("severity", severity="sev1", sure=False)),
    ("set the incident severity to P2", Command("severity", severity="P2")),
    ("事故级别改为 P1", Command("severity", severity="P1")),
    ("降级为P3", Command("severity", severity="P3", sure=False)),
    ("mitigated", Command("mitigated", sure=False)),
    ("the incident is mitigated", Command("mitigated")),
    ("mark the incident as mitigated", Command("mitigated")),
    ("已止血", Command("mitigated", sure=False)),
    ("事故已缓解", Command("mitigated")),
    ("resolve the incident", Command("resolve")),
    ("incident resolved", Command("resolve")),
    ("The incident is over.", Command("resolve")),
    ("resolve inc-20261130-1", Command("resolve", id="inc-20261130-1")),
    ("close incident inc-20261130-1 please", Command("resolve", id="inc-20261130-1")),
    ("事故恢复了", Command("resolve")),
    ("事故已解决", Command("resolve")),
    ("关闭事故", Command("resolve")),
    ("事故 inc-20261130-1 恢复了", Command("resolve", id="inc-20261130-1")),
    ("reopen the incident", Command("reopen")),
    ("重新打开事故", Command("reopen")),
    ("export the incident", Command("export")),
    ("export inc-20261130-1", Command("export", id="inc-20261130-1")),
    ("draft the post-mortem", Command("export")),
    ("导出复盘", Command("export")),
    ("导出事故", Command("export")),
    ("this is a sev1", Command("declare", severity="sev1")),
    ("treat this as a P1: checkout fails", Command("declare", severity="P1", text="checkout fails")),
    ("这是 P0 故障", Command("declare", severity="P0")),
    ("这个问题定为P1，支付失败", Command("declare", severity="P1", text="支付失败")),
    ("yes, incident resolved", Command("resolve")),
    ("good, close the incident", Command("resolve")),
    ("是的，事故已经恢复了", Command("resolve")),
    ("yes, I'm the commander", Command("command", who=ME, sure=False)),
    ("ok go, make it sev2", Command("severity", severity="sev2", sure=False)),
    ("add a note: paged the DBA", Command("note", text="paged the DBA")),
    ("timeline: restarted web", Command("note", text="restarted web")),
    ("note that we restarted web", Command("note", text="we restarted web", sure=False)),
    ("记录一下：确认重启", Command("note", text="确认重启")),
    ("记一下，重启一下 web", Command("note", text="重启一下 web")),
    ("恢复了", Command("over", sure=False)),
    ("好的，服务已恢复", Command("over", sure=False)),
    ("ok resolve it", Command("over", sure=False)),
    ("it's back to normal", Command("over", sure=False)),
]

NONE = [
    "restart web",
    "ok",
    "should we declare an incident?",
    "I will declare an incident if it goes on",
    "don't resolve the incident",
    "the incident is not resolved",
    "要不要升级成事故",
    "升级成事故 P1 吗？",
    "事故还没恢复",
    "he takes command",
    "谁来指挥？",
    "make it 5",
    "改成 3 个",
    "resolve inc-20261130-1 and inc-20261130-2",
    "restart web and resolve the incident",
    "please note the time",
    "确认",
    "scale web to 5",
    "恢复",
    "恢复发布",
    "请恢复",
    "恢复了吗",
    "is it fixed?",
    "resume it",
    "notes from the meeting: restart web",
    "记录，重启 web",
    "yes",
    "ok go",
    "ok go ahead",
    "好的",
]


@pytest.mark.parametrize(("text", "command"), SAID)
def test_what_is_a_command(text: str, command: Command) -> None:
    assert command_of(text) == command


@pytest.mark.parametrize("text", NONE)
def test_what_is_none(text: str) -> None:
    assert command_of(text) is None


@pytest.mark.parametrize("language", [0, 1])
def test_what_buttons_say_can_be_said(language: int) -> None:
    """Where a card holds fewer buttons than it should have, people type what the others say."""
    said = {
        "incident": Command("declare"),
        "incident_status": Command("status"),
        "incident_mitigated": Command("mitigated", sure=False),
        "incident_resolve": Command("resolve"),
        "incident_command": Command("command", who=ME, sure=False),
    }
    assert {name: command_of(WORDS[f"button.{name}"][language]) for name in said} == said


def test_a_hostile_message_costs_little() -> None:
    for piece in ("incident ", "the ", "事故", "请", "now ", "sev1 ", "inc-20261130-1 ", "a", "note ", "由"):
        assert command_of(piece * 4000) is None
        command_of(piece * (290 // len(piece)))


@pytest.mark.parametrize(
    ("text", "shown"),
    [("SEV2", "sev2"), ("severity 1", "sev1"), ("p0", "P0"), ("P 1", "P1"), ("s3", "S3"), ("sev9", ""), ("high", "")],
)
def test_severities_are_written_in_one_way(text: str, shown: str) -> None:
    assert severity_of(text) == shown
