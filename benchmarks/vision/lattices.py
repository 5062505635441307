"""How exactly are lattices known? Drawn screens, laid on the lines that are there.

    python -m benchmarks lattices --pictures DIR [--pictures DIR ...] [--count 400]

The folders hold photographs, clip art and fonts (see ``scenes/stock.py``). A lattice
that the net sees near the true one is taken, so that this says nothing about the net:
the table has the share whose sides lie within some px of the true ones, and whose gap
is off by no more than that or half a px. Bevels and frames make lines, too: not all can
be told.
"""

from __future__ import annotations

import itertools

import cv2
import numpy as np

from benchmarks import command
from benchmarks.scenes.scene import apart
from benchmarks.scenes.screens import draw_screen
from benchmarks.scenes.stock import Stock
from imgpuzzle.core.board import Shape
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.propose.finder import seen_lattices
from imgpuzzle.vision.propose.grids import on_their_lines

SHAPES = [Shape(*sides) for sides in itertools.product(range(2, 11), repeat=2)]
NEAR, NEAR_PX = 0.12, 2.0
"""How far from the true sides what the net sees may lie, in tiles and in px besides."""
LIMITS = (0.3, 0.6, 1.1, 2.1)


def measure(stock, count):
    """How far sides are off, how far gaps are, and the true gap, px, of each screen."""
    while count:
        drawn = draw_screen(stock)
        if not drawn.rows:
            continue
        near = NEAR * min(drawn.box[2] / drawn.cols, drawn.box[3] / drawn.rows)
        shape = Shape(drawn.rows, drawn.cols)
        seen = [
            one
            for one in seen_lattices(drawn.image, SHAPES)
            if one.lattice.shape == shape
            and apart(one.lattice, drawn.box) < near + NEAR_PX
        ]
        if not seen:
            continue
        count -= 1
        at = on_their_lines(to_opponent(drawn.image), seen[:1])[0].lattice
        gaps = at.pitch_x - at.tile_width, at.pitch_y - at.tile_height
        off = max(abs(one - true) for one, true in zip(gaps, drawn.gap, strict=True))
        yield apart(at, drawn.box), off, max(drawn.gap)


def main() -> None:
    """Print the table."""
    parser = command.parser(__doc__)
    command.add_scenes(parser, count=400)
    parser.add_argument("--seed", type=int, default=900)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    is_test = arguments.split == "test"
    stock = Stock(arguments.pictures, test=is_test, seed=arguments.seed)
    rows = np.array(list(measure(stock, arguments.count)))
    sides, gaps, true = rows.T
    kinds = {
        "all": true >= 0,
        "touching": true == 0,
        "gaps of up to 2 px": (true > 0) & (true <= 2.2),
        "wider gaps": true > 2.2,
    }
    for word, chosen in kinds.items():
        shares = [
            f"{((sides <= most) & (gaps <= max(most, 0.5)))[chosen].mean():.1%}"
            for most in LIMITS
        ]
        print(f"{word:18s} {chosen.sum():4d}: within {LIMITS} px {', '.join(shares)}")
