"""The format of transcripts: what is read, and every problem of an unusable file named by its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatops_bot.app import alerts, transcript
from chatops_bot.app.transcript import Transcript, TranscriptError, alert_body

HEAD = """version: 1
name: a test
services: [{name: web, namespace: shop, workload: deployment/web, environment: prod}]
cluster: {workloads: [{kind: Deployment, namespace: shop, name: web, replicas: 3, image: "reg/web:1"}]}
"""
HELLO = "turns:\n  - {id: a, from: alice, say: hello}\n"


def read(tmp_path: Path, text: str) -> Transcript:
    path = tmp_path / "talk.yaml"
    path.write_text(text, "utf-8")
    return transcript.read(path)


def problems(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(TranscriptError) as caught:
        read(tmp_path, text)
    prefix = f"{tmp_path / 'talk.yaml'}: "
    assert all(problem.startswith(prefix) for problem in caught.value.problems)
    return [problem.removeprefix(prefix) for problem in caught.value.problems]


def turns(*lines: str) -> str:
    return HEAD + "turns:\n" + "".join(f"  - {line}\n" for line in lines)


def test_what_is_left_out_has_its_default(tmp_path: Path) -> None:
    file = read(tmp_path, "version: 1\nturns:\n  - {from: alice, say: hi}\n  - {from: 7, say: 5 pods, at: +90s}\n")
    assert (file.name, file.listen, file.services, file.cluster) == ("", "mentions", (), {})
    assert file.cluster_names == ("sandbox",)
    first, second = file.turns
    assert (first.id, first.after_s, first.clock_s, first.room) == ("1", 5.0, None, "ops")
    assert (second.id, second.user, second.after_s) == ("2", "7", 90.0)


def test_clusters_are_those_of_the_services_in_their_order(tmp_path: Path) -> None:
    text = """version: 1
services:
  - {name: b, cluster: west, namespace: n, workload: deployment/b}
  - {name: a, cluster: east, namespace: n, workload: deployment/a}
  - {name: c, cluster: west, namespace: n, workload: deployment/c}
