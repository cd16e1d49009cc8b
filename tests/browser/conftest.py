"""Chromium, and a console with a small bot behind it, all in the event loop of the test's module."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from chatops_bot.adapters.console import ConsoleChat, numbered
from chatops_bot.adapters.console.web import web_console
from tests.browser.page import CHROMIUM, Console, launch
from tests.browser.stub import SmallBot
from tests.contract.chat.console.stub import FixedClock, StubPane, served


@dataclass
class World:
    """A console that is served at `address`."""

    address: str
    chat: ConsoleChat
    bot: SmallBot
    pane: StubPane


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    async with async_playwright() as playwright:
        browser = await launch(playwright)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def world() -> AsyncIterator[World]:
    chat = ConsoleChat(clock=FixedClock(), ids=numbered())
    bot, pane = SmallBot(chat), StubPane()
    await chat.start(bot)
    async with served(web_console(chat, pane=pane)) as address:
        yield World(address, chat, bot, pane)
        await chat.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def console(browser: Browser, world: World) -> AsyncIterator[Console]:
    async with Console.opened(browser, world.address) as console:
        yield console
