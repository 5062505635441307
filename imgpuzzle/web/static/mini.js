// A small window that stays above the game: the board with the next moves, or with the
// numbers of the tiles for those who want to solve it themselves.

import { find, make } from "./dom.js";
import { onLanguage, t } from "./i18n.js";
import { player } from "./player.js";
import { keep, kept } from "./prefs.js";
import { moveWords } from "./words.js";

const SIZE = { width: 300, height: 390 };
const AHEAD = 2; // moves after the next one that are marked, fainter
const [MARK, NIGHT] = ["#ffb000", "#101014"];

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
  for (const name of ["player.css", "share.css"]) {
    page.head.append(make("link", { rel: "stylesheet", href: new URL(`/static/${name}`, location).href }));
  }
  page.body.className = "mini";
  parts = {
    board: make("div", { class: "mini-board" }),
    count: make("p", { class: "mini-count" }),
    words: make("p", { class: "mini-words", role: "status" }),
    said: make("p", { class: "mini-said" }),
    numbers: make("button", { type: "button", class: "button slim", onclick: toggle }),
  };
  page.body.append(...Object.values(parts));
  own.addEventListener("resize", draw);
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
  const { line, at, tiles } = player;
  parts.words.textContent = told.words;
  parts.numbers.textContent = t(showsNumbers() ? "mini_moves" : "mini_numbers");
  parts.board.hidden = parts.count.hidden = parts.said.hidden = parts.numbers.hidden = !line || !tiles;
  if (parts.board.hidden) return;
  parts.count.textContent = find("count").textContent;
  parts.said.textContent = find("along-words").textContent;
  if (told.calm && at < line.last) parts.words.textContent = showsNumbers() ? "" : moveWords(line, at, tiles.numbered);
  const side = Math.round(Math.min(own.innerWidth, own.innerHeight) * own.devicePixelRatio);
  parts.board.replaceChildren(boardPicture(Math.max(120, side)));
}

function boardPicture(side) {
  const { line, at, tiles, board } = player;
  const canvas = tiles.picture(Array.from(line.places[at]), board.blank, side);
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", find("words").textContent);
  const pencil = canvas.getContext("2d");
  const scale = canvas.width / tiles.width;
  const box = (cell) => {
    const [col, row] = [cell % board.cols, Math.floor(cell / board.cols)];
    return [col * (tiles.wide + tiles.gap) * scale, row * (tiles.high + tiles.gap) * scale, tiles.wide * scale, tiles.high * scale];
  };
  if (showsNumbers()) {
    line.places[at].forEach((tile, cell) => tile !== board.blank && number(pencil, box(cell), board.labels[tile]));
  } else if (at < line.last) {
    for (let later = Math.min(AHEAD, line.last - at - 1); later > 0; later -= 1) {
      outline(pencil, box(line.moves[at + later]), 0.45 / later);
    }
    for (const cell of line.pushed(at)) outline(pencil, box(cell), 1);
    arrow(pencil, box(line.pushed(at)[0]), box(line.blanks[at]));
  }
  return canvas;
}

function outline(pencil, [x, y, wide, high], strength) {
  const width = Math.max(2, Math.min(wide, high) * 0.05);
  pencil.globalAlpha = strength;
  for (const [part, colour] of [[2, NIGHT], [1.4, "#fff"], [0.7, MARK]]) {
    pencil.lineWidth = width * part;
    pencil.strokeStyle = colour;
    const inset = width;
    pencil.strokeRect(x + inset, y + inset, wide - 2 * inset, high - 2 * inset);
  }
  pencil.globalAlpha = 1;
}

// From the middle of the tile into the empty cell.
function arrow(pencil, from, to) {
  const middle = ([x, y, wide, high]) => [x + wide / 2, y + high / 2];
  const [[x0, y0], [x1, y1]] = [middle(from), middle(to)];
  const [dx, dy] = [x1 - x0, y1 - y0];
  const length = Math.hypot(dx, dy);
  pencil.save();
  pencil.translate(x0 + 0.2 * dx, y0 + 0.2 * dy);
  pencil.rotate(Math.atan2(dy, dx));
  const long = 0.62 * length;
  const [thin, thick] = [0.09 * length, 0.22 * length];
  pencil.beginPath();
  for (const [x, y] of [[0, -thin], [long * 0.55, -thin], [long * 0.55, -thick], [long, 0], [long * 0.55, thick], [long * 0.55, thin], [0, thin]]) {
    pencil.lineTo(x, y);
  }
  pencil.closePath();
  pencil.lineJoin = "round";
  pencil.lineWidth = 0.06 * length;
  pencil.strokeStyle = NIGHT;
  pencil.stroke();
  pencil.fillStyle = MARK;
  pencil.fill();
  pencil.restore();
}

function number(pencil, [x, y, wide, high], text) {
  const size = Math.min(wide, high) * 0.42;
  pencil.font = `700 ${size}px system-ui, sans-serif`;
  pencil.textAlign = "center";
  pencil.textBaseline = "middle";
  pencil.lineWidth = size * 0.2;
  pencil.lineJoin = "round";
  pencil.strokeStyle = NIGHT;
  pencil.fillStyle = "#ffffff";
  pencil.strokeText(text, x + wide / 2, y + high / 2);
  pencil.fillText(text, x + wide / 2, y + high / 2);
}

onLanguage(draw);
