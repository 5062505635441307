"""Twenty designs of web and phone games with a sliding puzzle, half of them for tuning.

Each takes a random generator and a deal, and writes the page. ``TUNE`` and ``TEST``
share no design: what is mended is mended on the first half.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.scenes.browser import test_half as test
from benchmarks.scenes.browser import tune_half as tune
from benchmarks.scenes.browser.board import Deal, Page
from benchmarks.scenes.browser.parts import Rng
from imgpuzzle.core.board import Shape

__all__ = ["DESIGNS", "NUMBERS_ONLY", "TEST", "TUNE", "wanted"]

SHAPES: dict[str, tuple[str, ...]] = {
    "zoomed-cover": ("3x4", "4x3", "4x6", "3x5", "5x4"),
    "tablet": ("4x6", "5x4", "4x4", "6x6", "4x3"),
    "numbers-gradient": ("4x4", "3x3", "5x5", "4x4", "6x6"),
    "numbers-serif": ("4x4", "3x3", "5x5", "4x4", "4x5"),
    "phone-bright": ("3x3", "4x4", "4x3", "5x5", "6x4"),
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
    "canvas-plain": tune.canvas_plain,
    "grid-shadow": tune.grid_shadow,
    "phone-bright": tune.phone_bright,
    "wood-frame": tune.wood_frame,
    "corner-numbers": tune.corner_numbers,
    "shop-page": tune.shop_page,
    "numbers-gradient": tune.numbers_gradient,
    "table-classic": tune.table_classic,
    "zoomed-cover": tune.zoomed_cover,
    "numbers-over": tune.numbers_over,
    "svg-board": test.svg_board,
    "dark-rounded": test.dark_rounded,
    "phone-dark": test.phone_dark,
    "tablet": test.tablet,
    "inner-shadow": test.inner_shadow,
    "modal": test.modal,
    "forum": test.forum,
    "numbers-serif": test.numbers_serif,
    "metal-frame": test.metal_frame,
    "outlined-over": test.outlined_over,
}
TUNE = tuple(DESIGNS)[:10]
TEST = tuple(DESIGNS)[10:]
NUMBERS_ONLY = ("numbers-gradient", "numbers-serif")
