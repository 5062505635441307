"""Every kind of file of some guides: kept, and compared after a change.

    python -m benchmarks outputs freeze FOLDER [--only TEXT]
    python -m benchmarks outputs compare BEFORE AFTER

``freeze`` writes guides of several boards, in several styles and with several options,
as every format and as a folder. ``compare`` lists each file that is not the same byte
by byte: how much larger it is, and how much its pictures look as they did (structural
similarity, the least of all frames and pages; 1 is the same), or how many lines of text
differ. Pages of PDF files are drawn by pdftoppm.
"""

from __future__ import annotations

import difflib
import functools
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as PillowImage
from PIL import ImageSequence

import imgpuzzle
from benchmarks import command
from benchmarks.scenes.captured import SAMPLES
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.puzzles.kind import kind_of
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.files.formats import FORMATS

SAFE = "2 1 7 / 5 3 6 / 4 8 0"
"""The picture safe of ``sample_images``, 20 moves from its goal."""

HARD = "8 6 7 / 2 5 4 / 3 0 1"
WIDE = "1 2 3 4 5 6 / 7 8 9 10 11 0 / 13 14 15 16 17 12"
FIVE = "1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 17 18 20 24 / 0 21 22 23 19"
SWAPS = "2 1 3 4 / 5 6 8 7 / 9 10 11 12 / 16 14 15 13"

STYLES = {
    "plain": Style(),
    "russian": Style(language="ru", theme="dark", coordinates="letters", title="Ёлка"),
    "german": Style(
        language="de", caption="plate", numbers=True, ahead=3, title="Über"
    ),
    "bright": Style(brighten=100, arrow=False, caption="none"),
}
OPTIONS = {
    "usual": SaveOptions(),
    "pages": SaveOptions(per_page=8, paper="letter", columns=4),
    "small": SaveOptions(size=300, max_bytes=150_000),
    "around": SaveOptions(crop_px=20),
}
CASES = (
    "picture-plain-usual picture-russian-usual picture-german-usual",
    "slides-plain-usual slides-russian-usual slides-german-usual slides-bright-usual",
    "picture-plain-pages picture-plain-small seen-plain-around doubtful-german-usual",
    "numbers-russian-pages stages-plain-usual stages-german-pages wide-plain-usual",
    "picture-bright-usual solved-plain-usual swaps-plain-usual swaps-german-pages",
    "five-russian-usual five-bright-small",
)
"""A board, a style and the options of each."""


@functools.cache
def guide(board: str) -> imgpuzzle.Guide:
    """A guide of one kind, the same in every run."""
    shot = load_image(SAMPLES / "coffee_screenshot.png")
    if board in ("seen", "doubtful"):
        reference = load_image(SAMPLES / "coffee_reference.jpg")
        reading = imgpuzzle.read_image(shot, reference=reference)
        if board == "doubtful":
            reading = replace(reading, certain=False, doubtful=(1, 2))
        found = imgpuzzle.solve_board(reading.board, reading.goal).solution
        return imgpuzzle.Guide(replace(found, seconds=0.0), reading, screenshot=shot)
    other = {"stages": HARD, "solved": "1 2 3 / 4 5 6 / 7 8 0", "wide": WIDE}
    other |= {"five": FIVE, "swaps": SWAPS}
    puzzle = "swap" if board == "swaps" else "slide"
    start = kind_of(puzzle).board.parse(other.get(board, SAFE))
    metric = "slide" if board == "slides" else "single"
    how = {"metric": metric, "stages": board == "stages", "puzzle": puzzle}
    made = imgpuzzle.solve_board(start, **how)
    picture = load_image(SAMPLES / "emblem_reference.png")
    drawn = None if board in ("numbers", "wide") else picture
    return imgpuzzle.Guide(replace(made.solution, seconds=0.0), picture=drawn)


