"""What is measured: a PING, a dispatch of bare Bolt, and the bot's usual turns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest

from chatops_bot.adapters.slack.fake.deliveries import SECRET
from chatops_bot.adapters.slack.fake.workspace import BOT_USER, TEAM
from tests.bench.hooks import Hook
from tests.bench.rig import Rig
from tests.bench.signed import Delivery
from tests.bench.stubs import WEB
from tests.bench.webhook import Firing, Webhook

Jobs = Callable[[int], list[Any]]
Do = Callable[[Any], Awaitable[None]]


class Kind(NamedTuple):
    """One row: makes jobs, untimed, and does one. `weight` evens out how long a batch of each kind takes."""

    name: str
    jobs: Jobs
    do: Do
    weight: float


def kinds(rig: Rig) -> Sequence[Kind]:
    """All rows on one bot."""
    own = (ping(rig), bolt(rig), chatter(rig), query(rig), plan(rig), alert(rig))
    return (*own, *(acknowledged(hook) for hook in rig.hooks))


def ping(rig: Rig) -> Kind:
    """Redis' PING over the bot's own client."""

    async def do(_job: int) -> None:
        await rig.client.command("PING")

    return Kind("ping", lambda count: list(range(count)), do, 8)


def bolt(rig: Rig) -> Kind:
    """Bolt alone: signature checked, an empty listener, acknowledged."""
    app = AsyncApp(signing_secret=SECRET, authorize=_granted)

    @app.event("message")
    async def _listener() -> None:
        return

    async def do(job: Delivery) -> None:
        headers: dict[str, Any] = job.headers
        answer = await app.async_dispatch(AsyncBoltRequest(body=job.body.decode(), headers=headers))
        if answer.status != 200:
            raise RuntimeError(f"Bolt answers {answer.status}")

    return Kind("bolt", lambda count: _chatter(rig, count), do, 2)


def chatter(rig: Rig) -> Kind:
    """What people say to each other: nothing is stored but the duplicate mark."""
    return Kind("chatter", lambda count: _chatter(rig, count), rig.stored, 2)


def query(rig: Rig) -> Kind:
    """A question in a live thread, answered from its memory; ends when the card is recorded as posted."""

    def jobs(count: int) -> list[tuple[Delivery, str]]:
        live = [rig.live(turn) for turn in rig.next(count)]
        return [(rig.ask(f"<@{BOT_USER}> status of {WEB.name}", person), thread) for person, thread in live]

    async def do(job: tuple[Delivery, str]) -> None:
        delivery, thread = job
        shown = rig.store.shown(thread)
        await rig.stored(delivery)
        await shown

    return Kind("query", jobs, do, 1)


def plan(rig: Rig) -> Kind:
    """An order in a new thread, up to the plan with its button; besides the live threads."""

    def jobs(count: int) -> list[Delivery]:
        text = f"<@{BOT_USER}> scale {WEB.name} to 5"
        return [rig.ask(text, rig.live(turn)[0], channel=rig.new_room()) for turn in rig.next(count)]

    async def do(job: Delivery) -> None:
        shown = rig.store.shown(job.thread, holds=b'"confirm"')
        await rig.stored(job)
        await shown

    return Kind("plan", jobs, do, 0.5)


def alert(rig: Rig) -> Kind:
    """A group of ten alerts that begins to fire, from Alertmanager's delivery until its card is recorded as posted. The
    diagnosis of the service is drawn into it afterwards."""
    webhook = Webhook(rig)

    async def do(job: Firing) -> None:
        shown = rig.store.shown(job.thread)
        await webhook.deliver(job)
        await shown

    return Kind("alert", lambda count: [webhook.delivery() for _ in range(count)], do, 0.5)


def acknowledged(hook: Hook) -> Kind:
    """A question that opens a thread, from a platform's signed delivery to its acknowledgement; the bot is stuck and
    answers none."""
    return Kind(
        f"ack {hook.platform}", lambda count: [hook.delivery("status of web") for _ in range(count)], hook.deliver, 1
    )


def _chatter(rig: Rig, count: int) -> list[Delivery]:
    return [rig.ask("anybody for lunch? the new place is open", rig.live(turn)[0]) for turn in rig.next(count)]


async def _granted() -> AuthorizeResult:
    return AuthorizeResult(enterprise_id=None, team_id=TEAM, bot_user_id=BOT_USER, bot_token="-")
