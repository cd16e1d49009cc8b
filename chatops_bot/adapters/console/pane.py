"""The sandbox pane beside the room: what the page needs of a cluster that may be played with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Literal, Protocol

Trouble = Literal["CrashLoopBackOff", "OOMKilled", "ImagePullBackOff", "Pending", "NotReady", "Running"]
"""What the page can bring upon a workload; `Running` heals it."""


class Changes(Protocol):
    """One item, whatever it is, for each change from the subscription on."""

    def __aiter__(self) -> AsyncIterator[object]: ...

    def close(self) -> None:
        """The reader has gone."""


class Pane(Protocol):
    """A cluster to look at and to break on purpose. The app gives one for a sandbox, and none for a real
    cluster; without it the page has no pane."""

    def snapshot(self) -> Mapping[str, object]:
        """The whole cluster now, in plain values. Everything but names and kinds may be left out:

            {"name": "sandbox",
             "nodes": [{"name", "ready", "unschedulable", "pods"}],
             "workloads": [{"kind", "namespace", "name", "replicas", "ready", "image", "paused",
                            "autoscaler": {"min", "max"} or None,
                            "pods": [{"name", "state", "ready", "restarts"}]}]}

        `state` is what `kubectl get pods` shows of a pod: `Running`, `CrashLoopBackOff`, `Terminating` …
        """

    def subscribe(self) -> Changes:
        """Notices of changes. Several may read at once."""

    def stage(self, namespace: str, name: str, trouble: Trouble) -> None:
        """Bring a trouble upon all pods of a workload. Raises `LookupError`, with a message for the page, when
        there is no such workload."""
