"""Folders stay small: what gives way, and that the pictures are still the steps."""

from __future__ import annotations

import dataclasses
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as PillowImage
from render_oracles import flat_tiles, noise_tiles, places, wandering

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.files.image import Image, decode_image
from imgpuzzle.guide import Guide
from imgpuzzle.messages import Message
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.frames import Drawing
from imgpuzzle.render.sheets.pages import panels_a_sheet, render_pages
from imgpuzzle.render.within import plan_steps, sheets_within, step_tasks

BARE = Style(caption="none", outline="never", arrow=False)


def coloured_noise(shape: Shape, side: int) -> TileSet:
    """Tiles of one colour each under noise that no encoder can pack."""
    flat, noise = flat_tiles(shape, side, side), noise_tiles(shape, side, side, top=60)
    tiles = tuple(a + b for a, b in zip(flat.tiles, noise.tiles, strict=True))
    return dataclasses.replace(flat, tiles=tiles)


def cell_colours(picture: Image, shape: Shape) -> Image:
    """The mean colour of the middle of each cell."""
    high, wide = picture.shape[0] / shape.rows, picture.shape[1] / shape.cols
    found = []
    for cell in range(shape.size):
        row, col = divmod(cell, shape.cols)
        part = picture[
            int((row + 0.3) * high) : int((row + 0.7) * high),
            int((col + 0.3) * wide) : int((col + 0.7) * wide),
        ]
        found.append(part.reshape(-1, 3).mean(axis=0))
    return np.array(found)


def check_steps(pictures: list[Image], solution: Solution, tiles: TileSet) -> None:
    colours = np.array([tile.reshape(-1, 3).mean(axis=0) for tile in tiles.tiles])
    boards = list(places(solution))
    assert len(pictures) == len(boards)
    for number, (picture, board) in enumerate(zip(pictures, boards, strict=True)):
        apart = np.abs(cell_colours(picture, tiles.shape) - colours[board]).max(axis=1)
        if number < solution.move_count:
            apart[solution.moves[number]] = 0  # shown as the one to move
        # Tiles differ by 30 and more; a palette cannot have all of the noise.
        assert apart.max() < 14, number


def test_steps_give_way_no_more_than_they_must() -> None:
    solution = wandering(row_major(Shape(4, 4)), 12, 1)
    tiles = coloured_noise(Shape(4, 4), 100)

    def drawn(allowed: float, **how: bool) -> tuple[list[bytes], bool, int]:
        plan = plan_steps(Drawing(solution, tiles, BARE), allowed, **how)
        files = [task() for task in step_tasks(plan)]
        pictures = [decode_image(data) for data in files]
        check_steps(pictures, solution, tiles)
        assert sum(map(len, files)) <= allowed
        return files, plan.indexed, pictures[0].shape[0]

    whole, indexed, side = drawn(1e9)
    assert (indexed, side) == (False, 400)
    total = sum(map(len, whole))
    few, indexed, side = drawn(1e9, indexed=True)
    assert (indexed, side) == (True, 400)
    assert sum(map(len, few)) < 0.5 * total
    _, indexed, side = drawn(0.5 * total)
    assert (indexed, side) == (True, 400)
    small, indexed, side = drawn(0.2 * total)
    assert indexed
    assert 200 <= side < 400
    # What is allowed is used.
    assert sum(map(len, small)) > 0.12 * total


def test_pictures_do_not_vanish() -> None:
    solution = wandering(row_major(Shape(4, 4)), 2, 1)
    for side, shown in ((100, 200), (20, 80)):
        tiles = coloured_noise(Shape(4, 4), side)
        plan = plan_steps(Drawing(solution, tiles, BARE), 1)
        assert plan.drawing.tileset.width == shown


def test_sheets_give_way_to_a_smaller_size() -> None:
    shape = Shape(3, 3)
    solution = wandering(row_major(shape), 16, 1)
    tiles = coloured_noise(shape, 100)
    how = {"columns": 4, "per_page": 8, "gap_px": 20}

    def drawn(allowed: float) -> list[bytes]:
        options = SaveOptions(**how)
        drawing = Drawing(solution, tiles, BARE)
        count, files = sheets_within(drawing, allowed, options)
        sheets = list(files)
        assert len(sheets) == count
        return sheets

    whole = drawn(1e9)
    pages = list(render_pages(solution, tiles, BARE, SaveOptions(**how)))
    for data, page in zip(whole, pages, strict=True):
        np.testing.assert_array_equal(decode_image(data), page)
    total = sum(map(len, whole))
    for share in (0.7, 0.5):
        small = drawn(share * total)
        assert 0.8 * share * total < sum(map(len, small)) <= 1.05 * share * total
        assert len(small) == len(whole)
        # The same sheets, of tiles of that size.
        wide = (decode_image(small[0]).shape[1] - 5 * 20) / 4
        some = tiles.scaled((wide + 0.5) / 300)
        expected = render_pages(solution, some, BARE, SaveOptions(**how))
        for data, page in zip(small, expected, strict=True):
            np.testing.assert_array_equal(decode_image(data), page)


