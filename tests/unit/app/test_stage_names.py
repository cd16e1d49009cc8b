"""Names of a transcript's policy become a platform's ids, and nothing else changes."""

from __future__ import annotations

from chatops_bot.app.stage_names import renamed
from chatops_bot.app.transcript import policy_of
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.policy import Policy

POLICY = {
    "people": {"zhang.san": ["zhang", "feishu:ou_1"]},
    "groups": {"sre": ["alice", "bob"]},
    "rules": [
        {"actions": ["scale"], "rooms": ["ops", "slack:C9"], "request": ["*"], "confirm": ["sre", "carol"]},
        {"actions": ["restart"], "confirm": ["zhang.san"], "approve": ["dave", "wecom:erin"], "approvals": 1},
    ],
}


def on_slack(policy: Policy) -> Policy:
    return renamed(policy, person=lambda name: f"slack:U{name.upper()}", room=lambda name: f"C{name.upper()}")


def test_people_and_rooms_get_ids_and_groups_keep_their_names() -> None:
    found = on_slack(policy_of(POLICY, set()))
    scale, restart = found.rules
    assert found.groups == {"sre": ("slack:UALICE", "slack:UBOB")}
    assert (scale.request, scale.confirm, scale.rooms) == (("*",), ("sre", "slack:UCAROL"), ("COPS", "slack:C9"))
    assert (restart.confirm, restart.approve) == (("zhang.san",), ("slack:UDAVE", "wecom:erin"))
    assert found.people.accounts == {"zhang.san": ("slack:UZHANG", "feishu:ou_1")}
    assert found.people.owner("slack:UZHANG", None) == "zhang.san"


def test_the_same_people_may_do_the_same() -> None:
    policy = policy_of({"rules": [{"actions": ["restart"], "confirm": ["alice"]}]}, set())
    room = Room("slack", "T1", "COPS")
    judged = {
        name: on_slack(policy)
        .judge(action="restart", entity=None, room=room, user=User("slack", "T1", f"U{name}"), role="confirm")
        .allowed
        for name in ("ALICE", "BOB")
    }
    assert judged == {"ALICE": True, "BOB": False}


def test_an_open_policy_stays_open() -> None:
    assert on_slack(Policy.open()) == Policy.open()
