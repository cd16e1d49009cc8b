"""Charts in the console: drawn from their values, readable on a telephone, in both schemes and languages."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.async_api import Browser

from chatops_bot.domain.cards import Card, Text
from chatops_bot.domain.charts import Chart, Mark, Series, Threshold
from chatops_bot.domain.dialogue.pictures import pictures
from chatops_bot.domain.intents import Language
from chatops_bot.domain.say import say
from tests.browser.conftest import World
from tests.browser.page import Console, Page
from tests.browser.test_console import OPS, faint, overflow
from tests.fakes.pictures import MINUTE

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

START = 1_760_000_400_000
MIB = 2.0**20


def card(language: Language = "en", **more: Chart) -> Card:
    pods = tuple(
        Series(f"payment-svc-5d8f7c9b6c-x7k2{end}", tuple((100 + 40 * number + k) * MIB for k in range(61)))
        for number, end in enumerate("pqrstvwx")
    )
    memory = Chart(
        title=say("chart.memory"),
        unit="bytes",
        start=START,
        step=MINUTE,
        series=pods,
        thresholds=(Threshold(512 * MIB, say("chart.limit")),),
        marks=(Mark(START + 40 * MINUTE, say("chart.rollout")), Mark(START + 5 * MINUTE, say("chart.rollout"))),
        left_out=3,
    )
    cpu = Chart(
        title=say("chart.cpu"),
        unit="cores",
        start=START,
        step=MINUTE,
        series=(Series("", tuple(None if 20 < k < 30 else 0.1 + k / 500 for k in range(61))),),
        thresholds=(Threshold(4.0, say("chart.limit")),),
    )
    return Card(
        title="payment-svc · resource use",
        language=language,
        blocks=(Text("two charts", strong=True), *pictures((memory, cpu), language)),
    )


async def shown(page: Page) -> None:
    await page.tab.locator(".chart").nth(1).wait_for()


async def test_a_chart_has_its_lines_levels_marks_and_names(browser: Browser, world: World) -> None:
    async with Console.opened(browser, world.address) as console:
        alice = await console.open_as("alice")
        await world.bot.answer(OPS, card(), key="charts")
        await shown(alice)
        memory, cpu = alice.tab.locator(".chart").nth(0), alice.tab.locator(".chart").nth(1)
        assert await memory.locator("path.line").count() == 8
        assert await memory.get_attribute("aria-label") == pictures_line(card())
        assert await memory.locator(".level").all_inner_texts() == ["limit 512 MiB"]
        assert await memory.locator(".mark").all_inner_texts() == ["rollout", "rollout"]
        names = await memory.locator(".names li").all_inner_texts()
        assert names == [*(f"…-x7k2{end}" for end in "pqrstvwx"), "+ 3"]
        assert {"128 MiB", "512 MiB"} <= set(await memory.locator(".height").all_inner_texts())
        assert await cpu.locator(".chart-title").inner_text() == "CPU of each pod (limit 4)"
        assert await cpu.locator(".level").count() == 0
        steps = await cpu.locator("path.line").get_attribute("d")
        assert steps is not None
        assert steps.count("M") == 2, "one gap makes two pieces"


def pictures_line(shown: Card) -> str:
    return shown.text().split("\n")[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_charts_fit_a_telephone_and_stand_out(
    browser: Browser, world: World, scheme: Literal["light", "dark"]
) -> None:
    async with Console.opened(browser, world.address, width=380, height=740, scheme=scheme) as console:
        alice = await console.open_as("alice")
        await world.bot.answer(OPS, card("zh"), key=f"charts {scheme}")
        await shown(alice)
        assert await overflow(alice) == []
        found = await faint(alice)
        assert [each for each in found if not each.startswith("only ")] == [], "of a page this small, few are expected"
        box = await alice.tab.locator(".plot").first.bounding_box()
        assert box is not None
        assert box["width"] > 220


@pytest.mark.parametrize("values", [(), (None,), (1.0,), (0.0, 0.0), (-5.0, 5.0), (1e-9, 2e-9), (1e18, 1e19)], ids=str)
async def test_odd_values_are_drawn_too(browser: Browser, world: World, values: tuple[float | None, ...]) -> None:
    odd = Chart(
        title=say("chart.own", name="odd"), unit="number", start=START, step=MINUTE, series=(Series("", values),)
    )
    async with Console.opened(browser, world.address) as console:
        alice = await console.open_as("alice")
        shown = Card(title="odd", language="en", blocks=(Text("odd"), *pictures((odd,), "en")))
        await world.bot.answer(OPS, shown, key=f"odd {values}")
        await alice.tab.locator(".chart").first.wait_for()
        assert "NaN" not in await alice.tab.locator(".chart").first.inner_html()
        assert await alice.tab.locator(".chart .height").count() <= 8
