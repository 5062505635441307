"""What comes between a board and its reader: more ways to make a scene harder.

Each function takes a scene and returns another one with the same truth. They draw
on the scene's own pictures and a random generator, so a scene stays the same from
run to run.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.pictures import Pictures
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


def with_overlay(scene: Scene, rng: np.random.Generator) -> Scene:
    """A half transparent plate over a part of the screen."""
    page = scene.screenshot.copy()
    left, top, width, height = scene.box
    high = round(height * rng.uniform(0.15, 0.5))
    y = top + int(rng.integers(0, max(height - high, 1)))
    x = max(left - int(rng.integers(0, 40)), 0)
    spot = page[y : y + high, x : left + width]
    colour = rng.integers(0, 256, 3)
    share = rng.uniform(0.15, 0.45)
    spot[:] = (spot * (1 - share) + colour * share).astype(np.uint8)
    return replace(scene, screenshot=page)


def half_way(scene: Scene, rng: np.random.Generator) -> Scene:
    """A tile half way through its slide into the blank."""
    page = scene.screenshot.copy()
    left, top, width, height = scene.box
    shape = scene.board.shape
    pitch_x, pitch_y = width / shape.cols, height / shape.rows
    blank = scene.board.blank
    row, col = shape.row_col(blank)
    options = [
        (row + down, col + across)
        for down, across in ((0, 1), (0, -1), (1, 0), (-1, 0))
        if 0 <= row + down < shape.rows and 0 <= col + across < shape.cols
    ]
    from_row, from_col = options[int(rng.integers(len(options)))]
    share = rng.uniform(0.25, 0.75)

    def box(at_row: float, at_col: float) -> tuple[slice, slice]:
        y, x = round(top + at_row * pitch_y), round(left + at_col * pitch_x)
        return slice(y, y + round(pitch_y) - 1), slice(x, x + round(pitch_x) - 1)

    tile = page[box(from_row, from_col)].copy()
    hole = page[box(row, col)].copy()
    spot = page[box(from_row, from_col)]
    spot[:] = hole[: spot.shape[0], : spot.shape[1]]
    at = (from_row + share * (row - from_row), from_col + share * (col - from_col))
    spot = page[box(*at)]
    spot[:] = tile[: spot.shape[0], : spot.shape[1]]
    return replace(scene, screenshot=page)


def tilted(
    scene: Scene,
    rng: np.random.Generator,
    pictures: Pictures,
    *,
    most_degrees: float = 35.0,
) -> Scene:
    """A photograph of the board, or of the whole screen, from the side."""
    left, top, width, height = scene.box
    source = scene.screenshot
    if rng.random() < 0.5:
        edge = round(0.06 * max(width, height))
        x, y = max(left - edge, 0), max(top - edge, 0)
        source = source[y : top + height + edge, x : left + width + edge]
    slant = math.radians(rng.uniform(8, most_degrees))
    around = rng.uniform(0, 2 * math.pi)
    turn = math.radians(rng.uniform(-8, 8))
    matrix = _looking(source.shape, slant, around, turn)
    size = (1280, 960) if rng.random() < 0.6 else (1080, 1350)
    page = cv2.resize(pictures.draw(rng), size)
    page = cv2.GaussianBlur(page, (0, 0), 3.0)
    matrix = _fitting(matrix, source.shape, size, rng.uniform(0.7, 0.95))
    drawn = cv2.warpPerspective(source, matrix, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full(source.shape[:2], 255, np.uint8), matrix, size)[
        ..., None
    ]
    photo = (page * (1 - mask / 255.0) + drawn * (mask / 255.0)).astype(np.float64)
    light = np.linspace(rng.uniform(0.8, 1.0), rng.uniform(0.8, 1.1), size[0])
    photo = photo * light[None, :, None] + rng.normal(0, 2.0, photo.shape)
    image = np.clip(photo, 0, 255).astype(np.uint8)
    return replace(scene, screenshot=image, box=None)


def _inside(scene: Scene, rng: np.random.Generator) -> tuple[float, float]:
    left, top, width, height = scene.box
    return (
        left + width * rng.uniform(0.05, 0.9),
        top + height * rng.uniform(0.05, 0.9),
    )


def _looking(
    size: tuple[int, ...], slant: float, around: float, turn: float
) -> NDArray[np.float64]:
    """The homography of a camera that looks at a plane from the side."""
    height, width = size[:2]
    side = max(height, width)
    axis = np.array([math.cos(around), math.sin(around), 0.0])
    tilt, _ = cv2.Rodrigues(axis * slant)
    spin, _ = cv2.Rodrigues(np.array([0.0, 0.0, turn]))
    rotation = spin @ tilt
    focal = 1.2 * side
    camera = np.diag([focal, focal, 1.0])
    middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
    away = np.array([0.0, 0.0, 1.7 * side])
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], away])
    return np.asarray(camera @ plane @ middle)


def _fitting(
    matrix: NDArray[np.float64],
    size: tuple[int, ...],
    frame: tuple[int, int],
    share: float,
) -> NDArray[np.float64]:
    """The same view, scaled and moved into the middle of a frame."""
    height, width = size[:2]
    box = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], np.float64)
    at = cv2.perspectiveTransform(box, matrix)[0]
    low, high = at.min(axis=0), at.max(axis=0)
    scale = share * min(np.array(frame) / (high - low))
    shift = np.array(frame) / 2 - scale * (low + high) / 2
    place = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1.0]])
    return np.asarray(place @ matrix)
