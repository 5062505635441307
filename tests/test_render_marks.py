"""The mark on the tile to move: seen on any picture, hiding nothing, one everywhere."""

from __future__ import annotations

import dataclasses
import itertools
import re
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from render_oracles import (
    CASE,
    flat_tiles,
    luminance,
    noise_tiles,
    places,
    wandering,
)

import imgpuzzle
from imgpuzzle.cli.options import Given
from imgpuzzle.cli.writing import style_of
from imgpuzzle.core.board import Board, FullBoard, Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.moves import Motion, told_together
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.solution import Solution
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.guide import Guide
from imgpuzzle.pipeline import solve_board
from imgpuzzle.puzzles.full import Played
from imgpuzzle.puzzles.turn import Turning, Turns
from imgpuzzle.render.drawing.colours import AMBER, DARK
from imgpuzzle.render.drawing.hollow import melts
from imgpuzzle.render.drawing.looks import Looks
from imgpuzzle.render.drawing.marks import INNER, LIGHT, LINE, OUTER, frame_bands
from imgpuzzle.render.drawing.paths import RIM, arrow_path
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.frames import render_animation, render_steps
from imgpuzzle.render.page import render_page

PACKAGE = Path(imgpuzzle.__file__).parent
SAMPLES = Path(__file__).parent.parent / "sample_images"
BARE = Style(caption="none")


def sample(name: str) -> Image:
    return cv2.resize(load_image(SAMPLES / name), (180, 180))


def white() -> Image:
    picture = np.full((180, 180, 3), 250, np.uint8)
    picture[60:63] = (30, 60, 200)
    return picture


EMBLEM = sample("emblem_reference.png")
PICTURES = {
    "photograph": sample("photo_cat.jpg"),
    "emblem": EMBLEM,
    "white": white(),
    "black": np.zeros((180, 180, 3), np.uint8),
    "red": np.full((180, 180, 3), (220, 20, 20), np.uint8),
}


def given_marks(marks: str) -> Given:
    """The options of the command line with ``--highlight marks``."""
    return Given(highlight=marks, speed=1.0, fps=None)


# -- the tile stays what it is ------------------------------------------------------


@pytest.mark.parametrize("side", [18, 24, 33, 48, 60, 97, 180])
def test_numbers_are_never_covered(side: int) -> None:
    start = wandering(row_major(Shape(9, 9)), 60, 2)
    tiles = flat_tiles(Shape(9, 9), side, side)
    style = dataclasses.replace(BARE, numbers=True)
    looks = Looks(tiles, style, start.start.cells)
    clean = Looks(tiles, BARE, start.start.cells)
    shown = render_steps(start, tiles, style)
    for picture, board, cell in zip(shown, places(start), start.moves, strict=False):
        tile = board[cell]
        numbered = looks.stamp(tile, "plain").pixels
        plate = (numbered != clean.stamp(tile, "plain").pixels).any(axis=2)
        place = tiles.region(cell)
        found = picture[place.top : place.bottom, place.left : place.right]
        if not plate.any():
            assert side < 24
            continue
        # Its soft edge lets through a little of what is below.
        apart = np.abs(found[plate].astype(int) - numbered[plate]).max(axis=1)
        assert (apart < 4).mean() > 0.85


# -- seen on anything ---------------------------------------------------------------


