// Playing along: the visitor moves the tiles, and sees how many moves are left.

import { ApiError, api, work } from "./api.js";
import { announce, find, setUsable, isUsable } from "./dom.js";
import { emit, on } from "./events.js";
import { drawState, mark, pause, setLine, setSteps, show } from "./follow.js";
import { onLanguage, t } from "./i18n.js";
import { Line, Tour, cellSliding, movesOf } from "./line.js";
import { player } from "./player.js";
import { session } from "./session.js";
import { countOf, isProven, solving } from "./solving.js";
import { cellName, moveWords, steps, toGo } from "./words.js";

const SECONDS = { small: 20, large: 4 }; // how long one position is thought about
const LARGE_CELLS = 17;
const WAYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

let active = false;
let watched = false; // the moves are those of a game that is watched
let hinted = false;
let said = null; // the message now, as a function, so that it can change its language
let undone = []; // what to go back to: { line, own, proven }
let proven = false; // nothing shorter than the rest of the line exists
let asking = null;
let chain = Promise.resolve();
const known = new Map(); // position: { moves, proven }

const beginning = () => (watched ? "" : t(player.slides ? "along_start_clicks" : "along_start"));
const words = () => (said ? said() : beginning());

function say(message) {
  said = message;
  find("along-words").textContent = words();
  emit("said");
}

// Of a game that is watched the next move is said, not only shown on request.
const nextWords = () => (watched ? moveWords(player.line, player.at, find("numbers").checked || player.tiles.numbered) : "");

const left = () => player.line.last - player.at;

// No way from here has fewer steps than the one that is shown, which the search found.
function isShortest() {
  const main = player.line && fromMain(player.line.keyAt(player.at));
  return Boolean(main?.proven && main.moves.length === left());
}

// The visitor moves a tile. The wrong ones only shrug.
function moveTile(tile) {
  if (!player.line) return;
  if (watched) {
    player.view.shake(tile);
    return;
  }
  const cell = player.line.places[player.at].indexOf(tile);
  if (player.line.movable(player.at, player.slides).includes(cell)) moveCell(cell);
  else player.view.shake(tile);
}

// Moves that were made elsewhere, each the cell that is pushed.
export function walk(cells) {
  for (const cell of cells) moveCell(cell);
}

// In a game whose moves the server shows, tiles lie otherwise than on the way that is known:
// the way from there is asked for, and begins with all that was done at once.
export async function leap(labels) {
  const { line, at } = player;
  const now = line.labelsAt(at);
  const left = new Set(now.keys());
  const motions = labels.flatMap((label, to) => {
    const from = now[to] === label ? to : [...left].find((cell) => now[cell] === label && now[cell] !== labels[cell]);
    left.delete(from);
    return from === to ? [] : [[from, to]];
  });
  const moved = new Tour(player.board, [...line.moves.slice(0, at), { motions }]);
  say(() => t("along_thinking"));
  await search(moved, at + 1, AbortSignal.timeout(60_000), (found) => {
    setSteps(new Tour(player.board, [...moved.moves, ...found.moves]), at + 1, { own: true });
    ({ proven } = found);
    drawState();
    onWay();
  });
}

function moveCell(cell) {
  const { line, at } = player;
  const focus = player.view.root.contains(document.activeElement) ? document.activeElement : null;
  hinted = false;
  if (undone.length && at > 0 && line.blanks[at - 1] === cell) {
    stepBack();
  } else if (at < line.last && line.moves[at] === cell) {
    undone.push({ line, own: player.own, proven });
    show(at + 1);
    onWay();
  } else {
    leave(cell);
  }
  refreshButtons();
  if (focus && !focus.hasAttribute("tabindex")) player.view.root.querySelector(".movable")?.focus();
}

function onWay() {
  if (player.at === player.line.last) {
    const count = player.at;
    const best = player.result;
    const fewest = best && isProven(best) && count === countOf(best);
    say(() => t(fewest ? "along_solved_best" : "along_solved", { moves: steps(count) }));
  } else say(() => t(proven ? "along_on" : "along_on_unproven", { left: toGo(left()) }));
}

