"""What the README and the pages beside it say is true as far as a machine can tell: their examples work, the commands,
settings, metrics and files they name exist, their links lead somewhere."""

from __future__ import annotations

import re
import shlex
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from typer.core import TyperGroup

from chatops_bot.app.check_config import summary
from chatops_bot.app.cli import app
from chatops_bot.app.configuration import load
from chatops_bot.app.doctor.clusters import ESSENTIAL, LEAVE_EVENTS, USEFUL
from chatops_bot.app.policy_command import Question, explain
from chatops_bot.app.replay import play
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.settings import Settings, SlackSettings
from chatops_bot.app.sources import read_policy_file
from chatops_bot.app.telemetry import METRICS
from chatops_bot.app.transcript import read
from chatops_bot.domain.actions.registry import ACTIONS, all_permissions
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.observed import Permission
from chatops_bot.domain.policy import approvals_missing
from tests.browser.test_scenario import ENGLISH

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = sorted([README, ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`([^`\n]+)`")

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return [found[2] for found in FENCED.finditer(page.read_text(encoding="utf-8")) if found[1] == language]


def files() -> dict[str, str]:
    """The README's example files, by the name in their first line."""
    named = {block.splitlines()[0].removeprefix("# "): block for block in blocks(README, "yaml")}
    assert set(named) == {
        "chatops-bot.yaml",
        "policy.yaml",
        "policy-with-people.yaml",
        "services.yaml",
        "feishu-and-wecom.yaml",
        "rbac.yaml",
    }
    return named


def quoted(page: Path) -> Iterator[str]:
    """What stands in backticks, outside fenced blocks."""
    yield from QUOTED.findall(FENCED.sub("", page.read_text(encoding="utf-8")))


def exported() -> dict[str, str]:
    """The variables that the README exports."""
    lines = "\n".join(blocks(README, "sh"))
    return dict(re.findall(r"^export (\w+)=(\S+)$", lines, re.MULTILINE))


@pytest.fixture
def installation(tmp_path: Path) -> Path:
    for name, text in files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_example_configuration_is_usable(installation: Path) -> None:
    lines = list(summary(load(installation / "chatops-bot.yaml", exported())))
    for line in ("platforms: slack", "policy: 2 rules, 2 groups", "store: Redis, 0 copies awaited"):
        assert line in lines
    assert any(line.startswith("alerts: to C0123456789") for line in lines)


def test_the_example_for_feishu_and_wecom_is_usable(installation: Path) -> None:
    secrets = {"CHATOPS_FEISHU__APP_SECRET": "x", "CHATOPS_WECOM__BOT_SECRET": "x"}
    assert "platforms: feishu, wecom" in summary(load(installation / "feishu-and-wecom.yaml", secrets))
    text = README.read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in secrets)


@pytest.mark.parametrize("name", ["feishu.md", "feishu.zh.md", "wecom.md", "wecom.zh.md"])
def test_the_example_of_a_platforms_page_is_usable(tmp_path: Path, name: str) -> None:
    page = ROOT / "docs" / name
    (example,) = blocks(page, "yaml")
    (tmp_path / "second").write_text("x", encoding="utf-8")
    file = tmp_path / "chatops-bot.yaml"
    file.write_text(example.replace("/run/secrets/feishu-second", str(tmp_path / "second")), encoding="utf-8")
    (variable,) = set(re.findall(r"`(CHATOPS_\w+)`", page.read_text(encoding="utf-8")))
    assert load(file, {variable: "x"}).settings.rooms


def test_the_example_with_people_means_what_the_readme_says(installation: Path) -> None:
    policy = read_policy_file(installation / "policy-with-people.yaml")
    room, web = Room("slack", "T1", "C1"), Entity("east", "shop", "Deployment", "web", "web", "prod")
    zhang = User("slack", "T1", "U024BE7LH")
    ruling = policy.judge(action="scale", entity=web, room=room, user=zhang, role="confirm")
    people = {"requester": "slack:U0SOMEBODY", "confirmer": zhang.key}
    assert approvals_missing(ruling, **people, approvers=["feishu:ou_7d8a6e", "wecom:zhangsan"]) == 1
    assert approvals_missing(ruling, **people, approvers=["feishu:ou_9f1c02"]) == 0


def test_the_example_policy_means_what_the_readme_says(installation: Path) -> None:
    configuration = load(installation / "chatops-bot.yaml", exported())
    asked = Question(user="slack:U024BE7LH", action="restart", service="payment-svc")
    said = "\n".join(explain(configuration, asked))
    assert "confirm: yes, by rule 2" in said
    assert "After the confirmation 1 must approve" in said


def test_the_example_role_grants_what_the_bot_needs_and_nothing_more() -> None:
    role: dict[str, Any] = yaml.safe_load(files()["rbac.yaml"])
    granted = {
        Permission(group, *_resource(resource, verb))
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }
    apart = ("Node", "Rollout")  # of which the text below the example speaks
    kinds = [(action, kind) for action in ACTIONS.values() for kind in action.kinds if kind not in apart]
    needed = {permission for action, kind in kinds for permission in action.permissions(kind)}
    assert granted == needed | set(ESSENTIAL) | set(USEFUL) | {LEAVE_EVENTS}


def test_what_rollouts_need_beside_it_is_told() -> None:
    needed = {(one.verb, one.subresource) for one in all_permissions() if one.group == "argoproj.io"}
    assert needed == {("get", ""), ("patch", ""), ("patch", "status")}
    text = " ".join(README.read_text(encoding="utf-8").split())
    assert "`get`, `list`, `watch` and `patch` on `rollouts` of the group `argoproj.io`, and `patch` on" in text


def test_what_changing_nodes_needs_beside_it_is_told() -> None:
    kinds = (action for action in ACTIONS.values() if "Node" in action.kinds)
    needed = {(one.verb, one.resource, one.subresource) for action in kinds for one in action.permissions("Node")}
    assert needed == {
        *(("get", "nodes", ""), ("list", "nodes", ""), ("patch", "nodes", "")),
        *(("get", "pods", ""), ("list", "pods", ""), ("create", "pods", "eviction")),
        ("list", "poddisruptionbudgets", ""),
    }
    text = " ".join(README.read_text(encoding="utf-8").split())
    assert (
        "`get`, `list`, `watch` and `patch` on `nodes`, `get` and `list` on all pods, `create` on `pods/eviction`"
        in text
    )


def _resource(resource: str, verb: str) -> tuple[str, str, str]:
    name, _, below = resource.partition("/")
    return name, verb, below


def test_the_first_action_is_the_one_that_the_browser_plays() -> None:
    text = " ".join(README.read_text(encoding="utf-8").split())
    for words in (ENGLISH.asks, ENGLISH.interrupts, ENGLISH.orders, ENGLISH.pronoun, ENGLISH.planned):
        assert words in text, words


def test_the_picture_is_as_wide_as_a_page() -> None:
    head = (ROOT / "docs" / "console.png").read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", head[16:24])
    assert width == 1280
    assert height > 1000, "the whole incident is in it"


async def test_the_transcript_of_the_docs_holds(tmp_path: Path) -> None:
    (example,) = blocks(ROOT / "docs" / "transcripts.md", "yaml")
    file = tmp_path / "example.yaml"
    file.write_text(example, encoding="utf-8")
    async with ReplayRedis() as redis:
        assert await play(read(file), redis, as_json=True) == 0


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)]
    dead = [target for target in targets if "://" not in target and target and not (page.parent / target).exists()]
    assert not dead


@each_page
def test_files_that_are_named_are_there(page: Path) -> None:
    named = {word for word in quoted(page) if re.fullmatch(r"(?:chatops_bot|tests|docs|\.ci)/[\w./-]*", word)}
    assert not [word for word in sorted(named) if not (ROOT / word).exists()]


def commands(page: Path) -> Iterator[str]:
    """Commands of the bot that a page names, in running text or in a block for the shell."""
    shell = "\n".join(blocks(page, "sh"))
    for text in [*quoted(page), *re.split(r"[\n|>]", shell)]:
        line = text.strip().removeprefix(".venv/bin/").partition("#")[0]
        if line.startswith("chatops-bot "):
            yield re.sub(r"…|\|.*", "", line)


@each_page
def test_commands_that_are_named_exist_with_their_options(page: Path) -> None:
    for line in commands(page):
        found = typer.main.get_command(app)
        words = shlex.split(line)[1:]
        while isinstance(found, TyperGroup) and words:
            assert words[0] in found.commands, f"{page.name}: {line}"
            found = found.commands[words.pop(0)]
        options = {option for parameter in found.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options | {"--help"}, f"{page.name}: {line}"


@each_page
def test_targets_of_make_that_are_named_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = re.findall(r"^make ([a-z-]+)|`make ([a-z-]+)`", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert {first or second for first, second in named} <= targets


@each_page
def test_settings_that_are_named_exist(page: Path) -> None:
    for word in quoted(page):
        name = word.partition(":")[0]
        section, _, field = name.partition(".")
        others = name in ("limits.max_replicas", "limits.memory", "limits.cpu")  # a policy rule's, and a container's
        if re.fullmatch(r"[a-z_]+\.[a-z_]+", name) and section in Settings.model_fields and not others:
            inner = Settings.model_fields[section].annotation
            assert field in getattr(inner, "model_fields", {}), f"{page.name}: {name}"


def test_the_settings_in_slacks_table_exist() -> None:
    table = (
        (ROOT / "docs" / "slack.md")
        .read_text(encoding="utf-8")
        .partition("| setting | meaning |")[2]
        .partition("\n\n")[0]
    )
    named = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert len(named) > 5
    assert set(named) <= set(SlackSettings.model_fields)


def test_metrics_and_lines_of_the_log_that_operations_names_exist() -> None:
    page = ROOT / "docs" / "operations.md"
    names = {re.sub(r"^chatops_|_total$", "", word.partition("{")[0]) for word in quoted(page) if "chatops_" in word}
    assert names - {"bot"} <= set(METRICS)
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "chatops_bot").rglob("*.py"))
    table = page.read_text(encoding="utf-8").partition("| message | means |")[2].partition("\n\n")[0]
    lines = [word for row in table.splitlines() for word in QUOTED.findall(row.partition("|")[2].partition("|")[0])]
    assert len(lines) > 5
    assert not [line for line in lines if f'"{line}"' not in source]
