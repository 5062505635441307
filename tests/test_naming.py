"""Words name tiles by what a reader can see: numbers where there are some."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_support import make_reading, run, write_picture
from hypothesis import given
from hypothesis import strategies as st
from render_oracles import CASE, CASE_START, noise_tiles, puzzles

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.language import LANGUAGES
from imgpuzzle.core.moves import told_together
from imgpuzzle.core.naming import Naming, column_name
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.core.solution import Solution
from imgpuzzle.guide import Guide
from imgpuzzle.pipeline import read_image
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet, render_position

EITHER = "([Mm]ove|[Pp]ush|[Ss]chiebe|[Сс]двиньте|[Тт]олкните)"
NUMBERED = rf"{EITHER} (tile|Kachel|фишку) \d"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("letters", [False, True])
@pytest.mark.parametrize("numbers", [False, True])
def test_every_sentence_has_the_place_and_the_number_only_if_it_shows(
    language: str, letters: bool, numbers: bool
) -> None:
    naming = Naming(language, numbers, letters)
    for step in CASE.steps():
        text = step.told(naming)
        row, col = CASE_START.shape.row_col(step.origin)
        place = [str(row + 1), str(col + 1)]
        if letters:
            place = [f"{'ABC'[col]}{row + 1}"]
        name = [str(step.tile)] if numbers else []
        assert re.findall(r"[A-C]?\d+", text) == [*name, *place], text
        assert text.endswith(f" {step.way(naming)}")
        short = f"{'ABC'[col]}{row + 1}"
        assert step.called(naming) == (str(step.tile) if numbers else short)


@given(puzzles(moves=30), st.sampled_from(LANGUAGES), st.booleans(), st.booleans())
def test_a_slide_is_told_by_the_tile_to_push_and_by_its_cells(
    puzzle: tuple[Solution, object], language: str, numbers: bool, letters: bool
) -> None:
    solution, _ = puzzle
    naming = Naming(language, numbers, letters)
    for run_ in solution.slides():
        if len(run_) == 1:
            assert told_together(run_, naming) == run_[0].told(naming)
            continue
        pushed = run_[-1]
        row, col = (n + 1 for n in pushed.before.shape.row_col(pushed.origin))
        place = [column_name(col) + str(row)] if letters else [str(row), str(col)]
        found = re.findall(r"[A-Z]{0,2}\d+", told_together(run_, naming))
        others = [str(step.tile) for step in reversed(run_[:-1])]
        if numbers:
            assert found == [str(pushed.tile), *place, *others]
        else:
            assert found == [*place, str(len(run_) - 1)]


def texts_of(guide: Guide, style: Style, folder: Path) -> dict[str, str]:
    """All that a guide says in words, by the suffix of the file."""
    found = {}
    for suffix in (".txt", ".md", ".html"):
        (file,) = guide.save(folder / f"guide{suffix}", style=style)
        found[suffix] = file.read_text("utf-8")
    # What the page's script says is in its data.
    page = found[".html"]
    found[".html"] = re.search(r"<ol class=\"plain\">.*?</ol>", page, re.DOTALL)[0]
    found["alt"] = re.search(r'id="board" role="img" aria-label="([^"]*)', page)[1]
    return found


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_pictures_are_named_by_place_and_numbers_by_number(
    tmp_path: Path, language: str
) -> None:
    picture = np.random.default_rng(3).integers(0, 255, (90, 90, 3), np.uint8)
    style = Style(language=language)
    pictured = texts_of(Guide(CASE, picture=picture), style, tmp_path)
    for kind, text in pictured.items():
        assert not re.search(NUMBERED, text), (kind, text)
    # Boards in the text are numbers all the same: it says what they mean.
    home = {"en": "belongs", "de": "jede Kachel gehört", "ru": "место каждой"}
    assert home[language] in pictured[".txt"]
    assert home[language] in pictured[".md"]
    home = {"en": "belongs", "de": "Platz jeder Kachel", "ru": "её место"}
    assert home[language] in pictured["alt"]
    # The last lines of moves.txt are the cells to click.
    cells = [Naming(letters=True).cell(s.before.shape, s.origin) for s in CASE.steps()]
    assert pictured[".txt"].split()[-len(cells) :] == cells

    typed = texts_of(Guide(CASE), style, tmp_path)
    asked = dataclasses.replace(style, numbers=True)
    shown = texts_of(Guide(CASE, picture=picture), asked, tmp_path)
    for texts in (typed, shown):
        for kind in (".txt", ".md", ".html"):
            assert len(re.findall(NUMBERED, texts[kind])) >= CASE.move_count, kind
        assert "belongs" not in "".join(texts.values())
        tiles = [str(step.tile) for step in CASE.steps()]
        assert texts[".txt"].split()[-len(tiles) :] == tiles


def test_captions_name_cells_by_letters_only_where_these_stand(tmp_path: Path) -> None:
    picture = np.zeros((90, 90, 3), np.uint8)
    style = Style(coordinates="letters")
    texts = texts_of(Guide(CASE, picture=picture), style, tmp_path)
    first = next(CASE.steps())
    cell = Naming(letters=True).cell(CASE_START.shape, first.origin)
    way = first.direction.word
    assert f" 1. move the tile at {cell} {way}\n" in texts[".txt"]
    assert f"1. Move the tile at {cell} {way}." in texts[".md"]
    assert f"<li>Move the tile at {cell} {way}</li>" in texts[".html"]


@pytest.mark.slow
def test_numbers_that_are_read_from_tiles_name_them() -> None:
    # Drawn by ourselves: the reader sees numbers, and the words may say them.
    tiles = TileSet.numbered(CASE_START, tile_px=64)
    shot = np.full((300, 300, 3), 250, np.uint8)
    board = render_position(range(9), tiles)
    shot[40 : 40 + board.shape[0], 50 : 50 + board.shape[1]] = board
    reading = read_image(shot)
    assert reading.method == "digits"
    assert reading.numbered
    assert TileSet.from_reading(reading).has_numbers
    # Labels are the numbers that tiles show also where the blank's home is another.
    other = read_image(shot, goal_blank=(0, 0))
    assert other.method == "digits"
    assert other.board == reading.board == CASE_START
    assert other.numbered


def test_the_terminal_names_tiles_as_the_files_do(tmp_path: Path, reader: Any) -> None:
    shot = write_picture(tmp_path / "shot.png")
    reader(make_reading())
    base = ("solve", shot, "--no-files")
    shown = run(*base).stdout
    assert len(re.findall(r"\d+\. move the tile at row \d, column \d \w+", shown)) == 2
    assert "move tile" not in shown
    assert "move tile" in run(*base, "--numbers").stdout
    lettered = run(*base, "--coordinates", "letters").stdout
    assert len(re.findall(r"\d+\. move the tile at [A-C]\d \w+", lettered)) == 2
    assert run("hint", shot).stdout.startswith("move the tile at row ")
    reader(dataclasses.replace(make_reading(), numbered=True))
    assert len(re.findall(r"\d+\. move tile \d at row", run(*base).stdout)) == 2
    assert run("hint", shot).stdout.startswith("move tile ")


def test_a_reading_by_picture_has_no_numbers() -> None:
    tiles = noise_tiles(Shape(2, 2), 9, 9)
    board = Board.parse("1 2 / 3 0")
    reading = Reading(
        board, board, Region(0, 0, 18, 18), "reference", 1.0, True, tiles=tiles.tiles
    )
    assert not Guide(Solution(board, board, (), 0), reading).numbered
    assert not TileSet.from_reading(reading).has_numbers
