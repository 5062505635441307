"""Draw docs/gallery: every style and every format, and the page that shows them.

    python scripts/make_gallery.py

What the page shows is small, and kept in git; files of all formats are left in
docs/gallery/made, which is not. The pictures of the HTML guide need playwright and a
Chromium; without them those that are there stay as they are.
"""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

from PIL import Image as PillowImage

import imgpuzzle
from imgpuzzle import Board, Style
from imgpuzzle.files.image import write_atomically
from imgpuzzle.guide import Guide
from imgpuzzle.render.files.png import encode_step_png

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "sample_images"
TARGET = ROOT / "docs" / "gallery"
MADE = TARGET / "made"
MOST_BYTES = 300_000
"""Of an animation that is kept."""
SIDE_PX = 264
STEP = 4

STYLES = (
    ("default", "", Style()),
    (
        "outline",
        "--highlight outline --caption plate",
        Style(arrow=False, caption="plate"),
    ),
    ("brighten", "--highlight brighten", Style(brighten=128, arrow=False)),
    ("dim", "--highlight outline,arrow,dim", Style(dim=True)),
    ("letters", "--coordinates letters", Style(coordinates="letters")),
    ("numbers", "--numbers", Style(numbers=True)),
    ("ahead", "--ahead 3", Style(ahead=3)),
    (
        "everything",
        "--highlight outline,arrow,dim --coordinates numbers --numbers --ahead 2 "
        "--theme dark",
        Style(
            dim=True,
            coordinates="numbers",
            numbers=True,
            ahead=2,
            theme="dark",
        ),
    ),
)


def main() -> None:
    """Solve the samples and write all pictures and the page."""
    MADE.mkdir(parents=True, exist_ok=True)
    start = Board.parse("2 1 7 / 5 3 6 / 4 8 0")
    emblem = PillowImage.open(SAMPLES / "emblem_reference.png").convert("RGB")
    picture = emblem.resize((SIDE_PX, SIDE_PX), PillowImage.Resampling.LANCZOS)
    guide = imgpuzzle.solve_board(start, picture=_array(picture))
    lines = [*_HEAD]
    for name, _, style in STYLES:
        steps = list(imgpuzzle.render_steps(guide.solution, guide.tileset, style))
        _write(f"style_{name}.png", encode_step_png(steps[STEP]))
    lines += _style_table()
    lines += _marks()
    lines += _animations(guide)
    lines += _sheets(guide)
    lines += _whole_screenshot()
    lines += _games()
    lines += _page(guide)
    page = "\n".join(lines).rstrip() + "\n"
    write_atomically(ROOT / "docs" / "GALLERY.md", page.encode())


_HEAD = (
    "# Gallery",
    "",
    "The picture safe of `sample_images`, as each option and each format shows it.",
    "Drawn by `python scripts/make_gallery.py`; the options are those of",
    "`imgpuzzle solve`. It leaves files of all formats in `docs/gallery/made`.",
    "",
)


def _style_table() -> list[str]:
    lines = ["## Steps", ""]
    for at in range(0, len(STYLES), 4):
        row = STYLES[at : at + 4]
        lines.append("| " + " | ".join(f"`{o or 'default'}`" for _, o, _ in row) + " |")
        lines.append("|" + "---|" * len(row))
        pictures = (f"![{n}](gallery/style_{n}.png)" for n, _, _ in row)
        lines += ["| " + " | ".join(pictures) + " |", ""]
    return lines


TEXTURES = {
    "gold": ((225, 170, 60), 28, (3, 1)),
    "wood": ((150, 95, 50), 22, (14, 1)),
    "sky": ((120, 180, 235), 18, (20, 14)),
    "grass": ((80, 140, 50), 30, (1, 3)),
}
"""Mean colour, how far levels are from it, and how far they go on across and down."""

# Machado, Oliveira and Fernandes (2009), severity 1: what is left of linear red, green
# and blue for eyes without the cones for green.
DEUTERANOPIA = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)


