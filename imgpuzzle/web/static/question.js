// "Which one is the solved picture?": the goals in question, each one click away.

import { find, make } from "./dom.js";
import { emit, on } from "./events.js";
import { onLanguage, t } from "./i18n.js";
import { choose, session } from "./session.js";
import { homes, loadTiles } from "./tiles.js";
import { asksWhole, cellName, showsPicture } from "./words.js";

const PICTURE_PX = 320;

let declined = ""; // the reading whose goals are all wrong, as the visitor says

// Whether the visitor is asked, and has not answered.
export const isAsked = (puzzle) =>
  Boolean(puzzle?.question && puzzle.question.answered === null && !session.trusted && declined !== puzzle.id);

async function drawQuestion() {
  const { puzzle } = session;
  const box = find("question");
  const { answers = [], answered = null } = puzzle?.question ?? {};
  box.hidden = !(isAsked(puzzle) || answered !== null);
  if (box.hidden) return;
  find("answer-none").hidden = answered !== null;
  const isPicture = showsPicture(puzzle) || answers.some((one) => one.turns);
  const asked = asksWhole(puzzle) ? "question_whole" : isPicture ? "question" : "question_numbers";
  find("question-title").textContent = t(asked);
  const tiles = await loadTiles(puzzle);
  if (puzzle !== session.puzzle) return;
  const hasBlank = answers.some(({ goal }) => goal.flat().includes(0));
  const cards = answers.map((one, index) => {
    const [board, goal] = [one.board.flat(), one.goal.flat()];
    const number = index + 1;
    const home = goal.indexOf(0);
    const cell = cellName(Math.floor(home / tiles.cols), home % tiles.cols);
    const picture = tiles.upright(one.turns).picture(homes(board, goal), board.indexOf(0), PICTURE_PX);
    return make(
      "button",
      {
        type: "button", class: "other answer", "data-answer": number,
        "aria-pressed": String(answered === number), onclick: () => choose({ answer: number }),
      },
      picture,
      make("strong", { text: isPicture ? t("answer", { number }) : t("answer_numbers", { number }) }),
      ...(hasBlank ? [make("span", { class: "small", text: home < 0 ? t("answer_whole") : t("answer_home", { cell }) })] : []),
    );
  });
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.answer : null;
  find("answers").replaceChildren(...cards);
  if (focused) cards[focused - 1]?.focus();
}

find("answer-none").addEventListener("click", () => {
  declined = session.puzzle.id;
  drawQuestion();
  emit("declined");
});

on("puzzle", drawQuestion);
on("trusted", drawQuestion);
on("begin", () => (declined = ""));
onLanguage(drawQuestion);
