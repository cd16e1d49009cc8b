"""Plays the turns of a transcript on a stage, and tells what became of each."""

from __future__ import annotations

from typing import Any, Final

from chatops_bot.app import alerts, expectations, printed
from chatops_bot.app.printed import Played
from chatops_bot.app.settings import AlertSettings
from chatops_bot.app.stage import Stage
from chatops_bot.app.stage_chat import StageCard
from chatops_bot.app.stage_meant import meant
from chatops_bot.app.stage_wire import COMMAND, MENTION
from chatops_bot.app.transcript import Turn, alert_body
from chatops_bot.domain.events import Message
from chatops_bot.ports.chat import NotAccepted, Receipt

ANSWERS: Final = frozenset({"ignored", "thread", "route", "intents", "refused", "reply"})
"""What is printed of the bot's answer to the event itself."""


class Player:
    """Remembers where each turn went and which card answered it, so that later turns can refer to it."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._threads: dict[str, str] = {}
        self._answers: dict[str, dict[str, str]] = {}
        """The card that answered a turn, by the room in which it is shown; the last of them also under ""."""
        self._events: dict[str, tuple[Turn, str]] = {}
        self._alerts: dict[str, str] = {}
        """Ids in the store of what Alertmanager has delivered."""
        self._pressed: dict[str, tuple[str, str, str]] = {}
        """What a click carried: delivered again, it carries the same."""
        self._views_after: dict[str, dict[str, StageCard]] = {}

    async def play(self, turn: Turn) -> dict[str, Any]:
        """One turn; what is printed of it. Raises `TranscriptError` when it cannot be played.

        Writes that reach the cluster while the clock moves on to the turn are told with it: none goes untold.
        """
        written = self._stage.cluster.seen
        await self._stage.wait_for(turn)
        decided = len(self._stage.decisions)
        shown = self._stage.chat.watch()
        receipt, refused = await self._act(turn)
        await self._stage.rest()
        self._remember(turn, receipt)
        executed = tuple(await self._stage.cluster.executed(written))
        return printed.turn(
            self._played(turn, receipt, refused=refused, decided=decided, executed=executed, shown=shown())
        )

    def wrong(self, turn: Turn, told: dict[str, Any]) -> list[str]:
        """Which expectations of a turn do not hold of what was printed of it. What a platform keeps to itself gets no
        answer, so of such a turn only what is done, or not, is looked at."""
        unheard = turn.act == "say" and not self._entry(turn)
        expect = {key: value for key, value in turn.expect.items() if not unheard or key not in ANSWERS}
        return expectations.mismatches(expect, told) if expect else []

    def _played(
        self,
        turn: Turn,
        receipt: Receipt | None,
        *,
        refused: str,
        decided: int,
        executed: tuple[dict[str, Any], ...],
        shown: list[str],
    ) -> Played:
        thread = self._threads.get(turn.id, "")
        event_id = self._entry(turn)
        recent = self._stage.decisions[decided:]
        own = tuple(decision for claim, decision in recent if _is(claim.entry, event_id))
        ignored = receipt is not None and (
            receipt.taken in ("ignored", "duplicate") or any(decision.ignored for decision in own)
        )
        cards = _shown_in(turn.room, [shown for shown in self._stage.chat.cards() if shown.thread == thread])
        return Played(
            id=turn.id,
            thread=thread,
            session=self._stage.sessions.get(thread),
            ignored=ignored,
            refused=refused,
            own=own,
            decisions=tuple(decision for _, decision in recent),
            reply=tuple(shown),
            buttons=tuple(self._stage.chat.buttons(cards[-1].message)) if cards and thread else (),
            executed=executed,
        )

    async def _act(self, turn: Turn) -> tuple[Receipt | None, str]:
        try:
            return await self._do(turn), ""
        except NotAccepted as error:
            return None, f"not accepted: {error}"

    async def _do(self, turn: Turn) -> Receipt | None:
        match turn.act:
            case "say" | "click" | "alert":
                self._events[turn.id] = turn, f"e{turn.id}"
                return await self._deliver(turn, f"e{turn.id}")
            case "redeliver":
                self._events[turn.id] = again, event_id = self._events[str(turn.what)]
                return await self._deliver(again, event_id)
            case _:
                await self._stage.change(turn)
                return None

    async def _deliver(self, turn: Turn, event_id: str) -> Receipt:
        match turn.act:
            case "say":
                return await self._say(turn, event_id)
            case "click":
                return await self._click(turn, event_id)
            case _:
                return await self._alert(turn, event_id)

    async def _say(self, turn: Turn, event_id: str) -> Receipt:
        # The card that answered the turn; without one, what was said there.
        answers = self._answers.get(turn.reply_to, {})
        reply_to = answers.get(turn.room) or answers.get("") or self._events.get(turn.reply_to, (None, ""))[1]
        return await self._stage.chat.say(
            event_id=event_id,
            room=turn.room,
            user=turn.user,
            text=str(turn.what),
            reply_to=reply_to,
            meant=self._meant(turn),
        )

    def _meant(self, turn: Turn) -> bool:
        """Whether the bot has to be mentioned, so that a platform tells it what the transcript says to it without."""
        chat, text = self._stage.chat, str(turn.what)
        if not chat.mentions_only or MENTION in text or text.startswith(COMMAND):
            return False
        event = Message(id=turn.id, room=chat.place(turn.room), user=chat.person(turn.user), text=text)
        stage = self._stage
        card = stage.sessions.get(self._threads[turn.reply_to]) if turn.reply_to in self._answers else None
        now_ms = stage.clock.ms()
        return meant(event, card=card, sessions=stage.sessions, snapshot=stage.snapshot, now_ms=now_ms)

    def _entry(self, turn: Turn) -> str:
        """The id in the store of what a turn delivered, "" where it delivered nothing."""
        if turn.id not in self._events:
            return ""
        event_id = self._events[turn.id][1]
        return self._alerts.get(event_id) or self._stage.chat.entry(event_id) or ""

    async def _click(self, turn: Turn, event_id: str) -> Receipt:
        message, token, value = self._pressed.setdefault(event_id, self._button(turn))
        room = next((c.room for c in self._stage.chat.cards() if c.message == message), turn.room)
        return await self._stage.chat.click(
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
        thread = self._threads.get(turn.on, "")
        views = self._views_after.get(turn.as_of, {}) if turn.as_of else self._views()
        cards = _shown_in(turn.room, [shown for shown in views.values() if shown.thread == thread])
        if not cards:
            return "", "", ""
        newest = cards[-1]
        for view in (newest.card, *reversed(self._stage.history.get(newest.origin, []))):
            for button in view.buttons:
                if button.id == turn.what:
                    return newest.message, button.token, button.value
        return newest.message, "", ""

    async def _alert(self, turn: Turn, event_id: str) -> Receipt:
        room = self._stage.chat.place(turn.room)
        shown = alerts.without(alerts.parse(alert_body(turn.what)), AlertSettings().ignore)
        if shown is None:
            return Receipt("ignored")
        group = alerts.to_group(
            shown,
            services=self._stage.world.catalog.services,
            clusters=self._stage.file.cluster_names,
            room_for=lambda _owners, _severities: room,
            at=self._stage.clock.now(),
        )
        self._alerts[event_id] = group.id
        return await self._stage.bot.intake.alert(group)

    def _views(self) -> dict[str, StageCard]:
        return {shown.message: shown for shown in self._stage.chat.cards()}

    def _remember(self, turn: Turn, receipt: Receipt | None) -> None:
        """Where this turn went, and which card answered it."""
        event_id = self._entry(turn)
        thread = receipt.thread if receipt is not None else ""
        if turn.reply_to in self._answers and not event_id:
            thread = self._threads[turn.reply_to]  # what stands there is what is looked at
        for claim, decision in self._stage.decisions:
            if _is(claim.entry, event_id) and not decision.move:
                thread = decision.session.thread
        self._threads[turn.id] = thread
        self._views_after[turn.id] = self._views()
        cards = [shown for shown in self._stage.chat.cards() if shown.thread == thread]
        if cards:
            self._answers[turn.id] = {shown.room: shown.message for shown in cards} | {"": cards[-1].message}


def _shown_in(room: str, cards: list[StageCard]) -> list[StageCard]:
    """Those in this room, all where none is."""
    return [shown for shown in cards if shown.room == room] or cards


def _is(entry: str, event_id: str) -> bool:
    """Whether an entry of a mailbox is that event, which has another name in a thread of another room."""
    return bool(event_id) and (entry == event_id or entry.endswith(f"/{event_id}"))
