"""How well the reader reads made-up scenes, of a half that nothing was chosen on.

    python -m benchmarks reading --pictures DIR [--pictures DIR ...] --fonts DIR
        [--split test] [--count 100] [--kinds clean alone ...]

A reading is right when grid, board and goal are right, up to tiles that look the same,
refused when it raises or says that it is not certain, and silently wrong otherwise.
"""

from __future__ import annotations

import argparse
import math
import platform
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks import command
from benchmarks.scenes.cases import KINDS, Cases
from benchmarks.scenes.pages import SHADED
from benchmarks.scenes.pictures import Pictures
from benchmarks.scenes.scene import Scene, apart
from benchmarks.vision.outcomes import is_right, timed, verdict
from imgpuzzle.errors import PuzzleError
from imgpuzzle.messages import Doubt
from scripts.digit_fonts import find_faces


def measure(scene: Scene) -> dict[str, Any]:
    """Everything about one reading, as a record."""
    reading, seconds = timed(scene.screenshot, reference=scene.reference)
    record: dict[str, Any] = {"name": scene.name, "kind": scene.kind}
    record |= {"verdict": verdict(scene, reading), "seconds": seconds}
    if isinstance(reading, PuzzleError):
        return record | {"note": f"{type(reading).__name__}: {reading}"[:150]}
    assert scene.box is not None
    off, tile = apart(reading.region, scene.box), scene.box[2] / scene.board.shape.cols
    doubts = [one for one in reading.doubts if one.kind != Doubt.ARRANGEMENT]
    said = "; ".join(map(str, reading.doubts))
    return record | {
        "right": is_right(scene, reading),
        "note": f"{reading.method} {reading.shape} at {reading.region}; {said}",
        "method": reading.method,
        "nats": -8.0 * math.log(max(1.0 - reading.margin, 1e-9)),
        "trouble": len(doubts),
        "confidence": reading.confidence,
        "off": off,
        "placed": off <= max(3.0, 0.06 * tile),
    }


def columns(records: list[dict]) -> str:
    """Shares of one kind: right, refused with its two kinds of doubt, wrong."""
    words = Counter(record["verdict"] for record in records)
    total = len(records)
    refused = total - words["right"] - words["SILENTLY WRONG"]
    places = [record["placed"] for record in records if "placed" in record]
    placed = f"{np.mean(places):.1%}" if places else "-"
    times = [record["seconds"] for record in records]
    return (
        f"right {words['right'] / total:.1%} | refused {refused / total:.1%} "
        f"(doubted right {words['doubted right']}, doubted wrong "
        f"{words['doubted wrong']}, not found {words['refused']}) | "
        f"silently wrong {words['SILENTLY WRONG']} | place {placed} | "
        f"CPU median {np.median(times):.2f} s, max {max(times):.2f} s"
    )


def made_up(arguments: argparse.Namespace) -> dict[str, list[dict]]:
    """Measure every kind that was asked for."""
    pictures = Pictures(arguments.pictures, arguments.split)
    faces = []
    if arguments.fonts:
        faces = list(find_faces(arguments.fonts, test=arguments.split == "test"))
    cases = Cases(arguments.split, pictures, faces, arguments.styles)
    kept: dict[str, list[dict]] = {}
    for kind in arguments.kinds:
        if "number" in kind and not faces:
            print(f"{kind}: left out, for --fonts was not given")
            continue
        records = []
        for number in range(arguments.first, arguments.first + arguments.count):
            record = measure(cases.case(kind, number))
            records.append(record)
            if arguments.verbose and record["verdict"] != "right":
                print(f"  {record['name']}: {record['verdict']}, {record['note']}")
        kept[kind] = records
        told = f"{arguments.split} {kind}, {len(records)} scenes: {columns(records)}"
        print(told, flush=True)
    return kept


def main() -> None:
    parser = command.parser(__doc__)
    command.add_scenes(parser, count=100)
    parser.add_argument("--fonts", type=Path, help="for scenes with numbers")
    parser.add_argument(
        "--styles", nargs="+", choices=(*SHADED, "rounded", "bevel"), default=()
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    arguments = parser.parse_args()
    print(
        f"Python {platform.python_version()}, numpy {np.__version__}, "
        f"OpenCV {cv2.__version__}, {platform.machine()}"
    )
    command.save(arguments.json, made_up(arguments))
