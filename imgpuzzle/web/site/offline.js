// Keeps the files of the page, so that it opens without the network; takes what other
// apps share with it; and lets no request leave this origin. `FILES` and `POLICY` stand
// before this, put there when the site was made: the SHA-256 of each file by its path.

const KEPT = "imgpuzzle";
const keyOf = (path) => `${path}?${FILES[path]}`;
const arriving = new Map();

const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

// Workers have the policy of the answer that they come in, and no page around them.
function dressed(answer) {
  const headers = { "content-type": answer.headers.get("content-type"), "content-security-policy": POLICY };
  return new Response(answer.body, { status: answer.status, headers });
}

async function given(path) {
  await arriving.get(path);
  const cache = await caches.open(KEPT);
  const found = await cache.match(keyOf(path));
  if (found) return found;
  const answer = await fetch(path, { cache: "no-cache" });
  if (answer.ok) arriving.set(path, keep(cache, path, answer.clone()));
  return dressed(answer);
}

// Only what was meant: a newer site has other files under the same names.
async function keep(cache, path, answer) {
  try {
    const data = await answer.clone().arrayBuffer();
    if (hex(await crypto.subtle.digest("SHA-256", data)) === FILES[path]) await cache.put(keyOf(path), dressed(answer));
  } catch {
    // A line that broke, or no room: it is fetched again another time.
  } finally {
    arriving.delete(path);
  }
}

async function keepPage() {
  const page = Object.keys(FILES).filter((path) => !path.startsWith("static/engine/"));
  await Promise.all(page.map(given));
  await Promise.all(arriving.values());
}

async function dropOld() {
  const cache = await caches.open(KEPT);
  const wanted = new Set(Object.keys(FILES).map((path) => new URL(keyOf(path), location).href));
  for (const { url } of await cache.keys()) if (!wanted.has(url)) await cache.delete(url);
  await clients.claim();
}

async function takeShared(request) {
  const picture = (await request.formData()).get("picture");
  if (picture) await (await caches.open(`${KEPT}-shared`)).put("picture", new Response(picture));
  return Response.redirect("./?shared", 303);
}

addEventListener("install", (event) => event.waitUntil(keepPage()));
addEventListener("activate", (event) => event.waitUntil(dropOld()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const path = pathname.slice(new URL(registration.scope).pathname.length) || "index.html";
  if (origin !== location.origin) event.respondWith(Response.error());
  else if (request.method === "POST" && path === "share") event.respondWith(takeShared(request));
  else if (request.method === "GET" && path in FILES) event.respondWith(given(path));
});
