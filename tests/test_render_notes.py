"""The words of a contact sheet: the list of moves, and how lines are broken."""

from __future__ import annotations

import dataclasses
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from render_oracles import slides_by_hand, wandering

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.solution import Solution
from imgpuzzle.core.stages import Stage, StageKind
from imgpuzzle.render.drawing.lettering import text_width
from imgpuzzle.render.files.frames import Style
from imgpuzzle.render.sheets.notes import Line, Notes, Setter, moves_of, wrapped
from imgpuzzle.render.sheets.page import captions
from imgpuzzle.render.sheets.panels import chapter_names, panel_spans


def set_moves(solution: Solution, width: float, rows: int, compact: bool) -> Notes:
    spans = panel_spans(solution, compact=compact)
    setter = Setter(width, 13, Style())
    setter.moves(moves_of(solution, spans, compact=compact), rows)
    return setter.notes()


def rows_of(notes: Notes) -> list[list[Line]]:
    """Lines side by side, from left to right; none may touch the next."""
    tops = sorted({line.top for line in notes.lines})
    rows = [
        sorted((ln for ln in notes.lines if ln.top == top), key=lambda ln: ln.left)
        for top in tops
    ]
    for row in rows:
        for one, two in pairwise(row):
            assert one.left + text_width(one.text, one.size, bold=one.bold) < two.left
    for one, two in pairwise(tops):
        assert two - one > 13
    return rows


@pytest.mark.parametrize(("rows", "compact"), [(1000, False), (0, False), (0, True)])
def test_stages_have_headings_in_the_list_of_moves(rows: int, compact: bool) -> None:
    solution = wandering(row_major(Shape(4, 4)), 60, 1)
    stages = (
        Stage(StageKind.ROW, 0, (0, 1, 2, 3), 1, 31),
        Stage(StageKind.COLUMN, 3, (7, 11, 15), 32, 60),
    )
    solution = dataclasses.replace(solution, stages=stages, shortest_known=58)
    texts = [line.text for line in set_moves(solution, 900, rows, compact).lines]
    first, second = (
        texts.index(text)
        for text in ("First row: moves 1 to 31", "Last column: moves 32 to 60")
    )
    assert texts[first + 1].startswith("Bring ")
    assert texts[second + 1].startswith("Bring ")
    if not rows:
        letters = [re.sub("[^UDLR]", "", text) for text in texts if text.isupper()]
        assert "".join(letters) == solution.letters
    # What stands above the panels: as much as there is room for.
    names = chapter_names(solution, Style())
    assert names == {1: "First row", 32: "Last column"}
    for wide, label in ((200, "30-33 \u00b7 Last column"), (60, "30-33")):
        above = captions([(30, 33), (33, 33)], [(0, 40), (0, 90)], wide, 20, names)
        assert [line.text for line in above.lines] == [label, "33"]
        assert 20 <= above.lines[0].top < 40


@given(st.integers(1, 80), st.integers(0, 9), st.integers(250, 3000), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_list_of_moves_reads_down_its_columns(
    moves: int, seed: int, width: int, compact: bool
) -> None:
    solution = wandering(row_major(Shape(4, 4)), moves, seed)
    notes = set_moves(solution, width, 1000, compact)
    rows = rows_of(notes)
    assert notes.height >= rows[-1][0].top + 13
    for line in notes.lines:
        end = line.left + text_width(line.text, line.size, bold=line.bold)
        assert end <= width + 1
    # Pair labels, which are numbers, with the words that follow; columns begin at
    # the same place, wrapped sentences go on below.
    labels = sorted(
        (ln for ln in notes.lines if ln.bold), key=lambda ln: int(ln.text.split("-")[0])
    )
    shown = {
        label.text: min(
            (ln for ln in notes.lines if ln.top == label.top and ln.left > label.left),
            key=lambda ln: ln.left,
        ).text
        for label in labels
    }
    groups = slides_by_hand(solution)
    if not compact:
        groups = [[cell] for cell in solution.moves]
    assert len(shown) == len(groups)
    number = 0
    for (label, text), group in zip(shown.items(), groups, strict=True):
        first, last = number + 1, number + len(group)
        assert label == (str(first) if first == last else f"{first}-{last}")
        number = last
        many = f"Move the {last - first + 1} tiles at "
        assert text.startswith("Move the tile at " if first == last else many)


@given(st.integers(1, 700), st.integers(250, 3000))
@settings(max_examples=20, deadline=None)
def test_long_lists_are_letters_in_numbered_lines(moves: int, width: int) -> None:
    solution = wandering(row_major(Shape(4, 4)), moves, 1)
    rows = rows_of(set_moves(solution, width, 0, False))
    heading = " ".join(ln.text for row in rows for ln in row if "D" in ln.text[1:])
    assert heading.startswith("The way each tile moves") or "U up" in heading
    letters = ""
    for row in rows:
        if not row[0].bold:
            continue
        assert int(row[0].text) == len(letters) + 1
        letters += "".join(line.text for line in row[1:])
        last = row[-1]
        assert last.left + text_width(last.text, 13, bold=False) <= width
    assert letters == solution.letters


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


def test_named_cells_are_listed_by_their_names() -> None:
    board = Board.parse("1 2 3 / 0 4 5")
    solution = Solution(board, Board.parse("1 2 0 / 4 5 3"), (4, 5, 2), 3)
    style = Style(coordinates="letters")
    for compact, expected in (
        (False, ["B2 ←", "C2 ←", "C1 ↓"]),
        (True, ["B2-C2 ←", "C1 ↓"]),
    ):
        spans = panel_spans(solution, compact=compact)
        setter = Setter(900, 13, style)
        setter.moves(moves_of(solution, spans, compact=compact), 9)
        shown = [line.text for line in setter.notes().lines if not line.bold]
        assert shown == expected
