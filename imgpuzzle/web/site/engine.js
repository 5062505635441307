// The worker in which the engine runs: Python, and the library as it is. Searches are
// handed to a second one of the same kind, which is ended where a search is to end.

import parts from "./parts.js";

const searches = location.search === "?search";
const base = new URL("engine/", import.meta.url);
const PACKAGES = "/packages"; // where Python finds them
const MOST_KEPT = 60; // files of some twenty readings
const installed = new Map(); // package: when it is there
const present = new Set(); // the readings that the engine has
let python = null;
let started = null; // when it is there
let [done, total] = [0, 0];

// Pyodide asks for its WebAssembly as it is; what lies there is packed.
const direct = fetch;
self.fetch = async (place, how) => {
  if (!String(place).endsWith(".wasm")) return direct(place, how);
  const { body, ok } = await direct(`${place}.packed`, how);
  if (!ok) return Response.error();
  const headers = { "content-type": "application/wasm" };
  return new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers });
};

async function fetched({ file, bytes }) {
  const answer = await fetch(new URL(file, base));
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  const pieces = [];
  let before = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { value } = await reader.read();
    if (!value) break;
    pieces.push(value);
    before += value.length;
    done += value.length;
    tell({ done, total });
  }
  done += bytes - before; // what came compressed, or not, counts as it lies on the disk
  return new Blob(pieces);
}

let quiet = searches;
const tell = (loading) => quiet || postMessage({ loading });

async function begin(names) {
  const core = searches ? [] : parts.core;
  const all = [...core, ...names.map((name) => parts.packages[name])];
  total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  tell({ done, total });
  // The first are only brought near: Python itself asks for them.
  started = Promise.all(core.map(fetched)).then(begun);
  const first = load(names.join());
  python = await started;
  await first;
  const engine = python.pyimport("imgpuzzle.web.engine");
  if (searches) {
    python.FS.mkdirTree("/kept");
    python.FS.mount(python.FS.filesystems.IDBFS, {}, "/kept");
    await synced(true);
    return engine;
  }
  const made = engine.Engine({ load, search, end_search });
  await made.prepare();
  tell({ ready: true });
  quiet = true;
  start_search();
  // What guides and codes are drawn with is brought near, for when there is no network.
  for (const name of ["pillow", "segno"]) fetched(parts.packages[name]).catch(() => {});
  return made;
}

// Python once it has begun, with what is needed of its own library, is kept as its memory
// is then: to go on from there takes a fifth. It is the same for all, and knows no picture.

const LIBRARY = "asyncio, ctypes, dataclasses, decimal, fractions, gettext, hashlib, importlib, inspect, json, logging, pathlib, pickle, platform, random, secrets, shutil, tempfile, textwrap, typing, urllib.request, zipfile";
const BEGUN = `https://kept.invalid/${parts.begun}`; // nobody is asked: a name that caches take in extensions, too

async function begun() {
  const { loadPyodide } = await import(new URL("pyodide.mjs", base));
  const how = { indexURL: base.href, env: { HOME: "/home/pyodide", IMGPUZZLE_CACHE_DIR: "/kept" } };
  const cache = await caches.open("imgpuzzle-begun").catch(() => null); // some browsers have none for some
  const kept = await cache?.match(BEGUN);
  const memory = kept && new Uint8Array(await kept.arrayBuffer());
  // What is damaged would hang there, and say nothing.
  if (kept && (await digestOf(memory)) === kept.headers.get("digest")) {
    const made = await loadPyodide({ ...how, _loadSnapshot: memory });
    made.runPython("random.seed()"); // else all numbers drawn would be those of before
    return made;
  }
  const made = await loadPyodide({ ...how, _makeSnapshot: true });
  made.runPython(`import ${LIBRARY}; import sys; sys.path.append("${PACKAGES}")`);
  if (cache) keepBegun(cache, made.makeMemorySnapshot()).catch(() => {}); // where there is no room
  return made;
}

async function keepBegun(cache, memory) {
  for (const old of await cache.keys()) await cache.delete(old);
  await cache.put(BEGUN, new Response(memory, { headers: { digest: await digestOf(memory) } }));
}

const digestOf = async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", data)).join();

// Tables that a search has built are there for the next visit.
const synced = (fromKept) => new Promise((finish) => python.FS.syncfs(fromKept, finish));

const load = (names) => Promise.all(names.split(",").map((name) => installed.get(name) ?? install(name)));

function install(name) {
  const ready = unpacked(parts.packages[name]);
  ready.catch(() => installed.delete(name));
  installed.set(name, ready);
  return ready;
}

// A package is its files, one after the other, packed so that the browser unpacks them:
// Python takes five times as long.
async function unpacked(part) {
  const packed = await fetched(part);
  const data = await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  const { FS, runPython } = await started;
  let from = 0;
  for (const [path, length] of part.holds) {
    const place = `${PACKAGES}/${path}`;
    FS.mkdirTree(place.slice(0, place.lastIndexOf("/")));
    FS.writeFile(place, new Uint8Array(data, from, length), { canOwn: true });
    from += length;
  }
  runPython("import importlib; importlib.invalidate_caches()");
}

