"""``imgpuzzle tables``, and the bar that shows how far a long piece of work is."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import click
import pytest
from cli_support import run

from imgpuzzle.cli.terminal import progress_bar
from imgpuzzle.messages import Message
from imgpuzzle.messages.message import Plain


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the tables, which is not there yet."""
    monkeypatch.setenv("IMGPUZZLE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "tables"


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="there is no /proc")
def test_list_where_no_folder_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    # Root may write there by its permissions, and yet cannot.
    monkeypatch.setenv("IMGPUZZLE_CACHE_DIR", "/proc/self/none")
    result = run("tables", "list")
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert "no table can be kept in '/proc/self/none/tables'" in line
    assert "IMGPUZZLE_CACHE_DIR" in line


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
