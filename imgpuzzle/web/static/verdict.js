// What is to be said of a reading: that it is sure, doubtful, or cannot be solved.

import { find, icon, make } from "./dom.js";
import { t } from "./i18n.js";
import { isAsked } from "./question.js";
import { asksForGoal, said } from "./sayings.js";
import { cancelChange, dropReference, session, unused } from "./session.js";
import { asksWhole, cellName, errorWords, sentence, showsPicture } from "./words.js";

const MANY = 6;
export const [EVEN, UNLIKELY] = [0.5, 0.6]; // below the first a reading is more likely wrong than right
// Doubts about where all tiles lie, not only about some of them.
const WHOLE = ["arrangement", "picture_in_other_order", "poor_joins", "equal_tiles"];

// `shown` has the rows and columns on the page; `choose` takes other ones.
export function showVerdict(shown, choose) {
  const box = find("verdict");
  const { kind, title, lines, choices = [] } = content(shown);
  box.className = `verdict ${kind}`;
  const parts = [
    make("p", { class: "verdict-title" }, icon(kind === "good" ? "check" : "note"), make("strong", { text: title })),
  ];
  if (session.busy) {
    const cancel = () => {
      cancelChange();
      find("check-title").focus();
    };
    parts[0].append(make("button", { type: "button", class: "button slim", id: "check-cancel", text: t("cancel"), onclick: cancel }));
  }
  const line = (words, tag) => sentence(words.text ? words : { text: words }, tag);
  if (lines.length === 1) parts.push(line(lines[0], "p"));
  else if (lines.length) parts.push(make("ul", {}, ...lines.map((words) => line(words, "li"))));
  if (choices.length) {
    const buttons = choices.map(([rows, cols]) =>
      make("button", { type: "button", class: "button", text: t("grid_size", { rows, cols }), onclick: () => choose(rows, cols) }),
    );
    parts.push(make("div", { class: "verdict-choices" }, ...buttons));
  }
  // A solved picture that was not used stays until it is removed.
  const { busy, puzzle, source } = session;
  if (!busy && puzzle && source?.file && (source.ignored || unused(puzzle))) {
    parts.push(make("button", { type: "button", class: "button", id: "reference-unused", text: t("reference_remove"), onclick: dropReference }));
  }
  box.replaceChildren(...parts);
}

function content({ rows, cols }) {
  const { puzzle, failure, busy } = session;
  if (busy) return { kind: "calm", title: t("reading_now"), lines: [] };
  if (!puzzle) return failed(failure);
  const size = t("grid_size", { rows, cols });
  if (failure) {
    const { text, detail } = errorWords(failure);
    return { kind: "bad", title: t("change_failed"), lines: [text, detail].filter(Boolean) };
  }
  // How many cells hang on it says less than the pictures do.
  if (isAsked(puzzle)) {
    const code = unused(puzzle);
    const left = code ? [said("", code)] : session.source?.ignored ? [t("reference_ignored")] : [];
    const isWhole = puzzle.question.answers.every(({ turns }) => turns);
    const which = isWhole ? "say_way_up" : showsPicture(puzzle) ? "question_words" : "say_goal";
    const asked = asksWhole(puzzle) ? "say_tile_missing" : which;
    return { kind: "care", title: t("verdict_doubtful"), lines: [t(asked), ...left] };
  }
  if (!puzzle.solvable && puzzle.one_more) {
    return { kind: "care", title: t("verdict_one_more"), lines: [t("verdict_one_more_why")] };
  }
  if (!puzzle.solvable) return unsolvable(puzzle);
  const { reading } = puzzle;
  if (!reading) return { kind: "good", title: t("verdict_typed", { size }), lines: [] };
  const notes = reading.note_codes
    .map((code, index) => ({ code, ...said(reading.notes[index], code) }))
    .filter(({ code }) => code.kind !== "corrected");
  if (session.source?.ignored) notes.push({ text: t("reference_ignored") });
  if (!puzzle.certain) return { kind: "care", title: t("verdict_doubtful"), lines: [...doubts(puzzle), ...notes] };
  const corrected = reading.note_codes.some(({ kind }) => kind === "corrected");
  const chosen = Boolean(puzzle.question?.answered);
  const title = t(chosen ? "verdict_chosen" : corrected ? "verdict_corrected" : "verdict_certain", { size });
  return { kind: "good", title, lines: [t(`method_${reading.method}`), ...notes] };
}

function unsolvable(puzzle) {
  const chosen = Boolean(puzzle.question?.answered);
  const right = t(chosen ? "picture_chosen" : puzzle.reading ? "reading_sure" : "numbers_right");
  const asks = asksForGoal(puzzle);
  if (asks && puzzle.certain) return { kind: "care", title: t("verdict_goal"), lines: [right, t("goal_choose"), t("dealt_wrong")] };
  if (asks) return { kind: "care", title: t("verdict_goal"), lines: [...doubts(puzzle), t("goal_choose")] };
  const lines = [said(puzzle.reason ?? "", puzzle.reason_code)];
  if (puzzle.reason_code?.kind === "none_missing") {
    const more = puzzle.certain ? [] : doubts(puzzle);
    if (puzzle.reading?.doubt_codes.some(({ kind }) => kind === "tile_missing"))
      return { kind: "care", title: t("verdict_doubtful"), lines: [...more, t("none_missing_help")] };
    return { kind: "care", title: t("verdict_whole"), lines: [...lines, t("none_missing_help"), ...more] };
  }
  if (puzzle.certain && puzzle.reading) lines.push(right, t("other_goal_or_dealt"));
  return { kind: "bad", title: t("verdict_unsolvable"), lines };
}

function doubts(puzzle) {
  const { reading, doubtful, confidence } = puzzle;
  const lines = reading.doubts.map((doubt, index) => said(doubt, reading.doubt_codes[index]));
  const [count, total] = [doubtful.length, puzzle.start.flat().length];
  if (count > MANY || count === total) lines.push(t("doubtful_many", { count, total }));
  else if (count) {
    const cells = doubtful.map(([row, col]) => cellName(row, col)).join("; ");
    lines.push(t("doubtful_cells", { count, total, cells }));
  }
  // In words: how often a doubtful reading is right depends on the game.
  const whole = 2 * count >= total || reading.doubt_codes.some(({ kind }) => WHOLE.includes(kind));
  lines.push(t(whole ? "doubtful_whole" : confidence < EVEN ? "doubtful_wrong" : "doubtful_compare"));
  if (confidence < UNLIKELY) lines.push(t("help_corners"));
  return lines;
}

function failed(failure) {
  if (!failure) return { kind: "calm", title: t("reading_now"), lines: [] };
  const { text, detail } = errorWords(failure);
  // Of two boards the place is in question, not the size.
  if (failure.regions.length) {
    return { kind: "care", title: text, lines: [detail, t("help_two")].filter(Boolean) };
  }
  const choices = failure.candidates
    .map((candidate) => /^(\d+)x(\d+)$/.exec(candidate))
    .filter(Boolean)
    .map(([, rows, cols]) => [Number(rows), Number(cols)]);
  const help = t(choices.length ? "help_choose" : "help_place");
  return { kind: "care", title: text, lines: [detail, help].filter(Boolean), choices };
}
