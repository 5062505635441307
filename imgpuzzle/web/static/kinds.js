// "Which puzzle is it?": a board without an empty cell does not say it. Each kind has a small
// drawing of its moves, and is one click away.

import { find, make, makeSvg } from "./dom.js";
import { on } from "./events.js";
import { onLanguage, t } from "./i18n.js";
import puzzles from "./puzzles.js";
import { isAsked } from "./question.js";
import { change, session } from "./session.js";

const SIDE = 3;
const PITCH = 112; // of tiles of 100

let chosen = () => {};

// `toSolution` is called when a choice can be followed at once.
export function setUp({ toSolution }) {
  chosen = toSolution;
}

function drawn(moves) {
  const at = (cell) => [PITCH * (cell % SIDE), PITCH * Math.floor(cell / SIDE)];
  const framed = moves.flatMap(({ cells }) => cells);
  const tiles = Array.from({ length: SIDE * SIDE }, (_, cell) => {
    const [x, y] = at(cell);
    return makeSvg("rect", { x, y, width: 100, height: 100, rx: 12, class: framed.includes(cell) ? "moves" : "" });
  });
  const arrows = moves.map(({ cell, path, turn }) =>
    makeSvg("path", { d: path, transform: `translate(${at(cell)}) rotate(${turn} 50 50)` }),
  );
  const edge = 16; // arrows may reach beyond
  const size = PITCH * SIDE - 12 + 2 * edge;
  return makeSvg("svg", { class: "kind-drawing", viewBox: `${-edge} ${-edge} ${size} ${size}`, "aria-hidden": "true" }, ...tiles, ...arrows);
}

function draw() {
  const { puzzle } = session;
  const box = find("kinds");
  box.hidden = !puzzle?.puzzles.length || isAsked(puzzle);
  if (box.hidden) return;
  const focused = document.activeElement?.dataset.kind;
  const cards = puzzle.puzzles.map((name) =>
    make(
      "button",
      {
        type: "button", class: "other", "data-kind": name, "aria-pressed": String(name === puzzle.puzzle),
        onclick: () => choose(name),
      },
      drawn(puzzles[name]),
      make("span", { text: t(`kind_${name}`) }),
    ),
  );
  find("kind-list").replaceChildren(...cards);
  cards.find((card) => card.dataset.kind === focused)?.focus();
}

async function choose(name) {
  const { puzzle } = session;
  if (session.busy) return;
  await change({ puzzle: name });
  const now = session.puzzle;
  if (now?.id === puzzle.id && now !== puzzle && now.solvable && session.trusted) chosen();
}

for (const event of ["puzzle", "trusted"]) on(event, draw);
onLanguage(draw);