function stepBack() {
  const before = undone.pop();
  stopAsking();
  hinted = false;
  const at = player.at - 1;
  const target = player.line;
  show(at);
  if (before.line.last > target.last) {
    // What was learnt meanwhile is the better way, from here too.
    proven = false;
  } else {
    ({ proven } = before);
    // The way as it was known before the move.
    if (before.line !== target) setSteps(before.line, at, { own: before.own });
  }
  drawState();
  const count = left();
  say(() => t(proven ? "along_back" : "along_back_unproven", { left: toGo(count) }));
  refreshButtons();
}

// Off the line. Until it is known better, going back is a way, too; of a step of several
// tiles that was done in part, the rest of it.
function leave(cell) {
  const { line, at } = player;
  undone.push({ line, own: player.own, proven });
  const expected = left() - 1;
  const wasProven = proven;
  const inPart = at < line.last && line.pushed(at).includes(cell);
  const rest = inPart ? line.moves.slice(at) : [line.blanks[at], ...line.moves.slice(at)];
  const moved = new Line(player.board, [...line.moves.slice(0, at), cell, ...rest]);
  player.line = moved; // the same positions up to here: the tile can slide
  show(at + 1);
  setSteps(moved, at + 1, { own: true });
  drawState();
  proven = false;
  if (moved.isSolvedAt(at + 1)) {
    setSteps(new Line(player.board, moved.moves.slice(0, at + 1)), at + 1, { own: true });
    onWay();
    return;
  }
  say(() => t("along_thinking"));
  ask((answered) => tellOff(expected, wasProven && answered));
}

