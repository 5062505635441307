// Playing along: the visitor moves the tiles, and sees how many moves are left.

import { ApiError, api, watch } from "./api.js";
import { announce, find, setUsable, isUsable } from "./dom.js";
import { on } from "./events.js";
import { drawState, mark, pause, setLine, show } from "./follow.js";
import { onLanguage, t } from "./i18n.js";
import { Line, cellSliding, movesOf } from "./line.js";
import { player } from "./player.js";
import { isProven } from "./solving.js";
import { cellName } from "./words.js";

const SECONDS = { small: 20, large: 4 }; // how long one position is thought about
const LARGE_CELLS = 17;
const WAYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

let active = false;
let hinted = false;
let said = null; // the message now, as a function, so that it can change its language
let undone = []; // what to go back to: { line, own, proven }
let proven = false; // nothing shorter than the rest of the line exists
let asking = null;
let record = null; // the server's board for these positions
let chain = Promise.resolve();
const known = new Map(); // position: { moves, proven }

const words = () => (said ? said() : t("along_start"));

function say(message) {
  said = message;
  find("along-words").textContent = words();
}

const isShortest = () => Boolean(player.result && isProven(player.result, "single"));
const left = () => player.line.last - player.at;

// The visitor moves a tile. The wrong ones only shrug.
function moveTile(tile) {
  if (!player.line) return;
  const cell = player.line.places[player.at].indexOf(tile);
  if (player.line.movable(player.at).includes(cell)) moveCell(cell);
  else player.view.shake(tile);
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
    const fewest = best && isProven(best, "single") && count === best.move_count;
    say(() => t(fewest ? "along_solved_best" : "along_solved", { count }));
  } else say(() => t(proven ? "along_on" : "along_on_unproven", { count: left() }));
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
    if (before.line !== target) setLine(before.line, at, { own: before.own });
  }
  drawState();
  const count = left();
  say(() => t(proven ? "along_back" : "along_back_unproven", { count }));
  refreshButtons();
}

// Off the line. Until it is known better, going back is a way, too.
function leave(cell) {
  const { line, at } = player;
  undone.push({ line, own: player.own, proven });
  const expected = left() - 1;
  const wasProven = proven;
  const rest = [line.blanks[at], ...line.moves.slice(at)];
  const moved = new Line(player.board, [...line.moves.slice(0, at), cell, ...rest]);
  player.line = moved; // the same positions up to here: the tile can slide
  show(at + 1);
  setLine(moved, at + 1, { own: true });
  drawState();
  proven = false;
  if (moved.isSolvedAt(at + 1)) {
    setLine(new Line(player.board, moved.moves.slice(0, at + 1)), at + 1, { own: true });
    onWay();
    return;
  }
  say(() => t("along_thinking"));
  ask(expected, wasProven);
}

// Ask the server how far it is from here.
function ask(expected, wasProven) {
  stopAsking();
  const mine = new AbortController();
  asking = mine;
  const [line, at] = [player.line, player.at];
  const key = line.keyAt(at);
  const ready = known.get(key) ?? fromMain(key);
  if (ready) {
    take(ready, at);
    tellOff(expected, wasProven);
    return;
  }
  chain = chain.then(() => search(line, at, mine.signal, (found) => {
    known.set(key, found);
    // The visitor may be somewhere else by now.
    if (player.at !== at || player.line.keyAt(at) !== key) return;
    take(found, at);
    tellOff(expected, wasProven);
  })).catch((error) => {
    if (mine.signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    // Nobody answers: what is known is an upper bound.
    tellOff(expected, false);
  });
}

// The position lies on the way from the screenshot: no need to ask.
function fromMain(key) {
  const at = player.main?.indexOf(key) ?? -1;
  if (at < 0) return null;
  return { moves: player.main.moves.slice(at), proven: isShortest() };
}

async function search(line, at, signal, found) {
  if (signal.aborted) return;
  const { rows, cols, goal } = player.board;
  const board = line.rowsAt(at);
  const goalRows = Array.from({ length: rows }, (_, row) => goal.slice(row * cols, (row + 1) * cols));
  if (record) await api.reread(record, { board });
  else record = (await api.board({ board, goal: goalRows })).id;
  if (signal.aborted) return;
  const seconds = rows * cols < LARGE_CELLS ? SECONDS.small : SECONDS.large;
  const { job } = await api.solve({ reading: record, time_limit: seconds });
  signal.addEventListener("abort", () => api.cancel(job).catch(() => {}));
  try {
    for await (const news of watch(job, signal)) {
      const best = news.result ?? news.best;
      if (best?.moves && best.move_count !== null) found({ moves: movesOf(best, cols), proven: best.optimal });
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
      setLine(new Line(player.board, [...line.moves.slice(0, at), ...moves]), at, { own: true });
      drawState();
    }
    proven = sure;
  }
  refreshButtons();
  mark();
}

function tellOff(expected, wasProven) {
  const count = left();
  if (count <= expected) say(() => t(wasProven && proven ? "along_as_short" : "along_as_good", { count }));
  else say(() => t(wasProven && proven ? "along_off" : "along_off_unproven", { count, more: count - expected }));
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
    line.movable(at).map((cell) => {
      const tile = line.places[at][cell];
      const place = cellName(Math.floor(cell / board.cols), cell % board.cols);
      return [tile, `${t("tile", { tile: board.labels[tile] })}, ${place}`];
    }),
  );
  player.view.setButtons(names);
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

export function setActive(on_) {
  active = on_;
  stopAsking();
  hinted = false;
  undone = [];
  said = null;
  pause();
  player.along = active ? { tile: moveTile, key, hinted: () => hinted, words: () => "" } : null;
  find("along").hidden = !active;
  find("player").hidden = active;
  find("view-follow").classList.toggle("playing-along", active);
  player.view.root.setAttribute("role", active ? "group" : "img");
  if (active) {
    proven = player.own ? proven : isShortest();
    find("along-words").textContent = t("along_start");
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
  const tile = active ? player.view.root.querySelector(".movable") : null;
  (tile ?? find("next")).focus({ focusVisible: false, preventScroll: true });
}

on("newboard", () => {
  known.clear();
  record = null;
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
on("position", refreshButtons);
onLanguage(() => {
  if (!active) return;
  find("along-words").textContent = words();
  refreshButtons();
});

