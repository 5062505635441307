// "Board": what was read, and every way to correct it.

import { find, icon, isUsable, make, setUsable } from "./dom.js";
import { emit, on } from "./events.js";
import { boundsOf, ofRegion } from "./geometry.js";
import { onLanguage, t } from "./i18n.js";
import { showMosaic } from "./mosaic.js";
import { isAsked } from "./question.js";
import { addReference, change, session, trust } from "./session.js";
import { cornersNow, isMoving, listen, showShot } from "./shot.js";
import { solving } from "./solving.js";
import { homes, loadTiles } from "./tiles.js";
import { EVEN, UNLIKELY, showVerdict } from "./verdict.js";
import { cellName, lengthOf, showsPicture } from "./words.js";
import { calm } from "./stepping.js";

const [LEAST_SIDE, MOST_SIDE] = [2, 10]; // what screenshots may have
const MOST_OTHERS = 5;

// What the page shows ahead of the server's answer.
const shown = { rows: 4, cols: 4, selected: -1, whole: false, free: false, unsure: false, picked: "" };

const toolNow = () => document.querySelector("input[name=tool]:checked").value;
const labelsOf = (puzzle) => (puzzle.reading?.board ?? puzzle.start).flat();
const goalOf = (puzzle) => (puzzle.reading?.goal ?? puzzle.goal).flat();
const rowCol = (cell) => [Math.floor(cell / shown.cols), cell % shown.cols];

// The screenshot with its grid.

function pictureOf(puzzle) {
  const { source } = session;
  // The browser's own copy is there at once, if it shows the picture the same way up.
  const own = source && (!source.width || (source.width === puzzle.width && source.height === puzzle.height));
  return own && !source.broken ? source.url : puzzle.screenshot;
}

function drawShot() {
  const { puzzle, source } = session;
  if (puzzle ? !puzzle.screenshot : !source?.width) {
    find("shot").parentElement.classList.toggle("typed-board", Boolean(puzzle));
    return;
  }
  find("shot").parentElement.classList.remove("typed-board");
  const same = puzzle && puzzle.start.length === shown.rows && puzzle.start[0].length === shown.cols;
  const news = { rows: shown.rows, cols: shown.cols, selected: shown.selected, whole: shown.whole, free: shown.free };
  if (!puzzle) {
    news.cells = [];
    Object.assign(news, { url: source.url, width: source.width, height: source.height, gapX: 0, gapY: 0 });
    const [place] = session.failure?.regions ?? [];
    const wanted = place ? `${source.url} ${JSON.stringify(place)}` : source.url;
    if (!cornersNow() || shown.picked !== wanted) news.corners = place ? ofRegion(place) : guess(source);
    shown.picked = wanted;
  } else {
    const { reading } = puzzle;
    const labels = labelsOf(puzzle);
    const doubtful = new Set(puzzle.doubtful.map(([row, col]) => row * shown.cols + col));
    news.cells = same
      ? labels.map((label, cell) => ({ label, empty: label === 0, doubtful: doubtful.has(cell) }))
      : [];
    const { gap = 0, tile_width: wide, tile_height: high } = puzzle;
    news.gapX = same ? gap / (shown.cols * (wide + gap) - gap) : 0;
    news.gapY = same ? gap / (shown.rows * (high + gap) - gap) : 0;
    Object.assign(news, { url: pictureOf(puzzle), width: puzzle.width, height: puzzle.height });
    if (!isMoving() && same) news.corners = reading.corners ?? ofRegion(reading.region);
  }
  showShot(news);
  find("zoom-board").setAttribute("aria-pressed", String(!shown.whole));
  find("zoom-whole").setAttribute("aria-pressed", String(shown.whole));
  find("tilted").checked = shown.free;
}

// Where a board most often is: in the middle, a square.
function guess({ width, height }) {
  const side = Math.round(0.7 * Math.min(width, height));
  const [left, top] = [Math.round((width - side) / 2), Math.round((height - side) / 2)];
  return ofRegion({ left, top, width: side, height: side });
}

// A board that an edge of the screenshot cuts off has corners, and stands upright.
function isTilted(corners) {
  return corners !== null && (corners[0][1] !== corners[1][1] || corners[0][0] !== corners[3][0]);
}

