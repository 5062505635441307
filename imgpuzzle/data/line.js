// A way through the puzzle: positions 0, 1, 2 ... and the moves between them. Tiles
// are called by the cell where they lie in position 0. Nothing here touches the page.

const opposite = { up: "down", down: "up", left: "right", right: "left" };

// The parts of a puzzle that never change: its size, labels, goal and empty cell.
export function board(puzzle) {
  const labels = puzzle.start.flat();
  return {
    rows: puzzle.start.length,
    cols: puzzle.start[0].length,
    labels,
    goal: puzzle.goal.flat(),
    blank: labels.indexOf(0),
  };
}

// The moves of a solution. Those of other puzzles than sliding ones are told by the server
// in each language: without numbers, and with them.
export function movesOf({ moves, shown }, cols) {
  if (!shown) return moves.map(({ from }) => from[0] * cols + from[1]);
  const told = (index) => Object.entries(shown.told).map(([language, words]) => [language, words.map((list) => list[index])]);
  return shownMoves(shown).map((move, index) => ({ ...move, told: Object.fromEntries(told(index)) }));
}

// `moves` names for each step the cell that is pushed: its tile moves towards the empty
// cell, and those between them with it. Most often it is the one beside the empty cell.
export class Line {
  constructor(board, moves) {
    this.board = board;
    this.moves = moves;
    this.places = [Uint16Array.from(board.labels, (_, cell) => cell)];
    this.blanks = [board.blank];
    for (const move of moves) this.make(move);
  }

  // One move more, from the last position.
  make(cell) {
    this.places.push(pushed(this.places.at(-1), this.blanks.at(-1), cell, this.board.cols));
    this.blanks.push(cell);
  }

  get last() {
    return this.moves.length;
  }

  // How many moves two ways have in common, from the start.
  common(other) {
    let count = 0;
    while (count < this.last && this.moves[count] === other.moves[count]) count += 1;
    return count;
  }

  // The labels of position `at`, row by row.
  labelsAt(at) {
    return Array.from(this.places[at], (tile) => this.board.labels[tile]);
  }

  rowsAt(at) {
    const { rows, cols } = this.board;
    const labels = this.labelsAt(at);
    return Array.from({ length: rows }, (_, row) => labels.slice(row * cols, (row + 1) * cols));
  }

  keyAt(at) {
    return this.labelsAt(at).join(" ");
  }

  // The first position like this one, or -1.
  indexOf(key) {
    for (let at = 0; at <= this.last; at += 1) if (this.keyAt(at) === key) return at;
    return -1;
  }

  // The cells whose tiles move in a step, the one beside the empty cell first.
  pushed(index) {
    return between(this.blanks[index], this.moves[index], this.board.cols);
  }

  // How position `at` comes after `before`, for `BoardView.move`: what goes from one cell
  // to another, and the cells that are bare meanwhile.
  step(at, before) {
    const near = Math.abs(at - before) === 1;
    const [blank, from] = [this.blanks[at], this.blanks[near ? before : at]];
    const cells = near ? between(blank, from, this.board.cols) : [];
    return { motions: cells.map((cell) => [cell + blank - cells[0], cell]), holes: [blank, from].filter((cell) => cell >= 0) };
  }

  // How many tiles have moved by position `at`.
  singlesAt(at) {
    let count = 0;
    for (let index = 0; index < at; index += 1) count += this.pushed(index).length;
    return count;
  }

  // The same way with tiles that move one behind the other as one step, and where
  // position `at` lies on it. No step leads past that position.
  inSlides(at) {
    const moves = [];
    let way = "";
    let shown = 0;
    this.moves.forEach((cell, index) => {
      const next = this.direction(index);
      if (next === way && index !== at) moves[moves.length - 1] = cell;
      else moves.push(cell);
      way = next;
      if (index < at) shown = moves.length;
    });
    return { line: new Line(this.board, moves), at: shown };
  }

  // The same way tile by tile.
  inSingles() {
    return new Line(this.board, this.moves.flatMap((_, index) => this.pushed(index)));
  }

  direction(index) {
    return direction(this.moves[index], this.blanks[index], this.board.cols);
  }

  isSolvedAt(at) {
    return this.labelsAt(at).every((label, cell) => label === this.board.goal[cell]);
  }

  // The cells whose tile can move in position `at`; with `slides`, those that push others too.
  movable(at, slides = false) {
    return pushable(this.blanks[at], this.board, slides);
  }
}

// Of each move that is shown: its arrow's look, the cell of the arrow, and the cells from
// and to which its tiles go.
export const shownMoves = ({ moves, looks }) => moves.map(([look, cell, ...cells]) => ({
  look: looks[look],
  cell,
  motions: Array.from({ length: cells.length / 2 }, (_, index) => cells.slice(2 * index, 2 * index + 2)),
}));

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

