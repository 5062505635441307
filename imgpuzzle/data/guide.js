"use strict";

// The step player. A "position" i is the board after i moves: 0 is the start,
// `last` the solved board. Tiles are called by the cell where they start.

const data = JSON.parse(document.getElementById("guide-data").textContent);
const words = data.words;
const moves = data.moves;
const last = moves.length;
const find = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const board = find("board");
const arrow = find("arrow");
const tiles = [];
for (const tile of board.querySelectorAll(".tile")) tiles[tile.dataset.tile] = tile;
const hollows = [...board.querySelectorAll(".hollow")];
const aheadMarks = [...board.querySelectorAll(".ahead")];

const state = { at: 0, playing: 0, sliding: null, ready: false };
const listeners = []; // called with the position after every change

const fill = (text, values) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
const row = (cell) => Math.floor(cell / data.cols);
const col = (cell) => cell % data.cols;

// places[i][cell] is the tile that lies there in position i.
const { places, blanks } = replay();

function replay() {
  const now = Uint32Array.from({ length: data.rows * data.cols }, (_, cell) => cell);
  const places = [now.slice()];
  const blanks = [data.blank];
  let blank = data.blank;
  for (const cell of moves) {
    [now[blank], now[cell]] = [now[cell], now[blank]];
    blank = cell;
    places.push(now.slice());
    blanks.push(blank);
  }
  return { places, blanks };
}

function direction(index) {
  const from = moves[index];
  const to = blanks[index];
  if (row(from) !== row(to)) return row(to) > row(from) ? "down" : "up";
  return col(to) > col(from) ? "right" : "left";
}

const turns = { right: "0deg", down: "90deg", left: "180deg", up: "270deg" };

function columnName(cell) {
  return data.column_names[col(cell)];
}

// Whether the reader sees numbers on the tiles: sentences may use them then.
const numbersShown = () => data.numbered || find("numbers").checked;

function moveWords(index) {
  const texts = numbersShown() ? words.move_number : words.move;
  return fill(texts[direction(index)], {
    row: row(moves[index]) + 1,
    column: columnName(moves[index]),
    tile: data.labels[places[index][moves[index]]],
  });
}

function stepName(at) {
  return at < last ? fill(words.step, { number: at + 1, count: last }) : words.solved;
}

function boardWords(at) {
  const rows = [];
  for (let first = 0; first < data.rows * data.cols; first += data.cols) {
    const names = [];
    for (let cell = first; cell < first + data.cols; cell += 1) {
      names.push(cell === blanks[at] ? words.empty : data.labels[places[at][cell]]);
    }
    rows.push(names.join(" "));
  }
  return fill(numbersShown() ? words.board : words.homes, { rows: rows.join("; ") });
}

function put(element, cell) {
  element.style.setProperty("--r", row(cell));
  element.style.setProperty("--c", col(cell));
}

// Show position `at`; when it is one move away the tile slides there.
function show(at, { slide = true } = {}) {
  at = Math.max(0, Math.min(last, at));
  const before = state.at;
  const apart = Math.abs(at - before);
  if (apart === 0 && state.ready) return;
  finishSlide();
  state.at = at;
  state.ready = true;
  for (let cell = 0; cell < places[at].length; cell += 1) {
    const tile = tiles[places[at][cell]];
    if (tile) put(tile, cell);
  }
  put(hollows[0], blanks[at]);
  put(hollows[1], apart === 1 ? blanks[before] : blanks[at]);
  for (const mark of aheadMarks) mark.hidden = true;
  for (const tile of board.querySelectorAll(".next")) tile.classList.remove("next");
  arrow.classList.add("gone");
  board.dataset.at = at;
  if (apart === 1 && slide && !calm.matches) startSlide(before, at);
  else mark();
  describe();
  for (const listener of listeners) listener(at);
}

function startSlide(before, at) {
  // The tile is where it belongs already: let it come from where it was.
  const [from, to] = [blanks[at], blanks[before]];
  const tile = tiles[places[at][to]];
  const x = (col(from) - col(to)) * data.step_x;
  const y = (row(from) - row(to)) * data.step_y;
  tile.classList.add("moving");
  board.dataset.sliding = "yes";
  const slide = tile.animate(
    [{ transform: `translate(${x}%, ${y}%)` }, { transform: "none" }],
    { duration: data.slide_ms * Math.min(1, speed()), easing: "cubic-bezier(0.4, 0, 0.2, 1)" },
  );
  state.sliding = { tile, slide };
  slide.onfinish = finishSlide;
}

function finishSlide() {
  if (!state.sliding) return;
  const { tile, slide } = state.sliding;
  state.sliding = null;
  slide.onfinish = null;
  slide.cancel();
  tile.classList.remove("moving");
  delete board.dataset.sliding;
  mark();
}

// Point out the tile that moves next, and those after it if that is wanted.
function mark() {
  const at = state.at;
  if (at === last) return;
  tiles[places[at][moves[at]]].classList.add("next");
  put(arrow, blanks[at]);
  arrow.style.setProperty("--turn", turns[direction(at)]);
  find("arrow-path").setAttribute("d", data.arrows[direction(at)]);
  arrow.classList.remove("gone");
  const many = find("ahead").checked ? data.ahead : 0;
  aheadMarks.forEach((element, number) => {
    const index = at + 1 + number;
    element.hidden = number >= many || index >= last;
    if (!element.hidden) put(element, moves[index]);
  });
}