@given(st.integers(2, 12), st.integers(2, 12), st.integers(1, 400), st.integers(1, 40))
@settings(deadline=None)
def test_sheets_are_filled_evenly(
    rows: int, cols: int, panels: int, columns: int
) -> None:
    shape = Shape(rows, cols)
    most = panels_a_sheet(shape, panels, columns)
    assert most % columns == 0
    sheets = -(-panels // most)
    if sheets == 1:
        assert panels <= max(30, columns)
        return
    assert most + columns > 12
    assert most <= max(30, columns)
    last = -(-(panels - (sheets - 1) * most) // columns)
    # The last has at least half as many rows as the others, but for odd remainders.
    assert last >= min(most // columns, 2) or sheets > 3


def test_larger_boards_have_fewer_panels_a_sheet() -> None:
    found = [panels_a_sheet(Shape(n, n), 10_000, 5) for n in range(3, 9)]
    assert found == [30, 25, 20, 15, 15, 15]
    # All of the hardest 3x3 boards' 31 moves, and two sheets that share one more.
    assert panels_a_sheet(Shape(3, 3), 30, 5) == 30
    assert panels_a_sheet(Shape(3, 3), 32, 5) == 20


@pytest.mark.parametrize(
    ("shape", "moves", "side", "limit"),
    [(Shape(3, 3), 25, 130, 20e6), (Shape(5, 5), 110, 40, 20e6)],
)
def test_a_folder_of_noise_stays_small(
    shape: Shape, moves: int, side: int, limit: float, tmp_path: Path
) -> None:
    solution = wandering(row_major(shape), moves, 5)
    tiles = coloured_noise(shape, side)
    guide = Guide(solution)
    guide.__dict__["tileset"] = tiles
    shown: list[str] = []
    files = guide.save(tmp_path / "out", style=BARE, note=shown.append)
    assert sum(file.stat().st_size for file in files) < limit
    steps = [file for file in files if file.name.startswith("step_")]
    check_steps([decode_image(f.read_bytes()) for f in steps], solution, tiles)
    sheets = [file.name for file in files if file.name.startswith("overview")]
    count = -(-(moves + 1) // panels_a_sheet(shape, moves + 1, 5))
    wanted = [f"overview_{n}.png" for n in range(1, count + 1)]
    assert sheets == (wanted if count > 1 else ["overview.png"])
    with PillowImage.open(steps[0]) as picture:
        assert picture.mode == "P"
        size = f"{picture.width}x{picture.height}"
        full = picture.width == side * shape.cols
    words = f"step pictures: scaled to {size} px, --full-size keeps them"
    assert shown == ([] if full else [words])


def test_full_size_is_full_size(tmp_path: Path) -> None:
    solution = wandering(row_major(Shape(2, 2)), 41, 5)
    tiles = noise_tiles(Shape(2, 2), 40, 40)
    guide = Guide(solution)
    guide.__dict__["tileset"] = tiles

    def first(name: str, **how: bool) -> str:
        guide.save(tmp_path / name, style=BARE, **how)
        with PillowImage.open(tmp_path / name / "step_01.png") as picture:
            return f"{picture.mode} {picture.width}"

    assert first("usual") == "P 80"
    assert first("full", full_size=True) == "RGB 80"


@pytest.mark.slow
def test_a_file_has_a_limit_that_can_be_lifted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guide = Guide(wandering(row_major(Shape(4, 4)), 20, 1))
    limit = 330_000
    monkeypatch.setattr("imgpuzzle.outputs.FILE_BYTES", limit)
    # Tries that are far too large are not finished.
    monkeypatch.setattr("imgpuzzle.render.files.animation.GIVEN_UP_BYTES", 0)

    def written(name: str, **how: bool) -> tuple[int, list[str]]:
        notes: list[Message] = []
        files = guide.save(tmp_path / name, note=notes.append, **how)
        return sum(file.stat().st_size for file in files), list(map(str, notes))

    for name, words in (
        ("steps.zip", "step pictures: scaled to"),
        ("sheet.png", "sheets: pictures of"),
        ("moves.apng", "APNG: scaled to"),
    ):
        size, (note,) = written(name)
        assert note.startswith(words)
        assert note.endswith(", --full-size keeps them")
        # Animations have to be seen well besides.
        assert size <= limit or name == "moves.apng"
        whole, notes = written(name, full_size=True)
        assert whole > 1.1 * size
        assert notes == []


def test_an_archive_is_never_held_in_memory(tmp_path: Path) -> None:
    guide = Guide(wandering(row_major(Shape(3, 3)), 60, 1))
    guide.save(tmp_path / "first.json")  # what is imported once
    tracemalloc.start()
    try:
        (file,) = guide.save(tmp_path / "steps.zip", full_size=True)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        frame = decode_image(archive.read("step_01.png")).nbytes
    # A few frames on their way, but not all of the 61.
    assert peak < 25 * frame
