"""The page in a real browser, with a small bot behind it."""

from contextlib import AsyncExitStack
from typing import Literal

import msgspec
import pytest
from playwright.async_api import Browser, Route, expect

from chatops_bot.adapters.console import ConsoleChat, numbered
from chatops_bot.adapters.console.web import web_console
from chatops_bot.domain.cards import Button, Card, Link, Links, Text
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from tests.browser.conftest import World
from tests.browser.page import Console, Page
from tests.browser.stub import SmallBot
from tests.contract.chat.console.stub import FixedClock, served

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

OPS = Room("console", "local", "ops")
SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"


async def test_two_people_share_a_room(console: Console, world: World) -> None:
    alice, bob = await console.open_as("alice"), await console.open_as("bob")
    await alice.say("anyone seeing timeouts?")
    await expect(await alice.wait_message("timeouts")).to_have_class("entry said mine")
    await expect(await bob.wait_message("timeouts")).to_have_class("entry said theirs")
    await bob.say("@bot how is payment-svc?")
    for page in (alice, bob):
        card = await page.wait_card("how is payment-svc?")
        assert await page.buttons(card) == ["Confirm: scale to 5", "Logs", "Refresh"]
    assert [(event.user.id, event.addressed) for event in world.bot.events if isinstance(event, Message)] == [
        ("alice", False),
        ("bob", True),
    ]


async def test_a_reply_is_quoted_above_the_input_and_in_the_room(console: Console, world: World) -> None:
    alice, bob = await console.open_as("alice"), await console.open_as("bob")
    await alice.say("@bot payment")
    card = await bob.wait_card("payment-svc: payment")
    await bob.reply_to(card)
    await expect(bob.tab.locator("#quote")).to_contain_text("payment-svc: payment")
    await bob.say("scale it to 5")
    await expect(bob.tab.locator("#quote")).to_be_hidden()
    await expect((await alice.wait_message("scale it to 5")).locator(".quoted")).to_have_text("payment-svc: payment")
    reply = world.bot.events[-1]
    assert isinstance(reply, Message)
    assert reply.answers == (world.chat.cards()[0].message,)


async def test_escape_leaves_the_reply_and_keeps_the_words(console: Console, world: World) -> None:
    alice = await console.open_as("alice")
    await alice.say("@bot payment")
    await alice.reply_to(await alice.wait_card("payment"))
    box = alice.tab.locator("#text")
    await box.fill("half a thought")
    await box.press("Escape")
    await expect(alice.tab.locator("#quote")).to_be_hidden()
    await expect(box).to_have_value("half a thought")
    await box.press("Enter")
    await alice.wait_message("half a thought")
    assert [event.answers for event in world.bot.events if isinstance(event, Message)] == [(), ()]


async def test_a_click_redraws_the_card_in_place_for_everybody(console: Console, world: World) -> None:
    alice, bob = await console.open_as("alice"), await console.open_as("bob")
    await alice.say("@bot payment")
    seen_by_alice, seen_by_bob = await alice.wait_card("payment"), await bob.wait_card("payment")
    await bob.click("Confirm", seen_by_bob)
    for page, card in ((alice, seen_by_alice), (bob, seen_by_bob)):
        await expect(card).to_contain_text("bob pressed confirm with plan-1.")
        assert await page.buttons(card) == ["Undo"]
        assert await page.cards().count() == 1
    await expect(bob.tab.locator("#announce")).to_contain_text("payment-svc: 5 of 5 pods are ready")


async def test_a_click_waits_with_its_buttons_shut_and_happens_once(console: Console, world: World) -> None:
    world.bot.deaf = True
    alice = await console.open_as("alice")
    message = await world.bot.answer(OPS, asking("Scale payment-svc?"), key="k")
    card = await alice.wait_card("Scale payment-svc?")
    await card.get_by_role("button", name="Yes").dblclick()
    await expect(card.locator(".button.waiting")).to_have_text("Yes")
    for label in ("Yes", "No"):
        await expect(card.get_by_role("button", name=label)).to_be_disabled()
    assert [event.button for event in world.bot.events if isinstance(event, Click)] == ["confirm"]
    await world.chat.update(room=OPS, thread="t", card=asking("Scale order-db?"), message=message, root="")
    await expect(card.get_by_role("button", name="Yes")).to_be_enabled()


