"""Cards of the self-built application: to one person each, changed in place with a response code that works once."""

from __future__ import annotations

import logging

from chatops_bot.adapters.wecom.desk import Held, Replacing, View
from chatops_bot.adapters.wecom.errors import REPEATED, Refusal
from chatops_bot.adapters.wecom.inbound import APP
from chatops_bot.adapters.wecom.kept import Kept
from chatops_bot.adapters.wecom.render import parts
from chatops_bot.adapters.wecom.web import Data, Web
from chatops_bot.ports.chat import CardGone, ChatRefused
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pacing import Pace, Updates

log = logging.getLogger(__name__)

CODE_S = 72 * 3600 - 600


class AppDesk:
    """Posts and updates. WeCom takes 30 messages a minute and 1000 an hour to one person, and drops what is more
    without a word: the pace stays below both."""

    def __init__(self, *, web: Web, agent_id: int, clock: Clock, replacing: Replacing, pace: float = 1) -> None:
        self._web = web
        self._agent_id = agent_id
        self._replacing = replacing
        self._pace = Pace(clock=clock, every_s=3.7 * pace, burst=8, longest_s=8)
        self._updates: Updates[View] = Updates(clock=clock, every_s=pace)
        self._codes: Kept[str] = Kept(clock=clock, lives_s=CODE_S)
        self._held = Held(clock=clock, show=self._shown)

    def pressed(self, message: str, code: str) -> None:
        """A press brought a code with which its card may be changed once."""
        if code:
            self._codes.put(message, code)

    async def post(self, view: View) -> str:
        """A message, or two where the card does not hold everything: first the text, then the card."""
        shown, message = view.shown, view.message
        if shown.card is None or not shown.whole:
            for part in parts(shown.text):
                reply = await self._send(view.channel, {"msgtype": "markdown", "markdown": {"content": part}})
                if shown.card is None:
                    message = str(reply.get("msgid") or message)
        if shown.card is not None:
            await self._post_card(view)
        self._replacing.posted(message)
        return message

    async def update(self, view: View) -> None:
        """In place where there is a code left; the last view wins."""
        if view.shown.passing and self._codes.get(view.message) is not None:
            self._held.hold(view)
            return
        self._held.drop(view.message)
        await self._shown(view)

    async def line(self, *, channel: str, text: str, ticket: str) -> None:
        """One markdown message."""
        for part in parts(text, most=1):
            await self._send(channel, {"msgtype": "markdown", "markdown": {"content": part}})

    async def close(self) -> None:
        """Give up updates that were not sent."""
        await self._held.close()
        await self._updates.close()

    async def _shown(self, view: View) -> None:
        await self._updates.show(f"{view.channel} {view.message}", view, self._update)

    async def _post_card(self, view: View) -> None:
        card = view.shown.card if view.shown.whole else view.shown.beside
        try:
            reply = await self._send(
                view.channel, {"msgtype": "template_card", "template_card": {**(card or {}), "task_id": view.message}}
            )
        except Refusal as error:
            if error.code != REPEATED:
                raise
            log.info("a card is there already, an earlier attempt had got through")
            return
        code = reply.get("response_code")
        if isinstance(code, str) and code:
            self._codes.put(view.message, code)

    async def _update(self, view: View) -> None:
        if not view.shown.whole:
            raise self._replacing.gone(view, "the card does not hold the whole view")
        code = self._codes.take(view.message)
        if code is None:
            raise self._replacing.gone(view, "no code is left to change the card with")
        card = view.shown.keyed(view.message) if view.shown.card else view.shown.still
        body: Data = {
            "userids": [view.channel.removeprefix(APP)],
            "agentid": self._agent_id,
            "response_code": code,
            "template_card": card,
        }
        try:
            await self._web.post("message/update_template_card", body)
        except ChatRefused as error:
            # Whatever is wrong with the code or the card: a new message can still be sent.
            log.info("a card cannot be changed: %s", error)
            raise CardGone(str(error)) from error

    async def _send(self, channel: str, message: Data) -> Data:
        await self._pace.wait(channel)
        body: Data = {"touser": channel.removeprefix(APP), "agentid": self._agent_id, **message}
        return await self._web.post("message/send", body)
