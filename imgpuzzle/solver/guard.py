"""A second try without the kept machine code, should that be damaged."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from typing import TypeVar

from imgpuzzle.errors import PuzzleError

__all__ = ["guarded"]

_Result = TypeVar("_Result")


def guarded(work: Callable[[], _Result]) -> _Result:
    """What ``work`` returns, though numba's files be damaged, or the disk full.

    numba raises whatever error it meets while it reads or writes its files. Then
    the work is done once more, with code that is compiled again and not kept.
    """
    try:
        return work()
    except PuzzleError:
        raise
    except (EOFError, OSError, pickle.PickleError, ValueError, KeyError):
        jit = sys.modules.get("imgpuzzle.solver.jit")
        if jit is None or not jit.is_cached():
            raise
        jit.keep_nothing()
        return work()
