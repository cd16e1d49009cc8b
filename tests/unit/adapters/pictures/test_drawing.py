"""Pictures of charts: PNGs of a phone's width that say what they show, whatever the values and the fonts are."""

from __future__ import annotations

import asyncio
import struct
import sys
import threading
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from matplotlib.figure import Figure
from matplotlib.text import Text

from chatops_bot.adapters.pictures import Pictures, drawing
from chatops_bot.domain.cards import Picture
from chatops_bot.domain.charts import Chart, Mark, Series, Threshold
from chatops_bot.domain.dialogue.pictures import pictures
from chatops_bot.domain.intents import Language
from chatops_bot.domain.say import say
from chatops_bot.ports.pictures import NoPicture
from tests.fakes.pictures import MINUTE, PICTURES, PNG, chart, picture

SHANGHAI = ZoneInfo("Asia/Shanghai")


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(PNG)
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All that is written on the pictures that are drawn from here on."""
    found: list[str] = []
    saved = Figure.savefig

    def savefig(self: Figure, *args: object, **more: object) -> None:
        saved(self, *args, **more)  # type: ignore[arg-type]
        found.extend(text.get_text() for text in self.findobj(Text) if text.get_visible() and text.get_text())

    monkeypatch.setattr(Figure, "savefig", savefig)
    return found


def draw(shown: Picture, language: Language = "en") -> bytes:
    return drawing.draw(shown, language, zone=SHANGHAI)


def test_a_picture_is_as_wide_as_a_phone_shows_sharply_and_small_enough_to_be_sent() -> None:
    one, two = draw(picture()), draw(picture(chart(1.0, 2.0), chart(name="web-1")))
    assert size(one)[0] == size(two)[0] == 1064
    assert size(one)[1] < size(two)[1] < 2 * 1064
    assert len(two) < 300_000


def test_it_says_title_limit_rollout_unit_and_time_zone(texts: list[str]) -> None:
    draw(picture())
    assert {"memory", "limit 8 MiB", "rollout", "Asia/Shanghai", "4 MiB", "17:00"} <= set(texts)


def test_a_limit_far_above_is_said_beside_the_title_and_flattens_nothing(texts: list[str]) -> None:
    draw(picture(chart(1.0, 2.0)))
    assert "memory (limit 8 MiB)" in texts
    assert "2 B" in texts


def test_names_are_told_without_what_they_have_in_common(texts: list[str]) -> None:
    lines = tuple(Series(f"payment-svc-5d8f7c9b6c-x7k2{end}", (1.0, 2.0)) for end in "pqrs")
    made = Chart(title=say("chart.cpu"), unit="cores", start=0, step=MINUTE, series=lines, left_out=3)
    draw(picture(made))
    assert {"…-x7k2p", "…-x7k2q", "…-x7k2r", "…-x7k2s", "+ 3"} <= set(texts)


def test_without_a_font_for_chinese_it_is_in_english(texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    made = Chart(
        title=say("chart.latency"),
        unit="seconds",
        start=0,
        step=MINUTE,
        series=(Series("p50", (0.1, 0.2)),),
        thresholds=(Threshold(0.15, say("chart.threshold", comparison=">", value="0.15")),),
        marks=(Mark(30_000, say("chart.firing")),),
    )
    (shown,) = pictures((made,), "zh")
    monkeypatch.setattr(drawing, "families", lambda: ("DejaVu Sans",))
    draw(shown, "zh")
    assert {"Latency", "alerts > 0.15", "firing"} <= set(texts)
    texts.clear()
    monkeypatch.setattr(drawing, "families", lambda: ("DejaVu Sans", "Noto Sans CJK SC"))
    draw(shown, "zh")
    assert {"延迟", "告警阈值 > 0.15", "触发"} <= set(texts)


def test_text_of_others_is_no_formula_and_stays_on_its_line(texts: list[str]) -> None:
    draw(picture(chart(1.0, 2.0, title=r"$\frac{1}{0}$ $x$" + "\n" + "y" * 500)))
    title = next(text for text in texts if "frac" in text)
    assert "\n" not in title
    assert len(title) < 80


# A letter that no installed font has is a box, and matplotlib warns of it.
@pytest.mark.filterwarnings("ignore:Glyph")
@settings(max_examples=10)
@given(PICTURES)
def test_no_values_and_no_words_stop_it(shown: Picture) -> None:
    assert size(draw(shown, "zh"))[0] == 1064


async def test_it_is_drawn_in_a_thread_of_its_own_and_without_pyplot() -> None:
    painter = Pictures(time_zone="UTC", limit_s=30)
    assert size(await painter.paint(picture(), "en"))[0] == 1064
    assert "matplotlib.pyplot" not in sys.modules
    await painter.close()


async def test_a_picture_that_cannot_be_drawn_is_told_as_that() -> None:
    painter = Pictures(time_zone="UTC", limit_s=30)
    broken = Picture(picture().charts, ())
    with pytest.raises(NoPicture):
        await painter.paint(broken, "en")
    await painter.close()


async def test_one_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    held = threading.Event()

    def slow(*_: object, **__: object) -> bytes:
        held.wait(10)
        return b""

    monkeypatch.setattr(drawing, "draw", slow)
    painter = Pictures(time_zone="UTC", limit_s=0.05)
    with pytest.raises(NoPicture, match="more than"):
        await painter.paint(picture(), "en")
    held.set()
    await painter.close()


async def test_only_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    held = threading.Event()

    def slow(*_: object, **__: object) -> bytes:
        held.wait(10)
        return PNG

    monkeypatch.setattr(drawing, "draw", slow)
    painter = Pictures(time_zone="UTC", limit_s=30)
    waiting = [asyncio.create_task(painter.paint(picture(), "en")) for _ in range(25)]
    await asyncio.sleep(0.05)
    held.set()
    done = await asyncio.gather(*waiting, return_exceptions=True)
    assert sum(isinstance(each, NoPicture) for each in done) == 5
    await painter.close()
