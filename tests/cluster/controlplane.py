"""A real Kubernetes control plane on the loopback: etcd, API server, controllers, scheduler, and a stand-in kubelet.

Everything of a run lies in one folder and one block of ports, so that several can run side by side. `kube-apiserver`
is killed instead of asked: its graceful stop takes over ten seconds.
"""

from __future__ import annotations

import csv
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import trustme
import urllib3
import yaml

from tests.cluster.api import Api
from tests.cluster.binaries import Binaries

NODES = ("node-a", "node-b", "node-c")

_PREFIX = "chatops-cluster-"
_LOCK = "lock"
"""A file in a run's folder, locked for as long as its process lives, however that one ends."""

_ADMIN = "admin"
_USERS = {
    _ADMIN: ("system:masters",),
    "system:kube-controller-manager": (),
    "system:kube-scheduler": (),
}
_BLOCKS = range(21_000, 29_000, 10)
"""Below the range from which the kernel takes the ports of outgoing connections."""

_AUDIT_POLICY = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived", "ResponseStarted"],
    "rules": [
        {"level": "None", "verbs": ["get", "list", "watch"]},
        {"level": "None", "resources": [{"group": "coordination.k8s.io"}, {"group": "", "resources": ["events"]}]},
        {"level": "None", "resources": [{"group": "events.k8s.io"}]},
        {"level": "Request"},
    ],
}


