// Sentences about readings, solutions and errors, in the visitor's language.

import { isMessage, number, t } from "./i18n.js";

export const cellName = (row, col) => t("cell", { row: row + 1, column: col + 1 });

// "20 moves, proven shortest": how long it is, and what is proven of that.
export function claim(best, searching) {
  const count = best.move_count;
  if (!count) return t("claim_solved");
  const moves = t("moves", { count });
  if (best.optimal) return t("claim_proven", { moves });
  if (searching) return t("claim_so_far", { moves });
  if (best.lower_bound < 1) return t("claim_unproven", { moves });
  return t("claim_bound", { moves, count: best.lower_bound });
}

export function moveWords(line, index, withNumber) {
  const from = line.moves[index];
  const { cols, labels } = line.board;
  return t(`${withNumber ? "move_number" : "move"}_${line.direction(index)}`, {
    row: Math.floor(from / cols) + 1,
    column: (from % cols) + 1,
    tile: labels[line.places[index][from]],
  });
}

export function boardWords(line, at) {
  const rows = line.rowsAt(at).map((row) => row.map((label) => label || t("empty")).join(" "));
  return t("board_rows", { rows: rows.join("; ") });
}

// The server's sentences that a visitor may meet, and the page's own words for them.
const KNOWN = [
  [/^another arrangement explains/, "doubt_arrangement"],
  [/speaks against the given place of the blank/, "doubt_home"],
  [/half way through its slide/, "doubt_sliding"],
  [/empty cell looks like a piece/, "doubt_blank"],
  [/^all tiles are at home/, "doubt_solved"],
  [/cut off by the edge/, "doubt_cut"],
  [/do not look like any part of the reference/, "doubt_strange"],
  [/match the reference poorly/, "doubt_poor"],
  [/empty cell partly shows/, "doubt_partly"],
  [/picture under the numbers joins better/, "doubt_numbers"],
  [/picture goes on beyond these tiles/, "doubt_beyond"],
  [/tiles do not join well/, "doubt_joins"],
  [/some tiles look the same, so their places/, "doubt_twins"],
  [/numbers on the tiles do not follow the picture/, "note_numbers"],
  [/^corrected by hand/, "note_corrected"],
  [/parity is wrong/, "reason_parity"],
  [/^start and goal have different tiles/, "reason_tiles"],
  [/tiles keep their order/, "reason_order"],
];

// The server's sentence in the visitor's words, or as it is when nobody knows it.
export function said(sentence) {
  const known = KNOWN.find(([pattern]) => pattern.test(sentence));
  return known ? t(known[1]) : sentence;
}

// What went wrong: what it means, and in `detail` the server's own line if it says more.
export function errorWords(error) {
  const key = `error_${error.kind}`;
  if (isMessage(key)) {
    const telling = ["InvalidBoardError", "UsageError", "InvalidImageError"].includes(error.kind);
    return { text: t(key), detail: telling ? error.message : "" };
  }
  const byStatus = `error_${error.status}`;
  if (isMessage(byStatus)) return { text: t(byStatus), detail: "" };
  return { text: t("error"), detail: error.message };
}

export function errorLine(error) {
  const { text, detail } = errorWords(error);
  return detail ? `${text} (${detail})` : text;
}

export function bytes(count) {
  if (count < 1000) return t("size_b", { size: number(count) });
  if (count < 1e6) return t("size_kb", { size: number(count / 1e3, { maximumFractionDigits: 0 }) });
  return t("size_mb", { size: number(count / 1e6, { maximumFractionDigits: 1 }) });
}

export const percent = (share) => number(share, { style: "percent", maximumFractionDigits: 0 });
