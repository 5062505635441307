"""Loads the compiled kernels and calls them; arrays are checked, NumPy's or others.

NumPy itself is not needed: a cold start does without it as far as boards of 16 cells.
The library is made when the package is built and lies in this folder; nowhere else is
it looked for. Each call runs without the interpreter's lock, and no signal is noticed
before it returns: callers ask for less than a tenth of a second of work at a time.
"""

from __future__ import annotations

import ctypes
import dataclasses
import os
from collections.abc import Callable, Mapping
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

    ``fields`` in the order of the C structure. Python objects that are passed for it
    hold what ``lay_out`` makes of them as ``in_c``.
    """

    def __init__(self, fields: Mapping[str, Array | type[INT]]) -> None:
        self._arrays = {
            name: kind for name, kind in fields.items() if isinstance(kind, Array)
        }
        self._type: Any = type(
            "Structure",
            (ctypes.Structure,),
            {
                "_fields_": [
                    (name, ctypes.c_void_p if name in self._arrays else INT)
                    for name in fields
                ]
            },
        )

    def lay_out(self, holder: Any, **more: int) -> ctypes.Structure:
        """The structure, from the fields of a dataclass, and ``more`` of them."""
        given = [one.name for one in dataclasses.fields(holder) if one.init]
        values = {name: getattr(holder, name) for name in given} | more
        made = self._type()
        # As long as the structure is there, the arrays have to be.
        made.arrays = [values[name] for name in self._arrays]
        for name, _ in self._type._fields_:
            kind = self._arrays.get(name)
            value = values[name]
            setattr(made, name, kind.address(value) if kind else int(value))
        return made  # type: ignore[no-any-return]

    def from_param(self, holder: Any) -> Any:
        """The address of the structure that an object holds."""
        return ctypes.byref(holder.in_c)


Parameter: TypeAlias = "Array | Structure | type[Any]"


def declare(
    name: str, *parameters: Parameter, result: type[Any] | None = INT
) -> Callable[..., int]:
    """A function of the library with the types of its parameters."""
    function = getattr(LOADED, name)
    function.restype = result
    function.argtypes = [
        ctypes.c_void_p if isinstance(one, Array | Structure) else one
        for one in parameters
    ]
    converters = [
        one.from_param if isinstance(one, Array | Structure) else None
        for one in parameters
    ]

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
