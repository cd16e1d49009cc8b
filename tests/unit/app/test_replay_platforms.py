"""`replay --platform`: what a platform cannot deliver is sent in its replacement, and said to be."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.app import replay

HEAD = """version: 1
name: a test
services: [{name: web, namespace: shop, workload: deployment/web, environment: prod}]
cluster: {workloads: [{kind: Deployment, namespace: shop, name: web, replicas: 3, image: "reg/web:1"}]}
"""
ASKED = '{id: a, from: alice, say: "@bot scale web"}'
SCALE = '{id: a, from: alice, say: "@bot scale web to 5"}'


class Play:
    """Writes transcripts and plays them."""

    def __init__(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._path = tmp_path / "talk.yaml"
        self._capsys = capsys
        self.said = ""

    def __call__(self, platform: str, *lines: str, head: str = HEAD) -> dict[str, dict[str, Any]]:
        """What was printed of each turn."""
        self._path.write_text(head + "turns:\n" + "".join(f"  - {line}\n" for line in lines), "utf-8")
        self.code = replay.main([self._path], platform=platform)
        out, self.said = self._capsys.readouterr()
        return {told["turn"]: told for told in map(json.loads, out.splitlines())}


@pytest.fixture
def play(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    monkeypatch.delenv("REDIS_URL", raising=False)
    return Play(tmp_path, capsys)


PLATFORMS = pytest.mark.parametrize("platform", ["slack", "feishu", "wecom"])


@PLATFORMS
def test_the_same_is_printed_as_on_the_console(play: Play, platform: str) -> None:
    lines = (SCALE, "{id: b, from: bob, click: confirm, on: a}", "{id: c, redeliver: b}")
    console, other = play("console", *lines), play(platform, *lines)
    for turn, told in console.items():
        mine = other[turn]
        assert {key: mine[key] for key in told if key not in ("reply", "thread")} == {
            key: value for key, value in told.items() if key not in ("reply", "thread")
        }
        # A platform may show more than one message, and mark them up; the words are the same.
        for line in told["reply"].splitlines():
            assert line.split("|")[0].split("  ")[0] in mine["reply"]


@PLATFORMS
def test_people_are_the_platforms_and_so_is_the_policy(play: Play, platform: str) -> None:
    head = HEAD + "policy: {groups: {sre: [carol]}, rules: [{actions: [scale], confirm: [sre]}]}\n"
    told = play(
        platform,
        SCALE,
        "{id: b, from: bob, click: confirm, on: a}",
        "{id: c, from: carol, click: confirm, on: a}",
        head=head,
    )
    assert told["b"]["executed"] == []
    assert "policy" in told["b"]["refused"]
    assert [done["action"] for done in told["c"]["executed"]] == ["scale"]
    assert "Confirmed by carol" in told["c"]["reply"]


def test_who_means_the_bot_mentions_it_where_only_mentions_arrive(play: Play) -> None:
    lines = (ASKED, "{id: b, from: alice, say: coffee}", '{id: c, from: alice, say: "5"}')
    told = play("wecom", *lines)
    assert (told["b"]["ignored"], told["b"]["reply"]) == (True, "")
    assert told["c"]["plan"]["replicas"] == 5
    assert "eb: wecom keeps it to itself" in play.said
    assert "ec: wecom: only mentions arrive" in play.said
    assert "ea:" not in play.said


def test_a_reply_to_a_card_is_a_quotation_with_a_mention(play: Play) -> None:
    told = play("wecom", SCALE, '{id: b, from: bob, reply_to: a, say: "make it 4"}')
    assert told["b"]["thread"] == told["a"]["thread"]
    assert told["b"]["plan"]["replicas"] == 4


def test_an_ok_that_needs_the_bot_to_be_meant_is_not_made_a_mention(play: Play) -> None:
    lines = (
        SCALE,
        '{id: b, from: bob, reply_to: a, say: "is that enough?"}',
        "{id: c, from: alice, reply_to: a, say: ok}",
    )
    told = play("wecom", *lines)
    assert (told["c"]["executed"], told["c"]["state"], told["c"]["plan"]["replicas"]) == ([], "confirming", 5)


def test_of_what_is_kept_from_the_bot_only_what_is_done_is_looked_at(play: Play) -> None:
    play("wecom", SCALE, '{id: b, from: bob, say: "yes", expect: {reply: {contains: never}, executed: [], plan: null}}')
    assert play.code == 0
    play("wecom", SCALE, '{id: b, from: bob, say: "yes", expect: {executed: [{action: scale}]}}')
    assert play.code == 1


def test_a_command_is_a_mention_where_there_are_none(play: Play) -> None:
    line = '{id: a, from: alice, say: "/ops restart web"}'
    for platform in ("slack", "feishu", "wecom"):
        assert play(platform, line)["a"]["plan"]["action"] == "restart"
        assert ("no commands" in play.said) is (platform != "slack")


def test_a_reply_to_a_person_on_slack_is_said_in_the_room(play: Play) -> None:
    told = play(
        "slack", '{id: a, from: bob, say: "web is slow"}', '{id: b, from: alice, reply_to: a, say: "@bot restart web"}'
    )
    assert told["b"]["plan"]["action"] == "restart"
    assert "eb: no reply to a person on slack" in play.said


def test_without_its_packages_a_platform_says_what_to_install(tmp_path: Path) -> None:
    file = tmp_path / "talk.yaml"
    file.write_text(f"{HEAD}turns:\n  - {SCALE}\n", "utf-8")
    code = (
        "import sys; sys.modules['Crypto'] = None\n"
        "from pathlib import Path; from chatops_bot.app.replay import main\n"
        "sys.exit(main([Path(sys.argv[1])], platform='feishu'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, timeout=50, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("feishu: Crypto")
    assert "pip install 'chatops-bot[feishu]'" in done.stderr
