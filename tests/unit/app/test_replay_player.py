"""Playing a transcript: what is printed of each turn, and how the command ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.app import replay
from chatops_bot.app.transcript import PRINTED

HEAD = """version: 1
name: a test
services: [{name: web, namespace: shop, workload: deployment/web, environment: prod}]
cluster: {workloads: [{kind: Deployment, namespace: shop, name: web, replicas: 3, image: "reg/web:1"}]}
turns:
"""


class Play:
    """Writes transcripts and plays them; `printed` are the objects of the last one."""

    def __init__(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._path = tmp_path / "talk.yaml"
        self._capsys = capsys
        self.said = ""
        self.printed: list[dict[str, Any]] = []

    def __call__(self, *lines: str, head: str = HEAD) -> int:
        self._path.write_text(head + "".join(f"  - {line}\n" for line in lines), "utf-8")
        code = replay.main([self._path], as_json=True)
        out, self.said = self._capsys.readouterr()
        self.printed = [json.loads(line) for line in out.splitlines()]
        return code

    @property
    def last(self) -> dict[str, Any]:
        return self.printed[-1]


@pytest.fixture
def play(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    monkeypatch.delenv("REDIS_URL", raising=False)
    return Play(tmp_path, capsys)


SCALE = '{id: a, from: alice, say: "@bot scale web to 5"}'


def test_every_turn_prints_every_key(play: Play) -> None:
    lines = (SCALE, "{id: b, restart: true}", "{id: c, from: bob, say: lunch}", "{id: d, redeliver: a}")
    assert play(*lines) == 0
    assert [tuple(printed) for printed in play.printed] == [PRINTED] * 4
    assert [printed["turn"] for printed in play.printed] == ["a", "b", "c", "d"]
    assert [printed["ignored"] for printed in play.printed] == [False, False, True, True]


def test_an_expectation_that_does_not_hold_is_told_with_its_turn(play: Play) -> None:
    expecting = SCALE.replace("}", ", expect: {state: idle, plan: {replicas: 4}}}")
    assert play(expecting) == replay.FAILED
    assert "turn a: state: expected 'idle', got 'confirming'" in play.said
    assert "turn a: plan.replicas: expected 4, got 5" in play.said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{id: b, cluster: {workloads: [{kind: Gizmo, namespace: x, name: y}]}}", "turn b: cluster.workloads[0].kind"),
        ("{id: b, cluster: {bogus: 1}}", "turn b: cluster.bogus"),
        ("{id: b, policy: {rules: [{confirm: 5}]}}", "turn b: policy.rules[0].confirm"),
    ],
)
def test_what_turns_out_to_be_unusable_when_it_is_played_ends_it_with_its_place(
    play: Play, line: str, said: str
) -> None:
    assert play(SCALE, line) == replay.UNUSABLE
    assert said in play.said


def test_a_cluster_that_cannot_be_made_is_told_before_anything_is_played(play: Play) -> None:
    head = HEAD.replace("replicas: 3", "replicas: many")
    assert play(SCALE, head=head) == replay.UNUSABLE
    assert "cluster.workloads[0].replicas" in play.said
    assert play.printed == []


def test_nothing_is_played_when_one_of_the_files_is_unusable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(HEAD + f"  - {SCALE}\n", "utf-8")
    bad.write_text("version: 3", "utf-8")
    assert replay.main([good, bad]) == replay.UNUSABLE
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{bad}: version" in err


def test_the_same_file_prints_the_same_every_time(play: Play) -> None:
    lines = (SCALE, "{id: b, from: bob, click: confirm, on: a}", '{id: c, from: bob, say: "@bot logs of web"}')
    assert play(*lines) == 0
    first = play.printed
    assert play(*lines) == 0
    assert play.printed == first


def test_a_reply_to_a_turn_without_a_card_is_a_reply_to_the_person(play: Play) -> None:
    lines = ("{id: a, from: alice, say: web is slow}", '{id: b, from: bob, reply_to: a, say: "@bot restart it"}')
    assert play(*lines) == 0
    assert (play.last["state"], play.last["service"]) == ("collecting", None)


def test_a_click_redelivered_carries_what_it_carried(play: Play) -> None:
    lines = (
        SCALE,
        "{id: b, down: redis}",
        "{id: c, from: alice, click: confirm, on: a}",
        "{id: d, up: redis}",
        '{id: e, from: alice, say: "@bot make it 9"}',
        "{id: f, redeliver: c}",
    )
    assert play(*lines) == 0
    assert play.printed[2]["refused"].startswith("not accepted")
    assert (play.last["ignored"], play.last["executed"], play.last["route"]) == (False, [], "confirm")
    assert play.last["plan"]["replicas"] == 9


def test_every_write_is_told_once(play: Play) -> None:
    lines = (SCALE, "{id: b, from: bob, click: confirm, on: a}", "{id: c, at: +1h, from: bob, say: hm}")
    assert play(*lines) == 0
    written = [done for printed in play.printed for done in printed["executed"]]
    assert [done["action"] for done in written] == ["scale"]


def test_a_button_that_the_card_never_carried_is_pressed_without_a_token(play: Play) -> None:
    lines = (SCALE, "{id: b, from: bob, click: approve, on: a}")
    assert play(*lines) == 0
    assert play.last["executed"] == []
    assert play.last["refused"]
    assert play.last["plan"]["replicas"] == 5


def test_as_of_an_earlier_turn_the_button_of_then_is_pressed(play: Play) -> None:
    lines = (
        SCALE,
        '{id: b, from: alice, say: "@bot make it 4"}',
        "{id: c, from: bob, click: confirm, on: a, as_of: a}",
    )
    assert play(*lines) == 0
    assert play.last["executed"] == []
    assert "superseded" in play.last["refused"]
    newest = "{id: c, from: bob, click: confirm, on: a}"
    assert play(*lines[:2], newest) == 0
    assert [done["replicas"] for done in play.last["executed"]] == [4]


def test_a_cluster_that_cannot_be_used_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    talk, kubeconfig = tmp_path / "talk.yaml", tmp_path / "kubeconfig"
    talk.write_text(f"{HEAD}  - {SCALE}\n", "utf-8")
    kubeconfig.write_text(": : [", "utf-8")
    assert replay.main([talk], cluster=kubeconfig) == 2
    out, said = capsys.readouterr()
    assert out == ""
    assert said.startswith(f"{kubeconfig}: the cluster's configuration cannot be used")
    assert len(said.splitlines()) == 1
