"""The stage of a replay: sandbox cluster, console, virtual clock, and the bot between them."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from chatops_bot.adapters.console.chat import ConsoleChat, numbered
from chatops_bot.adapters.console.people import TENANT
from chatops_bot.adapters.kubernetes import Connection
from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.app import alerts, bot, printed
from chatops_bot.app.bot import Bot, Stores
from chatops_bot.app.catalog_sources import merged
from chatops_bot.app.printed import Played
from chatops_bot.app.replay_store import ReplayRedis, SwitchedClient
from chatops_bot.app.transcript import DAY, START, Transcript, TranscriptError, Turn, policy_of
from chatops_bot.app.virtual_clock import VirtualClock
from chatops_bot.domain.cards import Card
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.identity import Room
from chatops_bot.domain.policy_file import PolicyError
from chatops_bot.domain.session import Session
from chatops_bot.domain.world import Timing
from chatops_bot.engine.gate import Cluster
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.chat import NotAccepted, Receipt
from chatops_bot.ports.meter import NoMeter
from chatops_bot.ports.store import Claim, StoreUnavailable

MOST_STEPS: Final = 5_000
"""Moments at which something was due within one wait; more is an endless loop."""


class Stage:
    """Plays turns one by one. A turn ends when nothing but time is awaited."""

    def __init__(self, file: Transcript, redis: ReplayRedis, *, kubeconfig: Path | None = None) -> None:
        self._file = file
        self._redis = redis
        self._kubeconfig = kubeconfig
        self.clock = VirtualClock(DAY.timestamp() + _seconds(START))
        self.chat = ConsoleChat(clock=self.clock, ids=numbered("m"))
        self.sandbox = Sandbox(self.clock.now)
        self._client: SwitchedClient | None = None
        self._stores: Stores | None = None
        self._clusters: dict[str, Cluster] = {}
        self._bot: Bot | None = None
        self._snapshot = Snapshot(catalog=Catalog(), policy=file.policy, timing=Timing(), listen=file.listen)
        self.sessions: dict[str, Session] = {}
        self.decisions: list[tuple[Claim, Decision]] = []
        self.threads: dict[str, str] = {}
        self.answers: dict[str, str] = {}
        self.events: dict[str, tuple[Turn, str]] = {}
        self.views: dict[str, dict[str, tuple[str, Card]]] = {}
        self.history: dict[str, list[Card]] = {}

    async def __aenter__(self) -> Self:
        await self.sandbox.__aenter__()
        try:
            self.sandbox.apply(self._file.cluster)
        except ValueError as error:
            await self.sandbox.__aexit__(None, None, None)
            raise TranscriptError([f"{self._file.path}: {error}"]) from error
        await self.sandbox.settle()
        await self._begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end(grace_s=0)
        await self.sandbox.__aexit__(kind, problem, trace)

    async def _begin(self) -> None:
        """A process of the bot starts."""
        self._client = self._redis.client()
        self._stores = bot.stores(self._client, clock=self.clock, virtual=self.clock.ms)
        connection = (
            Connection.from_kubeconfig(self._kubeconfig)
            if self._kubeconfig
            else Connection.at_url(self.sandbox.url, BOT_TOKEN)
        )
        self._clusters = {
            name: bot.cluster(name, connection, ledger=self._stores.ledger, clock=self.clock)
            for name in self._file.cluster_names
        }
        self._bot = await bot.assemble(
            stores=self._stores,
            clusters=self._clusters,
            chats={self.chat.platform: self.chat},
            snapshot=self._snapshot,
            clock=self.clock,
            meter=NoMeter(),
            decided=self._decided,
        )
        await self.chat.start(self._bot.intake)
        await self._survey()

    async def _end(self, *, grace_s: float) -> None:
        """It dies: what it held is not given back."""
        if self._bot is not None:
            await self.chat.stop()
            await self._bot.worker.kill()
        for both in self._clusters.values():
            await both.reader.close()
            await both.writer.close()
        if self._client is not None:
            await self._client.close()
        self._bot = self._client = self._stores = None
        self._clusters = {}

    def _decided(self, claim: Claim, decision: Decision) -> None:
        self.decisions.append((claim, decision))
        if not decision.move:
            self.sessions[decision.session.thread] = decision.session

    async def _survey(self) -> None:
        """The catalog as the cluster is now."""
        if self.sandbox.down:
            return
        first = self._clusters[self._file.cluster_names[0]]
        described = {(s.entity.namespace, s.entity.kind, s.entity.workload) for s in self._file.services}
        found = [
            entity
            for entity in await first.reader.workloads()
            if (entity.namespace, entity.kind, entity.workload) not in described
        ]
        self._snapshot.set_catalog(merged(self._file.services, found))

    async def play(self, turn: Turn) -> dict[str, Any]:
        """One turn; what is printed of it. Raises `TranscriptError` when it cannot be played."""
        await self._wait_for(turn)
        written = self.sandbox.requests[-1].sequence if self.sandbox.requests else 0
        decided = len(self.decisions)
        seen = self._seen()
        receipt, refused = await self._act(turn)
        await self._rest()
        self._remember(turn, receipt)
        return printed.turn(self._played(turn, receipt, refused=refused, decided=decided, written=written, seen=seen))

    def _played(
        self, turn: Turn, receipt: Receipt | None, *, refused: str, decided: int, written: int, seen: int
    ) -> Played:
        thread = self.threads.get(turn.id, "")
        event_id = self.events[turn.id][1] if turn.id in self.events else ""
        recent = self.decisions[decided:]
        own = tuple(decision for claim, decision in recent if claim.entry == event_id)
        ignored = receipt is not None and (
            receipt.taken in ("ignored", "duplicate") or any(decision.ignored for decision in own)
        )
        changed = sorted((e for e in self.chat.log.entries(None) if e.updated > seen), key=lambda e: e.updated)
        cards = [shown for shown in self.chat.cards() if shown.thread == thread]
        return Played(
            id=turn.id,
            thread=thread,
            session=self.sessions.get(thread),
            ignored=ignored,
            refused=refused,
            own=own,
            decisions=tuple(decision for _, decision in recent),
            reply=tuple(e.card.text() if e.card else e.text for e in changed if e.card or e.kind == "notice"),
            newest=cards[-1].card if cards and thread else None,
            writes=tuple(self.sandbox.writes(after=written)),
        )

    async def _act(self, turn: Turn) -> tuple[Receipt | None, str]:
        try:
            return await self._do(turn), ""
        except NotAccepted as error:
            return None, f"not accepted: {error}"

    async def _do(self, turn: Turn) -> Receipt | None:
        match turn.act:
            case "say":
                return await self._say(turn, f"e{turn.id}")
            case "click":
                return await self._click(turn, f"e{turn.id}")
            case "redeliver":
                again, event_id = self.events[str(turn.what)]
                return await (self._say(again, event_id) if again.act == "say" else self._click(again, event_id))
            case "alert":
                return await self._alert(turn)
            case _:
                await self._change(turn)
                return None

    async def _say(self, turn: Turn, event_id: str) -> Receipt:
        self.events[turn.id] = (turn, event_id)
        reply_to = self.answers.get(turn.reply_to, "") if turn.reply_to else ""
        return await self.chat.say(
            event_id=event_id, room=turn.room, user=turn.user, text=str(turn.what), reply_to=reply_to
        )

    async def _click(self, turn: Turn, event_id: str) -> Receipt:
        self.events[turn.id] = (turn, event_id)
        message, token, value = self._button(turn)
        room = next((c.room for c in self.chat.cards() if c.message == message), turn.room)
        return await self.chat.click(
            event_id=event_id,
            room=room,
            user=turn.user,
            card=message,
            button=str(turn.what),
            token=token,
            value=turn.value or value,
        )

    def _button(self, turn: Turn) -> tuple[str, str, str]:
        """Message, token and value of the pressed button: as the card shows it, else as it last did."""
        thread = self.threads.get(turn.on, "")
        views = self.views.get(turn.as_of, {}) if turn.as_of else self._views()
        cards = [(message, card) for message, (of, card) in views.items() if of == thread]
        if not cards:
            return "", "", ""
        message, card = cards[-1]
        for view in (card, *reversed(self.history.get(message, []))):
            for button in view.buttons:
                if button.id == turn.what:
                    return message, button.token, button.value
        return message, "", ""

    async def _alert(self, turn: Turn) -> Receipt:
        room = Room("console", TENANT, turn.room)
        group = alerts.to_group(
            alerts.parse(printed.as_json(turn.what)),
            services=self._snapshot.world.catalog.services,
            clusters=self._file.cluster_names,
            room_for=lambda service, severities: room,
        )
        if self._bot is None:
            raise NotAccepted("the bot is down")
        return await self._bot.intake.alert(group)

    async def _change(self, turn: Turn) -> None:
        where = f"{self._file.path}: turn {turn.id}"
        if turn.act == "cluster":
            try:
                self.sandbox.apply(turn.what)
            except ValueError as error:
                raise TranscriptError([f"{where}: {error}"]) from error
            await self.sandbox.settle()
            await self._survey()
        elif turn.act == "policy":
            users = {turn.user for turn in self._file.turns}
            try:
                self._snapshot.set_policy(policy_of(turn.what, users))
            except PolicyError as error:
                raise TranscriptError([f"{where}: {problem}" for problem in error.problems]) from error
        elif turn.act == "restart":
            await self._end(grace_s=0)
            await self._begin()
        else:
            self._switch(str(turn.what), down=turn.act == "down")

    def _switch(self, what: str, *, down: bool) -> None:
        if what == "cluster":
            self.sandbox.down = down
        elif self._client is not None:
            self._client.down = down

    async def _wait_for(self, turn: Turn) -> None:
        """Move the clock to the turn's time, stopping wherever something is due."""
        until = self.clock.now() + turn.after_s if turn.after_s is not None else None
        if until is None:
            until = DAY.timestamp() + (turn.clock_s or 0)
            if until < self.clock.now() and self.decisions:
                until += 86_400
        if not self.decisions and turn.clock_s is not None:
            self.clock.set(until)
            return
        for _ in range(MOST_STEPS):
            due = await self._next_due()
            if due is None or due > until:
                break
            self.clock.move_to(max(due, self.clock.now() + 0.001))
            await self._rest()
        self.clock.move_to(until)
        await self._rest()

    async def _next_due(self) -> float | None:
        moments = [self.sandbox.next_due, self.clock.next_sleeper]
        if self._stores is not None:
            try:
                due = await self._stores.threads.next_due()
            except StoreUnavailable:
                due = 0
            moments.append(due / 1000 if due else None)
        known = [moment for moment in moments if moment is not None]
        return min(known, default=None)

    async def _rest(self) -> None:
        """Until nothing but time is awaited: the cluster's controllers first, then whatever is due."""
        for _ in range(MOST_STEPS):
            worker = self._bot.worker if self._bot else None
            if worker is not None:
                await worker.idle()
            await self.sandbox.settle()
            self._keep()
            if worker is None:
                return
            try:
                if not await worker.sweep() and not worker.busy:
                    return
            except StoreUnavailable:
                return

    def _keep(self) -> None:
        for shown in self.chat.cards():
            views = self.history.setdefault(shown.message, [])
            if not views or views[-1] != shown.card:
                views.append(shown.card)

    def _views(self) -> dict[str, tuple[str, Card]]:
        return {shown.message: (shown.thread, shown.card) for shown in self.chat.cards()}

    def _seen(self) -> int:
        return max((entry.updated for entry in self.chat.log.entries(None)), default=0)

    def _remember(self, turn: Turn, receipt: Receipt | None) -> None:
        """Where this turn went, and which card answered it."""
        event_id = self.events[turn.id][1] if turn.id in self.events else ""
        thread = receipt.thread if receipt is not None else ""
        for claim, decision in self.decisions:
            if claim.entry == event_id and not decision.move:
                thread = decision.session.thread
        self.threads[turn.id] = thread
        self.views[turn.id] = self._views()
        cards = [shown.message for shown in self.chat.cards() if shown.thread == thread]
        if cards:
            self.answers[turn.id] = cards[-1]


def _seconds(clock: str) -> float:
    hours, minutes, seconds = clock.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)
