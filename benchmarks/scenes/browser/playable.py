"""The pages of ``designs`` as games that can be played with the mouse.

A design draws a position that stands still. Here its board is painted over with its own
picture, cut into cells: they slide when they are clicked, and look as the design's do.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import cv2

from benchmarks.scenes.browser.play import PlayedScene

__all__ = ["WON", "game_html"]

WON = "document.documentElement.dataset.won === 'yes'"
"""The game's own sign, in JavaScript."""
SLIDE_MS = 120

_SCRIPT = """
const { rows, cols, cells, goal, box, slide } = GAME;
const [boardX, boardY, width, height] = box;
const shot = new Image();
const start = cells.slice();
const where = new Map(start.map((label, cell) => [label, cell]));
const canvas = document.createElement("canvas");
const ratio = devicePixelRatio;
Object.assign(canvas, { id: "game", width, height });
const css = { left: boardX, top: boardY, width, height };
canvas.style.position = "absolute";
for (const [name, px] of Object.entries(css)) canvas.style[name] = `${px / ratio}px`;
const pencil = canvas.getContext("2d");
// Where tiles begin: gaps are between them, so that all have the same place in a cell.
const begins = (count, whole, tile) => Array.from({ length: count }, (_, at) =>
  count > 1 ? Math.round((at * (whole - tile)) / (count - 1)) : 0);
const [wide, high] = GAME.tile.map(Math.floor);
const xs = begins(cols, width, GAME.tile[0]);
const ys = begins(rows, height, GAME.tile[1]);
const place = (cell) => [xs[cell % cols], ys[Math.floor(cell / cols)]];
let clicks = 0, outside = 0;

function paint(label, x, y) {
  const [from, above] = place(where.get(label));
  pencil.drawImage(shot, boardX + from, boardY + above, wide, high, x, y, wide, high);
}
function draw(moving = 0, part = 1, from = 0) {
  pencil.drawImage(shot, boardX, boardY, width, height, 0, 0, width, height);
  cells.forEach((_, cell) => paint(0, ...place(cell)));
  const still = (label) => label && label !== moving;
  cells.forEach((label, cell) => still(label) && paint(label, ...place(cell)));
  if (!moving) return;
  const [[x0, y0], [x1, y1]] = [place(from), place(cells.indexOf(moving))];
  paint(moving, x0 + (x1 - x0) * part, y0 + (y1 - y0) * part);
}
const movable = () => {
  const blank = cells.indexOf(0);
  return cells.map((_, cell) => cell).filter((cell) =>
    Math.abs(Math.floor(cell / cols) - Math.floor(blank / cols)) +
    Math.abs((cell % cols) - (blank % cols)) === 1);
};
function move(cell) {
  if (!movable().includes(cell)) return false;
  const label = cells[cell];
  cells[cells.indexOf(0)] = label;
  cells[cell] = 0;
  const began = performance.now();
  const step = (now) => {
    const part = Math.min(1, Math.max(0, (now - began) / slide));
    draw(part < 1 ? label : 0, part, cell);
    if (part < 1 && cells[cell] === 0) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  const won = cells.every((one, at) => one === goal[at]);
  document.documentElement.dataset.won = won ? "yes" : "no";
  return true;
}
canvas.addEventListener("click", (event) => {
  const [x, y] = [event.offsetX * ratio, event.offsetY * ratio];
  const at = (edges_, value) => edges_.findLastIndex((edge) => edge <= value);
  move(Math.min(rows - 1, at(ys, y)) * cols + Math.min(cols - 1, at(xs, x)));
});
function tell() {
  const state = document.documentElement.dataset.won === "yes" ? "won" : "playing";
  document.title = `${GAME.title}: ${state}, ${clicks} clicks, ${outside} outside`;
}
document.addEventListener("click", (event) => {
  clicks += 1;
  outside += event.target !== canvas;
  tell();
});
const middle = (cell) => {
  const [x, y] = place(cell);
  return [(boardX + x + wide / 2) / ratio, (boardY + y + high / 2) / ratio];
};
shot.onload = () => {
  document.body.append(canvas);
  draw();
  document.documentElement.dataset.ready = "yes";
  tell();
};
shot.src = GAME.shot;
"""


def game_html(scene: PlayedScene, title: str, scale: float = 1.0) -> str:
    """A page that shows the scene's whole screen, with a board that can be played.

    ``cells``, ``movable()``, ``move(cell)`` and ``middle(cell)``, in CSS px, are for
    who plays. Every click is told in the title. ``scale`` is the ``devicePixelRatio``
    at which it will be shown.
    """
    board, goal = scene.board, scene.goal
    assert board is not None
    assert goal is not None
    bgr = cv2.cvtColor(scene.screenshot, cv2.COLOR_RGB2BGR)
    done, data = cv2.imencode(".png", bgr)
    assert done
    shot = "data:image/png;base64," + base64.b64encode(data.tobytes()).decode()
    height, width = scene.screenshot.shape[:2]
    game: dict[str, Any] = {
        "rows": board.shape.rows,
        "cols": board.shape.cols,
        "cells": list(board.cells),
        "goal": list(goal.cells),
        "box": list(scene.box or ()),
        "tile": list(scene.tile),
        "slide": SLIDE_MS,
        "title": title,
        "shot": shot,
    }
    return (
        f'<!DOCTYPE html><html><meta charset="utf-8"><title>{title}</title>'
        "<style>html,body{margin:0;overflow:hidden}"
        f"html{{background:#888}}body{{width:{width / scale}px;"
        f"height:{height / scale}px;background:url({shot}) 0 0/100% 100%}}</style>"
        "<body></body>"
        f"<script>const GAME = {json.dumps(game)};{_SCRIPT}</script></html>"
    )
