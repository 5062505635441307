"""How often screens of made-up games are read right, refused, or wrong and certain.

    python -m benchmarks playing --pictures DIR [--split test] [--count 3] [KIND ...]

Every kind of ``games`` and ``nogames`` gets a line: how many of each verdict, and the
median and the longest CPU time. Numbers from 1000 on are the test half.
"""

from __future__ import annotations

import statistics
from typing import Any

import cv2

from benchmarks import command
from benchmarks.scenes import games, nogames
from benchmarks.scenes.pictures import Pictures
from benchmarks.scenes.scene import Scene
from benchmarks.vision.verdict import attempt, counted

KINDS = (*games.PICTURE_KINDS, *games.NUMBER_KINDS, *nogames.KINDS)


def make(kind: str, number: int, pictures: Pictures) -> Scene:
    """The screen of that kind and number, with a board or without."""
    maker = nogames.make_nogame if kind in nogames.KINDS else games.make_game
    return maker(kind, number, pictures)


def main() -> None:
    parser = command.parser(__doc__)
    command.add_scenes(parser, count=3)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    given = parser.parse_args()
    if unknown := set(given.kinds) - set(KINDS):
        parser.error(f"expected kinds of {', '.join(KINDS)}, found {sorted(unknown)}")
    cv2.setNumThreads(1)
    pictures = Pictures(given.pictures, given.split)
    first = given.first + (1000 if given.split == "test" else 0)
    kept: dict[str, list[dict[str, Any]]] = {}
    for kind in given.kinds or KINDS:
        kept[kind] = records = [
            attempt(make(kind, number, pictures))[0]
            for number in range(first, first + given.count)
        ]
        times = [record["seconds"] for record in records]
        print(
            f"{kind:16s} {counted(records)}; CPU {statistics.median(times):.1f} s, "
            f"longest {max(times):.1f} s",
            flush=True,
        )
    command.save(given.json, kept)


if __name__ == "__main__":
    main()
