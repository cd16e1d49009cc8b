"""What WeCom holds: rooms, people, the bot's messages and what may still be done to them."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict, deque
from dataclasses import dataclass, field
from itertools import count

from chatops_bot.adapters.wecom.fake.limits import Rejected, check_card
from chatops_bot.ports.clock import Clock

Json = dict[str, object]

CORP = "ww1f0a5c2d7e3b9a64"
AGENT = 1000002
BOT_NAME = "运维机器人"
STREAM_S = 360
PRESS_S = 5
CODE_S = 72 * 3600
URL_S = 3600
A_MINUTE = 30
AN_HOUR = 1000


@dataclass
class Bubble:
    """A message of the bot. `id` is its task or stream id, "" where WeCom gives none."""

    id: str
    channel: str
    text: str = ""
    card: Json | None = None
    line: bool = False
    open: bool = False
    updates: int = 0
    thread: str = ""


@dataclass
class Callback:
    """A delivery that the bot may answer."""

    channel: str
    user: str
    at: float
    task: str = ""
    stream: Bubble | None = None
    answered: bool = False
    url_used: bool = False


@dataclass
class Corp:
    """Everything that is kept between calls; `clock` measures every limit."""

    clock: Clock
    paced: bool = True
    """Whether rates are limited."""
    people: dict[str, str] = field(default_factory=dict)
    bubbles: list[Bubble] = field(default_factory=list)
    tasks: set[str] = field(default_factory=set)
    codes: dict[str, tuple[str, float]] = field(default_factory=dict)
    callbacks: dict[str, Callback] = field(default_factory=dict)
    known_rooms: set[str] = field(default_factory=set)
    sent: defaultdict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))
    dropped: int = 0
    numbers: count[int] = field(default_factory=lambda: count(1))

    def person(self, name: str, *, outside: bool) -> str:
        """An id for a name; people of elsewhere have ids of their own shape."""
        if outside:
            userid = "wm" + hashlib.sha256(name.encode()).hexdigest()[:30]
        else:
            userid = name if name.isascii() and name.replace("-", "").isalnum() else "u" + _hash(name)
        self.people[userid] = name
        return userid

    def room(self, name: str) -> str:
        """The chat id of a room in which the robot has been spoken to."""
        chat = "wr" + _hash(name)
        self.known_rooms.add(chat)
        return chat

    def frequent(self, channel: str) -> bool:
        """Whether a further message there would be too much; if not, it is counted."""
        if not self.paced:
            return False
        now = self.clock.monotonic()
        sent = self.sent[channel]
        while sent and now - sent[0] >= 3600:
            sent.popleft()
        if len(sent) >= AN_HOUR or sum(now - at < 60 for at in sent) >= A_MINUTE:
            return True
        sent.append(now)
        return False

    def new_card(self, channel: str, card: object) -> Bubble:
        """A card is posted; a text above it that says the same at greater length belongs to it. Raises `Rejected`."""
        fit = check_card(card)
        task = self.fresh(fit)
        self.tasks.add(task)
        bubble = Bubble(task, channel, card=fit, thread=_thread(fit))
        for above in self._texts_above(channel, fit):
            bubble.text = f"{above.text}\n{bubble.text}".rstrip()
            self.bubbles.remove(above)
        self.bubbles.append(bubble)
        return bubble

    def _texts_above(self, channel: str, card: Json) -> list[Bubble]:
        """The texts that a card's own heading begins, up to the end of the room, newest first."""
        texts: list[Bubble] = []
        for bubble in reversed([one for one in self.bubbles if one.channel == channel]):
            if bubble.card is not None or bubble.open:
                return []
            texts.append(bubble)
            if not bubble.line:
                return texts if _same_heading(bubble.text, card) else []
        return []

    def fresh(self, card: Json) -> str:
        """The task id of a card that was never sent before. Raises `Rejected`."""
        task = str(card.get("task_id", ""))
        if task and task in self.tasks:
            raise Rejected(42014, "task_id repeated")
        return task

    def new_text(self, channel: str, text: str, *, id: str = "") -> Bubble:
        """A text is posted. Cards of the bot begin with a heading, plain lines do not."""
        bubble = Bubble(id, channel, text=text, line=not text.startswith("**"))
        self.bubbles.append(bubble)
        return bubble

    def change_card(self, task: str, card: object) -> None:
        """A card is replaced in place. Raises `Rejected`."""
        fit = check_card(card)
        bubble = self.by_id(task)
        if bubble is None:
            raise Rejected(40058, "no such card")
        bubble.card = fit
        bubble.text = ""
        bubble.thread = _thread(fit) or bubble.thread
        bubble.updates += 1

    def by_id(self, message: str) -> Bubble | None:
        return next((one for one in reversed(self.bubbles) if one.id == message), None)

    def new_code(self, task: str) -> str:
        """A code that changes a card once."""
        code = f"code-{next(self.numbers)}"
        self.codes[code] = (task, self.clock.monotonic())
        return code

    def spend_code(self, code: object) -> str:
        """The card of a code, which is used up. Raises `Rejected`; the number is not in WeCom's list of codes."""
        task, since = self.codes.pop(code, ("", 0.0)) if isinstance(code, str) else ("", 0.0)
        if not task or self.clock.monotonic() - since > CODE_S:
            raise Rejected(42045, "response_code invalid or used")
        return task


def readable(bubble: Bubble) -> str:
    """All that a person reads in a message, without the markup."""
    lines = [bubble.text]
    card = bubble.card or {}
    title = card.get("main_title")
    if isinstance(title, dict):
        lines += [str(title.get("title", "")), str(title.get("desc", ""))]
    lines.append(str(card.get("sub_title_text", "")))
    rows = card.get("horizontal_content_list")
    for row in rows if isinstance(rows, list) else []:
        lines.append(f"{row['keyname']}: {row.get('value', '')}")
    text = "\n".join(line for line in lines if line)
    return text.replace("**", "").replace("\u200b", "")


def carried(key: str) -> dict[str, str]:
    """What the bot wrote into a button's key."""
    try:
        found = json.loads(key)
    except ValueError:
        return {"b": key}
    return {name: str(value) for name, value in found.items()} if isinstance(found, dict) else {"b": key}


def buttons_of(card: Json | None) -> list[dict[str, str]]:
    """The buttons of a card, in order: text and key."""
    found = (card or {}).get("button_list")
    return found if isinstance(found, list) else []


def _thread(card: Json) -> str:
    return next((carried(button["key"]).get("t", "") for button in buttons_of(card)), "")


def _same_heading(text: str, card: Json) -> bool:
    title = card.get("main_title")
    heading = str(title.get("title", "")) if isinstance(title, dict) else ""
    heading = heading.replace("\u200b", "").removesuffix("…")
    return bool(heading) and " ".join(text.replace("\u200b", "").split()).startswith(f"**{heading}"[:24])


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:24]
