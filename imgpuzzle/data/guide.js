// The step player. A "position" i is the board after i moves: 0 is the start,
// `last` the solved board. Tiles are called by the cell where they start.

const data = JSON.parse(document.getElementById("guide-data").textContent);
const words = data.words;
const line = new Tour(data, shownMoves(data));
const { places, turns = [[]], blanks, last } = line;

const row = (cell) => Math.floor(cell / data.cols);
const col = (cell) => cell % data.cols;

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

// Whether the reader sees numbers on the tiles: sentences may use them then.
const numbersShown = () => data.numbered || find("numbers").checked;

const moveWords = (index) => data.told[numbersShown() ? 1 : 0][index];

function stepName(at) {
  return at < last ? fill(words.step, { number: at + 1, count: last }) : words.solved;
}

// The stage that the next move belongs to, where the solution has stages.
const stageOf = (at) => data.stages?.findLast((stage) => stage.first <= at);

function boardWords(at) {
  const rows = line.rowsAt(at).map((row) => row.map((label) => label || words.empty).join(" "));
  return fill(numbersShown() ? words.board : words.homes, { rows: rows.join("; ") });
}

// Show position `at`; when it is one move away the tiles slide there.
function show(at, { slide = true } = {}) {
  at = Math.max(0, Math.min(last, at));
  const before = state.at;
  if (at === before && state.ready) return;
  state.at = at;
  state.ready = true;
  board.dataset.at = at;
  view.show(line, at, slide ? before : at, { speed: steps.speed, then: mark });
  describe();
  for (const listener of listeners) listener(at);
}

// Point out what moves next, and what after it if that is wanted.
function mark() {
  const { at } = state;
  if (at === last || view.sliding) return;
  view.markShown(line, at, find("ahead").checked ? data.ahead : 0);
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
  const wanted = line.pushed(state.at).map((cell) => places[state.at][cell]);
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
