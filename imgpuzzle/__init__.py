"""From a screenshot of a sliding picture puzzle to the shortest solution.

>>> import imgpuzzle
>>> guide = imgpuzzle.solve_board("1 2 3 / 4 0 5 / 7 8 6")
>>> guide.solution.letters
'LU'
"""

from __future__ import annotations

TYPE_CHECKING = False
"""For type checkers, which take it for true; ``typing`` would be a third of the time
that ``--version`` takes."""

if TYPE_CHECKING:
    from typing import Any

    from imgpuzzle.core import goals, scramble
    from imgpuzzle.core.board import Board, FullBoard, Shape
    from imgpuzzle.core.options import Control, ReadOptions, SaveOptions, SearchOptions
    from imgpuzzle.core.reading import (
        BoardNotFoundError,
        GridAmbiguousError,
        Reading,
        Region,
        UncertainReadingError,
    )
    from imgpuzzle.core.solution import Direction, Limits, Solution, Step
    from imgpuzzle.core.solvability import is_solvable, why_unsolvable
    from imgpuzzle.errors import (
        InvalidBoardError,
        InvalidImageError,
        LimitReachedError,
        MissingDependencyError,
        NoEffectError,
        OutputError,
        PuzzleError,
        SourceLostError,
        TakenOverError,
        UnsolvableError,
        UsageError,
    )
    from imgpuzzle.files.image import load_image, save_image
    from imgpuzzle.guide import Guide, Hint
    from imgpuzzle.live.later import read_later
    from imgpuzzle.pipeline import (
        hint,
        read_image,
        solve_board,
        solve_image,
        solve_reading,
    )
    from imgpuzzle.render.drawing.style import Style
    from imgpuzzle.render.drawing.tiles import TileSet, render_position
    from imgpuzzle.render.files.frames import Frame, render_animation, render_steps
    from imgpuzzle.render.sheets.pages import render_pages
    from imgpuzzle.solver.counting import (
        ShortestCount,
        count_shortest,
        distance,
        shortest_solutions,
    )
    from imgpuzzle.solver.many import solve_many
    from imgpuzzle.solver.reachable import reachable_goals
    from imgpuzzle.solver.search import solve
    from imgpuzzle.vision.annotate import annotate
    from imgpuzzle.vision.read import read_puzzle

__version__ = "1.0.0"

INTERRUPTED = 130
"""The exit status after Ctrl-C. Here, where nothing is loaded that takes time."""


def help_text() -> str:
    """The general help of the command line, in ASCII: told at once, from a file."""
    from os.path import dirname, join

    with open(join(dirname(__file__), "data", "help.txt"), encoding="ascii") as file:
        return file.read()


__all__ = [
    "Board",
    "BoardNotFoundError",
    "Control",
    "Direction",
    "Frame",
    "FullBoard",
    "GridAmbiguousError",
    "Guide",
    "Hint",
    "InvalidBoardError",
    "InvalidImageError",
    "LimitReachedError",
    "Limits",
    "MissingDependencyError",
    "NoEffectError",
    "OutputError",
    "PuzzleError",
    "ReadOptions",
    "Reading",
    "Region",
    "SaveOptions",
    "SearchOptions",
    "Shape",
    "ShortestCount",
    "Solution",
    "SourceLostError",
    "Step",
    "Style",
    "TakenOverError",
    "TileSet",
    "UncertainReadingError",
    "UnsolvableError",
    "UsageError",
    "__version__",
    "annotate",
    "count_shortest",
    "distance",
    "goals",
    "hint",
    "is_solvable",
    "load_image",
    "reachable_goals",
    "read_image",
    "read_later",
    "read_puzzle",
    "render_animation",
    "render_pages",
    "render_position",
    "render_steps",
    "save_image",
    "scramble",
    "shortest_solutions",
    "solve",
    "solve_board",
    "solve_image",
    "solve_many",
    "solve_reading",
    "why_unsolvable",
]

# Where each public name lives: it is imported when it is first asked for, so
# that `import imgpuzzle` costs nothing.
_HOMES = {
    "core.board": "Board FullBoard Shape",
    "errors": (
        "InvalidBoardError InvalidImageError LimitReachedError MissingDependencyError "
        "NoEffectError OutputError PuzzleError SourceLostError TakenOverError "
        "UnsolvableError UsageError"
    ),
    "guide": "Guide Hint",
    "files.image": "load_image save_image",
    "core.options": "Control ReadOptions SaveOptions SearchOptions",
    "pipeline": "hint read_image solve_board solve_image solve_reading",
    "live.later": "read_later",
    "core.reading": (
        "BoardNotFoundError GridAmbiguousError Reading Region UncertainReadingError"
    ),
    "render.files.frames": "Frame render_animation render_steps",
    "render.sheets.pages": "render_pages",
    "render.drawing.style": "Style",
    "render.drawing.tiles": "TileSet render_position",
    "core.solution": "Direction Limits Solution Step",
    "core.solvability": "is_solvable why_unsolvable",
    "solver.counting": "ShortestCount count_shortest distance shortest_solutions",
    "solver.many": "solve_many",
    "solver.reachable": "reachable_goals",
    "solver.search": "solve",
    "vision.annotate": "annotate",
    "vision.read": "read_puzzle",
}
_SUBMODULES = ("goals", "scramble")
_MODULE_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    import importlib

    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.core.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