def freeze(folder: Path, only: str) -> None:
    """Write all cases, each into a folder of its name."""
    for name in " ".join(CASES).split():
        board, style, options = name.split("-")
        look = replace(STYLES[style], slide_frames=1)
        for suffix in ("", *FORMATS):
            if only in f"{name}{suffix}":
                target = folder / name / f"guide{suffix}"
                target.parent.mkdir(parents=True, exist_ok=True)
                guide(board).save(target, OPTIONS[options], style=look)


def pictures(path: Path) -> Iterator[Image]:
    """The frames or pages of a file, none of a text."""
    if path.suffix == ".pdf":
        with tempfile.TemporaryDirectory() as folder:
            draw = ["pdftoppm", "-r", "100", "-png", str(path), f"{folder}/page"]
            subprocess.run(draw, check=True, stderr=subprocess.DEVNULL)
            for page in sorted(Path(folder).iterdir()):
                yield load_image(page)
    elif path.suffix == ".mp4":
        import av

        with av.open(path) as film:
            yield from (one.to_ndarray(format="rgb24") for one in film.decode(video=0))
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
            archive.extractall(folder)
            for one in sorted(Path(folder).iterdir()):
                yield from pictures(one)
    elif path.suffix in (".png", ".gif", ".webp", ".avif", ".apng"):
        with PillowImage.open(path) as picture:
            for frame in ImageSequence.Iterator(picture):
                yield np.asarray(frame.convert("RGB"))


def similarity(one: Image, two: Image) -> float:
    """The structural similarity of two pictures, 0 for other sizes (Wang, 2004)."""
    if one.shape != two.shape:
        return 0.0
    a, b = (cv2.cvtColor(x, cv2.COLOR_RGB2GRAY).astype(np.float32) for x in (one, two))
    blur = functools.partial(cv2.GaussianBlur, ksize=(11, 11), sigmaX=1.5)
    mean_a, mean_b = blur(a), blur(b)
    var = blur(a * a) + blur(b * b) - mean_a**2 - mean_b**2
    both = blur(a * b) - mean_a * mean_b
    light = (2 * mean_a * mean_b + 6.5) / (mean_a**2 + mean_b**2 + 6.5)
    return float((light * (2 * both + 58.5) / (var + 58.5)).mean())


def same(before: Path, after: Path) -> bool:
    """Whether two files are equal; of an archive all that is in it."""
    if before.suffix != ".zip":
        return before.read_bytes() == after.read_bytes()
    with zipfile.ZipFile(before) as one, zipfile.ZipFile(after) as two:
        old, new = ([(n, z.read(n)) for n in z.namelist()] for z in (one, two))
    return old == new


def change(before: Path, after: Path) -> str:
    """What differs between two files."""
    parts = [f"{after.stat().st_size / before.stat().st_size:.3f} times the bytes"]
    old, new = list(pictures(before)), list(pictures(after))
    if len(old) != len(new):
        parts.append(f"{len(old)} pictures became {len(new)}")
    elif old:
        alike = [similarity(*pair) for pair in zip(old, new, strict=True)]
        parts.append(f"similarity {min(alike):.4f}")
    else:
        lines = [path.read_text("utf-8").splitlines() for path in (before, after)]
        apart = [line for line in difflib.ndiff(*lines) if line[0] in "+-"]
        parts.append(f"{len(apart)} lines, {apart[:1]}")
    return "; ".join(parts)


def compare(before: Path, after: Path) -> None:
    """List what changed, and what is there no more or is new."""
    old, new = (
        {path.relative_to(root) for path in root.rglob("*") if path.is_file()}
        for root in (before, after)
    )
    for name in sorted(old ^ new):
        print(f"{name}: {'gone' if name in old else 'new'}")
    both = sorted(old & new)
    changed = [name for name in both if not same(before / name, after / name)]
    for name in changed:
        print(f"{name}: {change(before / name, after / name)}")
    print(f"{len(changed)} of {len(both)} files changed")


def main() -> int:
    """Freeze or compare."""
    given = command.freezer(__doc__).parse_args()
    if given.what == "freeze":
        freeze(given.paths[0], given.only)
    else:
        compare(*given.paths)
    return 0
