// Builds elements. Text goes in as text, never as markup: what people, logs and names say is data.

const SVG = "http://www.w3.org/2000/svg";

// element("button", { class: "x", text: "Go", on: { click }, type: "button" }, child, …)
export function element(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  const { class: names, text, on = {}, data = {}, ...attributes } = options;
  if (names) node.className = names;
  if (text !== undefined) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  Object.assign(node.dataset, data);
  for (const [name, listener] of Object.entries(on)) node.addEventListener(name, listener);
  node.append(...children.filter(Boolean));
  return node;
}

// One of the symbols in index.html; decoration only.
export function icon(name, names = "") {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.setAttribute("aria-hidden", "true");
  if (names) svg.setAttribute("class", names);
  svg.append(use);
  return svg;
}

export function byId(id) {
  return document.getElementById(id);
}

// Makes these the children of `parent`. Those that are there already stay where they are, so that they keep focus,
// and a click that has begun on them ends on them.
export function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, place) => {
    const there = parent.childNodes[place] ?? null;
    if (there !== node) parent.insertBefore(node, there);
  });
}

// A stable colour (0 to 5) for a name.
export function hueOf(name) {
  let sum = 0;
  for (const letter of name) sum = (sum * 19 + letter.codePointAt(0)) % 65521;
  return sum % 6;
}

export function avatar(name) {
  const first = [...name][0] ?? "?";
  return element("span", { class: `avatar hue-${hueOf(name)}`, text: first.toUpperCase(), "aria-hidden": "true" });
}

// Starts a CSS animation that the element may have run before.
export function flash(node, name = "flash") {
  node.classList.remove(name);
  void node.offsetWidth;
  node.classList.add(name);
  node.addEventListener("animationend", () => node.classList.remove(name), { once: true });
}