// Ask the server how far it is from here; `report` says what is known then, and is given
// whether there was an answer.
function ask(report) {
  stopAsking();
  const mine = new AbortController();
  asking = mine;
  const [line, at] = [player.line, player.at];
  const key = line.keyAt(at);
  const name = `${solving.metric} ${key}`;
  const ready = known.get(name) ?? fromMain(key);
  if (ready) {
    take(ready, at);
    report(true);
    return;
  }
  chain = chain.then(() => search(line, at, mine.signal, (found) => {
    if (mine.signal.aborted) return;
    known.set(name, found);
    if (player.at === at && player.line.keyAt(at) === key) {
      take(found, at);
      report(true);
    } else if (player.own && left()) {
      // The visitor went on meanwhile: nobody is to be led on along what is longer.
      ask(() => active && onWay());
    }
  })).catch((error) => {
    if (mine.signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    // Nobody answers: what is known is an upper bound.
    report(false);
  });
}

// The position lies on the way from the screenshot: no need to ask. In the middle of one
// of its steps there may be a shorter way.
function fromMain(key) {
  const main = player.slides ? player.main?.inSlides(0).line : player.main;
  const at = main?.indexOf(key) ?? -1;
  if (at < 0) return null;
  return { moves: main.moves.slice(at), proven: Boolean(player.result && isProven(player.result)) };
}

// Moves tile by tile from position `at`, in the steps that are counted.
function counted(line, at, moves) {
  if (!player.slides) return moves;
  const before = line.inSingles().moves.slice(0, line.singlesAt(at));
  const slides = new Line(line.board, [...before, ...moves]).inSlides(before.length);
  return slides.line.moves.slice(slides.at);
}

async function search(line, at, signal, found) {
  if (signal.aborted) return;
  const { rows, cols } = player.board;
  const seconds = rows * cols < LARGE_CELLS ? SECONDS.small : SECONDS.large;
  // From where a player stands, only few moves count.
  const metric = solving.metric === "slide" ? "slide" : "single";
  const asked = { reading: session.puzzle.id, board: line.rowsAt(at), time_limit: seconds, metric };
  try {
    for await (const news of work(api.solve(asked), signal)) {
      const best = news.result ?? news.best;
      if (best?.moves && best.move_count !== null) {
        found({ moves: counted(line, at, movesOf(best, cols)), proven: isProven(best, metric) });
      }
    }
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

// A way from position `at` is known: the line takes it if it is shorter.
function take({ moves, proven: sure }, at) {
  const { line } = player;
  if (moves.length <= line.last - at) {
    if (moves.length < line.last - at) {
      setSteps(new Line(player.board, [...line.moves.slice(0, at), ...moves]), at, { own: true });
      drawState();
    }
    proven = sure;
  }
  refreshButtons();
  mark();
}

function tellOff(expected, wasProven) {
  const count = left();
  const sure = wasProven && proven;
  const about = () => ({ left: toGo(count), more: count - expected });
  if (count <= expected) say(() => t(sure ? "along_as_short" : "along_as_good", about()));
  else {
    // What was done in a game that is watched is not undone here.
    say(() => `${t(sure ? "along_off" : "along_off_unproven", about())} ${watched ? "" : t("along_off_undo")}`.trim());
  }
  announce(words());
}

function stopAsking() {
  asking?.abort();
  asking = null;
}

// Buttons and keys.

function refreshButtons() {
  if (!active || !player.line) return;
  const { line, at, board } = player;
  const names = new Map(
    line.movable(at, player.slides).map((cell) => {
      const tile = line.places[at][cell];
      const place = cellName(Math.floor(cell / board.cols), cell % board.cols);
      return [tile, `${t("tile", { tile: board.labels[tile] })}, ${place}`];
    }),
  );
  // In a game that is watched, moves are made there: one frame only, that of the next.
  player.view.setButtons(watched ? null : names);
  setUsable(find("undo"), undone.length > 0);
  setUsable(find("hint"), at < line.last);
}

find("undo").addEventListener("click", () => isUsable(find("undo")) && stepBack());
find("hint").addEventListener("click", () => {
  if (!isUsable(find("hint"))) return;
  hinted = true;
  mark();
});

function key(event) {
  if (watched) return false;
  const undo = event.key === "Backspace" || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z");
  if (event.target.closest("input:not([type=checkbox]), select, textarea")) return false;
  if (undo) {
    if (undone.length) stepBack();
    return true;
  }
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return false;
  const tile = event.target.closest(".tile.movable");
  if (tile && (event.key === "Enter" || event.key === " ")) {
    moveTile(Number(tile.dataset.tile));
    return true;
  }
  const way = WAYS[event.key];
  if (!way || !player.line) return false;
  const cell = cellSliding(way, player.line.blanks[player.at], player.board);
  if (cell >= 0) moveCell(cell);
  return true;
}

// In and out of the mode.

export function setActive(on_, options = {}) {
  active = on_;
  watched = Boolean(options.watched);
  stopAsking();
  hinted = false;
  undone = [];
  said = null;
  pause();
  player.along = active ? { tile: moveTile, key, watched, hinted: () => watched || hinted, words: nextWords } : null;
  find("along").hidden = !active;
  find("player").hidden = active;
  find("view-follow").classList.toggle("playing-along", active);
  find("view-follow").classList.toggle("watched", watched);
  player.view.root.setAttribute("role", active ? "group" : "img");
  if (active) {
    proven = player.own ? proven : isShortest();
    find("along-words").textContent = words();
    refreshButtons();
  } else player.view.setButtons(null);
  for (const input of document.querySelectorAll("input[name=mode]")) input.checked = (input.value === "along") === active;
  if (player.line) {
    setLine(player.way, player.line.singlesAt(player.at), { own: player.own });
    drawState();
  }
  mark();
}

for (const input of document.querySelectorAll("input[name=mode]")) {
  input.addEventListener("change", () => setActive(input.value === "along"));
  // After a click the arrow keys are for the board, not for this choice.
  input.addEventListener("click", (event) => {
    // The choice itself is announced after the click.
    if (event.detail) setTimeout(focusBoard);
  });
}

function focusBoard() {
  const tile = active && !watched ? player.view.root.querySelector(".movable") : null;
  (tile ?? find("next")).focus({ focusVisible: false, preventScroll: true });
}

on("newboard", () => {
  known.clear();
  if (active) setActive(false);
});
on("main", () => {
  stopAsking();
  undone = [];
  if (!active) return;
  proven = isShortest();
  onWay();
  refreshButtons();
});
// It is counted otherwise now: what was known of an own way holds no longer.
on("metric", () => {
  stopAsking();
  undone = [];
  proven = !player.own && isShortest();
  if (active) onWay();
  if (player.own && left()) ask(() => active && onWay());
  refreshButtons();
});
on("position", refreshButtons);
onLanguage(() => {
  if (!active) return;
  find("along-words").textContent = words();
  refreshButtons();
});

