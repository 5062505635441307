"""Fit the network that weighs the seams of two tiles, on the tuning pictures.

    python -m scripts.train_seams --pictures DIR --boards 3600

writes ``imgpuzzle/vision/seams/weights.npz``; the same pictures and ``--seed`` make the
same boards and start. The loss is logistic with the prior
odds of being neighbours (one in the number of cells) as a fixed offset, so the
output is the logarithm of a likelihood ratio that does not depend on the grid.
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path

import cv2
import numpy as np

from benchmarks.scenes.pictures import Pictures
from benchmarks.scenes.shuffled import HIDINGS, make_board
from imgpuzzle.core.board import Shape
from imgpuzzle.files.image import write_atomically
from imgpuzzle.vision.seams import seams

HIDDEN = 48
SIDES = (2, 3, 3, 4, 4, 4, 5, 5, 6, 3, 4, 5, 6, 8)


class VariedPictures(Pictures):
    """The same pictures turned, cut smaller and coloured anew: there are few."""

    def draw(self, rng):
        image = super().draw(rng)
        if rng.random() < 0.5:
            image = image[:, ::-1]
        if rng.random() < 0.5:
            image = np.swapaxes(image, 0, 1)
        if rng.random() < 0.3:
            image = image[::-1]
        if rng.random() < 0.5:
            height, width = image.shape[:2]
            share = rng.uniform(0.35, 1)
            high, wide = int(max(240, height * share)), int(max(240, width * share))
            top = int(rng.integers(height - high + 1))
            left = int(rng.integers(width - wide + 1))
            image = image[top : top + high, left : left + wide]
        if rng.random() < 0.5:
            image = image[..., rng.permutation(3)]
            levels = (np.arange(256) / 255) ** rng.uniform(0.7, 1.4)
            image = (255 * levels).round().astype(np.uint8)[image]
            if rng.random() < 0.2:
                grey = image.mean(axis=2, keepdims=True).astype(np.uint8)
                image = np.repeat(grey, 3, axis=2)
        return np.ascontiguousarray(image)


def true_pairs(board, axis):
    """The ordered pairs of cells whose tiles are neighbours in the picture."""
    shape = board.shape
    cell_of = {home: cell for cell, home in enumerate(board.homes)}
    pairs = []
    for cell, home in enumerate(board.homes):
        row, col = divmod(home, shape.cols)
        row, col = (row, col + 1) if axis == 0 else (row + 1, col)
        if row < shape.rows and col < shape.cols:
            other = cell_of[shape.cell(row, col)]
            if board.blank not in (cell, other):
                pairs.append((cell, other))
    return pairs


def samples(pictures, boards, seed):
    """Features, truths, weights and offsets of pairs from that many boards."""
    rng = np.random.default_rng(seed)
    features, truths, weights, offsets = [], [], [], []
    for number in range(boards):
        rows = cols = int(rng.choice(SIDES))
        if rng.random() < 0.2:
            cols = max(2, cols + int(rng.integers(-2, 3)))
        quality = int(rng.integers(65, 97)) if rng.random() < 0.5 else None
        hiding = HIDINGS[number % len(HIDINGS)]
        board = make_board(pictures, rng, Shape(rows, cols), hiding, quality=quality)
        edges = seams.find_edges(board.tiles)
        if hiding == "offset" or rng.random() < 0.15:
            extra = 1 if rng.random() < 0.7 else 2
            edges = seams.find_edges(board.tiles, edges.trim.wider(extra))
        elif edges.trim.most and rng.random() < 0.6:
            edges = seams.find_edges(board.tiles, edges.trim, unshade=True)
        lag = seams.typical_lag(edges)
        count = board.shape.size
        for axis in (0, 1):
            table = seams.pair_features(edges, axis, lag)
            truth = np.zeros((count, count), bool)
            for one, other in true_pairs(board, axis):
                truth[one, other] = True
            weight = np.where(truth, 1.0, 0.0)
            free = ~truth & ~np.eye(count, dtype=bool)
            near = np.argsort(np.argsort(table[..., 8], axis=1), axis=1) < 4
            near |= np.argsort(np.argsort(table[..., 8], axis=0), axis=0) < 4
            weight[free & near] = 1.0
            rest = np.flatnonzero(free & ~near)
            if len(rest):
                chosen = rng.choice(rest, min(len(rest), 3 * count), replace=False)
                weight.ravel()[chosen] = len(rest) / len(chosen)
            kept = weight > 0
            features.append(table[kept])
            truths.append(truth[kept])
            weights.append(weight[kept] / count)
            offsets.append(np.full(int(kept.sum()), -np.log(count)))
    return tuple(
        np.concatenate(part).astype(np.float32)
        for part in (features, truths, weights, offsets)
    )


def fit(data, *, epochs=8, seed=0):
    """Adam on the weighted logistic loss of a network with one hidden layer."""
    rng = np.random.default_rng(seed)
    x, truth, weight, offset = data
    mean, scale = x.mean(axis=0), x.std(axis=0) + 1e-3
    x = (x - mean) / scale
    weight = weight / weight.mean()
    width = x.shape[1]
    values = [
        rng.normal(0, 1 / np.sqrt(width), (width, HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        rng.normal(0, 1 / np.sqrt(HIDDEN), HIDDEN).astype(np.float32),
        np.zeros(1, np.float32),
        np.zeros(width, np.float32),
    ]
    first = [np.zeros_like(v) for v in values]
    second = [np.zeros_like(v) for v in values]
    step, batch = 0, 2048
    total = epochs * (len(x) // batch)
    for epoch in range(epochs):
        order = rng.permutation(len(x))
        losses = []
        for at in range(0, len(x) - batch, batch):
            rows = order[at : at + batch]
            inputs = x[rows]
            hidden = np.tanh(inputs @ values[0] + values[1])
            logit = hidden @ values[2] + values[3] + inputs @ values[4] + offset[rows]
            chance = 1 / (1 + np.exp(-logit))
            loss = -np.where(truth[rows] > 0, np.log(chance + 1e-9), np.log1p(-chance))
            losses.append(float((weight[rows] * loss).mean()))
            slope = weight[rows] * (chance - truth[rows]) / batch
            back = slope[:, None] * values[2] * (1 - hidden**2)
            gradients = [
                inputs.T @ back + 1e-5 * values[0],
                back.sum(axis=0),
                hidden.T @ slope,
                slope.sum(keepdims=True),
                inputs.T @ slope + 1e-5 * values[4],
            ]
            step += 1
            rate = 0.004 * 0.5 * (1 + np.cos(np.pi * step / total)) + 1e-5
            for k, gradient in enumerate(gradients):
                first[k] += 0.1 * (gradient - first[k])
                second[k] += 0.001 * (gradient**2 - second[k])
                move = first[k] / (1 - 0.9**step)
                size = np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8
                values[k] -= (rate * move / size).astype(np.float32)
        print(f"epoch {epoch}: loss {np.mean(losses):.5f}", flush=True)
    # Standardising is folded into the weights.
    inner = values[0] / scale[:, None]
    direct = values[4] / scale
    bias = values[1] - mean @ inner
    shift = values[3] - mean @ direct
    return inner, bias, values[2], direct, shift


def save(parts, path: Path) -> None:
    """Write the weights by name, float32: some 20 KB."""
    names = ("inner", "bias", "outer", "direct", "shift")
    arrays = {
        name: np.atleast_1d(np.asarray(part, dtype=np.float32))
        for name, part in zip(names, parts, strict=True)
    }
    held = io.BytesIO()
    np.savez(held, **arrays)
    write_atomically(path, held.getvalue())


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", action="append", type=Path, required=True)
    parser.add_argument("--boards", type=int, default=3600)
    parser.add_argument("--seed", type=int, default=202)
    parser.add_argument("--epochs", type=int, default=8)
    target = Path(seams.__file__).with_name("weights.npz")
    parser.add_argument("--output", type=Path, default=target)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    pictures = VariedPictures(arguments.pictures, "tune")
    data = samples(pictures, arguments.boards, seed=arguments.seed)
    print(f"{len(data[0])} pairs, {int(data[1].sum())} of them true")
    save(fit(data, epochs=arguments.epochs, seed=arguments.seed), arguments.output)


if __name__ == "__main__":
    main()
