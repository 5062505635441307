// "Solution": the board with its steps, and what is known of their number.

import { drawClaim } from "./claimview.js";
import { find, icon, make, setUsable, toast } from "./dom.js";
import { emit, on } from "./events.js";
import { currentLanguage, onLanguage, t } from "./i18n.js";
import { Tour, board as boardOf, lineOf, movesOf } from "./line.js";
import { player } from "./player.js";
import { kept, keep } from "./prefs.js";
import { session } from "./session.js";
import { setMetric, solving } from "./solving.js";
import { Steps, calm, markInList } from "./stepping.js";
import { loadTiles } from "./tiles.js";
import { boardWords, moveWords, toGo } from "./words.js";

const view = player.view;
let offer = null;
let ready = false; // the board stands in the page
let puzzleShown = null;

// Showing positions.

// Show a way that goes tile by tile, at one of its positions.
export function setLine(way, at, { own = false } = {}) {
  const shown = player.slides ? way.inSlides(at) : { line: way, at };
  setSteps(shown.line, shown.at, { own, way });
}

// Show a line with the steps that it has: what the visitor did counts as it was done.
export function setSteps(line, at, { own = false, way = line.inSingles() } = {}) {
  Object.assign(player, { way, own, line, at });
  const progress = find("progress");
  progress.max = player.line.last;
  if (ready) place();
  buildList();
  drawClaim();
}

function place(before = player.at) {
  const { line, at } = player;
  view.show(line, at, before, { speed: steps.speed, then: mark });
  describe();
  markList();
  emit("position", at);
}

// Show position `at`; when it is one move away the tile slides there.
export function show(at, { slide = true } = {}) {
  const { line, at: before } = player;
  if (!line || !ready) return;
  at = Math.max(0, Math.min(line.last, at));
  if (at === before) return;
  player.at = at;
  place(slide ? before : at);
}

export function mark() {
  const { line, at, along } = player;
  if (!line || view.sliding) return;
  const hinted = !along || along.hinted();
  const shows = find("ahead").checked && (!along || along.watched);
  if (at === line.last || !hinted) view.unmark();
  else view.markMove(line, at, shows ? 3 : 0);
}

// The stages of the way that is shown, and the one that the next step belongs to.
const stagesShown = () => (player.along || player.line !== player.main ? [] : (player.result?.stages?.told[currentLanguage()].parts ?? []));
const showsNumbers = () => find("numbers").checked || Boolean(player.tiles?.numbered);

function describe() {
  const { line, at, along } = player;
  const last = line.last;
  const ended = at === last;
  view.root.dataset.at = at;
  const left = last - at;
  const stage = ended ? null : stagesShown().findLast(({ first }) => first <= at);
  find("chapter").hidden = !stage;
  find("chapter").textContent = stage?.words[showsNumbers() ? 1 : 0] ?? "";
  const where = stage ? ` · ${stage.name}` : "";
  // A step of other kinds of puzzles may count as several moves.
  const isTour = line instanceof Tour;
  const toCome = isTour ? "" : ` · ${t(player.slides ? "left_clicks" : "left", { count: left })}`;
  const solved = isTour ? t("solved") : t(player.slides ? "solved_after_clicks" : "solved_after", { count: last });
  find("count").textContent = ended
    ? t("reached")
    : along
      ? t("made_left", { made: at, left: toGo(left) })
      : `${t("step", { number: at + 1, total: last })}${where}${toCome}`;
  find("words").textContent = ended
    ? last ? solved : t("nothing_left")
    : along ? along.words() : moveWords(line, at, find("numbers").checked || player.tiles.numbered);
  find("view-follow").classList.toggle("solved", ended);
  view.root.setAttribute("aria-label", boardWords(line, at));
  steps.draw(ended ? t("solved") : t("step", { number: at + 1, total: last }));
  drawThen();
}

// The steps of a way up to a position and from there, as they are counted now.
const stepsTo = (way, at) => (player.slides ? way.inSlides(at).at : at);
function stepsFrom(way, at) {
  if (!player.slides) return way.last - at;
  const slides = way.inSlides(at);
  return slides.line.last - slides.at;
}

