"""Volumes for claims: each a folder that lives as long as its claim, whatever pods come and go."""

from __future__ import annotations

import asyncio
import logging
import shutil
from pathlib import Path

from tests.cluster.kubelet.client import Client, Json
from tests.cluster.kubelet.volumes import claim_folder

_VOLUMES = "/api/v1/persistentvolumes"
_CLASSES = "/apis/storage.k8s.io/v1/storageclasses"

_log = logging.getLogger("kubelet")


class Provisioner:
    """Makes a PersistentVolume for every claim of no class or of one that exists, and takes it away with the claim."""

    def __init__(self, client: Client, folder: Path) -> None:
        self._client = client
        self._folder = folder
        self._seen: set[str] = set()
        self._queue: asyncio.Queue[tuple[Json, bool]] = asyncio.Queue()

    def changed(self, claim: Json) -> None:
        uid = claim["metadata"]["uid"]
        if uid not in self._seen and not claim["spec"].get("volumeName"):
            self._seen.add(uid)
            self._queue.put_nowait((claim, True))

    def removed(self, claim: Json) -> None:
        if claim["metadata"]["uid"] in self._seen:
            self._seen.remove(claim["metadata"]["uid"])
            self._queue.put_nowait((claim, False))

    async def run(self) -> None:
        while True:
            claim, wanted = await self._queue.get()
            if wanted:
                await self._provide(claim)
            else:
                await self._client.persist("DELETE", f"{_VOLUMES}/{_name(claim)}", {})
                shutil.rmtree(claim_folder(self._folder, claim), ignore_errors=True)

    async def _provide(self, claim: Json) -> None:
        metadata, spec = claim["metadata"], claim["spec"]
        storage_class = spec.get("storageClassName", "")
        if storage_class:
            status, _ = await self._client.persist("GET", f"{_CLASSES}/{storage_class}", {})
            if status == 404:
                return
        folder = claim_folder(self._folder, claim)
        folder.mkdir(parents=True, exist_ok=True)
        reference = {"kind": "PersistentVolumeClaim", "apiVersion": "v1"}
        reference |= {field: metadata[field] for field in ("namespace", "name", "uid")}
        body = {
            "metadata": {"name": _name(claim)},
            "spec": {
                "capacity": {"storage": spec["resources"]["requests"]["storage"]},
                "accessModes": spec["accessModes"],
                "storageClassName": storage_class,
                "volumeMode": spec.get("volumeMode", "Filesystem"),
                "persistentVolumeReclaimPolicy": "Retain",
                "claimRef": reference,
                "hostPath": {"path": str(folder)},
            },
        }
        status, answer = await self._client.persist("POST", _VOLUMES, body)
        if status not in {201, 409}:
            _log.error("volume for %s/%s: %s %s", metadata["namespace"], metadata["name"], status, answer)


def _name(claim: Json) -> str:
    return f"pvc-{claim['metadata']['uid']}"
