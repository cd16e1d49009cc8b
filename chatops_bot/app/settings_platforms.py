"""The chat platforms, as they can be configured; `app/settings.py` says what the sentences below fields are for."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Literal, get_args

from pydantic import Field, SecretStr, field_validator, model_validator

from chatops_bot.adapters.wecom.settings import check_aes_key
from chatops_bot.app.section import Section, a_zone, missing, variables

Platform = Literal["slack", "feishu", "wecom", "console"]
PLATFORMS: Final[tuple[Platform, ...]] = get_args(Platform)
Port = Annotated[int, Field(ge=0, le=65_535)]


class RoomSettings(Section):
    """One room, under the platform's id of it."""

    platform: Platform = "slack"
    """Platform of the room."""
    app: str = ""
    """Id of the Feishu app that serves the room, where there are several."""
    listen: Literal["mentions", "all"] = "mentions"
    """`mentions`: only what is addressed to the bot counts. `all`: a request that names a service counts too."""
    oncall: str = ""
    """Group that hand-offs of the room go to where the service has no owner; empty for `oncall.default`."""
    time_zone: str = ""
    """Time zone of the room, by which "yesterday" is meant there; empty for `memory.time_zone`."""

    @field_validator("time_zone")
    @classmethod
    def _known(cls, name: str) -> str:
        return a_zone(name) if name else name


class SlackSettings(Section):
    """Slack. `docs/slack.md` tells where each token is found."""

    enabled: bool = False
    """Whether the bot is on Slack."""
    mode: Literal["socket", "http"] = "socket"
    """`socket` needs no public address; `http` receives events under `/slack/events`."""
    bot_token: SecretStr | None = None
    """Bot token, `xoxb-…`."""
    bot_token_file: Path | None = None
    """File that holds the bot token."""
    app_token: SecretStr | None = None
    """App-level token with `connections:write`, `xapp-…`; for `socket`."""
    app_token_file: Path | None = None
    """File that holds the app-level token."""
    signing_secret: SecretStr | None = None
    """Signing secret of the app; for `http`."""
    signing_secret_file: Path | None = None
    """File that holds the signing secret."""
    command: Annotated[str, Field(pattern=r"^/[a-z0-9_-]{1,31}$")] = "/ops"
    """The slash command, as in the app's manifest."""
    connections: Annotated[int, Field(ge=1, le=10)] = 2
    """Socket Mode connections of this process: with two, one receives while the other is renewed. Slack allows ten an
    app, over all its processes."""
    allow_bots: tuple[str, ...] = ()
    """Ids of other bots (`B…`, `U…` or `A…`) whose messages count. Empty, because two bots that answer each other never
    end."""
    base_url: str = "https://slack.com/api/"
    """Address of Slack's Web API; another one only for an organisation's own gateway."""

    @model_validator(mode="after")
    def _tokens(self) -> SlackSettings:
        if not self.enabled:
            return self
        absent = missing(self, ("bot_token", "app_token" if self.mode == "socket" else "signing_secret"))
        if absent:
            raise ValueError(f"mode {self.mode} needs {variables('slack', absent)}, or the same as _file")
        return self


class _OnFeishu(Section):
    enabled: bool = False
    """Whether the bot is on Feishu or Lark. It needs the extra: `pip install 'chatops-bot[feishu]'`."""


class FeishuApp(Section):
    """One app of Feishu or Lark, which serves one organisation."""

    app_id: str = ""
    """App ID, `cli_…`."""
    app_secret: SecretStr | None = None
    """App Secret."""
    app_secret_file: Path | None = None
    """File that holds the App Secret."""
    mode: Literal["connection", "webhook"] = "connection"
    """`connection` needs no public address (custom apps only; Lark does not offer it everywhere); `webhook` receives
    events and callbacks under `/feishu/events`."""
    encrypt_key: SecretStr | None = None
    """Encrypt Key; for `webhook`. Without it Feishu signs nothing."""
    encrypt_key_file: Path | None = None
    """File that holds the Encrypt Key."""
    verification_token: SecretStr | None = None
    """Verification Token; for `webhook`."""
    verification_token_file: Path | None = None
    """File that holds the Verification Token."""
    domain: Literal["feishu", "lark"] = "feishu"
    """Where the app lives: open.feishu.cn, or open.larksuite.com."""
    tenant: str = ""
    """Tenant key of the organisation. Empty: Feishu is asked, and where the app may not ask, the first event tells;
    until then alerts have to wait."""
    connections: Annotated[int, Field(ge=1, le=50)] = 2
    """Long connections of this process: with two, one receives while the other is renewed. Feishu allows 50 an app,
    over all its processes."""
    base_url: str = ""
    """Address of Feishu's API; another one only for an organisation's own gateway."""

    def needed(self) -> tuple[str, ...]:
        """Fields without which this mode does not work."""
        return ("app_id", "app_secret", *(("encrypt_key", "verification_token") if self.mode == "webhook" else ()))


class FeishuSettings(FeishuApp, _OnFeishu):
    """Feishu and Lark. `docs/feishu.md` tells where each value is found. The fields are those of the first app."""

    further_apps: tuple[FeishuApp, ...] = ()
    """More apps, for more organisations, with the same fields as the first. Their secrets come from files."""

    @property
    def apps(self) -> tuple[FeishuApp, ...]:
        """The first app and all others."""
        return (self, *self.further_apps)

    @model_validator(mode="after")
    def _complete(self) -> FeishuSettings:
        if self.enabled and (problems := [*self._problems()]):
            raise ValueError("; ".join(problems))
        return self

    def _problems(self) -> Iterator[str]:
        if absent := missing(self, self.needed()):
            yield f"mode {self.mode} needs {variables('feishu', absent)}, or secrets as _file"
        for number, app in enumerate(self.further_apps):
            if absent := missing(app, app.needed()):
                named = " and ".join(name if name == "app_id" else f"{name}_file" for name in absent)
                yield f"further_apps[{number}]: mode {app.mode} needs {named}"
        ids = [app.app_id for app in self.apps if app.app_id]
        if twice := sorted({each for each in ids if ids.count(each) > 1}):
            yield f"the app {', '.join(twice)} is named twice; keep one"


