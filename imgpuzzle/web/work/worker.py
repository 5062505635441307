"""What a worker of the page does with a request, and what it says of errors.

The loop around it is that of ``imgpuzzle.files.worker``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.temporary import is_full
from imgpuzzle.messages import Message, ServerFault
from imgpuzzle.web.errors import ApiError, puzzle_error, system_error, task_error
from imgpuzzle.web.work.tasks import TASKS
from imgpuzzle.web.work.tasks import prepare as prepare

Packet = dict[str, Any]


def carried_out(request: Packet, report: Callable[[Packet], None]) -> Packet:
    """Carry a request out; returns what to report of its end."""
    try:
        return {"done": TASKS[request["task"]](request, report)}
    except Exception as error:
        failure, is_spent = _failure(error)
        return {"failed": failure.packed(), "spent": is_spent}


def _failure(error: Exception) -> tuple[ApiError, bool]:
    """The answer, and whether the worker's state is not trusted any more."""
    is_own = isinstance(error, PuzzleError)
    cause = error.__context__ if is_own else error
    # OpenCV has an error of its own for it.
    if isinstance(cause, MemoryError) or "nsufficient memory" in str(cause):
        full = Message(ServerFault.MEMORY_FULL)
        return task_error("InvalidImageError", full), True
    led: BaseException | None = error
    while led is not None:
        if is_full(led):
            return system_error(led), False
        led = led.__cause__ or led.__context__
    if isinstance(error, PuzzleError):
        return puzzle_error(error), False
    return task_error("InternalError", f"{type(error).__name__}: {error}"), True