// The three moves after the next one, as small tiles with arrows.
function drawThen() {
  const { line, at, tiles, along } = player;
  const after = line.moves.slice(at + 1, at + 4);
  find("then").hidden = !after.length || Boolean(along && !along.watched) || line instanceof Tour;
  if (find("then").hidden) return;
  const chips = after.map((cell, index) => {
    const tile = line.places[at + 1 + index][cell];
    const way = line.direction(at + 1 + index);
    const item = make("li", { class: "chip" });
    item.append(tiles.draw(tile, 88), icon("arrow", way), make("span", { class: "aloud", text: moveWords(line, at + 1 + index, true) }));
    return item;
  });
  find("then-list").replaceChildren(...chips);
}

// Ways to step.

const steps = new Steps({
  get at() {
    return player.at;
  },
  get last() {
    return player.line?.last ?? 0;
  },
  get isOn() {
    return !find("view-follow").hidden && Boolean(player.line) && !player.along;
  },
  show,
  takes: (event) => !find("view-follow").hidden && Boolean(player.line && player.along?.key(event)),
  drawPlaying(playing) {
    find("play-icon").setAttribute("href", playing ? "#i-pause" : "#i-play");
    find("play-label").textContent = t(playing ? "pause" : "play");
  },
});
const go = (at, options) => steps.go(at, options);
export const pause = () => steps.pause();

view.clicked = (tile, event) => {
  const { line, at, along } = player;
  if (!line) return;
  if (along) along.tile(tile);
  else if (at < line.last && !steps.isSwipe(event)) {
    if (line.pushed(at).some((cell) => line.places[at][cell] === tile)) go(at + 1);
    else view.shake(tile);
  }
};

// A solution arrived, the first one or a shorter one.
function adopt(result) {
  const before = player.result;
  player.result = result;
  const isSame = (one) => Boolean(one.stages) === Boolean(result.stages) && one.move_count === result.move_count && one.slide_count === result.slide_count;
  if (before && isSame(before)) return; // only more is proven
  const line = lineOf(player.board, movesOf(result, player.board.cols));
  player.main = line;
  if (!player.line || (!player.own && player.at === 0)) {
    setLine(line, 0);
    emit("way", line);
    return;
  }
  if (player.own) return;
  const same = line.indexOf(player.line.keyAt(player.at));
  if (same >= 0) {
    // The board stays as it is; only what follows is shorter now.
    setLine(line, same);
    const count = player.line.last - player.at;
    toast(t(player.slides ? "shorter_now_clicks" : "shorter_now", { count }));
    if (player.along) emit("main");
    return;
  }
  // From where the player stands the other way may be the longer one.
  const [at, shared] = [player.line.singlesAt(player.at), line.common(player.way)];
  const back = at > shared ? stepsTo(player.way, at) - stepsTo(player.way, shared) : 0;
  if (back + stepsFrom(line, Math.min(at, shared)) >= stepsFrom(player.way, at)) {
    player.result = before;
    return;
  }
  offer = line;
  drawOffer();
}

function drawOffer() {
  const box = find("offer");
  const back = player.own && player.main;
  box.hidden = !(offer || back);
  if (box.hidden) return;
  const buttons = [];
  let text = "";
  if (offer) {
    const same = offer.common(player.way);
    const step = stepsTo(player.way, same) + 1;
    text = t(player.slides ? "offer_clicks" : "offer", { count: stepsFrom(offer, 0), step });
    buttons.push(
      make("button", { type: "button", class: "button slim primary", text: t("offer_take", { step }), onclick: () => takeOffer(same) }),
      make("button", { type: "button", class: "button slim", text: t("offer_keep"), onclick: () => takeOffer(-1) }),
    );
  } else {
    text = t("own_way");
    buttons.push(make("button", { type: "button", class: "button slim", text: t("own_back"), onclick: () => backToMain(0) }));
  }
  box.replaceChildren(make("p", { text }), make("div", { class: "offer-buttons" }, ...buttons));
}

function takeOffer(at) {
  const line = offer;
  offer = null;
  if (at >= 0) {
    pause();
    setLine(line, at);
    if (player.along) emit("main");
  }
  drawOffer();
}

// Leave one's own way for the one from the screenshot.
export function backToMain(at) {
  pause();
  setLine(player.main, at);
  drawOffer();
  emit("main");
}

export function drawState() {
  drawClaim();
  drawOffer();
}

// The list of all moves, made when it is opened.

let listItems = [];
const list = find("list");

