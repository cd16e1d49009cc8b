// Charts drawn from their values. Lines are stretched to the width there is; words are text beside them, in its own size.

import { element } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const BYTES = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
const WIDTH = 1000;
const HEIGHT = 400;
const ABOVE = 1.18; // room over the highest line, for words
const FAR = 4; // a limit so many times above all values is said, not drawn
const LONG = 36 * 3_600_000;

export function picture(block) {
  return element("div", { class: "picture" }, ...block.charts.map((chart, place) => figure(chart, block.captions[place])));
}

function figure(chart, caption) {
  const series = chart.series ?? [];
  const values = series.flatMap((line) => line.values).filter((value) => value !== null);
  const levels = (chart.thresholds ?? []).map((level, place) => ({
    value: level.value,
    text: level.label.args ? caption.thresholds[place] : `${caption.thresholds[place]} ${amount(level.value, chart.unit)}`,
  }));
  const scale = range(values, levels, chart.unit);
  const length = Math.max(2, ...series.map((line) => line.values.length));
  const end = chart.start + (length - 1) * chart.step;
  const across = (time) => Math.min(1, Math.max(0, (time - chart.start) / (end - chart.start)));
  const up = (value) => (value - scale.low) / (scale.high - scale.low);
  const seen = levels.filter((level) => level.value <= scale.high);
  const unseen = levels.filter((level) => level.value > scale.high).map((level) => `(${level.text})`);

  const plot = element("div", { class: "plot" }, lines(series, seen, scale.ticks, length, up));
  for (const level of seen) plot.append(placed("level", level.text, { bottom: up(level.value), right: 0 }));
  (chart.marks ?? []).forEach((mark, place) => {
    const x = across(mark.at);
    plot.append(placed("mark", caption.marks[place], x > 0.5 ? { right: 1 - x } : { left: x }, x > 0.5 ? "before" : ""));
  });

  return element("figure", { class: "chart", role: "img", "aria-label": caption.line },
    element("figcaption", {},
      element("span", { class: "chart-title", text: [caption.title, ...unseen].join(" ") }),
      element("span", { class: "zone", text: Intl.DateTimeFormat().resolvedOptions().timeZone })),
    element("div", { class: "frame" },
      element("div", { class: "heights" }, ...scale.ticks.map((tick) => placed("height", amount(tick, chart.unit), { bottom: up(tick) }))),
      plot,
      element("div", { class: "times" }, ...times(chart.start, end))),
    names(series, chart.left_out ?? 0));
}

function lines(series, levels, ticks, length, up) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  for (const tick of ticks) svg.append(path("grid", `M0 ${y(up(tick))}H${WIDTH}`));
  for (const level of levels) svg.append(path("threshold", `M0 ${y(up(level.value))}H${WIDTH}`));
  series.forEach((line, number) => svg.append(path(`line series-${number}`, trace(line.values, length, up))));
  return svg;
}

// A path with a gap where nothing was measured; a value alone is a dot.
function trace(values, length, up) {
  let steps = "";
  let drawing = false;
  values.forEach((value, place) => {
    if (value === null) {
      drawing = false;
      return;
    }
    const point = `${((place / (length - 1)) * WIDTH).toFixed(1)} ${y(up(value))}`;
    steps += drawing ? `L${point}` : `M${point}h0`;
    drawing = true;
  });
  return steps || "M0 0";
}

function y(share) {
  return (HEIGHT * (1 - share)).toFixed(1);
}

function path(names, steps) {
  const node = document.createElementNS(SVG, "path");
  node.setAttribute("class", names);
  node.setAttribute("d", steps);
  return node;
}

// Words at a place of the plot; shares of its width and height.
function placed(name, text, where, more = "") {
  const node = element("span", { class: `${name} ${more}`.trim(), text });
  for (const [side, share] of Object.entries(where)) node.style[side] = `${(share * 100).toFixed(2)}%`;
  return node;
}

function range(values, levels, unit) {
  const top = Math.max(0, ...values);
  const low = Math.min(0, ...values, ...levels.map((level) => level.value));
  const seen = levels.map((level) => level.value).filter((value) => value <= top * FAR || top <= 0);
  const most = Math.max(top, ...seen, low);
  const high = low + (most > low ? most - low : 1) * ABOVE;
  const step = unit === "bytes" ? 2 ** Math.ceil(Math.log2((high - low) / 5)) : nice((high - low) / 4, unit);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high && ticks.length < 8; tick += step) ticks.push(tick);
  return { low, high, ticks };
}

// The next of 1, 2, 5 times a power of ten; whole numbers for what is counted.
function nice(least, unit) {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= least) ?? 10 * power;
  return unit === "count" ? Math.max(1, Math.round(step)) : step;
}

function times(start, end) {
  const form = end - start > LONG
    ? new Intl.DateTimeFormat([], { month: "2-digit", day: "2-digit" })
    : new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return [0, 1, 2, 3].map((part) => element("span", { text: form.format(start + ((end - start) * part) / 3) }));
}

// Names of the lines without what all begin with: pods differ by their ends.
function names(series, leftOut) {
  if (!series.some((line) => line.name)) return null;
  const parts = series.map((line) => line.name.split("-"));
  let alike = 0;
  while (series.length > 1 && alike < parts[0].length - 1 && parts.every((part) => part[alike] === parts[0][alike])) alike += 1;
  const items = series.map((line, number) =>
    element("li", { title: line.name },
      element("span", { class: `key series-${number}`, "aria-hidden": "true" }),
      element("span", { text: alike ? `…-${parts[number].slice(alike).join("-")}` : line.name })));
  if (leftOut) items.push(element("li", { text: `+ ${leftOut}` }));
  return element("ul", { class: "names" }, ...items);
}

// As `domain/charts.py` writes amounts.
export function amount(value, unit) {
  if (unit === "bytes") {
    let size = Math.abs(value);
    let power = 0;
    while (size >= 1024 && power < BYTES.length - 1) {
      size /= 1024;
      power += 1;
    }
    return `${value < 0 ? "-" : ""}${short(size)} ${BYTES[power]}`;
  }
  if (unit === "cores") return value && Math.abs(value) < 1 ? `${short(value * 1000)}m` : short(value);
  if (unit === "share") return `${short(value * 100)} %`;
  if (unit === "seconds") return Math.abs(value) < 1 ? `${short(value * 1000)} ms` : `${short(value)} s`;
  return unit === "per_second" ? `${short(value)}/s` : short(value);
}

function short(value) {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}
