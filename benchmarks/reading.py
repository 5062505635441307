"""How well the reader reads: made-up scenes and, where given, real screenshots.

    python -m benchmarks.reading --pictures DIR [--pictures DIR ...] --fonts DIR
        [--split test] [--count 100] [--kinds clean alone ...] [--screens DIR]

A reading is right when grid, board and goal are right, refused when it raises
or says that it is not certain, and silently wrong otherwise.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import time
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from benchmarks.kinds import KINDS, Case, Cases
from benchmarks.scenes import Pictures
from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import PuzzleError
from imgpuzzle.goals import home_cells
from imgpuzzle.image import load_image
from imgpuzzle.messages import Doubt
from imgpuzzle.vision.read import read_puzzle
from scripts.digit_fonts import find_faces

CELLS = ((9, "N = 3"), (16, "N = 4"), (25, "N = 5"), (36, "N = 6"), (64, "N = 8"))


def measure(case: Case) -> dict:
    """Everything about one reading, as a record."""
    began = time.process_time()
    record = {"name": case.name, "grid": str(case.board.shape), "nats": 0.0}
    try:
        reading = read_puzzle(case.screenshot, reference=case.reference)
    except PuzzleError as error:
        record |= {
            "word": "refused",
            "seconds": time.process_time() - began,
            "note": f"{type(error).__name__}: {error}"[:110],
        }
        return record
    seconds = time.process_time() - began
    right = reading.board == case.board and reading.goal == case.goal
    if not reading.certain:
        word = "doubted right" if right else "doubted wrong"
    elif case.must_doubt:
        word = "SILENTLY WRONG"
    else:
        word = "right" if right else "SILENTLY WRONG"
    off = None
    if case.box is not None:
        left, top, width, height = case.box
        region = reading.region
        off = max(
            abs(region.left - left),
            abs(region.top - top),
            abs(region.right - left - width),
            abs(region.bottom - top - height),
        )
    doubts = [one for one in reading.doubts if one.kind != Doubt.ARRANGEMENT]
    words = "; ".join(map(str, reading.doubts))
    tile = 0.0 if case.box is None else case.box[2] / case.board.shape.cols
    return record | {
        "word": word,
        "seconds": seconds,
        "right": right,
        "method": reading.method,
        "nats": -8.0 * math.log(max(1.0 - reading.margin, 1e-9)),
        "trouble": len(doubts),
        "confidence": reading.confidence,
        "off": off,
        "placed": off is not None and off <= max(3.0, 0.06 * tile),
        "note": f"{reading.method} {reading.shape} {words}",
    }


def columns(records: list[dict]) -> str:
    """Shares of one kind: right, refused with its two kinds of doubt, wrong."""
    words = Counter(record["word"] for record in records)
    total = len(records)
    refused = total - words["right"] - words["SILENTLY WRONG"]
    places = [r["placed"] for r in records if r.get("off") is not None]
    placed = f"{np.mean(places):.1%}" if places else "-"
    times = [record["seconds"] for record in records]
    return (
        f"right {words['right'] / total:.1%} | refused {refused / total:.1%} "
        f"(doubted right {words['doubted right']}, doubted wrong "
        f"{words['doubted wrong']}, not found {words['refused']}) | "
        f"silently wrong {words['SILENTLY WRONG']} | place {placed} | "
        f"CPU median {np.median(times):.2f} s, max {max(times):.2f} s"
    )


def by_size(records: list[dict]) -> str:
    """The share of right ones for each size of board."""
    parts = []
    low = 0
    for most, label in CELLS:
        fitting = [r for r in records if low < Shape.parse(r["grid"]).size <= most]
        low = most
        if fitting:
            share = np.mean([r["word"] == "right" for r in fitting])
            parts.append(f"{label}: {share:.1%} of {len(fitting)}")
    return ", ".join(parts)


def made_up(arguments: argparse.Namespace) -> dict[str, list[dict]]:
    """Measure every kind that was asked for."""
    pictures = Pictures([Path(p) for p in arguments.pictures], arguments.split)
    faces = []
    if arguments.fonts:
        faces = list(find_faces(Path(arguments.fonts), test=arguments.split == "test"))
    cases = Cases(arguments.split, pictures, faces)
    kept: dict[str, list[dict]] = {}
    for kind in arguments.kinds:
        if "number" in kind and not faces:
            print(f"{kind}: left out, for --fonts was not given")
            continue
        records = []
        for number in range(arguments.first, arguments.first + arguments.count):
            record = measure(cases.case(kind, number))
            records.append(record)
            if arguments.verbose and record["word"] != "right":
                print(f"  {record['name']}: {record['word']}, {record['note']}")
        kept[kind] = records
        print(f"{arguments.split} {kind}, {len(records)} scenes: {columns(records)}")
        print(f"    {by_size(records)}", flush=True)
    return kept


def real(folder: str, *, with_reference: bool) -> list[dict]:
    """Captured screenshots with known truth."""
    records = []
    for truth_path in sorted(Path(folder).glob("*/truth.json")):
        references = list(truth_path.parent.glob("reference.*"))
        if with_reference and not references:
            continue
        truth = json.loads(truth_path.read_text())
        blank = truth["blank_goal_index"]
        shape = Shape(truth["rows"], truth["cols"])
        case = Case(
            truth_path.parent.name,
            load_image(truth_path.parent / truth["screenshot"]),
            load_image(references[0]) if with_reference else None,
            Board(shape, tuple(0 if t == blank else t + 1 for t in truth["tiles"])),
            home_cells(shape, blank=blank),
            tuple(truth["board_box"]),
        )
        record = measure(case)
        records.append(record)
        print(
            f"  {record['name']:24} {record['word']:15} off {record.get('off')} px, "
            f"CPU {record['seconds']:.2f} s, {record['note']}"
        )
    kind = "with reference" if with_reference else "without"
    print(f"real screenshots, {kind}, {len(records)}: {columns(records)}", flush=True)
    return records


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", action="append", default=[])
    parser.add_argument("--fonts", help="folder of fonts, for scenes with numbers")
    parser.add_argument("--split", choices=("tune", "test"), default="test")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--screens", help="folder of captured screenshots")
    parser.add_argument("--json", help="keep the records in this file")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    print(
        f"Python {platform.python_version()}, numpy {np.__version__}, "
        f"OpenCV {cv2.__version__}, {platform.machine()}"
    )
    records: dict[str, list[dict]] = {}
    if arguments.pictures:
        records |= made_up(arguments)
    if arguments.screens:
        records["real"] = real(arguments.screens, with_reference=True)
        records["real alone"] = real(arguments.screens, with_reference=False)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(records, indent=1, default=str))


if __name__ == "__main__":
    main()
