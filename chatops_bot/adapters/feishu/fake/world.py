"""What the fake platform holds: apps, people, chats and messages; and the rules of its messages."""

from __future__ import annotations

import hashlib
from collections import deque
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from chatops_bot.adapters.feishu.fake import limits
from chatops_bot.ports.clock import Clock

Json = dict[str, Any]

TENANT: Final = "2ed263bf32cf1651"
ELSEWHERE: Final = "736588c9260f175d"
EDIT_S: Final = 14 * 86_400
ONCE_S: Final = 3600
PER_SECOND: Final = 5
TOKEN_S: Final = 7200
SCOPES: Final = (
    "im:message:send_as_bot",
    "im:message.group_at_msg:readonly",
    "im:message.group_msg",
    "im:message.p2p_msg:readonly",
    "im:chat:readonly",
    "im:resource",
    "contact:user.base:readonly",
    "tenant:tenant:readonly",
)


class ApiError(Exception):
    """The API says no: HTTP status, code, words."""

    def __init__(self, code: int, words: str, *, status: int = 400) -> None:
        super().__init__(words)
        self.code = code
        self.words = words
        self.status = status


@dataclass
class App:
    """An app as its console shows it. `scopes` and `events` are what was granted and subscribed."""

    app_id: str = "cli_a1b2c3d4e5f60001"
    app_secret: str = "secret-of-the-app"  # noqa: S105  # of a fake
    verification_token: str = "token-of-the-app"  # noqa: S105
    encrypt_key: str = "key-of-the-app"
    open_id: str = "ou_0bot0bot0bot0bot0bot0bot0bot0001"
    name: str = "ops"
    tenant: str = TENANT
    scopes: set[str] = field(default_factory=lambda: set(SCOPES))
    events: list[str] = field(default_factory=lambda: ["im.message.receive_v1"])
    released: bool = True
    installed: bool = True
    bot: bool = True
    callbacks: bool = True


@dataclass
class Person:
    """`gone` is suspended or resigned; of another organisation where the tenant says so."""

    id: str
    name: str
    tenant: str = TENANT
    gone: bool = False


@dataclass
class Chat:
    """A group, or a direct conversation (`p2p`). `members` are ids of apps in it."""

    id: str
    name: str
    kind: str = "group"
    members: set[str] = field(default_factory=set)
    dissolved: bool = False
    external: bool = False


@dataclass
class Post:
    """A message. `by` is an app's or a person's id; `views` are all cards it has shown, the newest last."""

    id: str
    chat: str
    by: str
    kind: str
    content: str
    at: float
    root: str = ""
    parent: str = ""
    topic: str = ""
    mentions: list[Json] = field(default_factory=list)
    views: list[Json] = field(default_factory=list)
    gone: int = 0
    """230011 when withdrawn, 231003 when deleted."""
    to: str = ""
    """The one person who sees it, else ""."""


