"""The files that a pod of the chart would see, laid out in a folder as the kubelet lays them out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.chart.rendering import Json, Rendered

Files = dict[str, bytes]


def mounted(rendered: Rendered, pod: Json, *, elsewhere: Mapping[str, Files]) -> Files:
    """Every file of the first container, by its absolute path. `elsewhere` are Secrets and ConfigMaps that exist already.

    Raises where a volume, or an object, or a key in it is missing: there such a pod would never start.
    """
    volumes = {volume["name"]: volume for volume in pod["spec"].get("volumes", ())}
    found: Files = {}
    for mount in pod["spec"]["containers"][0]["volumeMounts"]:
        for name, content in _files(rendered, volumes[mount["name"]], elsewhere):
            found[f"{mount['mountPath']}/{name}"] = content
    return found


def _files(rendered: Rendered, volume: Json, elsewhere: Mapping[str, Files]) -> Iterator[tuple[str, bytes]]:
    if "configMap" in volume:
        chosen = volume["configMap"]
        yield from _chosen(_object(rendered, "ConfigMap", chosen["name"], elsewhere), chosen.get("items"))
    elif "secret" in volume:
        secret = volume["secret"]
        yield from _chosen(_object(rendered, "Secret", secret["secretName"], elsewhere), secret.get("items"))
    elif "projected" in volume:
        for source in volume["projected"]["sources"]:
            secret = source["secret"]
            yield from _chosen(_object(rendered, "Secret", secret["name"], elsewhere), secret["items"])
    else:
        assert "emptyDir" in volume, volume


def _object(rendered: Rendered, kind: str, name: str, elsewhere: Mapping[str, Files]) -> Files:
    made = {each["metadata"]["name"] for each in rendered.of(kind)}
    return rendered.data(kind, name) if name in made else elsewhere[name]


def _chosen(files: Files, items: list[dict[str, Any]] | None) -> Iterator[tuple[str, bytes]]:
    if items is None:
        yield from files.items()
    for item in items or ():
        yield item["path"], files[item["key"]]


def laid_out(files: Files, root: Path) -> None:
    """Write them below `root`. What names such a path is made to name it there."""
    above = {str(Path(path).parents[1]) for path in files}
    places = [each.encode() for each in sorted(above) if not above & {str(one) for one in Path(each).parents}]
    for path, content in files.items():
        for place in places:
            content = content.replace(place, str(root).encode() + place)
        target = root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
