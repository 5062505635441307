"""Small nets of our own, kept as ONNX files and run by OpenCV."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.files import IN_BROWSER
from imgpuzzle.kernels.convolution import convolved

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats = NDArray[np.float32]

# Of the engines of OpenCV 5 the one it has in common with OpenCV 4 needs a tenth to a
# sixth less time for nets as small as these.
_ENGINE = (cv2.dnn.ENGINE_CLASSIC,) if hasattr(cv2.dnn, "ENGINE_CLASSIC") else ()


class _Convolution:
    """OpenCV's layer by our kernel: its own, built there without vectors, takes five
    times as long."""

    def __init__(self, options: Mapping[str, Any], weights: Sequence[Floats]) -> None:
        self._step = int(options.get("stride", (1,))[0])
        rim = options.get("pad", (0, 0))
        self._rim = int(rim[0]), int(rim[1])
        self._kernels, bias = map(np.ascontiguousarray, weights)
        self._bias = bias.ravel()

    def getMemoryShapes(self, shapes: Sequence[Sequence[int]]) -> list[list[int]]:  # noqa: N802
        """The sizes of what is made, by those of what comes in."""
        made, _, *sides = self._kernels.shape
        found = [
            (size + 2 * rim - side) // self._step + 1
            for size, rim, side in zip(shapes[0][2:], self._rim, sides, strict=True)
        ]
        return [[shapes[0][0], made, *found]]

    def forward(self, maps: Sequence[Floats]) -> list[Floats]:
        """What is made of the maps."""
        own = self._kernels, self._bias, self._step, self._rim
        return [convolved(maps[0], *own)]


if IN_BROWSER:
    layer: Any = _Convolution
    cv2.dnn_registerLayer("Convolution", layer)


class StoredNet:
    """A net in a file, which is loaded when it is first asked.

    What runs belongs to one thread: one that runs cannot be asked something else.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._kept = threading.local()

    def said_of(self, shown: Floats, outputs: Sequence[str]) -> list[Floats]:
        """The named outputs for n x channels x height x width."""
        if not hasattr(self._kept, "net"):
            self._kept.net = cv2.dnn.readNetFromONNX(str(self.file), *_ENGINE)
            self._kept.net.enableFusion(not IN_BROWSER)
        self._kept.net.setInput(shown)
        return [np.asarray(one) for one in self._kept.net.forward(list(outputs))]
