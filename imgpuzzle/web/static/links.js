// A puzzle and its way as a link. All of it stands behind the #, which browsers send
// nowhere; there is no picture in it.

import { ApiError, api } from "./api.js";
import { find, toast } from "./dom.js";
import { on } from "./events.js";
import { t } from "./i18n.js";
import { Line, board as boardOf, cellSliding, direction } from "./line.js";
import { player } from "./player.js";
import { openBoard, session } from "./session.js";

const REPLAY = "https://slidysim.github.io/replay?r="; // plays ways that a link says
const PACE_MS = 500;
const ONLY_HERE = /^(localhost|127\.[\d.]+|\[::1\])$/; // no other device finds these

const DIRECTIONS = { l: "left", r: "right", u: "up", d: "down" };

const rowsOf = (rows) => rows.map((row) => row.join(".")).join("-");
const boardText = (text) => text.replaceAll("-", "\n").replaceAll(".", " ");

// The direction in which each tile of the way goes, by its first letter.
const lettersOf = ({ moves, blanks, board: { cols } }) => moves.map((cell, at) => direction(cell, blanks[at], cols)[0]).join("");

function link() {
  const { start, goal } = session.puzzle;
  const parts = { board: rowsOf(start), goal: rowsOf(goal), moves: lettersOf(player.way) };
  return `${location.origin}${location.pathname}#${new URLSearchParams(parts)}`;
}

// The way that a link says, as if a search had found it and proven nothing. Nothing, where
// its moves do not lead from this board to its goal.
function wayOf(puzzle, letters) {
  const board = boardOf(puzzle);
  const cells = [];
  let { blank } = board;
  for (const letter of letters) {
    blank = cellSliding(DIRECTIONS[letter], blank, board);
    if (blank < 0) return null;
    cells.push(blank);
  }
  const line = new Line(board, cells);
  if (!cells.length || line.labelsAt(line.last).join() !== board.goal.join()) return null;
  const turns = [...letters].filter((letter, at) => letter !== letters[at - 1]);
  const moves = cells.map((cell) => ({ from: [Math.floor(cell / board.cols), cell % board.cols] }));
  return { moves, move_count: moves.length, slide_count: turns.length, metric: "single", optimal: false, lower_bound: 0 };
}

// Open what the address says, if it says something. There it stays until a puzzle is shown:
// what is missing for it may be there later, or after a reload.
export function openLinked() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.get("board")) return null;
  const goal = boardText(given.get("goal") ?? "");
  return openBoard(boardText(given.get("board")), goal, (puzzle) => wayOf(puzzle, given.get("moves") ?? ""));
}

const openLater = () => session.busy || openLinked();

addEventListener("hashchange", openLinked);
addEventListener("online", openLater);
on("loading", ({ ready }) => ready && openLater());
on("puzzle", () => history.replaceState(history.state, "", location.pathname));

find("copy-link").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(link());
    toast(t("link_copied"));
  } catch {
    toast(link());
  }
});
// The same for slidysim, whose goal is always the usual one.
async function replay() {
  const ways = lettersOf(player.way).toUpperCase().replace(/(.)\1+/g, (run, letter) => letter + run.length);
  const times = player.way.moves.map((_, at) => at * PACE_MS);
  const start = session.puzzle.start.map((row) => row.join(" ")).join("/");
  const text = new Blob([JSON.stringify([ways, 1e6 / PACE_MS, start, times])]);
  const packed = await new Response(text.stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer();
  return REPLAY + encodeURIComponent(btoa(String.fromCharCode(...new Uint8Array(packed))));
}

const isUsual = (cells) => cells.every((label, cell) => label === (cell + 1) % cells.length);

let drawn = null; // the way that the code and the address lead along

async function draw() {
  const { way } = player;
  const isThere = way && player.board.blank >= 0; // only tiles that slide are told so
  find("link").hidden = !isThere;
  if (!isThere || !find("link").open || drawn === way) return;
  drawn = way;
  find("replay").hidden = !isUsual(session.puzzle.goal.flat());
  const address = await replay();
  let code = null;
  try {
    if (!ONLY_HERE.test(location.hostname)) code = await api.code(link());
  } catch (error) {
    // A way that is too long for a camera; or nobody answers, which is told elsewhere.
    if (!(error instanceof ApiError)) throw error;
  }
  if (drawn !== way) return;
  find("replay").href = address;
  find("code").hidden = !code;
  if (code) find("code-picture").src = code.picture;
}

find("link").addEventListener("toggle", draw);
// Also where the visitor leaves the way: the link is that of what is shown.
for (const event of ["puzzle", "way", "position"]) on(event, draw);
