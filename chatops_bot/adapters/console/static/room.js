// The room: messages, cards and notices in order, cards redrawn in place.

import { nonce, post, Refused } from "./api.js";
import { answerLine, cardBody, firstWords, toneOf } from "./card.js";
import { avatar, byId, element, flash, icon } from "./dom.js";
import { dayOf, t, timeOf } from "./texts.js";

const KEPT = 500;
const SAME_BREATH_MS = 3 * 60_000;
const LONGEST_WAIT_MS = 10_000;
const NEAR_PX = 48;

export class Room {
  // `on` is {reply(entry), try(text)}; `tab` is {room, user, bot}.
  constructor(tab, on) {
    this.tab = tab;
    this.on = on;
    this.shown = new Map(); // id -> {entry, node}
    this.pressed = new Map(); // id of a card -> what became of the last click on it
    this.list = byId("log");
    this.view = byId("scroll");
    this.pinned = true;
    this.lastTop = 0;
    this.unseen = 0;
    this.missed = 0;
    this.view.addEventListener("scroll", () => this.noteScroll(), { passive: true });
    new ResizeObserver(() => this.pinned && this.toBottom()).observe(this.list);
    new ResizeObserver(() => this.pinned && this.toBottom()).observe(this.view);
    byId("below").addEventListener("click", () => this.toBottom());
    byId("updated").addEventListener("click", () => this.goTo(byId("updated").dataset.card));
    document.addEventListener("visibilitychange", () => this.noteSeen());
  }

  // The whole room anew (a new tab, another language, another person, a gap in the stream).
  fill(entries) {
    this.list.replaceChildren();
    this.shown.clear();
    for (const entry of entries) this.append(entry);
    this.afterChange();
    this.toBottom();
  }

  redraw() {
    const { pinned } = this;
    const top = this.view.scrollTop;
    this.fill([...this.shown.values()].map(({ entry }) => entry));
    if (!pinned) this.view.scrollTop = top;
  }

  // One change of the stream.
  take(entry) {
    const known = this.shown.get(entry.id);
    if (known) this.replace(known, entry);
    else this.arrive(entry);
    this.afterChange();
  }

  find(id) {
    return this.shown.get(id)?.entry;
  }

  arrive(entry) {
    this.append(entry);
    if (!this.visible(entry)) return;
    const mine = entry.user === this.tab.user;
    if (mine || this.pinned) this.toBottom();
    else this.unseen += 1;
    if (!mine && document.hidden) this.missed += 1;
    if (entry.kind === "card") {
      this.settleThread(entry.thread);
      byId("announce").textContent = t("announce_card", { text: readOut(entry.card) });
    }
    if (entry.kind === "notice") byId("announce").textContent = entry.text;
  }

  append(entry) {
    const before = [...this.shown.values()].at(-1)?.entry;
    if (!before || dayOf(before.at) !== dayOf(entry.at)) {
      this.list.append(element("li", { class: "day", text: dayOf(entry.at) }));
    }
    const joins = before && before.kind === "said" && entry.kind === "said" && before.user === entry.user
      && entry.at - before.at < SAME_BREATH_MS;
    const node = this.draw(entry, joins);
    this.list.append(node);
    this.shown.set(entry.id, { entry, node, joins });
    this.prune();
  }

  replace(known, entry) {
    const redrawn = entry.kind === "card" && entry.version !== known.entry.version;
    if (redrawn) this.settle(entry.id);
    known.entry = entry;
    this.redrawOne(known);
    if (!redrawn) return;
    flash(known.node.querySelector(".card"));
    byId("announce").textContent = t("announce_updated", { text: readOut(entry.card) });
    if (document.hidden) this.missed += 1;
    if (!this.inView(known.node)) this.pointAt(entry);
  }

  redrawOne(known) {
    const focused = known.node.contains(document.activeElement) ? document.activeElement.dataset.button : undefined;
    const node = this.draw(known.entry, known.joins);
    known.node.replaceWith(node);
    known.node = node;
    if (focused) node.querySelector(`[data-button="${CSS.escape(focused)}"]`)?.focus();
  }

  // A notice may be for somebody else.
  visible(entry) {
    return entry.kind !== "notice" || !entry.to || entry.to === this.tab.user;
  }

  draw(entry, joins) {
    if (!this.visible(entry)) return element("li", { hidden: true });
    if (entry.kind === "card") return this.drawCard(entry);
    if (entry.kind === "notice") return this.drawNotice(entry);
    return this.drawMessage(entry, joins);
  }

