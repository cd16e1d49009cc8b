"""The interruption of an incident channel, played with the whole bot: `chatops-bot demo` as a process, its console in a
real browser, its sandbox cluster changing in the pane beside the conversation.

With CHATOPS_PICTURE=1 the README's picture, `docs/console.png`, is taken anew.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.browser.page import PATIENCE_MS, Console, Page
from tests.browser.test_console import overflow
from tests.scenario.running import Running, started, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

PICTURE = Path(__file__).parents[2] / "docs" / "console.png"
PICTURE_HEIGHT = 1880
"""Pixels in which the whole incident fits, from the first question to the plan."""

ANSWER_MS = 15_000
"""For a rollout to be seen through: the sandbox's pods take two seconds, and the bot looks every few."""


@dataclass(frozen=True)
class Words:
    """What is said, and what is read, in one language."""

    locale: str
    asks: str
    diagnosed: str
    interrupts: str
    orders: str
    planned: str
    confirm: str
    done: str
    confirmed_by: str
    closed: str
    pronoun: str
    which: str


ENGLISH = Words(
    locale="en-GB",
    asks="@bot payment-svc in prod seems to time out, how are its pods?",
    diagnosed="payment-svc is degraded",
    interrupts="@bot any slow queries in order-db?",
    orders="@bot ok, scale it to 5",
    planned="To confirm: scale payment-svc",
    confirm="Confirm",
    done="Done: scale payment-svc",
    confirmed_by="Confirmed by bob",
    closed="This conversation is closed: name the service in your next request.",
    pronoun="@bot restart it",
    which='Which one is "it"?',
)
CHINESE = Words(
    locale="zh-CN",
    asks="@bot 华东生产环境的 payment-svc 好像超时了，帮我查下 Pod 状态",
    diagnosed="payment-svc 受损",
    interrupts="@bot 订单数据库 order-db 有没有慢查询？",
    orders="@bot 好的，帮我把它扩容到 5 个副本",
    planned="待确认：扩缩容 payment-svc",
    confirm="确认执行",
    done="已执行：扩缩容 payment-svc",
    confirmed_by="由 bob 确认",
    closed="本次对话已结束；下一个请求请写明服务名。",
    pronoun="@bot 把它重启一下",
    which="“它”指的是哪一个？",
)


@dataclass
class Demo:
    """A running demo in a data folder of its own."""

    running: Running
    address: str
    folder: Path

    async def audit(self, kind: str) -> list[dict[str, Any]]:
        """What its audit log holds of a kind, as the command line prints it."""
        store = str(self.folder / "chatops-bot" / "demo")
        command = ("audit", "list", "--json", "--kind", kind)
        async with started(*command, cwd=self.folder, CHATOPS_STORE__DIRECTORY=store) as listing:
            assert await listing.ended() == 0
        return [json.loads(line) for line in listing.out]


@asynccontextmanager
async def demo(folder: Path) -> AsyncIterator[Demo]:
    """`chatops-bot demo` on any free port; ended by Ctrl-C, which has to end it well."""
    async with started("demo", "--port", "0", cwd=folder, XDG_DATA_HOME=str(folder), HOME=str(folder)) as running:
        await until(lambda: any("http://" in line for line in running.out), "the demo to say where it is")
        address = next(word for line in running.out for word in line.split() if word.startswith("http://"))
        yield Demo(running, address.rstrip("/"), folder)
        assert await running.end(signal.SIGINT) == 0
        assert running.log == []


async def ask_interrupt_order(alice: Page, bob: Page, words: Words) -> Locator:
    """Alice asks about one service, Bob about another, Alice orders by a pronoun; the plan's card, in Alice's tab."""
    await alice.say(words.asks)
    await alice.wait_card(words.diagnosed)
    await bob.say(words.interrupts)
    await bob.wait_card("order-db")
    await alice.say(words.orders)
    plan = await alice.wait_card(words.planned)
    await expect(plan).to_contain_text("2 → 5", timeout=PATIENCE_MS)
    await expect(plan.locator(".buttons .button").first).to_have_text(words.confirm)
    return plan


