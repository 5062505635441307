"""Screenshots that strangers took of strangers' games: laid in place, and judged.

    python -m benchmarks wild --clones CLONES --lay FOLDER
    python -m benchmarks wild FOLDER [FOLDER ...] [--ways alone with grid]
        [--jobs 2] [--json FILE]

The pictures belong to those who made them, so none is in this project. What is here,
in ``data/wild.jsonl``, are facts about them: the public repository (of GitHub) and the
path, which frame of an animation, the hash of the pixels, and what is true of the
board. ``--lay`` takes the pictures out of clones, each in ``CLONES/OWNER/NAME`` (one
without a work tree will do), and writes them with their ``truth.json`` into a folder;
what has no clone, or other pixels by now, is named and left out. The picture of the
goal comes along where the repository has it as a file.

Any folder with such a ``truth.json``, or one in each folder within, is judged: *right*
is certain and so; *doubted* is not called certain, right or not; *WRONG* is called
certain and is not so. Where the board is not known (``"board": null``, a board with all
of its tiles) only an empty cell that is stated is wrong. Times are CPU seconds of the
reading, without its imports.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

from PIL import Image

from benchmarks import command
from benchmarks.scenes.captured import Captured, Row, rows_of, screens
from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Reading
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import load_image
from imgpuzzle.vision.read import read_puzzle

MANIFEST = Path(__file__).parents[1] / "data" / "wild.jsonl"
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp")
WAYS = ("alone", "with", "grid")
OUTCOMES = ("right", "doubted right", "doubted", "refused", "WRONG")


def manifest() -> list[Row]:
    """All that is known of the pictures, in the order of the file."""
    return [json.loads(line) for line in MANIFEST.read_text("utf-8").splitlines()]


def hash_of(picture: Image.Image) -> str:
    """Of the pixels in RGB: how they were packed does not count."""
    shown = picture.convert("RGB")
    return hashlib.sha256(f"{shown.size}".encode() + shown.tobytes()).hexdigest()


def _git(clone: Path, *words: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(clone), *words], check=True, capture_output=True
    ).stdout


def taken_out(clone: Path, row: Row) -> Image.Image | None:
    """The screenshot of a row, if the clone has it with these very pixels."""
    name = f"{row.get('commit') or 'HEAD'}:{row['path']}"
    try:
        picture = Image.open(io.BytesIO(_git(clone, "show", name)))
        picture.seek(row.get("frame", 0))
    except (subprocess.CalledProcessError, OSError, EOFError):
        return None
    return picture.convert("RGB") if hash_of(picture) == row["pixels"] else None


def goal_picture(clone: Path, pixels: str | None) -> Image.Image | None:
    """The picture with these pixels, wherever it lies in a clone."""
    if pixels is None:
        return None
    for name in _git(clone, "ls-tree", "-rz", "--name-only", "HEAD").split(b"\0"):
        path = name.decode(errors="surrogateescape")
        if path.lower().endswith(PICTURES):
            try:
                shown = Image.open(io.BytesIO(_git(clone, "show", f"HEAD:{path}")))
                if hash_of(shown) == pixels:
                    return shown.convert("RGB")
            except OSError:
                continue
    return None


def lay(rows: Iterable[Row], clones: Path, folder: Path) -> list[str]:
    """Write the pictures with their truth; a line for each that is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    laid, missing = [], []
    for row in rows:
        clone = clones / row["repository"]
        picture = taken_out(clone, row) if clone.is_dir() else None
        if picture is None:
            why = "other pixels by now" if clone.is_dir() else "no clone"
            missing.append(f"{row['name']}: {why}, {row['repository']}:{row['path']}")
            continue
        picture.save(folder / f"{row['name']}.png")
        goal = goal_picture(clone, row["reference_pixels"])
        reference = None
        if goal is not None:
            reference = f"{row['name']}.goal.png"
            goal.save(folder / reference)
        laid.append({**row, "file": f"{row['name']}.png", "reference": reference})
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in laid)
    (folder / "truth.json").write_text(text, "utf-8")
    return missing


def is_whole(row: Row) -> bool:
    """Whether no tile is missing."""
    return row.get("goal") is None