async def test_a_click_that_is_not_taken_says_so_and_can_be_repeated(console: Console, world: World) -> None:
    alice = await console.open_as("alice")
    await world.bot.answer(OPS, asking("Scale payment-svc?"), key="k")
    card = await alice.wait_card("Scale payment-svc?")
    world.bot.refuses = True
    await alice.click("Yes", card)
    await expect(card.get_by_role("status")).to_contain_text("Nothing was done")
    world.bot.refuses = False
    await alice.click("Yes", card)
    await expect(card).to_contain_text("alice pressed confirm")


def asking(title: str) -> Card:
    buttons = (Button(id="confirm", label="Yes", style="danger", token="t"), Button(id="cancel", label="No"))
    return Card(title=title, language="en", tone="warn", blocks=(Text("It has 2 pods."),), buttons=buttons)


async def test_links_lead_out_and_only_into_the_web(console: Console, world: World) -> None:
    alice = await console.open_as("alice")
    links = (Link("Silence", "http://am:9093/#/x?a=%7B%7D"), Link("Evil", "javascript://am/%0aalert(1)"))
    await world.bot.answer(OPS, Card(title="Slow", language="en", blocks=(Links(links),)), key="k")
    card = await alice.wait_card("Slow")
    anchor = card.get_by_role("link")
    await expect(anchor).to_have_count(1)
    await expect(anchor).to_have_text("Silence (am:9093)")
    await expect(anchor).to_have_attribute("href", "http://am:9093/#/x?a=%7B%7D")
    await expect(anchor).to_have_attribute("rel", "noopener noreferrer")
    await expect(card.locator(".links")).to_contain_text("Evil")


async def test_a_message_that_is_not_taken_can_be_sent_again(console: Console, world: World) -> None:
    alice, bob = await console.open_as("alice"), await console.open_as("bob")
    world.bot.refuses = True
    await alice.say("@bot payment")
    mine = await alice.wait_message("payment")
    await expect(mine).to_contain_text("Not delivered.")
    await expect(await bob.wait_message("payment")).to_contain_text("Not delivered.")
    world.bot.refuses = False
    await alice.front()
    await mine.get_by_role("button", name="Try again").click()
    await alice.wait_card("payment-svc: payment")
    await expect(mine).not_to_contain_text("Not delivered.")
    assert await alice.messages().count() == 1


async def test_words_come_back_when_the_console_cannot_be_reached(console: Console) -> None:
    alice = await console.open_as("alice")

    async def cut(route: Route) -> None:
        await route.abort()

    await alice.tab.route("**/api/say", cut)
    await alice.say("@bot payment")
    await expect(alice.tab.get_by_role("alert")).to_contain_text("cannot be reached")
    await expect(alice.tab.locator("#text")).to_have_value("@bot payment")
    await alice.tab.unroute("**/api/say")
    await alice.tab.locator("#text").press("Enter")
    await alice.wait_card("payment")
    await expect(alice.tab.get_by_role("alert")).to_have_count(0)


async def test_markup_is_shown_and_never_run(console: Console, world: World) -> None:
    alice, bob = await console.open_as("alice"), await console.open_as("bob")
    await alice.say(f"@bot {SCRIPT}")
    card = await bob.wait_card(SCRIPT)
    await expect(card.locator(".card-title")).to_have_text(f"payment-svc: {SCRIPT}")
    await expect(card.locator(".code")).to_contain_text(SCRIPT)
    await expect(card.locator(".fields")).to_contain_text(SCRIPT)
    await bob.reply_to(card, SCRIPT)
    await world.chat.notice(room=OPS, text=SCRIPT, root="")
    await expect(bob.tab.locator(".notice")).to_have_text(SCRIPT)
    world.pane.workloads[0]["name"] = SCRIPT
    world.pane.stage("orders", "order-db", "OOMKilled")
    await expect(bob.tab.locator(".workload-words").first).to_have_text(SCRIPT)
    await bob.say("/ops " + SCRIPT)
    await bob.wait_message("/ops")
    for page in (alice, bob):
        assert await page.tab.locator("img, main script, #log a").count() == 0


