"""`chatops-bot run` on several platforms at once, as a process, against fakes that speak their wire protocols."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.server import FakeSlack
from chatops_bot.adapters.slack.fake.workspace import BOT_USER, ROOM
from chatops_bot.adapters.wecom.fake.corp import AGENT, CORP
from chatops_bot.adapters.wecom.fake.postman import AES_KEY, TOKEN, Mode
from chatops_bot.adapters.wecom.fake.server import BOT_ID, BOT_SECRET, SECRET
from chatops_bot.adapters.wecom.fake.wire import FakeWeCom
from chatops_bot.app.opening import open_store
from chatops_bot.app.settings import StoreSettings
from chatops_bot.domain.audit import Record, decode
from chatops_bot.ports.clock import SystemClock
from chatops_bot.ports.wire import ShownCard, Wire
from tests.fakes.clock import ManualClock
from tests.scenario.forwarding import Forward
from tests.scenario.running import PATIENCE_S, Running, configured, started, until

ALERT_TOKEN: Final = "alert-token"
SDKS: Final = ("lark_oapi", "Crypto", "wechatpy", "aibot")
numbers = count(1)


class FeishuFake(FeishuWire):
    """With the configuration of a bot that talks to it."""

    def section(self, **more: Any) -> dict[str, Any]:
        return {"enabled": True, "mode": self._mode, "base_url": self.server.url, "connections": 1, **more}

    def secrets(self) -> dict[str, str]:
        return {
            "CHATOPS_FEISHU__APP_ID": self.app.app_id,
            "CHATOPS_FEISHU__APP_SECRET": self.app.app_secret,
            "CHATOPS_FEISHU__ENCRYPT_KEY": self.app.encrypt_key,
            "CHATOPS_FEISHU__VERIFICATION_TOKEN": self.app.verification_token,
        }


class WeComFake(FakeWeCom):
    """Likewise."""

    def section(self) -> dict[str, Any]:
        where = {"api_url": f"http://{self.server.address}/cgi-bin/", "socket_url": f"ws://{self.server.address}"}
        own = {"agent_id": AGENT} if self.mode == "app" else {"bot_mode": self.mode, "bot_id": BOT_ID}
        return {"enabled": True, "corp_id": CORP, **where, **own}

    def secrets(self) -> dict[str, str]:
        return {
            "CHATOPS_WECOM__APP_SECRET": SECRET,
            "CHATOPS_WECOM__APP_TOKEN": TOKEN,
            "CHATOPS_WECOM__APP_AES_KEY": AES_KEY,
            "CHATOPS_WECOM__BOT_SECRET": BOT_SECRET,
        }


@asynccontextmanager
async def feishu_fake(mode: Any) -> AsyncIterator[FeishuFake]:
    wire = FeishuFake(clock=SystemClock(), mode=mode)
    await wire.start()
    yield wire
    await wire.stop()


@asynccontextmanager
async def wecom_fake(mode: Mode) -> AsyncIterator[WeComFake]:
    wire = WeComFake(SystemClock(), mode)
    await wire.start()
    yield wire
    await wire.stop()


@asynccontextmanager
async def bot(folder: Path, **environment: str) -> AsyncIterator[tuple[Running, httpx.AsyncClient]]:
    """A running bot with its HTTP side."""
    async with started("run", cwd=folder, **environment) as running:
        await running.until_logged("running")
        async with httpx.AsyncClient(base_url=await running.address("http")) as http:
            yield running, http


async def until_ready(http: httpx.AsyncClient) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while (await http.get("/readyz")).status_code != 200:  # noqa: ASYNC110 (another process)
            await asyncio.sleep(0.05)


async def say(wire: Wire, room: str, user: str, text: str) -> None:
    """A mention that the platform takes for delivered."""
    said = await wire.say(event_id=f"ev{next(numbers)}", room=room, user=user, text=text, mention=True)
    assert said.accepted, said


async def press(wire: Wire, room: str, user: str, card: ShownCard, button: str) -> None:
    pressed = await wire.click(event_id=f"ev{next(numbers)}", room=room, user=user, message=card.message, button=button)
    assert pressed.accepted, pressed


async def card(wire: Wire, room: str, words: str, *, button: str = "") -> ShownCard:
    """The newest card in a room that says something, once it is there."""

    def found() -> list[ShownCard]:
        buttons = ({one.id for one in each.buttons} for each in wire.shown(room))
        return [
            each
            for each, shown in zip(wire.shown(room), buttons, strict=True)
            if words in each.text and (not button or button in shown)
        ]

    try:
        await until(found, f"a card on {wire.platform} that says {words!r}")
    except AssertionError as error:
        raise AssertionError(f"{error}; there are {[each.text for each in wire.shown(room)]}") from None
    return found()[-1]


def replicas(sandbox: Sandbox) -> int:
    return int(next(each for each in sandbox.snapshot()["workloads"] if each["name"] == "web")["replicas"])


async def recorded(folder: Path) -> list[Record]:
    """The audit log of a bot that has ended."""
    async with open_store(StoreSettings(directory=folder / "chatops-data")) as opened:
        return [decode(each.record) for shard in range(SHARDS) for each in await opened.audit.entries(shard=shard)]


FIRING: Final = {
    "version": "4",
    "groupKey": '{}:{alertname="Slow"}',
    "status": "firing",
    "receiver": "bot",
    "groupLabels": {"alertname": "Slow"},
    "commonLabels": {"alertname": "Slow", "service": "web"},
    "commonAnnotations": {},
    "externalURL": "http://alertmanager",
    "alerts": [
        {
            "status": "firing",
            "labels": {"alertname": "Slow", "service": "web", "severity": "warning"},
            "annotations": {"summary": "web answers slowly"},
            "startsAt": "2026-01-05T10:00:00Z",
            "endsAt": "0001-01-01T00:00:00Z",
            "generatorURL": "",
            "fingerprint": "f00d",
        }
    ],
}


async def test_one_person_is_known_on_platforms_that_call_the_bot(tmp_path: Path, sandbox: Sandbox) -> None:
    async with (
        feishu_fake("webhook") as feishu,
        wecom_fake("app") as wecom,
        FakeSlack(ManualClock()) as slack,
    ):
        slack.workspace.user("U1", "alice")
        ops, alerts = feishu.room("ops"), feishu.room("alerts")
        talk = wecom.room("zhang")
        zhang_feishu, zhang_wecom = feishu.person("zhang"), wecom.person("zhang")
        people = {"Zhang San": [f"feishu:{zhang_feishu}", f"wecom:{zhang_wecom}", "slack:U024BE7LH"]}
        configured(
            tmp_path,
            sandbox,
            console=None,
            slack={"enabled": True, "mode": "http", "base_url": slack.url},
            feishu=feishu.section(),
            wecom=wecom.section(),
            rooms={alerts: {"platform": "feishu"}},
            alerts={"enabled": True, "room": alerts},
            policy={"people": people, "rules": [{"confirm": ["Zhang San"]}]},
        )
        secrets = {
            **feishu.secrets(),
            **wecom.secrets(),
            "CHATOPS_SLACK__BOT_TOKEN": "xoxb-test",
            "CHATOPS_SLACK__SIGNING_SECRET": deliveries.SECRET,
            "CHATOPS_ALERTS__TOKEN": ALERT_TOKEN,
        }
        async with bot(tmp_path, **secrets) as (running, http):
            feishu.courier.endpoint = Forward(http, "/feishu/events")
            wecom.postman.endpoints.append(Forward(http, "/wecom/app"))
            await until_ready(http)

            await say(feishu, ops, feishu.person("alice"), "@bot scale web to 3")
            plan = await card(feishu, ops, "2 → 3", button="confirm")
            await press(feishu, ops, feishu.person("partner", foreign=True), plan, "confirm")
            await card(feishu, ops, "People of other organisations may do nothing")
            # What the directory says of somebody is known a moment after they first turn up.
            suspended, asked = feishu.person("eve", guest=True), feishu.faults.calls("users.get")
            await press(feishu, ops, suspended, plan, "confirm")
            await until(lambda: feishu.faults.calls("users.get") > asked, "a look into the directory")
            await press(feishu, ops, suspended, plan, "confirm")
            await card(feishu, ops, "Guests may do nothing")
            assert replicas(sandbox) == 2
            await press(feishu, ops, zhang_feishu, plan, "confirm")
            await card(feishu, ops, "Done: scale web")
            assert replicas(sandbox) == 3

            await say(wecom, talk, zhang_wecom, "scale web to 4")
            await press(wecom, talk, zhang_wecom, await card(wecom, talk, "3 → 4", button="confirm"), "confirm")
            await card(wecom, talk, "Done: scale web")
            assert replicas(sandbox) == 4
            stranger = wecom.person("partner", foreign=True)
            await say(wecom, f"app:{stranger}", stranger, "how is web?")
            await card(wecom, f"app:{stranger}", "People of other organisations may do nothing")

            said = deliveries.mention(f"<@{BOT_USER}> how is web?", ts="1700000001.000100")
            body = deliveries.as_json(deliveries.event(said, id="Ev1"))
            headers = deliveries.signed(body, now=time.time())
            assert (await http.post("/slack/events", content=body, headers=headers)).status_code == 200
            await until(
                lambda: "pods ready" in json.dumps(slack.workspace.channels[ROOM].messages), "the answer in Slack"
            )

            authorized = {"Authorization": f"Bearer {ALERT_TOKEN}"}
            assert (await http.post("/alerts", json=FIRING, headers=authorized)).status_code == 200
            await card(feishu, alerts, "web answers slowly")

            assert (await http.post("/feishu/events", content=b"{}")).status_code == 401
            assert (await http.post("/wecom/app", content=b"<xml></xml>")).status_code in (400, 401, 403)
            assert (await http.post("/wecom/robot", content=b"{}")).status_code == 404
            assert await running.end() == 0
    log = json.dumps(running.log)
    for secret in secrets:
        if not secret.endswith("APP_ID"):
            assert secrets[secret] not in log, secret
    confirmed = {(each.user, each.person) for each in await recorded(tmp_path) if each.kind == "confirmation"}
    assert confirmed == {(f"feishu:{zhang_feishu}", "Zhang San"), (f"wecom:{zhang_wecom}", "Zhang San")}


async def test_long_connections_come_up_beside_everything_else(tmp_path: Path, sandbox: Sandbox) -> None:
    async with feishu_fake("connection") as feishu, wecom_fake("socket") as wecom:
        ops, robot_room = feishu.room("ops"), wecom.room("ops")
        alice, bob = feishu.person("alice"), wecom.person("bob")
        configured(tmp_path, sandbox, feishu=feishu.section(), wecom=wecom.section())
        async with bot(tmp_path, **feishu.secrets(), **wecom.secrets()) as (running, http):
            # The SDK of Feishu takes seconds to import; nothing waits for it.
            assert running.logged("long connections to Feishu follow once the SDK is imported")
            found: dict[str, str] = (await http.get("/readyz")).json()["problems"]
            assert set(found) <= {"feishu"}
            await until_ready(http)
            await say(feishu, ops, alice, "@bot how is web?")
            await card(feishu, ops, "2/2")
            said = asyncio.create_task(
                wecom.say(event_id="r1", room=robot_room, user=bob, text="@bot how is web?", mention=True)
            )
            await card(wecom, robot_room, "2/2")
            said.cancel()
            await asyncio.gather(said, return_exceptions=True)
            assert await running.end() == 0
        assert "stop_failed" not in {line.get("message") for line in running.log}


PROBE: Final = """
import asyncio, sys
from pathlib import Path
from chatops_bot.app.configuration import load
from chatops_bot.app.check_config import summary
from chatops_bot.app.run import Process, live

