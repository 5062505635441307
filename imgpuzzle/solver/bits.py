"""Counting bits in kernels: one machine instruction each.

With the compiler switched off (``NUMBA_DISABLE_JIT``) plain Python does the same.
"""

from __future__ import annotations

from typing import Any

import numba
from numba.core import types
from numba.extending import intrinsic

__all__ = ["popcount", "trailing_zeros"]


@intrinsic
def _popcount(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _trailing_zeros(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        never_zero = context.get_constant(types.boolean, True)
        return builder.cttz(arguments[0], never_zero)

    return types.int64(types.int64), generate


def _plain_popcount(value: int) -> int:
    return (int(value) & (1 << 64) - 1).bit_count()


def _plain_trailing_zeros(value: int) -> int:
    return (int(value) & -int(value)).bit_length() - 1


_config: Any = numba.config
_is_compiled = not _config.DISABLE_JIT
popcount: Any = _popcount if _is_compiled else _plain_popcount
"""The number of set bits of an int64."""
trailing_zeros: Any = _trailing_zeros if _is_compiled else _plain_trailing_zeros
"""The number of the lowest set bit of an int64 that is not 0."""
