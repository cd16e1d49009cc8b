"""Cards out to Slack: post, find again, update in place, and the rest that did not fit below it."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping

import msgspec

from chatops_bot.adapters.slack.errors import TOO_MUCH, Refusal
from chatops_bot.adapters.slack.pieces import Json, without_picture
from chatops_bot.adapters.slack.render import Shown
from chatops_bot.adapters.slack.web import Data, Web
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pacing import Pace, Updates

log = logging.getLogger(__name__)

EVENT_TYPE = "chatops_card"
FILE_PAUSES = (0.5, 1.0, 1.5)
"""Seconds between attempts at a card whose picture Slack does not know yet."""
SEARCH_PAGES = 3
SEARCH_S = 86_400
_REMEMBERED = 1000


class View(msgspec.Struct, frozen=True):
    """A message as it shall look. `root` is the thread that it stands in, or ""."""

    channel: str
    message: str
    root: str
    shown: Shown


class Desk:
    """Posts and updates with one token, at Slack's pace."""

    def __init__(self, *, web: Web, clock: Clock, pace_s: float = 1) -> None:
        self._web = web
        self._clock = clock
        self._pace = Pace(clock=clock, every_s=pace_s)
        self._updates: Updates[View] = Updates(clock=clock, every_s=pace_s)
        self._rests: OrderedDict[str, tuple[str, str]] = OrderedDict()

    async def post(self, *, channel: str, root: str, shown: Shown, key: str, again: bool) -> str:
        """A new message, its id (ts) returned; with `again` an earlier one with this key is looked for first and
        brought up to date. Raises `ChatUnavailable`, `ChatRefused`."""
        if again and (found := await self._find(channel=channel, root=root, key=key)):
            try:
                await self.update(View(channel, found, root, shown))
                return found
            except CardGone:
                log.info("the earlier post of a card is gone, posting it anew")
        message = await self._post(channel=channel, root=root, text=shown.text, blocks=shown.blocks, key=key)
        await self._rest(View(channel, message, root, shown))
        return message

    async def update(self, view: View) -> None:
        """Replace a message; the last view wins. Raises `ChatUnavailable`, `CardGone`, `ChatRefused`."""
        await self._updates.show(f"{view.channel} {view.message}", view, self._update)

    async def line(self, *, channel: str, root: str, text: str, to: str) -> None:
        """A plain line, to one person alone where `to` is given. Raises as `post`."""
        body: Data = {"channel": channel, "text": text}
        if root:
            body["thread_ts"] = root
        if to:
            body["user"] = to
        else:
            await self._pace.wait(channel)
        await self._web.post("chat.postEphemeral" if to else "chat.postMessage", body)

    async def close(self) -> None:
        """Give up updates that were not sent."""
        await self._updates.close()

    async def _post(self, *, channel: str, root: str, text: str, blocks: list[Json], key: str) -> str:
        body: Data = {
            "channel": channel,
            "text": text,
            "blocks": blocks,
            "metadata": {"event_type": EVENT_TYPE, "event_payload": {"key": key}},
            "unfurl_links": False,
            "unfurl_media": False,
            "link_names": False,
        }
        if root:
            body["thread_ts"] = root
        await self._pace.wait(channel)
        reply = await self._sent("chat.postMessage", body)
        message = reply.get("ts")
        if not isinstance(message, str):
            raise ChatUnavailable("chat.postMessage gave no ts", maybe_posted=True)
        return message

    async def _update(self, view: View) -> None:
        body: Data = {
            "channel": view.channel,
            "ts": view.message,
            "text": view.shown.text,
            # Always both: an update with text alone takes the blocks away (slackapi/python-slack-sdk#523).
            "blocks": view.shown.blocks,
            "link_names": False,
        }
        await self._sent("chat.update", body)
        await self._rest(view)

    async def _sent(self, method: str, body: Data) -> Data:
        """Send it, as plain text if Slack does not like its blocks: better without buttons than silent."""
        try:
            return await self._with_pictures(method, body)
        except Refusal as error:
            if error.code not in TOO_MUCH or not body["blocks"]:
                raise
            log.error("a card is shown without its blocks: %s", error.reason)  # no stack is of use
        return (await self._web.post(method, {**body, "blocks": []})).data

    async def _with_pictures(self, method: str, body: Data) -> Data:
        """Send it, and again for a while if Slack does not know a picture yet: a file is there some moments after its
        upload is complete (slackapi/python-slack-sdk#1521). Then without its pictures."""
        for pause in (*FILE_PAUSES, None):
            try:
                return (await self._web.post(method, body)).data
            except Refusal as error:
                if "slack file" not in error.reason.lower() or error.code not in TOO_MUCH:
                    raise
                if pause is None:
                    log.warning("a card is shown without its pictures: %s", error.reason)
            if pause is not None:
                await self._clock.sleep(pause)
        blocks = body["blocks"]
        said = [without_picture(block) for block in blocks] if isinstance(blocks, list) else []
        return (await self._web.post(method, {**body, "blocks": said})).data

    async def _rest(self, view: View) -> None:
        """What did not fit, in one message below the card; updated with it. The card says what it lacks, so a
        failure here is only logged."""
        if view.shown.more is None:
            return
        text, blocks = view.shown.more
        digest = msgspec.json.encode(blocks).decode()
        place = f"{view.channel} {view.message}"
        known, content = self._rests.get(place, ("", ""))
        if content == digest:
            return
        try:
            known = await self._show_rest(view, known=known, text=text, blocks=blocks)
        except (ChatUnavailable, ChatRefused, CardGone) as error:
            log.warning("the rest of a card could not be shown: %s", error)
            return
        self._rests[place] = (known, digest)
        self._rests.move_to_end(place)
        if len(self._rests) > _REMEMBERED:
            self._rests.popitem(last=False)

    async def _show_rest(self, view: View, *, known: str, text: str, blocks: list[Json]) -> str:
        root = view.root or view.message
        key = f"rest of {view.message}"
        known = known or await self._find(channel=view.channel, root=root, key=key)
        if known:
            try:
                await self._web.post(
                    "chat.update", {"channel": view.channel, "ts": known, "text": text, "blocks": blocks}
                )
                return known
            except CardGone:
                log.info("the rest of a card was deleted, posting it anew")
        return await self._post(channel=view.channel, root=root, text=text, blocks=blocks, key=key)

    async def _find(self, *, channel: str, root: str, key: str) -> str:
        """The message with this key among those of the last day (300 at most), or "". Raises `ChatUnavailable`."""
        params: dict[str, str | int] = {
            "channel": channel,
            "limit": 100,
            "include_all_metadata": "true",
            "oldest": f"{self._clock.now() - SEARCH_S:.6f}",
        }
        method = "conversations.history"
        if root:
            method = "conversations.replies"
            params["ts"] = root
        for _ in range(SEARCH_PAGES):
            try:
                reply = await self._web.get(method, params)
            except (ChatRefused, CardGone) as error:
                log.warning("an earlier post cannot be looked for: %s", error)
                return ""
            messages = reply.data.get("messages")
            for message in messages if isinstance(messages, list) else []:
                if _key(message) == key:
                    return str(message["ts"])
            metadata = reply.data.get("response_metadata")
            cursor = metadata.get("next_cursor") if isinstance(metadata, Mapping) else ""
            if not cursor:
                return ""
            params["cursor"] = str(cursor)
        return ""


def _key(message: object) -> str | None:
    metadata = message.get("metadata") if isinstance(message, Mapping) else None
    if not isinstance(metadata, Mapping) or metadata.get("event_type") != EVENT_TYPE:
        return None
    payload = metadata.get("event_payload")
    return payload.get("key") if isinstance(payload, Mapping) else None
