"""The README's commands are the ones that are checked."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from cli_support import run, write_picture

from imgpuzzle import cli

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
SETUP = "python3 -m venv .venv && .venv/bin/pip install -q -e "
# What lies between fences: every second part, its first line names the language.
BLOCKS = [part.partition("\n") for part in README.split("```")[1::2]]
COMMANDS = [
    line
    for kind, _, text in BLOCKS
    if kind == "sh"
    for line in text.splitlines()
    if line.startswith("imgpuzzle ")
]


def test_both_setup_lines_are_one_line_each() -> None:
    lines = [line for line in README.splitlines() if line.startswith(SETUP)]
    assert len(lines) == 2
    solve, test = lines
    assert test in (ROOT / ".ci" / "run").read_text("utf-8")
    _, command = solve.rsplit(" && ", 1)
    for name in re.findall(r"sample_images/\S+", command):
        assert (ROOT / name).is_file()


def test_every_option_that_is_named_exists() -> None:
    assert len(COMMANDS) > 10
    context = cli.main.make_context("imgpuzzle", [], resilient_parsing=True)
    for line in COMMANDS:
        for part in line.split("#")[0].split("|"):
            words = shlex.split(part)
            if not words or words[0] != "imgpuzzle":
                continue
            command = cli.main.get_command(context, words[1])
            assert command is not None, line
            known = {name for option in command.params for name in option.opts}
            for word in words[2:]:
                if word.startswith("--"):
                    assert word in known, f"{word} in {line!r}"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('imgpuzzle solve --board "1 2 3 / 4 0 5 / 7 8 6"', 0),
        ("imgpuzzle solve board.txt --image picture.png", 0),
        ('imgpuzzle check "3 7 11 15 / 2 13 9 4 / 5 14 6 12 / 8 10 1 0"', 6),
        ("imgpuzzle check board.txt --repair", 0),
        ("imgpuzzle scramble --grid 3x3 --image picture.png --output shot.png", 0),
        (
            "imgpuzzle render --board board.txt --image picture.png "
            "--output position.png",
            0,
        ),
    ],
)
def test_commands_of_the_readme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, code: int
) -> None:
    assert line in README
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.txt").write_text("1 2 3\n4 0 5\n7 8 6\n")
    write_picture(tmp_path / "picture.png")
    assert run(*shlex.split(line)[1:]).exit_code == code


def test_the_board_file_of_the_readme() -> None:
    from imgpuzzle.boardfile import parse_boards

    (text,) = (text for kind, _, text in BLOCKS if not kind and "goal:" in text)
    start, goal = parse_boards(text)
    assert start.one_line() == "5 1 4 8 / 2 6 8 3 / 4 7 5 2 / 3 6 7 0"
    assert goal is not None
    assert sorted(goal.cells) == sorted(start.cells)
