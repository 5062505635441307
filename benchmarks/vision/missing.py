"""Is a tile missing? How surely seams and looks tell, and what weights fit best.

    python -m benchmarks missing --pictures DIR [--pictures DIR ...]
        [--split tune] [--count 200] [--plain] [--fit]

Half of the boards have an empty cell, of every kind; of the others every tile is there.
``--plain`` takes parts of pictures of which exactly one tile is plain, as a piece of a
sky is: it looks like an empty cell.
The table has the share that is told right, wrong and not at all, by the leads that
``arrange/tuning.py`` asks for. ``--fit`` fits the weights there anew (a logistic curve,
slightly drawn towards zero) and prints them.
"""

from __future__ import annotations

import cv2
import numpy as np

from benchmarks import command
from benchmarks.scenes.pictures import Pictures, is_playable, small_tiles
from benchmarks.scenes.shuffled import BLANKS, HIDINGS, WHOLE, make_board
from benchmarks.vision.calibration import fitted
from imgpuzzle.core.board import Shape
from imgpuzzle.vision.arrange.assemble import arrange
from imgpuzzle.vision.arrange.tuning import TUNING
from imgpuzzle.vision.arrange.whole import filled_nats, filled_signs
from imgpuzzle.vision.blank import blank_evidence, framed_nats, spreads
from imgpuzzle.vision.evidence import Possible
from imgpuzzle.vision.seams.joins import measure_joins, seam_evidence

SHAPES = ((3, 3), (4, 4), (5, 5), (3, 4), (2, 3), (6, 6))
DRAWN = 0.02
PLAIN = 4.0
"""Levels by which the colours of a plain tile differ at most."""


def shows_one_plain(picture, shape):
    """Whether one tile of a picture is plain, and all others are much less so."""
    least, next_one = np.sort(spreads(small_tiles(picture, shape, 32)))[:2]
    return bool(least < PLAIN and next_one > 2 * least + PLAIN)


def measure(pictures, count, seed, fits):
    """(whether every tile is there, the signs of that, nats) of made-up boards."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        shape = Shape(*SHAPES[rng.integers(len(SHAPES))])
        # Most games hide nothing of the seams.
        hiding = str(rng.choice(["exact", "exact", "exact", *HIDINGS]))
        quality = (None, None, None, 80, 60)[rng.integers(5)]
        kind = WHOLE if number % 2 else str(rng.choice(BLANKS))
        board = make_board(
            *(pictures, rng, shape, hiding),
            blank_kind=kind,
            quality=quality,
            fits=fits,
        )
        joins = measure_joins(board.tiles, shape)
        told = seam_evidence(joins, shape)
        told = told + blank_evidence(board.tiles, shape, Possible(is_whole=True))
        found = arrange(told, board.tiles, joins)
        if found.other_kind is None:
            continue
        holed, whole = sorted(
            (found.best, found.other_kind.arrangement), key=lambda one: one.is_whole
        )
        spread = float(spreads(board.tiles[holed.blank][None])[0])
        signs = filled_signs(told, holed, whole, spread)
        nats = filled_nats(told, holed, whole, spread)
        nats += framed_nats(board.tiles, holed.blank)
        yield kind == WHOLE, signs, nats, f"{hiding}/{kind}"


def main() -> None:
    """Print the table, and the weights."""
    parser = command.parser(__doc__)
    command.add_scenes(parser, count=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    pictures = Pictures(arguments.pictures, arguments.split)
    fits = shows_one_plain if arguments.plain else is_playable
    boards = measure(pictures, arguments.count, arguments.seed, fits)
    truth, signs, nats, kinds = map(np.array, zip(*boards, strict=True))
    sure = np.where(nats > 0, nats > TUNING.whole_nats, -nats > TUNING.holed_nats)
    for word, chosen in (("every tile there", truth), ("one missing", ~truth)):
        right = sure & ((nats > 0) == truth)
        wrong = sure & ~right
        astray = ", ".join(kinds[wrong & chosen])
        print(
            f"{word:16s} {chosen.sum()}: right {right[chosen].mean():.1%}, wrong "
            f"{wrong[chosen].mean():.1%} {astray}; nats at 1, "
            f"5, 50 and 95 % {np.percentile(nats[chosen], [1, 5, 50, 95]).round(1)}"
        )
    if arguments.fit:
        pull = DRAWN * len(signs) / 100 * np.array([0, 1, 1, 1])
        constant, gain, beside, flat = fitted(signs, truth, pull, np.zeros(4))
        print(f"filled_bias {constant:.2f}, filled_gain {gain:.2f}")
        print(f"filled_beside {beside:.2f}, filled_flat {-flat:.2f}")
