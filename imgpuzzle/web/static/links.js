// A puzzle and its way as a link. All of it stands behind the #, which browsers send
// nowhere; there is no picture in it.

import { find, toast } from "./dom.js";
import { on } from "./events.js";
import { t } from "./i18n.js";
import { Line, board as boardOf, cellSliding, direction } from "./line.js";
import { player } from "./player.js";
import { openBoard, session } from "./session.js";

const DIRECTIONS = { l: "left", r: "right", u: "up", d: "down" };

const rowsOf = (rows) => rows.map((row) => row.join(".")).join("-");
const boardText = (text) => text.replaceAll("-", "\n").replaceAll(".", " ");

// The direction in which each tile of the way goes, by its first letter.
const lettersOf = ({ moves, blanks, board: { cols } }) => moves.map((cell, at) => direction(cell, blanks[at], cols)[0]).join("");

function link() {
  const { start, goal } = session.puzzle;
  const parts = { board: rowsOf(start), goal: rowsOf(goal), moves: lettersOf(player.main) };
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

// Open what the address says, if it says something.
export function openLinked() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.get("board")) return null;
  history.replaceState(history.state, "", location.pathname);
  const goal = boardText(given.get("goal") ?? "");
  return openBoard(boardText(given.get("board")), goal, (puzzle) => wayOf(puzzle, given.get("moves") ?? ""));
}

addEventListener("hashchange", openLinked);

find("copy-link").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(link());
    toast(t("link_copied"));
  } catch {
    toast(link());
  }
});
for (const event of ["puzzle", "way", "main"]) on(event, () => (find("copy-link").hidden = !player.main || player.board.blank < 0));
