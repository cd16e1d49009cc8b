// The sandbox cluster beside the room: workloads with their pods, live, and a way to break them.

import { post, Refused } from "./api.js";
import { arrange, byId, element, flash, icon } from "./dom.js";
import { openMenu } from "./menu.js";
import { currentLanguage, has, t } from "./texts.js";

const TROUBLES = ["CrashLoopBackOff", "OOMKilled", "ImagePullBackOff", "Pending", "NotReady", "Running"];
const WAITS = new Set(["Pending", "ContainerCreating", "PodInitializing", "Init"]);
const LEAVES = new Set(["Terminating", "Completed", "Succeeded"]);
const SHORT_KINDS = { Deployment: "deploy", StatefulSet: "sts", DaemonSet: "ds" };

// ok, wait, bad or gone: each has its own colour and its own shape.
function healthOf(pod) {
  const state = pod.state ?? "";
  if (LEAVES.has(state)) return "gone";
  if (WAITS.has(state) || state.startsWith("Init:")) return "wait";
  if (state === "Running") return pod.ready ? "ok" : "wait";
  return "bad";
}

function keyOf(workload) {
  return `${workload.namespace}/${workload.kind}/${workload.name}`;
}

function readyOf(workload) {
  return workload.ready ?? (workload.pods ?? []).filter((pod) => pod.ready && healthOf(pod) === "ok").length;
}

export function replicasOf(workload) {
  return workload.replicas ?? (workload.pods ?? []).length;
}

function troubled(workload) {
  return readyOf(workload) < replicasOf(workload) || (workload.pods ?? []).some((pod) => healthOf(pod) === "bad");
}

function nodeChip(node) {
  const words = node.unschedulable ? t("node_cordoned") : node.ready === false ? t("node_not_ready") : t("node_ready");
  const health = node.ready === false ? "bad" : node.unschedulable ? "wait" : "ok";
  const pods = node.pods === undefined ? "" : ` · ${t("pods_on_node", { count: node.pods })}`;
  return element("li", { class: "node", title: `${node.name}: ${words}${pods}` },
    element("span", { class: `dot ${health}`, "aria-hidden": "true" }), element("span", { text: node.name }),
    element("span", { class: health === "ok" ? "unseen" : "note", text: words }));
}

export class Cluster {
  constructor() {
    this.snapshot = null;
    this.drawn = new Map(); // by key: what was drawn, and from what
    this.open = new Set();
    this.failure = null;
  }

  take(snapshot) {
    this.snapshot = snapshot;
    this.draw();
  }

  workloads() {
    return this.snapshot?.workloads ?? [];
  }

  // The first workload that is in trouble, else the first one.
  example() {
    return this.workloads().find(troubled) ?? this.workloads()[0];
  }