function placeOf(corners) {
  if (shown.free) return { corners: corners.flat().map((value) => Math.round(value * 10) / 10) };
  const box = boundsOf(corners);
  const [left, top] = [Math.round(box.left), Math.round(box.top)];
  return { region: `${left},${top},${Math.round(box.width)},${Math.round(box.height)}` };
}

const gridText = () => `${shown.rows}x${shown.cols}`;

function moved(corners) {
  if (!session.puzzle) drawSolve();
  else change({ grid: gridText(), ...placeOf(corners) });
}

// What is made of the tiles' pictures.

async function drawPictures() {
  const { puzzle } = session;
  const box = find("typed-picture") ?? make("div", { class: "goal typed-picture", id: "typed-picture", role: "group" });
  if (!box.parentElement) find("handles").parentElement.after(box);
  const { swap } = puzzle?.suggestion ?? {};
  const others = puzzle?.reading?.alternatives ?? [];
  // A question with few answers stands above; all else is for those who need more.
  const open = puzzle && !isAsked(puzzle);
  box.hidden = !puzzle || Boolean(puzzle.screenshot);
  find("goal").parentElement.hidden = !open;
  find("others").hidden = !(open && others.length);
  find("suggestion").hidden = !(open && swap);
  if (!puzzle) return;
  const tiles = await loadTiles(puzzle);
  if (puzzle !== session.puzzle) return;
  if (!box.hidden) drawTyped(box, puzzle, tiles);
  if (!open) return;
  drawGoal(puzzle, tiles);
  if (swap) drawSuggestion(puzzle, tiles, swap);
  find("other-list").replaceChildren(...others.slice(0, MOST_OTHERS).map((other) => otherCard(puzzle, tiles, other)));
}

// The goal, and the board itself when it was typed.

function drawGoal(puzzle, tiles) {
  document.querySelector(".goal-figure h2").textContent = t(showsPicture(puzzle) ? "goal_picture" : "goal_board");
  const [labels, goal] = [labelsOf(puzzle), goalOf(puzzle)];
  const order = homes(labels, goal);
  const { cols } = tiles;
  const doubtful = new Set(puzzle.doubtful.map(([row, col]) => row * cols + col));
  const about = order.map((tile, cell) => ({
    name: t("goal_cell", {
      cell: cellName(Math.floor(cell / cols), cell % cols),
      what: goal[cell] === 0 ? t("empty") : t("tile", { tile: goal[cell] }),
    }),
    empty: goal[cell] === 0,
    doubtful: doubtful.has(tile),
    selected: shown.selected === tile,
  }));
  showMosaic(find("goal"), tiles.upright(puzzle.reading?.turns), order, about, (cell) => {
    if (toolNow() === "blank") change({ goal_blank: [Math.floor(cell / cols), cell % cols] });
    else picked(order[cell]);
  });
  find("goal-words").textContent = t(showsPicture(puzzle) ? "goal_words" : "goal_words_typed");
}

function drawTyped(box, puzzle, tiles) {
  const labels = labelsOf(puzzle);
  const about = labels.map((label, cell) => ({
    name: `${cellName(Math.floor(cell / tiles.cols), cell % tiles.cols)}, ${label ? t("tile", { tile: label }) : t("empty")}`,
    empty: label === 0,
    selected: shown.selected === cell,
  }));
  showMosaic(box, tiles, labels.map((_, cell) => cell), about, picked);
}

// A cell of the board was clicked.
function picked(cell) {
  const { puzzle } = session;
  if (!puzzle) return;
  const labels = labelsOf(puzzle);
  const first = shown.selected;
  if (toolNow() === "blank") {
    if (labels[cell] !== 0) change({ blank: rowCol(cell) });
    return;
  }
  if (first < 0 || first === cell) {
    shown.selected = first === cell ? -1 : cell;
    refresh();
    return;
  }
  shown.selected = -1;
  // Exchanging with the empty cell says where that is.
  if (labels[first] === 0) change({ blank: rowCol(cell) });
  else if (labels[cell] === 0) change({ blank: rowCol(first) });
  else change({ swap: [rowCol(first), rowCol(cell)] });
  refresh();
}

// Rows and columns.