async def test_names_are_data_as_well(console: Console, world: World) -> None:
    page = await console.open()
    await page.tab.locator("#who-name").fill("<b>mallory</b>")
    await page.tab.locator("#who-name").press("Enter")
    await expect(page.tab.get_by_role("alert")).to_contain_text("A name has")
    await page.tab.locator("#who-name").fill("bot")
    await page.tab.locator("#who-name").press("Enter")
    await expect(page.tab.get_by_role("alert")).to_contain_text("Nobody may speak as the bot")
    await page.tab.locator("#who-name").fill("张 三")
    await page.tab.locator("#who-name").press("Enter")
    await page.say("你好")
    await page.wait_message("你好")
    assert world.bot.events[0].user.id == "张 三"


async def test_who_one_is_belongs_to_the_tab(console: Console) -> None:
    first, second = await console.open(), await console.open()
    await first.choose("alice")
    await second.choose("carol")
    await first.tab.reload()
    await second.tab.reload()
    for page, name in ((first, "alice"), (second, "carol")):
        await expect(page.tab.locator("#who")).to_have_text(f"{name[0].upper()}{name}")
    await first.front()
    await first.tab.locator("#who").click()
    await first.choose("bob")
    await expect(first.tab.locator("#who")).to_have_text("Bbob")


