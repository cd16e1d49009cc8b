"""The policy in force follows its file; while that has errors the rules of before hold, and say so."""

import os
from pathlib import Path

from chatops_bot.app.sources import PolicyInForce, read_policy_file
from chatops_bot.domain.identity import Room, User

OPEN = "rules: [{confirm: ['*']}]"


def write(path: Path, text: str, *, stamp: int) -> None:
    """Write with a time of its own, so that two writes within one tick of the disk's clock still differ."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(stamp, stamp))


def test_a_changed_file_counts_at_once(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    write(path, OPEN, stamp=1)
    in_force = PolicyInForce(read_policy_file(path), file=path)
    first = in_force.current()
    assert in_force.current() is first
    write(path, "rules: [{confirm: []}]", stamp=2)
    assert in_force.current().rules[0].confirm == ()


def test_while_a_file_has_errors_the_rules_of_before_hold_and_say_so(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    write(path, "rules: [{confirm: [alice]}]", stamp=1)
    in_force = PolicyInForce(read_policy_file(path), file=path)
    for stamp, text in ((2, "rules: [{confirm: x}]"), (3, "rules: [")):
        write(path, text, stamp=stamp)
        policy = in_force.current()
        assert (policy.standing, policy.outdated) == ("file", True)
        assert policy.rules[0].confirm == ("alice",)
        assert in_force.problems
    write(path, OPEN, stamp=4)
    policy = in_force.current()
    assert (policy.standing, policy.outdated) == ("file", False)
    assert policy.rules[0].confirm == ("*",)
    assert in_force.problems == ()


def test_a_file_that_is_gone_stops_every_change_and_lets_nobody_read_more(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    write(path, "rules: [{confirm: ['*']}, {actions: [read], request: [alice]}]", stamp=1)
    in_force = PolicyInForce(read_policy_file(path), file=path)
    path.unlink()
    policy = in_force.current()
    assert policy.standing == "broken"
    assert "there is no such file" in in_force.problems[0]
    bob, room = User("console", "local", "bob"), Room("console", "local", "ops")
    for action in ("scale", "status"):
        assert not policy.judge(action=action, entity=None, room=room, user=bob, role="confirm").allowed
    write(path, "rules: [", stamp=2)
    assert in_force.current().standing == "broken"
    write(path, OPEN, stamp=3)
    assert in_force.current().standing == "file"


def test_a_file_replaced_behind_a_link_is_noticed(tmp_path: Path) -> None:
    for name, text in (("a", OPEN), ("b", "rules: [{confirm: []}]")):
        (tmp_path / name).mkdir()
        write(tmp_path / name / "policy.yaml", text, stamp=1)
    link = tmp_path / "current"
    link.symlink_to("a")
    in_force = PolicyInForce(read_policy_file(link / "policy.yaml"), file=link / "policy.yaml")
    link.unlink()
    link.symlink_to("b")
    assert in_force.current().rules[0].confirm == ()


def test_a_policy_without_a_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    write(path, OPEN, stamp=1)
    policy = read_policy_file(path)
    path.unlink()
    assert PolicyInForce(policy).current() is policy


def test_the_map_of_people_is_read_again_with_the_file_and_not_with_a_mistake_in_it(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    write(path, f"people: {{p: ['slack:U1']}}\n{OPEN}", stamp=1)
    in_force = PolicyInForce(read_policy_file(path), file=path)
    write(path, f"people: {{p: ['slack:U1', 'wecom:p']}}\n{OPEN}", stamp=2)
    assert in_force.current().members(["p"]) == ("slack:U1", "wecom:p")
    write(path, f"people: {{p: ['slack:U1'], q: ['slack:U1']}}\n{OPEN}", stamp=3)
    assert in_force.current().members(["p"]) == ("slack:U1", "wecom:p")
    assert in_force.current().outdated
    assert "'slack:U1' is an account of p too" in in_force.problems[0]
