"""How often one person and one room may make the bot ask a cluster: a flood of chat is no flood of calls."""

from __future__ import annotations

from collections import defaultdict, deque

from chatops_bot.domain.identity import Room, User
from chatops_bot.ports.clock import Clock

WINDOW_S = 60.0


class Rate:
    """At most so many in a minute, per key; a sliding window, by this process."""

    def __init__(self, *, most: int, clock: Clock) -> None:
        self._most = most
        self._clock = clock
        self._times: defaultdict[str, deque[float]] = defaultdict(deque)
        self._forgot = clock.monotonic()

    def wait_s(self, key: str) -> int:
        """0 and counted when allowed, else the seconds after which it would be."""
        now = self._clock.monotonic()
        times = self._times[key]
        while times and now - times[0] >= WINDOW_S:
            times.popleft()
        if len(times) >= self._most:
            return max(1, int(WINDOW_S - (now - times[0])))
        times.append(now)
        if now - self._forgot >= WINDOW_S:
            self._forget(now)
        return 0

    def _forget(self, now: float) -> None:
        """Keys without a call in the window hold nothing and are dropped, all at once and not at every call."""
        self._forgot = now
        for key in [k for k, times in self._times.items() if not times or now - times[-1] >= WINDOW_S]:
            del self._times[key]


class Rates:
    """Both limits together, counted in this process."""

    def __init__(self, *, clock: Clock, per_user: int, per_room: int) -> None:
        self._users = Rate(most=per_user, clock=clock)
        self._rooms = Rate(most=per_room, clock=clock)

    def wait_s(self, room: Room, user: User) -> int:
        """0 when allowed (and counted), else after how many seconds it would be. What nobody asked for (alerts have it
        looked up) has the rate of one person, and takes nothing from the people of the room."""
        if not user.id:
            return self._users.wait_s(f"{room.key}/")
        return self._users.wait_s(f"{room.key}/{user.key}") or self._rooms.wait_s(room.key)
