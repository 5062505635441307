// What the visitor worked on in this tab is kept: what was read, its solution, the step
// and the view. A reload, the browser's Back and "New puzzle" lose nothing of it. It
// stands in the tab's own storage, not in the address.

import { setActive } from "./along.js";
import { find, make, toast } from "./dom.js";
import { emit, on } from "./events.js";
import { countSlides, drawState, setLine } from "./follow.js";
import { onLanguage, t } from "./i18n.js";
import { Line, Tour } from "./line.js";
import { player } from "./player.js";
import { resume, session } from "./session.js";
import { countOf, solutionJob, solving } from "./solving.js";
import { loadTiles } from "./tiles.js";

const NAME = "imgpuzzle.work";
const [MOST_KEPT, MOST_SHOWN] = [16, 6]; // the server itself keeps a few dozen
const THUMB_PX = 180;

// `works` has the latest first; `current` names the one that a reload brings back. One
// that a later screenshot went on from is `past`: only the browser's Back leads there.
let shelf = stored() ?? { current: null, works: [] };
let view = "";
let wanted = null; // what is being brought back

function stored() {
  try {
    const found = JSON.parse(sessionStorage.getItem(NAME));
    return Array.isArray(found?.works) ? found : null;
  } catch {
    return null; // no storage here, or nothing of ours
  }
}

function store() {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(shelf));
  } catch {
    // A browser that keeps nothing: the work lasts as long as the page.
  }
}

export const workOf = (reading) => shelf.works.find((work) => work.reading === reading);

function placeNow() {
  const { line, way, at, own } = player;
  return line ? { key: line.keyAt(at), at: line.singlesAt(at), moves: own && !(way instanceof Tour) ? way.moves : null } : null;
}

function keep() {
  const { puzzle, trusted } = session;
  if (!puzzle) return;
  const before = workOf(puzzle.id);
  const same = before?.version === puzzle.version;
  // A search that is put away reports nothing more of what it had found.
  const old = same ? before : null;
  const searching = solving.state === "idle" ? Boolean(old?.searching) : solving.state === "running";
  const work = {
    reading: puzzle.id,
    version: puzzle.version,
    trusted,
    rows: puzzle.start.length,
    cols: puzzle.start[0].length,
    job: solutionJob() ?? solving.job ?? old?.job ?? null,
    moves: solving.best ? countOf(solving.best) : (old?.moves ?? null),
    slides: player.slides,
    searching,
    place: player.returning ?? placeNow() ?? old?.place ?? null,
    along: Boolean(player.along) || Boolean(wanted?.along),
    view: wanted?.view ?? view,
    thumb: old?.thumb ?? null,
  };
  const others = shelf.works.filter((one) => one.reading !== work.reading);
  shelf = { current: work.reading, works: [work, ...others].slice(0, MOST_KEPT) };
  store();
}

async function keepPicture(puzzle) {
  const work = workOf(puzzle.id);
  if (!work || work.thumb) return;
  const tiles = await loadTiles(puzzle);
  const labels = puzzle.start.flat();
  const picture = tiles.picture(labels.map((_, cell) => cell), labels.indexOf(0), THUMB_PX);
  const found = workOf(puzzle.id);
  if (found?.version !== puzzle.version) return;
  found.thumb = picture.toDataURL("image/jpeg", 0.8);
  store();
}

for (const event of ["puzzle", "solving", "position", "trusted"]) on(event, keep);
on("puzzle", ({ puzzle, follows }) => {
  const earlier = follows && workOf(follows);
  if (earlier) earlier.past = true;
  keepPicture(puzzle);
});
on("view", (name) => {
  view = name;
  keep();
  if (name === "start") drawRecent();
});
on("begin", () => (player.returning = null));
on("forget", () => {
  player.returning = wanted = null;
  shelf.current = null;
  store();
});

// There is a way again: to the same position, wherever it lies on it now.
on("way", (line) => {
  const place = player.returning;
  player.returning = null;
  if (!place) return;
  const at = line.indexOf(place.key);
  if (place.moves) setLine(new Line(player.board, place.moves), place.at, { own: true });
  else if (at > 0) setLine(line, at);
  drawState();
  if (wanted?.along) setActive(true);
  wanted = null;
});

// Bring back a work. `show` opens a view: the one it was left in, or `at`.
export async function bring(work, show, { at = work.view, quiet = false } = {}) {
  const mine = { ...work, view: at === "start" ? "follow" : at };
  const done = resume(work, { quiet });
  countSlides(Boolean(work.slides));
  wanted = mine;
  player.returning = work.place;
  const error = await done;
  if (error?.status === 404) {
    shelf.works = shelf.works.filter((one) => one.reading !== work.reading);
    store();
    drawRecent();
  }
  if (wanted !== mine && wanted) return; // another one meanwhile
  if (session.puzzle?.id !== work.reading) return;
  // Only what was right as it stood has a solution to go to.
  if (mine.view === "check" || (session.trusted && session.puzzle.solvable)) show(mine.view);
  if (!session.trusted || !work.place) player.returning = wanted = null;
  keep();
}

// What nothing is known of cannot be brought back: that it was there is told. Firefox ends
// what is being read before it leaves a page, as if it had failed.
let leaving = false;
addEventListener("beforeunload", () => (leaving = true));
on("busy", () => {
  if (leaving) return;
  shelf.unread = Boolean(session.source && !session.puzzle);
  store();
});

// Bring back what was there before the page was reloaded, or left: what the entry of the
// browser's history names, if there is one.
export async function comeBack(show, entry) {
  if (shelf.unread || entry?.view === "review") toast(t("unread"), { kind: "bad" });
  shelf.unread = false;
  store();
  if (entry && !entry.reading) return;
  const work = workOf(entry?.reading) ?? workOf(shelf.current);
  if (work) await bring(work, show, { at: entry?.view ?? work.view, quiet: true });
}

// The puzzles of this tab, where a new one is begun.

function drawRecent() {
  const works = shelf.works.filter((work) => !work.past).slice(0, MOST_SHOWN);
  find("recent").hidden = !works.length;
  const cards = works.map((work) => {
    const size = t("grid_size", { rows: work.rows, cols: work.cols });
    const about = work.moves === null ? t("recent_unsolved") : t(work.slides ? "clicks" : "moves", { count: work.moves });
    const button = make("button", { type: "button", class: "sample recent-card", onclick: () => emit("reopen", work) });
    button.append(
      make("img", { src: work.thumb, alt: "" }),
      make("span", {}, make("strong", { text: size }), make("span", { class: "small", text: about })),
    );
    return button;
  });
  find("recent-cards").replaceChildren(...cards);
}
onLanguage(drawRecent);
