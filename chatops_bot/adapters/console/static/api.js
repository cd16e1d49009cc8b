// Requests to the console. Addresses are relative, so that it works under any path.

import { has, t } from "./texts.js";

// What went wrong, as a code that the texts know, with the answer's own words.
export class Refused extends Error {
  constructor(code, detail = "") {
    super(detail || code);
    this.code = code;
    this.detail = detail;
  }

  // As a text with its values, for what may be shown in another language later.
  answer() {
    const key = `error_${this.code}`;
    return has(key) ? { key } : { key: "error_other", values: { detail: this.detail || this.code } };
  }

  sentence() {
    const { key, values } = this.answer();
    return t(key, values);
  }
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, { ...options, cache: "no-store", credentials: "same-origin" });
  } catch {
    throw new Refused("network");
  }
  let body = {};
  try {
    body = await response.json();
  } catch {
    if (response.ok) throw new Refused("network");
  }
  if (!response.ok) throw new Refused(body.error ?? "network", body.detail ?? "");
  return body;
}

export function get(path) {
  return request(path, {});
}

export function post(path, body) {
  return request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

// A mark for one message or click, so that sending it twice is one event.
// (crypto.randomUUID is there only on localhost and over TLS.)
export function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
