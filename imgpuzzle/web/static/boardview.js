// The large board of a puzzle that the server has read.

import { find, make, makeSvg } from "./dom.js";
import { Tour } from "./line.js";
import { BoardView } from "./stepping.js";
import { colour, inkOn, share } from "./tiles.js";

const MARKS = 3;

export class PuzzleView extends BoardView {
  constructor(root = find("board"), frame = find("frame")) {
    super(root);
    this.frame = frame;
    this.clicked = () => {};
    this.root.addEventListener("click", (event) => {
      const tile = event.target.closest(".tile");
      if (tile) this.clicked(Number(tile.dataset.tile), event);
    });
  }

  // Build the board for a puzzle; `board` as in line.js.
  build(tiles, board) {
    this.finish();
    this.board = board;
    this.sheet = tiles;
    const { rows, cols } = board;
    this.cols = cols;
    this.stepX = (100 * (tiles.wide + tiles.gap)) / tiles.wide;
    this.stepY = (100 * (tiles.high + tiles.gap)) / tiles.high;
    const values = {
      "--ratio": tiles.width / tiles.height,
      "--floor": colour(tiles.background),
      "--on-floor": inkOn(tiles.background),
      "--columns": cols,
      "--tile-x": share(tiles.wide, tiles.width),
      "--tile-y": share(tiles.high, tiles.height),
      "--step-x": share(tiles.wide + tiles.gap, tiles.width),
      "--step-y": share(tiles.high + tiles.gap, tiles.height),
      "--gap-x": share(tiles.gap, tiles.width),
      "--gap-y": share(tiles.gap, tiles.height),
      "--short": (100 * Math.min(tiles.wide, tiles.high)) / tiles.width,
    };
    for (const [name, value] of Object.entries(values)) this.frame.style.setProperty(name, value);
    const names = (count) => Array.from({ length: count }, (_, index) => make("span", { text: index + 1 }));
    this.frame.querySelector(".columns")?.replaceChildren(...names(cols));
    this.frame.querySelector(".rows")?.replaceChildren(...names(rows));
    // Twice: a tile that slides uncovers the cell it leaves before it covers the next.
    const bare = board.blank < 0;
    const count = bare ? Math.max(4, rows, cols) : 2;
    this.hollows = Array.from({ length: count }, () => make("div", { class: bare ? "hollow bare" : "hollow" }, ...(bare ? [] : tiles.hollow(board.blank))));
    this.tiles = board.labels.map((label, tile) => {
      if (tile === board.blank) return null;
      const element = make("div", { class: "tile framed", "data-tile": tile });
      element.append(tiles.draw(tile), make("b", { text: label, "aria-hidden": "true" }));
      return element;
    });
    this.marks = Array.from({ length: MARKS }, (_, index) =>
      make("div", { class: "ahead", hidden: true }, make("b", { text: index + 2 })),
    );
    this.arrow = makeSvg(
      "svg",
      { class: "arrow gone", viewBox: "0 0 100 100", "aria-hidden": "true" },
      makeSvg("g", {}, makeSvg("path", { d: "M-13 44H37V28L69 50L37 72V56H-13Z" })),
      makeSvg("text", { class: "times", x: 6, y: 26 }),
    );
    const placed = this.tiles.filter(Boolean);
    this.root.replaceChildren(...this.hollows, ...placed, ...this.marks, this.arrow);
  }

  // Point out the next move of a line, and as many after it.
  markMove(line, at, ahead) {
    if (line instanceof Tour) {
      this.markShown(line, at, ahead);
      return;
    }
    const after = line.moves.slice(at + 1, at + 1 + ahead);
    const tiles = line.pushed(at).map((cell) => line.places[at][cell]);
    this.mark(tiles.pop(), line.blanks[at], line.direction(at), after, tiles);
  }

  // Tiles that can be clicked are buttons; `names` gives their labels by tile.
  setButtons(names) {
    for (const [tile, element] of this.tiles.entries()) {
      if (!element) continue;
      const name = names?.get(tile);
      if (name) {
        element.setAttribute("role", "button");
        element.setAttribute("tabindex", "0");
        element.setAttribute("aria-label", name);
      } else for (const attribute of ["role", "tabindex", "aria-label"]) element.removeAttribute(attribute);
      element.classList.toggle("movable", Boolean(name));
    }
  }
}
