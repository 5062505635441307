"""Boards of sliding puzzles as HTML: what the games of ``designs`` share."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field

import cv2
import numpy as np

from benchmarks.scenes.scene import Image, at_most
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.scramble import uniform

__all__ = ["Deal", "Look", "Page", "board_html", "data_uri", "deal"]

FEW_OFF = range(2, 7)
MOST_SLIDES = 40


@dataclass(frozen=True, slots=True)
class Deal:
    """A board in play, and the picture that it shows, H x W x 3, uint8, RGB."""

    board: Board
    goal: Board
    picture: Image
    others: tuple[Image, ...] = field(repr=False)
    """Further pictures, for what lies about the board."""

    @property
    def shape(self) -> Shape:
        """Rows and columns."""
        return self.board.shape

    @property
    def home(self) -> int:
        """The cell where the blank belongs."""
        return self.goal.blank


@dataclass(frozen=True, slots=True)
class Look:
    """How a board is drawn; lengths in CSS px.

    ``blank`` is the CSS background of the empty cell, ``none`` for a hole or an
    opacity such as ``0.2`` for a faded picture; ``number`` is the CSS of the
    numbers, if there are any; ``covers``: gaps hide parts of the picture.
    """

    width: float
    height: float
    gap: float = 0
    tile: str = ""
    frame: str = ""
    blank: str = "none"
    number: str | None = None
    fit: str = "fill"
    covers: bool = False
    faces: tuple[str, ...] = ()
    """The CSS backgrounds of tiles that bear nothing but numbers."""

    marked: str = ""
    """The CSS of a tile over which the pointer stands."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page with a board in it, and the window in which it is shown, CSS px."""

    html: str
    width: int
    height: int
    scale: float = 1.0


def deal(
    rng: np.random.Generator,
    shape: Shape,
    home: int,
    picture: Image,
    others: tuple[Image, ...],
) -> Deal:
    """Shuffled thoroughly, or by a few slides that leave 2 to 6 tiles off home."""
    goal = home_cells(shape, blank=home)
    board = uniform(goal, seed=int(rng.integers(2**31)))
    if rng.random() < 0.35:
        board = _nearly(rng, goal)
    return Deal(board, goal, picture, others)


def _nearly(rng: np.random.Generator, goal: Board) -> Board:
    while True:
        board, last = goal, -1
        for _ in range(int(rng.integers(2, MOST_SLIDES))):
            here = board.blank
            board = board.slide(
                int(rng.choice([cell for cell in board.movable() if cell != last]))
            )
            last = here
            pairs = zip(board.cells, goal.cells, strict=True)
            off = sum(one != other for one, other in pairs if one)
        if off in FEW_OFF:
            return board


def data_uri(picture: Image, longest: int = 1400, quality: int = 92) -> str:
    """The picture as a JPEG inside an address."""
    done, data = cv2.imencode(
        ".jpg",
        cv2.cvtColor(at_most(picture, longest), cv2.COLOR_RGB2BGR),
        [cv2.IMWRITE_JPEG_QUALITY, quality],
    )
    assert done
    return "data:image/jpeg;base64," + base64.b64encode(data.tobytes()).decode()


def board_html(one: Deal, look: Look) -> str:
    """The board as elements, each cell of class ``cell``."""
    shape = one.shape
    wide = (look.width - look.gap * (shape.cols - 1)) / shape.cols
    high = (look.height - look.gap * (shape.rows - 1)) / shape.rows
    # Two ways to cut: gaps push the pieces apart, or hide what lies under them.
    across, down = (look.gap, look.gap) if look.covers else (0, 0)
    whole = (
        f"width:{shape.cols * wide + (shape.cols - 1) * across}px;"
        f"height:{shape.rows * high + (shape.rows - 1) * down}px;"
        f"object-fit:{look.fit};position:absolute;max-width:none"
    )
    cells = []
    lively = [cell for cell, label in enumerate(one.board.cells) if label]
    marked = lively[len(lively) // 2] if look.marked else -1
    for cell, label in enumerate(one.board.cells):
        row, col = shape.row_col(cell)
        place = (
            f"position:absolute;left:{col * (wide + look.gap)}px;"
            f"top:{row * (high + look.gap)}px;width:{wide}px;height:{high}px;"
            "box-sizing:border-box;overflow:hidden;"
        )
        home = one.home if label == 0 else label - 1
        home_row, home_col = shape.row_col(home)
        shift = (
            f"left:{-home_col * (wide + across)}px;top:{-home_row * (high + down)}px"
        )
        image = f'<img class="pic" style="{whole};{shift}">'
        inner, style = "", place
        if label:
            style += look.tile + (look.marked if cell == marked else "")
            if look.faces:
                style += f"background:{look.faces[(label - 1) % len(look.faces)]};"
            else:
                inner = image
            if look.number is not None:
                inner += f'<span style="{look.number}">{label}</span>'
        elif look.blank.startswith("0."):
            inner = image.replace("position", f"opacity:{look.blank};position", 1)
        else:
            style += f"background:{look.blank};"
        cells.append(f'<div class="cell" style="{style}">{inner}</div>')
    return (
        f'<div style="display:inline-block;{look.frame}"><div style="position:relative;'
        f'width:{look.width}px;height:{look.height}px">{"".join(cells)}</div></div>'
    )
