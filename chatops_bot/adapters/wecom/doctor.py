"""What is wrong with a WeCom installation, and which page of its console changes that."""

from __future__ import annotations

import re
from collections.abc import Sequence

import aiohttp

from chatops_bot.adapters.wecom.errors import Refusal
from chatops_bot.adapters.wecom.inbound import APP, SINGLE
from chatops_bot.adapters.wecom.settings import WeComSettings
from chatops_bot.adapters.wecom.web import Data, Web
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable, Finding

_ROOM = re.compile(r"[A-Za-z0-9_-]{16,128}")


async def check(*, web: Web, settings: WeComSettings, rooms: Sequence[str]) -> list[Finding]:
    """All findings; `rooms` are channels as configured. Calls nothing that changes anything or is seen: so the robot's
    secret is not tried, since that would take the connection from the bot that runs."""
    findings: list[Finding] = []
    if settings.agent_id:
        findings += await _application(web, settings)
    if settings.bot_mode == "socket":
        findings.append(await _connection(web, settings))
    if settings.bot_mode == "http":
        findings.append(
            Finding(
                "warning",
                "over callbacks the robot only answers: alerts and late results cannot be shown in its rooms",
                "use the long connection where it shall speak by itself: the robot, API模式, 使用长连接",
            )
        )
    if settings.bot_mode != "off" and not settings.bot_name:
        findings.append(
            Finding(
                "warning",
                "the robot's name is not configured: the first mention in a message is taken for its own",
                "set bot_name as people see it in a room",
            )
        )
    return [*findings, *[_room(room, settings) for room in rooms]]


async def _application(web: Web, settings: WeComSettings) -> list[Finding]:
    try:
        agent = await web.get("agent/get", {"agentid": str(settings.agent_id)})
    except ChatUnavailable as error:
        return [
            Finding("error", f"WeCom cannot be asked about the application: {error}", "check the network, or try again")
        ]
    except (ChatRefused, CardGone) as error:
        code = error.code if isinstance(error, Refusal) else 0
        return [Finding("error", f"WeCom does not take the application ({code})", _advice(error))]
    findings = [Finding("ok", f"connected as the application {agent.get('name')}")]
    if agent.get("close"):
        findings.append(Finding("error", "the application is disabled", "enable it: 应用管理, the application, 启用"))
    if not _seen(agent):
        findings.append(
            Finding(
                "error",
                "nobody sees the application, so nobody can write to it",
                "widen its 可见范围: 应用管理, the application, 可见范围",
            )
        )
    findings.append(
        Finding(
            "ok",
            "whether callbacks arrive cannot be seen from here: 应用管理, the application, 接收消息, 设置API接收 "
            "saves only while the bot runs and answers",
        )
    )
    return findings


def _seen(agent: Data) -> bool:
    """Whether anybody is in the application's visible range."""
    for part in ("allow_userinfos", "allow_partys", "allow_tags"):
        found = agent.get(part)
        if isinstance(found, dict) and any(found.values()):
            return True
    return False


async def _connection(web: Web, settings: WeComSettings) -> Finding:
    try:
        async with web.session.ws_connect(settings.socket_url) as socket:
            await socket.close()
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
        return Finding(
            "error",
            f"the robot's connection cannot be opened ({type(error).__name__})",
            f"let the bot reach {settings.socket_url}: check the network and the proxy",
        )
    return Finding(
        "ok",
        "the robot's connection can be opened; its id and secret are tried when the bot starts, and readiness says "
        "whether they were taken",
    )


def _room(room: str, settings: WeComSettings) -> Finding:
    if room.startswith(APP):
        ok = bool(settings.agent_id)
        return Finding("ok", f"{room} is served by the application") if ok else _unserved(room, "agent_id")
    if room.startswith(SINGLE) or _ROOM.fullmatch(room):
        ok = settings.bot_mode != "off"
        return (
            Finding("ok", f"{room} is served by the robot, once somebody there has mentioned it")
            if ok
            else (_unserved(room, "bot_mode"))
        )
    return Finding(
        "error",
        f"{room} is not the id of a room",
        f"mention the robot there and take the id from the bot's log; a person's talk is {APP}USERID or {SINGLE}USERID",
    )


def _unserved(room: str, setting: str) -> Finding:
    return Finding("error", f"{room} is served by nothing", f"configure {setting}, or take the room out")


def _advice(error: Exception) -> str:
    return str(error).partition(": ")[2] or "look the code up: 开发者中心, 全局错误码"
