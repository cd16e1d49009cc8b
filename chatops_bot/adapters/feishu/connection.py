"""Long connections to Feishu: each an SDK client in a thread of its own, watched from the bot's loop.

A dead client is not repaired but replaced, thread and all: the SDK's has been seen to stay deaf for days while it
looked alive (larksuite/oapi-sdk-python#149, #168, #169).
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import gc
import importlib
import json
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from chatops_bot.adapters.feishu.front import Answer, Body
from chatops_bot.adapters.feishu.settings import FeishuSettings
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pacing import back_off

log = logging.getLogger(__name__)

Dispatch = Callable[[Body], Awaitable[Answer]]

_importing = threading.Lock()
_imported = threading.Event()


def load() -> Any:
    """The module `sdk`. Imported once, by the thread that asks first; others wait for it.

    Collections of garbage are off meanwhile: each would stop all threads for long among so many new objects. These are
    then set apart for good, so that no later collection walks over them either.
    """
    with _importing:
        was_on = gc.isenabled()
        gc.disable()
        try:
            found = importlib.import_module("chatops_bot.adapters.feishu.sdk")
        finally:
            if was_on:
                gc.enable()
        if not _imported.is_set():
            gc.freeze()
            _imported.set()
        return found


def loaded() -> bool:
    """Whether the SDK is there already, so that connecting takes no longer than the network."""
    return _imported.is_set()


class Session:
    """One client and its thread, for one connection: from dialling to its end.

    `hand_over` starts the storing of a payload in the bot's loop. `now` may be called by any thread. `changed` is
    called by the thread when the session comes up or ends.
    """

    def __init__(
        self,
        settings: FeishuSettings,
        *,
        hand_over: Callable[[Body], concurrent.futures.Future[Answer]],
        now: Callable[[], float],
        changed: Callable[[], None],
        close_s: float,
    ) -> None:
        self._settings = settings
        self._hand_over = hand_over
        self._now = now
        self._changed = changed
        self._close_s = close_s
        self.up = False
        self.was_up = False
        self.over = False
        self.problem = ""
        self.ping_s = 120.0
        self.heard_at = now()
        self._stopping = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._serving: asyncio.Task[str] | None = None
        self._guard = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=f"feishu {settings.app_id}", daemon=True)

    def start(self) -> None:
        """Begin, in the thread."""
        self._thread.start()

    def ask_to_end(self) -> None:
        """From the bot's loop; the session is `over` some time later."""
        with self._guard:
            self._stopping = True
            loop, serving = self._loop, self._serving
        if loop is not None and serving is not None and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(serving.cancel)
            except RuntimeError:
                log.debug("a session ended by itself at that moment")

    def join(self, within_s: float) -> bool:
        """Whether the thread has ended."""
        if self._thread.ident is not None:
            self._thread.join(within_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            sdk = load()
            asyncio.run(self._serve(sdk))
        except ImportError as error:
            self.problem = f"the SDK is not installed (extra `feishu`): {error}"
        finally:
            self.up = False
            self.over = True
            self._changed()

    async def _serve(self, sdk: Any) -> None:
        with self._guard:
            if self._stopping:
                return
            self._loop = asyncio.get_running_loop()
            client = sdk.Client(
                self._settings,
                deliver=self._deliver,
                heard=self._note,
                connected=self._come_up,
                close_s=self._close_s,
            )
            self._serving = asyncio.create_task(client.serve())
        try:
            self.problem = await self._serving
        except asyncio.CancelledError:
            self.problem = "ended"
        except sdk.FAILURES as error:
            self.problem = f"{type(error).__name__} {error}".rstrip()[:300]

    def _note(self) -> None:
        self.heard_at = self._now()

    def _come_up(self, ping_s: float) -> None:
        self.ping_s = ping_s
        self._note()
        self.up = self.was_up = True
        self._changed()

    async def _deliver(self, payload: bytes) -> Answer:
        """In the thread: have it stored in the bot's loop, and wait for that, but never beyond Feishu's patience."""
        try:
            body = json.loads(payload)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, Mapping):
            log.warning("a frame of Feishu that is no JSON object is acknowledged unread")
            return Answer(200, {})
        stored = asyncio.wrap_future(self._hand_over(body))
        done, _ = await asyncio.wait({stored}, timeout=self._settings.store_wait_s)
        if not done:
            log.warning("not acknowledged, Feishu shall deliver it again: the store takes too long")
            stored.add_done_callback(_retrieve)
            return Answer(504, {})
        if stored.cancelled():
            return Answer(503, {})
        if (error := stored.exception()) is not None:
            log.error("not acknowledged, Feishu shall deliver it again", exc_info=error)
            return Answer(500, {})
        return stored.result()


