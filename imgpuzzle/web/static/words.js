// Sentences about readings, solutions and errors, in the visitor's language.

import { make } from "./dom.js";
import { currentLanguage, isMessage, number, t } from "./i18n.js";
import { said } from "./sayings.js";
import { countOf, isProven, solving } from "./solving.js";

// Whether this is asked: is a cell empty, or is every tile there?
export const asksWhole = ({ question: { answers } }) =>
  answers.length === 2 && answers.filter(({ goal }) => goal.flat().includes(0)).length === 1;

// Whether a board shows parts of a picture, and not numbers.
export const showsPicture = (puzzle) => Boolean(puzzle.screenshot) && !puzzle.numbered;

export const cellName = (row, col) => t("cell", { row: row + 1, column: col + 1 });

// "20 moves, proven shortest": how long it is, and what is proven of that.
// Solutions end at 1.3 to 1.6 times what is proven to be needed; what is beyond is improved.
const FAR = 1.7;

export function claim(best, searching, metric) {
  // While stages are made, what is known goes on to be shown.
  if (metric === "stages" && !best.stages) return claim(best, false, "single");
  const count = countOf(best, metric);
  if (!count) return t("claim_solved");
  if (best.stages) return best.stages.told[currentLanguage()].price;
  const moves = lengthOf(best, metric);
  if (isProven(best, metric)) return t("claim_proven", { moves });
  const least = best.metric === metric ? best.lower_bound : 0;
  // The first way of a large board is no more than a beginning, and should not frighten.
  const isFirst = best.searched === false || (least > 0 && count > FAR * least);
  if (searching && isFirst) return t("claim_first", { moves });
  if (best.searched === false) return t("claim_unsearched", { moves });
  if (least < 1) return t(searching ? "claim_so_far" : "claim_unproven", { moves });
  return t(searching ? "claim_bound_so_far" : "claim_bound", { moves, count: least });
}

// "20 moves", or clicks where one click moves several tiles; and how many are to go.
export const steps = (count) => t(solving.metric === "slide" ? "clicks" : "moves", { count });
// How long a solution is, as its kind of puzzle counts.
export const lengthOf = (best, metric = solving.metric) =>
  best.shown?.counted[currentLanguage()] ?? t(metric === "slide" ? "clicks" : "moves", { count: countOf(best, metric) });
export const toGo = (count) => t(solving.metric === "slide" ? "to_go_clicks" : "to_go", { count });

export function moveWords(line, index, withNumber) {
  const { told } = line.moves[index];
  if (told) return told[currentLanguage()][withNumber ? 1 : 0];
  const from = line.moves[index];
  const { cols, labels } = line.board;
  const count = line.pushed(index).length;
  const words = t(`${withNumber ? "move_number" : "move"}_${line.direction(index)}`, {
    row: Math.floor(from / cols) + 1,
    column: (from % cols) + 1,
    tile: labels[line.places[index][from]],
  });
  return count > 1 ? t("push", { move: words, count }) : words;
}

export function boardWords(line, at) {
  const rows = line.rowsAt(at).map((row) => row.map((label) => label || t("empty")).join(" "));
  return t("board_rows", { rows: rows.join("; ") });
}

// A sentence of the server as an element that says in which language it is.
export const sentence = ({ text, lang }, tag = "span") => make(tag, { text, lang });

const INFORMATIVE = ["InvalidBoardError", "UsageError", "InvalidImageError", ""];

// What went wrong: what it means and, in `detail`, what the server says beyond that.
export function errorWords({ kind = "", status = 0, message = "", message_code = null }) {
  const known = said(message, message_code);
  if (known.key.startsWith("error_")) return { text: known.text, detail: null };
  const keys = [`error_${kind}`, `error_${status}`];
  // What HTTP says of it says more than that something does not fit.
  if (kind === "UsageError") keys.reverse();
  const key = keys.find(isMessage);
  const informative = known.key || !key || INFORMATIVE.includes(kind);
  return { text: t(key ?? "error"), detail: informative && message ? known : null };
}

// The same as one paragraph, in nodes.
export function errorNodes(error) {
  const { text, detail } = errorWords(error);
  if (!detail) return [text];
  return [/[.!?…]$/.test(text) ? `${text} ` : `${text}. `, sentence(detail)];
}

export function bytes(count) {
  if (count < 1000) return t("size_b", { size: number(count) });
  if (count < 1e6) return t("size_kb", { size: number(count / 1e3, { maximumFractionDigits: 0 }) });
  return t("size_mb", { size: number(count / 1e6, { maximumFractionDigits: 1 }) });
}
