"""The console as a person sees it: what tests do on the page and read from it.

    async with Console.opened(browser, address) as console:
        alice = await console.open_as("alice")
        await alice.say("@bot how is payment-svc?")
        card = await alice.wait_card("payment-svc")
        await alice.click("Confirm", card)

Everything waits for what it needs, at most `PATIENCE_MS`. A script error or a refused resource on any page of
the console fails the test at its end.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal
from urllib.parse import quote

from playwright.async_api import Browser, BrowserContext, Locator, Playwright, expect
from playwright.async_api import Page as Tab

CHROMIUM = shutil.which("chromium")
PATIENCE_MS = 10_000

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-first-run",
]


async def launch(playwright: Playwright) -> Browser:
    """The system's Chromium, without a window."""
    return await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)


class Console:
    """One browser with its own storage; its tabs share it, as the tabs of one person's browser do."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.address = address
        self.complaints: list[str] = []

    @classmethod
    @asynccontextmanager
    async def opened(
        cls,
        browser: Browser,
        address: str,
        *,
        width: int = 1280,
        height: int = 800,
        locale: str = "en-GB",
        scheme: Literal["light", "dark"] = "light",
    ) -> AsyncIterator[Console]:
        """A fresh browser profile for the console at `address`."""
        context = await browser.new_context(
            viewport={"width": width, "height": height}, locale=locale, color_scheme=scheme, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE_MS)
        console = cls(context, address)
        try:
            yield console
        finally:
            await context.close()
        assert console.complaints == []

    async def open(self, path: str = "/") -> Page:
        """A new tab, as whoever it was before or nobody."""
        tab = await self.context.new_page()
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        # What the network refuses is printed as well; only a breach of the page's own policy matters here.
        tab.on("console", lambda line: self.complaints.append(line.text) if "Content Security" in line.text else None)
        await tab.goto(self.address + path)
        page = Page(tab)
        await page.live()
        return page

    async def open_as(self, user: str) -> Page:
        """A new tab in which one is this user."""
        return await self.open(f"/?as={quote(user)}")


class Page:
    """One tab. Cards and messages are Playwright locators, to be given back to these methods."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab

    async def live(self) -> None:
        """Wait until changes arrive."""
        await expect(self.tab.locator("#status.live")).to_be_attached(timeout=PATIENCE_MS)

    async def front(self) -> None:
        """Look at this tab. A browser draws tabs in the back only a few times a second, so that what waits for
        something to stand still takes seconds there."""
        await self.tab.bring_to_front()

    async def choose(self, user: str) -> None:
        """Say who one is in the dialog that is open."""
        await self.front()
        await self.tab.get_by_role("dialog").get_by_role("button", name=user, exact=True).click()

    async def say(self, text: str) -> None:
        """Write and send; it answers what `reply_to` chose before."""
        await self.front()
        box = self.tab.locator("#text")
        await box.fill(text)
        await box.press("Enter")

    async def reply_to(self, card: Locator, text: str = "") -> None:
        """Begin a reply to a card or message, and send it if there is a text."""
        await self.front()
        await card.hover()
        await card.locator("[data-button=reply]").click()
        if text:
            await self.say(text)

    async def click(self, button: str, card: Locator | None = None) -> None:
        """Press a button, by its label or the beginning of it, of this card or of the newest one."""
        await self.front()
        within = card if card is not None else self.cards().last
        await within.locator(".buttons .button").filter(has_text=button).first.click()

    def cards(self) -> Locator:
        """All cards, oldest first."""
        return self.tab.locator(".entry.bot")

    def card(self, text: str) -> Locator:
        """The newest card that says this."""
        return self.cards().filter(has_text=text).last

    async def wait_card(self, text: str) -> Locator:
        """The newest card that says this, once there is one. What is returned stays that card when its text
        changes."""
        await expect(self.card(text)).to_be_visible(timeout=PATIENCE_MS)
        identity = await self.card(text).get_attribute("data-id")
        return self.tab.locator(f'.entry[data-id="{identity}"]')

    def messages(self) -> Locator:
        """What people wrote, oldest first."""
        return self.tab.locator(".entry.said")

    async def wait_message(self, text: str) -> Locator:
        """The newest message of a person that says this, once there is one."""
        found = self.messages().filter(has_text=text).last
        await expect(found).to_be_visible(timeout=PATIENCE_MS)
        return found

    async def buttons(self, card: Locator) -> list[str]:
        """Labels of a card's buttons."""
        return await card.locator(".buttons .button").all_inner_texts()

    def workload(self, name: str) -> Locator:
        """A workload in the pane of the cluster."""
        return self.tab.locator(".workload").filter(has=self.tab.locator(".workload-words", has_text=name))

    async def stage(self, workload: str, trouble: str) -> None:
        """Bring a trouble upon a workload by its menu."""
        await self.front()
        await self.workload(workload).locator(".stage").click()
        await self.tab.get_by_role("menuitem").filter(has_text=trouble).click()
