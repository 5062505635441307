"""Screens of made-up games: pages, phones, photographs, with known truth.

``pages`` draws boards on plain pages; here there is all that lies about a board
in a game, numerals in many styles, and screens without any board (``nogames``).
A scene depends on nothing but its kind, its number and the pictures.
"""

from __future__ import annotations

import zlib
from dataclasses import replace

import cv2
import numpy as np
from PIL import Image as Pil
from PIL import ImageDraw, ImageFilter

from benchmarks.scenes.faces import (
    Style,
    assemble,
    cartoon,
    colour,
    font,
    number_tiles,
    picture_tiles,
)
from benchmarks.scenes.pictures import Pictures
from benchmarks.scenes.scene import Scene, as_jpeg
from benchmarks.scenes.trouble import tilted
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.scramble import uniform

PICTURE_KINDS = (
    "web", "phone", "desk4k", "cartoon", "nearly", "solved", "crop", "busy", "small",
    "tilted",
)  # fmt: skip
NUMBER_KINDS = (
    "numbers", "numbers-phone", "over", "over-other", "numbers-nearly", "odd",
    "from-zero", "numbers-tilted",
)  # fmt: skip


def make_game(kind: str, number: int, pictures: Pictures) -> Scene:
    """The scene of that kind and number."""
    rng = np.random.default_rng([number, zlib.crc32(kind.encode())])
    shape = draw_shape(rng, numbers=kind in NUMBER_KINDS)
    goal = draw_goal(rng, shape)
    board = draw_board(rng, goal, kind)
    phone = "phone" in kind or (kind in ("over", "numbers") and rng.random() < 0.2)
    dark = bool(rng.random() < 0.5)
    if kind == "crop" or (kind == "numbers" and rng.random() < 0.15):
        size = None
    elif phone:
        size = [(1080, 2340), (750, 1334), (1170, 2532)][int(rng.integers(3))]
    elif kind == "desk4k":
        size = 3840, 2160
    else:
        size = [(1920, 1080), (1366, 768), (1280, 900), (2560, 1440)][
            int(rng.choice(4, p=[0.45, 0.25, 0.2, 0.1]))
        ]
    span = draw_span(rng, size, phone, shape, kind)
    style = draw_style(rng, span // max(shape.rows, shape.cols), kind, dark)
    if kind in NUMBER_KINDS:
        tiles = number_tiles(rng, shape, goal, span, kind, pictures, dark)
    else:
        picture = cartoon(rng) if kind == "cartoon" else pictures.draw(rng)
        tiles = picture_tiles(rng, picture, shape, span)
    drawn = assemble(rng, tiles, board, goal, style)
    if size is None:
        page, left, top = cropped(rng, drawn, dark)
    else:
        page = background(rng, size, dark, pictures if kind == "busy" else None)
        left, top = place(rng, page, drawn, kind)
        page = furniture(rng, page, (left, top, *drawn.size), dark, phone)
        page.paste(drawn, (left, top), drawn)
    image = np.asarray(page.convert("RGB"))
    pad = style.border + (style.gap if style.border else 0)
    box = left + pad, top + pad, drawn.width - 2 * pad, drawn.height - 2 * pad
    name = f"{kind}-{number}-{shape}"
    if kind.endswith("tilted"):
        truth = Scene(name, kind, image, board, goal, box)
        photo = tilted(truth, rng, pictures, most_degrees=35.0).scene.screenshot
        if rng.random() < 0.5:
            photo = cv2.GaussianBlur(photo, (0, 0), float(rng.uniform(0.5, 1.1)))
        return Scene(name, kind, photo, board, goal)
    return disturbed(rng, Scene(name, kind, image, board, goal, box))


def draw_shape(rng: np.random.Generator, *, numbers: bool) -> Shape:
    if rng.random() < 0.15:
        rows, cols = (int(n) for n in rng.integers(2, 8, 2))
        return Shape(max(rows, 3) if cols == 2 else rows, cols)
    sides = [2, 3, 4, 5, 6, 7, 8]
    share = [0.03, 0.3, 0.37, 0.16, 0.08, 0.03, 0.03]
    side = int(rng.choice(sides, p=share))
    if numbers:
        side = max(side, 3)
    return Shape(side, side)


def draw_goal(rng: np.random.Generator, shape: Shape) -> Board:
    corners = [shape.size - 1, 0, shape.cols - 1, shape.size - shape.cols]
    return home_cells(
        shape, blank=corners[int(rng.choice(4, p=[0.75, 0.15, 0.05, 0.05]))]
    )


def draw_board(rng: np.random.Generator, goal: Board, kind: str) -> Board:
    if kind == "solved" or (kind == "numbers-nearly" and rng.random() < 0.3):
        return goal
    if "nearly" in kind:
        board, last = goal, -1
        for _ in range(int(rng.integers(1, 9))):
            here = board.blank
            choices = [cell for cell in board.movable() if cell != last]
            board = board.slide(int(rng.choice(choices)))
            last = here
        return board
    board = uniform(goal, seed=int(rng.integers(2**31)))
    if kind == "odd":
        cells = list(board.cells)
        one, other = [cell for cell, label in enumerate(cells) if label][:2]
        cells[one], cells[other] = cells[other], cells[one]
        return Board(board.shape, tuple(cells))
    return board


def draw_span(
    rng: np.random.Generator,
    size: tuple[int, int] | None,
    phone: bool,
    shape: Shape,
    kind: str,
) -> int:
    """The longer side of the board in px."""
    if size is None:
        return int(rng.integers(250, 800))
    if phone:
        return int(
            size[0] * rng.uniform(0.8, 0.97) * min(1, shape.cols / shape.rows + 0.4)
        )
    if kind == "small":
        return int(rng.integers(50, 80)) * max(shape.rows, shape.cols) // 2 + 60
    most = min(size) - 120
    return int(rng.integers(min(300, most - 50), min(most, 900)))


def draw_style(rng: np.random.Generator, tile: int, kind: str, dark: bool) -> Style:
    gap = int(rng.choice([0, 0, 1, 1, 2, 3, 4, 6, 8, 10]))
    gap = min(gap, max(tile // 8, 1))
    radius = int(rng.choice([0, 0, 0, tile // 16, tile // 9]))
    border = int(rng.choice([0, 0, 2, 6, 14, 24]))
    bevel = int(rng.choice([0, 0, 0, 0, 1, 2, tile // 14]))
    blank = str(
        rng.choice(["ground", "ground", "black", "white", "page", "grey", "dimmed"])
    )
    if kind in NUMBER_KINDS and blank == "dimmed":
        blank = "ground"
    ground = colour(rng, 10, 60) if rng.random() < 0.6 else colour(rng, 150, 250)
    edge = colour(rng) if rng.random() < 0.5 else ground
    return Style(gap, radius, border, bevel, blank, ground, edge)


def background(
    rng: np.random.Generator, size: tuple[int, int], dark: bool, busy: Pictures | None
) -> Pil.Image:
    if busy is not None:
        return Pil.fromarray(cv2.resize(busy.draw(rng), size))
    base = colour(rng, 15, 50) if dark else colour(rng, 225, 256)
    if rng.random() < 0.6:
        return Pil.new("RGB", size, base)
    ramp = np.linspace(0, 1, size[1])[:, None, None]
    page = np.array(base) * (1 - ramp) + np.array(colour(rng)) * ramp
    return Pil.fromarray(np.repeat(page, size[0], axis=1).astype(np.uint8))


def place(
    rng: np.random.Generator, page: Pil.Image, drawn: Pil.Image, kind: str
) -> tuple[int, int]:
    room = [max(page.size[axis] - drawn.size[axis], 0) for axis in (0, 1)]
    if kind in ("web", "busy") and rng.random() < 0.12:
        return int(rng.choice([0, room[0]])), int(rng.choice([0, room[1] // 2]))
    left = room[0] // 2 if rng.random() < 0.6 else int(rng.uniform(0.1, 0.9) * room[0])
    return left, int(rng.uniform(0.35, 0.75) * room[1])


def furniture(
    rng: np.random.Generator,
    page: Pil.Image,
    box: tuple[int, int, int, int],
    dark: bool,
    phone: bool,
) -> Pil.Image:
    """A card with a shadow, bars, buttons and lines of text about the board."""
    left, top, width, height = box
    if rng.random() < 0.5:
        edge = int(rng.integers(10, 60))
        card = left - edge, top - edge, left + width + edge, top + height + edge
        shade = Pil.new("L", page.size, 0)
        ImageDraw.Draw(shade).rounded_rectangle(card, 16, fill=120)
        shade = shade.filter(ImageFilter.BoxBlur(14))
        page.paste((0, 0, 0), (0, 6), shade)
        face = colour(rng, 40, 70) if dark else (255, 255, 255)
        ImageDraw.Draw(page).rounded_rectangle(card, 16, fill=face)
    brush = ImageDraw.Draw(page)
    ink = (230, 230, 230) if dark else (30, 30, 30)
    unit = max(page.size[0] // 50, 16) if phone else int(rng.integers(14, 30))
    bar = colour(rng)
    brush.rectangle((0, 0, page.size[0], min(2 * unit, max(top - 4, 1))), fill=bar)
    letters = font(rng, unit)
    brush.text((unit, unit // 3), "12:47  Sliding Puzzle", font=letters, fill=ink)
    for word in (
        "Moves: 128",
        "Time 02:31",
        "Best 17",
        "New game",
        "Shuffle",
        "Solve",
        "Hint",
    ):
        if rng.random() < 0.4:
            continue
        x = int(rng.integers(4, max(page.size[0] - 9 * unit, 5)))
        y = int(rng.integers(2 * unit, page.size[1] - 3 * unit))
        if (
            left - 9 * unit < x < left + width + 20
            and top - 3 * unit < y < top + height + 20
        ):
            continue
        if rng.random() < 0.5:
            plate = x - 12, y - 8, x + 8 * unit, y + 2 * unit
            brush.rounded_rectangle(plate, 8, fill=colour(rng))
        brush.text((x, y), word, font=letters, fill=ink)
    return page


def cropped(
    rng: np.random.Generator, drawn: Pil.Image, dark: bool
) -> tuple[Pil.Image, int, int]:
    """The board cut out by hand: with a little around it, or nothing."""
    left, top, right, bottom = (
        int(n) for n in (rng.integers(0, 14, 4) * (rng.random() < 0.6))
    )
    size = drawn.width + left + right, drawn.height + top + bottom
    page = Pil.new("RGB", size, colour(rng, 15, 60) if dark else colour(rng, 220, 256))
    page.paste(drawn, (left, top), drawn)
    return page, left, top


def disturbed(rng: np.random.Generator, game: Scene) -> Scene:
    """Sometimes scaled up, as browsers do, or compressed."""
    image, box = game.screenshot, game.box
    if rng.random() < 0.12 and image.shape[1] < 2500 and box is not None:
        factor = float(rng.choice([1.25, 1.5]))
        image = cv2.resize(
            image, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR
        )
        left, top, width, height = (round(n * factor) for n in box)
        box = left, top, width, height
    if rng.random() < 0.3:
        image = as_jpeg(image, int(rng.integers(60, 96)))
    return replace(game, screenshot=np.ascontiguousarray(image), box=box)
