"""Small nets of our own, kept as ONNX files and run by OpenCV."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats = NDArray[np.float32]

# Of the engines of OpenCV 5 the one it has in common with OpenCV 4 needs a tenth to a
# sixth less time for nets as small as these.
_ENGINE = (cv2.dnn.ENGINE_CLASSIC,) if hasattr(cv2.dnn, "ENGINE_CLASSIC") else ()


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
        self._kept.net.setInput(shown)
        return [np.asarray(one) for one in self._kept.net.forward(list(outputs))]
