// The browser's Back and Forward lead through the views and puzzles of this page.
// Entries of its history are { view, reading, at }; the address stays as it is.

import { emit } from "./events.js";

let place = history.state; // the entry that is shown
let skip = 0; // steps of the history that only undo another one

const isSame = (one, other) => one?.view === other?.view && one?.reading === other?.reading;

// What is shown now is a step of its own, or stands in place of the one that led here.
export function mark(here, { instead = false } = {}) {
  if (isSame(here, history.state)) {
    place = history.state;
    return;
  }
  const first = !history.state;
  place = { ...here, at: (place?.at ?? 0) + (first || instead ? 0 : 1) };
  if (first || instead) history.replaceState(place, "");
  else history.pushState(place, "");
}

addEventListener("popstate", ({ state }) => {
  if (skip) {
    skip -= 1;
    return;
  }
  // A link within the page, such as the one that skips its head.
  if (!state) {
    if (place) history.replaceState(place, "");
    return;
  }
  const dialogs = document.querySelectorAll("dialog[open]");
  if (dialogs.length && place && state.at !== place.at) {
    // Back closes what lies above the page, and nothing else.
    for (const dialog of dialogs) dialog.close();
    skip = 1;
    history.go(place.at - state.at);
    return;
  }
  place = state;
  emit("travel", state);
});
