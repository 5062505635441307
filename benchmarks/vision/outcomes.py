"""What the reader says of many screenshots: kept, and compared after a change.

    python -m benchmarks outcomes freeze FILE.json [--shared DIR] [--samples]
        [--dealt N] [--only TEXT]
    python -m benchmarks outcomes compare BEFORE.json AFTER.json

``freeze`` reads captured screenshots in every way that a player may ask for (with
nothing else, with the reference, with the grid, with grid and place). With ``--dealt``
the tiles of each captured board are also laid in order, and dealt anew, which gives
solved and other boards of the same looks. It keeps each outcome: the reading, or the
error with its message, the CPU seconds, and the verdict against what is true.
``compare`` lists every outcome that changed, the verdicts before and after, and the
ratio of the CPU time.

``DIR`` holds sets of captured screenshots, each a folder with a ``truth.json`` (such as
``wild``, of strangers' games), or ``screens/*/truth.json``; what is missing is left
out. At the end stands a table: for each set and way how many are right
and certain, right and doubted, wrong and doubted, refused, and silently wrong.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
from PIL import Image as Pil

from benchmarks import command
from benchmarks.scenes import captured
from benchmarks.scenes.captured import Captured
from benchmarks.scenes.scene import Image, Scene, apart
from imgpuzzle.core.board import Board
from imgpuzzle.core.reading import Reading
from imgpuzzle.core.scramble import uniform
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import load_image
from imgpuzzle.vision.geometry.cutting import Cut, cut_tiles
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.read import read_puzzle

WAYS = ("alone", "reference", "grid", "placed")
"""With nothing, the reference, the grid, or the grid and the place of the board."""

VERDICTS = ("right", "doubted right", "doubted wrong", "refused", "SILENTLY WRONG")
VERDICTS += ("unknown",)
"""Certain and right; in doubt, right or not; nothing read; certain and not right; or
nobody wrote down what is true."""

NEAR_PX = 6
"""How far the sides of a place that was read may lie from the true ones."""


@dataclass(frozen=True)
class Task:
    """One screenshot, and how it is read; ``laid`` is how its tiles are laid before."""

    key: str
    game: Captured
    way: str
    laid: Board | None = None


def of_captured(one: Captured, source: str, dealt: int = 0) -> Iterator[Task]:
    """The tasks of one captured screenshot.

    ``dealt`` counts the boards of the same tiles besides: none, or the one in order
    and further ones; a board that is cut off, or lacks no tile, has none.
    """
    name = f"{source}/{one.name}"
    if not dealt:
        yield from ways_of(name, one)
        if one.solved is not None:
            # Most of these show the last piece, too: then no place of a hole is right,
            # and what may be said is that all is in order.
            solved = replace(one, screenshot=one.solved, board=one.goal)
            yield from ways_of(f"{name} solved", solved, WAYS[:3])
        return
    if one.goal is None or not one.goal.has_blank:
        return
    with Pil.open(one.screenshot) as shown:
        if one.region.right > shown.width or one.region.bottom > shown.height:
            return
    for number in range(dealt):
        laid = uniform(one.goal, seed=number) if number else one.goal
        what = f"dealt-{number}" if number else "solved"
        for task in ways_of(f"dealt {name} {what}", one):
            yield replace(task, laid=laid)


def ways_of(name: str, one: Captured, ways: Iterable[str] = WAYS) -> Iterator[Task]:
    """One task for each way to read the screenshot."""
    for way in ways:
        if way != "reference" or one.reference is not None:
            yield Task(f"{name} {way}", one, way)


def every_task(arguments: argparse.Namespace) -> list[Task]:
    """All that was asked for, in a fixed order."""
    shared = arguments.shared
    real = [] if shared is None else [*captured.every_set(shared)]
    tasks = [task for source, one in real for task in of_captured(one, source)]
    if arguments.dealt:
        for source, one in real:
            tasks += of_captured(one, source, arguments.dealt)
    if arguments.samples:
        for one in captured.samples():
            tasks += of_captured(one, "samples")
    return [task for task in tasks if arguments.only in task.key]


def dealt(screenshot: Image, game: Captured, laid: Board) -> Image:
    """The screenshot with its tiles laid as another board."""
    shape, region = laid.shape, game.region
    assert game.board is not None
    assert region is not None
    box = region.left, region.top, region.width, region.height
    cut: Reading | Cut = cut_tiles(screenshot, region, Lattice.from_box(shape, *box))
    # To the pixel, with the gaps.
    reading, _ = timed(screenshot, shape=shape, region=region)
    if isinstance(reading, Reading) and apart(reading.region, box) <= NEAR_PX:
        cut = reading
    result = screenshot.copy()
    cells = cut.region.cells(shape, cut.gap_px)
    for cell, label in zip(cells, laid.cells, strict=True):
        result[cell.inside] = cut.tiles[game.board.cells.index(label)]
    return result


def timed(screenshot: Image, **how: Any) -> tuple[Reading | PuzzleError, float]:
    """What the reader says, or why it says nothing, and the CPU seconds of that."""
    found: Reading | PuzzleError
    began = time.process_time()
    try:
        found = read_puzzle(screenshot, **how)
    except PuzzleError as error:
        found = error
    return found, time.process_time() - began


def is_right(truth: Scene | Captured, reading: Reading) -> bool:
    """Whether a reading shows that board, up to tiles that look the same."""
    board, goal = truth.board, truth.goal
    if board is None or reading.shape != board.shape:
        return False
    if goal is None:
        return reading.board.cells == board.cells
    looks = {cell: group[0] for group in reading.identical for cell in group}
    homes = goal.cells.index
    alike = {homes(tile): homes(group[0]) for group in truth.alike for tile in group}

    def shown(board: Board, goal: Board) -> tuple[Any, ...]:
        found = enumerate(goal.cells.index(label) for label in board.cells)
        laid = [(alike.get(home, home), looks.get(cell, cell)) for cell, home in found]
        blanks = [one.blank if one.has_blank else None for one in (board, goal)]
        turns = getattr(board, "turns", (0,) * board.shape.size)
        return blanks, turns, sorted(laid)

    return shown(board, goal) == shown(reading.board, reading.goal)


def verdict(truth: Scene | Captured, found: Reading | PuzzleError) -> str:
    """One of ``VERDICTS``."""
    if isinstance(found, PuzzleError):
        return "refused"
    goal = truth.goal
    if truth.board is None and isinstance(truth, Captured):
        # Whether a tile is missing may be known all the same.
        is_false = goal is not None and goal.has_blank != found.board.has_blank
        return "SILENTLY WRONG" if found.certain and is_false else "unknown"
    right = is_right(truth, found)
    if not found.certain:
        return "doubted right" if right else "doubted wrong"
    return "right" if right else "SILENTLY WRONG"


def outcome(task: Task) -> dict[str, Any]:
    """What the reader says, and what that is worth."""
    game, way = task.game, task.way
    screenshot = load_image(game.screenshot)
    if task.laid is not None:
        screenshot = dealt(screenshot, game, task.laid)
        game = replace(game, board=task.laid)
    reading, seconds = timed(
        screenshot,
        reference=load_image(game.reference) if way == "reference" else None,
        shape=game.shape if way in ("grid", "placed") else None,
        region=game.region if way == "placed" else None,
    )
    record: dict[str, Any] = {
        "truth": game.board and game.board.one_line(),
        "seconds": round(seconds, 2),
        "verdict": verdict(game, reading),
    }
    if isinstance(reading, PuzzleError):
        return record | {
            "error": type(reading).__name__,
            "message": str(reading),
            "message_code": reading.message and reading.message.to_dict(),
        }
    return record | {
        "certain": reading.certain,
        "board": reading.board.one_line(),
        "goal": reading.goal.one_line(),
        "grid": str(reading.shape),
        "region": str(reading.region),
        "method": reading.method,
        "margin": round(reading.margin, 4),
        "confidence": round(reading.confidence, 4),
        "doubtful": list(reading.doubtful),
        "doubts": [str(doubt) for doubt in reading.doubts],
        "doubt_codes": [doubt.to_dict() for doubt in reading.doubts],
        "notes": [str(note) for note in reading.notes],
        "note_codes": [note.to_dict() for note in reading.notes],
    }


def judge(
    tasks: list[Task], file: Path | None, jobs: int, *, verbose: bool = False
) -> dict[str, dict[str, Any]]:
    """Every outcome by its key, kept in a file; prints what is wrong, and totals."""
    kept: dict[str, dict[str, Any]] = {}
    # Fresh processes: threads of OpenCV do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with context.Pool(jobs, cv2.setNumThreads, [1]) as pool:
        for task, record in zip(tasks, pool.imap(outcome, tasks), strict=True):
            kept[task.key] = record
            # What is there survives a run that is ended.
            command.save(file, kept)
            if verbose or record["verdict"] == "SILENTLY WRONG":
                print(f"{task.key}: {said(record)}", flush=True)
    print(totals(kept))
    return kept


def totals(kept: dict[str, dict[str, Any]]) -> str:
    """How many of each verdict, for every source and way, and the CPU time."""
    counts: dict[str, Counter[str]] = {}
    for key, record in kept.items():
        source, way = key.split("/")[0], key.rsplit(" ", 1)[-1]
        if " solved " in key or " dealt-" in key:
            way = f"{'solved' if ' solved ' in key else 'dealt'} {way}"
        counts.setdefault(f"{source} {way}", Counter())[record["verdict"]] += 1
    counts["all"] = Counter(record["verdict"] for record in kept.values())
    lines = [
        f"{name:28}"
        + ", ".join(f"{word} {count[word]}" for word in VERDICTS if count[word])
        for name, count in counts.items()
    ]
    seconds = sum(record["seconds"] for record in kept.values())
    return "\n".join(lines) + f"; CPU {seconds:.0f} s"


def said(record: dict[str, Any]) -> str:
    """An outcome in one line."""
    if "error" in record:
        what = f"{record['error']}: {record['message'][:100]}"
    else:
        what = (
            f"{record['grid']} at {record['region']} by {record['method']}, "
            f"{record['board']}"
        )
        if record["doubts"]:
            what += f" ({'; '.join(record['doubts'])})"
    return f"{record['verdict']}, {what}, CPU {record['seconds']} s"


SAME = ("verdict", "error", "message", "board", "goal", "grid", "method", "doubts")
"""Outcomes that agree in all of these are the same."""


def compare(*files: Path) -> None:
    """List what changed between two files, and the totals of both."""
    before, after = (json.loads(path.read_text()) for path in files)
    both = [key for key in before if key in after]
    turned: Counter[tuple[str, str]] = Counter()
    for key in both:
        old, new = before[key], after[key]
        if all(old.get(name) == new.get(name) for name in SAME):
            continue
        turned[old["verdict"], new["verdict"]] += 1
        print(f"{key}\n    truth  {new['truth']}")
        print(f"    before {said(old)}\n    after  {said(new)}")
    for (old, new), count in sorted(turned.items()):
        print(f"{count:4} {old} -> {new}")
    ratios = [
        sum(kept[key]["seconds"] for key in both) or 1.0 for kept in (before, after)
    ]
    print(
        f"{len(both)} outcomes in both, {len(before) - len(both)} only before, "
        f"{len(after) - len(both)} only after, {sum(turned.values())} changed; "
        f"CPU {ratios[0]:.0f} s before, {ratios[1]:.0f} s after, "
        f"ratio {ratios[1] / ratios[0]:.2f}"
    )
    for name, kept in (("before", before), ("after", after)):
        print(f"{name}:\n{totals({key: kept[key] for key in both})}")


def main() -> None:
    parser = command.freezer(__doc__)
    parser.add_argument("--shared", type=Path, help="folder of captured screenshots")
    parser.add_argument(
        "--dealt",
        type=int,
        default=0,
        help="the same tiles in order, and dealt anew N - 1 times",
    )
    parser.add_argument("--samples", action="store_true", help="also sample_images/")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    if given.what == "compare":
        compare(*given.paths)
        return
    tasks = every_task(given)
    if not tasks:
        parser.error("expected something to read: --shared or --samples")
    judge(tasks, given.paths[0], given.jobs, verbose=given.verbose)
