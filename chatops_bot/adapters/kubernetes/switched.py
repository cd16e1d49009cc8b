"""A connection with a switch, for replays in which the cluster goes away and comes back."""

from __future__ import annotations

import threading

import urllib3

from chatops_bot.adapters.kubernetes.connection import Connection


class SwitchedConnection(Connection):
    """While `down` it fails as the connection to a server that is not there does; `requests` is how many have been
    begun over it so far, by all its clients."""

    down = False
    requests = 0
    _counting = threading.Lock()

    def authorization(self) -> str:
        """As `Connection.authorization`; raises what urllib3 raises for a refused connection while cut off."""
        with self._counting:
            self.requests += 1
        if self.down:
            nowhere = urllib3.connection.HTTPConnection(self.host)
            raise urllib3.exceptions.NewConnectionError(nowhere, "cut off")
        return super().authorization()
