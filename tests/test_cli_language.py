"""The terminal in the user's language: what players read, and what stays English."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from cli_support import (
    TWO_MOVES,
    UNSOLVABLE,
    error_line,
    fake_reader,
    make_reading,
    one_object,
    run,
    write_picture,
)

from imgpuzzle.cli import speech
from imgpuzzle.core.reading import GridAmbiguousError, Region
from imgpuzzle.messages import Message, Refusal

LATIN = re.compile(r"[A-Za-z]{2,}")
OPTION = re.compile(r"--[a-z-]+(?: (?:[A-Z][A-Z,x.a-z]+|spiral|first|[a-z]+-[a-z]+))?")
NAMES = {
    *("imgpuzzle", "px", "shot", "png", "spiral"),
    # What solves a board that is the first, or comes after others with tables.
    *("idastar", "linear", "conflict", "pattern", "databases"),
}


@pytest.fixture
def russian(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "ru")


@pytest.fixture
def shot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    write_picture(tmp_path / "shot.png")
    return "shot.png"


def english(text: str) -> set[str]:
    """The English words in an answer that are no names or options."""
    found = set(LATIN.findall(OPTION.sub("", text))) - NAMES
    return {word for word in found if not set(word) <= set("ULDR")}


def read_as(monkeypatch: pytest.MonkeyPatch, outcome: Any) -> None:
    monkeypatch.setattr("imgpuzzle.vision.read.read_puzzle", fake_reader(outcome))


@pytest.mark.usefixtures("russian")
def test_a_solution() -> None:
    result = run("solve", TWO_MOVES, "--no-files")
    assert "решение    2 хода, доказано: короче нельзя" in result.stdout
    assert "1. Сдвиньте фишку 5 в строке 2, столбце 3 влево" in result.stdout
    assert english(result.output) == set()
    assert "осталось: 2 хода" in run("hint", TWO_MOVES).stdout
    assert "решаемо    да" in run("check", TWO_MOVES).stdout


@pytest.mark.usefixtures("russian")
def test_a_goal_that_cannot_be_reached() -> None:
    for command in ("solve", "hint", "check"):
        result = run(command, UNSOLVABLE)
        assert result.exit_code == 6
        assert "эти цели достижимы" in result.stdout
        assert " 8 ходов  спиралью" in result.stdout
        assert english(result.output) <= {"column", "check"}


@pytest.mark.usefixtures("russian")
def test_readings_and_their_doubts(shot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read_as(monkeypatch, make_reading())
    result = run("read", shot)
    assert "чтение     уверенно" in result.stdout
    assert english(result.output) == set()
    doubted = make_reading(certain=False)
    read_as(monkeypatch, doubted)
    result = run("solve", shot)
    line = error_line(result, 5)
    assert "чтение под сомнением: строка 1, столбец 2; строка 2, столбец 3" in line
    assert "некоторые фишки одинаковы на вид, их места — догадка; помогут" in line
    assert english(line) == set()


@pytest.mark.usefixtures("russian")
def test_limits_and_two_boards(shot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line = error_line(run("solve", "8 6 7 / 2 5 4 / 3 0 1", "--max-moves", "30"), 7)
    assert "нужно не меньше: 31 ход;" in line
    places = (Region(1, 2, 30, 40), Region(50, 2, 30, 40))
    two = Message(Refusal.TWO_BOARDS, one=places[0], other=places[1])
    read_as(monkeypatch, GridAmbiguousError(two, regions=places))
    line = error_line(run("read", shot), 4)
    assert "найдены два поля: 1,2,30,40 и 50,2,30,40" in line


@pytest.mark.usefixtures("russian")
def test_programs_get_english() -> None:
    result = run("check", UNSOLVABLE, "--json")
    assert "half of all" in one_object(result)["reason"]


def test_the_option_counts_more_than_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for command in ("solve", "hint", "check"):
        assert "ход" in run(command, UNSOLVABLE, "--language", "ru").stdout
        assert "moves" in run(command, UNSOLVABLE).stdout
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    assert "moves" in run("check", UNSOLVABLE, "--language", "en").stdout
    assert "ход" in run("check", UNSOLVABLE).stdout


@pytest.mark.usefixtures("russian")
def test_what_was_given_up_for_a_small_file(tmp_path: Path) -> None:
    target = tmp_path / "x.gif"
    result = run("solve", TWO_MOVES, "-o", target, "--max-bytes", "9k")
    assert re.search(r"^GIF: (уменьшено до|кадров на ход|цветов)", result.stderr, re.M)
    assert f"записан {target}" in result.stderr
    line = error_line(run("solve", TWO_MOVES, "-o", target, "--max-bytes", "1k"), 2)
    assert "--max-bytes должно быть не меньше" in line


def test_thousands_are_written_as_the_language_does() -> None:
    """A comma is decimal in Russian."""
    try:
        speech.speak("en")
        assert speech.moves(1884264) == "1,884,264 moves"
        speech.speak("ru")
        assert speech.moves(1884264) == "1\u00a0884\u00a0264 хода"
        assert speech.number(999) == "999"
    finally:
        speech.speak("en")
