"""What can be configured: one YAML file plus environment variables. Design section 9, "Configuration".

Each field says what it means, its unit, and why its default is what it is; `docs/configuration.md` is made of these
sentences. `app/configuration.py` reads the file and the environment into these models.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from chatops_bot.app.section import NESTED, PREFIX, Section
from chatops_bot.app.settings_care import CareSettings
from chatops_bot.app.settings_digest import DigestSettings
from chatops_bot.app.settings_impersonation import ImpersonateSettings
from chatops_bot.app.settings_incidents import IncidentSettings
from chatops_bot.app.settings_memory import MemorySettings
from chatops_bot.app.settings_metrics import MetricsSettings
from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.app.settings_oncall import OnCallSettings
from chatops_bot.app.settings_platforms import (
    PLATFORMS,
    ConsoleSettings,
    FeishuApp,
    FeishuSettings,
    Platform,
    Port,
    RoomSettings,
    SlackSettings,
    WeComSettings,
)
from chatops_bot.app.settings_retention import DAY, RetentionSettings
from chatops_bot.app.settings_runbooks import RunbookSettings

__all__ = [
    "NESTED",
    "PLATFORMS",
    "PREFIX",
    "AlertRoute",
    "AlertSettings",
    "AuditSettings",
    "ClusterSettings",
    "ConsoleSettings",
    "FeishuApp",
    "FeishuSettings",
    "HttpSettings",
    "IncidentSettings",
    "LimitSettings",
    "LogSettings",
    "MetricsSettings",
    "ModelSettings",
    "Platform",
    "RetentionSettings",
    "RoomSettings",
    "RunbookSettings",
    "Section",
    "Settings",
    "SlackSettings",
    "StoreSettings",
    "TimeoutSettings",
    "WeComSettings",
]

Seconds = Annotated[int, Field(ge=1, le=7 * 86_400)]


class StoreSettings(Section):
    """Where everything that must survive a crash is kept: Redis 6.2 or newer, or Valkey."""

    url: SecretStr | None = None
    """Address: `redis://`, `rediss://`, `unix://`, `sentinel://HOST:PORT,HOST:PORT/NAME` or `cluster://HOST:PORT,…`.
    The variable `REDIS_URL` wins over it. With a password in it, it may only come from the environment or `url_file`.
    Without any address an embedded Valkey is started, which serves one process on one machine."""
    url_file: Path | None = None
    """File that holds the address, for addresses with a password."""
    password: SecretStr | None = None
    """Password for an address that has none in it, where it is kept by itself. A user goes into the address:
    `redis://USER@HOST`."""
    password_file: Path | None = None
    """File that holds the password."""
    wait_replicas: Annotated[int, Field(ge=0, le=5)] = 0
    """Copies that must have confirmed before anything is acknowledged or executed. 0 because a single Redis has none;
    1 with replicas, so that a failover loses less."""
    directory: Path = Path("chatops-data")
    """Folder of the embedded Valkey's data."""
    appendfsync: Literal["always", "everysec"] = "always"
    """How the embedded Valkey writes to disk. `always` loses nothing acknowledged, even by a power cut; `everysec` is
    10 to 20 % faster and may lose two seconds."""

    @model_validator(mode="after")
    def _password_for_an_address(self) -> StoreSettings:
        if self.password is not None and self.url is None:
            raise ValueError("a password is given, but no address that it is for")
        return self