  draw() {
    if (!this.snapshot) return;
    const bad = this.workloads().filter(troubled).length;
    byId("pane-name").textContent = this.snapshot.name ?? "";
    byId("pane-sum").textContent = bad ? t("some_troubled", { count: bad }) : t("all_ready");
    byId("pane-sum").className = `pane-sum ${bad ? "bad" : "ok"}`;
    byId("pane-alarm").hidden = !bad;
    byId("pane-alarm").textContent = String(bad);
    const body = byId("pane-body");
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    const before = this.drawn;
    this.drawn = new Map();
    arrange(body, [...this.nodes(before), ...this.namespaces(before)]);
    if (focused && !body.contains(document.activeElement)) body.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  // The element of this key, made anew only when what it shows has changed.
  keep(before, key, shown, make) {
    const known = before.get(key);
    const from = JSON.stringify([shown, currentLanguage()]);
    const drawn = known?.from === from ? known : { from, node: make() };
    this.drawn.set(key, drawn);
    return drawn.node;
  }

  nodes(before) {
    const nodes = this.snapshot.nodes ?? [];
    if (!nodes.length) return [];
    return [this.keep(before, "nodes", nodes, () =>
      element("section", { class: "nodes" }, element("h3", { text: t("nodes") }), element("ul", {}, ...nodes.map(nodeChip))))];
  }

  namespaces(before) {
    const groups = new Map();
    for (const workload of this.workloads()) {
      groups.set(workload.namespace, [...(groups.get(workload.namespace) ?? []), workload]);
    }
    if (!groups.size) return [element("p", { class: "note", text: t("pane_empty") })];
    return [...groups].map(([namespace, workloads]) => {
      const section = this.keep(before, `namespace ${namespace}`, namespace, () =>
        element("section", { class: "namespace" }, element("h3", { text: namespace }), element("ul")));
      arrange(section.querySelector("ul"), workloads.map((workload) => this.kept(before, workload)));
      return section;
    });
  }

  kept(before, workload) {
    const key = keyOf(workload);
    const known = before.get(key);
    const failure = this.failure?.key === key ? this.failure.sentence : "";
    const node = this.keep(before, key, [workload, this.open.has(key), failure], () => this.workload(workload));
    const now = JSON.stringify(workload);
    if (known && known.now !== now) flash(node);
    this.drawn.get(key).now = now;
    return node;
  }

  workload(workload) {
    const key = keyOf(workload);
    const pods = workload.pods ?? [];
    const open = this.open.has(key);
    const ready = readyOf(workload);
    const replicas = replicasOf(workload);
    const name = element("button", { class: "workload-name", type: "button", "aria-expanded": String(open), title: t("show_pods", { name: workload.name }), data: { key: `open ${key}` }, on: { click: () => this.toggle(key) } },
      icon("chevron", "chevron"), element("span", { class: "kind", text: SHORT_KINDS[workload.kind] ?? workload.kind }), element("span", { class: "workload-words", text: workload.name }));
    const dots = element("span", { class: "dots", "aria-hidden": "true" }, ...pods.map((pod) => element("span", { class: `dot ${healthOf(pod)}`, title: `${pod.name}: ${pod.state}` })));
    const count = element("span", { class: `count ${ready < replicas ? "bad" : ""}`, text: t("ready_of", { ready, replicas }), title: t("ready_label", { ready, replicas }), "aria-label": t("ready_label", { ready, replicas }) });
    const range = workload.autoscaler;
    const scaler = range ? element("span", { class: "note", text: `HPA ${range.min}–${range.max}` }) : null;
    const listed = pods.filter((pod) => open || healthOf(pod) !== "ok");
    const failure = this.failure?.key === key ? element("p", { class: "answer failed", role: "alert", text: this.failure.sentence }) : null;
    return element("li", { class: `workload${troubled(workload) ? " troubled" : ""}`, data: { workload: key } },
      element("div", { class: "workload-line" }, name, scaler, workload.paused ? element("span", { class: "note", text: t("paused") }) : null, count, this.stageButton(workload, key)),
      element("div", { class: "workload-more" }, dots, workload.image ? element("span", { class: "image", text: workload.image, title: workload.image }) : null),
      failure,
      listed.length ? element("ul", { class: "pods" }, ...listed.map((pod) => this.pod(pod, workload))) : null);
  }

  pod(pod, workload) {
    // Pods of one workload differ at the end of their names.
    const name = pod.name.startsWith(`${workload.name}-`) ? `…${pod.name.slice(pod.name.lastIndexOf("-"))}` : pod.name;
    const health = healthOf(pod);
    const state = pod.state === "Running" && !pod.ready ? t("not_ready") : pod.state;
    const restarts = pod.restarts === 1 ? t("restarts_one") : pod.restarts ? t("restarts", { count: pod.restarts }) : "";
    return element("li", { class: "pod" }, element("span", { class: `dot ${health}`, "aria-hidden": "true" }),
      element("span", { class: "pod-name", text: name, title: pod.name }),
      element("span", { class: `pod-state ${health}`, text: state }),
      restarts ? element("span", { class: "pod-restarts", text: restarts }) : null);
  }

  stageButton(workload, key) {
    const label = t("stage_for", { name: workload.name });
    const choose = (trouble) => this.stage(workload, key, trouble);
    return element("button", { class: "icon stage", type: "button", title: label, "aria-label": label, "aria-haspopup": "menu", data: { key: `stage ${key}` }, on: { click: (event) => {
      const items = TROUBLES.map((name) => ({
        name, note: has(`trouble_${name}`) ? t(`trouble_${name}`) : "", choose: () => choose(name),
      }));
      openMenu(event.currentTarget, t("stage"), items);
    } } }, icon("bolt"));
  }

  async stage(workload, key, trouble) {
    this.failure = null;
    try {
      await post("api/stage", { namespace: workload.namespace, name: workload.name, trouble });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.failure = { key, sentence: error.sentence() };
    }
    this.draw();
  }

  toggle(key) {
    if (this.open.has(key)) this.open.delete(key);
    else this.open.add(key);
    this.draw();
  }
}
