// The usual goals of a board of numbers: those that can be reached, each one click away.

import { find, make } from "./dom.js";
import { on } from "./events.js";
import { onLanguage, t } from "./i18n.js";
import { asksForGoal, goalWords } from "./sayings.js";
import { choose, session } from "./session.js";
import { homes, loadTiles } from "./tiles.js";

const AT_ONCE = 6; // the others are shown when they are asked for
const PICTURE_PX = 132;

let all = false;

async function drawGoals() {
  const { puzzle } = session;
  const goals = puzzle?.reachable_goals ?? [];
  find("goals").hidden = !goals.length;
  if (!goals.length) return;
  find("goals-title").textContent = t(puzzle.solvable ? "goals_other" : "goals_reachable");
  const tiles = await loadTiles(puzzle);
  if (puzzle !== session.puzzle) return;
  const labels = puzzle.start.flat();
  const isNow = (one) => String(one.goal) === String(puzzle.goal);
  const ordered = [...goals].sort((one, other) => isNow(other) - isNow(one));
  const shown = all ? ordered : ordered.slice(0, AT_ONCE);
  const cards = shown.map((one) => {
    const goal = one.goal.flat();
    const [layout, blank, moves] = goalWords(one);
    const button = make(
      "button",
      {
        type: "button", class: "other", "aria-pressed": String(isNow(one)),
        "data-goal": `${one.layout} ${one.blank}`, onclick: () => choose({ goal_layout: one.layout, goal_blank: one.blank }),
      },
      make("strong", { text: layout }),
      make("span", { text: blank }),
      make("span", { class: "small", text: moves }),
    );
    button.prepend(tiles.picture(homes(labels, goal), labels.indexOf(0), PICTURE_PX));
    return button;
  });
  find("goal-list").replaceChildren(...cards);
  find("goals-more").hidden = shown.length === goals.length;
}

find("goals-more").addEventListener("click", async () => {
  all = true;
  await drawGoals();
  find("goal-list").children[AT_ONCE]?.focus();
});

on("puzzle", ({ puzzle, fresh }) => {
  if (fresh) all = false;
  find("goals").open = asksForGoal(puzzle) || (find("goals").open && !fresh);
  drawGoals();
});
onLanguage(drawGoals);
