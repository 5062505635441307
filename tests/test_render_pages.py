"""Pages of panels, as pictures and as PDF, read back without the code that wrote."""

from __future__ import annotations

import io
import itertools
import shutil
import subprocess
import tracemalloc
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image as PillowImage
from render_oracles import (
    cells_of_panels,
    encode_pdf,
    flat_tiles,
    noise_tiles,
    places,
    puzzles,
    step_pictures,
    wandering,
)

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.naming import capitalised
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import InvalidImageError, UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.sheets.pages import page_heading, render_pages
from imgpuzzle.render.sheets.paper import GAP, Grid, Margins, Paper, choose_grid
from imgpuzzle.render.sheets.pdf import first_page

PLAIN = Style(outline="never", arrow=False, bleach=100)
A4, LETTER = (595.2756, 841.8898), (612.0, 792.0)


@given(puzzles(), st.integers(1, 4), st.integers(1, 9), st.integers(0, 13))
@settings(max_examples=25, deadline=None)
def test_pages_hold_the_step_pictures_in_order(
    puzzle: tuple[Solution, TileSet], columns: int, per_page: int, gap: int
) -> None:
    # Tiles and gaps this small leave no room for numbers.
    solution, tiles = puzzle
    pages = list(
        render_pages(
            solution,
            tiles,
            columns=columns,
            per_page=per_page,
            gap_px=gap,
            style=PLAIN,
            legend=False,
        )
    )
    expected = step_pictures(solution, tiles, 100)
    assert len(pages) == -(-len(expected) // per_page)
    wide = min(columns, per_page, len(expected))
    left = iter(expected)
    for page in pages:
        assert page.shape[1] == pages[0].shape[1]
        chunk = list(itertools.islice(left, per_page))
        rows = -(-len(chunk) // wide)
        # Below the panels there is only their last gap.
        top = len(page) - rows * (tiles.height + gap)
        assert (page[:top].min(axis=2) < 100).any() == (len(pages) > 1)
        for place, picture in enumerate(chunk):
            row, col = cells_of_panels(len(chunk), wide)[place]
            y = top + row * (tiles.height + gap)
            x = gap + col * (tiles.width + gap)
            part = page[y : y + tiles.height, x : x + tiles.width]
            np.testing.assert_array_equal(part, picture)
    assert next(left, None) is None


def test_pages_are_numbered_and_tell_their_moves() -> None:
    spans = [(21, 21), (22, 22), (23, 25)]
    assert page_heading(2, 7, spans, "en") == "Page 2 of 7: moves 21 to 25"
    assert page_heading(2, 7, spans, "ru") == "Страница 2 из 7: ходы 21–25"
    assert page_heading(3, 3, [(4, 4), (0, 0)], "en") == "Page 3 of 3: move 4"
    assert page_heading(3, 3, [(0, 0)], "ru") == "Страница 3 из 3"
    solution = wandering(row_major(Shape(3, 3)), 11, 2)
    tiles = flat_tiles(Shape(3, 3), 30, 30)
    pages = list(render_pages(solution, tiles, per_page=4, columns=4))
    bare = list(render_pages(solution, tiles, per_page=4, columns=4, legend=False))
    assert len(pages) == len(bare) == 3
    # The heads differ from page to page; only the first explains the marks.
    high = len(bare[0]) - 120
    assert len({page[:high].tobytes() for page in bare}) == 3
    assert len(pages[0]) > len(pages[1]) > len(bare[1])
    assert len({len(page) for page in bare}) == 1


def test_pages_need_the_memory_of_one() -> None:
    solution = wandering(row_major(Shape(3, 3)), 99, 4)
    tiles = noise_tiles(Shape(3, 3), 40, 40)
    size = max(page.nbytes for page in render_pages(solution, tiles, per_page=5))
    tracemalloc.start()
    for _ in render_pages(solution, tiles, per_page=5):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * size < 12 * size


def test_options_out_of_range_are_refused_at_once() -> None:
    solution = wandering(row_major(Shape(3, 3)), 4, 1)
    tiles = flat_tiles(Shape(3, 3), 9, 9)
    other = flat_tiles(Shape(2, 3), 9, 9)
    with pytest.raises(UsageError, match="panels a page from 1"):
        render_pages(solution, tiles, per_page=0)
    for wrong, why in (
        ({"columns": 0}, "columns from 1"),
        ({"gap_px": -1}, "gap from 0"),
        ({"max_px": 20, "per_page": 5}, "5 steps"),
    ):
        with pytest.raises(UsageError, match=why):
            render_pages(solution, tiles, **wrong)
    with pytest.raises(InvalidImageError):
        render_pages(solution, other)
    with pytest.raises(InvalidImageError):
        encode_pdf(solution, other)
    with pytest.raises(UsageError, match="one of a4, letter"):
        encode_pdf(solution, tiles, paper="a5")
    with pytest.raises(UsageError, match="found 'a4' and 61"):
        encode_pdf(solution, tiles, per_page=61)


class Word(NamedTuple):
    """A line of type: its places in px of the picture, from the left and the top."""

    text: str
    left: float
    base: float
    size: float


class Page(NamedTuple):
    """What a page of a PDF consists of; the picture has 200 dots an inch."""

    box: tuple[float, float]
    picture: Image | None
    words: list[Word]


def pages_of(data: bytes) -> list[Page]:
    """The pages as another library finds them."""
    return [
        _page(page) for page in pypdf.PdfReader(io.BytesIO(data), strict=True).pages
    ]


def _page(page: Any) -> Page:
    box = float(page.mediabox.width), float(page.mediabox.height)
    pictures = [one for one in page.images if one.name.endswith(".jpg")]
    assert len(pictures) == len(page.images) <= 1
    words: list[Word] = []

    def see(text: str, cm: Any, tm: Any, font: Any, size: float) -> None:
        if text.strip():
            px = 200 / 72
            base = (box[1] - tm[5]) * px
            words.append(Word(text.strip(), tm[4] * px, base, size * px))

    page.extract_text(visitor_text=see)
    picture = np.asarray(pictures[0].image) if pictures else None
    return Page(box, picture, words)


def runs(flags: NDArray[np.bool_], least: int) -> list[tuple[int, int]]:
    """Where flags are set, at least so many in a row."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    found = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    return [(a, b) for a, b in found if b - a >= least]


def panels_of(picture: Image) -> list[tuple[int, int, int, int]]:
    """Large dark areas on white paper, row by row: top, bottom, left, right."""
    dark = picture.min(axis=2) < 200
    found = []
    for top, bottom in runs(dark.mean(axis=1) > 0.1, 60):
        for left, right in runs(dark[top:bottom].mean(axis=0) > 0.6, 60):
            found.append((top, bottom, left, right))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "moves", "per_page", "turned", "paper"),
    [
        (Shape(3, 3), 20, 12, False, "a4"),
        (Shape(3, 3), 20, 12, False, "letter"),
        (Shape(3, 3), 0, 12, False, "a4"),
        (Shape(2, 5), 5, 2, False, "letter"),
        (Shape(4, 4), 7, 2, True, "a4"),
        (Shape(5, 2), 4, 3, False, "letter"),
    ],
)
def test_a_pdf_shows_every_step_on_its_paper(
    paper: str, shape: Shape, moves: int, per_page: int, turned: bool
) -> None:
    solution = wandering(row_major(shape), moves, 3)
    tiles = flat_tiles(shape, 40, 40)
    data = encode_pdf(solution, tiles, paper=paper, per_page=per_page, style=PLAIN)
    size = {"a4": A4, "letter": LETTER}[paper]
    boards = list(places(solution))
    shown = 0
    sizes = set()
    for page in pages_of(data):
        assert page.box == pytest.approx(size[::-1] if turned else size, abs=0.01)
        wide, high = (round(side / 72 * 200) for side in page.box)
        # Nothing is printed on the outer 11 mm.
        assert min(word.left for word in page.words) > 86
        assert min(word.base - word.size for word in page.words) > 86
        assert max(word.base for word in page.words) < high - 86
        if page.picture is None:
            continue
        assert page.picture.shape == (high, wide, 3)
        found = panels_of(page.picture)
        assert 0 < len(found) <= per_page
        for top, bottom, left, right in found:
            sizes.add((bottom - top, right - left))
            check_panel(
                page.picture[top:bottom, left:right], solution, tiles, boards, shown
            )
            inside = [word for word in page.words if top <= word.base <= bottom]
            assert not [one for one in inside if left - 9 < one.left < right]
            if shown < moves:
                above = [w for w in page.words if 0 < top - w.base < 20]
                labels = [w.text for w in above if abs(w.left - left) < 3]
                assert labels == [str(shown + 1)]
            shown += 1
    assert shown == moves + 1
    assert len(sizes) <= 4  # all of one size, but for the fringes of JPEG
    most = max(max(size) for size in sizes)
    assert most > 0.5 * wide / min(per_page, moves + 1) ** 0.5


@pytest.mark.parametrize("cells", [3, 5])
@pytest.mark.parametrize("per_page", [1, 2, 4, 7, 12])
def test_fewer_panels_a_page_fill_it(cells: int, per_page: int) -> None:
    tiles = flat_tiles(Shape(cells, cells), 40, 40)
    grid, found = choose_grid(
        tiles, PLAIN, 46, "a4", lambda paper: Margins(150, 400), per_page
    )
    full, last = grid.counts[:-1], grid.counts[-1]
    assert sum(grid.counts) == 46
    assert set(full[:-1]) == {per_page}
    assert last > 1 or grid.shared or per_page == 1
    wide, high = grid.paper.room
    rows = -(-per_page // grid.columns)
    used = grid.columns * found.width / wide, rows * found.height / high
    assert max(used) > 0.7
    assert min(used) > 0.5


@given(
    st.integers(1, 60), st.integers(1, 7), st.integers(40, 900), st.integers(0, 2100)
)
def test_rows_fill_the_page_and_keep_together(
    count: int, columns: int, high: int, spare: int
) -> None:
    rows = -(-count // columns)
    room = rows * (high + GAP) + spare
    pitch = Grid(Paper(210, 297), columns, (count,), False).pitch(count, high, room)
    assert high + GAP <= pitch <= high + GAP + high // 3
    assert (rows - 1) * pitch + high + GAP <= room
    if rows > 1 and pitch < high + GAP + high // 3:
        assert room - (rows - 1) * pitch - high - GAP < rows


def check_panel(
    panel: Image, solution: Solution, tiles: TileSet, boards: list[list[int]], step: int
) -> None:
    """The middle of each cell has the colour of the tile that lies there then."""
    shape = tiles.shape
    for cell, tile in enumerate(boards[step]):
        row, col = divmod(cell, shape.cols)
        y = round((row + 0.5) * panel.shape[0] / shape.rows)
        x = round((col + 0.5) * panel.shape[1] / shape.cols)
        colour = tiles.tiles[tile][0, 0].astype(int)
        if step < solution.move_count and solution.moves[step] == cell:
            colour = np.minimum(colour + 100, 255)
        found = panel[y - 3 : y + 4, x - 3 : x + 4].reshape(-1, 3).mean(axis=0)
        np.testing.assert_allclose(found, colour, atol=8)


@pytest.mark.slow
def test_a_long_solution_lists_its_moves_on_a_page_of_their_own() -> None:
    solution = wandering(row_major(Shape(5, 5)), 105, 3)
    tiles = flat_tiles(Shape(5, 5), 9, 9)
    *pages, listed = pages_of(encode_pdf(solution, tiles))
    assert 5 <= len(pages) <= 7
    found = [len(panels_of(page.picture)) for page in pages if page.picture is not None]
    assert sum(found) == 106
    assert min(found) > 8
    assert listed.picture is None
    sentences = [word.text for word in listed.words if word.text.startswith("Move ")]
    naming = Style().naming()
    assert sorted(sentences) == sorted(
        capitalised(step.told(naming)) for step in solution.steps()
    )


@pytest.mark.slow
def test_a_short_list_stands_below_the_last_panels() -> None:
    solution = wandering(row_major(Shape(3, 3)), 22, 3)
    tiles = flat_tiles(Shape(3, 3), 9, 9)

    def below(legend: bool) -> list[str]:
        *_, last = pages_of(encode_pdf(solution, tiles, legend=legend))
        bottom = max(panel[1] for panel in panels_of(last.picture))
        return [word.text for word in last.words if word.base > bottom]

    assert below(True)[0] == "Moves"
    assert len([text for text in below(True) if text.startswith("Move ")]) == 22
    assert below(False) == ["Page 2 of 2: moves 13 to 22"]


@pytest.mark.parametrize(
    ("shape", "moves", "fewest", "most", "paper"),
    [
        (Shape(3, 3), 12, 1, 1, "a4"),
        (Shape(3, 3), 22, 2, 2, "letter"),
        (Shape(3, 3), 31, 2, 3, "a4"),
        (Shape(3, 3), 31, 2, 3, "letter"),
        (Shape(4, 4), 53, 3, 5, "a4"),
        (Shape(2, 6), 20, 1, 2, "letter"),
    ],
)
def test_guides_take_few_pages_and_use_them(
    shape: Shape, moves: int, fewest: int, most: int, paper: str
) -> None:
    solution = wandering(row_major(shape), moves, 3)
    tiles = flat_tiles(shape, 60, 60)
    pages = pages_of(encode_pdf(solution, tiles, paper=paper, style=PLAIN))
    assert fewest <= len(pages) <= most
    found = [panels_of(page.picture) for page in pages if page.picture is not None]
    assert sum(map(len, found)) == moves + 1
    assert all(len(panels) > 1 for panels in found)
    for page, panels in zip(pages, found, strict=False):
        assert page.picture is not None
        high, wide = page.picture.shape[:2]
        # From margin to margin, and down to what one more row would need.
        assert min(panel[2] for panel in panels) < 100
        if len(panels) >= 3:
            assert max(panel[3] for panel in panels) > wide - 130
        row = panels[0][1] - panels[0][0] + 43
        rows = len({panel[0] for panel in panels})
        assert page is pages[len(found) - 1] or rows + 2 > (high - 400) // row
        # At least 38 mm a panel, so that it can be made out.
        assert max(panels[0][1] - panels[0][0], panels[0][3] - panels[0][2]) >= 295


@given(st.integers(1, 130), st.integers(2, 8), st.integers(2, 8), st.booleans())
@settings(max_examples=60, deadline=None)
def test_no_page_has_one_panel_of_many(
    panels: int, rows: int, cols: int, upright: bool
) -> None:
    tiles = flat_tiles(Shape(rows, cols), 3, 3)
    margins = Margins(120, 900 if upright else 0)
    grid, drawn = choose_grid(tiles, PLAIN, panels, "a4", lambda paper: margins)
    assert sum(grid.counts) == panels
    assert grid.counts[-1] > 1 or max(grid.counts) == 1
    room = grid.paper.room
    for place, count in enumerate(grid.counts):
        rows = -(-count // grid.columns)
        used = rows * (drawn.height + GAP) + (0 if place else margins.head)
        if grid.shared and place == len(grid.counts) - 1:
            used += margins.tail + GAP
        assert used <= room[1]
    assert grid.columns * drawn.width + (grid.columns - 1) * GAP <= room[0]


@pytest.mark.parametrize(
    ("language", "title", "mark", "claim"),
    [
        ("en", "", "Moves 1 to 12", "22 moves: not proven shortest"),
        ("de", "Grüße (7)\\", "Züge 1 bis 12", "22 Züge: nicht nachweislich"),
        ("ru", "Сейф", "Ходы 1–12", "22 хода:"),
    ],
)
def test_title_words_and_bookmarks_can_be_searched(
    language: str, title: str, mark: str, claim: str
) -> None:
    solution = wandering(row_major(Shape(3, 3)), 22, 3)
    tiles = flat_tiles(Shape(3, 3), 40, 40)
    style = Style(language=language, title=title)
    data = encode_pdf(solution, tiles, style=style)
    assert encode_pdf(solution, tiles, style=style) == data
    read = pypdf.PdfReader(io.BytesIO(data), strict=True)
    assert read.metadata.title == (title or "Sliding puzzle 3\u00a0×\u00a03")
    assert read.trailer["/Root"]["/Lang"] == language
    assert read.outline[0].title == mark
    places = [read.get_destination_page_number(one) for one in read.outline]
    assert places == [0, 1]
    first = read.pages[0].extract_text()
    assert read.metadata.title.replace("\u00a0", " ") in first
    assert claim in first
    fonts = [one.get_object() for one in read.pages[0]["/Resources"]["/Font"].values()]
    for font in fonts:
        (inner,) = (one.get_object() for one in font["/DescendantFonts"])
        assert "/FontFile2" in inner["/FontDescriptor"]


def test_signs_that_the_face_lacks_are_drawn() -> None:
    solution = wandering(row_major(Shape(2, 2)), 2, 3)
    tiles = flat_tiles(Shape(2, 2), 30, 30)
    data = encode_pdf(solution, tiles, style=Style(title="Guide 谜题"))
    (page,) = pypdf.PdfReader(io.BytesIO(data), strict=True).pages
    assert len(page.images) == 2  # the panels, and two signs
    assert page.extract_text().startswith("Guide")
    assert "谜" not in page.extract_text()


def test_boards_of_very_many_cells_get_fewer_panels_a_page() -> None:
    def black(shape: Shape) -> tuple[Solution, TileSet]:
        tile = np.zeros((2, 2, 3), np.uint8)
        tiles = TileSet(shape, (tile,) * shape.size, 0, (9, 9, 9))
        return wandering(row_major(shape), 3, 3), tiles

    (page,) = pages_of(encode_pdf(*black(Shape(2, 30)), per_page=60))
    assert page.picture is not None
    # Six columns of panels of 300 px or more do not fit, four rows of them do.
    pages = pages_of(encode_pdf(*black(Shape(2, 300)), per_page=60))
    assert {page.picture is not None for page in pages} == {True}
    for page in pages:
        dark = page.picture.min(axis=2) < 128
        assert max(end - begin for row in dark for begin, end in runs(row, 100)) >= 300


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs pdftoppm")
def test_another_program_can_show_it(tmp_path: Path) -> None:
    solution = wandering(row_major(Shape(3, 3)), 6, 3)
    tiles = flat_tiles(Shape(3, 3), 40, 40)
    data = encode_pdf(solution, tiles, per_page=4, style=Style(title="Title"))
    file = tmp_path / "guide.pdf"
    file.write_bytes(data)
    command = ["pdftoppm", "-r", "50", "-png", str(file), str(tmp_path / "page")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    shown = sorted(tmp_path.glob("page*.png"))
    assert len(shown) == 2
    style = Style(title="Title")
    beginning = PillowImage.fromarray(
        first_page(solution, tiles, style, SaveOptions(per_page=4))
    )
    with PillowImage.open(shown[0]) as read:
        picture = np.asarray(read.convert("RGB")).astype(int)
        small = np.asarray(beginning.resize(read.size, PillowImage.Resampling.BOX))
    assert np.abs(small.astype(int) - picture).mean() < 4
    # Words lie where the preview has them, too: ink of the title and of the captions.
    dark = [one.max(axis=2) < 140 for one in (small, picture)]
    for rows in (slice(0, 60), slice(60, None)):
        found = [np.argwhere(one[rows]).mean(axis=0) for one in dark]
        np.testing.assert_allclose(*found, atol=2)
