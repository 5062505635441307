"""Memory and time of reading large pictures: ``python -m benchmarks large``.

Photographs of 12 to 79 million px, in which the sample emblem stands at an angle, the
same as a flat screenshot, and a page of 1080 x 40000 px: each is read in a process of
its own, with the reference and without it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from benchmarks import command
from benchmarks.scenes.captured import SAMPLES
from benchmarks.scenes.scene import Image
from imgpuzzle.files.image import load_image, save_image

REFERENCE = SAMPLES / "emblem_reference.png"

PROGRAM = """
import resource, sys
from imgpuzzle import PuzzleError, read_image
try:
    said = repr(read_image(sys.argv[1], reference=sys.argv[2] or None))
except PuzzleError as error:
    said = str(error)
used = resource.getrusage(resource.RUSAGE_SELF)
cpu = used.ru_utime + used.ru_stime
print(f"{used.ru_maxrss / 1024:6.0f} MB {cpu:5.1f} s CPU  {said[:70]}")
"""


def photograph(shot: Image, million_px: int) -> Image:
    """The screen from somewhat below, with noise."""
    width = round((million_px * 1e6 * 4 / 3) ** 0.5)
    height = round(million_px * 1e6 / width)
    high, wide = shot.shape[:2]
    corners = np.array([(0.1, 0.1), (0.88, 0.13), (0.92, 0.9), (0.06, 0.86)])
    matrix = cv2.getPerspectiveTransform(
        np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32),
        (corners * (width, height)).astype(np.float32),
    )
    page = np.full((height, width, 3), (90, 80, 70), np.uint8)
    border = cv2.BORDER_TRANSPARENT
    cv2.warpPerspective(shot, matrix, (width, height), page, borderMode=border)
    random = np.random.default_rng(1)
    for rows in np.array_split(page, 32):
        noise = random.normal(0, 4, rows.shape).astype(np.float32)
        rows[:] = np.clip(rows + noise, 0, 255)
    return page


def long_page(shot: Image) -> Image:
    page = np.full((40_000, 1080, 3), 245, np.uint8)
    page[300:18_000:40, 40:900] = 60
    part = shot[:, :1080]
    page[20_000 : 20_000 + part.shape[0], : part.shape[1]] = part
    return page


def pictures() -> Iterator[tuple[str, Image]]:
    shot = load_image(SAMPLES / "emblem_screenshot.png")
    for million_px in (12, 24, 40, 79):
        yield f"photograph {million_px}.jpg", photograph(shot, million_px)
    for million_px in (33, 79):
        factor = (million_px * 1e6 / (shot.shape[0] * shot.shape[1])) ** 0.5
        yield f"screen {million_px}.png", cv2.resize(shot, None, fx=factor, fy=factor)
    yield "page.png", long_page(shot)


def main() -> None:
    given = command.parser(__doc__).parse_args()
    kept: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, picture in pictures():
            path = Path(folder) / name
            save_image(picture, path)
            for reference in ("", str(REFERENCE)):
                done = subprocess.run(
                    [sys.executable, "-c", PROGRAM, str(path), reference],
                    capture_output=True,
                    text=True,
                    check=False,
                )
                how = "reference" if reference else "alone"
                said = (done.stdout or done.stderr.splitlines()[-1]).strip()
                kept[f"{name} {how}"] = said
                print(f"{name:20}{how:10} {said}", flush=True)
            path.unlink()
    command.save(given.json, kept)


if __name__ == "__main__":
    main()
