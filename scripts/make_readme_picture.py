"""Draw docs/overview.png, the README's picture: a screenshot and its guide.

    python scripts/make_readme_picture.py

Solves the emblem of sample_images and sets the screenshot, with what was found
drawn on it, beside the sheet of all steps.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image as PillowImage
from PIL import ImageDraw

import imgpuzzle
from imgpuzzle.image import write_atomically

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "sample_images"
TARGET = ROOT / "docs" / "overview.png"

HEIGHT_PX = 400
GAP_PX = 24
ARROW_PX = 72
COLUMNS = 7
GREY = (110, 116, 128)


def scaled(picture: PillowImage.Image, height_px: int) -> PillowImage.Image:
    """The picture at another height, its proportions kept."""
    width_px = round(picture.width * height_px / picture.height)
    return picture.resize((width_px, height_px), PillowImage.Resampling.LANCZOS)


def arrow() -> PillowImage.Image:
    """A grey arrow to the right, on white; drawn large and reduced."""
    high = wide = ARROW_PX * 4
    picture = PillowImage.new("RGB", (wide, high), "white")
    draw = ImageDraw.Draw(picture)
    middle, shaft, head = high // 2, high // 12, high // 4
    draw.rectangle((0, middle - shaft, wide - head, middle + shaft), fill=GREY)
    tip = [(wide - head, middle - head), (wide, middle), (wide - head, middle + head)]
    draw.polygon(tip, fill=GREY)
    return scaled(picture, ARROW_PX)


def main() -> None:
    """Solve the sample and write the picture."""
    screenshot = imgpuzzle.load_image(SAMPLES / "emblem_screenshot.png")
    guide = imgpuzzle.solve_image(
        screenshot, reference=SAMPLES / "emblem_reference.png"
    )
    assert guide.reading is not None
    seen = imgpuzzle.annotate(screenshot, guide.reading)
    sheet = imgpuzzle.render_sheet(guide.solution, guide.tileset, columns=COLUMNS)
    parts = [
        scaled(PillowImage.fromarray(seen), HEIGHT_PX),
        arrow(),
        scaled(PillowImage.fromarray(sheet), HEIGHT_PX),
    ]
    width = sum(part.width for part in parts) + GAP_PX * (len(parts) + 1)
    page = PillowImage.new("RGB", (width, HEIGHT_PX + 2 * GAP_PX), "white")
    left = GAP_PX
    for part in parts:
        page.paste(part, (left, (page.height - part.height) // 2))
        left += part.width + GAP_PX
    out = io.BytesIO()
    page.quantize(256).save(out, "PNG", optimize=True)
    TARGET.parent.mkdir(exist_ok=True)
    write_atomically(TARGET, out.getvalue())
    print(f"{TARGET}: {page.width}x{page.height} px, {len(out.getvalue()):,} bytes")


if __name__ == "__main__":
    main()
