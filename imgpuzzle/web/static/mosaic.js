// A picture of a board whose cells can be clicked.

import { make, makeSvg, roam } from "./dom.js";
import doubt from "./doubt.js";
import { fromUnitSquare } from "./geometry.js";
import { colour, share } from "./tiles.js";

// What is drawn over a doubtful cell, between its corners.
export function doubtMark(corners) {
  const place = fromUnitSquare(corners);
  const lines = doubt.lines.map((line) => `M${line.map(([x, y]) => place(x, y)).join("L")}`);
  return makeSvg("path", { class: "doubt", d: lines.join(""), stroke: colour(doubt.colour) });
}

// `order[cell]` is the tile in each cell; `about[cell]` has a `name`, and whether
// the cell is empty, doubtful or selected. `clicked` is called with the cell.
export function showMosaic(root, tiles, order, about, clicked) {
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
  root.style.setProperty("--ratio", tiles.width / tiles.height);
  root.style.background = colour(tiles.background);
  const cells = order.map((tile, cell) => {
    const { name, empty, doubtful, selected } = about[cell];
    const [row, col] = [Math.floor(cell / tiles.cols), cell % tiles.cols];
    const classes = ["mosaic-cell", empty && "empty", selected && "selected"];
    const button = make("button", {
      type: "button",
      class: classes.filter(Boolean).join(" "),
      "data-cell": cell,
      "aria-label": name,
      "aria-pressed": String(Boolean(selected)),
      onclick: () => clicked(cell),
    });
    button.style.left = share(col * (tiles.wide + tiles.gap), tiles.width);
    button.style.top = share(row * (tiles.high + tiles.gap), tiles.height);
    button.style.width = share(tiles.wide, tiles.width);
    button.style.height = share(tiles.high, tiles.height);
    button.append(tiles.draw(tile, 360));
    if (doubtful) {
      const mark = doubtMark([[0, 0], [1, 0], [1, 1], [0, 1]]);
      const whole = { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" };
      button.append(makeSvg("svg", whole, mark), make("b", { text: doubt.sign, "aria-hidden": "true" }));
    }
    return button;
  });
  root.replaceChildren(...cells);
  roam(cells, tiles.rows, tiles.cols);
  if (focused !== null) cells[Number(focused)]?.focus();
}
