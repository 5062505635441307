// How the page asks its engine where there is no server: by messages to a worker.

import { asking } from "./asking.js";
import { emit } from "./events.js";
import "./loading.js";
import "./shared.js";

const CONTROL_MS = 4000; // for what keeps the files to be there; after a forced reload it never is

const blobs = new Map(); // an address of this page: what it shows

// What has been loaded is kept for a visit without the network (offline.js).
async function keeper() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const controls = new Promise((done) => serviceWorker.addEventListener("controllerchange", done, { once: true }));
  await serviceWorker.register(new URL("../offline.js", import.meta.url)).catch(() => {});
  const late = new Promise((done) => setTimeout(done, CONTROL_MS));
  if (!serviceWorker.controller) await Promise.race([controls, late]);
}

export const { start, ask } = asking(keeper, (news) => emit("loading", news));

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
