// The puzzle at hand: how it was given, what was read, and every change to it.

import { ApiError, api } from "./api.js";
import { emit } from "./events.js";
import { player } from "./player.js";
import { startSolving, stopSolving } from "./solving.js";

// `puzzle` is the server's latest answer; `source` what was given: a file with its
// address in this page. Without a puzzle, `failure` says why. `trusted`:
// the reading is certain, or the visitor says that it is right.
export const session = {
  puzzle: null,
  source: null,
  reference: null,
  failure: null,
  busy: false,
  trusted: false,
};

let epoch = 0; // grows with every new puzzle: answers about an older one are dropped
let waiting = [];
let running = false;
let asking = null; // ends what is asked about a change

const PLACE = ["grid", "region", "corners"];
const isPlace = (change) => PLACE.some((name) => name in change);

const sourceOf = (file, pair = null) => fill({ helps: {}, pair }, file);

// Put another file into a source.
function fill(source, file) {
  if (source.url) URL.revokeObjectURL(source.url);
  const url = URL.createObjectURL(file);
  Object.assign(source, { file, url, width: 0, height: 0, broken: false });
  const picture = new Image();
  picture.src = url;
  const know = (what) => url === source.url && Object.assign(source, what);
  source.measured = picture.decode().then(
    () => know({ width: picture.naturalWidth, height: picture.naturalHeight }),
    () => know({ broken: true }), // a kind that only the server can read
  );
  return source;
}

// What was at hand gives way to another source, or to none.
function leaveFor(source) {
  epoch += 1;
  stopSolving();
  waiting = [];
  if (session.source?.file) URL.revokeObjectURL(session.source.url);
  Object.assign(session, { puzzle: null, source, failure: null, trusted: false });
}

// `quiet` when it was known before: it is there again in a moment.
function begin(source, { quiet = false } = {}) {
  leaveFor(source);
  setBusy(true);
  emit("begin", { source, quiet });
  return epoch;
}

function setBusy(busy) {
  session.busy = busy;
  emit("busy", busy);
}

// Take an answer of the server as what is known now; `trusted` and `job` are what was
// known of the same one before, when it is brought back, `searching` says that its
// search was not at its end. It `follows` another reading of the same puzzle.
function settle(answer, { fresh = false, trusted = false, job = null, searching = false, follows = null, known = null } = {}) {
  session.puzzle = answer;
  session.failure = null;
  session.trusted = trusted || (answer.certain && answer.solvable);
  emit("puzzle", { puzzle: answer, fresh, follows });
  if (answer.solvable && session.trusted) startSolving(answer, { job, searching, known });
  else stopSolving();
}

// The error is returned after it has been shown.
async function attempt(ask, mine, options) {
  let failure = null;
  try {
    const answer = await ask();
    if (mine === epoch) settle(answer, options instanceof Function ? options(answer) : options);
  } catch (error) {
    failure = error;
    if (mine === epoch) fail(error);
  } finally {
    if (mine === epoch) setBusy(false);
  }
  return failure;
}

function fail(error) {
  if (!(error instanceof ApiError)) throw error;
  session.failure = error;
  emit("failure", error);
}

const readForm = (source) => ({
  screenshot: source.file,
  reference: session.reference ?? undefined,
  ...source.helps,
});

// A screenshot, as a file. A solved picture that belongs to another puzzle is dropped.
export function openScreenshot(file) {
  if (session.puzzle || session.source) session.reference = null;
  const source = sourceOf(file);
  return attempt(() => readWithout(source), begin(source), { fresh: true });
}

// Two pictures, of which the first is likelier the screenshot: its name says so if they
// are `named`. `only` when it is for certain. Whichever can be read with the other is taken.
export function openPair(screenshot, reference, { named = false, only = false } = {}) {
  const source = sourceOf(screenshot, [screenshot, reference]);
  session.reference = reference;
  const mine = begin(source);
  return attempt(() => (only ? readWithout(source) : readEither(source, mine, named)), mine, { fresh: true });
}

// The visitor says that the two pictures were taken for each other.
export function swapPair() {
  const [screenshot, reference] = session.source.pair;
  return openPair(reference, screenshot, { only: true });
}

async function readEither(source, mine, named) {
  const [first, second] = source.pair;
  const swapped = [second, first];
  const tries = named ? [[first, second], [first, null], swapped] : [[first, second], swapped, [first, null]];
  let [best, failure] = [null, null];
  for (const [screenshot, reference] of tries) {
    try {
      const answer = await api.read({ screenshot, reference });
      if (mine !== epoch) return answer;
      const rank = answer.certain ? 2 : answer.confidence;
      if (!best || rank > best.rank) best = { answer, screenshot, reference, rank };
      if (answer.certain) break;
    } catch (error) {
      failure ??= error;
      // Something is wrong with the picture itself, or with the line.
      if (mine !== epoch || !error.isNoBoard) throw error;
    }
  }
  if (!best) throw failure;
  if (best.screenshot !== first) {
    fill(source, second).pair = swapped;
    session.reference = first;
  }
  if (best.reference && !unused(best.answer)) emit("pair", source.pair);
  else {
    session.reference = null;
    source.ignored = !unused(best.answer);
    emit("reference-ignored", unused(best.answer));
  }
  return best.answer;
}

// The note of an answer for which the solved picture was of no use.
export const unused = (answer) =>
  answer.reading?.note_codes.find(({ kind }) => kind === "without_reference" || kind === "reference_left_out");

