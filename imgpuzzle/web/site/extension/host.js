// Has the engine, and lets the tabs in which a game is followed ask it.

import { api, work } from "./api.js";
import { currentLanguage, setLanguage } from "./i18n.js";
import languages from "./languages.js";
import { board as boardOf, lineOf, movesOf, shownMoves } from "./line.js";
import puzzles from "./puzzles.js";
import { asksForGoal, goalWords, said } from "./sayings.js";
import { listen, start } from "./transport.js";

const MOST_GOALS = 6; // the most usual ones
const LINGER_MS = 180_000; // it takes long to begin: it waits for another game

const tabs = new Set();
let clock = 0;
let ready = Promise.withResolvers(); // when the engine is

// A way in what the tab needs: its positions, which tiles go where in each move, and
// whether fewer moves are not possible.
function told(best, start) {
  const shown = best.shown ? shownMoves(best.shown) : movesOf(best, start[0].length);
  const line = lineOf(boardOf({ start, goal: start }), shown);
  const keys = Array.from({ length: line.last + 1 }, (_, at) => line.keyAt(at));
  const moves = line.moves.map((move, at) => (move.motions ? move : { cell: move, motions: [[move, line.blanks[at]]] }));
  return { keys, moves, proven: best.optimal };
}

const blobOf = async (data) => (await fetch(data)).blob();

// What the player may choose between, each with the change of the reading that it means.

const kindsOf = ({ puzzles: names }) => names.map((puzzle) => {
  const { drawing, words } = puzzles[puzzle];
  return { drawing, text: words[currentLanguage()], change: { puzzle } };
});

function goalsOf(puzzle) {
  if (!asksForGoal(puzzle) && !puzzle.reading.doubt_codes.some(({ kind }) => kind === "goal")) return [];
  const goals = (puzzle.reachable_goals ?? []).slice(0, MOST_GOALS);
  return goals.map((goal) => ({
    text: goalWords(goal).join(", "),
    change: { goal_layout: goal.layout, goal_blank: goal.blank },
  }));
}

const ASKS = {
  async read({ picture, reference, language }) {
    if (Object.hasOwn(languages, language)) setLanguage(language);
    const puzzle = await api.read({ screenshot: await blobOf(picture), reference: reference && (await blobOf(reference)) });
    const { doubts, doubt_codes } = puzzle.reading;
    puzzle.doubt = doubts.length ? said(doubts[0], doubt_codes[0]).text : "";
    puzzle.choices = puzzle.puzzles.length ? kindsOf(puzzle) : goalsOf(puzzle);
    return puzzle;
  },
  // `marks` are the places, in px, at which the picture shows what was drawn over the game.
  look: async ({ puzzle, version, picture, marks }) => api.look(puzzle, version, await blobOf(picture), JSON.stringify(marks)),
  // The best way that is known after a few seconds, or the shortest one if it comes sooner.
  async solve({ puzzle, board, seconds }) {
    let last;
    for await (last of work(api.solve({ reading: puzzle, board, time_limit: seconds })));
    return told(last.result ?? last.best, board);
  },
  // What was read, with what the player has chosen.
  change: ({ puzzle, change }) => api.reread(puzzle, change),
  ready() {
    start();
    return ready.promise;
  },
};

listen((news) => {
  if (news.ready) ready.resolve(true);
  if (!news.failed) return;
  ready.promise.catch(() => {});
  ready.reject(Object.assign(new Error(), { kind: "engine" }));
  ready = Promise.withResolvers();
});

chrome.runtime.onConnect.addListener((port) => {
  // Only our own script in a tab asks.
  if (!port.sender.tab || port.sender.id !== chrome.runtime.id) return;
  clearTimeout(clock);
  tabs.add(port);
  port.onDisconnect.addListener(() => {
    tabs.delete(port);
    // Browsers whose background this is end it themselves.
    if (!tabs.size && !chrome.action) clock = setTimeout(close, LINGER_MS);
  });
  port.onMessage.addListener(async ({ id, ask, ...given }) => {
    const reply = await Promise.resolve(given).then(ASKS[ask]).then(
      (answer) => ({ answer }),
      (error) => ({ error: said(error.message, error.message_code ?? { kind: error.kind }).text, kind: error.kind ?? "" }),
    );
    if (tabs.has(port)) port.postMessage({ id, ...reply });
  });
});