class ClusterSettings(Section):
    """One Kubernetes cluster. Exactly one of `kubeconfig`, `in_cluster` and `url` says how it is reached."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$", max_length=63)]
    """What people call it; shown on every card. Letters, digits, `.`, `_` and `-`."""
    kubeconfig: Path | None = None
    """Kubeconfig file."""
    context: str = ""
    """Context of the kubeconfig; empty for its current one."""
    in_cluster: bool = False
    """Use the service account of the pod that the bot runs in."""
    url: str = ""
    """Plain address of an API server, such as that of `kubectl proxy`."""
    token: SecretStr | None = None
    """Bearer token for `url`, where it asks for one; a kubeconfig has its own."""
    token_file: Path | None = None
    """File that holds the token."""
    namespaces: tuple[str, ...] = ()
    """Namespaces the bot may look at and act in; empty for all that its account can see."""
    environment: str = ""
    """Environment of the cluster's services where the catalog says none, such as `prod`; policy rules name it."""
    events: bool = True
    """Whether each executed plan leaves a Kubernetes Event on its target, with the person and the link to the card. It
    needs leave to create events; where that is missing, it is logged and nothing else happens."""
    impersonate: ImpersonateSettings | None = None
    """Make changes in the name of the person who confirms, so that the cluster's roles and audit log see them. Off: in
    the bot's own name. Its account needs leave to impersonate them."""

    @model_validator(mode="after")
    def _one_way_in(self) -> ClusterSettings:
        ways = [self.kubeconfig is not None, self.in_cluster, bool(self.url)]
        if sum(ways) != 1:
            raise ValueError(f"cluster {self.name!r} needs exactly one of kubeconfig, in_cluster and url")
        if self.context and self.kubeconfig is None:
            raise ValueError(f"cluster {self.name!r} has a context, which only goes with kubeconfig")
        if self.token is not None and not self.url:
            raise ValueError(f"cluster {self.name!r} has a token, which only goes with url")
        return self


class HttpSettings(Section):
    """Health, metrics, alerts, and events of platforms that call us."""

    host: str = "0.0.0.0"  # noqa: S104 (probes, Prometheus and Alertmanager come from elsewhere)
    """Address to listen on; all, because probes, Prometheus and Alertmanager come from elsewhere."""
    port: Port = 8081
    """Port to listen on; 0 for any free one."""


class AlertRoute(Section):
    """Where some of the alerts go; the first route that matches wins."""

    owners: tuple[str, ...] = ()
    """Owners in the catalog, of whose services one is alerted; empty for any."""
    severities: tuple[str, ...] = ()
    """Values of the label `severity`; empty for any."""
    room: str
    """Id of the room, as under `rooms`."""


class AlertSettings(Section):
    """Alertmanager's webhook, `POST /alerts`."""

    enabled: bool = False
    """Whether alerts are taken. Off, because it needs a room and a token."""
    room: str = ""
    """Id of the room for alerts that no route takes, as under `rooms`."""
    routes: tuple[AlertRoute, ...] = ()
    """Other rooms for some alerts."""
    token: SecretStr | None = None
    """Token that Alertmanager sends as `Authorization: Bearer …`."""
    token_file: Path | None = None
    """File that holds the token."""
    username: str = ""
    """User name, where Alertmanager uses basic authentication."""
    password: SecretStr | None = None
    """Password for basic authentication."""
    password_file: Path | None = None
    """File that holds the password."""
    unauthenticated: bool = False
    """Take alerts from anybody who reaches the port. Off: a forged alert could make people act."""
    max_bytes: Annotated[int, Field(ge=1_024, le=64 * 1_024 * 1_024)] = 4 * 1_024 * 1_024
    """Largest delivery taken, in bytes; 4 MiB hold some thousand alerts."""
    receivers: tuple[str, ...] = ()
    """Names of Alertmanager's receivers whose deliveries are taken; empty for all. Each receiver that a group is routed
    to has a card of its own."""
    ignore: tuple[dict[str, str], ...] = (
        {"alertname": "Watchdog"},
        {"alertname": "InfoInhibitor"},
        {"severity": "none"},
    )
    """Alerts that are not shown: those with all labels of one of these mappings. The default leaves out what always
    fires, so that somebody notices when it stops, and what only serves to inhibit others."""

    @field_validator("ignore")
    @classmethod
    def _some_label(cls, ignore: tuple[dict[str, str], ...]) -> tuple[dict[str, str], ...]:
        if not all(ignore):
            raise ValueError("a mapping without labels would leave out every alert; remove it, or name labels")
        return ignore

    @model_validator(mode="after")
    def _guarded(self) -> AlertSettings:
        if not self.enabled:
            return self
        if not self.room:
            raise ValueError("room is missing; name the room for alerts that no route takes")
        if bool(self.username) != (self.password is not None):
            raise ValueError("username and password go together; one of them is missing")
        if self.token is None and self.password is None and not self.unauthenticated:
            raise ValueError(f"needs {PREFIX}ALERTS{NESTED}TOKEN, a username with password, or unauthenticated: true")
        return self


