"""What Helm makes of the chart, parsed once for each set of values."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

CHART: Final = Path(__file__).parents[2] / "helm" / "chatops-bot"
VALUES: Final = tuple(sorted(path.name.removesuffix("-values.yaml") for path in (CHART / "ci").glob("*-values.yaml")))
"""Names of the ways to install, each a file under `ci/`."""

NAMESPACE: Final = "ops"
RELEASE: Final = "bot"
KUBERNETES: Final = ("1.28.0", "1.36.0")
"""The oldest release that the chart is for, and the newest that it is tried on."""

NEEDED: Final[dict[str, Any]] = {"image": {"repository": "registry.test/chatops-bot"}, "namespaces": ["payments"]}
"""Values without which nothing can be installed."""

Json = dict[str, Any]
PODS: Final = {
    "Pod": (),
    "Deployment": ("spec", "template"),
    "StatefulSet": ("spec", "template"),
    "CronJob": ("spec", "jobTemplate", "spec", "template"),
}
"""Where each kind keeps what its pods are made of."""


class HelmError(Exception):
    """Helm refused; the text is all that it said."""


@dataclass(frozen=True)
class Rendered:
    """All objects of one rendering."""

    objects: tuple[Json, ...]

    def of(self, kind: str) -> list[Json]:
        """Every object of a kind."""
        return [each for each in self.objects if each["kind"] == kind]

    def one(self, kind: str, name: str = "") -> Json:
        """The only object of a kind, or of a kind and a name."""
        (found,) = [each for each in self.of(kind) if name in ("", each["metadata"]["name"])]
        return found

    def pods(self) -> Iterator[tuple[Json, Json]]:
        """Every workload with the template of its pods (metadata and spec)."""
        for each in self.objects:
            if each["kind"] in PODS:
                template = each
                for key in PODS[each["kind"]]:
                    template = template[key]
                yield each, template

    def component(self, component: str) -> tuple[Json, Json]:
        """The only workload of a component, with the template of its pods."""
        (found,) = [
            (each, pod)
            for each, pod in self.pods()
            if pod["metadata"]["labels"]["app.kubernetes.io/component"] == component
        ]
        return found

    def data(self, kind: str, name: str) -> dict[str, bytes]:
        """The files of a ConfigMap or Secret."""
        found: dict[str, str] = self.one(kind, name)["data"]
        if kind == "Secret":
            return {key: base64.b64decode(value, validate=True) for key, value in found.items()}
        return {key: value.encode() for key, value in found.items()}

    def configuration(self) -> Json:
        """The bot's configuration file."""
        (text,) = [
            each["data"]["chatops-bot.yaml"] for each in self.of("ConfigMap") if "chatops-bot.yaml" in each["data"]
        ]
        loaded: Json = yaml.safe_load(text)
        return loaded


@dataclass(frozen=True)
class Helm:
    """One Helm binary."""

    version: str
    binary: Path

    def run(self, *arguments: str, values: str = "") -> str:
        """What Helm prints. Raises `HelmError`. `values` is YAML, or JSON, for `-f -`."""
        done = subprocess.run([str(self.binary), *arguments], input=values, capture_output=True, text=True, check=False)
        if done.returncode:
            raise HelmError(f"{done.stderr}{done.stdout}")
        return done.stdout

    def file(self, name: str, *, kubernetes: str = KUBERNETES[-1], release: str = RELEASE) -> Rendered:
        """The chart by one of its own files of values."""
        return _rendered(self, CHART, (CHART / "ci" / f"{name}-values.yaml").read_text("utf-8"), kubernetes, release)

    def render(self, values: Mapping[str, Any], *, chart: Path = CHART, release: str = RELEASE) -> Rendered:
        """The chart by some values, which may be incomplete: `NEEDED` lies below them."""
        return _rendered(self, chart, json.dumps({**NEEDED, **values}), KUBERNETES[-1], release)

    def refusal(self, values: Mapping[str, Any]) -> str:
        """What Helm says to values that it must refuse, on one line."""
        try:
            self.render(values)
        except HelmError as error:
            return " ".join(str(error).split())
        raise AssertionError(f"not refused: {values}")


@cache
def _rendered(helm: Helm, chart: Path, values: str, kubernetes: str, release: str) -> Rendered:
    arguments = ["template", release, str(chart), "--namespace", NAMESPACE, "--kube-version", kubernetes, "-f", "-"]
    text = helm.run(*arguments, values=values)
    return Rendered(tuple(each for each in yaml.load_all(text, yaml.CSafeLoader) if each))