def contrast(one: Any, other: Any) -> float:
    low, high = sorted(float(luminance(each)) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def test_one_of_the_lines_stands_out_from_any_colour() -> None:
    # 3 to 1 is what WCAG 2.2 asks of graphics (1.4.11).
    assert contrast(AMBER, DARK) > 9
    for colour in itertools.product(range(0, 256, 15), repeat=3):
        assert max(contrast(colour, AMBER), contrast(colour, DARK)) >= 3
        # The double line alone does more, and needs no colour for it.
        assert max(contrast(colour, (255,) * 3), contrast(colour, DARK)) >= 4


# -- the blank ----------------------------------------------------------------------


def with_blank(colour: tuple[int, int, int], picture: Image) -> TileSet:
    tiles = TileSet.cut(picture, CASE.start, CASE.goal)
    pictures = list(tiles.tiles)
    pictures[CASE.start.blank] = np.full_like(pictures[0], colour)
    return dataclasses.replace(tiles, tiles=tuple(pictures), background=colour)


@pytest.mark.parametrize(
    ("colour", "name", "theme", "hidden"),
    [
        ((255, 255, 255), "emblem", "light", True),
        ((255, 255, 255), "emblem", "auto", True),
        ((255, 255, 255), "emblem", "dark", False),
        ((246, 247, 249), "photograph", "light", True),
        ((20, 22, 28), "photograph", "dark", True),
        ((38, 40, 46), "photograph", "light", False),
        ((90, 150, 90), "emblem", "light", False),
        ((0, 0, 0), "black", "light", True),
        ((250, 250, 250), "white", "dark", True),
        ((220, 22, 20), "red", "light", True),
    ],
)
def test_a_blank_that_would_melt_has_a_pattern(
    colour: tuple[int, int, int], name: str, theme: Any, hidden: bool
) -> None:
    tiles = with_blank(colour, PICTURES[name])
    style = dataclasses.replace(BARE, theme=theme)
    assert melts(tiles, CASE.start.blank, style) == hidden
    last = list(render_steps(CASE, tiles, style))[-1]
    place = tiles.region(CASE.goal.blank)
    blank = last[place.top : place.bottom, place.left : place.right].astype(int)
    apart = np.abs(blank - colour).max(axis=2)
    if not hidden:
        assert apart.max() == 0
        return
    # A rim all around, lines within, and most of it as it was.
    assert apart[0].min() > 60
    assert apart[:, -1].min() > 60
    assert 0.03 < (apart[5:-5, 5:-5] > 15).mean() < 0.3
    assert (apart == 0).mean() > 0.6


# -- one look everywhere ------------------------------------------------------------


def test_a_slide_of_several_tiles_has_one_frame() -> None:
    solution = wandering(row_major(Shape(4, 5)), 40, 1)
    tiles = noise_tiles(Shape(4, 5), 40, 40, gap=3, top=150)
    found = 0
    slides = list(solution.slides())
    panels = render_steps(dataclasses.replace(solution, metric="slide"), tiles, BARE)
    for steps, panel in zip(slides, panels, strict=False):
        if len(steps) < 2:
            continue
        found += 1
        regions = [tiles.region(step.origin) for step in steps]
        top, left = min(r.top for r in regions), min(r.left for r in regions)
        bottom, right = max(r.bottom for r in regions), max(r.right for r in regions)
        part = panel[top:bottom, left:right]
        amber = (part == AMBER).all(axis=2)
        outer, light, line, _ = frame_bands(40)
        outer += light
        band = np.zeros_like(amber)
        band[outer:-outer, outer:-outer] = True
        inner = outer + line
        band[inner:-inner, inner:-inner] = False
        # All around but where the arrow's edge crosses it.
        assert amber[band].mean() > 0.9
    assert found > 3


def numbers_of(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def test_the_guide_has_the_values_of_the_pictures() -> None:
    tiles = TileSet.cut(PICTURES["emblem"], CASE.start, CASE.goal)
    page = render_page(CASE, tiles)
    for name, value in {
        "mark": f"#{bytes(AMBER).hex()}",
        "night": f"#{bytes(DARK).hex()}",
        "frame-outer": str(OUTER),
        "frame-light": str(LIGHT),
        "frame-line": str(LINE),
        "frame-inner": str(INNER),
        "arrow-edge": f"{200 * RIM:g}",
    }.items():
        assert f"--{name}: {value};" in page
    path = re.search(r'id="arrow-path" d="([^"]+)"', page)
    assert path
    found = np.array(numbers_of(path[1])).reshape(-1, 2) / 100 - 0.5
    np.testing.assert_allclose(found, arrow_path(0.5), atol=1e-4)


def test_the_pages_of_the_browser_have_them_too() -> None:
    """Their files are not drawn by Python: they must say the same."""
    static = PACKAGE / "web" / "static"
    shared = (PACKAGE / "data" / "player.css").read_text("utf-8")
    styles = "\n".join(path.read_text("utf-8") for path in sorted(static.glob("*.css")))
    for name in ("mark", "night", "frame-outer", "arrow-edge"):
        assert f"--{name}: " in shared
        assert f"--{name}: " not in styles
    # Nothing brightens the tile.
    assert "plus-lighter" not in styles + shared
    drawn = "\n".join(path.read_text("utf-8") for path in sorted(static.glob("*.js")))
    corners = {tuple(point) for point in (100 * (arrow_path(0.5) + 0.5)).round(6)}
    (path,) = re.findall(r'"(M-13 44H[^"]+Z)"', drawn)
    at, outline = (0.0, 0.0), set()
    for letter, text in re.findall(r"([MHVL])([^MHVLZ]*)", path):
        given = numbers_of(text)
        x = given[0] if letter != "V" else at[0]
        at = (x, given[-1] if letter != "H" else at[1])
        outline.add(at)
    assert outline == corners


# -- what is asked for is done ------------------------------------------------------


def page_for(**how: Any) -> str:
    tiles = TileSet.cut(PICTURES["photograph"], CASE.start, CASE.goal)
    return render_page(CASE, tiles, Style(**how))


def body_of(page: str) -> set[str]:
    found = re.search(r'<body class="([^"]*)"', page)
    assert found
    return set(found[1].split())


def test_the_guide_obeys_the_highlight() -> None:
    default = page_for()
    assert body_of(default) == set()
    assert "--lift:" not in default.split("<body")[1]
    assert default.count('class="tile framed') == 8
    assert page_for(outline="never").count('class="tile framed') == 0
    assert body_of(page_for(arrow=False)) == {"arrowless"}
    bright = page_for(brighten=100, arrow=False)
    assert body_of(bright) == {"lifting", "arrowless"}
    assert bright.count("--lift:rgb(100 100 100)") == 8


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ("outline,arrow", Style(outline="always")),
        ("outline", Style(outline="always", arrow=False)),
        ("arrow", Style(outline="never")),
        ("brighten", Style(outline="auto", brighten=100, arrow=False)),
        ("outline,brighten", Style(outline="always", brighten=100, arrow=False)),
    ],
)
def test_words_of_the_command_line(marks: str, expected: Style) -> None:
    assert style_of(given_marks(marks)) == expected


