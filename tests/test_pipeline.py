"""The pipeline: from a picture or a board to a guide, and the guide's files."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_support import (
    FILES,
    SOLVE_KEYS,
    TWO_MOVES,
    make_reading,
    names,
    write_picture,
)
from PIL import Image as PillowImage

import imgpuzzle
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.options import ReadOptions, SaveOptions, SearchOptions
from imgpuzzle.core.reading import BoardNotFoundError, Region, UncertainReadingError
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import (
    InvalidBoardError,
    InvalidImageError,
    OutputError,
    UnsolvableError,
    UsageError,
)
from imgpuzzle.files.image import load_image
from imgpuzzle.guide import Guide
from imgpuzzle.pipeline import hint, read_image, solve_board, solve_image
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.solver.many import solve_many

PICTURE = np.zeros((60, 60, 3), np.uint8)
STEPS = ["step_01.png", "step_02.png", "step_03.png"]


@pytest.fixture
def guide() -> Guide:
    return solve_board(Board.parse(TWO_MOVES))


@pytest.fixture
def screenshot(tmp_path: Path) -> Path:
    return write_picture(tmp_path / "shot.png")


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (
            lambda: SaveOptions(columns=0),
            "columns: expected a whole number from 1 to 1000, found 0",
        ),
        (lambda: SaveOptions(gap_px=1.5), "from 0 to 1000, found 1.5"),
        (lambda: SaveOptions(crop_px=True), "from 0 to 10000, found True"),
        (lambda: Board(Shape(2, 2), (1.5, 2, 3, 0)), "expected numbers from 0"),
        (lambda: Board.from_rows([[1.5, 2], [3, 0]]), "expected numbers from 0"),
        (lambda: Shape(3, 3).cell(0.5, 1), "found 0.5,1"),
        (lambda: read_image(PICTURE, region=Region(5, 5, -5, 0)), "found 5,5,-5,0"),
        (lambda: read_image(PICTURE, region=Region(5, 5, 0, 9)), "found 5,5,0,9"),
        (lambda: read_image(PICTURE, goal_blank=(0.5, 1)), "goal_blank: expected"),
        (lambda: hint(Board.parse(TWO_MOVES), reference="x.png"), "found a board"),
        (lambda: hint(make_reading(), reference="x.png"), "found a board"),
        (
            lambda: imgpuzzle.solve(imgpuzzle.FullBoard.parse("2 1 / 3 4")),
            "exactly one 0",
        ),
        (lambda: imgpuzzle.count_shortest(TWO_MOVES, cap=0), "cap: expected a whole"),
        (lambda: imgpuzzle.shortest_solutions(TWO_MOVES, most=-1), "from 0, found -1"),
        (lambda: load_image(PICTURE, most_px=0), "most_px: expected a whole number fr"),
        (lambda: solve_many([], threads=0), "expected at least 1 thread, found 0"),
        (lambda: solve_many([], threads=1.5), "expected at least 1 thread, found 1.5"),
    ],
)
def test_what_cannot_be_is_refused_at_once(ask: Any, said: str) -> None:
    with pytest.raises((UsageError, InvalidBoardError)) as caught:
        ask()
    assert said in str(caught.value)


def test_numbers_of_other_libraries_are_numbers() -> None:
    board = Board(Shape(2, 2), tuple(np.array([1, 2, 3, 0])))
    assert [type(label) for label in board.cells] == [int] * 4
    assert board == Board.from_rows(np.array([[1, 2], [3, 0]]))


def test_a_screenshot_is_read_and_solved(reader: Any, screenshot: Path) -> None:
    fake = reader(make_reading())
    guide = solve_image(
        screenshot,
        reference=np.zeros((60, 60, 3), np.uint8),
        shape=Shape(3, 3),
        region=Region(10, 20, 90, 90),
        goal_blank=(2, 2),
    )
    assert guide.solution.move_count == 2
    assert guide.reading.certain
    (options,) = fake.calls
    assert options["reference"].shape == (60, 60, 3)
    assert (options["shape"], options["goal_blank"]) == (Shape(3, 3), (2, 2))
    assert options["region"] == Region(10, 20, 90, 90)


def test_a_doubtful_reading_is_not_solved_unless_trusted(
    reader: Any, screenshot: Path
) -> None:
    reader(make_reading(certain=False))
    with pytest.raises(UncertainReadingError, match="row 1, column 2") as caught:
        solve_image(screenshot)
    assert "some tiles look the same" in str(caught.value)
    assert caught.value.reading.doubtful == (1, 5)
    assert solve_image(screenshot, trust=True).solution.move_count == 2


def test_errors_pass_through(reader: Any, screenshot: Path, tmp_path: Path) -> None:
    reader(BoardNotFoundError("no board"))
    with pytest.raises(BoardNotFoundError):
        solve_image(screenshot)
    reader(make_reading("1 2 3 / 4 5 6 / 8 7 0"))
    with pytest.raises(UnsolvableError):
        solve_image(screenshot)
    with pytest.raises(InvalidImageError, match="found no"):
        solve_image(tmp_path / "absent.png")
    with pytest.raises(InvalidImageError, match="found no"):
        solve_image(screenshot, reference=tmp_path / "absent.png")
    with pytest.raises(InvalidImageError, match="RGB array"):
        solve_image(np.zeros((50, 50), np.uint8))


def test_all_files_of_a_guide(guide: Guide, tmp_path: Path) -> None:
    files = guide.save(tmp_path / "out")
    assert [file.name for file in files] == [
        *STEPS,
        *("overview.png", "solution.gif", "guide.html", "guide.md", "moves.txt"),
        "solution.json",
    ]
    assert names(tmp_path / "out") == sorted([*STEPS, *FILES])
    assert names(tmp_path) == ["out"]
    for file in files:
        assert file.stat().st_size > 0
        if file.suffix in {".png", ".gif"}:
            with PillowImage.open(file) as picture:
                picture.verify()
    record = json.loads((tmp_path / "out" / "solution.json").read_text())
    # The command adds the goals that can be reached.
    assert [*record, "reachable_goals"] == SOLVE_KEYS
    assert record["files"] == [file.name for file in files]
    assert "left" in (tmp_path / "out" / "moves.txt").read_text("utf-8")


def test_the_steps_show_the_board_and_the_last_one_is_solved(
    guide: Guide, tmp_path: Path
) -> None:
    from imgpuzzle.render.drawing.tiles import render_position

    bleached = Style(caption="none", outline="never", arrow=False, brighten=100)
    guide.save(tmp_path, style=bleached)
    shown = [load_image(tmp_path / name) for name in STEPS]
    tiles = guide.tileset
    solved = render_position((0, 1, 2, 3, 5, 8, 6, 7, 4), tiles)
    assert np.abs(shown[-1].astype(int) - solved).mean() < 3
    # Only the tile that moves differs from the plain position.
    plain = render_position(tuple(range(9)), tiles)
    changed = np.abs(shown[0].astype(int) - plain).max(axis=2) > 40
    place = tiles.region(5)
    assert changed[place.top : place.bottom, place.left : place.right].mean() > 0.5
    changed[place.top : place.bottom, place.left : place.right] = False
    assert changed.mean() < 0.02


def test_a_path_without_suffix_is_a_folder(guide: Guide, tmp_path: Path) -> None:
    assert len(guide.save(tmp_path / "out")) == 9
    (tmp_path / "out.d").mkdir()
    assert len(guide.save(tmp_path / "out.d")) == 9


def test_other_suffixes_are_refused(guide: Guide, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.gif.*found '\.mov'"):
        guide.save(tmp_path / "a.mov")
    with pytest.raises(OutputError):
        guide.save(tmp_path / "absent" / "a.gif")
    assert names(tmp_path) == []


def test_names_that_are_none_are_refused(
    guide: Guide, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="expected a path, found an empty text"):
        guide.save("")
    for name in ("x" * 300, f"{'x' * 300}.gif"):
        with pytest.raises(OutputError, match="could not write 'xxx"):
            guide.save(name)
    assert names(tmp_path) == []


@pytest.mark.slow
def test_many_steps_get_more_digits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # There and back again, often enough for three digits.
    start = Board.parse("1 0 / 3 2")
    moves = (0, 1) * 50
    solution = Solution(start, start, moves, lower_bound=0)
    files = Guide(solution).save(tmp_path)
    assert files[0].name == "step_001.png"
    assert files[100].name == "step_101.png"


def test_a_picture_is_cut_along_the_goal(tmp_path: Path) -> None:
    picture = load_image(write_picture(tmp_path / "p.png", 90))
    board = Board.parse("1 2 3 / 4 0 5 / 7 8 6")
    guide = solve_board(board, picture=picture)
    assert (guide.tileset.tiles[0] == picture[:30, :30]).all()
    assert (guide.tileset.tiles[5] == picture[30:60, 30:60]).any()
    assert (guide.tileset.tiles[8] == picture[30:60, 60:90]).all()


def test_equal_tiles_end_as_the_whole_picture(tmp_path: Path) -> None:
    from imgpuzzle.render.drawing.tiles import final_cells, render_position

    picture = load_image(write_picture(tmp_path / "p.png", 90))
    start, goal = (
        Board.parse("1 1 2 / 2 0 3 / 3 1 1"),
        Board.parse("1 1 2 / 2 3 1 / 3 1 0"),
    )
    guide = solve_board(start, goal, picture=picture)
    last = np.argsort(final_cells(guide.solution)).tolist()
    shown = render_position(last, guide.tileset)
    assert (shown[:60] == picture[:60]).all()
    assert (shown[60:, :60] == picture[60:, :60]).all()


def test_every_file_of_a_folder_tells_doubt_as_single_files_do(
    guide: Guide, tmp_path: Path
) -> None:
    reading = make_reading("1 2 3 / 4 0 5 / 7 8 6", certain=False)
    doubtful = Guide(guide.solution, reading)
    sure = Guide(guide.solution, make_reading("1 2 3 / 4 0 5 / 7 8 6"))
    shown = {file.name: file.read_bytes() for file in doubtful.save(tmp_path / "a")}
    plain = {file.name: file.read_bytes() for file in sure.save(tmp_path / "b")}
    assert shown.keys() == plain.keys()
    assert not [name for name in shown if shown[name] == plain[name]]
    for name in ("overview.png", "solution.gif", "guide.html", "moves.txt"):
        doubtful.save(tmp_path / name)
        assert (tmp_path / name).read_bytes() == shown[name]
    doubtful.save(tmp_path / "steps.zip")
    with zipfile.ZipFile(tmp_path / "steps.zip") as archive:
        steps = {name: archive.read(name) for name in archive.namelist()}
    packed = {name for name in shown if "step_" in name or name == "guide.md"}
    assert steps == {name: shown[name] for name in packed}


def test_notebooks_show_the_page_or_the_sheet(guide: Guide) -> None:
    html = guide._repr_html_()
    assert html.startswith("<iframe srcdoc=")
    assert html.count('"') == html.count('="') * 2  # nothing breaks out
    assert guide._repr_png_().startswith(b"\x89PNG")


TEXT, GOAL = "1 2 3 / 4 0 5 / 7 8 6", "1 2 3 / 4 5 6 / 7 8 0"
GREY = np.full((9, 9, 3), 128, np.uint8)
ODD = "1 2 3 / 4 5 6 / 8 7 0"


@pytest.mark.parametrize(
    ("call", "boards"),
    [
        (lambda *two: imgpuzzle.solve(*two).moves, (TEXT, GOAL)),
        (lambda *given: imgpuzzle.solve_board(*given).solution.moves, (TEXT, GOAL)),
        (lambda *given: imgpuzzle.hint(*given).step, (TEXT, GOAL)),
        (imgpuzzle.distance, (TEXT, GOAL)),
        (imgpuzzle.count_shortest, (TEXT, GOAL)),
        (
            lambda *two: [it.moves for it in imgpuzzle.shortest_solutions(*two)],
            (TEXT, GOAL),
        ),
        (lambda one: [it.moves for it in imgpuzzle.solve_many([one])], (TEXT,)),
        (lambda *two: [it.moves for it in imgpuzzle.solve_many([two])], (TEXT, GOAL)),
        (imgpuzzle.reachable_goals, (TEXT,)),
        (imgpuzzle.is_solvable, (TEXT, GOAL)),
        (imgpuzzle.why_unsolvable, (ODD, GOAL)),
        (lambda *two: imgpuzzle.TileSet.cut(GREY, *two).shape, (TEXT, GOAL)),
        (lambda one: imgpuzzle.TileSet.numbered(one).shape, (TEXT,)),
        (imgpuzzle.goals.in_layout, (TEXT,)),
        (imgpuzzle.goals.named_goals, (TEXT,)),
        (imgpuzzle.goals.least_moves, (TEXT, GOAL)),
        (imgpuzzle.goals.check_numbers, (TEXT,)),
        (imgpuzzle.goals.from_numbers, (TEXT,)),
        (lambda one: imgpuzzle.scramble.uniform(one, seed=1), (GOAL,)),
        (lambda one: imgpuzzle.scramble.walk(one, seed=1), (GOAL,)),
        (imgpuzzle.scramble.repair, (ODD, GOAL)),
    ],
)
def test_what_takes_a_board_takes_its_text(call: Any, boards: tuple[str, ...]) -> None:
    parsed = [imgpuzzle.Board.parse(text) for text in boards]
    assert call(*boards) == call(*parsed)


def test_every_public_function_with_a_board_takes_text() -> None:
    """By its signature; the test above says that it does."""
    modules = imgpuzzle, imgpuzzle.goals, imgpuzzle.scramble
    public = [getattr(module, name) for module in modules for name in module.__all__]
    tiles, read = imgpuzzle.TileSet, imgpuzzle.Reading
    functions = [one for one in public if inspect.isfunction(one)]
    for one in (*functions, tiles.cut, tiles.numbered, read.with_goal):
        for parameter in inspect.signature(one).parameters.values():
            kinds = re.split(r"[^A-Za-z]+", str(parameter.annotation))
            # What is handed boards is called with them, and takes no text.
            given = {"str", "Picture", "Callable"} & {*kinds}
            assert "Board" not in kinds or given, one


def test_what_is_known_of_a_board_may_be_written() -> None:
    corners = ((1.0, 2.0), (30.0, 4.0), (5.0, 60.0), (7.0, 8.0))
    known = ReadOptions(
        Shape(3, 4), Region(1, 2, 30, 40), (0, 1), corners, blank="none"
    )
    written: dict[str, Any] = {
        "shape": "3x4",
        "region": "1,2,30,40",
        "goal_blank": "0,1",
        "corners": "1,2,30,4,5,60,7,8",
        "blank": "none",
    }
    assert ReadOptions(**written) == known
    rows = {"shape": (3, 4), "region": [1, 2, 30, 40], "goal_blank": [0, 1]}
    assert ReadOptions(**{**written, **rows}) == known  # type: ignore[arg-type]
    assert dataclasses.replace(known) == known


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("shape", "x"),
        ("shape", (3,)),
        ("shape", 3),
        ("region", "1,2,3"),
        ("region", Region(0.5, 1, 20, 20)),  # type: ignore[arg-type]
        ("region", np.array([1, 2, 30, 40])),
        ("goal_blank", (0.5, 1)),
        ("goal_blank", "nowhere"),
        ("corners", "x"),
        ("corners", ((0, 0), (1, 1))),
        ("blank", "x"),
        ("blank", 4),
    ],
)
def test_what_is_known_of_a_board_is_checked(name: str, value: Any) -> None:
    with pytest.raises(UsageError) as caught:
        ReadOptions(**{name: value})
    assert str(caught.value).startswith(f"{name}: expected ")


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (partial(ReadOptions, distinct="no"), "distinct"),
        (partial(SearchOptions, stages="yes"), "stages"),
        (partial(SearchOptions, large_tables=1), "large_tables"),
    ],
)
def test_a_flag_is_true_or_false(made: Callable[[], object], name: str) -> None:
    with pytest.raises(UsageError, match=f"{name}: expected true or false, found "):
        made()
