// The screenshot with the found grid over it. The corners can be moved by mouse, by
// touch and by the arrow keys; the cells can be clicked.

import { announce, find, make, makeSvg, roam } from "./dom.js";
import doubt from "./doubt.js";
import { boundsOf, cellCorners, isConvex, viewOf, withCorner } from "./geometry.js";
import { t } from "./i18n.js";
import { doubtMark } from "./mosaic.js";
import { cellName } from "./words.js";

const NAMES = ["top_left", "top_right", "bottom_right", "bottom_left"];
const LOUPE = 132; // px, as in the page
const ZOOM = 4;
const WAIT_MS = 450;

const shot = find("shot");
const svg = find("overlay");
const loupe = find("loupe");

// `url`, `width`, `height` of the picture; `corners` in its px; `free` when each corner
// moves alone; `cells` has what to say about each cell.
const view = {
  url: "", width: 1, height: 1, corners: null, free: false, whole: false,
  rows: 0, cols: 0, gapX: 0, gapY: 0, cells: [], selected: -1,
};
let picture = null;
let handlers = { moving() {}, moved() {}, clicked() {} };
let held = null; // the corner that is being moved, and by whom
let timer = 0;

export function listen(given) {
  handlers = given;
}

export const cornersNow = () => view.corners;
export const isMoving = () => held !== null || timer !== 0;

const handles = NAMES.map((name, index) => {
  const handle = make("div", {
    class: `handle ${name}`, role: "slider", tabindex: "0", "aria-valuemin": "0",
  });
  find("handles").append(handle);
  handle.addEventListener("pointerdown", (event) => grab(event, index));
  handle.addEventListener("pointermove", (event) => drag(event, index));
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    handle.addEventListener(end, (event) => letGo(event));
  }
  handle.addEventListener("keydown", (event) => nudge(event, index));
  handle.addEventListener("focus", () => handle.matches(":focus-visible") && showLoupe(index));
  handle.addEventListener("blur", () => {
    if (!held) loupe.hidden = true;
  });
  return handle;
});

// Show a picture with its grid, or only what has changed of it.
export function showShot(news) {
  if (news.url !== undefined && news.url !== view.url) {
    picture = new Image();
    picture.src = news.url;
  }
  Object.assign(view, news);
  draw();
}

function draw() {
  const { width, height, corners, url } = view;
  if (!url || !corners) return;
  const seen = viewOf(corners, width, height, view.whole);
  svg.setAttribute("viewBox", `${seen.left} ${seen.top} ${seen.width} ${seen.height}`);
  shot.style.setProperty("--ratio", seen.width / seen.height);
  shot.style.setProperty("--wide", `${seen.width}px`);
  view.seen = seen;
  const focused = svg.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
  const image = svg.querySelector("image") ?? makeSvg("image");
  image.setAttribute("width", width);
  image.setAttribute("height", height);
  if (image.getAttribute("href") !== url) image.setAttribute("href", url);
  const grid = makeSvg("g", { class: "cells" });
  const polygons = cellCorners(corners, view.rows, view.cols, view.gapX, view.gapY);
  const cells = polygons.map((points, index) => drawCell(points, index));
  // Frames in doubt lie over those of their neighbours.
  grid.append(...[...cells].sort((a, b) => rank(a) - rank(b)));
  svg.replaceChildren(image, grid);
  roam(cells, view.rows, view.cols);
  svg.classList.remove("moved");
  if (focused !== null) cells[Number(focused)]?.focus();
  placeHandles();
}

const rank = (cell) =>
  cell.classList.contains("selected") ? 2 : cell.classList.contains("doubtful") ? 1 : 0;

function drawCell(points, index) {
  const about = view.cells[index] ?? {};
  const [row, col] = [Math.floor(index / view.cols), index % view.cols];
  const classes = ["cell"];
  if (about.empty) classes.push("empty");
  if (about.doubtful) classes.push("doubtful");
  if (view.selected === index) classes.push("selected");
  const what = about.label === undefined ? "" : about.empty ? t("empty") : t("tile", { tile: about.label });
  const group = makeSvg("g", {
    class: classes.join(" "),
    role: "button",
    "data-cell": index,
    "aria-label": [cellName(row, col), what, about.doubtful && t("in_doubt")].filter(Boolean).join(", "),
    "aria-pressed": view.selected === index ? "true" : "false",
  });
  const outline = points.map((point) => point.join(",")).join(" ");
  if (about.doubtful) group.append(doubtMark(points));
  group.append(makeSvg("polygon", { points: outline, class: "cell-shape" }));
  const box = boundsOf(points);
  const side = Math.min(box.width, box.height);
  const text = about.label === undefined ? "" : `${about.empty ? "" : about.label}${about.doubtful ? doubt.sign : ""}`;
  if (text) {
    const size = side * 0.24;
    const wide = size * (0.7 + 0.58 * text.length);
    const [x, y] = [points[0][0] + side * 0.07, points[0][1] + side * 0.07];
    group.append(
      makeSvg("rect", { x, y, width: wide, height: size * 1.3, rx: size * 0.3, class: "plate" }),
      makeSvg("text", {
        x: x + wide / 2, y: y + size * 0.98, "font-size": size, "text-anchor": "middle",
      }),
    );
    group.lastChild.textContent = text;
  }
  group.addEventListener("click", () => handlers.clicked(index));
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    handlers.clicked(index);
  });
  return group;
}

