"""From a rough lattice to the exact one, in the screenshot and in the reference.

``settle`` shifts and scales both lattices until the assigned tiles lie on their
homes, by Gauss-Newton steps on the difference of all pixels at once, from coarse
to fine (B. D. Lucas and T. Kanade, 1981). That corrects the pitch on the screen
and the part of the reference that the goal shows, for games crop and pad their
picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.geometry.colours import Tint, apply_tint, median, squared_lengths
from imgpuzzle.vision.geometry.lattice import Lattice, sample_box
from imgpuzzle.vision.geometry.tuning import TUNING

Floats = NDArray[np.float32]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Alignment:
    """The tiles in the screenshot, and their homes in the reference."""

    screen: Lattice
    picture: Lattice


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the reference that the goal shows, in px of the reference."""

    left: float
    top: float
    width: float
    height: float

    @classmethod
    def covering(
        cls, size: tuple[int, int], aspect: float, focus: float = 0.5
    ) -> Window:
        """The largest part of ``aspect`` (width over height) of a picture.

        ``size`` is width and height; ``focus`` 0 keeps the left or top, 1 the
        right or bottom, 0.5 the middle.
        """
        width, height = size
        wide = min(float(width), height * aspect)
        high = min(float(height), width / aspect)
        return cls(focus * (width - wide), focus * (height - high), wide, high)

    def homes(self, shape: Shape) -> Lattice:
        """The goal's cells in the reference."""
        return Lattice.from_box(shape, self.left, self.top, self.width, self.height)


def windows_for(
    lattice: Lattice, size: tuple[int, int], focuses: Sequence[float] = (0.5,)
) -> list[Window]:
    """The whole reference and, where that does not fit, parts that do.

    ``size`` is the reference's width and height; ``focuses`` say where the parts lie,
    see ``Window.covering``.
    """
    whole = Window(0, 0, *size)
    # The gaps are the board's, not the picture's.
    aspect = lattice.cols * lattice.tile_width / (lattice.rows * lattice.tile_height)
    if abs(math.log(aspect * size[1] / size[0])) < 0.03:
        return [whole]
    return [whole, *(Window.covering(size, aspect, focus) for focus in focuses)]


