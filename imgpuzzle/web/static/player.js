// The state of the solution view, shared by its parts.

import { PuzzleView } from "./boardview.js";

// `way` is the way that is shown, tile by tile, `line` the same in the steps that are
// shown, which are `slides` of several tiles or single ones, and `at` the position on
// that; `main` is the way that the search found for the screenshot. `own` says that the visitor went another way.
// While the visitor plays along, `along` has the answers to clicks and keys.
export const player = {
  view: new PuzzleView(),
  tiles: null, board: null, way: null, line: null, main: null, result: null,
  at: 0, slides: false, own: false, along: null,
  // Where the visitor was before the page was reloaded, until there is a way again:
  // { key, at, moves }, the position and, on an own way, that way.
  returning: null,
};
