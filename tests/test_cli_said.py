"""What commands say and leave: all of it, as somebody has looked at it once.

``data/said.txt`` has command lines, each with its status, what it prints and what
becomes of the files, and ``data/usage.txt`` has wrong ones, which end in one line and
leave all as it is. ``python tests/test_cli_said.py`` writes them anew: look at what
changed. Screenshots are read as one of ``READINGS``, where one is named.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from cli_support import (
    UNSOLVABLE,
    everything,
    fake_reader,
    make_reading,
    run,
    write_picture,
)

from imgpuzzle.core.board import Board, FullBoard
from imgpuzzle.core.reading import Alternative, BoardNotFoundError, Reading
from imgpuzzle.messages import Doubt, Message, Note
from imgpuzzle.solver.tables.store import TableStore

DATA = Path(__file__).parent / "data"
SAID, USAGE = DATA / "said.txt", DATA / "usage.txt"
"""Blocks of a command line, after ``$``, perhaps a language, a reading, a cache, and
``TEXT |``, and what comes of it: the status, standard output, standard error after
``!``, files that are new after ``+``, gone after ``-`` and changed after ``~``."""

SURE, DOUBTFUL = make_reading(), make_reading(certain=False)
WHOLE = replace(
    SURE,
    board=FullBoard.parse("3 1 2 / 4 6 5 / 7 9 8"),
    goal=FullBoard.parse("1 2 3 / 4 5 6 / 7 8 9"),
)
OTHER = Alternative(Board.parse("2 1 3 / 4 0 5 / 7 8 6"), SURE.goal, 0.25)
READINGS: dict[str, Reading | Exception] = {
    "sure": SURE,
    "nearly": replace(SURE, confidence=0.999),
    "doubtful": DOUBTFUL,
    "many": replace(DOUBTFUL, doubtful=(0, 1, 2, 5), method="digits"),
    "unsolvable": make_reading(UNSOLVABLE),
    "mistaken": replace(
        make_reading(UNSOLVABLE, certain=False),
        doubts=(Message(Doubt.CUT_OFF),),
        doubtful=(0, 4),
        method="digits",
    ),
    "numbers": replace(make_reading(UNSOLVABLE), method="digits"),
    "whole": WHOLE,
    "missing": replace(
        SURE,
        method="reassembly",
        certain=False,
        confidence=0.6,
        doubts=(Message(Doubt.TILE_MISSING),),
        alternatives=(Alternative(WHOLE.board, WHOLE.goal, 0.4),),
    ),
    "twins": replace(
        DOUBTFUL,
        identical=((0, 2),),
        notes=(Message(Note.REFERENCE_LEFT_OUT),),
        alternatives=(OTHER,),
    ),
    "asked": replace(
        make_reading("1 2 3 / 4 0 5 / 7 6 8", certain=False),
        doubts=(Message(Doubt.GOAL),),
        alternatives=(
            Alternative(
                Board.parse("1 2 3 / 4 0 5 / 7 6 8"),
                Board.parse("0 1 2 / 3 4 5 / 6 7 8"),
                0.625,
            ),
        ),
    ),
    "many_goals": replace(
        DOUBTFUL,
        method="reassembly",
        doubts=(Message(Doubt.ARRANGEMENT),),
        alternatives=(replace(OTHER, board=Board.parse("2 1 3 / 4 0 5 / 7 8 6")),) * 3,
    ),
    "none": BoardNotFoundError("expected a board, found none"),
}

OTHERWISE = {
    # Which search it was, and its steps, depend on what this process has solved before.
    r"^(search|поиск|Suche) .*$": r"\1 ...",
    r'"(seconds|nodes)": [\d.e-]+': r'"\1": ...',
    r"^folder +.*$": "folder ...",
    r'"folder": "[^"]*"': '"folder": ...',
    r'"path": "[^"]*[/\\]': '"path": ".../',
    r"in [\d.]+ s \([\d,.]+ a second\)": "in ...",
    r"(that can be followed takes) [\d,]+": r"\1 ...",
    # A new kind of puzzle or a new language is a row or a file, and no line here.
    r"(expected one of (?:slide|en),) [\w, -]+(, found)": r"\1 ...\2",
    r"(нужно одно из en,) [\w, -]+(, а не)": r"\1 ...\2",
    r"(--puzzle (?:with one of|с одним из)) [\w, -]+": r"\1 ...",
}


def known(file: Path) -> Iterator[tuple[str, str]]:
    blocks = file.read_text("utf-8").strip("\n").removeprefix("$ ").split("\n\n$ ")
    for block in blocks:
        asked, _, said = block.partition("\n")
        yield asked, said


def filled(folder: Path) -> None:
    """Make what the command lines speak of."""
    (folder / "board.txt").write_text("1 2 3 / 4 0 5 / 7 8 6")
    (folder / "both.txt").write_text(
        "3 1 2\n0 4 5\n6 7 8\n\ngoal:\n0 1 2\n3 4 5\n6 7 8"
    )
    (folder / "goal.txt").write_text("0 1 2\n3 4 5\n6 7 8\n")
    (folder / "prose.txt").write_text("It was a dark and stormy night.\n")
    (folder / "no.png").write_text("no picture")
    for name in ("picture.png", "shot.png", "-shot.png", "sheet_1.png"):
        write_picture(folder / name)
    # A good table of 0.15 MB, a damaged one and a file that is none.
    tables = folder / "cache" / "tables"
    store = TableStore(tables)
    for name, count in (("4x4-a-c1", 150_000), ("4x4-bb-c1", 50_000)):
        store.get(name, count, partial(np.zeros, count, np.uint8))
    os.truncate(tables / "4x4-bb-c1.table", 10_000)
    (tables / "notes.table").write_bytes(b"mine")


def contents(folder: Path) -> dict[str, bytes]:
    """All that is in a folder, by its name; of folders nothing."""
    paths = {name: folder / name for name in everything(folder)}
    return {
        name: path.read_bytes() if path.is_file() else b""
        for name, path in paths.items()
    }


def said_to(asked: str, folder: Path, patch: pytest.MonkeyPatch) -> str:
    patch.chdir(folder)
    filled(folder)
    given, _, words = asked.rpartition(" | ")
    how = dict(re.findall(r"(LANGUAGE|READ|CACHE)=(\w+) ", words))
    patch.setenv("IMGPUZZLE_CACHE_DIR", str(folder / how.get("CACHE", "cache")))
    patch.setenv("LANGUAGE", how.get("LANGUAGE", "en"))
    if name := how.get("READ"):
        fake = fake_reader(READINGS[name])
        patch.setattr("imgpuzzle.vision.read.read_puzzle", fake)
    before = contents(folder)
    result = run(
        *shlex.split(re.sub(r"^(\w+=\w+ )+", "", words)),
        stdin=given.replace("\\n", "\n"),
    )
    lines = [str(result.exit_code), *result.stdout.splitlines()]
    lines += [f"! {line}" for line in result.stderr.splitlines()]
    after = contents(folder)
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            sign = "+" if name not in before else "~" if name in after else "-"
            lines.append(f"{sign} {name}")
    said = "\n".join(line or "." for line in lines)
    for pattern, put in OTHERWISE.items():
        said = re.sub(pattern, put, said, flags=re.MULTILINE)
    return said


ALL = [*known(SAID), *known(USAGE)]


@pytest.mark.parametrize(("asked", "said"), ALL, ids=[one for one, _ in ALL])
def test_it_is_said_as_it_was(
    asked: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said_to(asked, tmp_path, monkeypatch) == said


if __name__ == "__main__":
    for file in (SAID, USAGE):
        blocks = []
        for asked, _ in known(file):
            with (
                tempfile.TemporaryDirectory() as folder,
                pytest.MonkeyPatch.context() as patch,
            ):
                blocks.append(f"$ {asked}\n{said_to(asked, Path(folder), patch)}\n")
        file.write_text("\n".join(blocks), "utf-8")
