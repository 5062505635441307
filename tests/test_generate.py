"""``imgpuzzle generate``: levels are as long as they say, and drawn without bias."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pypdf
import pytest
from cli_support import error_line, run
from click.testing import Result
from PIL import Image

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.errors import UsageError
from imgpuzzle.fleet import level_pages
from imgpuzzle.fleet import levels as room
from imgpuzzle.fleet.levels import BANDS, Wish, make_levels
from imgpuzzle.fleet.rating import Rating
from imgpuzzle.fleet.workers import ProcessFleet
from imgpuzzle.solver.complete import depths
from imgpuzzle.solver.counting import count_shortest
from imgpuzzle.solver.search import solve


def generate(*arguments: str) -> Result:
    return run("generate", *arguments)


@pytest.mark.parametrize(
    ("sides", "moves", "count"), [((3, 3), (14, 17), 6), ((4, 4), (44, 50), 2)]
)
def test_levels_are_different_proven_and_as_long_as_wished(
    sides: tuple[int, int], moves: tuple[int, int], count: int
) -> None:
    found = make_levels(Wish(Shape(*sides), *moves), count, seed=1)
    assert len({one.board for one in found}) == count
    assert [one.line for one in found] == list(range(1, count + 1))
    for one in found:
        solution = solve(Board.parse(one.board or "", shape=Shape(*sides)))
        assert solution.is_optimal
        assert one.moves == solution.move_count == len(one.solution or "")
        assert moves[0] <= (one.moves or 0) <= moves[1]
    if sides == (3, 3):
        assert found == make_levels(Wish(Shape(*sides), *moves), count, seed=1)
        assert found != make_levels(Wish(Shape(*sides), *moves), count, seed=2)


@pytest.mark.parametrize(
    ("shape", "length", "count"), [(Shape(3, 3), 8, 116), (Shape(2, 5), 9, 112)]
)
def test_all_levels_of_a_length_when_so_many_are_asked_for(
    shape: Shape, length: int, count: int
) -> None:
    assert dict(depths(shape, shape.size - 1))[length] == count
    found = make_levels(Wish(shape, length, length), count, seed=3)
    assert len({one.board for one in found}) == count
    assert {one.moves for one in found} == {length}
    said = f"expected {count + 1} different levels, found {count}"
    with pytest.raises(UsageError, match=said):
        make_levels(Wish(shape, length, length), count + 1, seed=3)


def test_a_length_with_too_few_levels_leaves_its_share_to_the_others() -> None:
    """Of 3x3 two boards are one move away, and four are two."""
    for seed in range(5):
        found = make_levels(Wish(Shape(3, 3), 1, 2), 6, seed=seed)
        assert Counter(one.moves for one in found) == {1: 2, 2: 4}
        assert len({one.board for one in found}) == 6
    with pytest.raises(UsageError, match=r"found 6 of 3x3 with 1\.\.2 moves"):
        make_levels(Wish(Shape(3, 3), 1, 2), 7, seed=1)


def test_lengths_between_are_equally_likely() -> None:
    found = make_levels(Wish(Shape(3, 3), 12, 21), 1000, seed=4)
    counts = Counter(one.moves for one in found)
    assert set(counts) == set(range(12, 22))
    assert all(60 <= count <= 140 for count in counts.values())


@pytest.mark.slow
def test_weights_of_walks_make_every_position_equally_likely() -> None:
    """Each position's weights, summed over walks that reach it, have the mean 1."""
    wish = Wish(Shape(2, 3), 9, 9)
    sums: Counter[Board] = Counter()
    walks = 400
    for walked in room._walks(wish.goal, 9, list(range(walks))):
        if walked is not None:
            sums[walked[0]] += walked[1]  # type: ignore[assignment]
    assert len(sums) == dict(depths(Shape(2, 3), 5))[9]
    means = np.array(list(sums.values())) / walks
    assert means.mean() == pytest.approx(1, abs=0.05)
    assert means == pytest.approx(1, abs=0.5)


def test_common_lengths_of_large_boards_come_from_uniform_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "_walks", None)
    found = make_levels(Wish(Shape(4, 4), 52, 52), 12, seed=7)  # two batches
    assert [one.moves for one in found] == [52] * 12


@pytest.mark.slow
def test_rare_lengths_of_large_boards_are_the_same_whoever_works() -> None:
    """Walks are drawn, and ways counted, by whoever works."""
    wish = Wish(Shape(4, 4), 14, 14, unique=True)
    alone = make_levels(wish, 2, seed=1)
    for level in alone:
        board = Board.parse(level.board or "")
        assert level.moves == solve(board).move_count == 14
        assert count_shortest(board).count == 1
    with ProcessFleet(2) as fleet:
        assert alone == make_levels(wish, 2, seed=1, fleet=fleet)


def test_bands_follow_difficulty_and_one_solution_is_one() -> None:
    means = []
    for band in BANDS:
        found = make_levels(Wish(Shape(3, 3), 20, 20, band, unique=True), 20, seed=8)
        means.append(np.mean([one.difficulty or 0 for one in found]))
        for one in found[:5]:
            assert count_shortest(Board.parse(one.board or "")).count == 1
    assert means[0] < means[1] < means[2]


def test_wishes_that_cannot_be_met() -> None:
    with pytest.raises(UsageError, match="at most 16 cells"):
        Wish(Shape(5, 5), 3, 4)
    with pytest.raises(UsageError, match=r"found '5\.\.4'"):
        Wish(Shape(3, 3), 5, 4)
    with pytest.raises(UsageError, match="the hardest one needs 31"):
        make_levels(Wish(Shape(3, 3), 32, 40), 1, seed=1)


