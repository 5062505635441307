// How the page asks its engine where there is no server: by messages to a worker.

import { emit } from "./events.js";
import "./loading.js";
import "./shared.js";

const CONTROL_MS = 4000; // for what keeps the files to be there; after a forced reload it never is

const waiting = new Map(); // number of a request: what to do with its answer
const blobs = new Map(); // an address of this page: what it shows
let worker = null;
let count = 0;

// What has been loaded is kept for a visit without the network (offline.js).
async function keeper() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const controls = new Promise((done) => serviceWorker.addEventListener("controllerchange", done, { once: true }));
  await serviceWorker.register(new URL("../offline.js", import.meta.url)).catch(() => {});
  const late = new Promise((done) => setTimeout(done, CONTROL_MS));
  if (!serviceWorker.controller) await Promise.race([controls, late]);
}

async function begin() {
  await keeper();
  const made = new Worker(new URL("engine.js", import.meta.url), { type: "module" });
  made.onmessage = ({ data: { id, loading, failed, body, ...how } }) => {
    if (loading) emit("loading", loading);
    if (failed) fail(made);
    const asked = waiting.get(id);
    waiting.delete(id);
    asked?.done(new Response(body, how));
  };
  made.onerror = () => fail(made);
  return made;
}

function fail(made) {
  made.terminate();
  worker = null;
  for (const { give_up } of waiting.values()) give_up(Object.assign(new Error(), { kind: "engine" }));
  waiting.clear();
  emit("loading", { failed: true });
}

export const start = () => (worker ??= begin());

export async function ask(path, { json, form, signal } = {}) {
  const engine = await start();
  signal?.throwIfAborted();
  const id = (count += 1);
  return new Promise((done, give_up) => {
    waiting.set(id, { done, give_up });
    signal?.addEventListener("abort", () => waiting.delete(id) && give_up(signal.reason));
    engine.postMessage({ id, path, form, json: json === undefined ? "" : JSON.stringify(json) });
  });
}

export async function address(place) {
  const blob = await (await ask(place)).blob();
  const found = URL.createObjectURL(blob);
  blobs.set(found, blob);
  return found;
}

export const hasServer = false;

export const text = (place) => blobs.get(place).text();

// Who saves data loads the engine with the first picture.
if (!navigator.connection?.saveData) start();