// With the solved picture if that fits; one of another puzzle must not be in the way.
async function readWithout(source) {
  try {
    const answer = await api.read(readForm(source));
    if (session.reference && unused(answer)) emit("reference-ignored", unused(answer));
    return answer;
  } catch (error) {
    if (error.kind !== "BoardNotFoundError" || !session.reference) throw error;
    const given = session.reference;
    session.reference = null;
    try {
      const answer = await api.read(readForm(source));
      source.ignored = true;
      emit("reference-ignored");
      return answer;
    } catch {
      session.reference = given;
      throw error;
    }
  }
}

// The solved picture was of no use: the screenshot is read once more without it.
export const dropReference = () => openScreenshot(session.source.file);

// The visitor shows where the board is, and does not wait for it to be found: also before
// the engine is there.
export function placeByHand() {
  epoch += 1;
  setBusy(false);
  fail(new ApiError("", { kind: "ByHand" }));
}

// A screenshot with what the server read from it.
export function openRead(file, answer) {
  const mine = begin(sourceOf(file), { quiet: true });
  settle(answer, { fresh: true });
  if (mine === epoch) setBusy(false);
}

// A sample's pictures, by their places on the server, as if the visitor had them.
export async function openSample(name, places) {
  let files;
  try {
    files = await Promise.all(places.map((place) => api.picture(place, name)));
  } catch (error) {
    return fail(error);
  }
  session.reference = null;
  const [screenshot, reference] = files;
  return attempt(() => api.read({ screenshot, reference }), begin(sourceOf(screenshot)), { fresh: true });
}

// Numbers; `wayOf` says of the answer which way to the goal is known already, if any.
export function openBoard(board, goal, wayOf = () => null) {
  session.reference = null;
  const ask = () => api.board(goal ? { board, goal } : { board });
  return attempt(ask, begin(null), (answer) => ({ fresh: true, known: wayOf(answer) }));
}

// A puzzle as it was left; the server has it still, or not.
export function resume({ reading, version, trusted, job, searching }, { quiet }) {
  const same = (answer) => answer.version === version;
  return attempt(() => api.reading(reading), begin(null, { quiet }), (answer) => ({
    fresh: true, trusted: trusted && same(answer), job: same(answer) ? job : null, searching,
  }));
}

// A later screenshot of the same puzzle: the answer counts only when it arrives, so
// that a failure leaves everything as it was.
export async function continueWith(file) {
  const mine = epoch;
  const before = session.puzzle;
  const answer = await api.follow({ screenshot: file, reading: before.id });
  if (mine !== epoch) return;
  const at = answer.certain && player.main ? player.main.indexOf(answer.start.flat().join(" ")) : -1;
  if (at >= 0) {
    // The board lies on the known way: nothing but the step changes.
    emit("jump", at);
    return;
  }
  // A picture of something else must not cost the solution that is there.
  if (!answer.certain) {
    const [message = ""] = answer.reading.doubts;
    const [message_code = null] = answer.reading.doubt_codes;
    throw new ApiError(message, { kind: "OtherPuzzle", message_code });
  }
  epoch += 1;
  waiting = [];
  if (session.source?.file) URL.revokeObjectURL(session.source.url);
  session.source = sourceOf(file);
  session.trusted = false;
  settle(answer, { fresh: true, follows: before.id });
}

// What is known of a place, and what is said of it now: by its corners, or upright.
function placed(known, news) {
  const now = { ...known, ...news };
  if (news.region) delete now.corners;
  if (news.corners) delete now.region;
  return now;
}

// Change something about the reading. Changes are sent one after the other, in order;
// a new place of the grid replaces what was still waiting.
export function change(changes) {
  if (isPlace(changes)) {
    waiting = [placed(waiting.find(isPlace), changes)];
  } else {
    waiting.push(changes);
  }
  return send();
}

// Change what one click settles, and lead on where what comes of it can be followed.
export async function choose(answer) {
  const { puzzle } = session;
  if (session.busy) return;
  await change(answer);
  const now = session.puzzle;
  // Something else may have been asked for meanwhile, or it did not work out.
  if (now?.id === puzzle.id && now !== puzzle && now.solvable && session.trusted) emit("open", "follow");
}

// The solved picture, for a reading that was made without it.
export function addReference(file) {
  session.reference = file;
  waiting.push({ reference: file });
  return send();
}

async function send() {
  if (running) return;
  running = true;
  setBusy(true);
  let mine = epoch;
  try {
    while (waiting.length) {
      mine = epoch;
      const next = waiting.shift();
      try {
        asking = new AbortController();
        const answer = await asked(next, asking.signal);
        // A newer place of the grid is on its way: its answer is the one to show.
        if (mine === epoch && !waiting.some(isPlace)) settle(answer);
      } catch (error) {
        if (mine === epoch) fail(error);
      }
    }
  } finally {
    running = false;
    if (mine === epoch) setBusy(false);
  }
}

// What was read before holds.
export function cancelChange() {
  epoch += 1;
  waiting = [];
  asking?.abort();
  setBusy(false);
  emit("unchanged");
}

function asked(changes, signal) {
  if (session.puzzle) {
    if (changes.reference) return api.addReference(session.puzzle.id, changes.reference, signal);
    return api.reread(session.puzzle.id, changes, signal);
  }
  // Nothing was found so far: read the whole picture again with these helps.
  const given = PLACE.filter((name) => changes[name]).map((name) => [name, String(changes[name])]);
  session.source.helps = placed(session.source.helps, Object.fromEntries(given));
  return api.read(readForm(session.source), signal);
}

// The visitor says that the reading is right as it stands.
export function trust() {
  session.trusted = true;
  emit("trusted");
  if (session.puzzle?.solvable) startSolving(session.puzzle);
}

// Back to the beginning.
export function forget() {
  leaveFor(null);
  session.reference = null;
  setBusy(false);
  emit("forget");
}
