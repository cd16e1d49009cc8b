// A card of the bot as elements.

import { picture } from "./chart.js";
import { element, icon } from "./dom.js";
import { t } from "./texts.js";

const TONES = new Set(["info", "ok", "warn", "danger", "muted"]);
const STYLES = new Set(["default", "primary", "danger"]);

export function toneOf(card) {
  return TONES.has(card.tone) ? card.tone : "info";
}

// The first sentence under the title.
export function firstWords(card) {
  return (card.blocks ?? []).find((block) => block.type === "text")?.text ?? "";
}

// Opened beside, without telling where from. The bot only passes on addresses of the web; whatever else came is text.
function link({ label, url }) {
  let target;
  try { target = new URL(url); } catch { return element("span", { text: label }); }
  if (target.protocol !== "http:" && target.protocol !== "https:") return element("span", { text: label });
  return element("a", { href: target.href, target: "_blank", rel: "noopener noreferrer", text: `${label} (${target.host})` });
}

const BLOCKS = {
  text: (block) => element("p", { class: block.strong ? "words strong" : "words", text: block.text }),
  note: (block) => element("p", { class: "note", text: block.text }),
  code: (block) => element("pre", { class: "code", tabindex: "0", role: "group" }, element("code", { text: block.text })),
  links: (block) => element("p", { class: "note links" }, ...block.links.map(link)),
  picture,
  fields: (block) =>
    element("dl", { class: "fields" }, ...block.rows.map(([label, value]) =>
      element("div", {}, element("dt", { text: label }), element("dd", { text: value })))),
  table: (block) => {
    const [head = [], ...rows] = block.rows;
    const headRow = element("tr", {}, ...head.map((cell) => element("th", { scope: "col", text: cell })));
    const bodyRows = rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", { text: cell }))));
    const table = element("table", {}, element("thead", {}, headRow), element("tbody", {}, ...bodyRows));
    return element("div", { class: "table", tabindex: "0" }, table);
  },
};

// `pressed` is {button: index} while a click waits, {answer: {key, values}, failed} after one that changed nothing;
// `onPress(button, index)`; `reply` is the button that answers the card.
export function cardBody(card, { pressed, onPress, reply }) {
  const blocks = (card.blocks ?? []).map((block) => BLOCKS[block.type]?.(block));
  const title = element("h3", { class: "card-title" }, icon(toneOf(card), "tone-icon"), element("span", { text: card.title }));
  return element("div", { class: "card-body" }, title, ...blocks, buttons(card, pressed, onPress, reply));
}

function buttons(card, pressed, onPress, reply) {
  const waits = pressed?.button !== undefined;
  const row = (card.buttons ?? []).map((button, index) =>
    element("button", {
      class: `button ${STYLES.has(button.style) ? button.style : "default"}${pressed?.button === index ? " waiting" : ""}`,
      type: "button",
      disabled: waits,
      "aria-busy": pressed?.button === index ? "true" : undefined,
      data: { button: button.id },
      on: { click: () => onPress(button, index) },
    }, element("span", { text: button.label })));
  return element("div", { class: "buttons" }, ...row, reply);
}

// The line under the buttons that says what became of a click.
export function answerLine(pressed) {
  if (!pressed?.answer) return null;
  return element("p", { class: pressed.failed ? "answer failed" : "answer", role: "status", text: t(pressed.answer.key, pressed.answer.values) });
}
