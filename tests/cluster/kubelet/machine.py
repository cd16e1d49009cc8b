"""What all pods of this program share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.cluster.kubelet.addresses import Addresses
from tests.cluster.kubelet.client import Client, Json
from tests.cluster.kubelet.environment import Objects, Sources
from tests.cluster.kubelet.events import Recorder
from tests.cluster.kubelet.images import Images
from tests.cluster.kubelet.namespaces import Isolation
from tests.cluster.kubelet.stages import Order


@dataclass(frozen=True)
class Workshop:
    """What is needed to run images as processes. `env` is given to each of them."""

    images: Images
    isolation: Isolation
    sources: Sources
    pods: Objects
    claims: Objects
    env: Mapping[str, str]

    def runs(self, pod: Json) -> bool:
        """Whether any container of it is run."""
        spec = pod["spec"]
        return any(self.images.find(item["image"]) for item in [*spec.get("initContainers", []), *spec["containers"]])


@dataclass
class Machine:
    """`workshop` is None where no image is run."""

    client: Client
    recorder: Recorder
    addresses: Addresses
    folder: Path
    workshop: Workshop | None = None
    order: Order = field(default_factory=Order)
