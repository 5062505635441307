// A small window that stays above the game: the board with the next moves, or with the
// numbers of the tiles for those who want to solve it themselves.

import { PuzzleView } from "./boardview.js";
import { find, make } from "./dom.js";
import { onLanguage, t } from "./i18n.js";
import { player } from "./player.js";
import { keep, kept } from "./prefs.js";
import { moveWords } from "./words.js";

const SIZE = { width: 300, height: 390 };
const AHEAD = 2; // moves after the next one that are marked

let own = null; // the window
let parts = null;
let told = { words: "", calm: true };

const canOpen = "documentPictureInPicture" in window;
const showsNumbers = () => kept("mini") === "numbers";

find("sharing-mini").hidden = !canOpen;
find("sharing-mini").addEventListener("click", open);

async function open() {
  if (own) return;
  own = await window.documentPictureInPicture.requestWindow(SIZE);
  own.addEventListener("pagehide", () => {
    own = parts = null;
    find("sharing-mini").hidden = !canOpen;
  });
  const page = own.document;
  for (const name of ["player.css", "board.css", "share.css"]) {
    page.head.append(make("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href }));
  }
  page.body.className = "mini";
  const root = make("div", { class: "board", role: "img" });
  const frame = make("div", { class: "frame" }, root);
  parts = {
    board: make("div", { class: "mini-board" }, frame),
    count: make("p", { class: "mini-count" }),
    words: make("p", { class: "mini-words", role: "status" }),
    said: make("p", { class: "mini-said" }),
    numbers: make("button", { type: "button", class: "button slim", onclick: toggle }),
  };
  page.body.append(...Object.values(parts));
  parts.view = new PuzzleView(root, frame);
  find("sharing-mini").hidden = true;
  draw();
}

function toggle() {
  keep("mini", showsNumbers() ? null : "numbers");
  draw();
}

export function closeMini() {
  own?.close();
}

// `words` is what the page says of the game that it watches; `calm` when all is well.
export function drawMini(words, calm) {
  told = { words, calm };
  draw();
}

function draw() {
  if (!own) return;
  const { document: page } = own;
  const theme = document.documentElement.dataset.theme;
  Object.assign(page.documentElement, { lang: document.documentElement.lang });
  page.documentElement.dataset.theme = theme;
  page.title = t("mini_title");
  const { line, at, tiles, board } = player;
  parts.words.textContent = told.words;
  parts.numbers.textContent = t(showsNumbers() ? "mini_moves" : "mini_numbers");
  parts.board.hidden = parts.count.hidden = parts.said.hidden = parts.numbers.hidden = !line || !tiles;
  if (parts.board.hidden) return;
  parts.count.textContent = find("count").textContent;
  parts.said.textContent = find("along-words").textContent;
  if (told.calm && at < line.last) parts.words.textContent = showsNumbers() ? "" : moveWords(line, at, tiles.numbered);
  const { view } = parts;
  if (view.sheet !== tiles) view.build(tiles, board);
  view.root.classList.toggle("numbers", showsNumbers());
  view.root.setAttribute("aria-label", find("words").textContent);
  view.show(line, at);
  if (!showsNumbers() && at < line.last) view.markMove(line, at, AHEAD);
}

onLanguage(draw);
