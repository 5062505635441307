"""A disk that is really full: all of what was asked for is written, or nothing."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_support import TWO_MOVES, error_line, everything, run

from imgpuzzle import Board, solve_board
from imgpuzzle.files.journal import Journal
from imgpuzzle.files.temporary import in_memory
from imgpuzzle.outputs import Making, SaveOptions
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.files.formats import FORMATS


@pytest.fixture
def nearly_full(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A disk of which 15 kB are free, as the working folder."""
    (small_disk / "a.txt").write_text("old")
    (small_disk / "fill").write_bytes(bytes(285 * 1024))
    monkeypatch.chdir(small_disk)
    yield small_disk
    # Nobody works there when it goes.
    monkeypatch.undo()


@pytest.mark.slow
def test_all_or_nothing(nearly_full: Path) -> None:
    before = everything(nearly_full)
    for outputs in (
        ["a.txt", "b.gif"],
        ["a.txt", "new/"],
        ["steps.zip", "a.txt"],
        ["a.apng"],
        ["a.pdf"],
        ["."],
        [],
    ):
        options = [f"--output={name}" for name in outputs]
        line = error_line(run("solve", TWO_MOVES, *options), 2)
        assert "the disk is full" in line
        assert everything(nearly_full) == before
        assert (nearly_full / "a.txt").read_text() == "old"
    # What fits is written.
    assert run("solve", TWO_MOVES, "--output", "a.txt").exit_code == 0
    assert "tile" in (nearly_full / "a.txt").read_text()
    picture = ["--output", "start.png", "--grid", "9x9"]
    assert "the disk is full" in error_line(run("scramble", *picture, "--seed=1"), 2)
    assert everything(nearly_full) == before


class FullAt(io.BytesIO):
    """A file on a disk that has room for so many bytes."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room

    def write(self, data: object) -> int:
        if self.tell() + len(memoryview(data)) > self._room:  # type: ignore[arg-type]
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", FORMATS)
def test_every_writer_says_what_the_disk_says(suffix: str) -> None:
    """Wherever it is that the room ends, before the last byte or at the first."""
    guide = solve_board(Board.parse(TWO_MOVES))
    for _, content in Making(guide, Style(), SaveOptions()).files(suffix):
        if isinstance(content, bytes):
            continue
        size = len(in_memory(content))
        for room in (0, size // 2, size - 1):
            with pytest.raises(OSError, match="No space left") as caught:
                content(FullAt(room))
            assert caught.value.errno == errno.ENOSPC


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_lines_that_find_no_room_leave_no_half_one(tmp_path: Path) -> None:
    import resource

    journal = Journal(tmp_path / "lines.jsonl")
    journal.add(b"1" * 60 + b"\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            journal.add(b"2" * 60 + b"\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert journal.path.read_bytes() == b"1" * 60 + b"\n"
