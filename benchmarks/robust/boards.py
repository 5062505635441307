"""Boards as text and as JSON with mistakes in them, and options that make no sense."""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.robust.attack import Outcome
from benchmarks.robust.command import call
from benchmarks.robust.mutation import mutated_bytes, mutated_json, mutated_text

__all__ = ["attack", "board_text"]

EASY = "1 2 3 / 4 0 5 / 7 8 6"
SEARCH = ("--no-files", "--time-limit", "0.3")
COMMANDS = ("read", "solve", "hint", "check", "scramble", "render")

_WORDS = (
    *(
        "",
        "x",
        "0",
        "1",
        "-1",
        "2",
        "3x3",
        "0x0",
        "99x99",
        "4x4x4",
        "1e9",
        "nan",
        "inf",
    ),
    *(
        "-inf",
        "0.5",
        "1e-9",
        "1000000000000",
        "0,0",
        "9,9",
        "-1,0",
        "1,2,3,4",
        "0,0,0,0",
    ),
    *("1,2,3,4,5,6,7,8", "10,10,90,90", "row", "snake", "last", "auto", "none", "en"),
    *(
        "ru",
        "xx",
        "bottom-right",
        "8MB",
        "1k",
        "-5k",
        "\u0663",
        "a b",
        "\u202e",
        "--",
        "-",
    ),
    *("1 2 / 3 0", "1 2 3 / 4 5 6 / 7 8 0", "outline,arrow", "all", "dim", "x" * 3000),
)
_PATHS = (
    *("out", "out.png", "out.gif", "out.pdf", "out.xyz", "out.json", "a/b/c.txt", "."),
    *("", "folder.png", "board.txt", "absent/x.md", "out.html", "n" * 300 + ".png"),
)


def board_text(dice: random.Random) -> str:
    """A board file of up to 5x5 that is right."""
    rows, cols = dice.choice(((2, 2), (2, 3), (3, 3), (3, 3), (3, 4), (4, 4), (5, 5)))
    labels = list(range(rows * cols))
    dice.shuffle(labels)
    separator = dice.choice((" ", " ", ",", "\t", ";"))
    lines = [
        separator.join(map(str, labels[at : at + cols]))
        for at in range(0, rows * cols, cols)
    ]
    text = dice.choice(("\n", " / ", "\r\n")).join(lines)
    if dice.random() < 0.3:
        goal = [*range(1, rows * cols), 0]
        text = f"start: {text}\ngoal: {' '.join(map(str, goal))}"
    if dice.random() < 0.2:
        text = f"# a board\ngrid: {rows}x{cols}\n{text}"
    return text


@contextlib.contextmanager
def attack(folder: Path) -> Iterator[Any]:
    """``imgpuzzle check``, ``solve``, ``hint`` and others with what makes no sense."""
    place = folder / "here"
    place.mkdir()
    with contextlib.chdir(place):
        (place / "folder.png").mkdir()
        Path("board.txt").write_text(EASY)

        def one(seed: int) -> Outcome:
            dice = random.Random(f"boards {seed}")
            way = dice.random()
            if way < 0.5:
                return _text(dice)
            if way < 0.65:
                return _record(dice)
            return _options(dice, place)

        yield one


def _text(dice: random.Random) -> Outcome:
    text = mutated_text(dice, board_text(dice))
    data = text.encode(dice.choice(("utf-8", "utf-8", "utf-16", "utf-8-sig")), "ignore")
    if dice.random() < 0.2:
        data = mutated_bytes(dice, data, (b"\xff\xfe", b"\0" * 9))
    return _given(dice, text, data)


def _given(dice: random.Random, text: str, data: bytes) -> Outcome:
    """A text as an argument, from a file or from standard input."""
    command = dice.choice((("check",), ("check", "--json"), ("hint",), ("solve",)))
    search = SEARCH if command[0] == "solve" else ()
    if command[0] == "hint":
        search = SEARCH[1:]
    way = dice.random()
    if way < 0.3 and "\0" not in text:
        # The system has no arguments with a zero byte.
        return call(*command, *search, "--", text, kind="text")
    if way < 0.5:
        return call(*command, *search, "-", stdin=data, kind="text")
    path = Path("given.txt")
    path.write_bytes(data)
    try:
        if way < 0.6:
            return call(*command, *search, EASY, "--goal", str(path), kind="text")
        return call(*command, *search, str(path), kind="text")
    finally:
        path.unlink()


def _record(dice: random.Random) -> Outcome:
    """The program's own JSON, or something like it, where a board is expected."""
    data = mutated_json(dice, json.loads(_solution()))
    path = Path("record.json")
    path.write_bytes(data)
    try:
        if dice.random() < 0.5:
            return call("check", str(path), kind="JSON")
        return call("render", str(path), "--output", "out.png", kind="JSON")
    finally:
        path.unlink()
        Path("out.png").unlink(missing_ok=True)


@functools.cache
def _solution() -> str:
    from click.testing import CliRunner

    from imgpuzzle.cli import main

    return CliRunner().invoke(main, ["solve", EASY, "--no-files", "--json"]).stdout


def _options(dice: random.Random, place: Path) -> Outcome:
    """A command with options of all kinds, right and wrong ones."""
    import shutil

    import click

    command = dice.choice(COMMANDS)
    known = importlib.import_module(f"imgpuzzle.cli.commands.{command}").command
    options = [one for one in known.params if isinstance(one, click.Option)]
    args: list[str] = []
    if dice.random() < 0.8 and command != "scramble":
        args.append(dice.choice((EASY, EASY, "board.txt", "1 2 / 0 3", "absent.png")))
    for option in dice.sample(options, dice.randint(0, 3)):
        if "help" in option.opts[0]:
            continue
        args.append(dice.choice(option.opts))
        if option.is_flag:
            continue
        if option.opts[-1] in ("--annotate", "--assembled"):
            args.append(f"{option.opts[-1][2:].replace('annotate', 'annotated')}.png")
        elif option.opts[-1] == "--output":
            args.append(dice.choice(_PATHS))
        elif isinstance(option.type, click.Choice) and dice.random() < 0.7:
            args.append(str(dice.choice(list(option.type.choices))))
        elif isinstance(option.type, click.types.IntParamType) and dice.random() < 0.5:
            args.append(str(dice.randint(0, 40)))
        else:
            args.append(dice.choice((*_WORDS, *_PATHS[:4])))
    if dice.random() < 0.1:
        args.insert(dice.randrange(len(args) + 1), mutated_text(dice, "--grid=3x3"))
    args = [one.replace("\0", "") for one in args]
    if command == "solve" and "--output" not in args and "-o" not in args:
        args += SEARCH
    try:
        return call(command, *args, kind=command)
    finally:
        for path in place.iterdir():
            if path.name in ("board.txt", "folder.png"):
                continue
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        Path("board.txt").write_text(EASY)
