"""Ten designs of web and phone games with a sliding puzzle.

Each takes a random generator and a deal, and writes the page. There were ten more, on
which the reader was mended; these it had never seen.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.scenes.browser import games
from benchmarks.scenes.browser.board import Deal, Page
from benchmarks.scenes.browser.parts import Rng
from imgpuzzle.core.board import Shape

__all__ = ["DESIGNS", "NUMBERS_ONLY", "wanted"]

SHAPES: dict[str, tuple[str, ...]] = {
    "tablet": ("4x6", "5x4", "4x4", "6x6", "4x3"),
    "numbers-serif": ("4x4", "3x3", "5x5", "4x4", "4x5"),
    "phone-dark": ("4x4", "3x3", "5x5", "5x4", "6x6"),
}
USUAL = ("3x3", "4x4", "4x4", "5x5", "3x3", "6x6", "3x4")
HOMES = (0.7, 0.15, 0.15)


def wanted(rng: Rng, name: str) -> tuple[Shape, int]:
    """The grid, and the cell where the blank belongs: last, first or another."""
    shapes = SHAPES.get(name, USUAL)
    shape = Shape.parse(shapes[int(rng.integers(len(shapes)))])
    homes = shape.size - 1, 0, int(rng.integers(shape.size))
    return shape, homes[int(rng.choice(3, p=HOMES))]


DESIGNS: dict[str, Callable[[Rng, Deal], Page]] = {
    "svg-board": games.svg_board,
    "dark-rounded": games.dark_rounded,
    "phone-dark": games.phone_dark,
    "tablet": games.tablet,
    "inner-shadow": games.inner_shadow,
    "modal": games.modal,
    "forum": games.forum,
    "numbers-serif": games.numbers_serif,
    "metal-frame": games.metal_frame,
    "outlined-over": games.outlined_over,
}
NUMBERS_ONLY = ("numbers-serif",)
