"""Screenshots that strangers took of strangers' games: laid in place, and judged.

    python -m benchmarks wild --clones CLONES --lay FOLDER
    python -m benchmarks wild FOLDER [FOLDER ...] [--ways alone reference grid]
        [--jobs 2] [--json FILE] [--sent-as jpeg]

The pictures belong to those who made them, so none is in this project. What is here,
in ``data/wild.jsonl``, are facts about them: the public repository (of GitHub) and the
path, which frame of an animation, the hash of the pixels, and what is true of the
board. ``--lay`` takes the pictures out of clones, each in ``CLONES/OWNER/NAME`` (one
without a work tree will do), and writes them with their ``truth.json`` into a folder;
what has no clone, or other pixels by now, is named and left out. The picture of the
goal comes along where the repository has it as a file.

Any folder with such a ``truth.json``, or one in each folder within, is judged in the
words of ``outcomes``. Where the board is not known (``"board": null``, a board with all
of its tiles) only an empty cell that is stated is wrong. ``--sent-as`` judges the
pictures as people send them on: smaller, larger, darker, or as JPEG.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import io
import json
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
from PIL import Image

from benchmarks import command
from benchmarks.scenes.captured import one_set
from benchmarks.scenes.scene import as_jpeg
from benchmarks.vision.outcomes import WAYS, judge, ways_of
from imgpuzzle.files.image import load_image, save_image

Row = dict[str, Any]
"""What is known of one screenshot; ``benchmarks/data/README.md`` names the entries."""

MANIFEST = Path(__file__).parents[1] / "data" / "wild.jsonl"
SENT_AS: dict[str, tuple[float, int | None, float]] = {
    "jpeg": (1.0, 50, 1.0),
    "smaller": (0.75, None, 1.0),
    "larger": (1.3, None, 1.0),
    "chat": (0.6, 60, 1.0),
    "dimmed": (1.0, None, 0.55),
}
"""Scale, quality of JPEG, and what is left of the light."""
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp")


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


def sent(picture: Path, way: str, folder: Path) -> Path:
    """A screenshot as somebody sent it on, as a file in the folder."""
    scale, quality, light = SENT_AS[way]
    shown = load_image(picture)
    if scale != 1.0:
        how = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_CUBIC
        shown = cv2.resize(shown, None, fx=scale, fy=scale, interpolation=how)
    shown = cv2.convertScaleAbs(shown, alpha=light)
    path = folder / f"{len(list(folder.iterdir()))}.png"
    save_image(shown if quality is None else as_jpeg(shown, quality), path)
    return path


def main() -> int:
    parser = command.parser(__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--clones", type=Path, metavar="CLONES")
    parser.add_argument("--lay", type=Path, metavar="FOLDER")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS[:3])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sent-as", choices=SENT_AS)
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
    with tempfile.TemporaryDirectory() as room:
        tasks = []
        for folder in arguments.folders:
            for one in one_set(folder):
                if arguments.sent_as:
                    path = sent(one.screenshot, arguments.sent_as, Path(room))
                    one = dataclasses.replace(one, screenshot=path)
                tasks += ways_of(f"{folder.name}/{one.name}", one, arguments.ways)
        kept = judge(tasks, arguments.json, arguments.jobs)
    return int(any(one["verdict"] == "SILENTLY WRONG" for one in kept.values()))
