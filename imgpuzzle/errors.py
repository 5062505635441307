"""Every error the package raises on purpose.

    PuzzleError
      UsageError (ValueError)            options that do not fit together
      InvalidBoardError (ValueError)     numbers that are no sliding board
      InvalidImageError (ValueError)     a picture that cannot be read or used
      UnsolvableError                    the goal cannot be reached; .reason
      LimitReachedError                  .lower_bound, .nodes
      BoardNotFoundError                 no board in the screenshot
      GridAmbiguousError                 .candidates, .regions
      UncertainReadingError              .reading, with the cells in question
      SourceLostError                    the game that was looked at is gone
      NoEffectError                      the game does not do what it is told
      TakenOverError                     somebody else uses the mouse or the keys
      OutputError (OSError)              a file or folder that cannot be written
      MissingDependencyError (ImportError)  a part that is not installed

Messages are lower case: what was expected, what was found, and the option
that helps. Where players meet them they are values of ``imgpuzzle.messages``, and
``str(error)`` is the English sentence. Each class carries the exit status that the
command line ends with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from imgpuzzle.messages import Message

if TYPE_CHECKING:
    from imgpuzzle.core.board import Shape
    from imgpuzzle.core.reading import Reading, Region

__all__ = [
    "BoardNotFoundError",
    "GridAmbiguousError",
    "InvalidBoardError",
    "InvalidImageError",
    "LimitReachedError",
    "MissingDependencyError",
    "NoEffectError",
    "OutputError",
    "PuzzleError",
    "SourceLostError",
    "TakenOverError",
    "UncertainReadingError",
    "UnsolvableError",
    "UsageError",
]


class PuzzleError(Exception):
    """The root of the tree: ``except PuzzleError`` catches all of it."""

    exit_code = 1

    @property
    def message(self) -> Message | None:
        """What is said, as a value; ``None`` where there is a sentence only."""
        first = self.args[0] if self.args else None
        return first if isinstance(first, Message) else None

    def _with_other(self, values: Mapping[Region, Region]) -> Message | str:
        """What is said, with other values in place of some."""
        return str(self) if self.message is None else self.message.replaced(values)


class UsageError(PuzzleError, ValueError):
    """Options or arguments that do not fit together."""

    exit_code = 2


class InvalidBoardError(PuzzleError, ValueError):
    """Numbers or text that do not describe a sliding board."""

    exit_code = 2


class InvalidImageError(PuzzleError, ValueError):
    """A picture that is missing, damaged, of no known format or unsuitable."""

    exit_code = 3


class BoardNotFoundError(PuzzleError):
    """The screenshot shows no board that fits the reference and the options.

    Attributes:
        complete: Where the whole picture of the reference stands instead, if it does.
    """

    exit_code = 4

    def __init__(self, message: str | Message, complete: Region | None = None) -> None:
        super().__init__(message)
        self.complete = complete

    def at(self, moved: Callable[[Region], Region]) -> BoardNotFoundError:
        """The same error where places are counted in another way.

        Args:
            moved: From a place here to the same place there.
        """
        if self.complete is None:
            return self
        place = moved(self.complete)
        return BoardNotFoundError(self._with_other({self.complete: place}), place)


class GridAmbiguousError(PuzzleError):
    """More than one grid, or board, explains the screenshot equally well.

    Attributes:
        candidates: The shapes in question, the likeliest first.
        regions: Where they lie in the screenshot, if that is in several places.
    """

    exit_code = 4

    def __init__(
        self,
        message: str | Message,
        candidates: tuple[Shape, ...] = (),
        regions: tuple[Region, ...] = (),
    ) -> None:
        super().__init__(message)
        self.candidates = candidates
        self.regions = regions

    def at(self, moved: Callable[[Region], Region]) -> GridAmbiguousError:
        """The same error where places are counted in another way.

        Args:
            moved: From a place here to the same place there.
        """
        places = {region: moved(region) for region in self.regions}
        message = self._with_other(places)
        return GridAmbiguousError(message, self.candidates, tuple(places.values()))


class UncertainReadingError(PuzzleError):
    """A board was read, but some of its cells are doubtful.

    Attributes:
        reading: The likeliest reading; its ``doubtful`` names the cells.
    """

    exit_code = 5

    def __init__(self, message: str | Message, reading: Reading) -> None:
        super().__init__(message)
        self.reading = reading


class UnsolvableError(PuzzleError):
    """The goal cannot be reached from the start, proven.

    Attributes:
        reason: Why not.
    """

    exit_code = 6

    def __init__(self, reason: str | Message) -> None:
        super().__init__(reason)
        self.reason = reason


class LimitReachedError(PuzzleError):
    """A limit of time, nodes, memory or moves ended the search without a solution.

    Attributes:
        lower_bound: A proven minimum for the length of every solution.
        nodes: How many positions were generated until then.
    """

    exit_code = 7

    def __init__(self, message: str | Message, *, lower_bound: int, nodes: int) -> None:
        super().__init__(message)
        self.lower_bound = lower_bound
        self.nodes = nodes


class SourceLostError(PuzzleError):
    """The window, screen or phone that was looked at is gone, or its board is."""

    exit_code = 8


class NoEffectError(PuzzleError):
    """The running game does not do what its player's moves should do."""

    exit_code = 9


class TakenOverError(PuzzleError):
    """The user moved the mouse or pressed a key: the game is theirs again."""

    # As after Ctrl-C.
    exit_code = 130


class OutputError(PuzzleError, OSError):
    """A file or folder that cannot be written."""

    exit_code = 2


class MissingDependencyError(PuzzleError, ImportError):
    """A part that is not installed: the extra of a format, or the compiled library.

    The message says which, and what helps.
    """

    exit_code = 2
