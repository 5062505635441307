"""``moves.txt`` and its Markdown: read back line by line, in every language."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from render_oracles import (
    CASE,
    CASE_IN_STAGES,
    puzzles,
    wandering,
)

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.moves import told_together
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.solution import Solution
from imgpuzzle.core.stages import Stage, StageKind
from imgpuzzle.render.sheets.text import moves_markdown, moves_text


def test_stages_are_chapters() -> None:
    lines = moves_text(CASE_IN_STAGES, Naming()).splitlines()
    assert lines[0] == "20 moves in 2 stages; the shortest known solution has 18"
    at = lines.index("First row: moves 1 to 15")
    assert lines[at + 1].startswith("  Bring 1, 2 and 3 to row 1;")
    assert max(map(len, lines)) <= 72
    assert lines[at + 3].startswith(" 1. move tile 6")
    at = lines.index("Last 2\u00a0×\u00a03: moves 16 to 20")
    assert lines[at - 2].startswith("15. ")
    plain = moves_text(CASE_IN_STAGES, Naming(numbers=False))
    assert "Bring the tiles of row 1 there" in plain
    assert "Put the last tiles in order" in plain


@pytest.mark.parametrize("illustrated", [True, False])
def test_stages_are_chapters_of_markdown(illustrated: bool) -> None:
    pictures = [f"step_{number}.png" for number in range(1, 22)] if illustrated else []
    lines = moves_markdown(CASE_IN_STAGES, Naming(), pictures=pictures).splitlines()
    headings = [line for line in lines if line.startswith("###")]
    assert headings == [
        "### First row: moves 1 to 15",
        "### Last 2\u00a0×\u00a03: moves 16 to 20",
    ]
    after = [line for line in lines[lines.index(headings[1]) :] if line]
    first = "**16.** " if illustrated else "16. "
    assert after[1].startswith("Put 4, 5, 6, 7 and 8 in order")
    assert after[2].startswith(first)
    if illustrated:
        shown = re.findall(r"\((step_\d+\.png)\)", "\n".join(lines))
        assert shown == pictures


@pytest.mark.parametrize(
    ("bound", "shortest_known", "price"),
    [
        (20, 20, "20 moves in 2 stages, which is proven shortest"),
        (14, 20, "20 moves in 2 stages; no shorter solution is known"),
        (18, 18, "20 moves in 2 stages; the shortest solution has 18"),
    ],
)
def test_the_price_of_stages(bound: int, shortest_known: int, price: str) -> None:
    solution = dataclasses.replace(
        CASE_IN_STAGES, lower_bound=bound, shortest_known=shortest_known
    )
    assert moves_text(solution, Naming()).splitlines()[0] == price


@pytest.mark.parametrize(
    ("kind", "line", "cells", "name"),
    [
        (StageKind.ROW, 2, (6, 7, 8), "Last row"),
        (StageKind.ROW, 1, (3, 4, 5), "Row 2"),
        (StageKind.COLUMN, 0, (0, 3, 6), "First column"),
        (StageKind.COLUMN, 2, (2, 5, 8), "Last column"),
        (StageKind.COLUMN, 1, (1, 4, 7), "Column 2"),
        (StageKind.REST, 0, (1, 2, 4, 5, 7, 8), "Last 3\u00a0×\u00a02"),
    ],
)
def test_names_of_stages(
    kind: StageKind, line: int, cells: tuple[int, ...], name: str
) -> None:
    stage, shape = Stage(kind, line, cells, 3, 3), Shape(3, 3)
    assert stage.heading(shape, Naming()) == f"{name}: move 3"
    lettered = stage.name(shape, Naming(letters=True))
    assert lettered == name.replace("Column 2", "Column B")


def test_long_solutions_are_wrapped() -> None:
    solution = wandering(row_major(Shape(5, 5)), 300, 3)
    text = moves_text(solution, Naming())
    assert max(len(line) for line in text.splitlines() if line[:2] == "  ") <= 72
    assert "".join(re.findall(r"\b[UDLR]{5}\b", text)) == solution.letters


def test_nothing_to_do_and_one_move() -> None:
    goal = Board.parse("1 2 / 3 0")
    assert moves_text(wandering(goal, 0, 0), Naming()).startswith("Solved already")
    one = dataclasses.replace(wandering(goal, 1, 0), lower_bound=1)
    assert moves_text(one, Naming()).startswith("1 move, proven shortest")


MOVE = {
    "en": r"move tile (\d+) at row (\d+), column (\d+) (\w+)",
    "de": r"schiebe Kachel (\d+) in Zeile (\d+), Spalte (\d+) (nach \w+)",
    "ru": r"сдвиньте фишку (\d+) в строке (\d+), столбце (\d+) (\w+)",
}
PUSH = {
    "en": r"push tile (\d+) at row (\d+), column (\d+) (\w+), and (.*) with it",
    "de": r"schiebe Kachel (\d+) in Zeile (\d+), Spalte (\d+) (nach \w+) "
    r"und mit ihr (.*)",
    "ru": r"толкните фишку (\d+) в строке (\d+), столбце (\d+) (\w+), а с ней и (.*)",
}
languages = st.sampled_from(sorted(MOVE))
WAYS = {
    "up": (-1, 0),
    "down": (1, 0),
    "left": (0, -1),
    "right": (0, 1),
    "nach oben": (-1, 0),
    "nach unten": (1, 0),
    "nach links": (0, -1),
    "nach rechts": (0, 1),
    "вверх": (-1, 0),
    "вниз": (1, 0),
    "влево": (0, -1),
    "вправо": (0, 1),
}


class Replay:
    """A board as a table of labels, moved by sentences."""

    def __init__(self, board: Board, language: str) -> None:
        self.cells = {
            (row, col): label
            for row, labels in enumerate(board.rows(), 1)
            for col, label in enumerate(labels, 1)
        }
        self.language = language

    def follow(self, sentence: str) -> None:
        if match := re.fullmatch(MOVE[self.language], sentence):
            tile, row, col = map(int, match.groups()[:3])
            assert self.cells[row, col] == tile
            self.push([(row, col)], match[4])
            return
        match = re.fullmatch(PUSH[self.language], sentence)
        assert match, sentence
        tile, row, col = map(int, match.groups()[:3])
        assert self.cells[row, col] == tile
        down, right = WAYS[match[4]]
        others = list(map(int, re.findall(r"\d+", match[5])))
        line = [(row + n * down, col + n * right) for n in range(len(others) + 1)]
        assert [self.cells[cell] for cell in line] == [tile, *others]
        self.push(line, match[4])

    def push(self, tiles: list[tuple[int, int]], way: str) -> None:
        down, right = WAYS[way]
        # The foremost tile goes first.
        for row, col in sorted(
            tiles, key=lambda cell: cell[0] * down + cell[1] * right, reverse=True
        ):
            target = (row + down, col + right)
            assert self.cells[target] == 0
            self.cells[target] = self.cells[row, col]
            self.cells[row, col] = 0

    def labels(self) -> tuple[int, ...]:
        return tuple(label for _, label in sorted(self.cells.items()))


@given(puzzles(moves=30), languages, st.sampled_from(["single", "slide"]))
@settings(deadline=None)
def test_words_lead_to_the_goal_in_every_language(
    puzzle: tuple[Solution, object], language: str, metric: str
) -> None:
    solution = dataclasses.replace(puzzle[0], metric=metric)
    single = Replay(solution.start, language)
    for step in solution.steps():
        single.follow(step.words(language))
    assert single.labels() == solution.goal.cells

    slides = Replay(solution.start, language)
    for run in solution.slides():
        slides.follow(told_together(run, Naming(language)))
    assert slides.labels() == solution.goal.cells

    text = Replay(solution.start, language)
    found = re.findall(
        rf"(?m)^ *\d+\. ({MOVE[language]})$", moves_text(solution, Naming(language))
    )
    if metric == "single":
        assert len(found) == solution.move_count
        for sentence, *_ in found:
            text.follow(sentence)
        assert text.labels() == solution.goal.cells


def test_english_is_what_it_was_word_for_word() -> None:
    start = Board.parse("1 2 / 3 0")
    solution = Solution(start, Board.parse("0 1 / 3 2"), (1, 0), 2)
    assert moves_text(solution, Naming()) == (
        "2 moves, proven shortest\n"
        "\nStart:\n  1 2\n  3 0\n\nGoal:\n  0 1\n  3 2\n\nMoves:\n"
        "1. move tile 2 at row 1, column 2 down\n"
        "2. move tile 1 at row 1, column 1 right\n"
        "\nThe way each tile moves (U up, D down, L left, R right):\n  DR\n"
        "\nThe tiles in this order:\n  2 1\n"
    )


@pytest.mark.parametrize(
    ("bound", "metric", "first"),
    [
        (20, "single", "20 ходов, доказано: короче нельзя"),
        (18, "single", "20 ходов, не доказано, что короче нельзя: нужно"),
        (18, "slide", "18 сдвигов (20 одиночных ходов), доказано: короче нельзя"),
    ],
)
def test_russian_claims_no_more_than_is_proven(
    bound: int, metric: str, first: str
) -> None:
    solution = dataclasses.replace(CASE, lower_bound=bound, metric=metric)
    line = moves_text(solution, Naming("ru")).splitlines()[0]
    assert line.startswith(first)
    is_proven = bound == solution.length
    assert is_proven != line.endswith(f"не меньше {bound}")
    assert line in moves_markdown(solution, Naming("ru")).splitlines()


def tables(markdown: str) -> list[list[list[str]]]:
    """The cells of all tables; their lines must be equally long."""
    found = []
    for block in markdown.split("\n\n"):
        lines = block.splitlines()
        if not lines[0].startswith("|"):
            continue
        assert len({len(line) for line in lines}) == 1
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
        assert all(re.fullmatch(r"-{2,}:", cell) for cell in rows.pop(1))
        found.append(rows)
    return found


@given(puzzles(moves=30), languages, st.sampled_from(["single", "slide"]))
@settings(deadline=None)
def test_markdown_reads_back(
    puzzle: tuple[Solution, object], language: str, metric: str
) -> None:
    solution = dataclasses.replace(puzzle[0], metric=metric)
    text = moves_markdown(solution, Naming(language))
    assert text.endswith("\n")
    assert "\n\n\n" not in text
    assert all(line == line.rstrip() for line in text.splitlines())
    shown = tables(text)
    assert len(shown) == 2
    for rows, board in zip(shown, (solution.start, solution.goal), strict=True):
        assert rows[0][1:] == [str(col + 1) for col in range(board.shape.cols)]
        for number, (row, labels) in enumerate(
            zip(rows[1:], board.rows(), strict=True)
        ):
            assert row[0] == f"**{number + 1}**"
            assert row[1:] == [str(label or "") for label in labels]

    lists = re.findall(r"(?m)(?:^\d+\. .*\n)+", text)
    if not solution.moves:
        assert not lists
        return
    grouped = solution.slide_count < solution.move_count
    assert len(lists) == 1 + grouped
    for part in lists:
        replay = Replay(solution.start, language)
        counted = 0
        for number, line in enumerate(part.splitlines(), 1):
            match = re.fullmatch(r"(\d+)\. (\D.*?)(?: \((\D+) (.*)\))?\.", line)
            assert match, line
            assert int(match[1]) == number
            sentence = match[2]
            assert sentence[0].isupper()
            replay.follow(sentence[0].lower() + sentence[1:])
            if match[4]:
                moves = [int(word) for word in re.findall(r"\d+", match[4])]
                assert moves[0] == counted + 1
                counted = moves[-1]
        assert replay.labels() == solution.goal.cells
        assert counted in (0, solution.move_count)
    letters, tiles = re.findall(r"```\n(.*?)\n```", text, re.DOTALL)
    assert "".join(letters.split()) == solution.letters
    assert [int(tile) for tile in tiles.split()] == [
        step.tile for step in solution.steps()
    ]


@pytest.mark.slow
def test_the_metric_decides_which_list_comes_first() -> None:
    slide = dataclasses.replace(CASE, metric="slide")
    for solution, count in ((CASE, 20), (slide, 18)):
        first = re.findall(r"(?m)(?:^\d+\. .*\n)+", moves_markdown(solution, Naming()))[
            0
        ]
        assert len(first.splitlines()) == count


@given(st.text(st.sampled_from("ab 1.\n\\`*_{}[]<>()#+-!|~$&")))
def test_titles_mean_nothing_in_markdown(title: str) -> None:
    solution = wandering(row_major(Shape(2, 2)), 2, 1)
    lines = moves_markdown(solution, Naming(), title=title).splitlines()
    assert lines[1] == ""
    if not title.strip():
        assert lines[0] == "# Sliding puzzle 2\u00a0×\u00a02"
        return
    shown = lines[0].removeprefix("# ")
    # Without its pairs of a backslash and a sign, no sign is left.
    assert not set(re.sub(r"\\[^a-z0-9\s]", "", shown)) & set("\\`*_{}[]<>()#+-!|~$&")
    assert re.sub(r"\\([^a-z0-9\s])", r"\1", shown) == " ".join(title.split())