def _retrieve(stored: asyncio.Future[Answer]) -> None:
    if not stored.cancelled() and (error := stored.exception()) is not None:
        log.error("a delivery could not be stored", exc_info=error)


class Connection:
    """One supervised connection.

    Every `look_s` it is looked at, and whenever the session says that something changed. It is built anew when it has
    ended, has not come up within `patience_s`, or has been silent for two pings and `patience_s`; after a pause that
    doubles up to `longest_s`. `jitter` gives numbers from 0 to 1. Closing it, and letting deliveries under way finish
    before that, take `close_s` each at most.
    """

    def __init__(
        self,
        *,
        settings: FeishuSettings,
        dispatch: Dispatch,
        clock: Clock,
        jitter: Callable[[], float],
        look_s: float = 5,
        patience_s: float = 30,
        longest_s: float = 60,
        close_s: float = 2,
    ) -> None:
        self._settings = settings
        self._dispatch = dispatch
        self._clock = clock
        self._jitter = jitter
        self._look_s = look_s
        self._patience_s = patience_s
        self._longest_s = longest_s
        self._close_s = close_s
        self._session: Session | None = None
        self._changed = asyncio.Event()
        self._under_way: set[asyncio.Task[Answer]] = set()
        self.tried = asyncio.Event()
        """Set once the first attempt has succeeded or failed."""

    @property
    def up(self) -> bool:
        """Whether deliveries can arrive, as far as is known."""
        session = self._session
        return session is not None and session.up and not self._silent(session)

    async def run(self) -> None:
        """Until cancelled; nothing is left open then."""
        loop = asyncio.get_running_loop()
        failures = 0
        try:
            while True:
                session = self._session = Session(
                    self._settings,
                    hand_over=lambda body: asyncio.run_coroutine_threadsafe(self._store(body), loop),
                    now=self._clock.monotonic,
                    changed=lambda: _wake(loop, self._changed),
                    close_s=self._close_s,
                )
                session.start()
                await self._watch(session)
                failures = 0 if session.was_up else failures + 1
                self.tried.set()
                await self._drop()
                pause = back_off(failures, self._jitter(), longest_s=self._longest_s)
                log.warning("a long connection to Feishu is built anew in %.1f s: %s", pause, session.problem)
                await self._clock.sleep(pause)
        finally:
            self.tried.set()
            await self._drop()
            await self._end_deliveries()

    async def _store(self, body: Body) -> Answer:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101  # coroutines run in tasks
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await self._dispatch(body)

    async def _watch(self, session: Session) -> None:
        """Returns when the session has ended or is of no more use."""
        while not session.over:
            if session.up:
                self.tried.set()
            if self._silent(session):
                session.problem = "silent for too long" if session.up else "did not come up in time"
                return
            self._changed.clear()
            if session.over:
                return
            waiting = asyncio.ensure_future(self._clock.sleep(self._look_s))
            changed = asyncio.create_task(self._changed.wait())
            try:
                await asyncio.wait({waiting, changed}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                waiting.cancel()
                changed.cancel()
                await asyncio.gather(waiting, changed, return_exceptions=True)

    def _silent(self, session: Session) -> bool:
        limit = self._patience_s + (2 * session.ping_s if session.up else 0)
        return self._clock.monotonic() - session.heard_at > limit

    async def _drop(self) -> None:
        """End the session; a thread that does not end in time is left behind (it is a daemon, and ends with its
        time limits)."""
        session, self._session = self._session, None
        if session is None:
            return
        session.ask_to_end()
        try:
            async with asyncio.timeout(2 * self._close_s + 1):
                while not session.over:
                    self._changed.clear()
                    if not session.over:
                        await self._changed.wait()
        except TimeoutError:
            log.warning("a thread of a long connection to Feishu does not end, and is left behind")
            return
        session.join(1)

    async def _end_deliveries(self) -> None:
        if self._under_way:
            await asyncio.wait(set(self._under_way), timeout=self._close_s)
        left = set(self._under_way)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


def _wake(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    """Set an event of another thread's loop; a loop that has ended needs it no more."""
    try:
        loop.call_soon_threadsafe(event.set)
    except RuntimeError:
        log.debug("the bot's loop has ended before a session of Feishu")
