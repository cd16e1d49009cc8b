"""Where the programs of a Kubernetes control plane are, and how they get there.

`make controlplane` runs this file. Standard library only: it runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

VERSION = "v1.36.3"
"""Of k8s.io/kubernetes in `go.mod` beside this file."""

ASSETS = "KUBEBUILDER_ASSETS"
"""Names a folder that holds the programs; the convention of envtest."""

PROGRAMS = ("kube-apiserver", "kube-controller-manager", "kube-scheduler")

_MODULE = Path(__file__).parent
_VERSION_PACKAGE = "k8s.io/component-base/version"


class Missing(Exception):
    """No control plane can be started here; says what to do."""


@dataclass(frozen=True)
class Binaries:
    """The programs of one control plane."""

    etcd: Path
    apiserver: Path
    controller_manager: Path
    scheduler: Path


def find() -> Binaries:
    """Raises `Missing` where one is not there."""
    folder = _folder()
    for program in PROGRAMS:
        if not os.access(folder / program, os.X_OK):
            if os.environ.get(ASSETS):
                raise Missing(f"no {program} in {folder}, the folder that {ASSETS} names; mend it, or unset it")
            raise Missing(f"no {program} in {folder}; `make controlplane` builds it, once, in about five minutes")
    beside = folder / "etcd"
    etcd = str(beside) if os.access(beside, os.X_OK) else shutil.which("etcd")
    if etcd is None:
        raise Missing("no etcd; it comes in Debian's package etcd-server")
    return Binaries(Path(etcd), *(folder / program for program in PROGRAMS))


def build() -> Path:
    """Compile the programs into the cache, unless they are there. Returns their folder."""
    folder = _folder()
    if os.environ.get(ASSETS) or all(os.access(folder / program, os.X_OK) for program in PROGRAMS):
        return folder
    if shutil.which("go") is None:
        raise Missing("no go command; Go 1.21 or newer fetches the release that go.mod asks for")
    folder.parent.mkdir(parents=True, exist_ok=True)
    major, minor, _ = VERSION.removeprefix("v").split(".")
    # Without these the server calls itself v0.0.0, and clients that compare versions go wrong.
    names = {"gitVersion": VERSION, "gitMajor": major, "gitMinor": minor, "gitTreeState": "clean"}
    flags = " ".join(["-s", "-w", *(f"-X {_VERSION_PACKAGE}.{name}={value}" for name, value in names.items())])
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="building-") as fresh:
        packages = [f"k8s.io/kubernetes/cmd/{program}" for program in PROGRAMS]
        command = ["go", "build", "-trimpath", "-buildvcs=false", f"-ldflags={flags}", "-o", f"{fresh}/bin/", *packages]
        subprocess.run(command, cwd=_MODULE, check=True, env={**os.environ, "CGO_ENABLED": "0"})
        try:
            (Path(fresh) / "bin").rename(folder)
        except OSError:  # another build was faster; its result is the same
            if not folder.is_dir():
                raise
    return folder


def _folder() -> Path:
    assets = os.environ.get(ASSETS)
    if assets:
        return Path(assets)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    digest = hashlib.sha256((_MODULE / "go.sum").read_bytes() + (_MODULE / "go.mod").read_bytes()).hexdigest()
    return cache / "chatops-bot" / f"controlplane-{VERSION}-{digest[:8]}"


def _main() -> int:
    try:
        built = build()
        find()
    except (Missing, subprocess.CalledProcessError) as problem:
        sys.stderr.write(f"make controlplane: {problem}\n")
        return 1
    sys.stdout.write(f"the control plane {VERSION} is in {built}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(_main())