def test_text_can_be_rated_again(tmp_path: Path) -> None:
    path = tmp_path / "levels.txt"
    asked = ("--moves", "10..12", "--count", "5", "--seed", "9")
    assert generate(*asked, "-o", str(path)).exit_code == 0
    assert generate(*asked).stdout == path.read_text()
    assert generate(*asked, "-o", "-").stdout == path.read_text()
    shown = run("rate", path, "--format", "jsonl", "--workers", "1")
    for line, rated in zip(
        path.read_text().splitlines(), shown.stdout.splitlines(), strict=True
    ):
        assert f": {json.loads(rated)['moves']} moves, difficulty" in line
    shown = generate(*asked, "--solutions")
    for line in shown.stdout.splitlines():
        board, letters = line.split("#")[0], line.rsplit(": ")[-1]
        assert len(letters) == solve(Board.parse(board)).move_count


def test_tables_and_pictures(tmp_path: Path) -> None:
    asked = ("--moves", "4", "--count", "3", "--seed", "1", "--grid", "2x3")
    for ending in ("jsonl", "csv"):
        path = tmp_path / f"levels.{ending}"
        assert generate(*asked, "-o", str(path)).exit_code == 0
        shown = run("rate", path, "--workers", "1")
        assert shown.stdout.count(",true,4,true,4,") == 3
    folder = tmp_path / "pictures"
    assert generate(*asked, "-o", str(folder)).exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        *("level_1.png", "level_2.png", "level_3.png", "levels.csv")
    ]
    with Image.open(folder / "level_1.png") as drawn:
        assert drawn.width > drawn.height


def test_a_folder_that_holds_files_is_left_alone(tmp_path: Path) -> None:
    asked = ("--moves", "4", "--count", "1", "--grid", "2x3", "-o", str(tmp_path))
    assert run("solve", "1 2 0 3", "-o", tmp_path).exit_code == 0
    there = sorted(tmp_path.iterdir())
    shown = generate(*asked)
    assert "expected a new or an empty folder" in error_line(shown, 2)
    assert sorted(tmp_path.iterdir()) == there


def pages_of(data: bytes) -> list[pypdf.PageObject]:
    return list(pypdf.PdfReader(io.BytesIO(data)).pages)


def a_level(number: int, board: str, moves: int) -> Rating:
    return Rating(
        line=number,
        board=board,
        shape="3x3",
        moves=moves,
        difficulty=3.0,
        solution="LL",
    )


def test_pages_of_levels_have_a_heading_and_six_boards() -> None:
    levels = [a_level(n, "1 2 3 / 4 5 6 / 0 7 8", 2) for n in range(1, 8)]
    first, second, _ = pages_of(level_pages.level_pdf(levels, None))
    shown = f"Sliding puzzles {Shape(3, 3).shown}"
    assert first.extract_text().startswith(f"{shown}: 1 to 6\n")
    assert second.extract_text().startswith(f"{shown}: 7\n")
    # The same board each time, which the file holds once.
    assert [len(page.images) for page in (first, second)] == [1, 1]
    words = [page.extract_text() for page in (first, second)]
    assert [one.count(": 2 moves") for one in words] == [6, 1]


def test_levels_of_a_picture_begin_with_the_goal() -> None:
    level = a_level(1, "3 2 1 / 6 5 4 / 0 7 8", 9)
    red_then_blue = np.zeros((300, 300, 3), np.uint8)
    red_then_blue[:, :150, 0] = red_then_blue[:, 150:, 2] = 255
    page, _ = pages_of(level_pages.level_pdf([level], red_then_blue))
    lines = [line.strip() for line in page.extract_text().splitlines()]
    assert lines[1:3] == ["The goal", "1: 9 moves"]
    ordered = []
    for one in page.images:
        paint = np.asarray(one.image.convert("RGB")).astype(int)
        red, blue = (
            np.flatnonzero((paint[..., at] - paint[..., 2 - at] > 99).any(axis=0))
            for at in (0, 2)
        )
        ordered.append(bool(red.max() < blue.min() + 8))
    # In the goal, and in no other board, all that is red is left of what is blue.
    assert ordered == [True, False]


def test_a_pdf_has_puzzles_and_their_solutions(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    Image.effect_noise((200, 260), 80).convert("RGB").save(picture)
    path = tmp_path / "levels.pdf"
    shown = generate(
        *("--moves", "5..8", "--count", "7", "--seed", "1", "-o", str(path)),
        *("--image", str(picture)),
    )
    assert shown.exit_code == 0, shown.stderr
    pages = pages_of(path.read_bytes())
    assert len(pages) == 3
    words = [page.extract_text() for page in pages]
    assert f"Sliding puzzles {Shape(3, 3).shown}: 1 to 5" in words[0]
    assert "The goal" in words[0]
    assert f"Sliding puzzles {Shape(3, 3).shown}: 6 to 7" in words[1]
    assert "6: " in words[1]
    assert "7: " in words[1]
    assert words[2].startswith("Solutions")
    assert [f"{number} of 3" in text for number, text in enumerate(words, 1)] == [
        True
    ] * 3
    assert "difficulty" in words[2]
    width, height = pages[0].mediabox.width, pages[0].mediabox.height
    assert (round(width * 25.4 / 72), round(height * 25.4 / 72)) == (210, 297)


@pytest.mark.parametrize("output", ["a.txt/levels", "b.pdf"])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(
    output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("kept")
    (tmp_path / "b.pdf").mkdir()
    monkeypatch.setattr("imgpuzzle.fleet.levels.make_levels", None)
    shown = generate("--moves", "5..8", "-o", str(tmp_path / output))
    assert "expected a f" in error_line(shown, 2)
