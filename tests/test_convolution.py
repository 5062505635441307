"""The kernel of convolutions, beside sums that are written down."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle.kernels.convolution import convolved
from imgpuzzle.vision import nets


@given(st.data())
def test_every_sum_is_that_of_its_window(data: st.DataObject) -> None:
    count, channels, made = (data.draw(st.integers(1, 5)) for _ in range(3))
    step = data.draw(st.integers(1, 2))
    high, wide = (data.draw(st.sampled_from((1, 3, 5))) for _ in range(2))
    height, width = (data.draw(st.integers(5, 20)) for _ in range(2))
    chance = np.random.default_rng(data.draw(st.integers(0, 99)))
    maps, kernels, bias = (
        chance.normal(size=size).astype(np.float32)
        for size in (
            (count, channels, height, width),
            (made, channels, high, wide),
            (made,),
        )
    )
    rim = high // 2, wide // 2
    found = convolved(maps, kernels, bias, step, rim)
    padded = np.pad(maps, ((0, 0), (0, 0), (rim[0],) * 2, (rim[1],) * 2))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (high, wide), (2, 3))
    sums = np.einsum("ncyxij,mcij->nmyx", windows[:, :, ::step, ::step], kernels)
    assert found == pytest.approx(sums + bias[:, None, None], abs=1e-3)


def test_a_layer_says_beforehand_what_it_makes() -> None:
    weights = [np.ones((6, 3, 1, 5), np.float32), np.zeros((6, 1), np.float32)]
    for step in (1, 2):
        layer = nets._Convolution(
            {"stride": (step, step), "pad": (0, 2, 0, 2)}, weights
        )
        shape = (2, 3, 8, 12)
        (said,) = layer.getMemoryShapes([shape])
        (made,) = layer.forward([np.ones(shape, np.float32)])
        assert list(made.shape) == said == [2, 6, 8 // step, 12 // step]
        assert made.max() == 15
