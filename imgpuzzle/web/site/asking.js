// Asks the engine, a worker beside this file, by messages.

// `ready` is awaited before it is begun; `tell` hears how far it is.
export function asking(ready, tell) {
  const waiting = new Map(); // number of a request: what to do with its answer
  let worker = null;
  let count = 0;

  async function begin() {
    await ready();
    const made = new Worker(new URL("engine.js", import.meta.url), { type: "module" });
    made.onmessage = ({ data: { id, loading, failed, body, ...how } }) => {
      if (loading) tell(loading);
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
    tell({ failed: true });
  }

  const start = () => (worker ??= begin());

  // The answer to a request, as `fetch` gives it.
  async function ask(path, { json, form, signal } = {}) {
    const engine = await start();
    signal?.throwIfAborted();
    const id = (count += 1);
    return new Promise((done, give_up) => {
      waiting.set(id, { done, give_up });
      signal?.addEventListener("abort", () => waiting.delete(id) && give_up(signal.reason));
      engine.postMessage({ id, path, form, json: json === undefined ? "" : JSON.stringify(json) });
    });
  }

  return { start, ask };
}
