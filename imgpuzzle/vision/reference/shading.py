"""How the light differs between assigned tiles and the homes they show.

Both fits are linear least squares, weighted again in each round so that a
numeral or a mark counts little (P. J. Huber, 1981), and pulled towards nought
where the tiles say little.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.colours import at_shares, median
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.reference.tuning import TUNING

Floats = NDArray[np.float32]
FloatArray = NDArray[np.float64]
Pairs = Sequence[tuple[int, int]]
"""Of cells and their homes."""


def mend_curve(homes: Floats, cells: Floats, pairs: Pairs) -> Floats:
    """The homes' colours after the curve that a tint leaves of a gamma or a clip.

    ``homes`` (tinted) and ``cells`` are n x h x w x 3, ``pairs`` (cell, home).
    The rest is a polynomial of the colour; beyond the colours of the pairs it
    stays as it is at their end.
    """
    have = homes[[home for _, home in pairs]].reshape(-1, 3).astype(np.float64)
    want = cells[[cell for cell, _ in pairs]].reshape(-1, 3)
    step = max(len(have) // TUNING.most_pixels, 1)
    have, want = have[::step], want[::step]
    low, high = at_shares(have, (0.01, 0.99), 0)
    fit = _robust(_powers(have, low, high), want - have, TUNING.curve_pull)
    change = _powers(homes.reshape(-1, 3).astype(np.float64), low, high) @ fit
    return (homes + change.reshape(homes.shape)).astype(np.float32)


def even_light(cells: Floats, homes: Floats, pairs: Pairs, at: Lattice) -> Floats:
    """The cells without the smooth light that lies over a photographed board.

    ``cells`` lie at ``at``, n x h x w x 3; the light is a factor, a polynomial of
    second degree in the place on the board.
    """
    places = _places(at, cells.shape[1], cells.shape[2])
    have = homes[[home for _, home in pairs]].reshape(-1, 3).astype(np.float64)
    chosen = [cell for cell, _ in pairs]
    want = cells[chosen].reshape(-1, 3)
    spots = places[chosen].reshape(-1, places.shape[-1])
    step = max(len(have) // TUNING.most_pixels, 1)
    have, want, spots = have[::step], want[::step], spots[::step]
    # All three channels of a pixel share its factor.
    design = (spots[:, None, :] * have[:, :, None]).reshape(-1, spots.shape[1])
    fit = _robust(design, (want - have).reshape(-1, 1), TUNING.light_pull, group=3)
    factor = np.clip(1.0 + places @ fit[:, 0], *TUNING.light_range)
    return (cells / factor[..., None]).astype(np.float32)


def _powers(colours: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """n x 11: what a curve between colours (n x 3) is made of."""
    span = np.maximum((high - low) / 2, TUNING.least_span)
    x, y, z = ((np.clip(colours, low, high) - (low + high) / 2) / span).T
    ones = np.ones(len(x))
    parts = [ones, x, y, z, x * x, y * y, z * z, x * y, x * z, y * z, x * x * x]
    return np.column_stack(parts)


def _places(at: Lattice, height: int, width: int) -> FloatArray:
    """Powers of the place of every pixel of every cell: n x h x w x 5."""
    cells = np.arange(at.rows * at.cols)
    y = (cells // at.cols)[:, None] + (np.arange(height) + 0.5) / height
    x = (cells % at.cols)[:, None] + (np.arange(width) + 0.5) / width
    y, x = 2 * y / at.rows - 1, 2 * x / at.cols - 1
    down, across = np.broadcast_arrays(y[:, :, None], x[:, None, :])
    return np.stack(
        [across, down, across * across, across * down, down * down], axis=-1
    )


def _robust(
    design: FloatArray, wanted: NDArray[np.floating], pull: float, *, group: int = 1
) -> FloatArray:
    """Least squares of ``wanted`` (n x k) that far-off rows hardly change.

    ``group`` rows share one weight; ``pull`` is relative to the rows' squares.
    """
    weights = np.ones(len(design))
    hold = pull * np.square(design).mean() * len(design) * np.eye(design.shape[1])
    fit = np.zeros((design.shape[1], wanted.shape[1]))
    for _ in range(TUNING.rounds):
        weighted = design * weights[:, None]
        fit = np.linalg.solve(design.T @ weighted + hold, weighted.T @ wanted)
        squares = np.square(wanted - design @ fit).sum(axis=1)
        errors = np.sqrt(squares.reshape(-1, group).sum(axis=1))
        usual = median(errors) + TUNING.least_error
        weights = np.repeat(1.0 / (1.0 + np.square(errors / (2 * usual))), group)
    return np.asarray(fit, dtype=np.float64)