function placeHandles() {
  const { seen, corners } = view;
  handles.forEach((handle, index) => {
    const [x, y] = corners[index];
    handle.style.left = `${(100 * (x - seen.left)) / seen.width}%`;
    handle.style.top = `${(100 * (y - seen.top)) / seen.height}%`;
    handle.setAttribute("aria-label", t(`corner_${NAMES[index]}`));
    handle.setAttribute("aria-valuemax", Math.round(view.width));
    handle.setAttribute("aria-valuenow", Math.round(x));
    handle.setAttribute("aria-valuetext", t("corner_place", { x: Math.round(x), y: Math.round(y) }));
  });
}

// Moving a corner.

function grab(event, index) {
  if (event.button > 0 || !event.isPrimary || held) return;
  event.preventDefault();
  handles[index].focus({ focusVisible: false });
  handles[index].setPointerCapture(event.pointerId);
  const [x, y] = corner(index);
  const [px, py] = toPicture(event);
  held = { pointer: event.pointerId, index, dx: x - px, dy: y - py, moved: false };
  clearTimeout(timer);
  timer = 0;
  shot.classList.add("dragging");
  showLoupe(index);
}

const corner = (index) => view.corners[index];

function toPicture(event) {
  const box = svg.getBoundingClientRect();
  const { seen } = view;
  return [
    seen.left + ((event.clientX - box.left) / box.width) * seen.width,
    seen.top + ((event.clientY - box.top) / box.height) * seen.height,
  ];
}

function drag(event, index) {
  if (held?.pointer !== event.pointerId) return;
  const [x, y] = toPicture(event);
  if (!held.moved) {
    held.moved = true;
    handlers.moving();
  }
  moveTo(index, [x + held.dx, y + held.dy], view.seen);
}

function letGo(event) {
  if (held?.pointer !== event.pointerId) return;
  const { moved, index } = held;
  held = null;
  shot.classList.remove("dragging");
  loupe.hidden = true;
  if (moved) settle(index);
  else handlers.moving();
}

function settle(index) {
  announce(handles[index].getAttribute("aria-valuetext"));
  handlers.moved(view.corners);
}

function nudge(event, index) {
  const step = event.shiftKey ? 10 : 1;
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const way = ways[event.key];
  if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const [x, y] = corner(index);
  const all = { left: 0, top: 0, width: view.width, height: view.height };
  moveTo(index, [Math.round(x) + step * way[0], Math.round(y) + step * way[1]], all);
  showLoupe(index);
  // Several presses in a row are one change.
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = 0;
    settle(index);
  }, WAIT_MS);
  handlers.moving();
}

function moveTo(index, [x, y], within) {
  const inside = [
    Math.min(Math.max(x, within.left), within.left + within.width),
    Math.min(Math.max(y, within.top), within.top + within.height),
  ];
  const moved = withCorner(view.corners, index, inside, view.free);
  const box = boundsOf(moved);
  // No corner goes past another.
  if (!isConvex(moved) || box.width < 24 || box.height < 24) return;
  view.corners = moved;
  // The view stands still meanwhile; only the grid follows.
  const polygons = cellCorners(moved, view.rows, view.cols, view.gapX, view.gapY);
  for (const cell of svg.querySelectorAll(".cell")) {
    const points = polygons[Number(cell.dataset.cell)];
    cell.firstChild.setAttribute("points", points.map((point) => point.join(",")).join(" "));
  }
  svg.classList.add("moved");
  placeHandles();
  showLoupe(index);
}

// The magnifier shows the neighbourhood of the corner, away from the finger.
function showLoupe(index) {
  if (!picture?.complete || !picture.naturalWidth) return;
  const [x, y] = corner(index);
  const { seen } = view;
  loupe.hidden = false;
  loupe.classList.toggle("right", x < seen.left + seen.width / 2);
  loupe.classList.toggle("low", y < seen.top + seen.height / 2);
  const dense = Math.min(3, devicePixelRatio || 1);
  const side = Math.round(LOUPE * dense);
  if (loupe.width !== side) loupe.width = loupe.height = side;
  const pencil = loupe.getContext("2d");
  const shown = LOUPE / ZOOM / Math.max(0.25, Math.min(1, shot.clientWidth / seen.width));
  pencil.imageSmoothingEnabled = shown > 60;
  pencil.fillStyle = "#101014";
  pencil.fillRect(0, 0, side, side);
  const scale = picture.naturalWidth / view.width;
  pencil.drawImage(
    picture, (x - shown / 2) * scale, (y - shown / 2) * scale, shown * scale, shown * scale,
    0, 0, side, side,
  );
  const toLoupe = ([px, py]) => [((px - x) / shown + 0.5) * side, ((py - y) / shown + 0.5) * side];
  for (const [colour, width] of [["#101014", 4], ["#ffb000", 2]]) {
    pencil.strokeStyle = colour;
    pencil.lineWidth = width * dense;
    pencil.beginPath();
    pencil.moveTo(...toLoupe(corner((index + 3) % 4)));
    pencil.lineTo(side / 2, side / 2);
    pencil.lineTo(...toLoupe(corner((index + 1) % 4)));
    pencil.stroke();
  }
}
