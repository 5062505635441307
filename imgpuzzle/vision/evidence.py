"""``Evidence``: the one currency of the witnesses, nats that add up.

Each witness says what it costs, in nats, that a tile is at home in a place, or lies
beside another one; what it knows nothing of costs nothing. Layouts are rows of numbers:
for each home the cell whose tile belongs there, or the number of cells for the hole.
The tile that is left over is the blank; where none is, no cell is empty.

Where tiles may lie turned each is as many pieces as it has turns, of which one is laid.
The piece of a cell that is set upright by k of them has k times the number of cells
added to its number, and the hole comes after all pieces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.kernels.piecing import PieceCosts, layout_costs

Costs = NDArray[np.float64]
Layouts = NDArray[np.int16]

NEVER = 1e6
"""Nats of what cannot be."""


@dataclass(frozen=True, slots=True)
class Possible:
    """Which layouts a board of some shape may have, whatever it shows.

    The reader is handed this: a sliding puzzle's caller knows more or less of it.

    Attributes:
        empty: The cell that is empty, where that is known.
        home: The blank's home, where that is known.
        has_hole: Whether a cell may be empty.
        is_whole: Whether every tile may be there.
    """

    empty: int | None = None
    home: int | None = None
    has_hole: bool = True
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """What every use of a cell costs, in nats; lower is likelier.

    Attributes:
        shape: Rows and columns of the board, n cells.
        right: ``right[i, j]`` for tile j right of tile i, (n + 1) x (n + 1); the last
            row and column are those of the hole.
        below: The same for j below i.
        tile: ``tile[cell]`` for a cell that is laid out, so is not the blank.
        hole: ``hole[home]`` for the blank's home.
        place: ``place[home, cell]`` for the tile of a cell at a home, n x (n + 1); the
            last column, the hole's, is of zeros.
        whole: What it costs that no cell is empty.
        turns: In how many turns each tile may lie: then all this is of pieces.
    """

    shape: Shape
    right: Costs
    below: Costs
    tile: Costs
    hole: Costs
    place: Costs
    whole: float = NEVER
    turns: int = 1

    @property
    def pieces(self) -> int:
        """How many pieces there are: as many as cells, where none lies turned."""
        return self.shape.size * self.turns

    @classmethod
    def none(cls, shape: Shape, turns: int = 1) -> Evidence:
        """What a witness says that knows nothing."""
        n, pieces = shape.size, shape.size * turns
        return cls(
            shape,
            np.zeros((pieces + 1, pieces + 1)),
            np.zeros((pieces + 1, pieces + 1)),
            np.zeros(pieces),
            np.zeros(n),
            np.zeros((n, pieces + 1)),
            0.0,
            turns,
        )

    @classmethod
    def of_square(
        cls, shape: Shape, square: Costs, *, whole: float = NEVER
    ) -> Evidence:
        """Costs in the form of ``assign.padded``: cells x homes, and the blank's.

        ``whole`` is what it costs that no cell is empty.
        """
        n = shape.size
        place = np.zeros((n, n + 1))
        place[:, :n] = square[:n, :n].T
        nothing = cls.none(shape)
        return cls(
            shape,
            nothing.right,
            nothing.below,
            -square[:n, n],
            square[n, :n].astype(np.float64),
            place,
            whole,
        )

    def __add__(self, other: Evidence) -> Evidence:
        if (self.shape, self.turns) != (other.shape, other.turns):
            raise ValueError(f"expected evidence on {self.shape}, found {other.shape}")
        return Evidence(
            self.shape,
            self.right + other.right,
            self.below + other.below,
            self.tile + other.tile,
            self.hole + other.hole,
            self.place + other.place,
            self.whole + other.whole,
            self.turns,
        )

    def total(self, layouts: Layouts) -> Costs:
        """The cost of each of k layouts (k x n)."""
        return layout_costs(self.laid_out(), layouts)

    def laid_out(self) -> PieceCosts:
        """The same for the kernels."""
        right, below, tile, place, hole = (
            np.ascontiguousarray(one, np.float64)
            for one in (self.right, self.below, self.tile, self.place, self.hole)
        )
        size = self.shape.rows, self.shape.cols, self.turns
        return PieceCosts(*size, right, below, tile, place, hole, self.whole)

    def bordered(self) -> tuple[Costs, Costs]:
        """``right`` and ``below`` with zeros for what lies outside, at the end."""
        return np.pad(self.right, (0, 1)), np.pad(self.below, (0, 1))

    def turned(self) -> Evidence:
        """The same for the picture mirrored along its main diagonal."""
        shape = Shape(self.shape.cols, self.shape.rows)
        homes = np.arange(self.shape.size).reshape(self.shape.rows, self.shape.cols)
        order = homes.T.ravel()
        return Evidence(
            shape,
            self.below,
            self.right,
            self.tile,
            self.hole[order],
            self.place[order],
            self.whole,
            self.turns,
        )


def turn(layouts: Layouts, shape: Shape) -> Layouts:
    """Mirror layouts of ``shape`` along the main diagonal."""
    grid = layouts.reshape(len(layouts), shape.rows, shape.cols)
    return np.ascontiguousarray(grid.swapaxes(1, 2).reshape(len(layouts), -1))


def cells_of(layouts: Layouts, turns: int) -> Layouts:
    """The cells from which the pieces of layouts (... x n) come; n for the hole."""
    count = layouts.shape[-1]
    cells = np.where(layouts == turns * count, count, layouts % count)
    return np.asarray(cells, np.int16)


def left_out(layouts: Layouts) -> NDArray[np.int64]:
    """The cell that each layout (... x n) takes for the blank; n where it has none."""
    count = layouts.shape[-1]
    laid = layouts.sum(axis=-1, dtype=np.int64)
    return np.asarray(count * (count + 1) // 2 - laid)
