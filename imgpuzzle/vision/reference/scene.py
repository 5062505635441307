"""The two pictures that are compared, and what is known of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core import goals
from imgpuzzle.core.board import Shape
from imgpuzzle.vision.geometry.align import Alignment
from imgpuzzle.vision.geometry.colours import Tint
from imgpuzzle.vision.geometry.lattice import Samples
from imgpuzzle.vision.reference.assess import (
    Assessment,
    assess,
    gain_over_chance,
    rough_score,
)
from imgpuzzle.vision.reference.tuning import TUNING

Floats = NDArray[np.float32]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scene:
    """The two pictures in opponent colours, and what the caller knows already.

    ``is_lit`` means a photograph, over which light lies unevenly.
    """

    screen: Floats
    picture: Floats
    shapes: Sequence[Shape]
    goal_blank: goals.Place | None = None
    is_lit: bool = False
    _cells: Samples = field(init=False, repr=False, compare=False)
    _homes: Samples = field(init=False, repr=False, compare=False)

    _assessed: dict[tuple[Alignment, int, float], Assessment] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    _settled: dict[Shape, list[tuple[FloatArray, Assessment]]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "_cells", Samples(self.screen))
        object.__setattr__(self, "_homes", Samples(self.picture))

    def blank_cell(self, shape: Shape) -> int | None:
        """The cell number of the given home of the blank."""
        if self.goal_blank is None:
            return None
        return goals.blank_cell(shape, "row", self.goal_blank)

    def assess(
        self,
        alignment: Alignment,
        size: int,
        inset: float,
        tint: Tint | None = None,
    ) -> Assessment:
        """``assess`` with what this scene knows."""
        key = alignment, size, inset
        known = self._assessed.get(key)
        if known is not None:
            return known
        result = assess(
            self._cells.tiles(alignment.screen, size, inset),
            self._homes.tiles(alignment.picture, size, inset),
            alignment,
            goal_blank=self.blank_cell(alignment.screen.shape),
            is_lit=self.is_lit,
            tint=tint,
        )
        if len(self._assessed) >= TUNING.most_assessed:
            self._assessed.pop(next(iter(self._assessed)))
        self._assessed[key] = result
        return result

    def is_chance(self, one: Assessment, size: int, inset: float) -> bool:
        """Whether tiles match their homes hardly better than homes turned about.

        ``one`` was assessed with this ``size`` and ``inset``.
        """
        to, at = one.alignment.picture, one.alignment.screen
        return (
            gain_over_chance(
                self._cells.tiles(at, size, inset).tiles,
                self._homes.tiles(to, size, inset).tiles,
                one,
            )
            < TUNING.least_gain
        )

    def settled_before(self, alignment: Alignment) -> Assessment | None:
        """What came of settling an alignment that was the same but for a trifle."""
        mine = _numbers(alignment)
        for start, result in self._settled.get(alignment.screen.shape, ()):
            if np.abs(start - mine).max() < TUNING.same_start:
                return result
        return None

    def note_settled(self, alignment: Alignment, result: Assessment) -> None:
        """Keep what came of settling an alignment."""
        starts = self._settled.setdefault(alignment.screen.shape, [])
        starts.append((_numbers(alignment), result))

    def rough_score(self, alignment: Alignment, size: int, inset: float) -> float:
        """``rough_score`` with what this scene knows."""
        shape = alignment.screen.shape
        return rough_score(
            self._cells.tiles(alignment.screen, size, inset),
            self._homes.tiles(alignment.picture, size, inset),
            shape,
            goal_blank=self.blank_cell(shape),
        )


def _numbers(alignment: Alignment) -> FloatArray:
    """The sides of both lattices and of their first tiles, in tiles of each."""
    found = []
    for one in (alignment.screen, alignment.picture):
        x, y = one.tile_width, one.tile_height
        found += [one.left / x, (one.left + one.width) / x, one.pitch_x / x]
        found += [one.top / y, (one.top + one.height) / y, one.pitch_y / y]
    return np.array(found)