function buildList() {
  if (!find("moves").open || !player.line) return;
  const { line } = player;
  const chapters = new Map(stagesShown().map(({ first, heading }) => [first, heading]));
  listItems = line.moves.map((_, index) => {
    const words = moveWords(line, index, find("numbers").checked || player.tiles?.numbered);
    const button = make("button", { type: "button", onclick: () => go(index, { slide: false }) });
    button.append(make("span", { text: index + 1 }), make("span", { text: words }));
    return make("li", {}, button);
  });
  list.replaceChildren(...listItems.flatMap((item, index) => {
    const text = chapters.get(index);
    return text ? [make("li", { class: "run", text }), item] : [item];
  }));
  markList();
}

function markList() {
  const button = find("moves").open ? listItems[player.at]?.firstChild : null;
  markInList(list, list.querySelector("[aria-current]"), button);
}

find("moves").addEventListener("toggle", buildList);

// Options, kept for the next visit.

for (const id of ["numbers", "coordinates", "ahead"]) {
  find(id).checked = kept(id) === "yes";
  find(id).addEventListener("change", () => {
    keep(id, find(id).checked ? "yes" : null);
    showOptions();
  });
}
// Games that move several tiles with one click are followed so, and solved in few clicks.
// That belongs to the game: another puzzle begins with single tiles.
export function countSlides(slides, puzzle = null) {
  player.slides = slides;
  find("slides").checked = slides;
  find("stages").checked = false;
  setMetric(slides ? "slide" : "single", puzzle);
}

find("slides").addEventListener("change", (event) => {
  pause();
  const at = player.line?.singlesAt(player.at);
  countSlides(event.target.checked, session.puzzle);
  if (player.way) setLine(player.way, at, { own: player.own });
  drawState();
  emit("metric");
});
on("begin", () => countSlides(false));

// In stages the way is another one, to be followed from the start.
find("stages").addEventListener("change", (event) => {
  const isOn = event.target.checked;
  pause();
  player.slides = false;
  find("slides").checked = false;
  setMetric(isOn ? "stages" : "single", session.puzzle);
  if (player.main) setLine(player.main, 0);
  drawState();
  emit("metric");
});
find("speed").value = ["2", "1", "0.45"].includes(kept("speed")) ? kept("speed") : "1";
find("speed").addEventListener("change", () => keep("speed", find("speed").value));

function showOptions() {
  view.root.classList.toggle("numbers", find("numbers").checked && !player.tiles?.numbered);
  find("frame").classList.toggle("coordinates", find("coordinates").checked);
  find("numbers-row").hidden = Boolean(player.tiles?.numbered);
  if (!player.line || !ready) return;
  mark();
  describe();
  buildList();
}

// Where the puzzle comes from.

on("puzzle", async ({ puzzle }) => {
  pause();
  offer = null;
  ready = false;
  Object.assign(player, { way: null, line: null, main: null, result: null, own: false, at: 0, board: boardOf(puzzle) });
  puzzleShown = puzzle;
  find("elsewhere").hidden = !puzzle.screenshot;
  emit("newboard");
  // Nothing of another board is left to be seen.
  find("stage").classList.add("building");
  drawState();
  const tiles = await loadTiles(puzzle);
  if (puzzleShown !== puzzle) return;
  player.tiles = tiles;
  view.build(tiles, player.board);
  find("stage").classList.remove("building");
  ready = true;
  view.show(lineOf(player.board, []), 0);
  showOptions();
  if (player.line) place();
  else waiting();
  drawState();
});

// No way is known yet: the board stands there, and the buttons wait.
function waiting() {
  for (const id of ["back", "first", "next", "last", "play"]) setUsable(find(id), false);
  const progress = find("progress");
  progress.value = 0;
  progress.style.setProperty("--done", "0%");
  find("count").textContent = "";
  find("words").textContent = "";
  find("then").hidden = true;
  list.replaceChildren();
  steps.pause();
}

on("solving", () => {
  if (solving.state === "idle" || !player.board) return;
  if (solving.best && solving.best !== player.result) adopt(solving.best);
  if (!solving.best) waiting();
  drawClaim();
});

on("jump", (at) => {
  offer = null;
  backToMain(at);
  const { last } = player.line;
  const left = player.line instanceof Tour ? t("step", { number: player.at + 1, total: last }) : toGo(last - player.at);
  toast(t("jumped", { left }));
});

on("forget", () => {
  pause();
  puzzleShown = null;
  Object.assign(player, { way: null, line: null, main: null, result: null, board: null, at: 0 });
});

onLanguage(() => {
  steps.setPlaying(steps.playing);
  if (!player.line || !ready) return;
  buildList();
  describe();
  drawState();
});

calm.addEventListener("change", mark);
