// The server says things as data, {kind, ...values}, beside an English sentence for
// programs. What a visitor may meet of that has words of the page's own, in every
// language: the message say_<kind>, or error_<kind> where that says all there is to say.

import { isMessage, t } from "./i18n.js";

// Kinds for which another one's message, or one for several kinds, says the same.
const SAME = {
  smallest_gif: "smallest_animation",
  unprintable: "large_sheet",
  other_tile_size: "other_tile_picture",
  nothing_around: "typed_reading",
  typed_reading_for: "typed_reading",
  large_upload: "large_file",
  other_correction: "other_goal",
  no_goal_board: "one_goal",
  many_goal_boards: "one_goal",
  many_parts: "one_goal",
  two_goals: "one_goal",
  none_that_short: "bound",
  none_found_that_short: "bound",
  interrupted: "bound",
  out_of_nodes: "bound",
  out_of_memory: "bound",
  out_of_time: "bound",
};

// What is said inside of something that only says where, or that it is an error.
function inner(code) {
  const inside = code.fault ?? code.reason;
  return inside?.kind ? inner(inside) : code;
}

function fieldsOf(code) {
  const fields = {};
  for (const [name, value] of Object.entries(code)) {
    const listed = Array.isArray(value) ? value.join(", ") : String(value);
    fields[name] = listed.replace(/^(\d+)x(\d+)$/, "$1 × $2");
  }
  // Which picture it is, by the name that the server has for it.
  const of = code.where ?? code.name ?? "";
  const which = ["reference", "recording"].find((one) => String(of).includes(one)) ?? "screenshot";
  fields.what = t(`what_${which}`);
  const count = code.bound ?? code.least?.count;
  if (count !== undefined) fields.count = count;
  else if ("count" in code) fields.count = code.count;
  return fields;
}

// What the server says, in the visitor's language: its text, and the name of its
// message. What nobody has words for stays as the sentence, and `lang` says in which
// language that is.
export function said(sentence, code = null) {
  if (code) {
    const one = inner(code);
    const kind = SAME[one.kind] ?? one.kind;
    const key = [`error_${kind}`, `say_${kind}`].find(isMessage);
    if (key) return { key, text: t(key, fieldsOf(one)) };
  }
  return { key: "", text: sentence, lang: "en" };
}

// What was given up to make a file so small: "GIF: scaled to 480x480 px, 64 colours".
export function saidOfFile(sentence, code = null) {
  const parts = code?.kind === "file" ? code.notes.map((note) => said("", note)) : [];
  return parts.length && parts.every(({ key }) => key) ? parts : [said(sentence, code)];
}

// Whether the goal is what keeps a board from being solved, and others can be reached.
export const asksForGoal = (puzzle) =>
  Boolean(!puzzle.solvable && !puzzle.suggestion && puzzle.reachable_goals?.length);

// A goal that can be reached: how its numbers run, where it is empty, and how far it is.
export function goalWords({ layout, blank, move_count, lower_bound }) {
  const [rows, cell] = [layout, blank].map((name) => name.replace("-", "_"));
  const far = t(move_count === null ? "goal_moves_least" : "goal_moves", { count: move_count ?? lower_bound });
  return [t(`goal_${rows}`), t(`goal_blank_${cell}`), far];
}
