"""Faces of tiles for made-up games: parts of pictures, numerals in many styles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pil
from PIL import ImageDraw, ImageFont

from benchmarks.scenes.pictures import Pictures
from benchmarks.scenes.scene import Image
from imgpuzzle.core.board import Board, Shape

Colour = tuple[int, int, int]

FONTS = sorted(
    path
    for path in Path("/usr/share/fonts").rglob("*.ttf")
    if not any(word in path.stem.lower() for word in ("symbol", "math", "emoji"))
)


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
        tiles = picture_tiles(
            rng, pictures.draw(rng), shape, tile * max(shape.rows, shape.cols)
        )
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
            brush.ellipse(
                (at[0] - r, at[1] - r, at[0] + r, at[1] + r), fill=(20, 20, 20)
            )
        rim = max(tile // 40, 1) if over else 0
        brush.text(
            at, number, font=letters, anchor="mm",
            fill=(255, 255, 255) if over else ink,
            stroke_width=rim, stroke_fill=(0, 0, 0),
        )  # fmt: skip
        found.append(face)
    return found


def plain_face(
    rng: np.random.Generator,
    tile: int,
    look: str,
    base: Colour,
    cell: int,
    shape: Shape,
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
        image = cv2.resize(
            image // 32 * 32, (960, 960), interpolation=cv2.INTER_NEAREST
        )
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
        brush.rectangle(
            (0, 0, size[0] - 1, size[1] - 1), outline=style.edge, width=style.border
        )
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
                canvas.paste(
                    (plain, plain, plain, 255), (*at, at[0] + tile, at[1] + tile)
                )
            elif style.blank == "dimmed":
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
