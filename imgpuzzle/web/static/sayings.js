// The server speaks English, and to programs: with options of the command line. What a
// visitor may meet of that has words of the page's own, in every language.

import { isMessage, t } from "./i18n.js";

// What the server says as data has the message say_<kind>, or error_<kind> where that
// says all there is to say. Of the rest: a sentence of the server, and the message that
// says the same here; its named parts are the message's fields.
const SAYINGS = [
  // Why a position cannot be solved, or was not in time.
  [/half of all arrangements/, "reason_half"],
  [/start and goal have different tiles/, "reason_tiles"],
  [/tiles keep their order/, "reason_order"],
  [/the shortest needs at least (?<count>\d+)/, "reason_bound"],
  [/took longer and was ended/, "error_late"],
  // Pictures that cannot be used.
  [/^expected at most (?<most>\d+) million px, found (?<size>\d+x\d+) in '?(?<what>.+?)'?$/, "say_many_px"],
  [/^expected at most (?<most>\d+) million px, found far more/, "say_far_too_many_px"],
  [/^expected a picture of at least (?<least>\d+x\d+) px, found (?<size>\d+x\d+)/, "say_few_px"],
  [/^expected at most (?<most>\d+) MB/, "say_many_mb"],
  [/^expected a file of at most (?<most>\d+) MB/, "say_many_mb"],
  [/found an empty file in '?(?<what>.+?)'?$/, "say_empty_file"],
  [/found the unsupported format (?<name>\S+) in '?(?<what>.+?)'?$/, "say_format"],
  [/found no known picture format in '?(?<what>.+?)'?$/, "say_no_picture"],
  [/found another kind of file as (?<what>\w+)$/, "say_no_picture"],
  [/^expected a complete picture, could not read '?(?<what>.+?)'?:/, "say_damaged"],
  [/^could not read /, "say_damaged_some"],
  [/^expected a reference at most (?<most>\d+) times as long as wide/, "say_long_reference"],
  [/^expected a screenshot at most (?<most>\d+) times as long as wide/, "say_long_screenshot"],
  [/the worker process died of this one/, "say_died"],
  [/^expected work that fits into memory/, "say_memory"],
  // Helps that do not fit.
  [/^expected --region inside the screenshot/, "say_place_outside"],
  [/^expected a region inside the screenshot/, "say_place_outside"],
  [/^expected --corners inside the screenshot/, "say_corners"],
  [/^expected --grid from (?<least>\d+x\d+) to (?<most>\d+x\d+)/, "say_sides"],
  [/^expected a reading of a screenshot/, "say_needs_screenshot"],
  // Numbers that were typed.
  [/expected numbers from 0, found '(?<word>.*)'$/, "say_no_number"],
  [/expected at least two cells/, "say_one_cell"],
  [/expected exactly one 0 \(the blank\), found (?<count>\d+) of them/, "say_blanks"],
  [/expected rows of one length/, "say_rows"],
  [/expected at most \d+ letters/, "say_long_board"],
  [/expected the numbers of a board, found none/, "say_no_numbers"],
  [/expected one board as the goal/, "say_one_goal"],
  [/expected a start and at most one goal/, "say_one_goal"],
  [/expected one goal, found two/, "say_one_goal"],
  [/expected a start before the goal/, "say_only_goal"],
  [/expected a goal of (?<size>\d+x\d+)/, "say_goal_size"],
  [/(?<repeated>[\d, .]+?)(?: occurs?)? more than once and (?<missing>[\d, .]+?)(?: is| are)? missing/, "say_goal_needed"],
  [/(?<missing>[\d, .]+?)(?: is| are)? missing and (?<beyond>[\d, .]+?)(?: is| are)? more than (?<most>\d+)/, "say_slip"],
  [/expected (?<wanted>\d+) numbers for a (?<size>\d+x\d+) board, found (?<found>\d+)/, "say_count"],
  [/^expected a board of at most (?<most>\d+x\d+)/, "say_large_board"],
  // Files that cannot be made, and what was given up for their size.
  [/^expected an animation of at most [\d,]+ bytes, the smallest that can be followed takes (?<bytes>[\d,]+)/, "say_smallest"],
  [/^expected a sheet of at most/, "say_large_sheet"],
  [/^expected a board that can be printed/, "say_large_sheet"],
  [/^expected a board that is seen straight on/, "say_tilted"],
  [/^expected the screenshot's own tiles/, "say_own_tiles"],
  [/^expected a board of about .* draw the guide without the screenshot/, "say_own_tiles"],
  [/^expected a screenshot to draw around the board/, "say_needs_screenshot"],
  [/^MP4 needs PyAV/, "say_pyav"],
  [/^this Pillow was built without/, "say_pillow"],
  [/^scaled to (?<size>\d+x\d+) px$/, "note_scaled"],
  [/^(?<count>\d+) pictures? a slide instead of (?<full>\d+)$/, "note_slides"],
  [/^(?<count>\d+) colours$/, "note_colours"],
  [/^coarser compression$/, "note_coarser"],
  [/^(?<count>\d+) sheets in one archive$/, "note_sheets"],
  // The state of the program.
  [/the queue is full|in the queue, it is full/, "error_429"],
  [/^expected the id of a .*unknown or was forgotten$/, "error_404"],
  [/^expected a picture of the reading, it is not kept/, "error_404"],
  [/^the file was forgotten/, "error_file"],
  [/corrected several times since/, "error_409"],
  [/^expected a solve (of that reading|with a solution)/, "error_409"],
  [/^expected the whole request within/, "error_408"],
  [/^expected the whole address that imgpuzzle web printed/, "error_403"],
  [/^expected a worker process, none can be started/, "error_worker"],
  [/^the server is shutting down/, "error_503"],
  [/^expected room on the disk/, "error_507"],
];

const fieldsOf = (values) => {
  const fields = {};
  for (const [name, value] of Object.entries(values)) {
    fields[name] = String(value).replace(/^(\d+)x(\d+)$/, "$1 × $2");
  }
  if ("what" in fields) fields.what = t(/reference/.test(fields.what) ? "what_reference" : "what_screenshot");
  return fields;
};

// What the server says, in the visitor's language: its text, and the name of its
// message. `code` is the same as data, {kind, ...values}, where the server has it. A
// sentence that nobody knows stays as it is, and `lang` says in which language.
export function said(sentence, code = null) {
  const named = code && [`error_${code.kind}`, `say_${code.kind}`].find(isMessage);
  if (named) return { key: named, text: t(named, fieldsOf(code)) };
  for (const [pattern, key] of SAYINGS) {
    const found = pattern.exec(sentence);
    if (found && isMessage(key)) return { key, text: t(key, fieldsOf(found.groups ?? {})) };
  }
  return { key: "", text: sentence, lang: "en" };
}

// What was given up to make a file so small: "GIF: scaled to 480x480 px, 64 colours".
export const saidOfFile = (note) => note.replace(/^[A-Z0-9]+: /, "").split(", ").map(said);
