"""How a cluster is reached and by whom: a kubeconfig context, the pod's own service account, or a plain URL."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

import msgspec
import urllib3
from kubernetes.client.api_client import ApiClient
from kubernetes.client.configuration import Configuration
from kubernetes.config.config_exception import ConfigException
from kubernetes.config.incluster_config import load_incluster_config
from kubernetes.config.kube_config import load_kube_config
from yaml import YAMLError

from chatops_bot.ports.cluster import Refused

USER_AGENT = "chatops-bot"

_READ_RETRIES = urllib3.Retry(
    total=2,
    redirect=0,
    backoff_factor=0.1,
    allowed_methods={"GET"},
    status_forcelist={429, 502, 503, 504},
    respect_retry_after_header=True,
    retry_after_max=2,
    raise_on_status=False,
    raise_on_redirect=False,
)


class Limits(msgspec.Struct, frozen=True):
    """How long a call may take, in seconds."""

    connect_s: float = 3.05
    """To be connected, TLS included. Just above the time after which a lost packet is sent again."""
    read_s: float = 10.0
    """Between two pieces of an answer."""
    deadline_s: float = 15.0
    """Over all attempts and the wait for a free thread."""


LIMITS = Limits()


# The loaders carry no types.
_from_file: Callable[..., None] = load_kube_config
_from_pod: Callable[..., None] = load_incluster_config


class Connection:
    """Everything needed to build clients for one cluster. Nothing is taken from, or put into, global defaults.

    `load` fills a Configuration, and is called again to fetch credentials anew. Raises `ClusterError` where the
    configuration cannot be used.
    """

    def __init__(self, load: Callable[[Configuration], None], *, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self._load = load
        self._lock = threading.Lock()
        self._source = self._loaded()

    @classmethod
    def from_kubeconfig(cls, path: str | Path, context: str = "", *, limits: Limits = LIMITS) -> Self:
        """A context of a kubeconfig file; the current one where none is named."""

        def load(configuration: Configuration) -> None:
            if not Path(path).expanduser().is_file():  # the library says that there is no configuration, not where
                raise ConfigException(f"{path}: there is no such file")
            _from_file(
                config_file=str(path),
                context=context or None,
                client_configuration=configuration,
                persist_config=False,
            )

        return cls(load, limits=limits)

    @classmethod
    def in_cluster(cls) -> Self:
        """The service account of the pod that the bot runs in; its token is read again every minute."""

        def load(configuration: Configuration) -> None:
            try:
                _from_pod(client_configuration=configuration)
            except ConfigException as problem:
                raise ConfigException(f"this is not a pod with a service account ({problem})") from problem

        return cls(load)

    @classmethod
    def at_url(cls, url: str, token: str = "") -> Self:
        """A plain address, such as the sandbox's."""

        def load(configuration: Configuration) -> None:
            configuration.host = url.rstrip("/")
            if token:
                configuration.api_key["BearerToken"] = f"Bearer {token}"

        return cls(load)

    @property
    def host(self) -> str:
        """The API server's address."""
        return str(self._source.host)

    def client(self, *, writes: bool, connections: int) -> ApiClient:
        """A client that reads (GET is retried, within bounds) or one that writes (nothing ever is)."""
        configuration = self._loaded()
        # Credentials come from `authorization`, under one lock: the library's hook neither locks nor strips.
        configuration.api_key.clear()
        configuration.refresh_api_key_hook = None
        configuration.retries = False if writes else _READ_RETRIES
        configuration.connection_pool_maxsize = connections
        client = ApiClient(configuration)
        client.user_agent = USER_AGENT
        return client

    def authorization(self) -> str:
        """The header that says who the bot is, fresh; "" where there is none. May block while a plugin runs."""
        with self._lock:
            header = self._source.get_api_key_with_prefix("BearerToken", alias="authorization")
            # A token file often ends in a newline, which would make every request fail as an invalid header.
            return " ".join(str(header or "").split())

    def renew(self) -> None:
        """Read the credentials again, after the server did not know the old ones. May block."""
        with self._lock:
            self._source = self._loaded()

    def _loaded(self) -> Configuration:
        configuration = Configuration()
        try:
            self._load(configuration)
        except (ConfigException, YAMLError, OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
            why = " ".join(str(problem).split())
            raise Refused(f"the cluster's configuration cannot be used: {why}", reason="Configuration") from problem
        return configuration
