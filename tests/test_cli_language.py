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


TWIDDLED = "2 1 3 / 4 6 5 / 7 8 9"


def read_as(monkeypatch: pytest.MonkeyPatch, outcome: Any) -> None:
    monkeypatch.setattr("imgpuzzle.vision.read.read_puzzle", fake_reader(outcome))


@pytest.mark.usefixtures("russian")
def test_a_solution() -> None:
    result = run("solve", TWO_MOVES, "--no-files")
    assert "решение    2 хода, доказано: короче нельзя" in result.stdout
    assert "1. Сдвиньте фишку 5 в строке 2, столбце 3 влево" in result.stdout
    assert english(result.output) == set()
    twiddled = run("solve", "--puzzle", "twiddle", TWIDDLED, "--no-files").stdout
    assert "поиск      поиск в ширину с двух концов, " in twiddled
    assert english(twiddled) == set()
    assert "осталось: 2 хода" in run("hint", TWO_MOVES).stdout
    assert "решаемо    да" in run("check", TWO_MOVES).stdout


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
