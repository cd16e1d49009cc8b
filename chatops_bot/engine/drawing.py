"""Card lanes: the newest view of a card is drawn, whichever entry asks."""

from __future__ import annotations

from collections.abc import Mapping

import structlog

from chatops_bot.domain import events
from chatops_bot.domain.identity import Room
from chatops_bot.domain.mirrors import Linked, twin_of
from chatops_bot.engine.leases import Leases
from chatops_bot.engine.line import UPDATES_BURST, Line
from chatops_bot.engine.links import Links
from chatops_bot.engine.turns import View, decode_view
from chatops_bot.ports.chat import CardGone, ChatPort, ChatRefused, ChatUnavailable, Posted
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.store import Claim, Committed, ThreadStore, Twin

log = structlog.get_logger(__name__)

MOST_ATTEMPTS = 12
"""Tries at drawing one view before it is given up: about ten minutes with the back-off. Waiting for one's turn is no
try."""


class Drawing:
    """Draws claimed card lanes on their platform."""

    def __init__(
        self,
        *,
        store: ThreadStore,
        chats: Mapping[str, ChatPort],
        leases: Leases,
        links: Links,
        clock: Clock,
    ) -> None:
        self._store = store
        self._leases = leases
        self._chats = chats
        self._links = links
        self._line = Line(clock=clock)
        self._updates = Line(clock=clock, burst=UPDATES_BURST)

    async def take(self, claim: Claim) -> Committed:
        """Draw and record it. Raises `ChatUnavailable` while there are attempts left: the lane is given back."""
        if claim.number <= claim.drawn or not claim.view:
            return await self._store.drawn(claim, message=claim.message)
        view = decode_view(claim.view)
        chat = self._chats.get(view.room.platform)
        if chat is None:
            log.error("platform_missing", platform=view.room.platform, thread=view.thread)
            return await self._store.drawn(claim, message=claim.message)
        if not self._leases.sure(claim):
            raise ChatUnavailable("too little of the lease is left", retry_after_s=0.05)
        if view.card.patient and (wait := self._wait_s(claim, view.room)):
            raise ChatUnavailable("others are before it", retry_after_s=wait, paced=True)
        try:
            posted = await self._draw(chat, claim, view)
        except ChatRefused as error:
            log.error("card_refused", thread=view.thread, room=view.room.key, why=str(error))
            return await self._store.drawn(claim, message=claim.message)
        except ChatUnavailable as error:
            # What nobody has asked for, nobody asks for again.
            if error.paced or view.card.patient or claim.attempts < MOST_ATTEMPTS:
                raise
            log.error("card_given_up", thread=view.thread, room=view.room.key, why=error.reason)
            return await self._store.drawn(claim, message=claim.message)
        self._line.done(claim.queue)
        self._updates.done(claim.queue)
        if view.home is None:
            self._links.drawn(view.card, view.room, posted.message)
            return await self._store.drawn(claim, message=posted.message, bind=posted.bind)
        twin = Twin(card=twin_of(view.thread, _card_of(claim)), home=view.room == view.home)
        if twin.home:
            self._links.drawn(view.card, view.room, posted.message)
        else:
            linked = Linked(home=view.home, card=twin.card)
            await self._store.point(
                room=view.room, ids=(*posted.bind, posted.message), home=events.encode_linked(linked)
            )
        return await self._store.drawn(claim, message=posted.message, bind=posted.bind, twin=twin)

    def _wait_s(self, claim: Claim, room: Room) -> float:
        """Platforms count posts by room, and updates by the workspace."""
        if not claim.message:
            return self._line.wait_s(room, claim.queue)
        return self._updates.wait_s(Room(room.platform, room.tenant, ""), claim.queue)

    async def _draw(self, chat: ChatPort, claim: Claim, view: View) -> Posted:
        if not claim.message and view.home is not None and view.home != view.room:
            # Its buttons can be pressed before it is known which message it is.
            await self._store.point(room=view.room, ids=(view.thread,), home=events.encode_linked(Linked(view.home)))
        if claim.message:
            try:
                await chat.update(
                    room=view.room, thread=view.thread, card=view.card, message=claim.message, root=view.root
                )
            except CardGone:
                log.info("card_gone", thread=view.thread, message=claim.message)
            else:
                return Posted(claim.message)
        return await chat.post(
            room=view.room,
            thread=view.thread,
            card=view.card,
            root=view.root,
            key=claim.queue if not claim.message else f"{claim.queue}|{claim.number}",
            again=claim.attempts > 1,
        )


def _card_of(claim: Claim) -> str:
    """The card of a lane."""
    return claim.queue.split("|", 2)[2]
