"""Kubernetes clusters, through the official client's transport: raw JSON, in threads, every call limited in time.

Only `ApiClient` and the configuration loaders of the package are imported. Its typed API classes cost 28 MB and half
a second, and their models refuse objects that real servers send.
"""

from chatops_bot.adapters.kubernetes.connection import Connection
from chatops_bot.adapters.kubernetes.reader import KubernetesCluster
from chatops_bot.adapters.kubernetes.switched import SwitchedConnection
from chatops_bot.adapters.kubernetes.writer import KubernetesWriter

__all__ = ["Connection", "KubernetesCluster", "KubernetesWriter", "SwitchedConnection"]
