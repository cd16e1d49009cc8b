"""`chatops-bot demo`: the bot, its console and a small shop in a sandbox cluster; nothing else is needed."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from pydantic import SecretStr

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.embedded import EmbeddedError, EmbeddedServer
from chatops_bot.adapters.redis.url import parse
from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.app import transcript
from chatops_bot.app.configuration import Configuration
from chatops_bot.app.process import Signals, StartError
from chatops_bot.app.run import Process, live
from chatops_bot.app.serving import listen
from chatops_bot.app.settings import (
    AuditSettings,
    ClusterSettings,
    ConsoleSettings,
    HttpSettings,
    LogSettings,
    Settings,
    StoreSettings,
)
from chatops_bot.app.telemetry import configure_logging
from chatops_bot.app.transcript import Transcript
from chatops_bot.domain.policy import Policy
from chatops_bot.ports.clock import random_bytes
from chatops_bot.ports.store import StoreUnavailable

SCENES: Final = Path(__file__).parent / "scenes"
SHOP: Final = SCENES / "interruption.yaml"
"""The transcript whose services and cluster the demo has; the sentences to try are its turns."""

ENGLISH: Final = (
    ("alice", "@bot payment-svc in prod seems to time out, how are its pods?"),
    ("bob", "@bot any slow queries in order-db?"),
    ("alice", "@bot ok, scale it to 5"),
)

HOST: Final = "127.0.0.1"
PORTS: Final = 20
"""Ports tried above one that is taken."""

MARK: Final = "chatops-bot:demo"
"""Marks the database of `REDIS_URL` as a demo's: a demo works off whatever is due there, so it must not be put to
work on the data of a real installation."""


def main(*, script: bool = False, port: int = 8080) -> int:
    """Serve the console until Ctrl-C, or with `script` play the scenes in the terminal. The exit code."""
    if script:
        from chatops_bot.app.demo_script import play_all

        return play_all([SHOP, SCENES / "the-other-one.yaml"])
    configure_logging(LogSettings(level="warning", format="console"))
    try:
        asyncio.run(_serve(port))
    except StartError as error:
        sys.stderr.write(f"The demo cannot start: {error}\n")
        return 1
    return 0


def data_folder(environ: Mapping[str, str], platform: str) -> Path:
    """Where the user's programs keep their data, by the platform's custom."""
    base = Path(environ.get("XDG_DATA_HOME") or "")
    if not base.is_absolute():
        home = Path(environ.get("HOME") or tempfile.gettempdir())
        base = home / ("Library/Application Support" if platform == "darwin" else ".local/share")
    return base / "chatops-bot" / "demo"


async def _serve(port: int) -> None:
    shop = transcript.read(SHOP)
    servers: list[EmbeddedServer] = []
    with Signals(at_once=lambda: _kill(servers)) as signals:
        async with AsyncExitStack() as stack:
            listening = listen(HOST, port, setting="--port", further=PORTS)
            stack.callback(listening.close)
            url = await _store(stack, servers)
            # Names and uids differ from those of earlier demos: nothing that waits in the store fits this cluster.
            sandbox = Sandbox(time.time, auto=True, seed=random_bytes(4).hex())
            await stack.enter_async_context(sandbox)
            sandbox.apply(shop.cluster)
            await sandbox.settle()
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="chatops-demo-")))
            kubeconfig = folder / "kubeconfig"
            kubeconfig.write_text(json.dumps(sandbox.kubeconfig()), encoding="utf-8")
            found: int = listening.getsockname()[1]
            configuration = _configuration(shop, url=url, kubeconfig=kubeconfig, port=found)
            process = Process(configuration, pane=sandbox, listening=listening, http=False, settle_first=True)
            await live(
                process,
                signals.stopping,
                ready=lambda: _welcome(shop, wanted=port, found=found, store=url if servers else ""),
            )


def _configuration(shop: Transcript, *, url: str, kubeconfig: Path, port: int) -> Configuration:
    namespaces = {
        cluster: tuple(
            sorted({service.entity.namespace for service in shop.services if service.entity.cluster == cluster})
        )
        for cluster in shop.cluster_names
    }
    settings = Settings(
        store=StoreSettings(url=SecretStr(url)),
        clusters=tuple(
            ClusterSettings(name=cluster, kubeconfig=kubeconfig, namespaces=namespaces[cluster])
            for cluster in shop.cluster_names
        ),
        console=ConsoleSettings(enabled=True, host=HOST, port=port),
        http=HttpSettings(port=0),
        audit=AuditSettings(output=False),  # the terminal is for what can be tried
    )
    return Configuration(settings=settings, services=shop.services, policy=Policy.open())


async def _store(stack: AsyncExitStack, servers: list[EmbeddedServer]) -> str:
    """Address of the demo's store: `REDIS_URL`, else an embedded server in the user's data folder, else in a folder
    that is gone afterwards. Raises `StartError`."""
    given = os.environ.get("REDIS_URL", "")
    if given:
        await _ours(given)
        return given
    folder = data_folder(os.environ, sys.platform)
    try:
        server = await EmbeddedServer.start(folder)
    except EmbeddedError as error:
        _say(f"{error}; this demo keeps nothing.")
        spare = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="chatops-demo-")))
        try:
            server = await EmbeddedServer.start(spare)
        except EmbeddedError as again:
            raise StartError(f"{again}; or set REDIS_URL to a Redis that may be tried with") from again
    servers.append(server)
    stack.push_async_callback(server.stop)
    return server.url


async def _ours(url: str) -> None:
    """Raises `StartError` for a database that holds anything but what a demo has put there."""
    try:
        client = Client(parse(url))
    except (ValueError, OSError) as error:
        raise StartError(f"REDIS_URL: {error}") from error
    try:
        if await client.command("DBSIZE") == 0:
            await client.command("SET", MARK, "1")
        elif not await client.command("EXISTS", MARK):
            raise StartError(
                "REDIS_URL: the database is not empty and not a demo's; "
                "unset REDIS_URL to embed a store, or name an empty database"
            )
    except StoreUnavailable as error:
        raise StartError(f"REDIS_URL: {error}; start that server, or unset REDIS_URL to embed one") from error
    finally:
        await client.close()


def _kill(servers: list[EmbeddedServer]) -> None:
    for server in servers:
        server.kill()


def _welcome(shop: Transcript, *, wanted: int, found: int, store: str) -> None:
    """What to try. `store` is the address of an embedded one, which other commands have to be told; "" for one that
    was given."""
    if wanted and found != wanted:
        _say(f"Port {wanted} is taken, so it is {found}.")
    _say(f"The console is at http://{HOST}:{found}/ (Ctrl-C ends everything).")
    _say("")
    _say("Things to try there, each as the person named:")
    for turn in shop.turns:
        if turn.act == "say":
            _say(f"  {turn.user:<6} {turn.what}")
    _say("or in English:")
    for user, words in ENGLISH:
        _say(f"  {user:<6} {words}")
    _say("")
    _say("Then press the card's button, say what to change, or ask something else first.")
    if store:
        _say("")
        _say("Other commands look at this demo where they are told of its store, in a second terminal:")
        _say(f"  export REDIS_URL={shlex.quote(store)}")


def _say(line: str, *, write: Callable[[str], object] | None = None) -> None:
    (write or sys.stdout.write)(f"{line}\n")
    sys.stdout.flush()
