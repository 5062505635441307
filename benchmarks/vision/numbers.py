"""How well the numbers on tiles are read: made-up boards and real screenshots.

    python -m benchmarks numbers --fonts DIR --pictures DIR [--screens DIR]
        [--split test] [--count 300] [--family FAMILY ...] [--json FILE]

Whole boards are drawn, spoilt and cut up again (``scenes/numbers``); a board is right
when every label is. Only fonts and photographs of the chosen split are used; they are
split by their names.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks import command
from benchmarks.scenes.captured import screens
from benchmarks.scenes.numbers import FAMILIES, NumberBoards, NumberTiles
from imgpuzzle.files.image import save_image
from imgpuzzle.vision.numbers.digits import (
    NumberBoard,
    assign_numbers,
    number_evidence,
    read_numbers,
)
from imgpuzzle.vision.numbers.tuning import TUNING
from scripts.digit_fonts import find_faces, load_pictures


def read(scene: NumberTiles) -> tuple[NumberBoard, float, float]:
    """(board, nats a tile that speak for numbers, CPU seconds)."""
    began = time.process_time()
    scores = read_numbers(scene.tiles)
    texture = np.array([tile.std(axis=(0, 1)).max() for tile in scene.tiles])
    board = assign_numbers(scene.shape, scores, texture=texture)
    return board, number_evidence(scores), time.process_time() - began


def measure(
    boards: NumberBoards, family: str, count: int, keep: Path | None
) -> dict[str, Any]:
    """Read boards of one family, print the figures and give them."""
    words: Counter[str] = Counter()
    evidence, seconds, cells, right_cells = [], 0.0, 0, 0
    for number in range(count):
        scene = boards.board(family)
        board, nats, spent = read(scene)
        seconds += spent
        cells += scene.shape.size
        evidence.append(nats)
        if scene.labels is None:
            words[
                "taken for numbers" if nats > TUNING.sure_of_numbers else "no numbers"
            ] += 1
            continue
        pairs = list(zip(board.labels, scene.labels, strict=True))
        right_cells += sum(a == b for a, b in pairs)
        sure = board.margin_nats >= TUNING.close_nats and nats > TUNING.sure_of_numbers
        right = board.labels == scene.labels
        word = "right" if right else "WRONG"
        words[word + (", certain" if sure else ", doubted")] += 1
        words["not taken for numbers"] += nats <= TUNING.sure_of_numbers
        if not right and keep is not None:
            name = f"{family}-{number:03d}-{'SURE' if sure else 'doubt'}.png"
            _save(scene, board, keep / name)
    right = words["right, certain"] + words["right, doubted"]
    print(f"{family}: {count} boards, right {right / count:.1%}", end="")
    print(f", cells {right_cells / cells:.2%}", dict(words))
    low, high = np.percentile(evidence, [1, 99])
    print(f"  evidence 1 %..99 %: {low:.2f}..{high:.2f} nats a tile;", end=" ")
    print(f"{1000 * seconds / cells * 36:.0f} ms CPU for 36 tiles", flush=True)
    return {"boards": count, "right": right, "words": words, "seconds": seconds}


def _save(scene: NumberTiles, board: NumberBoard, path: Path) -> None:
    """The tiles of a misread board as they were cut, the wrong ones marked."""
    rows = []
    for row in range(scene.shape.rows):
        line = []
        for column in range(scene.shape.cols):
            cell = row * scene.shape.cols + column
            tile = cv2.resize(scene.tiles[cell], (96, 96), interpolation=3)
            if scene.labels is not None and board.labels[cell] != scene.labels[cell]:
                cv2.rectangle(tile, (0, 0), (95, 95), (255, 0, 0), 2)
                said = str(board.labels[cell])
                cv2.putText(tile, said, (3, 92), 0, 0.5, (255, 0, 0), 1)
            line.append(tile)
        rows.append(np.hstack(line))
    save_image(np.vstack(rows), path)


def measure_screens(folder: Path) -> dict[str, str]:
    """Read the real screenshots, cut by their truth."""
    said = {}
    for one in screens(folder):
        scene = one.load(with_reference=False)
        shape, (left, top, width, height) = one.board.shape, one.box
        xs = np.round(left + width * np.arange(shape.cols + 1) / shape.cols).astype(int)
        ys = np.round(top + height * np.arange(shape.rows + 1) / shape.rows).astype(int)
        tiles = [
            np.ascontiguousarray(scene.screenshot[ys[r] : ys[r + 1], xs[c] : xs[c + 1]])
            for r in range(shape.rows)
            for c in range(shape.cols)
        ]
        labels = one.board.cells
        whole = NumberTiles(shape, tiles, labels, scene.screenshot, one.box)
        board, nats, spent = read(whole)
        if "numbers" not in one.kind:
            word = (
                "TAKEN FOR NUMBERS" if nats > TUNING.sure_of_numbers else "no numbers"
            )
        else:
            word = "right" if board.labels == labels else "WRONG"
            word += "" if nats > TUNING.sure_of_numbers else ", NOT TAKEN FOR NUMBERS"
            word += f", margin {board.margin_nats:.1f}"
        said[one.name] = word
        print(f"{one.name:24s} {word}, {nats:.2f} nats a tile, {1000 * spent:.0f} ms")
    return said


def main() -> None:
    """Print the figures."""
    parser = command.parser(__doc__)
    command.add_scenes(parser, count=300)
    parser.add_argument("--fonts", type=Path)
    parser.add_argument("--screens", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--family", choices=FAMILIES, nargs="+", default=FAMILIES)
    parser.add_argument("--keep", type=Path, help="a folder for misread boards")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    kept: dict[str, Any] = {}
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
    if given.screens is not None:
        kept["screens"] = measure_screens(given.screens)
    if given.fonts is not None and given.pictures:
        test = given.split == "test"
        faces = find_faces(given.fonts, test=test)
        pictures = [
            one for folder in given.pictures for one in load_pictures(folder, test=test)
        ]
        print(f"{len(faces)} fonts, {len(pictures)} photographs ({given.split})")
        for family in given.family:
            boards = NumberBoards(faces, pictures, given.seed)
            kept[family] = measure(boards, family, given.count, given.keep)
    command.save(given.json, kept)


if __name__ == "__main__":
    main()
