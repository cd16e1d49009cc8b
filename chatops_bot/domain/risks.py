"""How dangerous a change can be, from the least to the most."""

from __future__ import annotations

from typing import Literal

Risk = Literal["low", "medium", "high"]
RISKS: tuple[Risk, ...] = ("low", "medium", "high")
