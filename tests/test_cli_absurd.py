"""Absurd values of every option: one line that says what is expected, at once."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from cli_support import TWO_MOVES, error_line, everything, run

from imgpuzzle import help_text
from imgpuzzle.cli import COMMANDS as ALL_COMMANDS
from imgpuzzle.cli import main

pytestmark = pytest.mark.usefixtures("in_empty_folder")

DIGITS = "9" * 400
ENDLESS = "x" * 20_000
NO_NUMBERS = ("", "nan", "-1", "1e400", "-1e400", "inf", "0x5", "true", ENDLESS)
NO_FILES = ("", "a\0b")
REFUSED = {
    "--goal": ("foo bar", "1 2 3", "nofile.txt", DIGITS + " " + DIGITS, ENDLESS),
    "--goal-layout": ("", "rows", "+", ENDLESS),
    "--goal-blank": (
        "",
        "9,9",
        "999,999",
        "-1,0",
        "1",
        f"{DIGITS},0",
        "x" * 9,
        ENDLESS,
    ),
    "--answer": (*NO_NUMBERS, "0", "1.5", DIGITS),
    "--reference": NO_FILES,
    "--grid": (
        "",
        "1000x1000",
        "0x5",
        "5x0",
        "1x1",
        "-3x3",
        "3",
        f"{DIGITS}x3",
        ENDLESS,
    ),
    "--region": ("", "0,0,0,0", "-5,-5,9,9", "1,2,3", ",".join([DIGITS] * 4), ENDLESS),
    "--corners": ("", "1,2", ",".join(["1e400"] * 8), ",".join(["nan"] * 8), ENDLESS),
    "--annotate": (*NO_FILES, "-", "a", "a.exe", ".png", "nodir/a.png", "/", ENDLESS),
    "--assembled": (*NO_FILES, "-", "a", "a.exe", ".png", "nodir/a.png", "/", ENDLESS),
    "--image": NO_FILES,
    "--algorithm": ("", "fast", "auto+auto", ENDLESS),
    "--heuristic": ("", "+", "manhattan+", "fast", ENDLESS),
    "--metric": ("", "double", ENDLESS),
    "--max-moves": (*NO_NUMBERS, "1.5"),
    "--time-limit": (*NO_NUMBERS, "-0.001", DIGITS),
    "--tables": ("", "huge", ENDLESS),
    "--board": ("", "foo bar", "nofile.txt", "1 2 x 0", ENDLESS),
    "--output": (
        *(
            "",
            "a\0b",
            "x.exe",
            "x.jpg",
            ".gif",
            "-",
            "/",
            "x.gif/",
            "x.exe/",
            "x.tar.gz",
        ),
        *("nodir/x.gif", "~/x.gif", "x.gif ", f"{DIGITS}.gif", ENDLESS),
    ),
    "--puzzle": ("", "chess", ENDLESS),
    "--columns": (*NO_NUMBERS, "0", DIGITS),
    "--gap": (*NO_NUMBERS, DIGITS),
    "--per-page": (*NO_NUMBERS, "0", DIGITS),
    "--paper": ("", "a5", ENDLESS),
    "--highlight": ("", ",", "glow", "outline,,arrow", ENDLESS),
    "--caption": ("", "below", ENDLESS),
    "--coordinates": ("", "chess", ENDLESS),
    "--ahead": (*NO_NUMBERS, "4", DIGITS),
    "--theme": ("", "pink", ENDLESS),
    "--title": (ENDLESS, "long " * 100),
    "--language": ("", "xx", ENDLESS),
    "--speed": (*NO_NUMBERS, "0", "0.01", "-inf", DIGITS),
    "--fps": (*NO_NUMBERS, "0", "101", DIGITS),
    "--size": (*NO_NUMBERS, "0", "1", DIGITS),
    "--max-bytes": (
        *NO_NUMBERS,
        "0",
        "0.5",
        "8TB",
        DIGITS,
        f"0.{'0' * 400}1",
        f"{DIGITS}kB",
    ),
    "--crop": (*NO_NUMBERS, DIGITS),
    "--layout": ("", "rows", ENDLESS),
    "--blank": ("", "9,9", "-1,0", ENDLESS),
    "--seed": (*NO_NUMBERS, "1.5"),
    "--method": ("", "shake", ENDLESS),
    "--walks": (*NO_NUMBERS, "1.5", DIGITS),
}
COMMANDS = ("solve", "hint", "check", "read", "render", "scramble")


def options() -> list[tuple[str, str]]:
    """Each command with each of its options that take a value."""
    found = []
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        for param in command.params:
            if isinstance(param, click.Option) and not param.is_flag:
                found.append((name, max(param.opts, key=len)))
    return found


def test_every_option_is_tried() -> None:
    others = ("batch", "generate", "play", "rate", "review", "study", "tables")
    others += "watch", "web"
    listed = {*COMMANDS, *others}
    assert listed == set(ALL_COMMANDS)
    own = [name for one in main.params for name in one.opts]
    own += main.context_settings["help_option_names"]
    assert re.findall(r" (--?\w+)", help_text().partition("Options:")[2]) == own
    assert {option for _, option in options()} == set(REFUSED)


@pytest.mark.parametrize(("command", "option"), options())
def test_absurd_values(tmp_path: Path, command: str, option: str) -> None:
    arguments = {
        "render": [TWO_MOVES, "--output", "out.png"],
        "scramble": ["--method", "walk"],
        "read": ["shot.png", "--grid", "3x3"],
    }.get(command, [TWO_MOVES])
    if command == "read":
        # What is checked before it is opened.
        (tmp_path / "shot.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    if option == "--board":
        arguments = arguments[1:]
    is_picture = option == "--output" and command != "solve"
    before = everything(tmp_path)
    for value in REFUSED["--annotate" if is_picture else option]:
        if command == "read" and (option, value) in AFTER_READING:
            continue
        line = error_line(run(command, *arguments, f"{option}={value}"), 2)
        assert len(line) < 1000, line
        assert value[:81] not in line or len(value) < 81
        assert everything(tmp_path) == before, value


AFTER_READING = {
    ("--blank", "9,9"),
    ("--goal", "1 2 3"),
    ("--goal", f"{DIGITS} {DIGITS}"),
    ("--region", ",".join([DIGITS] * 4)),
}
"""Whether these belong to a screenshot shows when that is opened."""
