"""The adapters of the chat platforms, made from their settings. Each is imported only where its platform is on."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from pydantic import SecretStr

from chatops_bot.app.settings import FeishuApp, FeishuSettings, Settings, SlackSettings, WeComSettings
from chatops_bot.ports.clock import Clock, random_bytes
from chatops_bot.ports.directory import Directory
from chatops_bot.ports.pictures import Painter

if TYPE_CHECKING:
    from chatops_bot.adapters.feishu import FeishuApps, FeishuChat
    from chatops_bot.adapters.feishu import FeishuSettings as AdapterFeishuSettings
    from chatops_bot.adapters.slack import SlackChat
    from chatops_bot.adapters.slack import SlackSettings as AdapterSlackSettings
    from chatops_bot.adapters.wecom import WeComChat


def absent_extras(settings: Settings) -> dict[str, str]:
    """Platforms that are on but whose packages are not installed, with what to do. Imports none of them."""
    wanted: dict[str, list[str]] = {}
    if settings.feishu.enabled:
        connected = any(app.mode == "connection" for app in settings.feishu.apps)
        wanted["feishu"] = ["Crypto", *(["lark_oapi"] if connected else [])]
    if settings.wecom.enabled:
        wanted["wecom"] = ["cryptography"]
    return {
        platform: f"its packages are not installed; pip install 'chatops-bot[{platform}]'"
        for platform, packages in wanted.items()
        if any(find_spec(package) is None for package in packages)
    }


def slack_chat(chosen: SlackSettings, *, clock: Clock, painter: Painter | None = None) -> SlackChat:
    """Slack, not connected yet."""
    from chatops_bot.adapters.slack import SlackChat

    return SlackChat(_slack_settings(chosen), clock=clock, random_bytes=random_bytes, painter=painter)


def _slack_settings(chosen: SlackSettings) -> AdapterSlackSettings:
    from chatops_bot.adapters.slack import SlackSettings as AdapterSettings

    return AdapterSettings(
        bot_token=_plain(chosen.bot_token),
        mode=chosen.mode,
        app_token=_plain(chosen.app_token),
        signing_secret=_plain(chosen.signing_secret),
        command=chosen.command,
        allow_bots=frozenset(chosen.allow_bots),
        connections=chosen.connections,
        base_url=chosen.base_url,
    )


def slack_groups(chosen: SlackSettings, *, clock: Clock) -> Directory:
    """The user groups of Slack."""
    from chatops_bot.adapters.slack.groups import UserGroups

    return UserGroups(_slack_settings(chosen), clock=clock)


def feishu_departments(chosen: FeishuSettings, *, clock: Clock) -> Directory:
    """The departments of Feishu."""
    from chatops_bot.adapters.feishu.departments import Departments

    return Departments([_feishu_settings(app) for app in chosen.apps], clock=clock)


def feishu_apps(chosen: FeishuSettings, *, clock: Clock, painter: Painter | None = None) -> FeishuApps:
    """All apps on Feishu as one platform, not connected yet."""
    from chatops_bot.adapters.feishu import FeishuApps

    return FeishuApps([feishu_chat(app, clock=clock, painter=painter) for app in chosen.apps], clock=clock)


def feishu_chat(chosen: FeishuApp, *, clock: Clock, painter: Painter | None = None) -> FeishuChat:
    """One app on Feishu."""
    from chatops_bot.adapters.feishu import FeishuChat

    return FeishuChat(_feishu_settings(chosen), clock=clock, random_bytes=random_bytes, painter=painter)


def _feishu_settings(chosen: FeishuApp) -> AdapterFeishuSettings:
    from chatops_bot.adapters.feishu import FeishuSettings as AdapterSettings

    return AdapterSettings(
        app_id=chosen.app_id,
        app_secret=_plain(chosen.app_secret),
        mode=chosen.mode,
        verification_token=_plain(chosen.verification_token),
        encrypt_key=_plain(chosen.encrypt_key),
        domain=chosen.domain,
        tenant=chosen.tenant,
        connections=chosen.connections,
        base_url=chosen.base_url,
    )


def wecom_chat(chosen: WeComSettings, *, clock: Clock) -> WeComChat:
    """WeCom, not connected yet."""
    from chatops_bot.adapters.wecom import WeComChat
    from chatops_bot.adapters.wecom import WeComSettings as AdapterSettings

    settings = AdapterSettings(
        corp_id=chosen.corp_id,
        agent_id=chosen.agent_id,
        app_secret=_plain(chosen.app_secret),
        app_token=_plain(chosen.app_token),
        app_aes_key=_plain(chosen.app_aes_key),
        bot_mode=chosen.bot_mode,
        bot_id=chosen.bot_id,
        bot_secret=_plain(chosen.bot_secret),
        bot_token=_plain(chosen.bot_token),
        bot_aes_key=_plain(chosen.bot_aes_key),
        bot_name=chosen.bot_name,
        link=chosen.link,
        api_url=chosen.api_url,
        socket_url=chosen.socket_url,
    )
    return WeComChat(settings, clock=clock, random_bytes=random_bytes)


def _plain(secret: SecretStr | None) -> str:
    return secret.get_secret_value() if secret is not None else ""
