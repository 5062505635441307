// The search for the shortest solution, as a job at the server.

import { api, watch } from "./api.js";
import { emit } from "./events.js";

// What counts as one: a "single" tile, or a "slide" of several at once. With "stages" the
// way that is easy to follow is wanted, and counted by single tiles.
export const countOf = (result, metric = solving.metric) => (metric === "slide" ? result.slide_count : result.move_count);

const metricOf = (result) => (result.stages ? "stages" : result.metric);

// Nothing shorter exists, as far as that metric counts; in stages nothing is looked for.
export const isProven = (result, metric = solving.metric) =>
  result.move_count === 0 || ((result.optimal || metric === "stages") && metricOf(result) === metric);

// `state` is idle, running, done, failed or cancelled; `best` the shortest solution
// that is known so far, found by `lastJob` for `reading`; `key` names the position and
// goal that it belongs to; `metric` is what is to be few; `setup` says that it gets ready.
export const solving = {
  metric: "single",
  setup: false,
  state: "idle",
  job: null,
  best: null,
  progress: 0,
  waits: false,
  error: null,
  seconds: null,
  key: "",
  lastJob: null,
  reading: null,
};

let watcher = null;
let ended = new Map(); // metric: what was found for this position, when its search was at its end

const keyOf = (puzzle) => JSON.stringify([puzzle.id, puzzle.start, puzzle.goal, puzzle.puzzle]);

// Count by another metric: what is known stays, and is the least that is to be found.
export function setMetric(metric, puzzle) {
  if (metric === solving.metric) return;
  const known = ended.get(metric);
  const before = solving.best;
  if (solving.state === "done") ended.set(solving.metric, { best: before, lastJob: solving.lastJob });
  const searches = solving.state !== "idle";
  stopSolving({ keep: true });
  solving.metric = metric;
  if (!searches || !puzzle) return;
  if (known) {
    Object.assign(solving, { state: "done", error: null, ...known });
    emit("solving", solving);
  } else {
    solving.state = "cancelled";
    startSolving(puzzle);
  }
}

// `job` is one of before the puzzle was left: it may be there still. With `searching` it
// was ended before its time, and the search goes on. A way that is `known` is the first best.
export function startSolving(puzzle, { seconds = null, job = null, searching = false, known = null } = {}) {
  const key = keyOf(puzzle);
  // The same position again: what is known of it stays.
  const same = key === solving.key;
  if (same && seconds === null && (solving.state === "running" || solving.state === "done")) {
    emit("solving", solving); // who was told of a new reading has forgotten it
    return;
  }
  stopSolving({ keep: same });
  if (!same) ended = new Map();
  const mine = new AbortController();
  watcher = mine;
  Object.assign(solving, {
    state: "running", job: null, progress: 0, waits: false, setup: false, error: null, seconds, key,
  });
  if (!same) solving.best = known;
  emit("solving", solving);
  follow(puzzle, mine, job, searching).catch((error) => {
    if (mine.signal.aborted) return;
    Object.assign(solving, { state: "failed", error });
    emit("solving", solving);
  });
}

async function follow(puzzle, mine, earlier, searching) {
  if (earlier && (await isKnown(earlier))) {
    if (mine.signal.aborted) return;
    await listen(puzzle, mine, earlier);
    // It may have been ended while nothing watched it, or before it had found anything.
    const cut = solving.state === "cancelled" && (searching || !solving.best);
    const other = solving.best && metricOf(solving.best) !== solving.metric;
    if (mine.signal.aborted || !(cut || other) || (solving.best && isProven(solving.best))) return;
    solving.state = "running";
    solving.progress = 0;
    emit("solving", solving);
  }
  const request = { reading: puzzle.id };
  if (solving.metric === "stages") request.stages = true;
  else if (solving.metric !== "single") request.metric = solving.metric;
  if (solving.seconds !== null) request.time_limit = solving.seconds;
  const { job } = await api.solve(request);
  if (mine.signal.aborted) {
    api.cancel(job).catch(() => {});
    return;
  }
  await listen(puzzle, mine, job);
}

async function isKnown(job) {
  try {
    await api.job(job, -1);
    return true;
  } catch (error) {
    if (error.status !== 404) throw error;
    return false;
  }
}

async function listen(puzzle, mine, job) {
  solving.job = job;
  for await (const news of watch(job, mine.signal)) {
    if (mine.signal.aborted) return;
    const found = news.result ?? news.best;
    if (found?.moves && found.move_count !== null && isBetter(found)) {
      solving.best = found;
      solving.lastJob = job;
      solving.reading = puzzle.id;
    }
    solving.state = news.state === "queued" ? "running" : news.state;
    solving.progress = news.progress ?? 0;
    solving.setup = news.phase === "setup";
    solving.waits = news.state === "queued";
    emit("solving", solving);
  }
}

// Shorter, or as short with more proven about it.
function isBetter(found) {
  const best = solving.best;
  if (!best) return true;
  // One in stages is longer, and another thing.
  if (Boolean(found.stages) !== Boolean(best.stages)) return metricOf(found) === solving.metric;
  if (countOf(found) !== countOf(best)) return countOf(found) < countOf(best);
  if (found.metric !== best.metric) return found.metric === solving.metric;
  return found.optimal || found.lower_bound >= best.lower_bound;
}

// End the search; with `keep`, what was found stays.
export function stopSolving({ keep = false } = {}) {
  watcher?.abort();
  watcher = null;
  if (solving.state === "running" && solving.job) api.cancel(solving.job).catch(() => {});
  if (keep) return;
  Object.assign(solving, { state: "idle", job: null, best: null, key: "", error: null });
  emit("solving", solving);
}

// The visitor has waited long enough: the best so far is the answer.
export function cancelSolving() {
  if (solving.state !== "running" || !solving.job) return;
  api.cancel(solving.job).catch(() => {}); // the watcher sees the end
}

// The job whose solution is shown, for files and for later screenshots.
export const solutionJob = () => (solving.best ? (solving.lastJob ?? solving.job) : null);
