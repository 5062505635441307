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

Those that carry what was read stand beside it, in ``imgpuzzle.core.reading``: no board,
several, and one in doubt. All of them are names of ``imgpuzzle`` itself.

Messages are lower case: what was expected, what was found, and the option
that helps. Where players meet them they are values of ``imgpuzzle.messages``, and
``str(error)`` is the English sentence. Each class carries the exit status that the
command line ends with.
"""

from __future__ import annotations

import copyreg
import importlib
from typing import Any, Self

from imgpuzzle.messages import Kind, Message, Plain

__all__ = [
    "InvalidBoardError",
    "InvalidImageError",
    "LimitReachedError",
    "MissingDependencyError",
    "NoEffectError",
    "OutputError",
    "PuzzleError",
    "SourceLostError",
    "TakenOverError",
    "UnsolvableError",
    "UsageError",
]


class PuzzleError(Exception):
    """The root of the tree: ``except PuzzleError`` catches all of it."""

    exit_code = 1

    @classmethod
    def said(cls, what: Kind | str, /, **values: Any) -> Self:
        """An error of a kind: ``said(PictureFault.NO_FILE, name=...)``.

        What is said in one place needs none: ``said("found no {name!r}", name=...)``.
        The catalogues have such a sentence as they have those of kinds.

        Args:
            what: The kind, or the English sentence, with {fields}.
            values: What stands in the fields.

        Returns:
            The error; its ``message`` can be put into other languages.
        """
        kind = Plain(what) if isinstance(what, str) else what
        return cls(Message(kind, **values))

    @property
    def message(self) -> Message | None:
        """What is said, as a value; ``None`` where there is a sentence only."""
        first = self.args[0] if self.args else None
        return first if isinstance(first, Message) else None

    def __reduce__(self) -> Any:
        # As it is, with what it carries: workers send errors to whoever asked them.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class UsageError(PuzzleError, ValueError):
    """Options or arguments that do not fit together."""

    exit_code = 2


class InvalidBoardError(PuzzleError, ValueError):
    """Numbers or text that do not describe a sliding board."""

    exit_code = 2


class InvalidImageError(PuzzleError, ValueError):
    """A picture that is missing, damaged, of no known format or unsuitable."""

    exit_code = 3


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


def one_line(said: object) -> str:
    """What a text or an error says, in one line."""
    return " ".join(str(said).split())


def part(module: str, called: str, extra: str) -> Any:
    """A module of a library that is there only with one of this package's extras.

    Raises ``MissingDependencyError`` without it; ``called`` is the library's name.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        from imgpuzzle.messages import LiveFault

        raise MissingDependencyError.said(
            LiveFault.NO_PART, part=called, extra=extra
        ) from None