class WeComSettings(Section):
    """WeCom (企业微信): one corporation, with its self-built application, its robot, or both. `docs/wecom.md` tells
    where each value is found."""

    enabled: bool = False
    """Whether the bot is on WeCom. It needs the extra: `pip install 'chatops-bot[wecom]'`."""
    corp_id: str = ""
    """Id of the corporation, `ww…`."""
    agent_id: Annotated[int, Field(ge=0)] = 0
    """AgentId of the self-built application, which talks with each person alone; its events arrive under
    `/wecom/app`. 0 for none."""
    app_secret: SecretStr | None = None
    """Secret of the application."""
    app_secret_file: Path | None = None
    """File that holds the application's Secret."""
    app_token: SecretStr | None = None
    """Token of the application's callback."""
    app_token_file: Path | None = None
    """File that holds the Token of the application's callback."""
    app_aes_key: SecretStr | None = None
    """EncodingAESKey of the application's callback, 43 letters and digits."""
    app_aes_key_file: Path | None = None
    """File that holds the EncodingAESKey of the application's callback."""
    bot_mode: Literal["off", "socket", "http"] = "off"
    """The robot (智能机器人), which sits in group rooms. `socket` needs no public address, and WeCom keeps one
    connection a robot: of several processes one receives, and the others are not ready. `http` receives events under
    `/wecom/robot`, and can only answer."""
    bot_id: str = ""
    """Bot ID of the long connection; for `socket`."""
    bot_secret: SecretStr | None = None
    """Secret of the long connection; for `socket`."""
    bot_secret_file: Path | None = None
    """File that holds the Secret of the long connection."""
    bot_token: SecretStr | None = None
    """Token of the robot's callback; for `http`."""
    bot_token_file: Path | None = None
    """File that holds the Token of the robot's callback."""
    bot_aes_key: SecretStr | None = None
    """EncodingAESKey of the robot's callback, 43 letters and digits; for `http`."""
    bot_aes_key_file: Path | None = None
    """File that holds the EncodingAESKey of the robot's callback."""
    bot_name: str = ""
    """Name of the robot as people see it, which tells its mention from others. Empty: the first mention in a message
    is taken for its own."""
    link: str = "https://work.weixin.qq.com/"
    """Where a card without buttons leads when it is clicked; WeCom wants an address there."""
    api_url: str = "https://qyapi.weixin.qq.com/cgi-bin/"
    """Address of WeCom's API; another one only for an organisation's own gateway."""
    socket_url: str = "wss://openws.work.weixin.qq.com"
    """Address of the long connection; likewise."""

    @model_validator(mode="after")
    def _complete(self) -> WeComSettings:
        if self.enabled and (problems := [*self._problems()]):
            raise ValueError("; ".join(problems))
        return self

    def _problems(self) -> Iterator[str]:
        if not self.corp_id:
            yield f"needs {variables('wecom', ['corp_id'])}"
        if not self.agent_id and self.bot_mode == "off":
            yield "there is nobody to talk to: set agent_id for the application, or bot_mode for the robot"
        if self.agent_id and (absent := missing(self, ("app_secret", "app_token", "app_aes_key"))):
            yield f"agent_id needs {variables('wecom', absent)}, or the same as _file"
        robot = {"off": (), "socket": ("bot_id", "bot_secret"), "http": ("bot_token", "bot_aes_key")}[self.bot_mode]
        if absent := missing(self, robot):
            yield f"bot_mode {self.bot_mode} needs {variables('wecom', absent)}, or secrets as _file"
        for name, whose in (("app_aes_key", "the application's"), ("bot_aes_key", "the robot's")):
            if key := getattr(self, name):
                yield from _unusable(name, key, whose)


def _unusable(name: str, key: SecretStr, whose: str) -> Iterator[str]:
    try:
        check_aes_key(key.get_secret_value(), whose)
    except ValueError as error:
        yield f"{name}: {error}"


class ConsoleSettings(Section):
    """The web console. It has no login: whoever reaches it is whom they say they are."""

    enabled: bool = False
    """Whether the console is served beside the other platforms. Off, because of the missing login."""
    host: str = "127.0.0.1"
    """Address to listen on; a loopback address unless `trust_network` is set."""
    port: Port = 8080
    """Port to listen on; 0 for any free one."""
    trust_network: bool = False
    """Allow an address that others can reach. Only where something in front of it lets in nobody else."""
    hosts: tuple[str, ...] = ()
    """Names under which browsers reach it, beside `host` and those of this machine; requests for other names are
    refused, so that no other web site can lend it its own name."""
    users: tuple[str, ...] = ()
    """Names that may be used; empty for any."""

    @model_validator(mode="after")
    def _loopback(self) -> ConsoleSettings:
        if self.enabled and not self.trust_network and not _is_loopback(self.host):
            raise ValueError(
                f"host {self.host} can be reached by others and the console has no login; "
                "use 127.0.0.1, or set trust_network"
            )
        return self


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
