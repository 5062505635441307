"""The convolutions of small nets."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from imgpuzzle.kernels.library import INT, Array, declare

Floats = npt.NDArray[np.float32]

_FLOATS = Array("float32")
_COLUMNS = 8
"""As in convolution.c: so many are summed at once, also where there are fewer."""
_convolve = declare("convolve", *8 * (INT,), *4 * (_FLOATS,))


def convolved(
    maps: Floats, kernels: Floats, bias: Floats, step: int, rim: tuple[int, int]
) -> Floats:
    """Each of the ``maps`` (n, channels, height, width) with each of the ``kernels``.

    Those are (made, channels, high, wide), and ``bias`` (made,). ``rim`` is how many
    zeros lie above and below the maps, and beside them.
    """
    (down, right), (made, _, high, wide) = rim, kernels.shape
    count, channels, height, width = maps.shape
    tall, broad = height + 2 * down, width + 2 * right
    size = count * channels * tall * broad
    room = np.zeros(size + _COLUMNS * step, np.float32)
    padded = room[:size].reshape(count, channels, tall, broad)
    padded[:, :, down : down + height, right : right + width] = maps
    out = np.empty(
        (count, made, (tall - high) // step + 1, (broad - wide) // step + 1), np.float32
    )
    sizes = count, channels, tall, broad, made, high, wide, step
    _convolve(*sizes, room, kernels, bias, out)
    return out
