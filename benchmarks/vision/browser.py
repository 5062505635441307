"""How games in a real browser are read: HTML pages rendered by Chromium.

    python -m benchmarks browser --pictures DIR [--split test] [--count 4]
        [--designs NAME ...] [--ways reference copy alone] [--keep FOLDER] [--verbose]

Needs playwright and Debian's Chromium. Every design of ``scenes/browser`` is played
with pictures of one split and read with the picture itself as reference, with a
cropped JPEG copy of it, and alone. The halves share neither designs nor pictures.
``--keep`` writes the screenshots as PNG and takes those that lie there already.
"""

from __future__ import annotations

import argparse
import statistics
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2

from benchmarks import command
from benchmarks.scenes.browser import designs
from benchmarks.scenes.browser.play import Browser, PlayedScene, make_scene
from benchmarks.scenes.pictures import Pictures
from benchmarks.vision.verdict import attempt, counted

WAYS = ("reference", "copy", "alone")


def scenes(arguments: argparse.Namespace, browser: Browser) -> Iterator[PlayedScene]:
    """All scenes that were asked for."""
    pictures = Pictures(arguments.pictures, arguments.split)
    usual = getattr(designs, arguments.split.upper())
    for design in arguments.designs or usual:
        for number in range(arguments.first, arguments.first + arguments.count):
            yield make_scene(design, number, pictures, browser, arguments.keep)


def main() -> None:
    parser = command.parser(__doc__)
    command.add_scenes(parser, count=4)
    parser.add_argument("--designs", nargs="+", choices=tuple(designs.DESIGNS))
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--keep", type=Path, help="folder for the screenshots")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
    kept: dict[str, list[dict[str, Any]]] = defaultdict(list)
    browser = Browser()
    for scene in scenes(given, browser):
        only_numbers = scene.kind in designs.NUMBERS_ONLY
        for way in ("alone",) if only_numbers else given.ways:
            reference = {"reference": scene.reference, "copy": scene.copy}.get(way)
            record, _ = attempt(scene, reference)
            kept["numbers" if only_numbers else way].append(record)
            if given.verbose and record["verdict"] != "right":
                print(f"  {scene.name} {way}: {record['verdict']}, {record['note']}")
    browser.close()
    for way, records in kept.items():
        for design in dict.fromkeys(record["kind"] for record in records):
            some = [record for record in records if record["kind"] == design]
            print(f"{design} {way}".ljust(28), f"{len(some):3d}: {counted(some)}")
    for way, records in kept.items():
        spent = [record["seconds"] for record in records]
        name = f"{given.split} {way}".ljust(28)
        print(f"{name}{len(records):4d}: {counted(records)}")
        middle, longest = statistics.median(spent), max(spent)
        print(f"    CPU median {middle:.1f} s, longest {longest:.1f} s")
    command.save(given.json, kept)


if __name__ == "__main__":
    main()
