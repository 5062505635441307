"""Draw the README's pictures: a screenshot that is solved, and the page.

    python scripts/make_readme_pictures.py

``docs/pictures/solving.webp`` shows the emblem of sample_images: the screenshot, what
was read from it, and its solution played in the game's window. ``page.png`` shows the
page of ``imgpuzzle web`` with the coffee sample; it needs playwright and a Chromium,
and stays as it is without them.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image as PillowImage

import imgpuzzle
from imgpuzzle import Frame, Style
from imgpuzzle.files.image import Image, write_atomically
from imgpuzzle.render.files.frames import Setting

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "sample_images"
TARGET = ROOT / "docs" / "pictures"

WIDTH_PX = 720
START_MS, READ_MS, SOLVED_MS = 1600, 2400, 3000
FRAME_MS, SLIDE_MS, SLIDE_FRAMES = 420, 160, 3
MAX_BYTES = 1_500_000
PAGE_PX = {"width": 1180, "height": 760}
SOLVED = "document.querySelector('.tile.next') !== null"
SEARCHING = "document.querySelector('#search').classList.contains('running')"
WAIT_MS = 100
PATIENCE_MS = 120_000
STEPS_SHOWN = 3


def main() -> None:
    """Write both pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    solving = TARGET / "solving.webp"
    imgpuzzle.save(list(story()), solving)
    assert solving.stat().st_size < MAX_BYTES
    print(f"{solving}: {solving.stat().st_size:,} bytes")
    draw_page(TARGET / "page.png")


def story() -> Iterator[Frame]:
    """The screenshot, the reading, and the moves in the game's window."""
    screenshot = imgpuzzle.load_image(SAMPLES / "emblem_screenshot.png")
    guide = imgpuzzle.solve_image(
        screenshot, reference=SAMPLES / "emblem_reference.png"
    )
    assert guide.reading is not None
    yield Frame(reduced(screenshot), START_MS)
    yield Frame(reduced(imgpuzzle.annotate(screenshot, guide.reading)), READ_MS)
    style = Style(
        caption="none",
        frame_ms=FRAME_MS,
        slide_ms=SLIDE_MS,
        slide_frames=SLIDE_FRAMES,
        pause_ms=SOLVED_MS,
    )
    setting = Setting(screenshot, guide.reading.region)
    frames = imgpuzzle.render_animation(
        guide.solution, guide.tileset, style, setting=setting
    )
    # The first one is the screenshot again.
    for frame in list(frames)[1:]:
        yield Frame(reduced(frame.picture), frame.ms)


def reduced(picture: Image) -> Image:
    """A picture at the width of the README's."""
    height_px = round(picture.shape[0] * WIDTH_PX / picture.shape[1])
    small = PillowImage.fromarray(picture).resize(
        (WIDTH_PX, height_px), PillowImage.Resampling.LANCZOS
    )
    return np.asarray(small)


def draw_page(target: Path) -> None:
    """Take a picture of the page with the sample's solution."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        print(f"{target}: no Chromium, or no playwright; it stays as it is")
        return
    command = [sys.executable, "-m", "imgpuzzle", "web", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None
            with sync_playwright() as driver:
                browser = driver.chromium.launch(
                    executable_path=chromium, args=["--no-sandbox"]
                )
                page = browser.new_page(
                    viewport=PAGE_PX, locale="en-GB", reduced_motion="reduce"
                )
                page.goto(found[0])
                page.click("[data-sample=coffee]")
                for _ in range(PATIENCE_MS // WAIT_MS):
                    if page.evaluate(f"{SOLVED} && !{SEARCHING}"):
                        break
                    page.wait_for_timeout(WAIT_MS)
                for _ in range(STEPS_SHOWN):
                    page.keyboard.press("ArrowRight")
                    page.wait_for_timeout(WAIT_MS)
                taken = page.screenshot()
                browser.close()
        finally:
            server.terminate()
    out = io.BytesIO()
    picture = PillowImage.open(io.BytesIO(taken)).convert("RGB")
    picture.quantize(256).save(out, "PNG", optimize=True)
    write_atomically(target, out.getvalue())
    print(f"{target}: {len(out.getvalue()):,} bytes")


if __name__ == "__main__":
    main()
