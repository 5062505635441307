"""Sheets and pages: where panels lie, what is on them, and how they are read back."""

from __future__ import annotations

import dataclasses
import io
import itertools
import shutil
import subprocess
import tracemalloc
from itertools import pairwise
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

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.core.stages import Stage, StageKind
from imgpuzzle.errors import InvalidImageError, UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Message
from imgpuzzle.render.drawing.lettering import text_width
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.frames import Drawing
from imgpuzzle.render.sheets.notes import wrapped
from imgpuzzle.render.sheets.pages import SheetPage as Sheet
from imgpuzzle.render.sheets.pages import Sheets, render_pages
from imgpuzzle.render.sheets.panels import captions
from imgpuzzle.render.sheets.pdf import first_page
from imgpuzzle.render.sheets.text import page_heading

PLAIN = Style(outline="never", arrow=False, brighten=100)
A4, LETTER = (595.2756, 841.8898), (612.0, 792.0)
ALL = 10_000


def laid_out(
    solution: Solution, tiles: TileSet, style: Style = PLAIN, **how: Any
) -> list[tuple[Sheet, Image]]:
    """Each sheet, and its picture."""
    sheets = Sheets(Drawing(solution, tiles, style), SaveOptions(**how))
    return [(sheet, sheets.paint(sheet)) for sheet in sheets]


def one(solution: Solution, tiles: TileSet, style: Style = PLAIN, **how: Any) -> Image:
    """The only sheet."""
    ((_, picture),) = laid_out(solution, tiles, style, per_page=ALL, **how)
    return picture


# -- for the screen --------------------------------------------------------------------


