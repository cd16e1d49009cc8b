"""Charts of what Prometheus has measured, as they can be configured; `app/settings.py` says what the sentences below
fields are for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, get_args
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from chatops_bot.adapters.prometheus import Access
from chatops_bot.app.section import Section, a_zone
from chatops_bot.domain.metrics import QUERIES
from chatops_bot.domain.promql import problem_of
from chatops_bot.engine.metrics import Recipes

Panel = Literal["cpu", "memory", "requests", "errors", "latency", "restarts", "replicas"]
PANELS: Final[tuple[Panel, ...]] = get_args(Panel)


class PrometheusSettings(Section):
    """One Prometheus, or what answers its HTTP API: Thanos, Mimir, VictoriaMetrics."""

    url: str = ""
    """Address, such as `http://prometheus.monitoring:9090`; a path is kept. Empty for none."""
    token: SecretStr | None = None
    """Bearer token, where it asks for one."""
    token_file: Path | None = None
    """File that holds the token."""
    username: str = ""
    """User name, where it asks for basic authentication."""
    password: SecretStr | None = None
    """Password for basic authentication."""
    password_file: Path | None = None
    """File that holds the password."""
    ca_file: Path | None = None
    """File of certificates (PEM) to trust, where it has one that the system does not know."""
    cluster_label: str = ""
    """Label that tells clusters apart, where one Prometheus has several; its value is the cluster's name here. Empty
    where it has only one."""

    @field_validator("cluster_label")
    @classmethod
    def _a_label(cls, label: str) -> str:
        if label and not (label.isascii() and label.isidentifier()):
            raise ValueError("cluster_label must be the name of a label: letters, digits and _")
        return label

    @model_validator(mode="after")
    def _usable(self) -> PrometheusSettings:
        if problems := [*self._problems()]:
            raise ValueError("; ".join(problems))
        return self

    def _problems(self) -> Iterator[str]:
        if self.url:
            parts = urlsplit(self.url)
            if parts.scheme not in ("http", "https") or not parts.hostname:
                yield "url must begin with https:// or http:// and name a host"
            if parts.username or parts.password:
                yield "url has a user in it; write username and password_file instead"
            if parts.query or parts.fragment:
                yield "url must have no ? and no #"
        elif self.token is not None or self.username:
            yield "a token or a username is given, but no url that it is for"
        if bool(self.username) != (self.password is not None):
            yield "username and password go together; one of them is missing"
        if self.username and self.token is not None:
            yield "a token and a username are given; keep one"

    def access(self) -> Access:
        """As the adapter has it."""
        return Access(
            url=self.url,
            token=self.token.get_secret_value() if self.token is not None else "",
            username=self.username,
            password=self.password.get_secret_value() if self.password is not None else "",
            ca=self.ca_file,
        )


class ClusterPrometheus(PrometheusSettings):
    """The Prometheus of one cluster, with the same fields. Its secrets come from files."""

    cluster: str
    """Name of the cluster, as under `clusters`."""


class MetricsSettings(PrometheusSettings):
    """Charts on cards, of what Prometheus has measured; off without a `url`. `docs/metrics.md` tells what is charted.
    The fields are those of the Prometheus of every cluster that `further` does not name."""

    further: tuple[ClusterPrometheus, ...] = ()
    """Other Prometheuses, for some clusters."""
    timeout_s: Annotated[float, Field(ge=0.5, le=10)] = 3
    """For all queries of one card together, in seconds; what is not there by then is left out, and the card says so."""
    span_s: Annotated[int, Field(ge=300, le=7 * 86_400)] = 3_600
    """How far back charts go unless a question says otherwise, in seconds."""
    queries: dict[str, str] = Field(default={})
    """Queries instead of the built-in ones, by their names in `docs/metrics.md`; an empty one takes its chart away."""
    diagnosis: tuple[Panel, ...] = ("errors", "latency", "memory")
    """Charts on the card of a diagnosis, as far as they have something to show: the first two that do. Empty for
    none."""
    pictures: bool = True
    """Whether charts are drawn for Slack and Feishu. It needs the extra: `pip install 'chatops-bot[charts]'`; without
    it, each chart is a line of text there. The console draws by itself."""
    time_zone: str = "UTC"
    """Time zone of the charts, such as `Asia/Shanghai`; it is named on them."""

    @field_validator("queries")
    @classmethod
    def _sound(cls, queries: Mapping[str, str]) -> Mapping[str, str]:
        problems = [f"{name} is no query; known are {', '.join(QUERIES)}" for name in queries if name not in QUERIES]
        for name, template in queries.items():
            if template and (problem := problem_of(template)):
                problems.append(f"{name} {problem}")
        if problems:
            raise ValueError("; ".join(problems))
        return queries

    @field_validator("time_zone")
    @classmethod
    def _known(cls, name: str) -> str:
        return a_zone(name)

    @model_validator(mode="after")
    def _each_once(self) -> MetricsSettings:
        names = [each.cluster for each in self.further]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"further has two entries for {', '.join(twice)}; keep one")
        if absent := [each.cluster for each in self.further if not each.url]:
            raise ValueError(f"further: url is missing for {', '.join(absent)}")
        return self

    def of(self, cluster: str) -> PrometheusSettings | None:
        """The Prometheus of a cluster; None where it has none."""
        own = next((each for each in self.further if each.cluster == cluster), None)
        chosen = own if own is not None else self
        return chosen if chosen.url else None

    def recipes(self, clusters: Mapping[str, PrometheusSettings]) -> Recipes:
        """How charts are made; `clusters` are those with a Prometheus."""
        labels = {name: each.cluster_label for name, each in clusters.items() if each.cluster_label}
        return Recipes(
            queries=self.queries, cluster_labels=labels, seconds=self.span_s, diagnosis=tuple(self.diagnosis)
        )
