"""Transcripts played by the command on a real control plane, the bot under an account of its own; and on the sandbox."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from chatops_bot.app import transcript
from tests.cluster.account import role
from tests.cluster.api import Api
from tests.cluster.controlplane import ControlPlane

HERE = Path(__file__).parent
SCENES = sorted((HERE / "scenes").glob("*.yaml"))
OWN = sorted((HERE.parent / "scenario" / "transcripts").glob("*.yaml"))
OUTSIDE = sorted((HERE.parent / "scenario" / "transcripts_outside").glob("*.yaml"))

CONTEXT = "bot"
HOME = "bot-of-scenarios"
"""Namespace of the bot's account."""
_RBAC = "/apis/rbac.authorization.k8s.io/v1"

Turn = dict[str, Any]


@dataclass(frozen=True)
class Played:
    """What the command printed for each file, and what it said beside."""

    code: int
    turns: dict[Path, list[Turn]]
    said: str

    def verdict(self, path: Path) -> bool:
        return f"{path}: holds" in self.said


def user() -> str:
    """The bot, as the API server's audit log names it."""
    return f"system:serviceaccount:{HOME}:{CONTEXT}"


def make_account(admin: Api) -> None:
    """A service account that may do what the README grants, in every namespace."""
    admin.make("/api/v1/namespaces", {"metadata": {"name": HOME}})
    admin.make(f"/api/v1/namespaces/{HOME}/serviceaccounts", {"metadata": {"name": CONTEXT}})
    admin.make(f"{_RBAC}/clusterroles", {**role(), "kind": "ClusterRole", "metadata": {"name": HOME}})
    binding = {
        "metadata": {"name": HOME},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": HOME},
        "subjects": [{"kind": "ServiceAccount", "name": CONTEXT, "namespace": HOME}],
    }
    admin.make(f"{_RBAC}/clusterrolebindings", binding)


def remove_account(admin: Api) -> None:
    admin.delete(f"{_RBAC}/clusterrolebindings/{HOME}")
    admin.delete(f"{_RBAC}/clusterroles/{HOME}")
    admin.delete(f"/api/v1/namespaces/{HOME}")


def token(admin: Api) -> str:
    path = f"/api/v1/namespaces/{HOME}/serviceaccounts/{CONTEXT}/token"
    return str(admin.make(path, {"spec": {"expirationSeconds": 3600}})["status"]["token"])


def kubeconfig(controlplane: ControlPlane, folder: Path) -> Path:
    """The administrator's, with a context of the bot beside."""
    content = yaml.safe_load(controlplane.kubeconfig().read_text())
    cluster = content["clusters"][0]["name"]
    content["users"].append({"name": CONTEXT, "user": {"token": token(controlplane.api())}})
    content["contexts"].append({"name": CONTEXT, "context": {"cluster": cluster, "user": CONTEXT}})
    path = folder / "kubeconfig"
    path.write_text(yaml.safe_dump(content))
    return path


def begin(paths: Sequence[Path], *options: str) -> subprocess.Popen[str]:
    """`chatops-bot replay`, with a store of its own."""
    environment = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    command = [sys.executable, "-m", "chatops_bot", "replay", *options, *map(str, paths)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end(process: subprocess.Popen[str], paths: Sequence[Path], *, within_s: float) -> Played:
    """Wait for it. Files that it did not get to print nothing. Raises `subprocess.TimeoutExpired`."""
    out, said = process.communicate(timeout=within_s)
    lines = [json.loads(line) for line in out.splitlines()]
    turns: dict[Path, list[Turn]] = {}
    for path in paths:
        count = len(transcript.read(path).turns)
        turns[path], lines = lines[:count], lines[count:]
    return Played(process.returncode, turns, said)
