"""The SDK is imported where it is needed, in a thread, and nowhere else."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

SCRIPT = """
import asyncio, gc, json, sys, time
from chatops_bot.adapters.feishu import FeishuApps, FeishuEndpoint
from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.ports.chat import Receipt
from chatops_bot.ports.clock import SystemClock, random_bytes

class Store:
    async def receive(self, event):
        return Receipt("stored")

def seen():
    return sorted({name.split(".")[0] for name in sys.modules} & {"lark_oapi", "requests", "websockets"})

async def main(mode):
    told = {"imported": seen()}
    wire = FeishuWire(clock=SystemClock(), mode=mode)
    await wire.start()
    user, room = wire.person("alice"), wire.room("ops")
    chat = wire.chat(clock=SystemClock(), random_bytes=random_bytes)
    began = time.monotonic()
    await chat.start(Store())
    told["started_s"] = time.monotonic() - began
    stalls, deadline = [], time.monotonic() + 30
    while chat.healthy() and time.monotonic() < deadline:
        before = time.monotonic()
        await asyncio.sleep(0.001)
        stalls.append(time.monotonic() - before)
    told["healthy"] = chat.healthy()
    told["up_s"] = time.monotonic() - began
    told["turns"] = len(stalls)
    told["median_s"] = sorted(stalls)[len(stalls) // 2] if stalls else 0
    told["answer"] = (await wire.say(event_id="e", room=room, user=user, text="@bot hello")).status
    told["used"] = seen()
    told["collecting"] = gc.isenabled()
    await chat.stop()
    await wire.stop()
    print(json.dumps(told))

asyncio.run(main(sys.argv[1]))
"""


def run(mode: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", SCRIPT, mode], capture_output=True, text=True, check=True, timeout=50)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_over_a_webhook_the_sdk_is_never_imported() -> None:
    told = run("webhook")
    assert told["answer"] == 200
    assert told["imported"] == told["used"] == []


def test_over_a_connection_the_start_does_not_wait_for_it_and_the_loop_goes_on() -> None:
    told = run("connection")
    assert told["imported"] == []
    assert told["healthy"] == ""
    assert told["answer"] == 200
    assert "lark_oapi" in told["used"]
    assert told["collecting"]
    assert told["started_s"] < 1
    # How late the loop wakes while the SDK is imported beside it; wide, for a machine that has other work too.
    assert told["turns"] > 20
    assert told["median_s"] < 0.05


@pytest.mark.parametrize(
    "module", ["chatops_bot.app.cli", "chatops_bot.adapters.feishu", "chatops_bot.adapters.feishu.fake"]
)
def test_nothing_imports_the_sdk_by_itself(module: str) -> None:
    script = (
        f"import sys, {module}; print(sorted(name for name in sys.modules if name.startswith(('lark_oapi', 'Crypto'))))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=50)
    assert done.stdout.strip() == "[]"


def test_without_the_extra_a_connection_says_what_to_install() -> None:
    script = SCRIPT.replace("import asyncio,", "import logging; logging.basicConfig()\nimport asyncio,").replace(
        "+ 30", "+ 0.5"
    )
    blocked = "import sys; sys.modules['lark_oapi'] = None\n" + script
    done = subprocess.run(
        [sys.executable, "-c", blocked, "connection"], capture_output=True, text=True, check=True, timeout=50
    )
    told = json.loads(done.stdout)
    assert told["healthy"] == "no long connection to Feishu is up"
    assert "the SDK is not installed (extra `feishu`)" in done.stderr
