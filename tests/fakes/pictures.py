"""Pictures for tests: charts to be drawn, and a painter that only says what it was given."""

from __future__ import annotations

import asyncio

from hypothesis import strategies as st

from chatops_bot.domain.cards import Card, Picture, Text
from chatops_bot.domain.charts import Chart, Mark, Series, Threshold
from chatops_bot.domain.dialogue.pictures import pictures
from chatops_bot.domain.intents import Language
from chatops_bot.domain.say import say
from chatops_bot.ports.pictures import NoPicture

MINUTE = 60_000
PNG = b"\x89PNG\r\n\x1a\n"


def chart(*values: float | None, name: str = "", title: str = "memory") -> Chart:
    return Chart(
        title=say("chart.own", name=title),
        unit="bytes",
        start=1_760_000_400_000,
        step=MINUTE,
        series=(Series(name, values or (2.0**20, None, 2.0**22)),),
        thresholds=(Threshold(2.0**23, say("chart.limit")),),
        marks=(Mark(1_760_000_400_000 + MINUTE, say("chart.rollout")),),
    )


def picture(*charts: Chart, language: Language = "en") -> Picture:
    (made,) = pictures(charts or (chart(),), language)
    return made


def card(*charts: Chart, text: str = "2 of 2 ready") -> Card:
    return Card(title="web", language="en", blocks=(Text(text), picture(*charts)))


PICTURES = st.builds(
    lambda values, name, title, language: picture(chart(*values, name=name, title=title), language=language),
    st.lists(st.none() | st.floats(-1e12, 1e12), max_size=120),
    st.text(max_size=60),
    st.text(alphabet=st.sampled_from("<>&`*_~|@!#$ ab\n服务é🔥"), max_size=2000),
    st.sampled_from(["zh", "en"]),
)


class Easel:
    """A `Painter` that gives the PNG signature and a number, or what it is told to do instead."""

    def __init__(self) -> None:
        self.painted: list[Picture] = []
        self.problem = ""
        self.held: asyncio.Event | None = None

    async def paint(self, picture: Picture, language: Language) -> bytes:
        self.painted.append(picture)
        if self.held is not None:
            await self.held.wait()
        if self.problem:
            raise NoPicture(self.problem)
        return PNG + str(len(self.painted)).encode()

    async def close(self) -> None:
        """Nothing is open."""
