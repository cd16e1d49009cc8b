"""Cards out to Feishu: post once, update in place, and the rest that did not fit below it."""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable
from urllib.parse import quote

import aiohttp
import msgspec

from chatops_bot.adapters.feishu.errors import TOO_MUCH, Refusal
from chatops_bot.adapters.feishu.inbound import place
from chatops_bot.adapters.feishu.pieces import Json
from chatops_bot.adapters.feishu.render import Shown
from chatops_bot.adapters.feishu.text import inert
from chatops_bot.adapters.feishu.web import Data, Web
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pacing import Pace, Updates

log = logging.getLogger(__name__)

MESSAGES = "/open-apis/im/v1/messages"
IMAGE_LIMIT = 10 * 1024 * 1024
_REMEMBERED = 1000


class View(msgspec.Struct, frozen=True):
    """A message as it shall look. `root` is where it stands, or ""."""

    channel: str
    message: str
    root: str
    shown: Shown


class Desk:
    """Posts and updates of one app. The shared pace (four at once, then one a second) keeps below the five a
    second that Feishu allows in a chat, to all its bots together.

    `not_before_s` says how long the next update of a message has to wait."""

    def __init__(self, *, web: Web, clock: Clock, not_before_s: Callable[[str], float], pace_s: float) -> None:
        self._web = web
        self._clock = clock
        self._not_before_s = not_before_s
        self._pace = Pace(clock=clock, every_s=pace_s)
        self._updates: Updates[View] = Updates(clock=clock, every_s=pace_s)
        self._rests: OrderedDict[str, tuple[str, str]] = OrderedDict()

    async def post(self, *, channel: str, root: str, shown: Shown, key: str, again: bool) -> str:
        """A new message, its id returned. Repeated within an hour under the same key it is the same message, so with
        `again` it is brought up to date as well. Raises `ChatUnavailable`, `ChatRefused`."""
        message = await self._post(channel=channel, root=root, shown=shown, key=key)
        if again:
            try:
                await self.update(View(channel, message, root, shown))
                return message
            except CardGone:
                log.info("the earlier post of a card is gone, posting it anew")
            message = await self._post(channel=channel, root=root, shown=shown, key=f"anew after {message}")
        await self._rest(View(channel, message, root, shown))
        return message

    async def update(self, view: View) -> None:
        """Replace a message; the last view wins. Raises `ChatUnavailable`, `CardGone`, `ChatRefused`."""
        await self._updates.show(view.message, view, self._update)

    async def line(self, *, channel: str, root: str, text: str, to: str) -> None:
        """A plain line, to one person alone where `to` is given and the chat allows it. Raises as `post`."""
        if to and not root:
            try:
                await self._web.post("ephemeral.send", "/open-apis/ephemeral/v1/send", _for_one(channel, to, text))
                return
            except (ChatRefused, CardGone) as error:
                log.info("a line is shown to all, because not to one alone: %s", error)
        content: Json = {"text": inert(text)}
        await self._send(channel=channel, root=root, kind="text", content=content, key="")

    async def image(self, image: bytes) -> str:
        """Upload a picture, for `img_key` of an element or an image message. Raises as `post`."""
        if not image or len(image) > IMAGE_LIMIT:
            raise ChatRefused("Feishu takes pictures of 1 byte to 10 MB")

        def form() -> aiohttp.FormData:
            made = aiohttp.FormData()
            made.add_field("image_type", "message")
            made.add_field("image", image, filename="chart.png", content_type="application/octet-stream")
            return made

        found = (await self._web.upload("images.create", "/open-apis/im/v1/images", form)).get("image_key")
        if not isinstance(found, str):
            raise ChatUnavailable("images.create gave no key")
        return found

    async def close(self) -> None:
        """Give up updates that were not sent."""
        await self._updates.close()

    async def _post(self, *, channel: str, root: str, shown: Shown, key: str) -> str:
        try:
            return await self._send(channel=channel, root=root, kind="interactive", content=shown.card, key=key)
        except Refusal as error:
            if error.code not in TOO_MUCH:
                raise
            log.error("a card is shown as plain text: %s", error.reason)  # better without buttons than silent
        text: Json = {"text": inert(shown.text)}
        return await self._send(channel=channel, root=root, kind="text", content=text, key=f"plain {key}")

    async def _send(self, *, channel: str, root: str, kind: str, content: Json, key: str) -> str:
        """One message: as a reply where it has a root. Where the root is gone, one in a topic is refused (a new
        topic for each message would follow), and one of a chain of replies goes into the open room."""
        body: Data = {"msg_type": kind, "content": msgspec.json.encode(content).decode()}
        if key:
            body["uuid"] = uuid(f"{channel} {key}")
        await self._pace.wait(channel)
        message, in_topic = place(root)
        if message:
            try:
                return _id(await self._reply(channel, message, {**body, "reply_in_thread": in_topic}))
            except CardGone as error:
                if in_topic:
                    raise ChatRefused(f"the topic's first message is gone ({error}): ask again in the room") from error
                log.info("what was to be answered is gone (%s), the answer goes into the room", error)
        try:
            data = await self._web.post(
                "messages.create",
                MESSAGES,
                {"receive_id": channel, **body},
                params={"receive_id_type": "chat_id"},
                chat=channel,
            )
        except CardGone as error:
            raise ChatRefused(str(error)) from error
        return _id(data)

    async def _reply(self, channel: str, message: str, body: Data) -> Data:
        return await self._web.post("messages.reply", f"{MESSAGES}/{quote(message, safe='')}/reply", body, chat=channel)

    async def _update(self, view: View) -> None:
        if (pause := self._not_before_s(view.message)) > 0:
            await self._clock.sleep(pause)
        try:
            await self._patch(view.message, view.shown.card)
        except Refusal as error:
            if error.code not in TOO_MUCH:
                raise
            # A message that was posted as text, or a card that Feishu does not like: a new one says it.
            raise CardGone(f"messages.patch: {error.code}") from error
        await self._rest(view)

    async def _patch(self, message: str, card: Json) -> None:
        content = msgspec.json.encode(card).decode()
        await self._web.patch("messages.patch", f"{MESSAGES}/{quote(message, safe='')}", {"content": content})

    async def _rest(self, view: View) -> None:
        """What did not fit, in one message below the card; updated with it. The card says what it lacks, so a
        failure here is only logged."""
        if view.shown.more is None:
            return
        digest = hashlib.sha256(msgspec.json.encode(view.shown.more)).hexdigest()
        known, content = self._rests.get(view.message, ("", ""))
        if content == digest:
            return
        try:
            known = await self._show_rest(view, known=known, more=view.shown.more)
        except (ChatUnavailable, ChatRefused, CardGone) as error:
            log.warning("the rest of a card could not be shown: %s", error)
            return
        self._rests[view.message] = (known, digest)
        self._rests.move_to_end(view.message)
        if len(self._rests) > _REMEMBERED:
            self._rests.popitem(last=False)

    async def _show_rest(self, view: View, *, known: str, more: Json) -> str:
        if known:
            try:
                await self._patch(known, more)
                return known
            except CardGone:
                log.info("the rest of a card was deleted, posting it anew")
        found = await self._send(
            channel=view.channel,
            root=view.root or view.message,
            kind="interactive",
            content=more,
            key=f"rest of {view.message} after {known}",
        )
        if not known:
            # Under this key it may be an older one, posted before a restart.
            await self._patch(found, more)
        return found


def uuid(key: str) -> str:
    """A key in the 50 characters that Feishu allows; posts under the same one within an hour are one message."""
    return hashlib.sha256(key.encode()).hexdigest()[:48]


def _id(data: Data) -> str:
    message = data.get("message_id")
    if not isinstance(message, str) or not message:
        raise ChatUnavailable("Feishu gave no message id", maybe_posted=True)
    return message


def _for_one(channel: str, to: str, text: str) -> Data:
    card = {
        "config": {"wide_screen_mode": True},
        "elements": [{"tag": "div", "text": {"tag": "plain_text", "content": text}}],
    }
    return {"chat_id": channel, "open_id": to, "msg_type": "interactive", "card": card}