def settle(
    screen: Floats,
    picture: Floats,
    alignment: Alignment,
    tint: Tint,
    pairs: Sequence[tuple[int, int]],
    *,
    sizes: Sequence[int] | None = None,
    hold_screen: bool = False,
) -> Alignment:
    """Shift and scale both lattices until assigned tiles lie on their homes.

    ``screen`` and ``picture`` are colour pictures; ``tint`` maps the reference's
    colours to the screen's; ``pairs`` are (cell, home); ``sizes`` are the sides
    in px at which tiles are compared, one after the other, where they are not the
    usual ones. With ``hold_screen`` the lattice on the screen stays as it is.
    """
    at, to = alignment.screen, alignment.picture
    cells = np.array([cell for cell, _ in pairs])
    homes = np.array([home for _, home in pairs])
    counts = np.array([at.cols, at.rows])
    # Places from the middle of the board, n x 2 (x, y).
    cell_at = np.stack([cells % at.cols, cells // at.cols], 1) - (counts - 1) / 2
    home_at = np.stack([homes % at.cols, homes // at.cols], 1) - (counts - 1) / 2
    motion = np.zeros((2, 3))
    for size in sizes or TUNING.sizes_px:
        shown = np.stack([tile_at(screen, at, int(cell), size) for cell in cells])
        for _ in range(TUNING.rounds):
            wanted = _moved_tiles(picture, to, motion, cell_at, home_at, homes, size)
            step = _gauss_newton(
                shown, apply_tint(wanted, tint), cell_at, home_at, hold_screen
            )
            motion = np.clip(motion + step, -TUNING.most_motion, TUNING.most_motion)
            if np.abs(step).max() < 0.02 / size:
                break
    return Alignment(
        _corrected(at, motion, _corrected_screen),
        _corrected(to, motion, _corrected_picture),
    )


def _corrected(
    at: Lattice, motion: FloatArray, along: Callable[..., tuple[float, float, float]]
) -> Lattice:
    """A lattice after its part of a motion; ``along`` corrects it along one axis."""
    left, pitch_x, tile_width = along(
        at.left, at.pitch_x, at.tile_width, at.cols, motion[0]
    )
    top, pitch_y, tile_height = along(
        at.top, at.pitch_y, at.tile_height, at.rows, motion[1]
    )
    return Lattice(
        at.rows, at.cols, left, top, pitch_x, pitch_y, tile_width, tile_height
    )


def _moved_tiles(
    picture: Floats,
    to: Lattice,
    motion: FloatArray,
    cell_at: FloatArray,
    home_at: FloatArray,
    homes: NDArray[np.int_],
    size: int,
) -> Floats:
    """The homes' pictures after a motion: n x size x size x 3.

    ``motion`` is 2 x 3: for x and y, a shift, what each step of the cell and
    what each step of the home adds to it, all in tiles.
    """
    (shift_x, cell_x, home_x), (shift_y, cell_y, home_y) = motion
    tiles = []
    for index, home in enumerate(homes):
        left, top = to.origin(int(home))
        x = shift_x + cell_x * (cell_at[index, 0] - 0.5)
        x += home_x * (home_at[index, 0] - 0.5)
        y = shift_y + cell_y * (cell_at[index, 1] - 0.5)
        y += home_y * (home_at[index, 1] - 0.5)
        tiles.append(
            sample_box(
                picture,
                left + x * to.tile_width,
                top + y * to.tile_height,
                to.tile_width * (1 + cell_x + home_x),
                to.tile_height * (1 + cell_y + home_y),
                (size, size),
            )
        )
    return np.stack(tiles)


def _gauss_newton(
    shown: Floats,
    wanted: Floats,
    cell_at: FloatArray,
    home_at: FloatArray,
    hold_screen: bool,
) -> FloatArray:
    """The change of the motion that brings ``wanted`` nearest to ``shown``."""
    size = shown.shape[1]
    error = shown - wanted
    slope_y, slope_x = (np.gradient(wanted, axis=axis) for axis in (1, 2))
    apart = np.sqrt(squared_lengths(error))
    # Pixels that disagree a lot (numerals, marks, bevels) pull little, but where
    # the picture is steep that is what a small motion does.
    spread = median(apart) + 1.0
    steep = squared_lengths(slope_x) + squared_lengths(slope_y)
    expected = spread**2 + TUNING.likely_motion_px**2 * steep
    weight = 1.0 / (1.0 + np.square(apart) / (4.0 * expected))
    edge = max(1, size // 12)
    weight[:, :edge] = weight[:, -edge:] = 0.0
    weight[:, :, :edge] = weight[:, :, -edge:] = 0.0
    matrix, right = _normal_equations(weight, slope_x, slope_y, error, cell_at, home_at)
    # On a board almost in order cell and home move together: hold both back a little.
    hold = 0.002 * max(float(matrix.trace()) / 6, 1e-6)
    cell_hold = 1e6 if hold_screen else 1.0
    matrix += hold * np.diag([0.01, cell_hold, 1.0, 0.01, cell_hold, 1.0])
    step = np.linalg.solve(matrix, right).reshape(2, 3)
    return np.asarray(step, dtype=np.float64)


def _normal_equations(
    weight: Floats,
    slope_x: Floats,
    slope_y: Floats,
    error: Floats,
    cell_at: FloatArray,
    home_at: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """The 6 x 6 matrix and the right side for the six numbers of a motion.

    ``weight`` is n x size x size, slopes and error have three colours more.
    """
    size = weight.shape[1]
    inside = (np.arange(size) + 0.5) / size - 0.5
    # What each number of the motion adds to a place along x and along y, in px. It is
    # the same all along the other axis, so that one is summed first.
    along_x, along_y = (
        size
        * np.stack(
            [
                np.ones((len(weight), size)),
                cell_at[:, axis, None] + inside,
                home_at[:, axis, None] + inside,
            ],
            axis=1,
        )
        for axis in (0, 1)
    )
    # Not numpy's product of matrices: it wakes threads for little work.
    matrix = np.empty((6, 6))
    right = np.empty(6)
    for part, along, slope, axis in (
        (slice(0, 3), along_x, slope_x, 1),
        (slice(3, 6), along_y, slope_y, 2),
    ):
        steepness = _summed(weight, slope, slope, axis)
        matrix[part, part] = np.einsum("nik,njk,nk->ij", along, along, steepness)
        pull = _summed(weight, slope, error, axis)
        right[part] = np.einsum("nik,nk->i", along, pull)
    both = weight * np.einsum("...c,...c->...", slope_x, slope_y)
    down = np.einsum("njy,nyx->njx", along_y, both, dtype=np.float64)
    matrix[:3, 3:] = np.einsum("nix,njx->ij", along_x, down)
    matrix[3:, :3] = matrix[:3, 3:].T
    return matrix, right


def _summed(weight: Floats, one: Floats, other: Floats, axis: int) -> FloatArray:
    """Weighted products of two n x size x size x 3, over colours and one axis."""
    products = weight * np.einsum("...c,...c->...", one, other)
    return np.asarray(products.sum(axis=axis, dtype=np.float64))


def _corrected_screen(
    start: float, pitch: float, tile: float, count: int, fit: FloatArray
) -> tuple[float, float, float]:
    """Start, pitch and tile after the pitch shrinks by ``fit[1]`` about the middle."""
    shrink = float(fit[1])
    start += shrink * (pitch * (count - 1) / 2 + tile / 2)
    return start, pitch * (1 - shrink), tile * (1 - shrink)


def _corrected_picture(
    start: float, pitch: float, tile: float, count: int, fit: FloatArray
) -> tuple[float, float, float]:
    """Start, pitch and tile after a shift by ``fit[0]`` and a growth by ``fit[2]``.

    Both are in tiles; the tile grows with the pitch, about the middle.
    """
    grown = pitch + tile * float(fit[2])
    wider = tile * grown / pitch
    start += (
        tile * float(fit[0]) - (grown - pitch) * (count - 1) / 2 - (wider - tile) / 2
    )
    return start, grown, wider


def tile_at(
    picture: Floats, lattice: Lattice, cell: int, size: int, factor: float = 1.0
) -> Floats:
    """A tile, grown by ``factor`` about its middle, as size x size x 3."""
    left, top = lattice.origin(cell)
    width, height = lattice.tile_width * factor, lattice.tile_height * factor
    left -= (width - lattice.tile_width) / 2
    top -= (height - lattice.tile_height) / 2
    return sample_box(picture, left, top, width, height, (size, size))


def carried(alignment: Alignment, screen: Lattice) -> Alignment:
    """The alignment on another lattice nearby: the homes move with the tiles."""
    at, to = alignment.screen, alignment.picture
    left, width = _carried(
        (at.left, at.pitch_x, at.tile_width),
        (screen.left, screen.pitch_x, screen.tile_width),
        (to.left, to.tile_width),
        at.cols,
    )
    top, height = _carried(
        (at.top, at.pitch_y, at.tile_height),
        (screen.top, screen.pitch_y, screen.tile_height),
        (to.top, to.tile_height),
        at.rows,
    )
    moved = replace(to, left=left, top=top, tile_width=width, tile_height=height)
    return Alignment(screen, moved)


def _carried(
    old: tuple[float, float, float],
    new: tuple[float, float, float],
    home: tuple[float, float],
    count: int,
) -> tuple[float, float]:
    """Start and length of the first home, after the tiles' (start, pitch, tile)."""
    shift = new[0] - old[0] + (new[1] - old[1]) * (count - 1) / 2
    return home[0] + shift / old[2] * home[1], new[2] / old[2] * home[1]