async def test_a_notice_for_one_person_is_shown_to_that_person(console: Console, world: World) -> None:
    alice, bob = await console.open_as("alice"), await console.open_as("bob")
    await world.chat.notice(room=OPS, text="the store is away", root="", to="alice")
    await expect(alice.tab.locator(".notice")).to_contain_text("only you see this")
    await bob.say("later")
    await bob.wait_message("later")
    await expect(bob.tab.get_by_text("the store is away")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_it_fits_a_telephone(browser: Browser, world: World, scheme: Literal["light", "dark"]) -> None:
    async with Console.opened(browser, world.address, width=380, height=740, scheme=scheme) as console:
        alice = await console.open_as("alice")
        await alice.say("@bot " + "averyveryverylongwordwithoutanybreak" * 8)
        await alice.wait_card("averyvery")
        assert await overflow(alice) == []
        await expect(alice.tab.locator("#pane")).to_be_hidden()
        await alice.tab.locator("#pane-toggle").click()
        await expect(alice.workload("payment-svc")).to_be_in_viewport()
        assert await overflow(alice) == []
        await alice.tab.locator("#pane-close").click()
        await expect(alice.tab.locator("#pane")).to_be_hidden()
        await alice.tab.keyboard.press("Enter")
        await alice.tab.locator(".stage").first.focus()
        await alice.tab.keyboard.press("Escape")
        await expect(alice.tab.locator("#pane")).to_be_hidden()


async def overflow(page: Page) -> list[str]:
    """What reaches beyond the right edge of the window, or out of its own box, and is in nothing that scrolls."""
    found: list[str] = await page.tab.evaluate(
        """() => [...document.querySelectorAll("body *")].filter((node) =>
            node.checkVisibility() && !node.closest(".table, .code, .unseen, svg, .skip")
            && (node.getBoundingClientRect().right > innerWidth + 0.5
                || (node.clientWidth && node.scrollWidth > node.clientWidth + 1
                    && getComputedStyle(node).overflowX === "visible")))
            .map((node) => node.outerHTML.slice(0, 90))"""
    )
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_text_stands_out_from_its_ground(
    browser: Browser, world: World, scheme: Literal["light", "dark"]
) -> None:
    async with Console.opened(browser, world.address, scheme=scheme) as console:
        alice = await console.open_as("alice")
        bob = await console.open_as("bob")
        await bob.say("@bot payment")
        await bob.reply_to(await bob.wait_card("payment"), "scale it to 5")
        for tone in ("info", "ok", "warn", "muted"):
            await world.bot.answer(OPS, msgspec.structs.replace(asking(f"a card of {tone}"), tone=tone), key=tone)
        world.bot.refuses = True
        await alice.say("@bot restart it")
        await alice.wait_message("Not delivered.")
        await alice.tab.locator("#who").click()
        assert await faint(alice) == []


async def faint(page: Page) -> list[str]:
    """Texts with less than the contrast of 4.5 that WCAG 2 (1.4.3, AA) asks for, of controls that can be used."""
    found: list[str] = await page.tab.evaluate(
        """() => {
            const light = (colour) => {
                const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((value) => value / 255)
                    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const clear = /^(transparent|rgba\\(.*, 0\\))$/;
            const ground = (node) => {
                const { backgroundColor } = getComputedStyle(node);
                return clear.test(backgroundColor) && node.parentElement ? ground(node.parentElement) : backgroundColor;
            };
            const texts = [...document.querySelectorAll("body *")].filter((node) =>
                [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())
                && node.checkVisibility() && !node.closest(".unseen, noscript, :disabled"));
            if (texts.length < 80) return [`only ${texts.length} texts were found`];
            return texts.map((node) => {
                const [one, two] = [light(getComputedStyle(node).color), light(ground(node))].sort((a, b) => b - a);
                return [(one + 0.05) / (two + 0.05), node];
            }).filter(([contrast]) => contrast < 4.5)
                .map(([contrast, node]) => `${contrast.toFixed(2)} ${node.outerHTML.slice(0, 80)}`);
        }"""
    )
    return found


async def test_the_page_speaks_chinese_to_who_reads_it(browser: Browser, world: World) -> None:
    async with Console.opened(browser, world.address, locale="zh-CN") as console:
        page = await console.open()
        await expect(page.tab.get_by_role("heading", name="你是谁？")).to_be_visible()
        await page.choose("alice")
        await expect(page.tab.locator("#text")).to_have_attribute("placeholder", "在 #ops 发言")
        await page.say("@bot帮我看下支付")
        card = await page.wait_card("payment-svc: 帮我看下支付")
        await expect(card.locator("[data-button=reply]")).to_have_text("回复")
        await page.tab.locator("#language").click()
        await expect(card.locator("[data-button=reply]")).to_have_text("Reply")
        await page.tab.reload()
        await expect(page.tab.locator("#text")).to_have_attribute("placeholder", "Message #ops")


async def test_every_word_of_the_page_is_there_in_both_languages(console: Console) -> None:
    page = await console.open_as("alice")
    for _ in range(2):
        labels: list[str] = await page.tab.evaluate(
            """() => [...document.querySelectorAll("[data-text], [data-label]")].map((node) =>
                node.dataset.text ? node.textContent : node.getAttribute("aria-label"))"""
        )
        assert labels
        assert all(labels)
        assert not [label for label in labels if "_" in label or "{" in label]
        await page.tab.locator("#language").click()


async def test_the_cluster_is_live_and_can_be_broken(console: Console, world: World) -> None:
    alice, bob = await console.open_as("alice"), await console.open_as("bob")
    await expect(alice.workload("payment-svc")).to_contain_text("CrashLoopBackOff")
    await expect(alice.workload("payment-svc")).to_contain_text("14 restarts")
    await expect(alice.workload("order-settle")).to_contain_text("6/6")
    await alice.stage("order-settle", "ImagePullBackOff")
    for page in (alice, bob):
        await expect(page.workload("order-settle")).to_contain_text("ImagePullBackOff")
        await expect(page.workload("order-settle")).to_contain_text("5/6")
    await alice.front()
    await alice.workload("order-db").locator(".workload-name").click()
    await expect(alice.workload("order-db").locator(".pod")).to_have_count(2)
    world.pane.stage("orders", "order-settle", "Running")
    await expect(bob.workload("order-settle")).to_contain_text("6/6")
    await expect(alice.workload("order-db").locator(".pod")).to_have_count(2)


async def test_the_menu_is_worked_by_the_keyboard(console: Console, world: World) -> None:
    alice = await console.open_as("alice")
    button = alice.workload("order-db").locator(".stage")
    await button.focus()
    await alice.tab.keyboard.press("Enter")
    await alice.tab.keyboard.press("ArrowDown")
    await expect(alice.tab.get_by_role("menuitem").nth(1)).to_be_focused()
    # The workload is drawn anew below the open menu.
    world.pane.stage("orders", "order-db", "OOMKilled")
    await expect(alice.workload("order-db")).to_contain_text("OOMKilled")
    await alice.tab.keyboard.press("Escape")
    await expect(alice.tab.get_by_role("menu")).to_be_hidden()
    await expect(button).to_be_focused()
    await alice.tab.keyboard.press("Enter")
    await alice.tab.keyboard.press("End")
    await alice.tab.keyboard.press("ArrowUp")
    await alice.tab.keyboard.press("Enter")
    await expect(alice.workload("order-db")).to_contain_text("NotReady")


async def test_a_click_that_has_begun_survives_changes_of_other_workloads(console: Console, world: World) -> None:
    alice = await console.open_as("alice")
    button = alice.workload("payment-svc").locator(".workload-name")
    await button.hover()
    await alice.tab.mouse.down()
    world.pane.stage("orders", "order-db", "OOMKilled")
    await expect(alice.workload("order-db")).to_contain_text("OOMKilled")
    await alice.tab.mouse.up()
    await expect(alice.workload("payment-svc").locator(".pod")).to_have_count(3)


async def test_an_input_method_keeps_its_enter(console: Console, world: World) -> None:
    alice = await console.open_as("alice")
    await alice.tab.locator("#text").fill("@bot ni hao")
    await alice.tab.evaluate(
        """() => document.getElementById("text").dispatchEvent(
            new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }))"""
    )
    await expect(alice.tab.locator("#text")).to_have_value("@bot ni hao")
    await alice.tab.locator("#text").press("Shift+Enter")
    await expect(alice.tab.locator("#text")).to_have_value("@bot ni hao\n")
    assert world.bot.events == []


async def test_more_tabs_than_a_browser_has_connections_stay_alive(console: Console, world: World) -> None:
    tabs = [await console.open_as(f"user{number}") for number in range(8)]
    assert world.chat.feed.listeners == 1
    await tabs[7].say("hello from the last")
    for tab in tabs:
        await tab.wait_message("hello from the last")
    # The first tab reads for all; when it goes, another one takes over without losing anything.
    await tabs[0].tab.close()
    await tabs[1].say("the first one left")
    for tab in tabs[1:]:
        await tab.wait_message("the first one left")


async def test_tabs_come_back_after_the_bot_was_away(console: Console, world: World) -> None:
    alice, bob = await console.open_as("alice"), await console.open_as("bob")
    await alice.say("before")
    await bob.wait_message("before")
    await world.chat.stop()
    for page in (alice, bob):
        await expect(page.tab.locator("#status")).to_contain_text("Connection lost")
    await world.chat.start(world.bot)
    await world.chat.say(event_id=None, room="ops", user="carol", text="while you were away")
    for page in (alice, bob):
        await page.live()
        await page.wait_message("while you were away")
        assert await page.messages().count() == 2


async def test_tabs_of_an_earlier_process_show_the_room_of_the_new_one(browser: Browser, world: World) -> None:
    second = ConsoleChat(clock=FixedClock(1_800_000_000.0), ids=numbered())
    await second.start(SmallBot(second))
    await second.say(event_id=None, room="ops", user="carol", text="said to the second process")
    async with AsyncExitStack() as later:
        async with served(web_console(world.chat)) as address:
            console = await later.enter_async_context(Console.opened(browser, address))
            alice, bob = await console.open_as("alice"), await console.open_as("bob")
            await alice.say("said to the first process")
            await bob.wait_message("first process")
            await world.chat.stop()
        async with served(web_console(second), int(address.rpartition(":")[2])):
            for page in (alice, bob):
                await page.wait_message("second process")
                assert await page.messages().count() == 1
            await bob.say("@bot payment")
            await alice.wait_card("payment")
            await second.stop()


async def test_one_goes_from_room_to_room(browser: Browser, world: World) -> None:
    async with served(web_console(world.chat, rooms=("ops", "dev"))) as address:
        async with Console.opened(browser, address) as console:
            alice = await console.open_as("alice")
            await alice.say("in the first room")
            await alice.wait_message("in the first room")
            await alice.tab.locator("#rooms").select_option("dev")
            await expect(alice.tab.locator("#text")).to_have_attribute("placeholder", "Message #dev")
            await alice.live()
            await alice.say("in the second room")
            await alice.wait_message("in the second room")
            assert await alice.messages().count() == 1
            nowhere = await console.open("/?as=bob&room=nowhere")
            await nowhere.wait_message("in the first room")
        assert [entry.room for entry in world.chat.log.entries()] == ["ops", "dev"]
        await world.chat.stop()


async def test_reading_back_is_not_disturbed(console: Console, world: World) -> None:
    alice = await console.open_as("alice")
    message = await world.bot.answer(OPS, asking("The first card"), key="first")
    for number in range(30):
        await world.chat.say(event_id=None, room="ops", user="bob", text=f"line {number}")
    await alice.wait_message("line 29")
    await expect(alice.messages().last).to_be_in_viewport()
    await alice.card("The first card").scroll_into_view_if_needed()
    await expect(alice.tab.locator("#below")).to_be_visible()
    await world.chat.say(event_id=None, room="ops", user="bob", text="line 30")
    await expect(alice.tab.locator("#below")).to_have_text("1 new")
    await expect(alice.card("The first card")).to_be_in_viewport()
    await alice.tab.locator("#below").click()
    await expect(alice.messages().last).to_be_in_viewport()
    await expect(alice.tab.locator("#below")).to_be_hidden()
    await world.chat.update(room=OPS, thread="t", card=asking("It has changed"), message=message, root="")
    await alice.tab.locator("#updated").get_by_text("It has changed").click()
    await expect(alice.card("It has changed")).to_be_in_viewport()
    await expect(alice.tab.locator("#updated")).to_be_hidden()


async def test_a_card_that_names_somebody_stands_out_for_that_person(console: Console, world: World) -> None:
    alice, bob = await console.open_as("alice"), await console.open_as("bob")
    await alice.say("@bot payment")
    await expect(await alice.wait_card("payment")).to_contain_text("for you")
    await expect(await bob.wait_card("payment")).not_to_contain_text("for you")


async def test_the_appearance_follows_the_system_until_it_is_chosen(browser: Browser, world: World) -> None:
    async with Console.opened(browser, world.address, scheme="dark") as console:
        alice = await console.open_as("alice")

        async def ground() -> str:
            colour: str = await alice.tab.evaluate("getComputedStyle(document.body).backgroundColor")
            return colour

        dark = await ground()
        await alice.tab.locator("#theme").click()
        light = await ground()
        assert light != dark
        await alice.tab.reload()
        assert await ground() == light
        await alice.tab.locator("#theme").click()
        assert await ground() == dark


async def test_a_console_without_a_sandbox_has_no_pane(browser: Browser, world: World) -> None:
    async with served(web_console(world.chat)) as address, Console.opened(browser, address) as console:
        alice = await console.open_as("alice")
        await expect(alice.tab.locator("#pane")).to_be_hidden()
        await expect(alice.tab.locator("#pane-toggle")).to_be_hidden()
        await expect(alice.tab.get_by_role("button", name="@bot how is payment-svc?")).to_be_visible()
