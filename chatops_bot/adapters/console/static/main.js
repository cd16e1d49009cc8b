// Puts the page together.

import { Cluster, replicasOf } from "./cluster.js";
import { Composer } from "./composer.js";
import { byId, element } from "./dom.js";
import { Live } from "./live.js";
import { closeMenu, startMenu } from "./menu.js";
import { Room } from "./room.js";
import { drawTheme, drawUser, initialUser, startLanguage, startTheme, WhoDialog } from "./settings.js";
import { initialLanguage, t, useLanguage } from "./texts.js";

const WIDE = matchMedia("(min-width: 960px)");

// What is not known here comes with the state of the room.
const tab = {
  room: new URLSearchParams(location.search).get("room") ?? "",
  user: initialUser(),
  bot: "bot",
  people: [],
};

useLanguage(initialLanguage());
const composer = new Composer(tab);
const room = new Room(tab, { reply: (entry) => composer.answer(entry) });
const cluster = new Cluster();
const who = new WhoDialog(tab, (name) => {
  tab.user = name;
  drawUser(name);
  room.redraw();
  composer.text.focus();
});
let status = "connecting";
let paneWanted = null;

function drawStatus() {
  const node = byId("status");
  node.className = `status ${status}`;
  node.replaceChildren(element("span", { class: "light", "aria-hidden": "true" }), element("span", { class: "status-word", text: t(status) }));
}

// Wide enough, the pane stands beside the room unless it was closed; else it lies over it when wanted.
function drawPane() {
  const there = cluster.snapshot !== null;
  const shown = there && (paneWanted ?? WIDE.matches);
  byId("pane-toggle").hidden = !there;
  byId("pane").hidden = !shown;
  byId("pane-toggle").setAttribute("aria-expanded", String(shown));
  document.body.classList.toggle("with-pane", shown);
}

function drawEmpty() {
  const example = cluster.example();
  const service = example?.name ?? "payment-svc";
  const count = example ? replicasOf(example) + 1 : 3;
  const tries = ["try_status", "try_scale", "try_logs", "try_help"].map((key) => {
    const text = t(key, { bot: tab.bot, service, count });
    return element("button", { class: "try", type: "button", text, on: { click: () => composer.write(text) } });
  });
  byId("empty").replaceChildren(element("h2", { text: t("empty_title") }), element("p", { text: t("empty_note") }), element("div", { class: "tries" }, ...tries));
}

function drawRooms(rooms) {
  const choice = byId("rooms");
  choice.hidden = rooms.length < 2;
  choice.replaceChildren(...rooms.map((name) => element("option", { value: name, text: `# ${name}`, selected: name === tab.room })));
  document.querySelector("h1").classList.toggle("unseen", rooms.length > 1);
}

const live = new Live(tab.room, {
  state(state) {
    Object.assign(tab, { bot: state.bot, people: state.people, room: state.room });
    byId("room-name").textContent = state.room;
    drawRooms(state.rooms);
    composer.draw();
    drawEmpty();
    room.fill(state.entries);
    if (!tab.user && !byId("who-dialog").open) who.ask();
  },
  entry: (entry) => room.take(entry),
  cluster(snapshot) {
    cluster.take(snapshot);
    drawPane();
    if (!byId("empty").hidden) drawEmpty();
  },
  status(next) {
    status = next;
    drawStatus();
  },
});

startMenu();
startTheme();
startLanguage(() => {
  closeMenu();
  drawTheme();
  drawUser(tab.user);
  drawStatus();
  drawEmpty();
  composer.draw();
  room.redraw();
  cluster.draw();
});
byId("rooms").addEventListener("change", ({ target }) => {
  const there = new URL(location.href);
  there.searchParams.set("room", target.value);
  location.assign(there);
});
byId("pane-toggle").addEventListener("click", () => {
  paneWanted = byId("pane").hidden;
  drawPane();
});
function closePane() {
  paneWanted = false;
  drawPane();
  byId("pane-toggle").focus();
}
byId("pane-close").addEventListener("click", closePane);
byId("pane").addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || WIDE.matches) return;
  event.preventDefault();
  closePane();
});
WIDE.addEventListener("change", () => {
  paneWanted = null;
  drawPane();
});
drawTheme();
drawUser(tab.user);
drawStatus();
composer.draw();
live.start();
