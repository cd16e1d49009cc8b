"""What all pods of this program share."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tests.cluster.kubelet.addresses import Addresses
from tests.cluster.kubelet.client import Client
from tests.cluster.kubelet.events import Recorder
from tests.cluster.kubelet.stages import Order


@dataclass
class Machine:
    client: Client
    recorder: Recorder
    addresses: Addresses
    folder: Path
    order: Order = field(default_factory=Order)