// The second worker.

let searcher = null;

function start_search() {
  searcher = new Worker(new URL("engine.js?search", import.meta.url), { type: "module" });
}

function end_search() {
  searcher.terminate();
  start_search();
}

function search(request, told) {
  return new Promise((found, give_up) => {
    searcher.onmessage = ({ data }) => {
      if (data.told) told(data.told);
      else if (data.found) found(data.found);
      else give_up(new Error(data.failed));
    };
    searcher.postMessage(request);
  });
}

async function searchFor(request) {
  try {
    const { worked } = await ready;
    postMessage({ found: worked(request, (news) => postMessage({ told: news })) });
    await synced(false);
  } catch (error) {
    postMessage({ failed: String(error) });
  }
}

// What the page asks.

// The browser decodes pictures, the engine gets their pixels: a plain PPM over white.
async function pixels(file) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, { colorSpaceConversion: "none" });
  } catch {
    return new Uint8Array(await file.arrayBuffer());
  }
  const { width, height } = bitmap;
  const pencil = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  pencil.fillStyle = "white";
  pencil.fillRect(0, 0, width, height);
  pencil.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = pencil.getImageData(0, 0, width, height);
  const head = new TextEncoder().encode(`P6\n${width} ${height}\n255\n`);
  const out = new Uint8Array(head.length + 3 * width * height);
  out.set(head);
  for (let from = 0, to = head.length; from < data.length; from += 4, to += 3) {
    out[to] = data[from];
    out[to + 1] = data[from + 1];
    out[to + 2] = data[from + 2];
  }
  return out;
}

async function answered({ path, json, form }) {
  const engine = await ready;
  const [, inPath, isScreenshot] = /^\/api\/read\/([^/]+)(\/\d+\/screenshot\.png)?/.exec(path) ?? [];
  const id = inPath ?? form?.reading ?? (json && JSON.parse(json).reading);
  if (isScreenshot) return asGiven(id);
  if (keeps && id && !present.has(id)) await bringBack(engine, id);
  const request = { path, json, fields: {}, files: {}, names: {} };
  for (const [name, value] of Object.entries(form ?? {})) {
    if (!(value instanceof Blob)) request.fields[name] = String(value).trim();
    else [request.files[name], request.names[name]] = [await pixels(value), value.name ?? ""];
  }
  const given = python.toPy(request);
  const found = await engine.answered(given);
  const [status, type, body] = found.toJs();
  for (const proxy of [given, found]) proxy.destroy();
  if (keeps && status === 200 && (json || form) && !path.endsWith("/look")) await keep(engine, JSON.parse(new TextDecoder().decode(body)).id, form);
  return { status, headers: { "content-type": type }, body };
}

// What was read is kept for a reload: phones forget pages that nobody looks at. Pictures
// stay as they were given. The extension keeps nothing of what it was shown.

const PICTURES = ["screenshot", "reference"];
const keeps = location.protocol.startsWith("http");
const works = keeps && caches.open("imgpuzzle-works");
const placeOf = (id, part) => `works/${id}/${part}`;

async function keep(engine, id, form) {
  if (!id) return;
  present.add(id);
  const cache = await works;
  const reading = engine.kept(id);
  await cache.put(placeOf(id, "reading"), new Response(reading.toJs()));
  reading.destroy();
  for (const name of PICTURES) if (form?.[name]) await cache.put(placeOf(id, name), new Response(form[name]));
  for (const old of (await cache.keys()).slice(0, -MOST_KEPT)) await cache.delete(old);
}

async function bringBack(engine, id) {
  const cache = await works;
  const reading = await cache.match(placeOf(id, "reading"));
  if (!reading) return;
  const pictures = {};
  for (const name of PICTURES) {
    const found = await cache.match(placeOf(id, name));
    if (found) pictures[name] = await pixels(await found.blob());
  }
  const given = [new Uint8Array(await reading.arrayBuffer()), pictures].map((one) => python.toPy(one));
  if (engine.bring_back(...given)) present.add(id);
  for (const proxy of given) proxy.destroy();
}

async function asGiven(id) {
  const found = await (await works).match(placeOf(id, "screenshot"));
  return { status: found ? 200 : 404, headers: { "content-type": found?.headers.get("content-type") ?? "" }, body: await found?.blob() };
}

async function answer({ id, ...request }) {
  try {
    postMessage({ id, ...(await answered(request)) });
  } catch (error) {
    const body = JSON.stringify({ error: { kind: "InternalError", message: String(error) } });
    postMessage({ id, status: 500, headers: {}, body });
  }
}

onmessage = ({ data }) => (searches ? searchFor(data) : answer(data));
const ready = begin(searches ? ["numpy", "imgpuzzle"] : ["numpy", "imgpuzzle", "opencv-python"]);
ready.catch((error) => {
  console.error(error);
  postMessage({ failed: String(error) });
});
