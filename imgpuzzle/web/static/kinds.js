// "Which puzzle is it?": a board without an empty cell does not say it. Each kind has a small
// drawing of its moves, and is one click away.

import { find, make } from "./dom.js";
import { on } from "./events.js";
import { currentLanguage, onLanguage } from "./i18n.js";
import puzzles from "./puzzles.js";
import { isAsked } from "./question.js";
import { choose, session } from "./session.js";

const drawn = (text) => document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);

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
        onclick: () => choose({ puzzle: name }),
      },
      drawn(puzzles[name].drawing),
      make("span", { text: puzzles[name].words[currentLanguage()] }),
    ),
  );
  find("kind-list").replaceChildren(...cards);
  cards.find((card) => card.dataset.kind === focused)?.focus();
}

for (const event of ["puzzle", "trusted"]) on(event, draw);
onLanguage(draw);