for (const [id, name, by] of [
  ["rows-less", "rows", -1], ["rows-more", "rows", 1], ["cols-less", "cols", -1], ["cols-more", "cols", 1],
]) {
  find(id).addEventListener("click", () => {
    const wanted = shown[name] + by;
    const other = name === "rows" ? shown.cols : shown.rows;
    if (wanted < LEAST_SIDE || wanted > MOST_SIDE || wanted * other < 3) return;
    shown[name] = wanted;
    shown.selected = -1;
    refresh();
    if (session.puzzle) change({ grid: gridText() });
  });
}

// Other arrangements that explain the picture nearly as well.

function otherCard(puzzle, tiles, other) {
  const labels = labelsOf(puzzle);
  const board = other.board.flat();
  const goal = other.goal.flat();
  const empty = board.indexOf(0);
  const differing = labels.flatMap((label, cell) => (label === board[cell] ? [] : [cell]));
  const home = goal.indexOf(0);
  const words =
    home !== goalOf(puzzle).indexOf(0)
      ? home < 0 ? t("answer_whole") : t("other_home", { cell: cellName(Math.floor(home / tiles.cols), home % tiles.cols) })
      : differing.length === 2
        ? t("other_two", { first: labels[differing[0]] || t("empty"), second: labels[differing[1]] || t("empty") })
        : differing.length
          ? t("other_many", { count: differing.length })
          : t("other_goal");
  const button = make("button", { type: "button", class: "other", onclick: () => isReady() && change({ board: other.board, goal: other.goal }) });
  button.append(tiles.upright(other.turns).picture(homes(board, goal), empty, 220), make("span", { text: words }));
  return button;
}

// The likeliest slip, as a button with the two tiles on it.
function drawSuggestion(puzzle, tiles, swap) {
  const labels = labelsOf(puzzle);
  const cells = swap.map(([row, col]) => row * tiles.cols + col);
  const [first, second] = cells.map((cell) => labels[cell]);
  const pictures = cells.map((cell) => tiles.draw(cell, 96));
  const button = make(
    "button",
    {
      type: "button", class: "button primary large", id: "take-suggestion",
      onclick: () => isReady() && change({ swap }),
    },
    pictures[0], icon("swap"), pictures[1],
    make("span", { text: t("suggestion_take", { first, second }) }),
  );
  find("suggestion").replaceChildren(make("p", { text: t("suggestion") }), button);
}

// The main button.

const isSliding = (puzzle) => Boolean(puzzle?.reading?.doubt_codes.some(({ kind }) => kind === "sliding_tile"));

// Nothing is read again, or about to be: what is shown is what is known.
const isReady = () => !session.busy && !isMoving();

function drawSolve() {
  const { puzzle } = session;
  const button = find("solve");
  const mend = !puzzle && session.failure;
  const asked = isAsked(puzzle);
  button.hidden = puzzle ? !puzzle.solvable || asked : !mend;
  for (const one of [button, ...document.querySelectorAll("#take-suggestion, .other-list .other, #answer-none")]) setUsable(one, isReady());
  // What is more likely wrong than right is to be corrected first, and of a tile on its
  // way only another screenshot says where it comes to lie.
  const unsure = Boolean(puzzle && !session.trusted && !puzzle.certain);
  const sliding = unsure && isSliding(puzzle);
  const many = unsure && 2 * puzzle.doubtful.length > puzzle.start.flat().length;
  const unlikely = sliding || many || (unsure && puzzle.confidence < EVEN);
  find("mend").hidden = !unlikely || !puzzle.solvable || asked;
  find("mend").textContent = t(sliding ? "new_screenshot" : "mend");
  button.classList.toggle("primary", !unlikely);
  if (mend) button.textContent = t("read_again");
  else if (!puzzle) return;
  else if (!session.trusted) button.textContent = t("solve_anyway");
  else if (solving.best) button.textContent = t("to_solution_moves", { moves: lengthOf(solving.best) });
  else button.textContent = t("to_solution");
}

find("solve").addEventListener("click", () => {
  if (!isUsable(find("solve")) || !isReady()) return;
  if (!session.puzzle) {
    change({ grid: gridText(), ...placeOf(cornersNow()) });
    return;
  }
  trust();
  emit("open", "follow");
});

// To what is in doubt: the cells, or the whole grid.
function toDoubt() {
  const target = find("overlay").querySelector(".cell.doubtful") ?? find("handles").firstChild;
  find("shot").scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" });
  target.focus({ preventScroll: true });
}