async def main():
    configuration = load(Path("chatops-bot.yaml"), {})
    print("\\n".join(summary(configuration)))
    stopping = asyncio.Event()
    await live(Process(configuration), stopping, ready=stopping.set)

asyncio.run(main())
print(*(name for name in sys.modules if name.partition(".")[0] in sys.argv[1:] or name in sys.argv[1:]))
"""


async def probed(folder: Path, *wanted: str) -> list[str]:
    """Which of these modules a process has imported that has started and ended the bot."""
    folder_of_package = str(Path(__file__).parents[2])
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", PROBE, *wanted],
        cwd=folder,
        env={"PYTHONPATH": folder_of_package, "PATH": ""},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()[-1].split()


async def test_what_is_off_is_not_imported(tmp_path: Path, sandbox: Sandbox) -> None:
    configured(tmp_path, sandbox, http={"host": "127.0.0.1", "port": 0})
    own = ("chatops_bot.adapters.feishu", "chatops_bot.adapters.wecom.chat", "chatops_bot.adapters.slack")
    assert await probed(tmp_path, *SDKS, *own) == []


async def test_a_webhook_needs_no_sdk(tmp_path: Path, sandbox: Sandbox) -> None:
    async with feishu_fake("webhook") as feishu:
        for name, value in feishu.secrets().items():
            (tmp_path / name.rpartition("__")[2].lower()).write_text(value, encoding="utf-8")
        names = ("app_secret", "encrypt_key", "verification_token")
        section = feishu.section(app_id=feishu.app.app_id, **{f"{name}_file": name for name in names})
        configured(tmp_path, sandbox, feishu=section, http={"host": "127.0.0.1", "port": 0})
        found = await probed(tmp_path, *SDKS, "chatops_bot.adapters.feishu")
    assert "chatops_bot.adapters.feishu" in found
    assert "lark_oapi" not in found


@pytest.mark.parametrize(
    ("section", "environment", "package", "extra"),
    [
        ({"feishu": {"enabled": True, "app_id": "cli_1"}}, {"CHATOPS_FEISHU__APP_SECRET": "x"}, "lark_oapi", "feishu"),
        (
            {"wecom": {"enabled": True, "corp_id": "ww1", "bot_mode": "socket", "bot_id": "b"}},
            {"CHATOPS_WECOM__BOT_SECRET": "x"},
            "cryptography",
            "wecom",
        ),
    ],
    ids=["feishu", "wecom"],
)
async def test_a_missing_extra_is_told_with_the_command_that_installs_it(
    tmp_path: Path, sandbox: Sandbox, section: dict[str, Any], environment: dict[str, str], package: str, extra: str
) -> None:
    configured(tmp_path, sandbox, **section)
    # Where Python looks first, a package of this name is no package.
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nsys.modules[{package!r}] = None\n", encoding="utf-8")
    paths = f"{tmp_path}:{Path(__file__).parents[2]}"
    async with started("run", cwd=tmp_path, PYTHONPATH=paths, **environment) as running:
        assert await running.ended() == 1
    assert running.log[-1]["message"] == (
        f"The bot cannot run: {extra} is enabled, but its packages are not installed; "
        f"pip install 'chatops-bot[{extra}]'"
    )
    async with started("check-config", cwd=tmp_path, PYTHONPATH=paths, **environment) as running:
        assert await running.ended() == 0
    assert any(f"pip install 'chatops-bot[{extra}]'" in line for line in running.out)
    async with started("doctor", cwd=tmp_path, PYTHONPATH=paths, **environment) as running:
        await running.ended()
    assert f"bad   {extra} is enabled, but cannot run" in running.out
