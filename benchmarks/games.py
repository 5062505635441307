"""Screens of made-up games: pages, phones, photographs, with known truth.

``scenes.py`` draws boards on plain pages; here there is all that lies about a board
in a game, numerals in many styles, and screens without any board (``nogames.py``).
A scene depends on nothing but its kind, its number and the pictures.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pil
from PIL import ImageDraw, ImageFilter, ImageFont

from benchmarks.scenes import Pictures, SceneTruth
from benchmarks.trouble import tilted
from imgpuzzle.board import Board, Shape
from imgpuzzle.goals import home_cells
from imgpuzzle.scramble import uniform

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

PICTURE_KINDS = (
    "web", "phone", "desk4k", "cartoon", "nearly", "solved", "crop", "busy", "small",
    "tilted",
)  # fmt: skip
NUMBER_KINDS = (
    "numbers", "numbers-phone", "over", "over-other", "numbers-nearly", "odd",
    "from-zero", "numbers-tilted",
)  # fmt: skip
FONTS = sorted(
    path
    for path in Path("/usr/share/fonts").rglob("*.ttf")
    if not any(word in path.stem.lower() for word in ("symbol", "math", "emoji"))
)


@dataclass(frozen=True)
class Game:
    """A screenshot and, if it shows a board, what is on it."""

    name: str
    kind: str
    screenshot: Image
    board: Board | None = None
    goal: Board | None = None
    box: tuple[int, int, int, int] | None = None


@dataclass(frozen=True)
class Style:
    """How tiles look: gap and corner radius in px, frame, bevel, blank."""

    gap: int
    radius: int
    border: int
    bevel: int
    blank: str
    ground: Colour
    edge: Colour


def font(rng: np.random.Generator, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS[int(rng.integers(len(FONTS)))]), max(size, 8))


def colour(rng: np.random.Generator, low: int = 0, high: int = 256) -> Colour:
    first, second, third = (int(v) for v in rng.integers(low, high, 3))
    return first, second, third


def make_game(kind: str, number: int, pictures: Pictures) -> Game:
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
        truth = SceneTruth(name, image, image, board, goal, box, kind)
        photo = tilted(truth, rng, pictures, most_degrees=35.0).scene.screenshot
        if rng.random() < 0.5:
            photo = cv2.GaussianBlur(photo, (0, 0), float(rng.uniform(0.5, 1.1)))
        return Game(name, kind, photo, board, goal)
    return disturbed(rng, Game(name, kind, image, board, goal, box))


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
    return home_cells(shape, blank=corners[int(rng.choice(4, p=[0.75, 0.15, 0.05, 0.05]))])


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
        return int(size[0] * rng.uniform(0.8, 0.97) * min(1, shape.cols / shape.rows + 0.4))
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
    blank = str(rng.choice(["ground", "ground", "black", "white", "page", "grey", "ghost"]))
    if kind in NUMBER_KINDS and blank == "ghost":
        blank = "ground"
    ground = colour(rng, 10, 60) if rng.random() < 0.6 else colour(rng, 150, 250)
    edge = colour(rng) if rng.random() < 0.5 else ground
    return Style(gap, radius, border, bevel, blank, ground, edge)


def picture_tiles(
    rng: np.random.Generator, picture: Image, shape: Shape, span: int
) -> list[Pil.Image]:
    """The tiles in the order of the goal."""
    tile = max(span // max(shape.rows, shape.cols), 16)
    aspect = shape.cols / shape.rows
    height, width = picture.shape[:2]
    wide = min(width, height * aspect) * rng.uniform(0.7, 1.0)
    high = wide / aspect
    x, y = int(rng.uniform(0, width - wide)), int(rng.uniform(0, height - high))
    crop = picture[y : y + int(high), x : x + int(wide)]
    down = crop.shape[1] > tile * shape.cols
    way = cv2.INTER_AREA if down else cv2.INTER_CUBIC
    whole = cv2.resize(crop, (tile * shape.cols, tile * shape.rows), interpolation=way)
    return [
        Pil.fromarray(whole[r * tile : (r + 1) * tile, c * tile : (c + 1) * tile])
        for r in range(shape.rows)
        for c in range(shape.cols)
    ]


def number_tiles(
    rng: np.random.Generator,
    shape: Shape,
    goal: Board,
    span: int,
    kind: str,
    pictures: Pictures,
    dark: bool,
) -> list[Pil.Image]:
    tile = max(span // max(shape.rows, shape.cols), 26)
    look = str(rng.choice(["flat", "gradient", "wood", "circle", "hues", "checked"]))
    shift = -1 if kind == "from-zero" else 0
    base, ink = colour(rng, 60, 256), (255, 255, 255)
    if sum(base) > 420:
        ink = colour(rng, 0, 60)
    share = rng.uniform(0.32, 0.55)
    letters = font(rng, int(tile * share))
    over = kind.startswith("over")
    if over:
        tiles = picture_tiles(rng, pictures.draw(rng), shape, tile * max(shape.rows, shape.cols))
        small = rng.random() < 0.5
        letters = font(rng, int(tile * (0.22 if small else 0.4)))
    order = list(range(shape.size))
    if kind == "over-other":
        rng.shuffle(order)
    found = []
    for cell in range(shape.size):
        if over:
            face = tiles[cell].copy()
        else:
            face = plain_face(rng, tile, look, base, cell, shape)
        brush = ImageDraw.Draw(face)
        number = str(order[cell] + 1 + shift if over else goal.cells[cell] + shift)
        at = (tile / 2, tile / 2)
        if over and small:
            at = (tile * 0.2, tile * 0.2)
        if over and cell == 0:
            plate = bool(rng.random() < 0.5)
        if over and plate:
            r = tile * (0.17 if small else 0.3)
            brush.ellipse((at[0] - r, at[1] - r, at[0] + r, at[1] + r), fill=(20, 20, 20))
        rim = max(tile // 40, 1) if over else 0
        brush.text(
            at, number, font=letters, anchor="mm", fill=(255, 255, 255) if over else ink,
            stroke_width=rim, stroke_fill=(0, 0, 0),
        )  # fmt: skip
        found.append(face)
    return found


def plain_face(
    rng: np.random.Generator, tile: int, look: str, base: Colour, cell: int, shape: Shape
) -> Pil.Image:
    plain = np.full((tile, tile, 3), base, np.float64)
    if look == "gradient":
        plain *= np.linspace(1.15, 0.75, tile)[:, None, None]
    elif look == "wood":
        grain = cv2.GaussianBlur(rng.normal(0, 60, (tile, tile)), (0, 0), 1, None, 9)
        plain = np.full((tile, tile, 3), (196, 150, 96)) + grain[..., None] * 3
    elif look == "hues":
        hue = np.uint8([[[int(180 * cell / shape.size), 150, 200]]])
        plain[:] = cv2.cvtColor(hue, cv2.COLOR_HSV2RGB)[0, 0]
    elif look == "checked" and (cell + cell // shape.cols) % 2:
        plain *= 0.8
    face = Pil.fromarray(np.clip(plain, 0, 255).astype(np.uint8))
    if look == "circle":
        edge = tile * 0.12
        fill = tuple(int(0.7 * v) for v in base)
        ImageDraw.Draw(face).ellipse((edge, edge, tile - edge, tile - edge), fill=fill)
    return face


def cartoon(rng: np.random.Generator) -> Image:
    """Flat shapes with outlines, some of them in coarse pixels."""
    page = Pil.new("RGB", (640, 640), colour(rng, 120, 256))
    brush = ImageDraw.Draw(page)
    brush.rectangle((0, int(rng.integers(300, 500)), 640, 640), fill=colour(rng))
    for _ in range(int(rng.integers(12, 40))):
        x, y = rng.integers(-50, 650, 2)
        w, h = rng.integers(30, 260, 2)
        box = int(x), int(y), int(x + w), int(y + h)
        fill, rim = colour(rng), int(rng.integers(0, 7))
        kind = rng.random()
        if kind < 0.5:
            brush.ellipse(box, fill=fill, outline=(0, 0, 0), width=rim)
        elif kind < 0.75:
            brush.rounded_rectangle(box, 20, fill=fill, outline=(0, 0, 0), width=rim)
        else:
            points = [(int(a), int(b)) for a, b in rng.integers(0, 640, (3, 2))]
            brush.polygon(points, fill=fill)
    image = np.asarray(page)
    if rng.random() < 0.35:
        side = int(rng.choice([48, 64, 96]))
        image = cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA)
        image = cv2.resize(image // 32 * 32, (960, 960), interpolation=cv2.INTER_NEAREST)
    return np.ascontiguousarray(image)


def assemble(
    rng: np.random.Generator,
    tiles: list[Pil.Image],
    board: Board,
    goal: Board,
    style: Style,
) -> Pil.Image:
    """The board with gaps, bevels and a border; holes are transparent."""
    shape, (tile, _) = board.shape, tiles[0].size
    pad = style.border + (style.gap if style.border else 0)
    pitch = tile + style.gap
    size = [n * pitch - style.gap + 2 * pad for n in (shape.cols, shape.rows)]
    has_ground = style.border > 0 or (style.gap > 0 and rng.random() < 0.7)
    canvas = Pil.new("RGBA", tuple(size), (*style.ground, 255 if has_ground else 0))
    if style.border and style.edge != style.ground:
        brush = ImageDraw.Draw(canvas)
        brush.rectangle((0, 0, size[0] - 1, size[1] - 1), outline=style.edge, width=style.border)
    mask = Pil.new("L", (4 * tile, 4 * tile), 0)
    ImageDraw.Draw(mask).rounded_rectangle(
        (0, 0, 4 * tile - 1, 4 * tile - 1), 4 * style.radius, fill=255
    )
    mask = mask.resize((tile, tile), Pil.Resampling.BOX)
    for cell, label in enumerate(board.cells):
        row, col = shape.row_col(cell)
        at = pad + col * pitch, pad + row * pitch
        if label:
            face = tiles[goal.cells.index(label)].copy()
            if style.bevel:
                bevelled(face, style.bevel)
            canvas.paste(face, at, mask)
        else:
            plain = {"black": 0, "white": 255, "grey": 190}.get(style.blank)
            if plain is not None:
                canvas.paste((plain, plain, plain, 255), (*at, at[0] + tile, at[1] + tile))
            elif style.blank == "ghost":
                face = Pil.blend(tiles[goal.blank], Pil.new("RGB", (tile, tile)), 0.65)
                canvas.paste(face, at)
    return canvas


def bevelled(face: Pil.Image, edge: int) -> None:
    values = np.asarray(face).astype(int)
    values[:edge] += 50
    values[:, :edge] += 50
    values[-edge:] -= 50
    values[:, -edge:] -= 50
    face.paste(Pil.fromarray(np.clip(values, 0, 255).astype(np.uint8)))


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
    for word in ("Moves: 128", "Time 02:31", "Best 17", "New game", "Shuffle", "Solve", "Hint"):
        if rng.random() < 0.4:
            continue
        x = int(rng.integers(4, max(page.size[0] - 9 * unit, 5)))
        y = int(rng.integers(2 * unit, page.size[1] - 3 * unit))
        if left - 9 * unit < x < left + width + 20 and top - 3 * unit < y < top + height + 20:
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


def disturbed(rng: np.random.Generator, game: Game) -> Game:
    """Sometimes scaled up, as browsers do, or compressed."""
    image, box = game.screenshot, game.box
    if rng.random() < 0.12 and image.shape[1] < 2500 and box is not None:
        factor = float(rng.choice([1.25, 1.5]))
        image = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR)
        left, top, width, height = (round(n * factor) for n in box)
        box = left, top, width, height
    if rng.random() < 0.3:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))]
        code = cv2.imencode(".jpg", image[..., ::-1], quality)[1]
        image = np.ascontiguousarray(cv2.imdecode(code, cv2.IMREAD_COLOR)[..., ::-1])
    return replace(game, screenshot=np.ascontiguousarray(image), box=box)