@given(puzzles(), st.integers(1, 4), st.integers(1, 9), st.integers(0, 13))
def test_sheets_hold_the_step_pictures_in_order(
    puzzle: tuple[Solution, TileSet], columns: int, per_page: int, gap: int
) -> None:
    solution, tiles = puzzle
    how = {"columns": columns, "per_page": per_page, "gap_px": gap}
    expected = step_pictures(solution, tiles, 100)
    sheets = laid_out(solution, tiles, **how)
    assert len(sheets) == -(-len(expected) // per_page)
    left = iter(expected)
    for sheet, picture in sheets:
        assert picture.shape == (sheet.height, sheet.width, 3)
        chunk = list(itertools.islice(left, len(sheet.corners)))
        assert len(chunk) <= per_page
        cells = cells_of_panels(len(chunk), min(columns, per_page, len(expected)))
        x0, y0 = sheet.corners[0]
        bare = picture.copy()
        for (x, y), (row, col), wanted in zip(sheet.corners, cells, chunk, strict=True):
            assert (x, y) == (
                x0 + col * (tiles.width + gap),
                y0 + row * (tiles.height + gap),
            )
            part = np.s_[y : y + tiles.height, x : x + tiles.width]
            np.testing.assert_array_equal(picture[part], wanted)
            bare[part] = 255
        # Words and gaps are above and between, and around it there is paper.
        assert (bare[y0:] == 255).all()
        assert (bare[:10] == 255).all()
        assert (bare[:, :10] == 255).all()
        assert (bare[:, -10:] == 255).all()
        assert (bare[:y0].min(axis=2) < 200).any() or len(sheets) == 1
    assert next(left, None) is None


def test_sheets_are_numbered_and_tell_their_moves() -> None:
    for steps, language, heading in (
        ([21, 22, 23], "en", "Page 2 of 7: moves 21 to 23"),
        ([21, 22, 23], "ru", "Страница 2 из 7: ходы 21–23"),
        ([4, 0], "en", "Page 2 of 7: move 4"),
        ([0], "ru", "Страница 2 из 7"),
    ):
        assert page_heading(2, 7, steps, language, slides=False) == heading
    solution = wandering(row_major(Shape(3, 3)), 11, 2)
    sheets = laid_out(solution, flat_tiles(Shape(3, 3), 60, 60), per_page=4, columns=4)
    said = [[line.text for line in sheet.notes.lines] for sheet, _ in sheets]
    assert [texts[0] for texts in said] == [
        "Page 1 of 3: moves 1 to 4",
        "Page 2 of 3: moves 5 to 8",
        "Page 3 of 3: moves 9 to 11",
    ]
    # Only the first explains the marks, and all say where tiles go.
    marks = [[mark.kind for mark in sheet.notes.marks] for sheet, _ in sheets]
    assert marks == [["lit", "check"], [], ["check"]]
    naming = Style().naming()
    told = [text for texts in said for text in texts if text.startswith("row ")]
    assert told == [step.placed(naming) for step in solution.steps()]


def test_two_sheets_share_a_single_panel() -> None:
    tiles = flat_tiles(Shape(3, 3), 9, 9)
    for panels, counts in ((17, [8, 5, 4]), (18, [8, 8, 2]), (9, [5, 4]), (8, [8])):
        solution = wandering(row_major(Shape(3, 3)), panels - 1, 2)
        sheets = laid_out(solution, tiles, per_page=8)
        assert [len(sheet.numbers) for sheet, _ in sheets] == counts


def test_sheets_need_the_memory_of_one() -> None:
    solution = wandering(row_major(Shape(3, 3)), 99, 4)
    tiles = noise_tiles(Shape(3, 3), 40, 40)
    five = SaveOptions(per_page=5)
    size = max(page.nbytes for page in render_pages(solution, tiles, options=five))
    tracemalloc.start()
    for _ in render_pages(solution, tiles, options=five):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * size < 12 * size


def test_what_does_not_fit_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = wandering(row_major(Shape(3, 3)), 4, 1)
    tiles = flat_tiles(Shape(3, 3), 9, 9)
    other = flat_tiles(Shape(2, 3), 9, 9)
    with pytest.raises(InvalidImageError):
        render_pages(solution, other)
    with pytest.raises(InvalidImageError):
        encode_pdf(solution, other)
    with pytest.raises(UsageError, match="at most 60 pictures a page, found 61"):
        encode_pdf(solution, tiles, per_page=61)
    monkeypatch.setattr("imgpuzzle.render.sheets.pages.MAX_PX", 20)
    with pytest.raises(UsageError, match="5 steps"):
        render_pages(solution, tiles)


def test_white_boards_are_framed_by_a_hairline() -> None:
    solution = wandering(row_major(Shape(3, 3)), 5, 1)
    dark = flat_tiles(Shape(3, 3), 40, 40, gap=2)
    white = TileSet(dark.shape, dark.tiles, 2, (250, 252, 255))
    expected = step_pictures(solution, white, 100)
    ((sheet, picture),) = laid_out(solution, white)
    for (x, y), wanted in zip(sheet.corners, expected, strict=True):
        found = picture[y : y + white.height, x : x + white.width]
        np.testing.assert_array_equal(found, wanted)
        line = picture[y : y + white.height, x - 1].astype(int)
        assert (line == line[0]).all()
        assert 150 < line.mean() < 220
    ((sheet, picture),) = laid_out(solution, dark)
    x, y = sheet.corners[0]
    assert (picture[y : y + dark.height, x - 1] == 255).all()


@pytest.mark.slow
@given(
    st.integers(0, 60),
    st.integers(1, 60),
    st.integers(200_000, 2_000_000),
    st.integers(600, 3000),
    st.sampled_from(["none", "letters"]),
)
def test_sheets_stay_within_the_limits(
    moves: int, side: int, max_px: int, max_side_px: int, coordinates: Any
) -> None:
    solution = wandering(row_major(Shape(3, 3)), moves, 4)
    tiles = flat_tiles(Shape(3, 3), side, side)
    style = Style(coordinates=coordinates, title="A title")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("imgpuzzle.render.sheets.pages.MAX_PX", max_px)
        patch.setattr("imgpuzzle.render.sheets.pages.MAX_SIDE_PX", max_side_px)
        shape = one(solution, tiles, style).shape
    assert shape[0] * shape[1] <= max_px
    assert max(shape) <= max_side_px


@pytest.mark.parametrize(
    ("moves", "side", "columns"), [(20, 247, 5), (80, 247, 5), (999, 247, 32)]
)
def test_five_columns_are_kept_while_panels_are_readable(
    moves: int, side: int, columns: int
) -> None:
    solution = wandering(row_major(Shape(3, 3)), moves, 4)
    tiles, notes = flat_tiles(Shape(3, 3), side, side), list[Message]()
    options = SaveOptions(per_page=ALL, note=notes.append)
    layout = Sheets(Drawing(solution, tiles, PLAIN), options).layout
    assert abs(layout.columns - columns) <= 1
    assert columns > 5 or layout.tileset.width >= 150
    said = [str(note) for note in notes]
    assert [one.partition(" ")[0] for one in said] == [str(layout.columns)] * (
        columns > 5
    )


def test_a_title_stands_above_and_shifts_everything_alike() -> None:
    solution = wandering(row_major(Shape(3, 3)), 7, 1)
    tiles = flat_tiles(Shape(3, 3), 40, 40)
    plain = one(solution, tiles)
    titled = one(solution, tiles, dataclasses.replace(PLAIN, title="Сейф 7"))
    down = titled.shape[0] - plain.shape[0]
    assert down > 20
    np.testing.assert_array_equal(titled[down + 40 :], plain[40:])
    assert (titled[: down + 20].min(axis=2) < 100).mean() > 0.005
    endless = one(solution, tiles, Style(title="endless " * 25))
    assert endless.shape[0] < plain.shape[0] + 6 * down


@pytest.mark.parametrize("gap", [0, 45])
@pytest.mark.parametrize("caption", ["strip", "plate", "none"])
def test_a_number_is_nearer_to_its_own_panel(gap: int, caption: Any) -> None:
    tiles = flat_tiles(Shape(3, 3), 40, 40)
    style = dataclasses.replace(PLAIN, caption=caption)
    solution = wandering(row_major(Shape(3, 3)), 9, 1)
    ((sheet, picture),) = laid_out(solution, tiles, style, gap_px=gap)
    # Between the two rows of panels only numbers are no paper.
    top, below = sheet.corners[0][1] + 120, sheet.corners[-1][1]
    inked = [row for row in range(top, below) if (picture[row] < 128).any()]
    assert inked[0] - top >= 6
    assert inked[0] - top > 1.5 * (below - 1 - inked[-1])


@pytest.mark.parametrize("gap", [0, 2, 45])
def test_where_a_move_is_made_keeps_away_from_the_next_number(gap: int) -> None:
    tiles, corners = flat_tiles(Shape(3, 3), 100, 100), [(0, 90), (300 + gap, 90)]
    notes = captions([1, 2], corners, 300, gap, tiles, {}, ["C2 ↑", "B2 →"])
    _, place, number, _ = notes.lines
    end = place.left + text_width(place.text, place.size, bold=False)
    assert number.left - end > 0.4 * place.size


def test_stages_are_told_where_they_begin() -> None:
    solution = wandering(row_major(Shape(4, 4)), 60, 1)
    stages = (
        Stage(StageKind.ROW, 0, (0, 1, 2, 3), 1, 31),
        Stage(StageKind.COLUMN, 3, (7, 11, 15), 32, 60),
    )
    solution = dataclasses.replace(solution, stages=stages, shortest_known=58)
    tiles = flat_tiles(Shape(4, 4), 60, 60)
    sheets = laid_out(solution, tiles, per_page=25)
    names = "First row", "Last column"
    for number, heads in enumerate(
        (["First row: moves 1 to 31"], ["Last column: moves 32 to 60"], [])
    ):
        texts = [line.text for line in sheets[number][0].notes.lines]
        assert [text for text in texts if text.startswith(names) and ":" in text] == (
            heads
        )
        for head in heads:
            assert texts[texts.index(head) + 1].startswith("Bring ")
    assert "1 \u00b7 First row" in [line.text for line in sheets[0][0].notes.lines]
    assert "32 \u00b7 Last column" in [line.text for line in sheets[1][0].notes.lines]


def test_panels_of_named_cells_say_their_names() -> None:
    board = Board.parse("1 2 3 / 0 4 5")
    solution = Solution(board, Board.parse("1 2 0 / 4 5 3"), (4, 5, 2), 3)
    slides = dataclasses.replace(solution, metric="slide")
    style = dataclasses.replace(PLAIN, coordinates="letters")
    tiles = flat_tiles(Shape(2, 3), 70, 70)
    for shown, expected in (
        (solution, ["B2 ←", "C2 ←", "C1 ↓"]),
        (slides, ["C2 ←", "C1 ↓"]),
    ):
        ((sheet, _),) = laid_out(shown, tiles, style)
        said = [line.text for line in sheet.notes.lines]
        assert [text for text in said if text[-1] in "←↓"] == expected


words_ = st.text(st.sampled_from("abЖ "), max_size=60)


@given(words_, st.integers(5, 300))
def test_wrapping_loses_nothing_and_fits(text: str, width: int) -> None:
    lines = wrapped(text, width, 13)
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        assert len(line) <= 1 or text_width(line, 13, bold=False) <= width
    if width > 60:
        for one, two in pairwise(lines):
            joined = f"{one} {two.split()[0]}"
            assert text_width(joined, 13, bold=False) > width or len(two) > 6


# -- on paper --------------------------------------------------------------------------


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
        (Shape(3, 3), 0, 12, False, "a4"),
        (Shape(2, 5), 5, 2, False, "letter"),
        (Shape(4, 4), 7, 2, True, "a4"),
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


@given(
    st.integers(1, 130),
    st.integers(2, 8),
    st.integers(2, 8),
    st.sampled_from([None, 1, 2, 4, 7, 12, 60]),
    st.sampled_from(["a4", "letter"]),
)
@settings(max_examples=12, deadline=None)
def test_pages_are_filled_evenly_and_hold_all(
    panels: int, rows: int, cols: int, per_page: int | None, paper: Any
) -> None:
    solution = wandering(row_major(Shape(rows, cols)), panels - 1, 1)
    tiles = flat_tiles(Shape(rows, cols), 3, 3)
    options = SaveOptions(per_page=per_page, paper=paper)
    sheets = Sheets(Drawing(solution, tiles, PLAIN), options, on_paper=True)
    counts, drawn = sheets.layout.counts, sheets.layout.tileset
    assert sum(counts) == panels
    assert counts[-1] > 1 or max(counts) == 1 or per_page == 2
    if per_page is not None:
        assert set(counts[:-2]) <= {per_page}
    for page in sheets:
        # Nothing is printed on the outer 12 mm.
        assert min(x for x, _ in page.corners) >= 94
        assert max(x for x, _ in page.corners) + drawn.width <= page.width - 94
        assert max(y for _, y in page.corners) + drawn.height <= page.height - 94
        tops = sorted({y for _, y in page.corners})
        # Rows fill the page and keep together.
        steps = {two - one for one, two in pairwise(tops)}
        assert len(steps) <= 1
        assert all(step >= drawn.height + 51 for step in steps)


@pytest.mark.parametrize(
    ("language", "title", "mark", "claim"),
    [
        ("en", "", "Moves 1 to 12", "22 moves, not proven shortest"),
        ("de", "Grüße (7)\\", "Züge 1 bis 12", "22 Züge, nicht nachweislich"),
        ("ru", "Сейф", "Ходы 1–12", "22 хода,"),
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


def test_signs_without_a_shape_are_spaces(caplog: pytest.LogCaptureFixture) -> None:
    """What joins the parts of an emoji: the PDF's library warned on the terminal."""
    solution = wandering(row_major(Shape(2, 2)), 2, 3)
    tiles = flat_tiles(Shape(2, 2), 30, 30)
    data = encode_pdf(solution, tiles, style=Style(title="Guide\u200d for\ufeff us"))
    (page,) = pypdf.PdfReader(io.BytesIO(data), strict=True).pages
    assert page.extract_text().split()[:3] == ["Guide", "for", "us"]
    assert not caplog.records


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
    drawing = Drawing(solution, tiles, Style(title="Title"))
    beginning = PillowImage.fromarray(first_page(drawing, SaveOptions(per_page=4)))
    with PillowImage.open(shown[0]) as read:
        picture = np.asarray(read.convert("RGB")).astype(int)
        small = np.asarray(beginning.resize(read.size, PillowImage.Resampling.BOX))
    assert np.abs(small.astype(int) - picture).mean() < 4
    # Words lie where the preview has them, too: ink of the title and of the captions.
    dark = [one.max(axis=2) < 140 for one in (small, picture)]
    for rows in (slice(0, 60), slice(60, None)):
        found = [np.argwhere(one[rows]).mean(axis=0) for one in dark]
        np.testing.assert_allclose(*found, atol=2)