class TimeoutSettings(Section):
    """How long things stay open, in seconds."""

    idle_s: Seconds = 600
    """A thread in which nothing happens is closed; 10 min is about one topic of a channel."""
    collecting_s: Seconds = 1_800
    """The same while the bot waits for a value it has asked for; people look it up first."""
    plan_s: Seconds = 900
    """A plan may be confirmed for so long after it was shown; what it showed gets old."""
    approval_s: Seconds = 3_600
    """A confirmed plan waits for approvals for so long; approvers have to be found."""
    approval_reminder_s: Annotated[int, Field(ge=0, le=7 * 86_400)] = 600
    """Those who may approve are mentioned once more when a plan has waited for so long, and only once. 10 min leave
    time to look at it, and most of `approval_s` to answer; 0 for no reminder."""


class GroupSettings(Section):
    """Groups of the policy that Slack or Feishu keeps (`slack-group:…`, `feishu-department:…`), in seconds."""

    refresh_s: Annotated[int, Field(ge=10, le=86_400)] = 300
    """Between two readings of a group; somebody who was taken out of it may confirm for so long still."""
    stale_s: Annotated[int, Field(ge=10, le=7 * 86_400)] = 1_800
    """While the platform does not answer, what was read last counts for so long; after that nobody is in the group."""

    @model_validator(mode="after")
    def _in_order(self) -> GroupSettings:
        if self.stale_s < self.refresh_s:
            raise ValueError("stale_s is shorter than refresh_s, so every group would be empty between two readings")
        return self


class LimitSettings(Section):
    """Bounds against floods. Clicks, confirmations and alerts are never counted."""

    user_queries_per_minute: Annotated[int, Field(ge=1, le=10_000)] = 20
    """Requests to the cluster that one person may cause; more than anybody reads."""
    room_queries_per_minute: Annotated[int, Field(ge=1, le=100_000)] = 120
    """The same for a whole room; an incident with a dozen busy people stays below it."""


