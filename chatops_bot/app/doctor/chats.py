"""Chat platforms: what their own adapters find out about an installation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from chatops_bot.app import chats
from chatops_bot.app.doctor.findings import Finding, Severity, bad
from chatops_bot.app.settings import Platform, Settings
from chatops_bot.ports import chat
from chatops_bot.ports.clock import Clock

_SEVERITY: Final[dict[str, Severity]] = {"ok": "ok", "warning": "warn", "error": "bad"}


async def on_platforms(chosen: Settings, *, clock: Clock) -> list[Finding]:
    """Findings about each platform that is on, asked of the platform itself."""
    absent = chats.absent_extras(chosen)
    findings = [bad(f"{platform} is enabled, but cannot run", problem) for platform, problem in absent.items()]
    if chosen.slack.enabled:
        slack = chats.slack_chat(chosen.slack, clock=clock)
        findings += _said("slack", await slack.check(_rooms(chosen, "slack")))
    if chosen.feishu.enabled and "feishu" not in absent:
        findings += await _on_feishu(chosen, clock=clock)
    if chosen.wecom.enabled and "wecom" not in absent:
        wecom = chats.wecom_chat(chosen.wecom, clock=clock)
        findings += _said("wecom", await wecom.check(_rooms(chosen, "wecom")))
    return findings


async def _on_feishu(chosen: Settings, *, clock: Clock) -> list[Finding]:
    apps = chosen.feishu.apps
    findings: list[Finding] = []
    for app in apps:
        rooms = _rooms(chosen, "feishu")
        if len(apps) > 1:
            rooms = [room for room in rooms if chosen.rooms[room].app == app.app_id]
        name = f"feishu {app.app_id}" if len(apps) > 1 else "feishu"
        findings += _said(name, await chats.feishu_chat(app, clock=clock).check(rooms))
    return findings


def _rooms(chosen: Settings, platform: Platform) -> Sequence[str]:
    return [room for room, what in chosen.rooms.items() if what.platform == platform]


def _said(name: str, found: Iterable[chat.Finding]) -> list[Finding]:
    return [Finding(_SEVERITY[each.severity], f"{name}: {each.what}", each.what_to_do) for each in found]
