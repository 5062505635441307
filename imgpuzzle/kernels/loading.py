"""Finds the shared library of compiled kernels and loads it with ctypes.

It is made when the package is built and lies in this folder; nowhere else is it
looked for. Each call runs without the interpreter's lock, and no signal is noticed
before it returns: callers ask for less than a tenth of a second of work at a time.
"""

from __future__ import annotations

import ctypes
import os

from imgpuzzle.errors import MissingDependencyError
from imgpuzzle.kernels import sources


def load() -> ctypes.CDLL:
    """The library, from this package's folder and nowhere else.

    Raises ``MissingDependencyError`` when it is missing, cannot be loaded, or was
    made from other sources than those beside it.
    """
    path = os.path.join(sources.FOLDER, sources.LIBRARY)
    if (found := sources.why_broken(path)) is not None:
        raise _broken(path, found)
    try:
        library = ctypes.CDLL(path)
        made_from = ctypes.string_at(ctypes.addressof(_char_in(library, "digest")))
    except (OSError, ValueError) as error:
        why = str(error).replace(path, "it")
        raise _broken(path, f"one that cannot be loaded here ({why})") from None
    if sources.units() and made_from.decode("ascii", "replace") != sources.digest():
        raise _broken(path, "one made from other sources")
    return library


def _broken(path: str, found: str) -> MissingDependencyError:
    return MissingDependencyError.said(
        "expected the solver's compiled library in {path!r}, found {found}; install "
        "imgpuzzle again (in a checkout: pip install -e .)",
        path=path,
        found=found,
    )


def _char_in(library: ctypes.CDLL, name: str) -> ctypes.c_char:
    return ctypes.c_char.in_dll(library, name)


LOADED = load()
"""The library, once a process."""
