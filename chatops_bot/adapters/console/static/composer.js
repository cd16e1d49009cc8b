// Where one writes: the message, what it answers, and what went wrong with it.

import { nonce, post, Refused } from "./api.js";
import { firstWords } from "./card.js";
import { byId, element } from "./dom.js";
import { titleOf } from "./room.js";
import { t } from "./texts.js";

export class Composer {
  constructor(tab) {
    this.tab = tab;
    this.answering = null;
    this.text = byId("text");
    byId("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    byId("quote-leave").addEventListener("click", () => this.leave());
    byId("mention").addEventListener("click", () => this.mention());
    this.text.addEventListener("keydown", (event) => this.key(event));
    this.text.addEventListener("input", () => {
      this.say("");
      this.fit();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open]")) this.leave();
    });
  }

  // An input method uses Enter to take a candidate and Escape to drop it; neither is meant for us then.
  key(event) {
    if (event.isComposing || event.keyCode === 229) {
      event.stopPropagation();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.send();
    }
  }

  answer(entry) {
    this.answering = entry;
    this.draw();
    this.text.focus();
  }

  leave() {
    this.answering = null;
    this.draw();
  }

  write(text) {
    this.text.value = text;
    this.fit();
    this.text.focus();
  }

  mention() {
    const at = `@${this.tab.bot} `;
    const { value } = this.text;
    if (!value.startsWith(at)) this.write(at + value);
    this.text.focus();
  }

  async send() {
    const text = this.text.value.trim();
    if (!text || !this.tab.user) return;
    const entry = this.answering;
    const body = { room: this.tab.room, user: this.tab.user, text, reply_to: entry?.id ?? "", nonce: nonce() };
    this.say("");
    this.write("");
    this.leave();
    try {
      await post("api/say", body);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.say(error.sentence());
      // What the bot did not take stands in the room, with a way to send it again; anything else is given back.
      if (error.code !== "not_accepted" && !this.text.value) {
        this.write(text);
        if (entry) this.answer(entry);
      }
    }
  }

  say(trouble) {
    const line = byId("trouble");
    line.textContent = trouble;
    line.hidden = !trouble;
  }

  fit() {
    this.text.style.height = "auto";
    this.text.style.height = `${Math.min(this.text.scrollHeight, 180)}px`;
  }

  draw() {
    const entry = this.answering;
    byId("quote").hidden = !entry;
    if (entry) {
      const card = entry.kind === "card";
      byId("quote-title").textContent = card ? entry.card.title : entry.user;
      byId("quote-text").textContent = card ? firstWords(entry.card) : entry.text;
    }
    const placeholder = !entry ? t("placeholder", { room: this.tab.room })
      : entry.kind === "card" ? t("placeholder_reply") : t("placeholder_reply_person", { name: entry.user });
    this.text.placeholder = placeholder;
    this.text.setAttribute("aria-label", entry ? `${placeholder}: ${titleOf(entry, this.tab)}` : placeholder);
    byId("mention").replaceChildren(element("span", { text: `@${this.tab.bot}` }));
    this.fit();
  }
}
