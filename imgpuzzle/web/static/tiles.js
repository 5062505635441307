// The tiles of a puzzle as small pictures, cut from the server's one sheet of them.

import { make } from "./dom.js";
import { drawBoard, drawTile } from "./stepping.js";

let latest = null;

// `look` has the measures; `draw(tile)` gives a canvas with the tile that lies in that
// cell at the start. Asking again for the same sheet costs nothing.
export function loadTiles(puzzle) {
  const address = puzzle.tiles;
  if (latest?.address !== address) latest = { address, ready: decode(puzzle) };
  return latest.ready;
}

// A connection that is lost just now comes back: without its tiles nothing shows a board, so
// their sheet is asked for until it is here, or another one is wanted; less and less often.
const AGAIN_MS = 2000;
const SELDOM_MS = 60000;
async function decode(puzzle) {
  for (let wait = AGAIN_MS; ; wait = Math.min(2 * wait, SELDOM_MS)) {
    const sheet = new Image();
    sheet.src = puzzle.tiles;
    try {
      await sheet.decode();
      return new Tiles(puzzle, sheet);
    } catch (error) {
      if (latest?.address !== puzzle.tiles) throw error;
    }
    await new Promise((goOn) => setTimeout(goOn, wait));
  }
}

export class Tiles {
  constructor(puzzle, sheet) {
    this.sheet = sheet;
    this.rows = puzzle.start.length;
    this.cols = puzzle.start[0].length;
    this.wide = puzzle.tile_width;
    this.high = puzzle.tile_height;
    this.gap = puzzle.gap ?? 0;
    this.background = puzzle.background ?? [16, 16, 20];
    this.numbered = Boolean(puzzle.numbered);
    this.hatched = puzzle.hatched;
    this.turns = [];
    this.width = this.cols * (this.wide + this.gap) - this.gap;
    this.height = this.rows * (this.high + this.gap) - this.gap;
  }

  get floor() {
    return colour(this.background);
  }

  // The same tiles upright, of which each lies turned clockwise by so many quarters.
  upright(turns) {
    return turns ? Object.assign(Object.create(this), { turns: turns.flat() }) : this;
  }

  // Draws a tile into a box, turned back.
  stamp(pencil, tile, box) {
    const [col, row] = [tile % this.cols, Math.floor(tile / this.cols)];
    drawTile(pencil, this.sheet, [col * this.wide, row * this.high, this.wide, this.high], box, -(this.turns[tile] ?? 0));
  }

  // One canvas of its own for each tile: its edges then never show a neighbour.
  draw(tile, most = 512) {
    const scale = Math.min(1, most / Math.max(this.wide, this.high));
    const canvas = make("canvas", {
      "aria-hidden": "true",
      width: Math.max(1, Math.round(this.wide * scale)),
      height: Math.max(1, Math.round(this.high * scale)),
    });
    const pencil = canvas.getContext("2d");
    pencil.imageSmoothingQuality = "high";
    this.stamp(pencil, tile, [0, 0, canvas.width, canvas.height]);
    return canvas;
  }

  // The empty cell, and over it the same hatched (in the sheet's last row), for the themes in
  // which it would not be seen as such.
  hollow(blank) {
    const hatch = this.hatched.length ? this.draw(this.rows * this.cols) : null;
    hatch?.classList.add("hatch", ...this.hatched);
    return [this.draw(blank), hatch];
  }

  // A whole board: `tiles[cell]` lies in each cell, `empty` is left out.
  picture(tiles, empty, side) {
    const canvas = make("canvas", { "aria-hidden": "true" });
    const most = Math.min(side, Math.max(this.width, this.height));
    drawBoard(canvas, this, tiles, most, (pencil, tile, box) => {
      if (tile !== empty) this.stamp(pencil, tile, box);
    });
    return canvas;
  }
}

export const share = (part, whole) => `${(100 * part) / whole}%`;

export const colour = (rgb) => `rgb(${rgb.join(" ")})`;

// Black or white, whichever reads better on a colour (relative luminance, WCAG 2.2).
export function inkOn(rgb) {
  const [r, g, b] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
}

// Which start cell's tile belongs into each cell of the goal; of equal labels each is
// used once, in order.
export function homes(start, goal) {
  const cells = new Map();
  start.forEach((label, cell) => {
    if (!cells.has(label)) cells.set(label, []);
    cells.get(label).push(cell);
  });
  return goal.map((label) => cells.get(label)?.shift() ?? start.indexOf(0));
}
