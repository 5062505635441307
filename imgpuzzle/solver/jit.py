"""The decorator of all compiled kernels; importing this imports numba.

Machine code is kept in the user's cache, because compiling takes seconds. Where
no folder can be written numba refuses to keep any, so then none is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from imgpuzzle.solver.store import kernels_directory

__all__ = ["is_cached", "is_kept", "keep_nothing", "kernel"]

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


def is_cached() -> bool:
    """Whether kernels are read from files, and written."""
    return _is_cached


def is_kept(compiled: Any) -> bool:
    """Whether machine code of a kernel lies in the cache, fit for use or not."""
    function = getattr(compiled, "py_func", None)
    if function is None or not _is_cached:
        return function is None  # without the compiler there is nothing to compile
    name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}-*.nbi"
    return any(Path(compiled.stats.cache_path).glob(name))


def keep_nothing() -> None:
    """Compile what is called from now on, and leave the files alone."""
    global _is_cached
    from numba.core.caching import NullCache

    _is_cached = False
    for compiled in _kernels:
        if hasattr(compiled, "_cache"):
            compiled._cache = NullCache()