class ControlPlane:
    """`start` returns when the default service account exists and every node is ready; `stop` leaves nothing.

    `runs` maps prefixes of images to the command that the kubelet starts for them as a process of this machine, a list
    or an object (`tests.cluster.kubelet.images`); `env` is given to each such process.
    """

    def __init__(
        self,
        binaries: Binaries,
        *,
        nodes: Sequence[str] = NODES,
        runs: Mapping[str, Sequence[str] | Mapping[str, object]] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._binaries = binaries
        self._nodes = nodes
        self._runs = runs or {}
        self._env = env or {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._authority = trustme.CA()
        self._guard, self._base = _block()
        self._tokens = {user: f"token-of-{user.replace(':', '-')}" for user in _USERS}
        sweep(Path(tempfile.gettempdir()))
        self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._lock = (self.folder / _LOCK).open("wb")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self.url = f"https://127.0.0.1:{self._base + 3}"
        self.ca_file = self.folder / "ca.crt"

    @property
    def host(self) -> str:
        return "127.0.0.1"

    @property
    def port(self) -> int:
        """Of the API server."""
        return self._base + 3

    @property
    def pod_net(self) -> str:
        """First three octets of the pods' addresses, on the loopback."""
        block = (self._base - _BLOCKS.start) // _BLOCKS.step
        return f"127.{64 + block // 250}.{1 + block % 250}"

    def api(self, token: str = "") -> Api:
        """Raw requests; as an administrator unless a token says otherwise."""
        return Api(self.url, token or self._tokens[_ADMIN], self.ca_file)

    def kubeconfig(self, token: str = "", *, name: str = _ADMIN, namespace: str = "default", server: str = "") -> Path:
        """A file for clients; of an administrator unless a token says otherwise. `server` for a proxy in between."""
        cluster = {"server": server or self.url, "certificate-authority": str(self.ca_file)}
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": name,
            "clusters": [{"name": name, "cluster": cluster}],
            "users": [{"name": name, "user": {"token": token or self._tokens[_ADMIN]}}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name, "namespace": namespace}}],
        }
        path = self.folder / f"kubeconfig-{name.replace('/', '-').replace(':', '-')}"
        path.write_text(yaml.safe_dump(content))
        return path

    def certificate(self, name: str) -> tuple[Path, Path]:
        """A serving certificate for the loopback that this cluster's clients trust, and its key."""
        issued = self._authority.issue_cert("localhost", "127.0.0.1", common_name=name)
        chain, key = self.folder / f"{name}.crt", self.folder / f"{name}.key"
        issued.cert_chain_pems[0].write_to_path(chain)
        issued.private_key_pem.write_to_path(key)
        return chain, key

    def audit(self) -> list[dict[str, Any]]:
        """Everything that was sent to be written, oldest first; requests refused and dry runs among them."""
        path = self.folder / "audit.log"
        if not path.exists():
            return []
        whole = path.read_bytes().rpartition(b"\n")[0]
        return [json.loads(line) for line in whole.splitlines() if line]

    def writes(
        self, *, user: str = "", namespace: str = "", verbs: Sequence[str] = ("patch",)
    ) -> Iterator[dict[str, Any]]:
        """Of the audit log: what was carried out, dry runs left out."""
        for event in self.audit():
            reference = event.get("objectRef", {})
            if (
                event["verb"] in verbs
                and event["responseStatus"].get("code", 500) < 300
                and "dryRun=" not in event["requestURI"]
                and (not user or event["user"]["username"] == user)
                and (not namespace or reference.get("namespace") == namespace)
            ):
                yield event

    def start(self) -> None:
        """Raises `RuntimeError` with the last lines of the program that ended."""
        try:
            self._prepare()
            self._launch("etcd", self._etcd())
            self.start_apiserver()
            for name, program in (
                ("kube-controller-manager", self._binaries.controller_manager),
                ("kube-scheduler", self._binaries.scheduler),
            ):
                self._launch(name, [str(program), *self._component(name)])
            if self._nodes:
                self._launch("kubelet", self._kubelet())
            self._until(self._populated, "the nodes are ready", limit_s=30)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Kill everything and remove the folder."""
        self._end("kubelet", signal.SIGTERM, limit_s=10)
        for name in ("kube-scheduler", "kube-controller-manager", "kube-apiserver", "etcd"):
            self._end(name, signal.SIGKILL)
        self._guard.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        self._lock.close()

    def start_apiserver(self) -> None:
        """Returns when `/readyz` says ok."""
        self._launch("kube-apiserver", self._apiserver())
        self._until(lambda: self.api().ready(), "the API server is ready", limit_s=30)

    def compact(self) -> None:
        """Let etcd forget every earlier state, as the API server has it do every five minutes."""
        version = self.api().get("/api/v1/namespaces").json["metadata"]["resourceVersion"]
        pool = urllib3.PoolManager(retries=False, timeout=20)
        body = json.dumps({"revision": version, "physical": True})
        answer = pool.request("POST", f"http://127.0.0.1:{self._base + 1}/v3/kv/compaction", body=body)
        if answer.status != 200:
            raise RuntimeError(f"etcd does not compact: {answer.status} {answer.data!r}")

    def kill_apiserver(self) -> None:
        """As a crash does; connections break off."""
        self._end("kube-apiserver", signal.SIGKILL)

    @contextmanager
    def frozen(self, program: str) -> Iterator[None]:
        """Nothing of a program moves meanwhile, as on a machine that is overloaded; its connections stay."""
        process = self._processes[program]
        process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            process.send_signal(signal.SIGCONT)

    def log_of(self, program: str) -> str:
        """What a program of the control plane has written."""
        return (self.folder / f"{program}.log").read_text(errors="replace")

    def _prepare(self) -> None:
        authority = self._authority
        names = ("localhost", "127.0.0.1", "::1", "kubernetes", "kubernetes.default.svc", "10.0.0.1")
        authority.cert_pem.write_to_path(self.ca_file)
        serving = authority.issue_cert(*names)
        serving.private_key_pem.write_to_path(self.folder / "server.key")
        serving.cert_chain_pems[0].write_to_path(self.folder / "server.crt")
        client = authority.issue_cert(common_name="kube-apiserver", organization_name="system:masters")
        client.private_key_pem.write_to_path(self.folder / "client.key")
        client.cert_chain_pems[0].write_to_path(self.folder / "client.crt")
        authority.issue_cert("service-accounts").private_key_pem.write_to_path(self.folder / "accounts.key")
        (self.folder / "audit.yaml").write_text(yaml.safe_dump(_AUDIT_POLICY))
        with (self.folder / "tokens.csv").open("w", newline="") as file:
            for user, groups in _USERS.items():
                csv.writer(file).writerow([self._tokens[user], user, user, ",".join(groups)])
        for user in _USERS:
            self.kubeconfig(self._tokens[user], name=user)

    def _etcd(self) -> list[str]:
        client, peer = (f"http://127.0.0.1:{self._base + offset}" for offset in (1, 2))
        return [
            str(self._binaries.etcd),
            f"--data-dir={self.folder / 'etcd'}",
            f"--listen-client-urls={client}",
            f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=default={peer}",
            "--unsafe-no-fsync",
            "--logger=zap",
        ]

    def _apiserver(self) -> list[str]:
        files = {
            "cert-dir": "",
            "tls-cert-file": "server.crt",
            "tls-private-key-file": "server.key",
            "client-ca-file": "ca.crt",
            "token-auth-file": "tokens.csv",
            "service-account-key-file": "accounts.key",
            "service-account-signing-key-file": "accounts.key",
            "kubelet-client-certificate": "client.crt",
            "kubelet-client-key": "client.key",
            "audit-policy-file": "audit.yaml",
            "audit-log-path": "audit.log",
        }
        return [
            str(self._binaries.apiserver),
            *(f"--{flag}={self.folder / file}" for flag, file in files.items()),
            f"--etcd-servers=http://127.0.0.1:{self._base + 1}",
            "--bind-address=127.0.0.1",
            f"--secure-port={self.port}",
            "--authorization-mode=RBAC",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-cluster-ip-range=10.0.0.0/24",
            "--endpoint-reconciler-type=none",
            "--kubelet-preferred-address-types=InternalIP",
        ]

    def _component(self, user: str) -> list[str]:
        kubeconfig = self.folder / f"kubeconfig-system-{user}"
        common = [f"--kubeconfig={kubeconfig}", "--leader-elect=false", "--secure-port=0", "--kube-api-qps=500"]
        if user == "kube-scheduler":
            return [*common, "--kube-api-burst=1000"]
        return [
            *common,
            "--kube-api-burst=1000",
            "--use-service-account-credentials=true",
            f"--service-account-private-key-file={self.folder / 'accounts.key'}",
            f"--root-ca-file={self.ca_file}",
            "--node-monitor-period=1s",
            "--node-monitor-grace-period=16s",
        ]

    def _kubelet(self) -> list[str]:
        return [
            sys.executable,
            "-m",
            "tests.cluster.kubelet",
            f"--kubeconfig={self.folder / 'kubeconfig-admin'}",
            f"--nodes={','.join(self._nodes)}",
            f"--cert={self.folder / 'server.crt'}",
            f"--key={self.folder / 'server.key'}",
            f"--folder={self.folder / 'kubelet'}",
            f"--pod-net={self.pod_net}",
            *(f"--run={image}={json.dumps(command)}" for image, command in self._runs.items()),
            *(f"--env={name}={value}" for name, value in self._env.items()),
        ]

    def _launch(self, name: str, command: Sequence[str]) -> None:
        # Ends with the process that started it, however that one ends.
        tied = ["setpriv", "--pdeathsig", "KILL" if name != "kubelet" else "TERM", *command]
        with (self.folder / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                tied, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=_ROOT, env=_environment()
            )

    def _end(self, name: str, how: signal.Signals, *, limit_s: float = 5) -> None:
        process = self._processes.pop(name, None)
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(limit_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _populated(self) -> bool:
        api = self.api()
        if api.get("/api/v1/namespaces/default/serviceaccounts/default").status != 200:
            return False
        nodes = api.get("/api/v1/nodes").json.get("items", [])
        ready = {
            node["metadata"]["name"]
            for node in nodes
            for condition in node["status"].get("conditions", [])
            if (condition["type"], condition["status"]) == ("Ready", "True")
            # A new node is tainted until the node controller has seen that it is ready.
            and not any(taint["key"] == "node.kubernetes.io/not-ready" for taint in node["spec"].get("taints", []))
        }
        return ready >= set(self._nodes)

    def _until(self, holds: Any, what: str, *, limit_s: float) -> None:
        ends = time.monotonic() + limit_s
        while not holds():
            for name, process in self._processes.items():
                if process.poll() is not None:
                    last = self.log_of(name)[-2_000:]
                    raise RuntimeError(f"{name} ended with {process.returncode} before {what}:\n{last}")
            if time.monotonic() > ends:
                raise RuntimeError(f"not true after {limit_s:g} s: {what}; logs are lost with {self.folder}")
            time.sleep(0.05)


def sweep(place: Path) -> None:
    """Remove what runs have left that were killed: their programs have ended with them, their folders have not."""
    for lock in place.glob(f"{_PREFIX}*/{_LOCK}"):
        with suppress(OSError), lock.open("rb") as held:  # one that lives, or that another run has just removed
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)


_ROOT = Path(__file__).parents[2]


def _environment() -> dict[str, str]:
    """Without proxies: nothing here leaves the machine."""
    return {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}


def _block() -> tuple[socket.socket, int]:
    """A block of ports; the socket holds its first one, which keeps other runs away from the rest."""
    for base in _BLOCKS:
        guard = socket.socket()
        try:
            guard.bind(("127.0.0.1", base))
            for offset in (1, 2, 3):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", base + offset))
        except OSError:
            guard.close()
            continue
        return guard, base
    raise RuntimeError("no free block of ports between 21000 and 29000")