"""
    assert read(tmp_path, text + HELLO).cluster_names == ("west", "east")


@pytest.mark.parametrize(
    ("at", "after_s", "clock_s"),
    [
        ("10:01:00", None, 36060.0),
        ("9:05", None, 32700.0),
        ("23:59:59.5", None, 86399.5),
        ("+500ms", 0.5, None),
        ("+2m", 120.0, None),
        ("+1.5 h", 5400.0, None),
        ("+1d", 86400.0, None),
    ],
)
def test_times_of_day_and_delays(tmp_path: Path, at: str, after_s: float | None, clock_s: float | None) -> None:
    turn = read(tmp_path, turns(f'{{from: alice, say: hi, at: "{at}"}}')).turns[0]
    assert (turn.after_s, turn.clock_s) == (after_s, clock_s)


@pytest.mark.parametrize("at", ["25:00:00", "10:60", "10:00:75", "+5", "90s", "soon", "36000"])
def test_other_times_are_refused(tmp_path: Path, at: str) -> None:
    found = problems(tmp_path, turns(f"{{from: alice, say: hi, at: {at}}}", f'{{from: alice, say: hi, at: "{at}"}}'))
    assert [problem.partition(":")[0] for problem in found] == ["turns[0].at", "turns[1].at"]


@pytest.mark.parametrize(
    ("line", "where", "what"),
    [
        ("{say: hi}", "turns[0].from", "somebody must say"),
        ("{from: a, restart: true}", "turns[0].from", "say and click only"),
        ("{from: a}", "turns[0]", "exactly one of say, click"),
        ("{from: a, say: x, click: confirm}", "turns[0]", "exactly one of"),
        ('{from: a, say: " "}', "turns[0].say", "must be a text"),
        ("{from: a, say: [x]}", "turns[0].say", "must be a text"),
        ("{from: [a], say: hi}", "turns[0].from", "must be a name"),
        ("{id: true, from: a, say: hi}", "turns[0].id", "must be a name"),
        ("{from: a, say: hi, room: {}}", "turns[0].room", "must be a name"),
        ("{from: a, click: confirm}", "turns[0].on", "a click is on the card of a turn"),
        ("{from: a, click: confirm, on: later}", "turns[0]", "'later', which is no earlier turn"),
        ("{from: a, say: hi, on: b}", "turns[0].on", "goes with click only"),
        ("{from: a, say: hi, reply_to: b}", "turns[0]", "no earlier turn"),
        ("{from: a, say: hi, whom: b}", "turns[0].whom", "is no key of a turn"),
        ("{from: a, say: hi, expect: []}", "turns[0].expect", "must be a mapping"),
        ("{from: a, say: hi, expect: {mood: good}}", "turns[0].expect.mood", "is not printed"),
        ("{down: moon}", "turns[0].down", "redis or cluster"),
        ("{up: 1}", "turns[0].up", "redis or cluster"),
        ("{restart: once}", "turns[0].restart", "must be true"),
        ("{policy: []}", "turns[0].policy", "must be a mapping"),
        ("{cluster: []}", "turns[0].cluster", "must be a mapping"),
        ("{alert: [1]}", "turns[0].alert", "must be a mapping"),
        ("{alert: {alerts: []}}", "turns[0].alert", "alerts: is empty"),
        ("{alert: {alerts: [{status: burning, labels: {}}]}}", "turns[0].alert", "must be firing or resolved"),
        ("{redeliver: b}", "turns[0]", "no earlier turn"),
        ("hello", "turns[0]", "must be a mapping"),
    ],
)
def test_a_turn_that_cannot_be_used(tmp_path: Path, line: str, where: str, what: str) -> None:
    found = problems(tmp_path, turns(line))
    assert any(problem.startswith(f"{where}: ") and what in problem for problem in found), found


def test_ids_are_given_once(tmp_path: Path) -> None:
    found = problems(tmp_path, turns("{id: a, from: b, say: hi}", "{id: a, from: b, say: hi}"))
    assert found == ["turns[1].id: 'a' is the id of an earlier turn"]


def test_only_what_a_platform_delivers_is_redelivered(tmp_path: Path) -> None:
    found = problems(tmp_path, turns("{id: a, down: redis}", "{redeliver: a}"))
    assert found == ["turns[1]: redelivers turn 'a', which is none of say, click, alert"]
    again = "{id: r, redeliver: a}"
    assert len(read(tmp_path, turns("{id: a, from: b, say: hi}", again)).turns) == 2


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("turns: [{from: a, say: hi}]", "version: must be 1"),
        ("version: 2\n" + HELLO, "version: must be 1"),
        ("version: 1\nturns: []", "turns: must be a list of at least one turn"),
        ("version: 1", "turns: must be a list"),
        ("version: 1\nlisten: some\n" + HELLO, "listen: must be mentions or all"),
        ("version: 1\ncluster: []x\n" + HELLO, "line 2"),
        ("version: 1\ncluster: [1]\n" + HELLO, "cluster: must be a mapping"),
        ("version: 1\nmood: good\n" + HELLO, "mood: is no key of a transcript"),
        ("version: 1\nservices: [{name: web}]\n" + HELLO, "services[0]"),
        ("version: 1\npolicy: {rules: [{confirm: 5}]}\n" + HELLO, "policy.rules[0].confirm"),
        ("- 1", "must be a mapping"),
        ("", "must be a mapping"),
    ],
)
def test_a_head_that_cannot_be_used(tmp_path: Path, text: str, found: str) -> None:
    assert any(problem.startswith(found) for problem in problems(tmp_path, text))


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    found = problems(tmp_path, "version: 2\nlisten: some\nturns:\n  - {say: hi}\n  - {from: a, click: x}\n")
    assert len(found) == 4


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="there is no such file"):
        transcript.read(tmp_path / "none.yaml")


def test_everybody_who_speaks_may_be_named_by_the_policy(tmp_path: Path) -> None:
    head = HEAD + "policy: {rules: [{confirm: [alice]}]}\n"
    file = read(tmp_path, head + "turns:\n  - {from: alice, say: hi}\n")
    assert file.policy.rules[0].confirm == ("alice",)


def test_an_alert_s_version_and_group_may_be_left_out() -> None:
    one = {"alerts": [{"status": "firing", "labels": {"alertname": "Slow"}}]}
    other = {"alerts": [{"status": "firing", "labels": {"alertname": "Full"}}]}
    keys = [alerts.parse(alert_body(what)).groupKey for what in (one, other, one)]
    assert keys[0] == keys[2] != keys[1]
    grouped = alerts.parse(alert_body({**one, "groupLabels": {"service": "web"}}))
    assert "service" in grouped.groupKey
    assert alerts.parse(alert_body({**one, "groupKey": "g", "version": "4"})).groupKey == "g"


def test_links_are_names_and_rooms(tmp_path: Path) -> None:
    assert read(tmp_path, HEAD + "links: {sea: overseas}\n" + HELLO).links == {"sea": "overseas"}
    assert problems(tmp_path, HEAD + "links: [overseas]\n" + HELLO) == ["links: must be a mapping of names to rooms"]
    assert problems(tmp_path, HEAD + "links: {sea: 5}\n" + HELLO) == ["links: must be a mapping of names to rooms"]
