"""Calls of the compiled kernels, whose arrays are NumPy's and are checked."""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from imgpuzzle.solver.kernels.loading import LOADED

INT = ctypes.c_int64


class Array:
    """A parameter: C-contiguous arrays of the given types, of any shape."""

    def __init__(self, *dtypes: npt.DTypeLike) -> None:
        self._dtypes = tuple(np.dtype(one) for one in dtypes)

    def from_param(self, array: Any) -> Any:
        """The address of the array's memory."""
        flags = self.check(array).flags
        if flags.writeable and array.size:  # the quick way
            return ctypes.byref(ctypes.c_char.from_buffer(array))
        return ctypes.c_void_p(array.ctypes.data)

    def check(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The array, if it is of the right kind; otherwise an error."""
        if array.dtype not in self._dtypes or not array.flags.c_contiguous:
            raise TypeError(
                f"expected a C-contiguous array of {self._dtypes[0]}, found one of "
                f"{array.dtype} with strides {array.strides}"
            )
        return array


FLAGS = Array(np.bool_)


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
            setattr(made, name, kind.check(value).ctypes.data if kind else int(value))
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
