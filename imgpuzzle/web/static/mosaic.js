// A picture of a board whose cells can be clicked.

import { make, roam } from "./dom.js";
import { colour } from "./tiles.js";

// `order[cell]` is the tile in each cell; `about[cell]` has `name`, `text`, and whether
// the cell is empty, doubtful or selected. `clicked` is called with the cell.
export function showMosaic(root, tiles, order, about, clicked) {
  const share = (part, whole) => `${(100 * part) / whole}%`;
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
  root.style.setProperty("--ratio", tiles.width / tiles.height);
  root.style.background = colour(tiles.background);
  const cells = order.map((tile, cell) => {
    const { name, text, empty, doubtful, selected } = about[cell];
    const [row, col] = [Math.floor(cell / tiles.cols), cell % tiles.cols];
    const classes = ["mosaic-cell", empty && "empty", doubtful && "doubtful", selected && "selected"];
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
    if (text) button.append(make("b", { text, "aria-hidden": "true" }));
    return button;
  });
  root.replaceChildren(...cells);
  roam(cells, tiles.rows, tiles.cols);
  if (focused !== null) cells[Number(focused)]?.focus();
}
