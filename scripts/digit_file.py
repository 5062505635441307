"""The file of the net that reads numbers: ONNX, with kernels in 8 bits.

What it computes is the net of ``train_digits``, written down by hand in operations
that OpenCV 4.10 and 5 both have. Needs onnx.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.onnx_pb import TensorProto

from imgpuzzle.files.image import write_atomically
from imgpuzzle.vision.numbers.digit_net import GRID, SIDE

Arrays = Mapping[str, np.ndarray]
"""``c1.weight`` and so on, as torch has them; whole numbers where there is a scale."""

CELLS = GRID * GRID


class _Graph:
    """Operations, one after the other; each gives the name of its result."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.kept = [
            numpy_helper.from_array(np.ascontiguousarray(value), name)
            for name, value in arrays.items()
        ]
        self.nodes: list[onnx.NodeProto] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        self.kept.append(numpy_helper.from_array(value, name))
        return name

    def add(self, kind: str, result: str, *inputs: str, **options: object) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [result], **options))
        return result

    def convolved(self, name: str, maps: str, step: int = 1) -> str:
        """A convolution with zero padding and rectifier."""
        size = self.arrays[f"{name}.weight"].shape[-1]
        whole = self.add(
            "Cast", f"{name}.whole", f"{name}.weight", to=TensorProto.FLOAT
        )
        kernel = self.add("Mul", f"{name}.kernel", whole, f"{name}.scale")
        found = self.add(
            "Conv", f"{name}.sum", maps, kernel, f"{name}.bias",
            kernel_shape=[size, size], strides=[step, step], pads=[size // 2] * 4,
        )  # fmt: skip
        return self.add("Relu", name, found)

    def halved(self, maps: str) -> str:
        sizes = {"kernel_shape": [2, 2], "strides": [2, 2]}
        return self.add("MaxPool", f"{maps}.half", maps, **sizes)

    def both(self, one: str, other: str) -> str:
        return self.add("Add", f"{one}+{other}", one, other)

    def linear(self, name: str, values: str) -> str:
        weights = f"{name}.weight", f"{name}.bias"
        return self.add("Gemm", name, values, *weights, transB=1)

    def part(self, name: str, values: str, begin: int, end: int) -> str:
        ends = [
            self.constant(f"{name}.{word}", np.array([number], np.int64))
            for word, number in (("begin", begin), ("end", end), ("axis", 1))
        ]
        return self.add("Slice", f"{name}.at", values, *ends)


def write(arrays: Arrays, path: Path) -> None:
    """Store a net, with outputs ``length``, ``tens``, ``units``, ``where``, ``roman``.

    All are logits but ``where``, which is how likely each cell is the digit's place.
    """
    graph = _Graph(
        {
            name: value.reshape(*value.shape, 1, 1) if name == "where.weight" else value
            for name, value in arrays.items()
        }
    )
    maps = graph.convolved("c2", graph.convolved("c1", "tiles", step=2))
    maps = graph.convolved("c3", graph.halved(maps))
    maps = graph.halved(graph.both(maps, graph.convolved("c4", maps)))
    maps = graph.convolved("c5", maps)
    fine = graph.both(maps, graph.convolved("c6", maps))
    maps = graph.convolved("c7", graph.halved(fine))
    coarse = graph.both(maps, graph.convolved("c8", maps))
    doubled = graph.add(
        "Resize", "doubled", coarse,
        graph.constant("nothing", np.zeros(0, np.float32)),
        graph.constant("twice", np.array([1, 1, 2, 2], np.float32)),
        mode="nearest", coordinate_transformation_mode="asymmetric",
        nearest_mode="floor",
    )  # fmt: skip
    found = graph.convolved("c9", graph.both(fine, doubled))
    channels = arrays["c9.weight"].shape[0]
    places = graph.add(
        "Conv", "places", found, "where.weight", "where.bias", kernel_shape=[1, 1]
    )
    rows, flat = (
        graph.constant(f"{count} rows", np.array([0, count, CELLS], np.int64))
        for count in (2, channels)
    )
    places = graph.add("Reshape", "places.flat", places, rows)
    where = graph.add("Softmax", "where", places, axis=2)
    seen = graph.add("Reshape", "seen", found, flat)
    seen = graph.add("Transpose", "seen.turned", seen, perm=[0, 2, 1])
    pooled = graph.add("MatMul", "pooled", where, seen)
    pooled = graph.add("Flatten", "pooled.flat", pooled, axis=1)
    most = graph.add("GlobalMaxPool", "most", found)
    most = graph.add("Flatten", "most.flat", most, axis=1)
    every = graph.add("Concat", "all", pooled, most, axis=1)
    graph.linear("length", every)
    graph.linear("roman", every)
    graph.linear("tens", graph.part("tens", pooled, 0, channels))
    graph.linear("units", graph.part("units", pooled, channels, 2 * channels))
    sizes = {
        name: [len(arrays[f"{name}.bias"])]
        for name in ("length", "tens", "units", "roman")
    } | {"where": [2, CELLS]}

    def value(name: str, size: list[int]) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", *size])

    made = helper.make_graph(
        graph.nodes,
        "digits",
        [value("tiles", [3, SIDE, SIDE])],
        [value(name, size) for name, size in sizes.items()],
        graph.kept,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 11)])
    model.ir_version = 6
    onnx.checker.check_model(model)
    write_atomically(path, model.SerializeToString())


def read(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a net that was stored."""
    stored = onnx.load(str(path)).graph.initializer
    arrays = {one.name: numpy_helper.to_array(one).copy() for one in stored}
    arrays["where.weight"] = arrays["where.weight"][:, :, 0, 0]
    words = (".weight", ".scale", ".bias")
    return {name: value for name, value in arrays.items() if name.endswith(words)}