// A way of such moves, whatever the rules are. `turns` has for each position by how many
// quarters each tile has been turned, in all.
export class Tour extends Line {
  make({ motions, look }) {
    const now = this.places.at(-1);
    this.places.push(carried(now, motions));
    this.blanks.push(this.places.at(-1).indexOf(this.board.blank));
    this.turns ??= [Array.from(now, () => 0)];
    const turns = this.turns.at(-1).slice();
    look?.turns?.forEach((turn, number) => (turns[now[motions[number][0]]] += turn));
    this.turns.push(turns);
  }

  keyAt(at) {
    const turned = this.turns?.[at].some((turn) => turn % 4);
    return turned ? `${super.keyAt(at)} / ${this.turns[at].map((turn) => turn % 4)}` : super.keyAt(at);
  }

  step(at, before) {
    const near = Math.abs(at - before) === 1;
    const { motions, look } = near ? this.moves[Math.min(at, before)] : { motions: [], look: {} };
    const place = (cell) => [Math.floor(cell / this.board.cols), cell % this.board.cols];
    // Where a tile does not go straight: the rows and columns from where it comes to lie.
    const trackOf = (cell, index) => look.tracks?.[index]?.map((places) => places.map(([down, along]) => [place(cell)[0] + down, place(cell)[1] + along]));
    const on = motions.map(([from, to], index) => [from, to, trackOf(to, index), look.turns?.[index]]);
    const back = ([from, to, track, turn]) => [to, from, track?.map((places) => places.toReversed()), turn && -turn];
    const blanks = [this.blanks[at], this.blanks[near ? before : at]];
    return { motions: at > before ? on : on.map(back), holes: this.board.blank < 0 ? motions.map(([from]) => from) : blanks };
  }

  pushed(index) {
    return this.moves[index].motions.map(([from]) => from);
  }

  // Each of its moves is one step.
  singlesAt(at) {
    return at;
  }

  inSingles() {
    return this;
  }

  inSlides(at) {
    return { line: this, at };
  }
}

// A way of moves that are cells which are pushed, or of such as are shown.
export const lineOf = (board, moves) => new (moves[0]?.motions ? Tour : Line)(board, moves);

const PATH_MOVES = 6; // more than can be made between two looks at a game

// The cells that are pushed from position `at` on until the tiles lie as `labels` says,
// along the line or beside it; `null` where a few moves do not lead there.
export function pathTo(line, at, labels, slides = false) {
  const { board } = line;
  const key = labels.join(" ");
  for (let later = at; later <= line.last; later += 1) {
    if (line.keyAt(later) === key) return line.moves.slice(at, later);
  }
  let edge = [{ now: line.labelsAt(at), blank: line.blanks[at], path: [] }];
  const seen = new Set([line.keyAt(at)]);
  for (let count = 0; count < PATH_MOVES && edge.length; count += 1) {
    const next = [];
    for (const { now, blank, path } of edge) {
      for (const cell of pushable(blank, board, slides)) {
        const then = pushed(now, blank, cell, board.cols);
        const name = then.join(" ");
        if (seen.has(name)) continue;
        if (name === key) return [...path, cell];
        seen.add(name);
        next.push({ now: then, blank: cell, path: [...path, cell] });
      }
    }
    edge = next;
  }
  return null;
}

// What lies where once the tiles from a cell on have moved towards the empty one.
function pushed(before, blank, cell, cols) {
  const now = before.slice();
  let empty = blank;
  for (const one of between(blank, cell, cols)) {
    [now[empty], now[one]] = [now[one], now[empty]];
    empty = one;
  }
  return now;
}

// The cells whose tile can move towards the empty one; with `slides`, those that push
// others too.
function pushable(blank, board, slides) {
  if (blank < 0) return [];
  if (!slides) return neighbours(blank, board);
  const { cols } = board;
  const inLine = (cell) => cell % cols === blank % cols || Math.floor(cell / cols) === Math.floor(blank / cols);
  return board.labels.map((_, cell) => cell).filter((cell) => cell !== blank && inLine(cell));
}

export function neighbours(cell, { rows, cols }) {
  const [row, col] = [Math.floor(cell / cols), cell % cols];
  const found = [];
  if (row > 0) found.push(cell - cols);
  if (row < rows - 1) found.push(cell + cols);
  if (col > 0) found.push(cell - 1);
  if (col < cols - 1) found.push(cell + 1);
  return found;
}

// The cells from the one beside `from` to `to`, in the same row or column.
export function between(from, to, cols) {
  const across = Math.floor(from / cols) === Math.floor(to / cols);
  const step = Math.sign(to - from) * (across ? 1 : cols);
  return Array.from({ length: Math.abs((to - from) / step) }, (_, index) => from + (index + 1) * step);
}

// Which way the tile in `from` goes when it moves into `to`.
export function direction(from, to, cols) {
  const [a, b] = [Math.floor(from / cols), Math.floor(to / cols)];
  if (a !== b) return b > a ? "down" : "up";
  return to > from ? "right" : "left";
}

// The cell whose tile slides in this direction into the empty cell, or -1.
export function cellSliding(way, blank, board) {
  const from = opposite[way];
  const found = neighbours(blank, board).find((cell) => direction(blank, cell, board.cols) === from);
  return found ?? -1;
}