# -- slides -------------------------------------------------------------------------

SLIDES = Solution(
    Board.parse("5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 14 11 15 0"),
    Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0"),
    (14, 13, 12, 8, 4, 0, 1, 2, 6, 10, 14, 15),
    5,
    metric="slide",
)


def test_a_guide_of_slides_has_a_picture_a_slide(tmp_path: Path) -> None:
    picture = np.full((160, 160, 3), 90, np.uint8)
    guide = Guide(SLIDES, picture=picture)
    with zipfile.ZipFile(guide.save(tmp_path / "guide.zip")[0]) as archive:
        names = archive.namelist()
        text = archive.read("guide.md").decode()
    assert [name for name in names if name.endswith(".png")] == [
        f"step_{number:02d}.png" for number in range(1, 7)
    ]
    # Each sentence names the tile to push, the same in all texts.
    wanted = [told_together(run, Naming(numbers=False)) for run in SLIDES.slides()]
    for number, said in enumerate(wanted, start=1):
        assert f"**{number}.** {said[0].upper()}{said[1:]}." in text
    plain = guide.save(tmp_path / "guide.txt")[0].read_text("utf-8")
    assert all(f"{number}. {said}\n" in plain for number, said in enumerate(wanted, 1))
    page = guide.save(tmp_path / "guide.html")[0].read_text("utf-8")
    assert "This page goes by single moves: 12." in page
    assert "Single move 1 of 12" in page


def test_a_dot_is_on_the_tile_to_push() -> None:
    picture = np.full((160, 160, 3), 90, np.uint8)
    tiles = TileSet.cut(picture, SLIDES.start, SLIDES.goal)
    shown = list(render_steps(SLIDES, tiles, BARE))
    assert len(shown) == 6
    for step, run in zip(shown, SLIDES.slides(), strict=False):
        amber = (step == AMBER).all(axis=2)
        # The dot alone is as wide one way as the other: no shaft comes so near.
        dotted = [
            cell
            for cell in range(16)
            for row, col in [divmod(cell, 4)]
            if amber[40 * row + 20, 40 * col + 17 : 40 * col + 23].all()
            and amber[40 * row + 17 : 40 * row + 23, 40 * col + 20].all()
        ]
        # In the empty cell lies the arrow's head.
        assert set(dotted) - {run[0].target} == {run[-1].origin}
    frames = list(render_animation(SLIDES, tiles, BARE))
    assert len(frames) == 2 + 5 * (1 + BARE.slide_frames)


def test_moves_of_several_tiles_are_outlined_ahead() -> None:
    swaps = solve_board(FullBoard.parse("2 1 4 3 / 6 5 8 7"), puzzle="swap").solution
    tiles = TileSet.numbered(swaps.start, tile_px=40)
    plain, ahead = (
        list(render_steps(swaps, tiles, Style(ahead=count))) for count in (0, 3)
    )
    changed = [(a != b).any() for a, b in zip(plain, ahead, strict=True)]
    assert changed == [True, True, True, False, False]


class Flipped(Turning):
    """A tile and its neighbours each turn about their own middle."""

    @property
    def motions(self) -> tuple[Motion, ...]:
        cells = self.origin, *self.shape.neighbours(self.origin)
        tiles = self.position.cells
        return tuple(Motion(tiles[cell], cell, cell, turn=2) for cell in cells)


class Flips(Turns):
    made = Flipped


@pytest.mark.parametrize("cell", [0, 1, 4])
def test_tiles_that_stay_are_in_no_frame_of_others(cell: int) -> None:
    kind = Flips()
    goal = kind.layout(Shape(3, 3), "row", None)
    move = kind.move(1, goal, 4 * cell + 2)
    codes = (4 * cell + 2,)
    flips = Played(move.after, goal, codes, 1, metric=kind.name, kind=kind)
    side = 40
    tiles = TileSet.numbered(flips.start, tile_px=side)
    shown = next(render_steps(flips, tiles, dataclasses.replace(BARE, arrow=False)))
    outer, light, line, _ = frame_bands(side)
    edge = np.zeros((side, side), np.bool_)
    edge[outer + light : -outer - light, outer + light : -outer - light] = True
    within = outer + light + line
    edge[within:-within, within:-within] = False
    framed = set()
    for place in range(9):
        at = tiles.region(place)
        part = shown[at.top : at.bottom, at.left : at.right]
        amber = (part == AMBER).all(axis=2)
        assert amber[edge].all() or not amber.any()
        framed |= {place} if amber.any() else set()
    assert framed == {cell, *Shape(3, 3).neighbours(cell)}
