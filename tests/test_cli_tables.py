"""``imgpuzzle tables``, and the bar that shows how far a long piece of work is."""

from __future__ import annotations

import io
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path

import click
import numpy as np
import pytest
from cli_support import error_line, run

from imgpuzzle import goals
from imgpuzzle.cli.terminal import progress_bar
from imgpuzzle.core.board import Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.messages import Message, Work
from imgpuzzle.messages.message import Plain
from imgpuzzle.solver.search import solve
from imgpuzzle.solver.tables.store import TableStore


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the tables, which is not there yet."""
    monkeypatch.setenv("IMGPUZZLE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "tables"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Shape, int, bool]]:
    """What a stand-in for ``prepare`` is called with; it builds two small tables."""
    found: list[tuple[Shape, int, bool]] = []

    def prepare(
        shape: Shape,
        home: int,
        *,
        metric: str,
        is_large: bool,
        progress: Callable[[Work, float], None],
    ) -> list[str]:
        found.append((shape, home, is_large))
        if shape.size <= 9:
            return []
        names = [f"{shape}-{home}-{part}" for part in "ab"]
        for number, name in enumerate(names):
            progress(Work.BUILDING_TABLES, number / 2)
            TableStore().get(name, 12_000, lambda: np.zeros(12_000, np.uint8))
        progress(Work.READY, 1.0)
        return names

    module = types.ModuleType("imgpuzzle.solver.prepare")
    module.prepare = prepare  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "imgpuzzle.solver.prepare", module)
    return found


@pytest.mark.slow
def test_what_slides_need_is_what_is_built(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("imgpuzzle.solver.slides.tables._recent.kept", {})
    run("tables", "build", "2x7", "--goal-blank", "1,1", "--metric", "slide")
    built = {entry.name for entry in TableStore().entries()}
    assert built
    monkeypatch.setattr("imgpuzzle.solver.slides.tables._recent.kept", {})
    goal = goals.home_cells(Shape(2, 7), blank=8)
    solve(uniform(goal, seed=3), goal, metric="slide")
    assert {entry.name for entry in TableStore().entries()} == built


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="there is no /proc")
def test_list_where_no_folder_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    # Root may write there by its permissions, and yet cannot.
    monkeypatch.setenv("IMGPUZZLE_CACHE_DIR", "/proc/self/none")
    result = run("tables", "list")
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert "no table can be kept in '/proc/self/none/tables'" in line
    assert "IMGPUZZLE_CACHE_DIR" in line


# -- build ------------------------------------------------------------------------


def test_build(folder: Path, calls: list[tuple[Shape, int, bool]]) -> None:
    result = run("tables", "build")
    assert result.exit_code == 0
    assert result.stderr == ""
    # The corners, the last cell first, and the cell where a spiral ends.
    homes = [15, 0, 3, 12, 9]
    assert calls == [(Shape(4, 4), home, False) for home in homes]
    assert sorted(line.split()[0] for line in result.stdout.splitlines()) == sorted(
        f"4x4-{home}-{part}" for home in homes for part in "ab"
    )
    assert run("tables", "build").stdout == result.stdout
    assert len(list(folder.iterdir())) == 10
    result = run("tables", "build", "--goal-blank", "3,3")
    assert result.stdout.splitlines() == [
        "4x4-15-a     0.01 MB  good",
        "4x4-15-b     0.01 MB  good",
    ]


def test_build_for_several_grids(calls: list[tuple[Shape, int, bool]]) -> None:
    grids = ("4x4", "3x3", "3x5", "4x4")
    result = run("tables", "build", *grids, "--goal-blank", "1,2", "--large")
    assert result.exit_code == 0
    assert calls == [
        (Shape(4, 4), 6, True),
        (Shape(3, 3), 5, True),
        (Shape(3, 5), 7, True),
    ]
    lines = result.stdout.splitlines()
    assert lines[0] == "for 3x3 boards no tables are kept"
    assert [text.split()[0] for text in lines[1:]] == [
        *("3x5-7-a", "3x5-7-b", "4x4-6-a", "4x4-6-b")
    ]


def test_build_where_nothing_can_be_kept(
    folder: Path, calls: list[tuple[Shape, int, bool]]
) -> None:
    folder.parent.write_text("a file")
    message = error_line(run("tables", "build"), 2)
    wanted = f"imgpuzzle: could not keep all tables in '{folder}': 10 are lost; "
    assert message.startswith(wanted)
    assert "IMGPUZZLE_CACHE_DIR" in message


def test_build_that_is_interrupted(
    folder: Path, calls: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "zeros", lambda *_: interrupt())
    result = run("tables", "build")
    assert result.exit_code == 130
    assert result.stderr == "imgpuzzle: interrupted\n"
    assert list(folder.iterdir()) == []


# -- the bar ----------------------------------------------------------------------


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class BrokenTerminal(Terminal):
    """A terminal that has gone away."""

    def write(self, text: str) -> int:
        raise OSError(5, "Input/output error")


def on_terminal(monkeypatch: pytest.MonkeyPatch, stream: Terminal) -> Terminal:
    """Put ``stream`` in the place of standard error; not in a fixture.

    pytest sets the streams anew between the fixtures and the test.
    """
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def said(text: str) -> Message:
    return Message(Plain(text))


def test_the_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch, Terminal())
    monkeypatch.setenv("COLUMNS", "60")
    with progress_bar("tables") as progress:
        assert terminal.getvalue() == ""
        progress(said("one"), 0.0)
        progress(said("two"), 0.0)
        progress(said("three"), 0.5)
        progress(said("four"), 0.25)
        progress(said("five"), 7.0)
    # Each line begins with a carriage return, and the first is the empty bar. Where
    # the words need more room than before, the line is wiped first.
    drawn_lines = click.unstyle(terminal.getvalue()).split("\r")
    _, *lines = [line for line in drawn_lines if line.strip()]
    wanted = [("one", 0), ("two", 0), ("three", 50), ("four", 50), ("five", 100)]
    assert len(lines) == len(wanted)
    for drawn, (text, percent) in zip(lines, wanted, strict=True):
        assert drawn.startswith("tables  [")
        bar = drawn[drawn.index("[") + 1 : drawn.index("]")]
        assert bar.count("#") == percent * len(bar) // 100
        assert len(drawn.rstrip("\n")) == 60
        assert f" {percent}%" in drawn
        assert drawn.rstrip().endswith(f"  {text}")
    assert terminal.getvalue().endswith("\n")


@pytest.mark.parametrize("where", ["pipe", "dumb", "none"])
def test_no_bar_elsewhere(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    stream = io.StringIO() if where == "pipe" else Terminal()
    monkeypatch.setenv("TERM", "dumb" if where == "dumb" else "xterm")
    monkeypatch.setattr(sys, "stderr", None if where == "none" else stream)
    with progress_bar("tables") as progress:
        progress(said("one"), 0.5)
    assert stream.getvalue() == ""


def test_the_bar_ends_when_the_work_is_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = on_terminal(monkeypatch, Terminal())

    def work() -> None:
        with progress_bar("tables") as progress:
            progress(said("one"), 0.5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert "one" in terminal.getvalue()
    # The cursor, which the bar hid, is back.
    assert terminal.getvalue().endswith("\n" if os.name == "nt" else "\x1b[?25h\n")


def test_a_terminal_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch, BrokenTerminal())
    done = []
    with progress_bar("tables") as progress:
        progress(said("one"), 0.5)
        done.append("work")
        progress(said("two"), 1.0)
    assert done == ["work"]
