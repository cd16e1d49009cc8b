"""The page about the chart is right: its values render, its commands run, and it names what there is."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.chart.rendering import CHART, Helm

PAGE = CHART.parents[1] / "docs" / "helm.md"
SHORT = CHART / "README.md"
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in FENCED.findall(page.read_text("utf-8")) if kind == language]


EXAMPLES = [part for block in blocks(PAGE, "yaml") for part in block.split("---\n")]
FIRST = EXAMPLES[0]


@pytest.fixture
def values(tmp_path: Path) -> Path:
    """The page's first example, which the others go on from."""
    path = tmp_path / "values.yaml"
    path.write_text(FIRST, encoding="utf-8")
    return path


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: str(next(iter(yaml.safe_load(text)))))
def test_every_example_can_be_installed(helm: Helm, values: Path, tmp_path: Path, example: str) -> None:
    more = tmp_path / "more.yaml"
    more.write_text(example, encoding="utf-8")
    assert "kind: Deployment" in helm.run("template", "ops", str(CHART), "-f", str(values), "-f", str(more))


def test_the_example_of_the_charts_own_page_is_enough(helm: Helm, tmp_path: Path) -> None:
    (example,) = blocks(SHORT, "yaml")
    path = tmp_path / "my-values.yaml"
    path.write_text(example, encoding="utf-8")
    assert "kind: Deployment" in helm.run("template", "ops", str(CHART), "-f", str(path))


def test_what_is_printed_for_others_is_what_they_have_to_grant(helm: Helm, values: Path) -> None:
    shell = "\n".join(blocks(PAGE, "sh")).replace("\\\n", " ")
    commands = [line.partition("|")[0] for line in shell.splitlines() if line.startswith("helm template")]
    assert len(commands) == 2
    for command in commands:
        words = [{"helm/chatops-bot": str(CHART), "values.yaml": str(values)}.get(w, w) for w in shlex.split(command)]
        kinds = re.findall(r"^kind: (\w+)$", helm.run(*words[1:]), re.MULTILINE)
        assert set(kinds) - {"ServiceAccount"} == {"Role", "RoleBinding"}


@pytest.mark.parametrize("page", [PAGE, SHORT])
def test_values_that_are_named_exist(page: Path) -> None:
    known: dict[str, Any] = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))
    named = re.findall(r"`([a-z]\w*(?:\.\w+)+)[:`]", FENCED.sub("", page.read_text("utf-8")))
    for path in named:
        top, *below = path.split(".")
        if top not in known or top == "config":
            continue
        node: Any = known[top]
        for name in below:
            assert name in node, path
            node = node[name]


def test_what_other_tests_rely_on_is_there() -> None:
    assert len(EXAMPLES) >= 7
    assert "namespaces" in yaml.safe_load(FIRST)
