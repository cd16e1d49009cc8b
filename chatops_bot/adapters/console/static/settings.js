// What a person has chosen: who they are (this tab only), language and appearance (this browser).

import { avatar, byId, element, icon } from "./dom.js";
import { currentLanguage, t, useLanguage } from "./texts.js";

const THEMES = ["auto", "light", "dark"];
const NAME = /^[\p{L}\p{N}_.-]+( [\p{L}\p{N}_.-]+)*$/u;

function themeNow() {
  const chosen = localStorage.getItem("theme");
  return THEMES.includes(chosen) ? chosen : "auto";
}

export function drawTheme() {
  const theme = themeNow();
  document.documentElement.dataset.theme = theme;
  const button = byId("theme");
  button.replaceChildren(icon(theme));
  button.title = t(`theme_${theme}`);
  button.setAttribute("aria-label", t(`theme_${theme}`));
}

export function startTheme() {
  byId("theme").addEventListener("click", () => {
    localStorage.setItem("theme", THEMES[(THEMES.indexOf(themeNow()) + 1) % THEMES.length]);
    drawTheme();
  });
}

export function startLanguage(afterwards) {
  byId("language").addEventListener("click", () => {
    const next = currentLanguage() === "zh" ? "en" : "zh";
    localStorage.setItem("language", next);
    useLanguage(next);
    afterwards();
  });
}

// Who this tab is: named in the address (?as=bob), chosen before, or nobody yet.
export function initialUser() {
  const named = new URLSearchParams(location.search).get("as")?.trim();
  if (named && NAME.test(named)) sessionStorage.setItem("user", named);
  return sessionStorage.getItem("user") ?? "";
}

export function drawUser(user) {
  const button = byId("who");
  button.hidden = !user;
  if (!user) return;
  button.replaceChildren(avatar(user), element("span", { class: "who-name", text: user }));
  button.title = t("who_button", { name: user });
  button.setAttribute("aria-label", button.title);
}

// The dialog that asks who one is; `chosen(name)`.
export class WhoDialog {
  constructor(tab, chosen) {
    this.tab = tab;
    this.chosen = chosen;
    this.dialog = byId("who-dialog");
    byId("who").addEventListener("click", () => this.ask());
    byId("who-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.typed(byId("who-name").value.trim());
    });
    // Without a name nothing can be said: the first choice cannot be left.
    this.dialog.addEventListener("cancel", (event) => {
      if (!this.tab.user) event.preventDefault();
    });
  }

  ask() {
    byId("who-trouble").hidden = true;
    byId("who-name").value = "";
    byId("who-people").replaceChildren(...this.tab.people.map((name) =>
      element("button", { class: "person", type: "button", "aria-pressed": String(name === this.tab.user), on: { click: () => this.take(name) } },
        avatar(name), element("span", { text: name }))));
    this.dialog.showModal();
  }

  typed(name) {
    const own = name.toLowerCase() === this.tab.bot.toLowerCase();
    if (NAME.test(name) && !own) return this.take(name);
    byId("who-trouble").textContent = t(own ? "bot_name" : "bad_name");
    byId("who-trouble").hidden = false;
    return undefined;
  }

  take(name) {
    sessionStorage.setItem("user", name);
    this.dialog.close();
    this.chosen(name);
  }
}
