"""The suites of ``run``: which boards are solved how, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from benchmarks.solver.boards import (
    Puzzle,
    drawn,
    given,
    read_boards,
    scrambled,
    turned,
)
from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape


@dataclass(frozen=True, slots=True)
class Row:
    """Boards that are solved in one way, in one process: a row of a table.

    ``quick`` and ``full`` say how many boards a run has, 0 for none. ``seconds``
    limits each board, in a quick run ``quick_seconds`` if that is given; ``how``
    is handed to ``solve``. ``is_exact`` says that anything but a proven shortest
    solution is a failure, ``is_warm`` that tables are set up before the clock runs.
    """

    name: str
    boards: Callable[[int], list[Puzzle]]
    quick: int
    full: int
    seconds: float | None = None
    quick_seconds: float | None = None
    how: dict[str, str | bool] = field(default_factory=dict)
    is_exact: bool = True
    is_warm: bool = True

    def count(self, quick: bool, sample: int | None) -> int:
        """How many boards a run has; a quick one may leave the row out."""
        number = self.quick if quick else self.full
        return sample if number and sample is not None else number

    def limit(self, quick: bool, seconds: float | None) -> float | None:
        """The seconds for each board; only rows with a limit can be given another."""
        if self.seconds is None or seconds is not None:
            return seconds if self.seconds is not None else None
        return self.quick_seconds if quick and self.quick_seconds else self.seconds


Case = tuple[str, str | None, int]
SAFE: Case = ("9 1 2 / 3 4 5 / 6 7 0", "1 9 4 / 6 3 5 / 2 7 0", 20)
HARDEST_3X3: Case = ("8 6 7 / 2 5 4 / 3 0 1", None, 31)
OTHER_3X3: Case = ("6 4 7 / 8 5 0 / 3 2 1", None, 31)
PAIRS: Case = (
    "5 1 4 8 / 2 6 8 3 / 4 7 5 2 / 3 6 7 0",
    "1 2 3 4 / 5 6 7 8 / 8 7 6 5 / 4 3 2 0",
    24,
)
# No board needs more slides than these (B. Norskog, 2010).
MOST_SLIDES: tuple[Case, ...] = (
    ("1 5 9 13 / 2 6 10 14 / 3 7 11 15 / 4 8 12 0", None, 43),
    ("0 12 8 4 / 15 11 7 3 / 14 10 6 2 / 13 9 5 1", None, 43),
)
THREE, FOUR, FIVE = (goals.row_major(Shape(side, side)) for side in (3, 4, 5))
EIGHT, TEN = (goals.row_major(Shape(side, side)) for side in (8, 10))
EIGHT_EQUAL = Board(FOUR.shape, (*range(1, 8), *[8] * 8, 0))
TWO_FIVES = Board(FOUR.shape, (*[1] * 5, 2, 3, 4, 5, 6, *[7] * 5, 0))
TWELVES = Board(FIVE.shape, (*[1] * 12, *[2] * 12, 0))
LAST_EQUAL = {
    number: Board(FIVE.shape, (*range(1, 25 - number), *[24] * number, 0))
    for number in (8, 4)
}
HOMES = {"in a corner": 15, "on an edge": 1, "in the middle": 5}
CORNERS = {
    "top right": (False, True),
    "bottom left": (True, False),
    "bottom right": (True, True),
}


def _case(name: str, case: Case) -> Row:
    """One board, with all that has to be set up for it."""
    return Row(name, partial(given, (case,)), 1, 1, is_warm=False)


def _timed(name: str, file: str, quick: int, seconds: float, **more: float) -> Row:
    return Row(
        name,
        partial(read_boards, file),
        quick,
        100,
        seconds=seconds,
        is_exact=False,
        **more,
    )


def _large(row: Row, full: int) -> Row:
    """The same with large tables, which take half a minute to build."""
    name = f"{row.name}, large tables"
    return replace(row, name=name, quick=0, full=full, how={"large_tables": True})


_HOMES = [
    Row(
        f"4x4, uniform, blank at home {place}",
        partial(drawn, goals.row_major(FOUR.shape, blank=cell)),
        10,
        100,
    )
    for place, cell in HOMES.items()
]
_KORF15 = Row("Korf's 4x4 boards", partial(read_boards, "korf15_100"), 20, 100)
_HARDEST = Row("4x4, 80 moves", partial(read_boards, "hardest15_80"), 1, 14)
_SLIDES = Row(
    "3x3, uniform, slides", partial(drawn, THREE), 20, 100, how={"metric": "slide"}
)

SUITES: dict[str, list[Row]] = {
    "plain": [
        _case("picture safe, 3x3, cold", SAFE),
        _case("hardest 3x3, cold", HARDEST_3X3),
        _case("another hardest 3x3, cold", OTHER_3X3),
        Row("3x3, uniform", partial(drawn, THREE), 500, 500),
        Row("3x4, uniform", partial(drawn, goals.row_major(Shape(3, 4))), 20, 50),
    ],
    "korf15": [
        _KORF15,
        *(
            Row(f"{_KORF15.name}, home {corner}", partial(turned, *turn), 0, 100)
            for corner, turn in CORNERS.items()
        ),
        _large(_KORF15, 100),
        # Easy ones: what a board costs beside its nodes.
        Row("4x4, 30 random moves", partial(scrambled, FOUR, 30, 30), 300, 1000),
    ],
    "random15": [*_HOMES, *(_large(row, 100) for row in _HOMES)],
    "hardest15": [
        _HARDEST,
        _large(_HARDEST, 14),
    ],
    "korf24": [
        _timed("Korf and Felner's 5x5 boards", "korf24_50", 5, 1),
        _timed("Korf and Felner's 5x5 boards", "korf24_50", 0, 10),
        _timed("Korf and Felner's 5x5 boards", "korf24_50", 0, 60),
    ],
    "deepcubea24": [_timed("DeepCubeA's 5x5 boards", "deepcubea24", 3, 5)],
    "deepcubea35": [
        _timed("DeepCubeA's 6x6 boards", "deepcubea35", 1, 20, quick_seconds=5)
    ],
    "deepcubea48": [
        _timed("DeepCubeA's 7x7 boards", "deepcubea48", 1, 20, quick_seconds=5)
    ],
    "scrambled24": [
        Row(
            "5x5, 40 to 60 random moves",
            partial(scrambled, FIVE, 40, 60),
            30,
            1000,
            seconds=10,
            is_exact=False,
        )
    ],
    "large": [
        Row(
            f"{goal.shape}, uniform",
            partial(drawn, goal),
            1,
            5,
            seconds=20,
            quick_seconds=5,
            is_exact=False,
        )
        for goal in (EIGHT, TEN)
    ],
    "identical": [
        _case("seven pairs, 4x4, cold", PAIRS),
        Row("4x4, eight equal tiles", partial(drawn, EIGHT_EQUAL), 5, 50),
        Row("4x4, two classes of five", partial(drawn, TWO_FIVES), 5, 50),
        *(
            Row(
                f"5x5, {name}",
                partial(drawn, goal),
                1,
                20,
                seconds=5,
                is_exact=False,
            )
            for name, goal in (
                ("two classes of twelve", TWELVES),
                *((f"{number} equal tiles", LAST_EQUAL[number]) for number in (8, 4)),
            )
        ),
    ],
    "slide": [
        _SLIDES,
        replace(
            _SLIDES, name="4x4, uniform, slides", boards=partial(drawn, FOUR), quick=5
        ),
        replace(
            _SLIDES,
            name="4x4, 43 slides",
            boards=partial(given, MOST_SLIDES),
            quick=0,
            full=2,
        ),
        # The same boards, so that slides can be compared.
        *(
            Row(
                f"5x5, uniform, {metric} moves",
                partial(drawn, FIVE),
                2,
                20,
                seconds=5,
                how={"metric": metric},
                is_exact=False,
            )
            for metric in ("single", "slide")
        ),
    ],
}
