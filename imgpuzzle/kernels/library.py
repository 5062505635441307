"""Loads the compiled kernels and calls them; arrays are checked, NumPy's or others.

NumPy itself is not needed: a cold start does without it as far as boards of 16 cells.
The library is made when the package is built and lies in this folder; nowhere else is
it looked for. Each call runs without the interpreter's lock, and no signal is noticed
before it returns: callers ask for less than a tenth of a second of work at a time.
"""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import os
import re
from collections.abc import Callable
from typing import Any, TypeAlias

from imgpuzzle.errors import MissingDependencyError
from imgpuzzle.kernels import sources

INT = ctypes.c_int64


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

_SIGNED, _UNSIGNED = "bhilq", "BHILQ"
_KINDS = {
    **{f"int{8 * size}": (_SIGNED, size) for size in (1, 2, 4, 8)},
    **{f"uint{8 * size}": (_UNSIGNED, size) for size in (1, 2, 4, 8)},
    "bool": ("?", 1),
    "float32": ("f", 4),
    "float64": ("d", 8),
}
"""By NumPy's names of types the letters of the buffer protocol that they may have,
which differ between systems, and their bytes."""


class Array:
    """A parameter: C-contiguous arrays of a type, in NumPy's words, of any shape."""

    def __init__(self, name: str) -> None:
        self._name, (self._letters, self._bytes) = name, _KINDS[name]

    def from_param(self, array: Any) -> Any:
        """The address of the array's memory."""
        view = self._check(array)
        if not view.readonly and view.nbytes:  # the quick way
            return ctypes.byref(ctypes.c_char.from_buffer(array))
        return ctypes.c_void_p(address_of(array))

    def _check(self, array: Any) -> memoryview:
        """The array's memory, if it is of the right kind; otherwise an error."""
        view = memoryview(array)
        if (
            view.itemsize != self._bytes
            or view.format not in self._letters
            or not view.c_contiguous
        ):
            raise TypeError(
                f"expected a C-contiguous array of {self._name}, found one of "
                f"{view.format!r} with strides {view.strides}"
            )
        return view

    def address(self, array: Any) -> int:
        """The same as a number, for as long as the array is there."""
        self._check(array)
        return address_of(array)


def address_of(array: Any) -> int:
    """Where the memory of an array is; only NumPy's may be for reading alone."""
    if hasattr(array, "ctypes"):
        return int(array.ctypes.data)
    if not memoryview(array).nbytes:
        return 0
    return ctypes.addressof(ctypes.c_char.from_buffer(array))


FLAGS = Array("bool")


class Structure:
    """A parameter: numbers and arrays that are laid out for C once, for many calls.

    Its kinds are dataclasses with the fields of the C structure, in that order; others
    may follow. The annotation of an array names the type of its numbers. Fields that
    are not given at first are told to ``_lay_out``.
    """

    __slots__ = ("_in_c",)

    def _lay_out(self, **more: int) -> None:
        for name, value in more.items():
            object.__setattr__(self, name, value)
        own: Any = type(self)
        kind, arrays = _laid_out(own)
        made = kind()
        # As long as the structure is there, the arrays have to be.
        made.arrays = [getattr(self, name) for name, array in arrays.items() if array]
        for name, array in arrays.items():
            value = getattr(self, name)
            setattr(made, name, array.address(value) if array else int(value))
        object.__setattr__(self, "_in_c", made)

    @staticmethod
    def from_param(holder: Any) -> Any:
        """The address of what an object was laid out as."""
        return ctypes.byref(holder._in_c)


@functools.cache
def _laid_out(holder: Any) -> tuple[Any, dict[str, Array | None]]:
    """The C structure of a kind, and the arrays among its fields."""
    arrays = {}
    for one in dataclasses.fields(holder):
        named = re.search(r"u?int\d+", str(one.type))
        arrays[one.name] = Array(named[0]) if named else None
    fields = [(name, ctypes.c_void_p if arrays[name] else INT) for name in arrays]
    return type("Structure", (ctypes.Structure,), {"_fields_": fields}), arrays


Parameter: TypeAlias = "Array | type[Any]"


def _is_checked(one: Parameter) -> bool:
    return isinstance(one, Array) or issubclass(one, Structure)


def declare(
    name: str, *parameters: Parameter, result: type[Any] | None = INT
) -> Callable[..., int]:
    """A function of the library with the types of its parameters."""
    function = getattr(LOADED, name)
    function.restype = result
    function.argtypes = [
        ctypes.c_void_p if _is_checked(one) else one for one in parameters
    ]
    converters = [one.from_param if _is_checked(one) else None for one in parameters]

    def call(*given: Any) -> int:
        # Here and not by ctypes, which makes an error of its own of whatever is raised
        # meanwhile: of Ctrl-C, too.
        return function(  # type: ignore[no-any-return]
            *(
                one if convert is None else convert(one)
                for one, convert in zip(given, converters, strict=True)
            )
        )

    return call
