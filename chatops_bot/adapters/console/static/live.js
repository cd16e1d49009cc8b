// Keeps the tab up to date.
//
// A browser opens at most six connections to one host, and a stream holds one for good; a seventh tab would hang.
// So the tabs of one browser share a stream: whoever holds the lock reads it and passes everything on. When that tab
// closes, another one gets the lock and reads on from the last change that it knows.

import { get } from "./api.js";

const NAME = `console-stream:${new URL(".", document.baseURI).pathname}`;
const LONGEST_PAUSE_MS = 10_000;

export class Live {
  // `room` is its name, or "" for the first one. `show` is given {state(state), entry(entry), cluster(snapshot), status("connecting" | "live" | "offline")}.
  constructor(room, show) {
    this.room = room;
    this.show = show;
    this.epoch = "";
    this.last = 0;
    this.waiting = null;
    this.status = "";
    this.pause = 500;
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel(NAME) : null;
  }

  async start() {
    this.setStatus("connecting");
    this.channel?.addEventListener("message", ({ data }) => this.hear(data));
    await this.resync();
    if (this.channel && navigator.locks) {
      this.channel.postMessage({ ask: true });
      navigator.locks.request(NAME, () => this.lead());
    } else {
      this.lead();
    }
  }

  // Reads the whole state; changes that come meanwhile wait, and are applied if the state does not hold them yet.
  async resync() {
    if (this.waiting) return;
    this.waiting = [];
    for (;;) {
      try {
        const state = await get(this.room ? `api/room/${encodeURIComponent(this.room)}` : "api/room");
        this.room = state.room;
        if (state.pane) this.show.cluster(await get("api/cluster"));
        this.epoch = state.epoch;
        this.last = state.sequence;
        this.show.state(state);
        break;
      } catch (error) {
        if (error.code === "unknown_room" && this.room) this.room = "";
        else await this.failed();
      }
    }
    this.pause = 500;
    const waited = this.waiting;
    this.waiting = null;
    for (const change of waited) this.accept(change);
  }

  accept(change) {
    if (this.waiting) {
      this.waiting.push(change);
    } else if (change.epoch !== this.epoch || change.sequence > this.last + 1) {
      this.resync();
    } else if (change.sequence === this.last + 1) {
      this.last = change.sequence;
      if (change.entry.room === this.room) this.show.entry(change.entry);
    }
  }

  // What another tab passes on, or asks.
  hear(message) {
    if (message.ask && this.source) this.channel.postMessage({ status: this.status });
    if (message.status) this.setStatus(message.status);
    if (message.entry) this.accept(message);
    if (message.cluster) this.show.cluster(message.cluster);
    if (message.reset) this.resync();
  }

  tell(message) {
    this.channel?.postMessage(message);
    this.hear(message);
  }

  // Reads the stream for all tabs, for as long as this one lives.
  async lead() {
    for (;;) {
      if ((await this.read()) === "closed") this.tell({ status: "offline" });
      await this.rest();
    }
  }

  // One connection; returns when it has to be made anew. Shorter breaks are the browser's, which sends Last-Event-ID.
  read() {
    return new Promise((resolve) => {
      const source = new EventSource(`api/stream?after=${encodeURIComponent(`${this.epoch}-${this.last}`)}`);
      this.source = source;
      source.addEventListener("open", () => {
        this.pause = 500;
        this.tell({ status: "live" });
      });
      source.addEventListener("error", () => {
        if (source.readyState === EventSource.CLOSED) resolve("closed");
        else this.tell({ status: "offline" });
      });
      source.addEventListener("entry", ({ data }) => this.tell(JSON.parse(data)));
      source.addEventListener("cluster", ({ data }) => this.tell({ cluster: JSON.parse(data) }));
      source.addEventListener("reset", async () => {
        source.close();
        this.channel?.postMessage({ reset: true });
        await this.resync();
        resolve("reset");
      });
    });
  }

  async failed() {
    this.setStatus("offline");
    await this.rest();
  }

  async rest() {
    await new Promise((resolve) => setTimeout(resolve, this.pause * (0.75 + Math.random() / 2)));
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
  }

  setStatus(status) {
    if (status === this.status) return;
    this.status = status;
    this.show.status(status);
  }
}