def _marks() -> list[str]:
    """The mark on pictures of its own colours, as it is, in grey, without green."""
    import cv2
    import numpy as np

    def texture(seed: int, colour: Any, levels: int, reach: tuple[int, int]) -> Any:
        noise = np.random.default_rng(seed).normal(size=(192, 192)).astype(np.float32)
        noise = cv2.GaussianBlur(noise, (0, 0), sigmaX=reach[0], sigmaY=reach[1])
        shades = noise[..., None] / noise.std() * levels
        return np.clip(np.array(colour) + shades, 0, 255).astype(np.uint8)

    def deuteranopic(picture: Any) -> Any:
        light = (picture / 255) ** 2.2 @ np.array(DEUTERANOPIA).T
        return (255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8)

    coffee = PillowImage.open(SAMPLES / "coffee_reference.jpg").resize((192, 192))
    pictures = [texture(seed, *how) for seed, how in enumerate(TEXTURES.values())]
    columns = []
    for picture in (*pictures, np.asarray(coffee)):
        guide = imgpuzzle.solve_board("1 2 3 / 4 0 5 / 7 8 6", picture=picture)
        steps = imgpuzzle.render_steps(
            guide.solution, guide.tileset, Style(caption="none")
        )
        shown = np.pad(next(iter(steps)), ((0, 6), (0, 6), (0, 0)), constant_values=255)
        grey = cv2.cvtColor(cv2.cvtColor(shown, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
        columns.append(np.vstack([shown, grey, deuteranopic(shown)]))
    PillowImage.fromarray(np.hstack(columns)).save(TARGET / "marks.webp", quality=85)
    return [
        "The mark has dark, white and amber lines, so that one of them differs from",
        "what is there: on gold, wood, sky, grass and coffee, in grey, and for eyes",
        "that do not tell green from red.",
        "",
        *("![the mark on five pictures](gallery/marks.webp)", ""),
    ]


def _animations(guide: Guide) -> list[str]:
    (file,) = guide.save(TARGET / "animation.gif", max_bytes=MOST_BYTES)
    size = f"{file.stat().st_size / 1000:.0f} kB"
    lines = [
        *("## Animations", ""),
        *(f"`--output animation.gif --max-bytes 300k`: {size}", ""),
        *(f"![animation](gallery/{file.name})", ""),
        *("At full size and speed:", "", "| format | size |", "|---|---|"),
    ]
    for suffix in (".gif", ".webp", ".avif", ".apng"):
        (file,) = guide.save(MADE / f"animation{suffix}")
        lines.append(f"| `{suffix}` | {file.stat().st_size / 1000:.0f} kB |")
    lines += ["", "`.mp4` needs the extra `video`.", ""]
    return lines


def _sheets(guide: Guide) -> list[str]:
    small = _smaller(guide, 120)
    lines = ["## Sheets and paper", ""]
    style = Style(title="The picture safe", coordinates="letters")
    for name, words, how in (
        ("sheet", "`--output sheet.png`", {"gap_px": 16}),
        ("compact", "`--compact`", {"gap_px": 16, "compact": True}),
    ):
        small.save(TARGET / f"{name}.png", style=Style(title=style.title), **how)
        lines += [words, "", f"![{name}](gallery/{name}.png)", ""]
    guide.save(MADE / "pages.pdf", style=style)
    lines += ["`--output pages.pdf` is two pages of A4.", ""]
    russian = Style(language="ru", title="Сейф с картинкой")
    (file,) = guide.save(MADE / "moves.md", style=russian)
    words = file.read_text("utf-8").splitlines()[:6]
    lines += ["`--output moves.md --language ru` begins with", ""]
    lines += ["```text", *words, "```", ""]
    return lines


def _whole_screenshot() -> list[str]:
    guide = imgpuzzle.solve_image(
        SAMPLES / "emblem_screenshot.png", reference=SAMPLES / "emblem_reference.png"
    )
    file = TARGET / "in_screenshot.webp"
    guide.save(file, in_screenshot=True, size=640, max_bytes=MOST_BYTES)
    return [
        "## In the whole screenshot",
        "",
        "`--in-screenshot --size 640 --max-bytes 300k`",
        "",
        "![the whole screenshot](gallery/in_screenshot.webp)",
        "",
    ]


def _games() -> list[str]:
    """What was read from the two real games, side by side."""
    cells = []
    for name in ("coffee", "numbers"):
        screenshot = imgpuzzle.load_image(SAMPLES / f"{name}_screenshot.png")
        read = imgpuzzle.annotate(screenshot, imgpuzzle.read_image(screenshot))
        shown = PillowImage.fromarray(read)
        shown.thumbnail((480, 480), PillowImage.Resampling.LANCZOS)
        shown.save(TARGET / f"read_{name}.webp", quality=85)
        cells.append(f"![{name}](gallery/read_{name}.webp)")
    return [
        *("## What was read", ""),
        "`imgpuzzle read shot.png --annotate read.png`, of the two real games among",
        "the samples. `imgpuzzle solve` puts it into its folder, too.",
        "",
        *("| gnome-taquin, with a photograph | sgt-fifteen |", "|---|---|"),
        *("| " + " | ".join(cells) + " |", ""),
    ]


def _page(guide: Guide) -> list[str]:
    emblem = imgpuzzle.load_image(SAMPLES / "emblem_reference.png")
    large = imgpuzzle.solve_board(guide.solution.start, picture=emblem)
    (file,) = large.save(MADE / "guide.html", style=Style(title="The picture safe"))
    _photograph(file)
    return [
        "## The page to click through",
        "",
        "`--output guide.html`, one file that works offline: keyboard, touch,",
        "auto-play, every position to jump to, dark mode, and paper.",
        "",
        "![the page on a desktop](gallery/page_desktop.png)",
        "",
        "![the page on a phone, dark](gallery/page_phone.png)",
    ]


def _photograph(file: Path) -> None:
    """Pictures of the page as two browsers show it."""
    chromium = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        print("no playwright or chromium: pictures of the page are not drawn anew")
        return
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, wide, high, scheme in (
            ("desktop", 1100, 760, "light"),
            ("phone", 390, 780, "dark"),
        ):
            page = browser.new_page(
                viewport={"width": wide, "height": high}, color_scheme=scheme
            )
            page.goto(f"{file.as_uri()}#5")
            page.wait_for_timeout(400)
            shot = PillowImage.open(io.BytesIO(page.screenshot())).convert("RGB")
            few = shot.quantize(256, dither=PillowImage.Dither.NONE)
            few.save(TARGET / f"page_{name}.png", optimize=True)
        browser.close()


def _smaller(guide: Guide, side_px: int) -> Guide:
    assert guide.picture is not None
    small = PillowImage.fromarray(guide.picture).resize((side_px, side_px))
    return Guide(guide.solution, picture=_array(small))


def _array(picture: PillowImage.Image) -> imgpuzzle.files.image.Image:
    import numpy as np

    return np.asarray(picture)


def _write(name: str, data: bytes) -> None:
    write_atomically(TARGET / name, data)


if __name__ == "__main__":
    main()