def is_right(row: Row, reading: Reading) -> bool:
    """Whether the truth was read: each tile's home, up to tiles that look alike."""
    shape = reading.shape
    if row["board"] is None or row["grid"] != [shape.rows, shape.cols]:
        return False
    board = [tile for line in row["board"] for tile in line]
    if is_whole(row) or row.get("goal_not_shown"):
        return list(reading.board.cells) == board
    goal = [tile for line in row["goal"] for tile in line]
    twins = {tile: alike[0] for alike in row.get("alike") or [] for tile in alike}
    # Of homes whose tiles look alike the first stands for all.
    same = [goal.index(twins.get(tile, tile)) for tile in goal]
    told = list(reading.board.cells), list(reading.goal.cells)
    return _homes(board, goal, same) == _homes(*told, same)


def _homes(board: list[int], goal: list[int], same: list[int]) -> list[int | None]:
    """Where the tile of each cell belongs, nothing for the blank; its home is last."""
    homes = [same[goal.index(tile)] if tile else None for tile in board]
    return [*homes, goal.index(0) if 0 in goal else None]


def outcome(row: Row, way: str) -> tuple[str, float]:
    """One of ``OUTCOMES``, and the CPU seconds of the reading."""
    goal = load_image(row["goal_picture"]) if way == "with" else None
    shape = Shape(*row["grid"]) if way == "grid" else None
    screenshot = load_image(row["screenshot"])
    began = time.process_time()
    try:
        reading = read_puzzle(screenshot, reference=goal, shape=shape)
    except PuzzleError:
        return "refused", time.process_time() - began
    seconds = time.process_time() - began
    right = is_right(row, reading)
    if not reading.certain:
        return ("doubted right" if right else "doubted"), seconds
    if right:
        return "right", seconds
    is_false = not is_whole(row) or row["board"] is not None or reading.has_blank
    return ("WRONG" if is_false else "doubted"), seconds


def as_row(one: Captured) -> Row:
    """A screenshot that has a ``truth.json`` of its own, with the same entries."""
    shape, board, goal = one.board.shape, one.board.rows(), one.goal.rows()
    grid = [shape.rows, shape.cols]
    paths = {"screenshot": one.screenshot, "goal_picture": one.reference}
    return {"file": one.name, "grid": grid, "board": board, "goal": goal, **paths}


def table(
    folder: Path, ways: Iterable[str], jobs: int
) -> Iterator[tuple[str, list[Row], list[tuple[str, float]]]]:
    """For each way its rows with what came of them."""
    is_one_file = (folder / "truth.json").exists()
    rows = list(rows_of(folder) if is_one_file else map(as_row, screens(folder)))
    with ProcessPoolExecutor(jobs) as pool:
        for way in ways:
            chosen = [row for row in rows if way != "with" or row["goal_picture"]]
            yield way, chosen, list(pool.map(outcome, chosen, repeat(way)))


def main() -> int:
    parser = command.parser(__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--clones", type=Path, metavar="CLONES")
    parser.add_argument("--lay", type=Path, metavar="FOLDER")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--jobs", type=int, default=2)
    arguments: argparse.Namespace = parser.parse_args()
    if (arguments.clones is None) != (arguments.lay is None):
        parser.error("expected --clones and --lay together, found one of them")
    if not arguments.folders and arguments.lay is None:
        parser.error("expected a folder with truth.json, or --clones and --lay")
    for folder in arguments.folders:
        if not any(folder.glob("truth.json")) and not any(folder.glob("*/truth.json")):
            parser.error(f"expected truth.json in {folder}, found none")
    if arguments.lay is not None:
        rows = manifest()
        missing = lay(rows, arguments.clones, arguments.lay)
        print(*missing, sep="\n")
        print(f"{len(rows) - len(missing)} of {len(rows)} pictures are in place")
    kept: dict[str, str] = {}
    for folder in arguments.folders:
        for way, rows, results in table(folder, arguments.ways, arguments.jobs):
            if not rows:
                continue
            words = Counter(word for word, _ in results)
            seconds = sorted(spent for _, spent in results)
            counts = ", ".join(f"{words[one]} {one}" for one in OUTCOMES if words[one])
            print(
                f"{folder.name:10} {way:5} {len(rows):3}: {counts}; CPU s median "
                f"{statistics.median(seconds):.2f}, most {seconds[-1]:.1f}",
                flush=True,
            )
            for row, (word, _) in zip(rows, results, strict=True):
                kept[f"{folder.name}/{row['file']} {way}"] = word
                if word == "WRONG":
                    print(f"    WRONG: {row['file']}")
    command.save(arguments.json, kept)
    return int("WRONG" in kept.values())
