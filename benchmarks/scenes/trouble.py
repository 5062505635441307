"""What comes between a board and its reader: more ways to make a scene harder.

Each function takes a scene and returns another one with the same truth. They draw
on the scene's own pictures and a random generator, so a scene stays the same from
run to run.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from benchmarks.scenes.scene import Scene


def with_thumbnail(scene: Scene, rng: np.random.Generator) -> Scene:
    """The goal shown small beside the board, on a page made wider for it."""
    page = scene.screenshot
    height = page.shape[0]
    aspect = scene.reference.shape[1] / scene.reference.shape[0]
    side = int(rng.integers(90, 260))
    size = (round(side * max(aspect, 0.5)), side)
    small = cv2.resize(scene.reference, size, interpolation=cv2.INTER_AREA)
    edge = int(rng.integers(0, 4))
    colour = tuple(int(v) for v in rng.integers(0, 256, 3))
    framed = cv2.copyMakeBorder(
        small, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=colour
    )
    room = framed.shape[1] + 40
    ground = tuple(int(v) for v in rng.integers(0, 256, 3))
    strip = np.full((height, room, 3), ground, np.uint8)
    top = int(rng.integers(10, max(height - framed.shape[0] - 10, 11)))
    strip[top : top + framed.shape[0], 20 : 20 + framed.shape[1]] = framed
    if rng.random() < 0.5:
        return replace(scene, screenshot=np.hstack([page, strip]))
    left, *rest = scene.box
    return replace(
        scene,
        screenshot=np.hstack([strip, page]),
        box=(left + room, *rest),
    )


def with_cursor(scene: Scene, rng: np.random.Generator) -> Scene:
    """An arrow or a hand over a tile."""
    page = scene.screenshot.copy()
    x, y = _inside(scene, rng)
    size = float(rng.uniform(16, 34))
    arrow = np.array([(0, 0), (0, 1), (0.25, 0.78), (0.42, 1.15), (0.58, 1.08)])
    arrow = np.vstack([arrow, [(0.42, 0.72), (0.72, 0.72)]])
    points = np.round(arrow * size + (x, y)).astype(np.int32)
    ink, rim = ((255, 255, 255), (0, 0, 0))[:: rng.choice([1, -1])]
    cv2.fillPoly(page, [points], ink, cv2.LINE_AA)
    cv2.polylines(page, [points], True, rim, 2, cv2.LINE_AA)
    return replace(scene, screenshot=page)


def with_hover(scene: Scene, rng: np.random.Generator) -> Scene:
    """One cell brighter or darker, or with an outline of its own."""
    page = scene.screenshot.copy()
    left, top, width, height = scene.box
    shape = scene.board.shape
    row, col = shape.row_col(int(rng.integers(shape.size)))
    pitch_x, pitch_y = width / shape.cols, height / shape.rows
    x, y = round(left + col * pitch_x), round(top + row * pitch_y)
    spot = page[y : y + round(pitch_y), x : x + round(pitch_x)]
    if rng.random() < 0.5:
        gain = float(rng.choice([0.75, 1.2, 1.35]))
        spot[:] = np.clip(spot * gain + 8, 0, 255).astype(np.uint8)
    else:
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        corner = (x + round(pitch_x) - 2, y + round(pitch_y) - 2)
        cv2.rectangle(page, (x + 1, y + 1), corner, colour, int(rng.integers(2, 5)))
    return replace(scene, screenshot=page)


def _inside(scene: Scene, rng: np.random.Generator) -> tuple[float, float]:
    left, top, width, height = scene.box
    return (
        left + width * rng.uniform(0.05, 0.9),
        top + height * rng.uniform(0.05, 0.9),
    )
