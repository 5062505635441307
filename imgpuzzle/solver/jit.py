"""The decorator of all compiled kernels; importing this imports numba.

Machine code is kept in the user's cache, because compiling takes seconds. Where
no folder can be written numba refuses to keep any, so then none is asked for.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

from imgpuzzle.solver.store import kernels_directory

__all__ = ["guarded", "kernel"]

_Result = TypeVar("_Result")
_Function = TypeVar("_Function", bound=Callable[..., Any])


def _has_cache() -> bool:
    """Point numba to a folder for machine code, unless the user has done so."""
    config: Any = numba.config
    if config.CACHE_DIR:
        return os.access(config.CACHE_DIR, os.W_OK)
    folder = kernels_directory()
    if folder is not None:
        config.CACHE_DIR = str(folder)
    return folder is not None


_is_cached = _has_cache()


def kernel(function: _Function) -> _Function:
    """Compile a function at its first call; it runs without the interpreter's lock."""
    compiled = numba.njit(cache=_is_cached, nogil=True)(function)
    _kernels.append(compiled)
    return cast(_Function, compiled)


_kernels: list[Any] = []


def guarded(work: Callable[[], _Result]) -> _Result:
    """What ``work`` returns, though the kept machine code be damaged.

    numba raises whatever error it meets while it reads or writes its files. Then
    the work is done once more, with code that is compiled afresh and not kept.
    """
    try:
        return work()
    except (EOFError, OSError, pickle.PickleError, ValueError, KeyError):
        from numba.core.caching import NullCache

        for compiled in _kernels:
            if hasattr(compiled, "_cache"):
                compiled._cache = NullCache()
        return work()
