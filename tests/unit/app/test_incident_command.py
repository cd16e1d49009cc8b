"""`chatops-bot incident`, on a real store."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from chatops_bot.app import incident_command
from chatops_bot.app.cli import app
from chatops_bot.app.configuration import load
from chatops_bot.app.connecting import snapshot_of
from chatops_bot.app.opening import Opened, open_store
from chatops_bot.app.settings import Settings, StoreSettings
from chatops_bot.app.settings_incidents import IncidentSettings
from chatops_bot.app.settings_platforms import RoomSettings
from chatops_bot.domain.identity import Room
from chatops_bot.domain.incidents import Entry, Incidents, encode
from chatops_bot.domain.routing import Verdict, Verdicts
from chatops_bot.ports.incidents import IncidentChange, IncidentEntry
from chatops_bot.ports.store import Arrival, Facts, Outcome

NOON = 1_767_614_400_000  # 2026-01-05 12:00 UTC
OPS, PAY = Room("slack", "T1", "C1"), Room("slack", "T1", "C2")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Opened]:
    async with open_store(StoreSettings(directory=tmp_path)) as opened:
        yield opened


async def declare(store: Opened, number: int, *, room: Room = OPS, status: str = "open", note: str = "") -> str:
    """An incident as a turn stores it."""
    id = f"inc-20260105-{number}"
    facts = {
        "room": room.key,
        "severity": "sev2",
        "status": status,
        "title": f"title {number}",
        "language": "zh",
        "commander": "alice",
        "declared_at": f"{NOON + number}",
        "detected_at": f"{NOON}",
    }
    entry = Entry(id="e1", at=NOON, kind="note", user="bob", text=note)
    change = IncidentChange(id, facts=facts, entries=(IncidentEntry("e1", encode(entry)),), opens=True)
    arrival = Arrival(
        room=room, id=id, event=b"e", verdicts=Verdicts(*[Verdict.NEW] * 8), new=f"t{number}", user="alice"
    )
    (claim,) = (await store.threads.intake(arrival)).claims
    await store.threads.commit(claim, Outcome(session=b"s", facts=Facts(state="idle"), incidents=(change,)))
    return id


async def listed(store: Opened, *, room: str = "", only_open: bool = False, as_json: bool = False) -> list[str]:
    lines: list[str] = []
    assert (
        await incident_command.list_incidents(store, room=room, only_open=only_open, as_json=as_json, echo=lines.append)
        == 0
    )
    return lines


async def test_all_are_listed_the_latest_first_and_can_be_narrowed_down(store: Opened) -> None:
    assert await listed(store) == ["There are no incidents."]
    await declare(store, 1)
    await declare(store, 2, room=PAY, status="resolved")
    lines = await listed(store)
    assert [line.split()[2] for line in lines] == ["inc-20260105-2", "inc-20260105-1"]
    assert "slack.T1:C1" in lines[1]
    assert [line.split()[2] for line in await listed(store, only_open=True)] == ["inc-20260105-1"]
    for room in ("C2", PAY.key):
        assert [line.split()[2] for line in await listed(store, room=room)] == ["inc-20260105-2"]
    assert await listed(store, room="C3") == ["There are no such incidents."]
    heads = [json.loads(line) for line in await listed(store, as_json=True)]
    assert [(head["title"], head["resolved_at"]) for head in heads] == [("title 2", 0), ("title 1", 0)]
    assert "entries" not in heads[0]


async def test_one_is_shown_with_its_timeline(store: Opened) -> None:
    id = await declare(store, 1, note="called the \x1b[2Jvendor")
    lines: list[str] = []
    assert await incident_command.show(store, wanted=id.upper(), language="", as_json=False, echo=lines.append) == 0
    assert lines[0] == "inc-20260105-1  sev2  open  title 1"
    assert "记录" in lines[-1]
    assert "\x1b" not in "".join(lines)
    shown: list[str] = []
    assert await incident_command.show(store, wanted=id, language="en", as_json=True, echo=shown.append) == 0
    assert json.loads(shown[0])["entries"][0]["user"] == "bob"


async def test_the_draft_is_in_the_language_and_zone_that_were_asked_for(store: Opened) -> None:
    id = await declare(store, 1)
    lines: list[str] = []
    zone = incident_command.zone_of("Asia/Shanghai")
    await incident_command.export(store, wanted=id, language="en", zone=zone, echo=lines.append)
    await incident_command.export(store, wanted=id, language="", zone=zone, echo=lines.append)
    assert lines[0].startswith("# Post-mortem: inc-20260105-1 title 1")
    assert "2026-01-05 20:00:00 CST" in lines[0]
    assert lines[1].startswith("# 事故复盘")


async def test_an_id_that_is_not_there_is_a_mistake_that_says_what_to_do(store: Opened) -> None:
    lines: list[str] = []
    assert await incident_command.show(store, wanted="inc-1", language="", as_json=False, echo=lines.append) == 2
    zone = incident_command.zone_of("utc")
    assert await incident_command.export(store, wanted="inc-1", language="", zone=zone, echo=lines.append) == 2
    assert lines == ["There is no incident 'inc-1'. `chatops-bot incident list` shows those that are kept."] * 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["export", "inc-1", "--timezone", "Mars/Olympus"], "there is no time zone 'Mars/Olympus'"),
        (["show", "inc-1", "--language", "fr"], "there is no language 'fr'; known are zh, en"),
        (["export", "inc-1"], "There is no incident 'inc-1'"),
    ],
)
def test_mistakes_end_with_2(tmp_path: Path, arguments: list[str], said: str) -> None:
    path = tmp_path / "chatops-bot.yaml"
    path.write_text(yaml.safe_dump({"store": {"directory": str(tmp_path / "store")}}), encoding="utf-8")
    result = CliRunner().invoke(app, ["incident", *arguments, "--config", str(path)])
    assert result.exit_code == 2
    assert said in result.output


def test_what_is_configured_reaches_the_dialogue(tmp_path: Path) -> None:
    path = tmp_path / "chatops-bot.yaml"
    path.write_text("incidents: {severities: [critical], severity: P2}", encoding="utf-8")
    wanted = Incidents(severities=("critical",), severity="P2")
    assert snapshot_of(load(path, {})).world.incidents == wanted


def test_the_settings_are_what_the_dialogue_takes() -> None:
    assert Settings().incidents.of_world({}) == Incidents()
    chosen = IncidentSettings(severities=("critical",), severity="SEV-2", reopen_h=2, links={"ops": "C1"})
    rooms = {"C1": RoomSettings(platform="slack")}
    linkable = frozenset({"slack:C1"})
    taken = Incidents(severities=("critical",), severity="sev2", reopen_s=7_200, linkable=linkable)
    assert chosen.of_world(rooms) == taken
    with pytest.raises(ValueError, match="'huge' is no severity; write one such as sev2 or P1"):
        IncidentSettings(severity="huge")
