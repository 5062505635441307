// The step player. A "position" i is the board after i moves: 0 is the start,
// `last` the solved board. Tiles are called by the cell where they start.

const data = JSON.parse(document.getElementById("guide-data").textContent);
const words = data.words;
// Of each move the number of its arrow's look, the cell of the arrow, and the cells from
// and to which its tiles go.
const moves = data.moves.map(([look, cell, ...cells]) => ({
  look: data.looks[look],
  cell,
  motions: Array.from({ length: cells.length / 2 }, (_, index) => cells.slice(2 * index, 2 * index + 2)),
}));
const last = moves.length;
const find = (id) => document.getElementById(id);

const row = (cell) => Math.floor(cell / data.cols);
const col = (cell) => cell % data.cols;

// What lies where after some motions: what nothing leaves goes where nothing comes to lie.
function carried(now, motions) {
  const after = now.slice();
  const [left, taken] = [0, 1].map((end) => motions.map((motion) => motion[end]));
  for (const [from, to] of motions) after[to] = now[from];
  const covered = taken.filter((cell) => !left.includes(cell));
  left.filter((cell) => !taken.includes(cell)).forEach((cell, index) => {
    after[cell] = now[covered[index]];
  });
  return after;
}
const places = [Uint16Array.from(data.labels, (_, cell) => cell)];
for (const { motions } of moves) places.push(carried(places.at(-1), motions));
// By how many quarters each tile has been turned, in all.
const turns = [places[0].constructor.from(places[0], () => 0)];
moves.forEach(({ motions, look }, index) => {
  const now = turns.at(-1).slice();
  look.turns?.forEach((turn, number) => (now[places[index][motions[number][0]]] += turn));
  turns.push(now);
});
const blanks = places.map((now) => now.indexOf(data.blank));
const moving = (index) => moves[index].motions.map(([from]) => from);

const board = find("board");
const view = new BoardView(board);
Object.assign(view, {
  cols: data.cols,
  stepX: data.step_x,
  stepY: data.step_y,
  slideMs: data.slide_ms,
  hollows: [...board.querySelectorAll(".hollow")],
  marks: [...board.querySelectorAll(".ahead")],
  arrow: find("arrow"),
});
for (const tile of board.querySelectorAll(".tile")) view.tiles[tile.dataset.tile] = tile;

const state = { at: 0, ready: false };
const listeners = []; // called with the position after every change

const fill = (text, values) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
function columnName(cell) {
  return data.column_names[col(cell)];
}

// Whether the reader sees numbers on the tiles: sentences may use them then.
const numbersShown = () => data.numbered || find("numbers").checked;

const moveWords = (index) => data.told[numbersShown() ? 1 : 0][index];

function stepName(at) {
  return at < last ? fill(words.step, { number: at + 1, count: last }) : words.solved;
}

// The stage that the next move belongs to, where the solution has stages.
const stageOf = (at) => data.stages?.findLast((stage) => stage.first <= at);

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

// The rows and columns by which a tile goes to a cell, where it does not go straight.
const trackOf = (look, cell, index) =>
  look.tracks?.[index]?.map((places) => places.map(([down, along]) => [row(cell) + down, col(cell) + along]));

// Show position `at`; when it is one move away the tiles slide there.
function show(at, { slide = true } = {}) {
  at = Math.max(0, Math.min(last, at));
  const before = state.at;
  if (at === before && state.ready) return;
  state.at = at;
  state.ready = true;
  board.dataset.at = at;
  const near = slide && Math.abs(at - before) === 1;
  const { motions, look } = near ? moves[Math.min(at, before)] : { motions: [], look: {} };
  const on = motions.map(([from, to], index) => [from, to, trackOf(look, to, index), look.turns?.[index]]);
  const back = ([from, to, track, turn]) => [to, from, track?.map((places) => places.toReversed()), turn && -turn];
  const ways = at > before ? on : on.map(back);
  const holes = data.blank < 0 ? motions.map(([from]) => from) : [blanks[at], blanks[near ? before : at]];
  view.move(places[at], ways, holes, { speed: steps.speed, turns: turns[at], then: mark });
  describe();
  for (const listener of listeners) listener(at);
}

// Point out what moves next, and what after it if that is wanted.
function mark() {
  const { at } = state;
  if (at === last || view.sliding) return;
  const shown = find("ahead").checked ? data.ahead : 0;
  const after = Array.from({ length: Math.min(shown, last - at - 1) }, (_, index) => moving(at + 1 + index)[0]);
  const { cell, look } = moves[at];
  const tiles = moving(at).map((one) => places[at][one]);
  view.point(tiles, { cell, ...look, turn: `${look.turn}deg` }, after);
}

function describe() {
  const at = state.at;
  let count = at < last ? stepName(at) : words.reached;
  if (at < last && data.slide_of) {
    count += ` · ${fill(words.slide, { number: data.slide_of[at], count: data.slides })}`;
  }
  const stage = stageOf(at);
  if (at < last && stage) count += ` · ${stage.name}`;
  find("count").textContent = count;
  if (data.stages) find("chapter").textContent = at < last ? stage.words : "";
  find("words").textContent = at < last ? moveWords(at) : words.solved_after;
  document.body.classList.toggle("solved", at === last);
  board.setAttribute("aria-label", boardWords(at));
  steps.draw(stepName(at));
}

const steps = new Steps(
  {
    get at() {
      return state.at;
    },
    last,
    isOn: true,
    show,
    drawPlaying(playing) {
      document.body.classList.toggle("playing", playing);
      find("play-label").textContent = playing ? words.pause : words.play;
    },
  },
  { slideMs: data.slide_ms, frameMs: data.frame_ms },
);
const go = (at, options) => steps.go(at, options);

board.addEventListener("click", (event) => {
  const tile = event.target.closest(".tile");
  if (!tile || state.at === last || steps.isSwipe(event)) return;
  const wanted = moving(state.at).map((cell) => places[state.at][cell]);
  if (wanted.some((one) => tile === view.tiles[one])) go(state.at + 1);
  else wanted.forEach((one) => view.shake(one));
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
find("ahead").addEventListener("change", mark);

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
