"""What is said where no control plane can be started, and what becomes of the folders of runs that were killed."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from tests.cluster import binaries
from tests.cluster.binaries import ASSETS, PROGRAMS, Missing
from tests.cluster.controlplane import sweep


@pytest.fixture(autouse=True)
def _bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without programs and without a cache."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(ASSETS, raising=False)


def put(folder: Path, *names: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).touch(mode=0o755)


def test_what_is_missing_is_named_with_what_to_do() -> None:
    with pytest.raises(Missing, match=r"no kube-apiserver in .*/cache/.*; `make controlplane` builds it"):
        binaries.find()
    with pytest.raises(Missing, match="no go command"):
        binaries.build()


def test_a_folder_that_is_named_is_taken_and_never_built_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assets = tmp_path / "assets"
    monkeypatch.setenv(ASSETS, str(assets))
    with pytest.raises(Missing, match=f"no kube-apiserver in {assets}, the folder that {ASSETS} names"):
        binaries.find()
    put(assets, *PROGRAMS)
    with pytest.raises(Missing, match="no etcd; it comes in Debian's package etcd-server"):
        binaries.find()
    put(assets, "etcd")
    assert binaries.find().etcd == assets / "etcd"
    assert binaries.build() == assets


def test_what_a_killed_run_has_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    for name in ("chatops-cluster-dead", "chatops-cluster-alive", "somebody-elses"):
        put(tmp_path / name, "lock", "etcd")
    put(tmp_path / "chatops-cluster-beginning")
    with (tmp_path / "chatops-cluster-alive" / "lock").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        sweep(tmp_path)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["chatops-cluster-alive", "chatops-cluster-beginning", "somebody-elses"]
