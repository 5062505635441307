"""``ApiError``: an answer that says why not, with the status that fits it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import imgpuzzle
from imgpuzzle.core.reading import GridAmbiguousError
from imgpuzzle.errors import LimitReachedError, PuzzleError, UsageError, one_line
from imgpuzzle.files.temporary import is_full
from imgpuzzle.messages import Message

DISK_IS_FULL = (
    "expected room on the disk for the server's temporary files, found none left; try "
    "again when some was made"
)

MOST_LETTERS = 600
"""Of a message: it is to be read on a page, whatever a visitor sent."""

_STATUS = {
    **dict.fromkeys(("UsageError", "OutputError", "MissingDependencyError"), 400),
    "InternalError": 500,
    "StorageFullError": 507,
}
"""HTTP's status for classes of errors; that of all others is 422."""

_KINDS = {
    403: "ForbiddenError",
    404: "NotFoundError",
    405: "MethodError",
    409: "StateError",
    429: "QueueFullError",
    503: "BusyError",
}
"""What HTTP's statuses are called; all others are wrong usage."""


class ApiError(Exception):
    """An answer that says why not.

    ``status`` is HTTP's, ``kind`` names the class of an error of ours or, by
    default, what HTTP calls it, ``details`` are further fields of the error object.
    """

    def __init__(
        self,
        status: int,
        message: str | Message,
        *,
        kind: str | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind or _KINDS.get(status, UsageError.__name__)
        self.details = dict(details or {})
        if isinstance(message, Message):
            self.details["message_code"] = message.to_dict()

    def to_dict(self) -> dict[str, Any]:
        """The error object: one line, the command line's exit status, the kind."""
        message = one_line(self)
        if len(message) > MOST_LETTERS:
            message = message[: MOST_LETTERS - 4] + " ..."
        code = getattr(imgpuzzle, self.kind, UsageError).exit_code
        return {"message": message, "code": code, "kind": self.kind, **self.details}

    def packed(self) -> dict[str, Any]:
        """What makes the same answer of it in another process: ``ApiError(**this)``."""
        known = {"status": self.status, "message": str(self)}
        return {**known, "kind": self.kind, "details": self.details}


def queue_full(what: str) -> ApiError:
    """That there are too many of something already."""
    return ApiError(
        429,
        f"expected fewer {what} at a time, the queue is full; try again in a moment",
    )


def forgotten(what: str) -> ApiError:
    """That an id leads nowhere."""
    words = "found one that is unknown or was forgotten"
    return ApiError(404, f"expected the id of a {what}, {words}")


def task_error(
    kind: str, message: str | Message, details: Mapping[str, Any] | None = None
) -> ApiError:
    """What a task ended with, by the class of an error, as an answer."""
    return ApiError(_STATUS.get(kind, 422), message, kind=kind, details=details)


def puzzle_error(error: PuzzleError) -> ApiError:
    """An error of the library, as an answer."""
    details: dict[str, Any] = {}
    if isinstance(error, GridAmbiguousError):
        details["candidates"] = [str(shape) for shape in error.candidates]
        if error.regions:
            details["regions"] = [region.to_dict() for region in error.regions]
    if isinstance(error, LimitReachedError):
        details["lower_bound"] = error.lower_bound
    names = (one.__name__ for one in type(error).__mro__)
    kind = next(name for name in names if name in imgpuzzle.__all__)
    return task_error(kind, error.message or str(error), details)


def system_error(error: BaseException) -> ApiError:
    """What the system did not let us do, as an answer without any path in it."""
    if is_full(error):
        return task_error("StorageFullError", DISK_IS_FULL)
    why = getattr(error, "strerror", None) or type(error).__name__
    message = f"the server failed: {why}"
    return ApiError(500, message, kind="InternalError")
