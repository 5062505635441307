// The tiles of a puzzle as small pictures, cut from the server's one sheet of them.

import { make } from "./dom.js";
import { drawBoard, drawTile } from "./stepping.js";

// When an empty cell would not be seen as such, and how it is then drawn, in levels and
// px: as in the guides.
const [LIKE_PAPER, LIKE_TILES, MANY_ALIKE, LEAST_HATCHED] = [40, 30, 0.25, 12];
const [HATCH_LEVELS, RIM_LEVELS] = [26, 84];
const SAMPLE_PX = 32;

let latest = null;

// `look` has the measures; `draw(tile)` gives a canvas with the tile that lies in that
// cell at the start. Asking again for the same sheet costs nothing.
export function loadTiles(puzzle) {
  const address = puzzle.tiles;
  if (latest?.address !== address) latest = { address, ready: decode(puzzle) };
  return latest.ready;
}

async function decode(puzzle) {
  const sheet = new Image();
  sheet.src = puzzle.tiles;
  await sheet.decode();
  return new Tiles(puzzle, sheet);
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
      width: Math.max(1, Math.round(this.wide * scale)),
      height: Math.max(1, Math.round(this.high * scale)),
    });
    const pencil = canvas.getContext("2d");
    pencil.imageSmoothingQuality = "high";
    this.stamp(pencil, tile, [0, 0, canvas.width, canvas.height]);
    return canvas;
  }

  // The empty cell: hatched, with a rim, where it would not be seen as such.
  hollow(blank) {
    const canvas = this.draw(blank);
    const pencil = canvas.getContext("2d");
    const { width, height } = canvas;
    if (Math.min(width, height) < LEAST_HATCHED) return canvas;
    const picture = pencil.getImageData(0, 0, width, height);
    const own = median(picture.data);
    const melts = papers().some((paper) => isNear(own, paper, LIKE_PAPER)) || this.isAmong(own, blank);
    if (!melts) return canvas;
    hatch(picture, own);
    pencil.putImageData(picture, 0, 0);
    return canvas;
  }

  // Whether a good part of the other tiles has a colour.
  isAmong(colour, blank) {
    let [near, all] = [0, 0];
    for (let tile = 0; tile < this.rows * this.cols; tile += 1) {
      if (tile === blank) continue;
      const { width, height, data } = pixels(this.draw(tile, SAMPLE_PX));
      for (let at = 0; at < 4 * width * height; at += 4) near += isNear(colour, data.subarray(at, at + 3), LIKE_TILES);
      all += width * height;
    }
    return near > MANY_ALIKE * all;
  }

  // A whole board: `tiles[cell]` lies in each cell, `empty` is left out.
  picture(tiles, empty, side) {
    const canvas = make("canvas");
    const most = Math.min(side, Math.max(this.width, this.height));
    drawBoard(canvas, this, tiles, most, (pencil, tile, box) => {
      if (tile !== empty) this.stamp(pencil, tile, box);
    });
    return canvas;
  }
}

const pixels = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);

// The page behind the board, and the board's own white edge.
const papers = () => [[255, 255, 255], ...(document.documentElement.dataset.theme === "dark" ? [[17, 19, 24]] : [])];

const isNear = (one, other, most) => one.every((value, index) => Math.abs(value - other[index]) <= most);

function median(data) {
  return [0, 1, 2].map((part) => {
    const values = data.filter((_, at) => at % 4 === part).sort();
    return values[values.length >> 1];
  });
}

// Thin oblique lines and a rim, darker on what is light and lighter on what is dark: as
// the guides have them.
function hatch({ width, height, data }, own) {
  const way = own[0] + own[1] + own[2] > 3 * 127 ? -1 : 1;
  const side = Math.min(width, height);
  const [pitch, line] = [Math.max(4, Math.round(side / 8)), Math.max(1, Math.round(side / 70))];
  const rim = Math.max(1, Math.round(side / 50));
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const outside = x < rim || y < rim || x >= width - rim || y >= height - rim;
    for (let part = 0; part < 3; part += 1) {
      if (outside) data[4 * at + part] = own[part] + way * RIM_LEVELS;
      else if ((x + y) % pitch < line) data[4 * at + part] += way * HATCH_LEVELS;
    }
  }
}

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
