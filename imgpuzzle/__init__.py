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

    from imgpuzzle.core import goals as goals
    from imgpuzzle.core import scramble as scramble
    from imgpuzzle.core.board import Board as Board
    from imgpuzzle.core.board import FullBoard as FullBoard
    from imgpuzzle.core.board import Shape as Shape
    from imgpuzzle.core.options import Control as Control
    from imgpuzzle.core.options import ReadOptions as ReadOptions
    from imgpuzzle.core.options import SaveOptions as SaveOptions
    from imgpuzzle.core.options import SearchOptions as SearchOptions
    from imgpuzzle.core.reading import BoardNotFoundError as BoardNotFoundError
    from imgpuzzle.core.reading import GridAmbiguousError as GridAmbiguousError
    from imgpuzzle.core.reading import Reading as Reading
    from imgpuzzle.core.reading import Region as Region
    from imgpuzzle.core.reading import UncertainReadingError as UncertainReadingError
    from imgpuzzle.core.solution import Direction as Direction
    from imgpuzzle.core.solution import Limits as Limits
    from imgpuzzle.core.solution import Solution as Solution
    from imgpuzzle.core.solution import Step as Step
    from imgpuzzle.core.solvability import is_solvable as is_solvable
    from imgpuzzle.core.solvability import why_unsolvable as why_unsolvable
    from imgpuzzle.errors import InvalidBoardError as InvalidBoardError
    from imgpuzzle.errors import InvalidImageError as InvalidImageError
    from imgpuzzle.errors import LimitReachedError as LimitReachedError
    from imgpuzzle.errors import MissingDependencyError as MissingDependencyError
    from imgpuzzle.errors import NoEffectError as NoEffectError
    from imgpuzzle.errors import OutputError as OutputError
    from imgpuzzle.errors import PuzzleError as PuzzleError
    from imgpuzzle.errors import SourceLostError as SourceLostError
    from imgpuzzle.errors import TakenOverError as TakenOverError
    from imgpuzzle.errors import UnsolvableError as UnsolvableError
    from imgpuzzle.errors import UsageError as UsageError
    from imgpuzzle.files.image import load_image as load_image
    from imgpuzzle.files.image import save_image as save_image
    from imgpuzzle.guide import Guide as Guide
    from imgpuzzle.guide import Hint as Hint
    from imgpuzzle.live.later import read_later as read_later
    from imgpuzzle.pipeline import hint as hint
    from imgpuzzle.pipeline import read_image as read_image
    from imgpuzzle.pipeline import solve_board as solve_board
    from imgpuzzle.pipeline import solve_image as solve_image
    from imgpuzzle.pipeline import solve_reading as solve_reading
    from imgpuzzle.render.drawing.style import Style as Style
    from imgpuzzle.render.drawing.tiles import TileSet as TileSet
    from imgpuzzle.render.drawing.tiles import render_position as render_position
    from imgpuzzle.render.files.frames import Frame as Frame
    from imgpuzzle.render.files.frames import render_animation as render_animation
    from imgpuzzle.render.files.frames import render_steps as render_steps
    from imgpuzzle.render.sheets.pages import render_pages as render_pages
    from imgpuzzle.solver.counting import ShortestCount as ShortestCount
    from imgpuzzle.solver.counting import count_shortest as count_shortest
    from imgpuzzle.solver.counting import distance as distance
    from imgpuzzle.solver.counting import shortest_solutions as shortest_solutions
    from imgpuzzle.solver.many import solve_many as solve_many
    from imgpuzzle.solver.reachable import reachable_goals as reachable_goals
    from imgpuzzle.solver.search import solve as solve
    from imgpuzzle.vision.annotate import annotate as annotate

__version__ = "1.0.0"

INTERRUPTED = 130
"""The exit status after Ctrl-C. Here, where nothing is loaded that takes time."""


def help_text() -> str:
    """The general help of the command line, in ASCII: told at once, from a file."""
    from os.path import dirname, join

    with open(join(dirname(__file__), "data", "help.txt"), encoding="ascii") as file:
        return file.read()


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
}
_SUBMODULES = ("goals", "scramble")
_MODULE_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(("__version__", *_SUBMODULES, *_MODULE_OF))


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
    return __all__