  drawMessage(entry, joins) {
    const mine = entry.user === this.tab.user;
    const head = joins ? null : element("p", { class: "head" },
      element("span", { class: "name", text: mine ? t("you") : entry.user }),
      element("time", { text: timeOf(entry.at) }));
    const bubble = element("div", { class: "bubble" }, this.quoted(entry), element("p", { class: "words" }, ...this.spoken(entry.text)));
    const side = element("div", { class: "side" }, head, element("div", { class: "row" }, bubble, this.replyButton(entry)), this.delivery(entry, mine));
    return element("li", {
      class: `entry said ${mine ? "mine" : "theirs"}${joins ? " joins" : ""}`,
      data: { id: entry.id },
    }, mine ? null : joins ? element("span", { class: "avatar none" }) : avatar(entry.user), side);
  }

  // The mention of the bot stands out; it is all that is ever set off in what people write.
  spoken(text) {
    const mention = `@${this.tab.bot}`.toLowerCase();
    const at = text.toLowerCase().indexOf(mention);
    if (at < 0) return [text];
    const end = at + mention.length;
    return [text.slice(0, at), element("span", { class: "at", text: text.slice(at, end) }), text.slice(end)];
  }

  delivery(entry, mine) {
    if (entry.delivery === "waiting" && mine) return element("p", { class: "delivery late", text: t("sending") });
    if (entry.delivery !== "failed") return null;
    const again = mine && entry.id.startsWith("said:") ? element("button", { class: "link", type: "button", text: t("again"), on: { click: () => this.sendAgain(entry) } }) : null;
    return element("p", { class: "delivery failed" }, icon("warn"), element("span", { text: t("failed") }), again);
  }

  // The same mark again: should the first attempt have got through after all, this is no second message.
  async sendAgain(entry) {
    const body = { room: entry.room, user: entry.user, text: entry.text, reply_to: entry.reply_to ?? "", nonce: entry.id.slice("said:".length) };
    try {
      await post("api/say", body);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      byId("announce").textContent = error.sentence();
    }
  }

  drawNotice(entry) {
    return element("li", { class: "entry notice", data: { id: entry.id } },
      icon("info"), element("span", { class: "words", text: entry.text }),
      entry.to ? element("span", { class: "note", text: t("only_you") }) : null);
  }

  drawCard(entry) {
    const { card } = entry;
    const pressed = this.pressed.get(entry.id);
    const forMe = (card.mention ?? []).includes(this.tab.user);
    const changed = entry.version > 1 ? element("span", { class: "changed", text: t("updated_at", { time: timeOf(entry.updated_at) }) }) : null;
    const head = element("p", { class: "head" }, element("span", { class: "name", text: this.tab.bot }),
      element("time", { text: timeOf(entry.at) }), changed, forMe ? element("span", { class: "for-you", text: t("for_you") }) : null);
    const body = cardBody(card, {
      pressed, reply: this.replyButton(entry), onPress: (button, index) => this.press(entry, button, index),
    });
    const article = element("article", {
      class: `card tone-${toneOf(card)}${forMe ? " mentions" : ""}`,
      lang: card.language === "zh" ? "zh-CN" : "en",
      "aria-label": card.title,
    }, this.quoted(entry), body, answerLine(pressed));
    return element("li", { class: "entry bot", data: { id: entry.id } },
      element("span", { class: "avatar bot-avatar", "aria-hidden": "true" }, icon("bot")),
      element("div", { class: "side" }, head, article));
  }

  // What the entry answers, as a line that leads there.
  quoted(entry) {
    if (!entry.reply_to) return null;
    const to = this.find(entry.reply_to);
    const title = to ? titleOf(to, this.tab) : t("quoted_gone");
    return element("button", { class: "quoted", type: "button", disabled: !to, title: t("go_to_quoted", { title }), on: { click: () => this.goTo(entry.reply_to) } },
      icon("reply"), element("span", { text: title }));
  }

  replyButton(entry) {
    const card = entry.kind === "card";
    const label = card ? t("reply_to_card", { title: entry.card.title }) : t("reply_to_person", { name: entry.user });
    return element("button", { lang: document.documentElement.lang, class: card ? "reply" : "icon reply-small", type: "button", title: label, "aria-label": label, data: { button: "reply" }, on: { click: () => this.on.reply(entry) } },
      icon("reply"), card ? element("span", { text: t("reply") }) : null);
  }

