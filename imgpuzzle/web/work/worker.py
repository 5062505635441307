"""What a worker of the page does with a request, and what it says of errors.

The loop around it is that of ``imgpuzzle.files.worker``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import imgpuzzle
from imgpuzzle.core.reading import GridAmbiguousError
from imgpuzzle.errors import LimitReachedError, PuzzleError
from imgpuzzle.files.temporary import is_full
from imgpuzzle.messages import Message, ServerFault
from imgpuzzle.web.settings import DISK_IS_FULL
from imgpuzzle.web.work.tasks import TASKS
from imgpuzzle.web.work.tasks import prepare as prepare

Packet = dict[str, Any]


def carried_out(request: Packet, report: Callable[[Packet], None]) -> Packet:
    """Carry a request out; returns what to report of its end."""
    try:
        return {"done": TASKS[request["task"]](request, report)}
    except Exception as error:
        is_exhausted = isinstance(error, MemoryError)
        if isinstance(error, PuzzleError):
            is_exhausted = isinstance(error.__context__, MemoryError)
        elif "nsufficient memory" in str(error):  # OpenCV's
            is_exhausted = True
        if is_exhausted:
            return {"failed": _exhausted(), "spent": True}
        if _is_from_full_disk(error):
            return {"failed": _failed("StorageFullError", DISK_IS_FULL)}
        if isinstance(error, PuzzleError):
            return {"failed": _failure(error)}
        # An error of this program: the worker's state is not trusted any more.
        words = f"{type(error).__name__}: {error}"
        return {"failed": _failed("InternalError", words), "spent": True}


def _failed(kind: str, message: object, **details: Any) -> Packet:
    return {"kind": kind, "message": str(message), "details": details}


def _failure(error: PuzzleError) -> Packet:
    details: Packet = {}
    if error.message is not None:
        details["message_code"] = error.message.to_dict()
    if isinstance(error, GridAmbiguousError):
        details["candidates"] = [str(shape) for shape in error.candidates]
        if error.regions:
            details["regions"] = [region.to_dict() for region in error.regions]
    if isinstance(error, LimitReachedError):
        details["lower_bound"] = error.lower_bound
    names = (one.__name__ for one in type(error).__mro__)
    kind = next(name for name in names if name in imgpuzzle.__all__)
    return _failed(kind, error, **details)


def _exhausted() -> Packet:
    message = Message(ServerFault.MEMORY_FULL)
    return _failed("InvalidImageError", message, message_code=message.to_dict())


def _is_from_full_disk(error: BaseException | None) -> bool:
    """Whether what went wrong, or what led to it, is a disk without room."""
    while error is not None:
        if is_full(error):
            return True
        error = error.__cause__ or error.__context__
    return False
