// What the page asks its engine, wherever that is.

import { address, ask, text } from "./transport.js";

// `kind` is the server's name for what went wrong, or "offline"; `message_code` is the
// message as data, {kind, ...values}, where there is such.
export class ApiError extends Error {
  constructor(message, { kind = "", status = 0, message_code = null, candidates = [], regions = [] } = {}) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.message_code = message_code;
    this.candidates = candidates;
    this.regions = regions;
  }

  // Only then the picture is fine, and help is wanted to find the board.
  get isNoBoard() {
    return ["BoardNotFoundError", "GridAmbiguousError", "ByHand"].includes(this.kind);
  }
}

async function call(path, { form, ...how } = {}) {
  const known = form && Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined && value !== null));
  let answer;
  try {
    answer = await ask(`/api/${path}`, { ...how, form: known });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("", { kind: error.kind ?? "offline" });
  }
  let data = null;
  try {
    data = await answer.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
  }
  if (answer.ok && data !== null) return shown(data);
  const { message = "", ...rest } = data?.error ?? {};
  throw new ApiError(message, { ...rest, status: answer.status });
}

// The files that an answer names, at addresses that the page can show.
async function shown(answer) {
  for (const file of ["tiles", "screenshot"]) if (answer[file]) answer[file] = await address(answer[file]);
  if (answer.result?.url) answer.result.url = await address(answer.result.url);
  return answer;
}

const part = encodeURIComponent;

export const api = {
  // A picture of the page itself, as a file that is called `name`.
  async picture(place, name) {
    const answer = await fetch(place).catch(() => {
      throw new ApiError("", { kind: "offline" });
    });
    const blob = await answer.blob();
    return new File([blob], name, { type: blob.type });
  },
  text,
  read: (form, signal) => call("read", { form, signal }),
  reading: (id) => call(`read/${part(id)}`),
  reread: (id, json, signal) => call(`read/${part(id)}`, { json, signal }),
  addReference: (id, reference, signal) => call(`read/${part(id)}`, { form: { reference }, signal }),
  board: (json, signal) => call("board", { json, signal }),
  solve: (json) => call("solve", { json }),
  review: (form, signal) => call("review", { form, signal }),
  code: (text) => call("code", { json: { text } }),
  render: (json) => call("render", { json }),
  look: (id, version, frame, marks) => call(`read/${part(id)}/${version}/look`, { form: { frame, marks } }),
  follow: (form) => call("continue", { form }),
  job: (id, after, signal) => call(`jobs/${part(id)}?after=${after}`, { signal }),
  cancel: (id) => call(`jobs/${part(id)}/cancel`, { json: {} }),
};

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const ENDED = new Set(["done", "failed", "cancelled"]);

// The states of a job, until it has ended; one that failed is an error at last. Each request
// waits at the server for news.
export async function* watch(id, signal) {
  let after = -1;
  let failures = 0;
  while (!signal?.aborted) {
    let job;
    try {
      job = await api.job(id, after, signal);
      failures = 0;
    } catch (error) {
      // The line may drop for a moment, as when a phone wakes up.
      if (error.kind !== "offline" || (failures += 1) > 4) throw error;
      await pause(400 * failures);
      continue;
    }
    if (job.version !== after || ENDED.has(job.state)) yield job;
    if (job.state === "failed") throw new ApiError(job.error.message, job.error);
    if (ENDED.has(job.state)) return;
    after = job.version;
  }
}

// The same of a job that is `begun`; it is ended where it is wanted no more.
export async function* work(begun, signal) {
  const { job } = await begun;
  const end = () => api.cancel(job).catch(() => {});
  if (signal?.aborted) end();
  else signal?.addEventListener("abort", end);
  yield* watch(job, signal);
}
