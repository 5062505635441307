"""Games played in a real browser: pages of ``designs``, rendered by Chromium.

Needs playwright and Debian's Chromium.
"""

from __future__ import annotations

import json
import shutil
import zlib
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.scenes.browser import designs
from benchmarks.scenes.browser.board import Page, data_uri, deal
from benchmarks.scenes.pictures import Pictures
from benchmarks.scenes.scene import Image, Scene, as_jpeg, at_most
from imgpuzzle.core.board import Shape
from imgpuzzle.files.image import load_image, save_image

OTHERS = 4
FLAT_SPREAD, MOST_FLAT = 3.0, 0.2

MEASURE = """() => {
  const all = [...document.querySelectorAll('.cell')].map(e => {
    const b = e.getBoundingClientRect();
    if (!window.BOX) return [b.left, b.top, b.right, b.bottom];
    const x = b.left + e.clientLeft, y = b.top + e.clientTop;
    return [x, y, x + window.BOX[0], y + window.BOX[1]];
  });
  return [Math.min(...all.map(b => b[0])), Math.min(...all.map(b => b[1])),
          Math.max(...all.map(b => b[2])), Math.max(...all.map(b => b[3])),
          ...(window.TILE ?? [all[0][2] - all[0][0], all[0][3] - all[0][1]])];
}"""
"""Of the board the left, top, right and bottom, and of a tile the width and height."""
FILL = """<script>document.querySelectorAll('img.pic').forEach(i => i.src = PICTURE);
Promise.all([...document.images].map(i => i.decode()))
  .then(() => { window.loaded = 1; });
</script>"""


@dataclass(frozen=True)
class PlayedScene(Scene):
    """``reference`` is the game's own picture, ``copy`` one saved elsewhere."""

    copy: Image | None = None
    tile: tuple[float, float] = (0.0, 0.0)
    """Width and height of a tile, in px: gaps are between them."""


class Browser:
    """Chromium, started when the first page is asked for."""

    def __init__(self) -> None:
        self._closing = ExitStack()
        self._browser: Any = None

    def close(self) -> None:
        """End it if it runs."""
        self._closing.close()

    def shot(self, page: Page, picture: Image) -> tuple[Image, list[float]]:
        """What the window shows, and in px the board's left, top, width and height.

        The last two are those of a tile.
        """
        if self._browser is None:
            from playwright.sync_api import sync_playwright

            driver = self._closing.enter_context(sync_playwright())
            program = shutil.which("chromium") or shutil.which("chromium-browser")
            self._browser = driver.chromium.launch(
                executable_path=program, args=["--no-sandbox"]
            )
            self._closing.callback(self._browser.close)
        context = self._browser.new_context(
            viewport={"width": page.width, "height": page.height},
            device_scale_factor=page.scale,
        )
        tab = context.new_page()
        given = f"<body><script>window.PICTURE='{data_uri(picture)}';</script>"
        tab.set_content(page.html.replace("<body>", given, 1) + FILL)
        tab.wait_for_function("window.loaded && window.ready !== false")
        box = np.array(tab.evaluate(MEASURE)) * page.scale
        data = np.frombuffer(tab.screenshot(), np.uint8)
        context.close()
        image = cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
        left, top, right, bottom = (round(float(side)) for side in box[:4])
        tile = [float(side) for side in box[4:]]
        return image, [left, top, right - left, bottom - top, *tile]


def make_scene(
    design: str, number: int, pictures: Pictures, browser: Browser, keep: Path | None
) -> PlayedScene:
    """The scene of that design and number."""
    rng = np.random.default_rng([number, zlib.crc32(design.encode())])
    shape, home = designs.wanted(rng, design)
    picture = _playable(rng, pictures, shape)
    others = tuple(pictures.draw(rng) for _ in range(OTHERS))
    one = deal(rng, shape, home, picture, others)
    page = designs.DESIGNS[design](rng, one)
    copy = _copy(rng, picture)
    path = None if keep is None else keep / f"{design}-{number}.png"
    if path is not None and path.exists():
        image = load_image(path)
        box = json.loads(path.with_suffix(".json").read_text())
    else:
        image, box = browser.shot(page, picture)
        if path is not None:
            save_image(image, path)
            path.with_suffix(".json").write_text(json.dumps(box))
            save_image(at_most(picture, 800), path.with_suffix(".jpg"))
    height, width = image.shape[:2]
    left, top, wide, high = (int(side) for side in box[:4])
    if left < 0 or top < 0 or left + wide > width or top + high > height:
        raise SystemExit(f"{design}-{number}: the board leaves the window")
    return PlayedScene(
        f"{design}-{number}-{shape}",
        design,
        image,
        one.board,
        one.goal,
        (left, top, wide, high),
        at_most(picture, int(rng.choice([600, 800, 1200]))),
        copy=copy,
        tile=(box[4], box[5]),
    )


def _playable(rng: np.random.Generator, pictures: Pictures, shape: Shape) -> Image:
    """A picture that one could play with: few of its pieces are of one colour."""
    while True:
        picture = pictures.draw(rng)
        side = 16
        small = cv2.resize(
            picture,
            (shape.cols * side, shape.rows * side),
            interpolation=cv2.INTER_AREA,
        )
        pieces = small.reshape(shape.rows, side, shape.cols, side, 3)
        spreads = pieces.std(axis=(1, 3)).max(axis=-1)
        if (spreads < FLAT_SPREAD).mean() < MOST_FLAT:
            return picture


def _copy(rng: np.random.Generator, picture: Image) -> Image:
    """Cropped by up to 4 % a side, 300 to 700 px, JPEG of quality 50 to 85."""
    height, width = picture.shape[:2]
    top, bottom = (round(height * cut) for cut in rng.uniform(0, 0.04, 2))
    left, right = (round(width * cut) for cut in rng.uniform(0, 0.04, 2))
    part = picture[top : height - bottom, left : width - right]
    small = at_most(np.ascontiguousarray(part), int(rng.integers(300, 700)))
    return as_jpeg(small, int(rng.integers(50, 86)))