  // A click is done when the card was redrawn. Should that take long, the buttons come back.
  async press(entry, button, index) {
    const id = entry.id;
    const click = { button: index };
    this.setPressed(id, click);
    const body = { room: entry.room, user: this.tab.user, card: id, button: button.id, token: button.token ?? "", value: button.value ?? "", nonce: nonce() };
    try {
      const { taken } = await post("api/click", body);
      if (this.pressed.get(id) !== click) return;
      if (taken === "duplicate") this.setPressed(id, { answer: { key: "pressed_duplicate" } });
      else setTimeout(() => this.pressed.get(id) === click && this.setPressed(id, { answer: { key: "pressed_waiting" } }), LONGEST_WAIT_MS);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.setPressed(id, { failed: true, answer: error.answer() });
    }
  }

  setPressed(id, pressed) {
    this.pressed.set(id, pressed);
    const known = this.shown.get(id);
    if (known) this.redrawOne(known);
  }

  // A new card answers whatever click its thread waits with.
  settleThread(thread) {
    if (!thread) return;
    for (const id of [...this.pressed.keys()]) {
      const known = this.shown.get(id);
      if (!known || known.entry.thread !== thread) continue;
      this.settle(id);
      this.redrawOne(known);
    }
  }

  settle(id) {
    this.pressed.delete(id);
  }

  prune() {
    while (this.shown.size > KEPT) {
      const [id, { node }] = this.shown.entries().next().value;
      node.remove();
      this.shown.delete(id);
    }
  }

  goTo(id) {
    const known = this.shown.get(id);
    if (!known) return;
    known.node.scrollIntoView({ block: "center", behavior: "smooth" });
    flash(known.node.querySelector(".card, .bubble") ?? known.node, "found");
    byId("updated").hidden = true;
  }

  // A card was redrawn out of sight.
  pointAt(entry) {
    const pill = byId("updated");
    pill.dataset.card = entry.id;
    pill.replaceChildren(icon("up"), element("span", { text: t("card_updated", { title: entry.card.title }) }));
    pill.hidden = false;
  }

  inView(node) {
    const box = node.getBoundingClientRect();
    const frame = this.view.getBoundingClientRect();
    return box.bottom > frame.top + NEAR_PX && box.top < frame.bottom - NEAR_PX;
  }

  toBottom() {
    this.pinned = true;
    this.unseen = 0;
    this.view.scrollTop = this.view.scrollHeight;
    this.lastTop = this.view.scrollTop;
    this.drawPills();
  }

  // A card that grows moves the bottom away while nobody scrolls: only a move upwards lets go of it.
  noteScroll() {
    const top = this.view.scrollTop;
    const near = this.view.scrollHeight - top - this.view.clientHeight < NEAR_PX;
    if (near) this.pinned = true;
    else if (top < this.lastTop) this.pinned = false;
    this.lastTop = top;
    if (this.pinned) this.unseen = 0;
    const pill = byId("updated");
    const known = this.shown.get(pill.dataset.card);
    if (!pill.hidden && known && this.inView(known.node)) pill.hidden = true;
    this.drawPills();
  }

  drawPills() {
    const pill = byId("below");
    const words = this.unseen ? t("below", { count: this.unseen }) : t("to_bottom");
    pill.hidden = this.pinned;
    if (!this.pinned && pill.textContent !== words) pill.replaceChildren(icon("down"), element("span", { text: words }));
    pill.classList.toggle("news", this.unseen > 0);
  }

  noteSeen() {
    if (!document.hidden) this.missed = 0;
    if (!document.hidden && this.pinned) this.toBottom();
    this.drawTitle();
  }

  drawTitle() {
    const count = this.missed ? `(${this.missed}) ` : "";
    document.title = `${count}#${this.tab.room} · ChatOps`;
  }

  afterChange() {
    byId("empty").hidden = this.shown.size > 0;
    this.drawPills();
    this.drawTitle();
  }
}

function readOut(card) {
  return `${card.title}\n${firstWords(card)}`;
}

export function titleOf(entry, tab) {
  if (entry.kind === "card") return entry.card.title;
  const words = entry.text.replace(/\s+/g, " ");
  return entry.user ? `${entry.user === tab.user ? t("you") : entry.user}: ${words}` : words;
}
