// The large board: tiles that slide, the mark on the one to move, and those after it.

import { calm, find, make, makeSvg } from "./dom.js";
import { between } from "./line.js";
import { colour, inkOn } from "./tiles.js";

const SLIDE_MS = 240;
const TURNS = { right: "0deg", down: "90deg", left: "180deg", up: "270deg" };
const MARKS = 3;

export class BoardView {
  constructor() {
    this.root = find("board");
    this.frame = find("frame");
    this.tiles = [];
    this.sliding = null;
    this.clicked = () => {};
    this.root.addEventListener("click", (event) => {
      const tile = event.target.closest(".tile");
      if (tile) this.clicked(Number(tile.dataset.tile));
    });
  }

  // Build the board for a puzzle; `board` as in line.js.
  build(tiles, board) {
    this.finish();
    this.board = board;
    this.sheet = tiles;
    const { rows, cols } = board;
    const share = (part, whole) => `${(100 * part) / whole}%`;
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
    find("margin-columns").replaceChildren(...names(cols));
    find("margin-rows").replaceChildren(...names(rows));
    // Twice: a tile that slides uncovers the cell it leaves before it covers the next.
    this.hollows = [0, 1].map(() => make("div", { class: "hollow" }));
    this.drawHollows();
    this.tiles = board.labels.map((label, tile) => {
      if (tile === board.blank) return null;
      const element = make("div", { class: "tile", "data-tile": tile });
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
    );
    const placed = this.tiles.filter(Boolean);
    this.root.replaceChildren(...this.hollows, ...placed, ...this.marks, this.arrow);
  }

  drawHollows() {
    for (const hollow of this.hollows ?? []) hollow.replaceChildren(this.sheet.hollow(this.board.blank));
  }

  put(element, cell) {
    element.style.setProperty("--r", Math.floor(cell / this.board.cols));
    element.style.setProperty("--c", cell % this.board.cols);
  }

  // Put every tile in its place; one that came from `from` slides there.
  show(places, blank, { from = -1, speed = 1, then = () => {} } = {}) {
    this.finish();
    this.unmark();
    places.forEach((tile, cell) => {
      if (this.tiles[tile]) this.put(this.tiles[tile], cell);
    });
    this.put(this.hollows[0], blank);
    this.put(this.hollows[1], from >= 0 ? from : blank);
    if (from >= 0 && !calm.matches) this.slide(places, from, blank, speed, then);
    else then();
  }

  // The tiles from the cell that was empty to the one that is empty now: each comes
  // from its neighbour.
  slide(places, from, blank, speed, then) {
    const { cols } = this.board;
    const { wide, high, gap } = this.sheet;
    const cells = between(blank, from, cols);
    const [here, there] = [cells[0], blank];
    const x = ((there % cols) - (here % cols)) * ((100 * (wide + gap)) / wide);
    const y = (Math.floor(there / cols) - Math.floor(here / cols)) * ((100 * (high + gap)) / high);
    this.root.dataset.sliding = "yes";
    const slides = cells.map((cell) => {
      const element = this.tiles[places[cell]];
      element.classList.add("moving");
      return element.animate(
        [{ transform: `translate(${x}%, ${y}%)` }, { transform: "none" }],
        { duration: SLIDE_MS * Math.min(1, speed), easing: "cubic-bezier(0.4, 0, 0.2, 1)" },
      );
    });
    this.sliding = { slides, then };
    slides[0].onfinish = () => this.finish();
  }

  finish() {
    if (!this.sliding) return;
    const { slides, then } = this.sliding;
    this.sliding = null;
    slides[0].onfinish = null;
    for (const slide of slides) slide.cancel();
    for (const element of this.root.querySelectorAll(".moving")) element.classList.remove("moving");
    delete this.root.dataset.sliding;
    then();
  }

  unmark() {
    for (const tile of this.root.querySelectorAll(".next, .with")) tile.classList.remove("next", "with");
    for (const mark of this.marks ?? []) mark.hidden = true;
    this.arrow?.classList.add("gone");
  }

  // Point out the tile that moves next, those that move with it, and the cells of those
  // after it.
  mark(tile, blank, way, after = [], others = []) {
    this.unmark();
    this.tiles[tile].classList.add("next");
    for (const other of others) this.tiles[other].classList.add("with");
    this.put(this.arrow, blank);
    this.arrow.style.setProperty("--turn", TURNS[way]);
    this.arrow.classList.remove("gone");
    after.slice(0, MARKS).forEach((cell, index) => {
      this.marks[index].hidden = false;
      this.put(this.marks[index], cell);
    });
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

  shake(tile) {
    if (calm.matches || this.sliding) return;
    this.tiles[tile]?.animate([{ scale: 1 }, { scale: 0.94 }, { scale: 1 }], { duration: 220 });
  }
}