async def pods(page: Page, workload: str, count: int) -> None:
    """Wait until the pane shows that many pods of a workload."""
    await expect(page.workload(workload).first).to_contain_text(f"/{count}", timeout=ANSWER_MS)


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])
async def test_it_still_means_what_it_meant_before_the_interruption(
    browser: Browser, tmp_path: Path, words: Words
) -> None:
    async with demo(tmp_path) as shop, Console.opened(browser, shop.address, locale=words.locale) as console:
        alice, bob = await console.open_as("alice"), await console.open_as("bob")
        for page in (alice, bob):
            await pods(page, "payment-svc", 2)
            await pods(page, "order-db", 3)

        await ask_interrupt_order(alice, bob, words)
        seen_by_bob = await bob.wait_card(words.planned)
        await expect(seen_by_bob).not_to_contain_text("order-db")
        assert await shop.audit("execution") == []

        await bob.click(words.confirm, seen_by_bob)
        for page in (alice, bob):
            await pods(page, "payment-svc", 5)
            await pods(page, "order-db", 3)
            done = await page.wait_card(words.done)
            await expect(done).to_contain_text(words.confirmed_by)
            await expect(done).to_contain_text(words.closed)
            assert words.confirm not in await page.buttons(done)

        await alice.say(words.pronoun)
        asked = await alice.wait_card(words.which)
        assert words.confirm not in await alice.buttons(asked)
        assert len(await shop.audit("execution")) == 1


async def test_a_button_pressed_by_two_and_pressed_again_later_acts_once(browser: Browser, tmp_path: Path) -> None:
    words = ENGLISH
    async with demo(tmp_path) as shop, Console.opened(browser, shop.address) as console:
        alice, bob = await console.open_as("alice"), await console.open_as("bob")
        seen_by_alice = await ask_interrupt_order(alice, bob, words)
        seen_by_bob = await bob.wait_card(words.planned)
        async with bob.tab.expect_request("**/api/click") as sent:
            # Both at once, by script: a browser brings one tab to the front at a time.
            await asyncio.gather(*(_press(card, words.confirm) for card in (seen_by_bob, seen_by_alice)))
        pressed = json.loads((await sent.value).post_data or "")
        await pods(alice, "payment-svc", 5)
        await alice.wait_card(words.done)

        await alice.say("@bot scale payment-svc to 3")
        await alice.click(words.confirm, await alice.wait_card("5 → 3"))
        await pods(alice, "payment-svc", 3)

        # The view of somebody whose telephone was in a lift: the first plan's button, pressed only now.
        answer = await bob.tab.evaluate(
            """async body => (await fetch("/api/click", {
                method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(body)})).status""",
            pressed | {"nonce": "pressed-much-later"},
        )
        assert answer == 200
        await alice.wait_card("already done, confirmed by")
        await pods(alice, "payment-svc", 3)
        first, second = await shop.audit("execution")
        assert first["user"] in ("alice", "bob")
        assert second["user"] == "alice"


async def _press(card: Locator, label: str) -> None:
    await card.locator(".buttons .button").filter(has_text=label).first.evaluate("button => button.click()")


async def test_the_incident_on_a_telephone(browser: Browser, tmp_path: Path) -> None:
    words = CHINESE
    async with (
        demo(tmp_path) as shop,
        Console.opened(browser, shop.address, locale=words.locale, width=380, height=740) as console,
    ):
        alice, bob = await console.open_as("alice"), await console.open_as("bob")
        plan = await ask_interrupt_order(alice, bob, words)
        await alice.front()
        await expect(plan.locator(".buttons .button").first).to_be_in_viewport(ratio=1)
        assert await overflow(alice) == []
        await alice.click(words.confirm, plan)
        await expect(plan).to_contain_text(words.done, timeout=ANSWER_MS)
        await alice.tab.locator("#pane-toggle").click()
        await pods(alice, "payment-svc", 5)
        assert await overflow(alice) == []


async def test_the_picture_of_the_readme_can_be_taken(browser: Browser, tmp_path: Path) -> None:
    async with (
        demo(tmp_path) as shop,
        Console.opened(browser, shop.address, height=PICTURE_HEIGHT) as console,
    ):
        alice, bob = await console.open_as("alice"), await console.open_as("bob")
        plan = await ask_interrupt_order(alice, bob, ENGLISH)
        await alice.front()
        first = await alice.wait_message("payment-svc in prod")
        for each in (first, alice.card("order-db"), plan.locator(".buttons .button").first, alice.workload("order-db")):
            await expect(each).to_be_in_viewport(ratio=1)
        picture = await alice.tab.screenshot(caret="hide", animations="disabled")
    assert picture.startswith(b"\x89PNG")
    if os.environ.get("CHATOPS_PICTURE"):
        PICTURE.write_bytes(picture)
