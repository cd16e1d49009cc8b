"""A container's view of the file system, made of mount namespaces instead of a container runtime.

Its root is this machine's, as the lower layer of an overlay: what the process writes goes to memory and with the
container, and mount points that this machine does not have are made there too. With `readOnlyRootFilesystem` the
overlay is read-only; volumes are mounted over it as they say. `/dev`, `/proc`, the process table and the host's name are
the container's own. The network is this machine's unless an image says otherwise, and the user always is: `runAsUser` changes nothing.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_NAMESPACES = ("--mount", "--pid", "--uts", "--fork", "--kill-child")
_VIRTUAL = ("/proc", "/sys", "/dev")
_PASSED_OVER = frozenset({"squashfs", "autofs", "nsfs", "binfmt_misc", "fusectl", "cgroup", "cgroup2", "tracefs"})


class NotPermitted(Exception):
    """Namespaces cannot be made here; says what the system answered."""


@dataclass(frozen=True)
class Isolation:
    """How namespaces are made here, as root or as somebody else."""

    enter: tuple[str, ...]
    join: tuple[str, ...]

    def with_network(self) -> Isolation:
        """A network of its own as well."""
        return Isolation((*self.enter, "--net"), (*self.join, "--net"))

    @classmethod
    def find(cls) -> Isolation:
        """Tries it. Raises `NotPermitted`."""
        mapped = () if os.geteuid() == 0 else ("--map-root-user",)
        enter = ("unshare", *mapped, *_NAMESPACES)
        try:
            tried = subprocess.run([*enter, "true"], capture_output=True, text=True, check=False)
        except OSError as problem:
            raise NotPermitted(f"images cannot be run as processes: {problem}") from None
        if tried.returncode:
            raise NotPermitted(
                f"images cannot be run as processes, because `{' '.join(enter)}` is not permitted here "
                f"(run as root, or allow user namespaces): {tried.stderr.strip()}"
            )
        user = ("--user", "--preserve-credentials") if mapped else ()
        return cls(enter, (*user, "--mount", "--pid", "--uts", "--root", "--wd"))


@dataclass(frozen=True)
class Mount:
    """`source` is a path of this machine, `target` one of the container."""

    source: Path
    target: str
    read_only: bool


@dataclass(frozen=True)
class View:
    """What a container sees, and what it starts in it. `folder` is where its parts are put together."""

    folder: Path
    hostname: str
    mounts: Sequence[Mount]
    read_only_root: bool
    workdir: str
    command: Sequence[str]
    prepare: str = ""
    """Shell, before everything else."""

    @property
    def pid_file(self) -> Path:
        """Holds the process's id as this machine counts."""
        return self.folder / "pid"


def script(view: View) -> str:
    """For `sh`, inside new namespaces; the environment is the container's."""
    quoted = shlex.quote
    layers = [f"layer {place} {quoted(path)}" for place, path in enumerate(_other_mounts(view.folder), start=1)]
    mounts = [
        f"bind {quoted(str(mount.source))} {quoted(os.path.realpath(mount.target))} {'ro' if mount.read_only else 'rw'}"
        # A mount below another one comes after it.
        for mount in sorted(view.mounts, key=lambda mount: len(Path(mount.target).parts))
    ]
    return "\n".join(
        [
            "set -e",
            f"top={quoted(str(view.folder / 'root'))}",
            f"pid_file={quoted(str(view.pid_file))}",
            f"hostname={quoted(view.hostname)}",
            _PROLOGUE,
            view.prepare,
            *layers,
            _DEVICES,
            *mounts,
            "read_only" if view.read_only_root else "",
            _EPILOGUE,
            f'exec "$chroot" "$fs" /bin/sh -c "$begin" sh {quoted(view.workdir)} {shlex.join(view.command)}',
            "",
        ]
    )


_PROLOGUE = """
container_path=$PATH
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
fs=$top/fs
layered= plain=
layer() {
    mkdir "$top/upper$1" "$top/work$1"
    if mount -t overlay -o "lowerdir=$2,upperdir=$top/upper$1,workdir=$top/work$1" overlay "$fs$2" 2>/dev/null; then
        layered="$layered $fs$2"
    else
        mount --rbind "$2" "$fs$2"
        plain="$plain $fs$2"
    fi
}
bind() {
    if [ -d "$1" ]; then
        mkdir -p "$fs$2"
    elif [ ! -e "$fs$2" ]; then
        mkdir -p "$(dirname "$fs$2")"
        : > "$fs$2"
    fi
    mount --bind "$1" "$fs$2"
    [ "$3" = rw ] || mount -o remount,bind,ro "$fs$2"
}
read_only() {
    for each in $layered; do mount -o remount,bind,ro "$each"; done
    for each in $plain; do mount -o remount,bind,ro "$each" 2>/dev/null || true; done
}
# Still the file system of the outer process table: the id is the one that others know.
read -r pid rest < /proc/self/stat
hostname "$hostname" 2>/dev/null || echo "$hostname" > /proc/sys/kernel/hostname
mkdir -p "$top"
mount -t tmpfs tmpfs "$top"
mkdir "$fs" "$top/upper0" "$top/work0"
if mount -t overlay -o "lowerdir=/,upperdir=$top/upper0,workdir=$top/work0" overlay "$fs" 2>/dev/null; then
    layered=$fs
else
    # Inside a user namespace the root as a whole cannot be a lower layer; its folders can.
    mount --bind "$fs" "$fs"
    layered=$fs place=100
    for path in /*; do
        place=$((place + 1))
        if [ -L "$path" ]; then cp -P "$path" "$fs$path"
        elif [ -d "$path" ]; then mkdir "$fs$path"; case $path in /proc|/sys|/dev) ;; *) layer $place "$path" ;; esac
        else : > "$fs$path"; mount --bind "$path" "$fs$path"
        fi
    done
fi
"""

_DEVICES = """
mount --rbind /sys "$fs/sys"
mount -t tmpfs -o mode=755 tmpfs "$fs/dev"
for each in null zero full random urandom tty; do : > "$fs/dev/$each"; mount --bind "/dev/$each" "$fs/dev/$each"; done
ln -s /proc/self/fd "$fs/dev/fd"
ln -s /proc/self/fd/0 "$fs/dev/stdin"
ln -s /proc/self/fd/1 "$fs/dev/stdout"
ln -s /proc/self/fd/2 "$fs/dev/stderr"
mkdir "$fs/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$fs/dev/shm"
mount -t proc proc "$fs/proc" 2>/dev/null || mount --rbind /proc "$fs/proc"
"""


_EPILOGUE = """
exec 3> "$pid_file"
# Said from inside: whoever joins the process must not find this machine's root.
begin="echo $pid >&3; exec 3>&-; "'cd "$1"; shift; exec "$@"'
chroot=$(command -v chroot)
PATH=$container_path
"""


def _other_mounts(folder: Path) -> list[str]:
    """File systems beside the root's: an overlay shows only one of them."""
    found: dict[str, None] = {}
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields, _, source = line.partition(" - ")
        path = fields.split()[4].encode().decode("unicode_escape")
        virtual = any(path == each or path.startswith(f"{each}/") for each in _VIRTUAL)
        own = path.startswith(f"{folder}/") or path == "/"
        if not virtual and not own and source.split()[0] not in _PASSED_OVER and os.access(path, os.R_OK):
            found[path] = None
    return sorted(found, key=lambda path: len(Path(path).parts))