function describe() {
  const at = state.at;
  let count = at < last ? stepName(at) : words.reached;
  if (at < last && data.slide_of) {
    count += ` · ${fill(words.slide, { number: data.slide_of[at], count: data.slides })}`;
  }
  find("count").textContent = count;
  find("words").textContent = at < last ? moveWords(at) : words.solved_after;
  document.body.classList.toggle("solved", at === last);
  board.setAttribute("aria-label", boardWords(at));
  const progress = find("progress");
  progress.value = at;
  progress.style.setProperty("--done", `${last ? (100 * at) / last : 0}%`);
  progress.setAttribute("aria-valuetext", stepName(at));
  for (const [id, ended] of [["back", at === 0], ["first", at === 0], ["next", at === last], ["last", at === last]]) {
    find(id).setAttribute("aria-disabled", ended);
  }
}

// Playing by itself.

const speed = () => Number(find("speed").value);

function play() {
  if (!last) return;
  if (state.at === last) show(0);
  setPlaying(setTimeout(tick, data.frame_ms * speed()));
}

function tick() {
  show(state.at + 1);
  if (state.at === last) pause();
  else setPlaying(setTimeout(tick, data.slide_ms * Math.min(1, speed()) + data.frame_ms * speed()));
}

function pause() {
  clearTimeout(state.playing);
  setPlaying(0);
}

function setPlaying(timer) {
  state.playing = timer;
  const playing = Boolean(timer);
  document.body.classList.toggle("playing", playing);
  find("play-label").textContent = playing ? words.pause : words.play;
  // Reading every step aloud would lag behind the pictures.
  find("now").setAttribute("aria-live", playing ? "off" : "polite");
}

function go(at, options) {
  pause();
  show(at, options);
}

// Ways to step: buttons, slider, keys, a click on the tile, a swipe.

const ends = (id, action) =>
  find(id).addEventListener("click", () => {
    if (find(id).getAttribute("aria-disabled") !== "true") action();
  });
ends("next", () => go(state.at + 1));
ends("back", () => go(state.at - 1));
ends("first", () => go(0));
ends("last", () => go(last));
find("play").addEventListener("click", () => (state.playing ? pause() : play()));
find("progress").addEventListener("input", (event) => go(Number(event.target.value)));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (find("finder").open || event.defaultPrevented) return;
  const control = event.target.closest("input, select, textarea");
  if (control && control.type !== "checkbox") return; // they have keys of their own
  const actions = {
    ArrowRight: () => go(state.at + 1),
    ArrowLeft: () => go(state.at - 1),
    Home: () => go(0),
    End: () => go(last),
  };
  if (!event.target.closest("button, input, summary, a")) {
    actions[" "] = () => {
      if (!event.repeat) state.playing ? pause() : play();
    };
  }
  if (last && event.key in actions) {
    event.preventDefault();
    actions[event.key]();
  }
});

let swiped = 0;
board.addEventListener("click", (event) => {
  const tile = event.target.closest(".tile");
  if (!tile || state.at === last || event.timeStamp - swiped < 400) return;
  const wanted = tiles[places[state.at][moves[state.at]]];
  if (tile === wanted) go(state.at + 1);
  else if (!calm.matches && !state.sliding) {
    wanted.animate([{ scale: 1 }, { scale: 0.94 }, { scale: 1 }], { duration: 220 });
  }
});

const stage = find("stage");
const swipe = { id: null, x: 0, y: 0, time: 0 };
stage.addEventListener("pointerdown", (event) => {
  // A second finger means that the reader is zooming.
  swipe.id = event.pointerType === "mouse" || !event.isPrimary ? null : event.pointerId;
  [swipe.x, swipe.y, swipe.time] = [event.clientX, event.clientY, event.timeStamp];
});
stage.addEventListener("pointercancel", () => (swipe.id = null));
stage.addEventListener("pointerup", (event) => {
  if (event.pointerId !== swipe.id) return;
  swipe.id = null;
  const [x, y] = [event.clientX - swipe.x, event.clientY - swipe.y];
  if (Math.abs(x) < 36 || Math.abs(x) < 1.5 * Math.abs(y)) return;
  if (event.timeStamp - swipe.time > 1000) return;
  swiped = event.timeStamp;
  go(state.at + (x < 0 ? 1 : -1));
});

// Options.

function showOptions() {
  board.classList.toggle("numbers", find("numbers").checked);
  find("frame").classList.toggle("coordinates", find("coordinates").checked);
}
find("numbers").addEventListener("change", () => {
  showOptions();
  writeList();
  describe();
});
find("coordinates").addEventListener("change", showOptions);
find("ahead").addEventListener("change", () => {
  if (!state.sliding) mark();
});

// The address: #12 is step 12, #solved the end.

function fromHash() {
  if (location.hash === "#solved") return last;
  const number = /^#(\d{1,7})$/.exec(location.hash);
  return number ? Math.max(0, Math.min(last, Number(number[1]) - 1)) : null;
}
addEventListener("hashchange", () => {
  const at = fromHash();
  if (at !== null && at !== state.at) go(at, { slide: false });
});
let hashTimer = 0;
listeners.push((at) => {
  // Browsers refuse many changes within a short time.
  clearTimeout(hashTimer);
  hashTimer = setTimeout(() => {
    if (fromHash() === at || (fromHash() === null && at === 0)) return;
    try {
      history.replaceState(null, "", at === last ? "#solved" : `#${at + 1}`);
    } catch {
      // A page without an address of its own: nothing to keep.
    }
  }, 300);
});