find("mend").addEventListener("click", () => (isSliding(session.puzzle) ? find("fresh").click() : toDoubt()));

// None of the goals in question is the solved picture.
on("declined", () => {
  refresh();
  toDoubt();
});

function refresh() {
  const { puzzle } = session;
  const hasScreenshot = !puzzle || Boolean(puzzle.screenshot);
  find("view-check").classList.toggle("doubtful", !puzzle || !puzzle.certain || !puzzle.solvable);
  find("view-check").classList.toggle("asked", isAsked(puzzle) || Boolean(puzzle?.certain && puzzle.puzzles.length));
  find("shot").hidden = !hasScreenshot;
  find("tilted").parentElement.hidden = !hasScreenshot;
  find("zoom-board").parentElement.hidden = !hasScreenshot;
  find("sizes").hidden = !hasScreenshot;
  find("correct").hidden = !puzzle;
  find("give-reference").hidden = !hasScreenshot || (puzzle ? puzzle.has_reference : Boolean(session.reference));
  find("rows-count").textContent = shown.rows;
  find("cols-count").textContent = shown.cols;
  document.querySelector("#view-check .shot-figure h2").textContent = t(hasScreenshot ? "your_screenshot" : "your_board");
  drawShot();
  find("tool-words").textContent =
    toolNow() === "blank"
      ? t("tool_blank_words")
      : shown.selected < 0
        ? t("tool_swap_words")
        : t("tool_swap_second", { cell: cellName(...rowCol(shown.selected)) });
  drawSolve();
  drawVerdict();
  drawPictures();
}

const drawVerdict = () => showVerdict(shown, (rows, cols) => {
  Object.assign(shown, { rows, cols });
  change({ grid: gridText() });
  refresh();
});

on("begin", () => {
  Object.assign(shown, { rows: 4, cols: 4, selected: -1, whole: false, free: false });
});

on("puzzle", ({ puzzle, fresh }) => {
  // A guess may lie in quite another place: then all of the picture is of use.
  if (fresh || (puzzle.certain && shown.unsure)) shown.whole = !puzzle.certain && puzzle.confidence < UNLIKELY;
  shown.unsure = !puzzle.certain;
  [shown.rows, shown.cols] = [puzzle.start.length, puzzle.start[0].length];
  if (puzzle.reading && !isMoving()) shown.free = isTilted(puzzle.reading.corners) || shown.free;
  shown.selected = -1;
  refresh();
});

// A change did not work out: show again what holds.
function restore() {
  const { puzzle } = session;
  if (puzzle) [shown.rows, shown.cols] = [puzzle.start.length, puzzle.start[0].length];
  refresh();
}
on("unchanged", restore);

on("failure", async (error) => {
  const { puzzle, source } = session;
  if (!puzzle) {
    const first = /^(\d+)x(\d+)$/.exec(error.candidates[0] ?? "");
    if (first) [shown.rows, shown.cols] = [Number(first[1]), Number(first[2])];
    shown.whole = true;
    if (source && !source.width) await source.measured;
  }
  restore();
});

on("busy", (busy) => {
  find("view-check").classList.toggle("busy", busy);
  find("view-check").setAttribute("aria-busy", String(busy));
  drawSolve();
  drawVerdict();
});
on("solving", drawSolve);
on("forget", () => {
  shown.selected = -1;
});

listen({ moving: drawSolve, moved, clicked: picked });
for (const input of document.querySelectorAll("input[name=tool]")) {
  input.addEventListener("change", () => {
    shown.selected = -1;
    refresh();
  });
}
find("zoom-board").addEventListener("click", () => zoom(false));
find("zoom-whole").addEventListener("click", () => zoom(true));
function zoom(whole) {
  shown.whole = whole;
  drawShot();
}
find("tilted").addEventListener("change", (event) => {
  shown.free = event.target.checked;
  drawShot();
  const corners = cornersNow();
  // Upright again: the rectangle around the four corners.
  if (!shown.free && corners) {
    showShot({ corners: ofRegion(boundsOf(corners)), free: false });
    moved(cornersNow());
  }
});
find("late-reference").addEventListener("change", (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  addReference(file);
  scrollTo(0, 0); // what comes of it is said there
});
onLanguage(refresh);