class LogSettings(Section):
    """The process's own log, on standard error."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    """Least severe level that is written."""
    format: Literal["json", "console"] = "json"
    """`json`, one object a line, for collectors; `console` for a terminal."""


class AuditSettings(Section):
    """Second places for the audit log, which is in the store: what is there survives the store's loss. Both get every
    entry as one JSON object a line, at least once and within seconds; `docs/operations.md` says more."""

    output: bool = True
    """Write each entry to standard output, for the collector of the logs. On, because it needs nothing else."""
    webhook: str = ""
    """Address that entries are posted to, up to 100 at a time; empty for none."""
    token: SecretStr | None = None
    """Bearer token for `webhook`, where it asks for one."""
    token_file: Path | None = None
    """File that holds the token."""
    required: bool = False
    """Make changes only while these places have the log. Off, because then an address that is away stops changes."""
    required_within_s: Annotated[int, Field(ge=60, le=86_400)] = 300
    """With `required`: how long a place may be behind before changes are refused, in seconds. A restart of a collector
    takes less than 5 min."""

    @field_validator("webhook")
    @classmethod
    def _an_address(cls, webhook: str) -> str:
        if webhook and not webhook.startswith(("http://", "https://")):
            raise ValueError("webhook must begin with https:// or http://")
        return webhook

    @model_validator(mode="after")
    def _token_for_an_address(self) -> AuditSettings:
        if self.token is not None and not self.webhook:
            raise ValueError("a token is given, but no webhook that it is for")
        return self

    @model_validator(mode="after")
    def _required_somewhere(self) -> AuditSettings:
        if self.required and not (self.output or self.webhook):
            raise ValueError("required is set, but neither output nor webhook; name the place that must have the log")
        return self


class Settings(BaseSettings):
    """The whole configuration."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter=NESTED,
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        hide_input_in_errors=True,
    )

    language: Literal["zh", "en"] = "en"
    """Language of what answers nobody in particular (alerts); an answer is in the language of its question."""
    read_only: bool = False
    """Refuse every change, approved plans included. `chatops-bot read-only on` does the same while running."""
    store: StoreSettings = StoreSettings()
    clusters: tuple[ClusterSettings, ...] = ()
    """The clusters. Names must differ."""
    services: tuple[dict[str, object], ...] | None = None
    """Catalog entries, beside what the clusters hold. Not together with `catalog_file`."""
    catalog_file: Path | None = None
    """YAML file with `services`, the catalog entries."""
    policy: dict[str, object] | None = None
    """Who may do what. Not together with `policy_file`. Without either the bot only reads."""
    policy_file: Path | None = None
    """YAML file whose content is the policy; read again whenever it changes."""
    rooms: dict[str, RoomSettings] = {}
    """Rooms that differ from the default, and rooms for alerts, by the platform's id of the room."""
    slack: SlackSettings = SlackSettings()
    feishu: FeishuSettings = FeishuSettings()
    wecom: WeComSettings = WeComSettings()
    console: ConsoleSettings = ConsoleSettings()
    http: HttpSettings = HttpSettings()
    alerts: AlertSettings = AlertSettings()
    incidents: IncidentSettings = IncidentSettings()
    oncall: OnCallSettings = OnCallSettings()
    care: CareSettings = CareSettings()
    digest: DigestSettings = DigestSettings()
    audit: AuditSettings = AuditSettings()
    metrics: MetricsSettings = MetricsSettings()
    model: ModelSettings = ModelSettings()
    retention: RetentionSettings = RetentionSettings()
    memory: MemorySettings = MemorySettings()
    runbooks: RunbookSettings = RunbookSettings()
    timeouts: TimeoutSettings = TimeoutSettings()
    groups: GroupSettings = GroupSettings()
    limits: LimitSettings = LimitSettings()
    log: LogSettings = LogSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what it is given: `app/configuration.py` has read file and environment already."""
        return (init_settings,)

    @field_validator("clusters")
    @classmethod
    def _names_differ(cls, clusters: Sequence[ClusterSettings]) -> Sequence[ClusterSettings]:
        names = [cluster.name for cluster in clusters]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two clusters are called {', '.join(twice)}; names must differ")
        return clusters

    @model_validator(mode="after")
    def _consistent(self) -> Settings:
        problems = [*self._either_or(), *self._unknown_rooms(), *self._rooms_of_apps(), *self._outlived()]
        problems += self._unknown_clusters()
        if self.console.enabled and self.console.port and self.console.port == self.http.port:
            problems.append("console.port and http.port are the same; choose another for one of them")
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _either_or(self) -> list[str]:
        pairs = (("policy", "policy_file"), ("services", "catalog_file"))
        return [
            f"{inline} and {file} are both set; keep one"
            for inline, file in pairs
            if getattr(self, inline) is not None and getattr(self, file) is not None
        ]

    def _outlived(self) -> Iterator[str]:
        """Plans, and the cards that they are on, which would be forgotten while they wait."""
        longest_s = self.timeouts.plan_s + self.timeouts.approval_s
        for name in ("plans_days", "cards_days"):
            if getattr(self.retention, name) * DAY <= longest_s:
                yield f"retention.{name} is no longer than a plan may wait (timeouts.plan_s, approval_s); set it higher"

    def _unknown_rooms(self) -> list[str]:
        wanted = [self.alerts.room, *(route.room for route in self.alerts.routes)] if self.alerts.enabled else []
        named = [("alerts name", room) for room in dict.fromkeys(wanted)]
        named += [("incidents.links names", room) for room in dict.fromkeys(self.incidents.links.values())]
        named += [("care names", self.care.room)] if self.care.enabled else []
        named += [("digest names", room) for room in dict.fromkeys(self.digest.rooms)]
        return [
            f"{who} the room {room!r}, which is not under rooms; add it there with its platform"
            for who, room in named
            if room not in self.rooms
        ]

    def _unknown_clusters(self) -> list[str]:
        known = {cluster.name for cluster in self.clusters}
        return [
            f"metrics.further names the cluster {entry.cluster!r}, which is not under clusters"
            for entry in self.metrics.further
            if entry.cluster not in known
        ]

    def _rooms_of_apps(self) -> Iterator[str]:
        """Rooms on Feishu of which it is not clear who serves them."""
        known = [app.app_id for app in self.feishu.apps]
        for room, chosen in self.rooms.items():
            if chosen.app and chosen.platform != "feishu":
                yield f"the room {room!r} has an app, which only goes with platform: feishu"
            elif self.feishu.enabled and chosen.app and chosen.app not in known:
                yield f"the room {room!r} names the app {chosen.app}, which is not under feishu"
            elif self.feishu.enabled and chosen.platform == "feishu" and not chosen.app and len(known) > 1:
                yield f"the room {room!r} does not say which app of Feishu serves it; set its app"