class World:
    """All of it, and what one may do to it. Raises `ApiError` where the platform says no."""

    def __init__(self, *, clock: Clock, limited: bool = True) -> None:
        self.clock = clock
        self.limited = limited
        """Whether rates are limited."""
        self.apps: dict[str, App] = {}
        self.people: dict[str, Person] = {}
        self.by_name: dict[str, Person] = {}
        self.departments: dict[str, list[str]] = {}
        """Open ids of the people who are directly in a department, by its open id; those that the app may see."""
        self.chats: dict[str, Chat] = {}
        self.posts: dict[str, Post] = {}
        self.images: dict[str, bytes] = {}
        self.rung: list[str] = []
        """Whom the bot's messages rang, in order: open ids, or "all"."""
        self._numbers = count(1)
        self._once: dict[tuple[str, str], tuple[str, float]] = {}
        self._recent: dict[str, deque[float]] = {}

    def person(self, name: str, *, guest: bool = False, foreign: bool = False) -> Person:
        """By name, made at the first call."""
        found = self.by_name.get(name)
        if found is None:
            tenant = ELSEWHERE if foreign else TENANT
            found = Person(f"ou_{digest(name)}", name, tenant=tenant, gone=guest)
            self.by_name[name] = self.people[found.id] = found
        return found

    def chat(self, name: str, *, kind: str = "group") -> Chat:
        """By name, made at the first call with all apps in it."""
        found = self.chats.get(f"oc_{digest(name)}")
        if found is None:
            found = Chat(f"oc_{digest(name)}", name, kind, set(self.apps))
            self.chats[found.id] = found
        return found

    def number(self) -> str:
        """A part of an id that nothing else has."""
        return digest(f"number {next(self._numbers)}")

    def topic_of(self, message: str) -> str:
        """The topic that a message opens or stands in; opened now where there was none."""
        post = self.alive(message)
        if not post.topic:
            post.topic = f"omt_{self.number()[:16]}"
        return post.topic

    def alive(self, message: str) -> Post:
        """A message that is still there."""
        post = self.posts.get(message)
        if post is None:
            raise ApiError(99992354, "id not exist")
        if post.gone:
            raise ApiError(post.gone, "The message was withdrawn." if post.gone == 230011 else "message is deleted")
        return post

    def add(self, post: Post, *, answers: str = "", in_topic: bool = False) -> Post:
        """Put a message into its chat, as an answer to another where `answers` names one."""
        if answers:
            parent = self.alive(answers)
            if in_topic or parent.topic:
                post.topic = self.topic_of(answers)
                first = next((one.id for one in self.posts.values() if one.topic == post.topic), answers)
                post.root = post.parent = first
            else:
                post.root, post.parent = parent.root or parent.id, parent.id
        elif self.chats[post.chat].kind == "topic_group":
            post.topic = f"omt_{self.number()[:16]}"
        self.posts[post.id] = post
        return post

    def send(
        self, app: App, *, chat: str, kind: str, content: object, once: str, size: int, answers: str, in_topic: bool
    ) -> Post:
        """A message of an app. The same `once` within an hour gives the message that there was."""
        self._may_speak(app, chat)
        known = self._once.get((app.app_id, once))
        if once and known is not None and self.clock.now() - known[1] < ONCE_S:
            return self.posts[known[0]]
        if len(once) > 50:
            raise ApiError(99992402, "field validation failed: uuid")
        self.limit(f"chat {chat}", "This operation triggers the frequency limit.")
        if answers:
            self.alive(answers)
        post = Post(f"om_{self.number()}", chat, app.app_id, kind, str(content), self.clock.now())
        if kind == "interactive":
            post.views.append(self._card(content, size))
        elif kind == "text":
            if size > limits.TEXT_BYTES:
                raise ApiError(230025, "The length of the message content reaches its limit.")
            if "<at " in str(content).lower():
                self.rung.append("a tag in a text")
        else:
            raise ApiError(230054, "message type not supported by the fake")
        self.add(post, answers=answers, in_topic=in_topic)
        if once:
            self._once[(app.app_id, once)] = (post.id, self.clock.now())
        return post

    def change(self, app: App, message: str, *, content: object, size: int) -> Post:
        """Another card in the place of one."""
        post = self.alive(message)
        if post.by != app.app_id:
            raise ApiError(230017, "Bot is NOT the owner of the resource.")
        if post.kind != "interactive" or not limits.shared(post.views[-1]):
            raise ApiError(230001, "This message is NOT a shared card.")
        if self.clock.now() - post.at > EDIT_S:
            raise ApiError(230031, "Message can only be modified within 14 days after sending.")
        self.limit(f"message {message}", "This operation triggers the frequency limit.")
        post.views.append(self._card(content, size))
        return post

    def written(self, chat: str, kind: str) -> list[Post]:
        """Messages of apps in a chat, oldest first."""
        posts = self.posts.values()
        return [
            post for post in posts if post.chat == chat and post.by in self.apps and post.kind == kind and not post.gone
        ]

    def limit(self, what: str, words: str) -> None:
        """Count one use of something that may be used five times a second."""
        now = self.clock.now()
        recent = self._recent.setdefault(what, deque())
        while recent and recent[0] <= now - 1:
            recent.popleft()
        if len(recent) >= PER_SECOND and self.limited:
            raise ApiError(230020, words)
        recent.append(now)

    def _may_speak(self, app: App, chat: str) -> None:
        found = self.chats.get(chat)
        if found is None:
            raise ApiError(230001, "invalid receive_id")
        if found.dissolved:
            raise ApiError(232009, "chat is dissolved")
        if app.app_id not in found.members:
            raise ApiError(230002, "Bot/User can NOT be out of the chat.")

    def _card(self, content: object, size: int) -> Json:
        if size > limits.REQUEST_BYTES:
            raise ApiError(230025, "The length of the message content reaches its limit.")
        try:
            card = limits.read_card(content)
        except limits.CardError as error:
            raise ApiError(error.code, error.words) from error
        if not limits.shared(card):
            raise ApiError(230099, "the fake wants update_multi, else the card could not be changed later")
        self.rung.extend(limits.rung(card))
        return card


def digest(name: str) -> str:
    """32 characters that look like Feishu's ids."""
    return hashlib.sha256(name.encode()).hexdigest()[:32]
