"""Volumes of one pod as folders of this machine; those made of objects follow them."""

from __future__ import annotations

import secrets
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.cluster.kubelet.client import Client, Json
from tests.cluster.kubelet.environment import Objects, Sources, Unconfigured, data_of, field_of

Content = dict[str, tuple[bytes, int]]
"""Of a volume: bytes and mode by relative path."""

READ_ONLY = ("configMap", "secret", "projected", "downwardAPI")

_MODE = 0o644


@dataclass
class _Token:
    text: bytes
    renew_at: float


@dataclass
class Volumes:
    """`folder` goes with the pod, `claims` does not."""

    client: Client
    sources: Sources
    pod: Json
    address: str
    folder: Path
    claims: Objects
    claims_folder: Path
    _tokens: dict[str, _Token] = field(default_factory=dict)

    async def prepare(self) -> dict[str, Path]:
        """Folder by name of the volume. Raises `Unconfigured` with the words of a FailedMount."""
        found: dict[str, Path] = {}
        for volume in self.pod["spec"].get("volumes") or []:
            try:
                found[volume["name"]] = await self._materialise(volume)
            except Unconfigured as problem:
                raise Unconfigured(f'MountVolume.SetUp failed for volume "{volume["name"]}" : {problem}') from None
        return found

    async def refresh(self) -> None:
        """Follow the objects. What is gone meanwhile leaves the files as they were."""
        for volume in self.pod["spec"].get("volumes") or []:
            if any(kind in volume for kind in READ_ONLY):
                try:
                    await self._materialise(volume)
                except Unconfigured:
                    continue

    async def _materialise(self, volume: Json) -> Path:
        own = self.folder / str(volume["name"])
        if "emptyDir" in volume:
            own.mkdir(parents=True, exist_ok=True)
            own.chmod(0o777)
            return own
        if "hostPath" in volume:
            return Path(volume["hostPath"]["path"])
        if "persistentVolumeClaim" in volume:
            return self._claim(volume["persistentVolumeClaim"]["claimName"])
        publish(own, await self._content(volume))
        return own

    def _claim(self, name: str) -> Path:
        claim = self.claims.get(f"{self.pod['metadata']['namespace']}/{name}")
        if claim is None:
            raise Unconfigured(f'persistentvolumeclaim "{name}" not found')
        folder = claim_folder(self.claims_folder, claim)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    async def _content(self, volume: Json) -> Content:
        if "projected" in volume:
            projected = volume["projected"]
            whole: Content = {}
            for source in projected.get("sources") or []:
                whole |= await self._source(source, projected.get("defaultMode", _MODE))
            return whole
        for kind in READ_ONLY:
            if kind in volume:
                return await self._source({kind: volume[kind]}, volume[kind].get("defaultMode", _MODE))
        kinds = ", ".join(kind for kind in volume if kind != "name")
        raise Unconfigured(f"volumes of kind {kinds} are not supported here")

    async def _source(self, source: Json, mode: int) -> Content:
        if "serviceAccountToken" in source:
            wanted = source["serviceAccountToken"]
            return {wanted["path"]: (await self._token(wanted), mode)}
        if "downwardAPI" in source:
            return {
                item["path"]: (
                    field_of(self.pod, item["fieldRef"]["fieldPath"], self.address).encode(),
                    item.get("mode") or mode,
                )
                for item in source["downwardAPI"].get("items") or []
                if "fieldRef" in item
            }
        kind, said = ("configmap", source["configMap"]) if "configMap" in source else ("secret", source["secret"])
        name = said.get("name") or said.get("secretName")
        optional = bool(said.get("optional"))
        data = data_of(kind, name, self.pod["metadata"]["namespace"], self.sources, optional=optional)
        if not said.get("items"):
            return {key: (value, mode) for key, value in data.items()}
        missing = [item["key"] for item in said["items"] if item["key"] not in data]
        if missing and not optional:
            raise Unconfigured(f"references non-existent {kind} key: {missing[0]}")
        return {
            item["path"]: (data[item["key"]], item.get("mode") or mode) for item in said["items"] if item["key"] in data
        }

    async def _token(self, wanted: Json) -> bytes:
        """Bound to the pod; asked for anew when four fifths of its life are over."""
        audience = wanted.get("audience", "")
        known = self._tokens.get(audience)
        if known and time.monotonic() < known.renew_at:
            return known.text
        metadata, lasts = self.pod["metadata"], wanted.get("expirationSeconds", 3607)
        bound = {"kind": "Pod", "apiVersion": "v1", "name": metadata["name"], "uid": metadata["uid"]}
        account = self.pod["spec"].get("serviceAccountName", "default")
        status, answer = await self.client.persist(
            "POST",
            f"/api/v1/namespaces/{metadata['namespace']}/serviceaccounts/{account}/token",
            {
                "apiVersion": "authentication.k8s.io/v1",
                "kind": "TokenRequest",
                "spec": {
                    "audiences": [audience] if audience else None,
                    "expirationSeconds": lasts,
                    "boundObjectRef": bound,
                },
            },
        )
        if status >= 300:
            raise Unconfigured(f"failed to fetch token: {answer.get('message')}")
        token = self._tokens[audience] = _Token(
            answer["status"]["token"].encode(), time.monotonic() + 0.8 * float(lasts)
        )
        return token.text


def claim_folder(claims: Path, claim: Json) -> Path:
    return claims / str(claim["metadata"]["uid"])


def publish(folder: Path, content: Content) -> None:
    """Swap the whole content at once, as a kubelet's AtomicWriter does: `..data` is a link to the files of one moment.

    A process that reads while it changes sees all old files or all new ones.
    """
    folder.mkdir(parents=True, exist_ok=True)
    current = folder / "..data"
    if current.exists() and _read(current) == content:
        return
    old = current.resolve() if current.exists() else None
    fresh = folder / f"..{time.strftime('%Y_%m_%d_%H_%M_%S', time.gmtime())}.{secrets.token_hex(4)}"
    fresh.mkdir()
    for relative, (data, mode) in content.items():
        path = fresh / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode)
    new_link = folder / "..data_tmp"
    new_link.symlink_to(fresh.name)
    new_link.rename(current)
    tops = {Path(relative).parts[0] for relative in content}
    for top in tops:
        if not (folder / top).is_symlink():
            (folder / top).symlink_to(Path("..data") / top)
    for entry in list(folder.iterdir()):
        if not entry.name.startswith("..") and entry.name not in tops:
            entry.unlink()
    if old:
        shutil.rmtree(old)


def _read(current: Path) -> Content:
    return {
        str(path.relative_to(current)): (path.read_bytes(), path.stat().st_mode & 0o777)
        for path in current.rglob("*")
        if path.is_file()
    }
