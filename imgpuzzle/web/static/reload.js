// A reload of the page keeps the work: what was read, its solution, the step and the
// view are asked for again. Nothing of it stands in the address.

import { setActive } from "./along.js";
import { on } from "./events.js";
import { drawState, setLine } from "./follow.js";
import { Line } from "./line.js";
import { player } from "./player.js";
import { resume, session } from "./session.js";
import { solutionJob, solving } from "./solving.js";

const NAME = "imgpuzzle.work";
let view = "";
let wanted = null; // what is being brought back

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME));
  } catch {
    return null; // no storage here, or nothing of ours
  }
}

function store(work) {
  try {
    if (work) sessionStorage.setItem(NAME, JSON.stringify(work));
    else sessionStorage.removeItem(NAME);
  } catch {
    // A browser that keeps nothing: a reload begins anew.
  }
}

function placeNow() {
  const { line, at, own } = player;
  return line ? { key: line.keyAt(at), at, moves: own ? line.moves : null } : null;
}

function keep() {
  const { puzzle, trusted } = session;
  if (!puzzle) return;
  store({
    reading: puzzle.id,
    version: puzzle.version,
    trusted,
    job: solutionJob() ?? solving.job,
    place: player.returning ?? placeNow(),
    along: Boolean(player.along) || Boolean(wanted?.along),
    view: wanted?.view ?? view,
  });
}

for (const event of ["puzzle", "solving", "position", "trusted"]) on(event, keep);
on("view", (name) => {
  view = name;
  keep();
});
on("begin", () => (player.returning = null));
on("forget", () => {
  player.returning = wanted = null;
  store(null);
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

// Bring back what was there. `open` shows a view.
export async function comeBack(open) {
  const work = stored();
  if (!work?.reading) return;
  wanted = work;
  const done = resume(work);
  player.returning = work.place;
  await done;
  // Only what was right as it stood has a solution to go to.
  if (session.puzzle && (work.view === "check" || (session.trusted && session.puzzle.solvable))) open(work.view);
  if (!session.trusted || !work.place) player.returning = wanted = null;
  keep();
}
