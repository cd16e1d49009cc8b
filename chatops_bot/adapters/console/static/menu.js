// One menu for the whole page, laid over it beside the button that opens it.

import { byId, element } from "./dom.js";

let opener = null;

// What opened the menu may have been drawn anew meanwhile.
function openerNow() {
  if (opener.isConnected) return opener;
  return document.querySelector(`[data-key="${CSS.escape(opener.dataset.key ?? "")}"]`);
}

// `items` are {name, note, choose()}.
export function openMenu(button, label, items) {
  const menu = byId("menu");
  if (opener && openerNow() === button) return closeMenu();
  closeMenu();
  opener = button;
  menu.setAttribute("aria-label", label);
  menu.replaceChildren(element("p", { class: "menu-label", text: label, "aria-hidden": "true" }), ...items.map((item) =>
    element("button", { type: "button", role: "menuitem", class: "menu-item", on: { click: () => { closeMenu(); item.choose(); } } },
      element("span", { text: item.name }), item.note ? element("span", { class: "note", text: item.note }) : null)));
  menu.hidden = false;
  const box = button.getBoundingClientRect();
  const size = menu.getBoundingClientRect();
  const below = box.bottom + 4 + size.height <= window.innerHeight;
  menu.style.left = `${Math.max(8, Math.min(box.right - size.width, window.innerWidth - size.width - 8))}px`;
  menu.style.top = `${Math.max(8, below ? box.bottom + 4 : box.top - 4 - size.height)}px`;
  menu.querySelector("button").focus();
  return undefined;
}

export function closeMenu() {
  const menu = byId("menu");
  if (menu.hidden) return;
  menu.hidden = true;
  if (menu.contains(document.activeElement)) openerNow()?.focus();
  opener = null;
}

function move(menu, key) {
  const items = [...menu.querySelectorAll("button")];
  const at = items.indexOf(document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[key];
  items[(next + items.length) % items.length].focus();
}

export function startMenu() {
  const menu = byId("menu");
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape" || event.key === "Tab") {
      if (event.key === "Escape") event.preventDefault();
      menu.querySelector("button")?.focus();
      closeMenu();
    } else if (["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) {
      event.preventDefault();
      move(menu, event.key);
    }
  });
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target) && !(opener && openerNow()?.contains(event.target))) closeMenu();
  });
  window.addEventListener("resize", closeMenu);
}
