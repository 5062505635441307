"""A disk that is really full: all of what was asked for is written, or nothing."""

from __future__ import annotations

import errno
import io
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from batch_support import read_quickly, write_picture
from cli_support import TWO_MOVES, error_line, everything, run

from imgpuzzle import Board, pipeline, solve_board
from imgpuzzle.core.solution import Limits
from imgpuzzle.errors import OutputError
from imgpuzzle.files.journal import Journal
from imgpuzzle.files.temporary import in_memory
from imgpuzzle.fleet.batch.find import Offer
from imgpuzzle.fleet.batch.work import BatchTerms, PictureTask, work
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


def test_a_batch_names_what_it_was_making(
    tmp_path: Path, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is that the room ends: no name that is gone a moment later."""
    monkeypatch.setattr(pipeline, "read_image", read_quickly)
    shot = write_picture(tmp_path / "shot.png", 1)
    terms = BatchTerms(small_disk, lambda shape: Limits())
    task = PictureTask(shot, "../shot.png", "shot.png", "shot", Offer())
    fill = small_disk / "fill"
    said = []
    for pages in range(75, 0, -1):
        shutil.rmtree(small_disk / "thumbnails", ignore_errors=True)
        fill.write_bytes(bytes(pages * 4096))
        try:
            work((terms, task))
            break
        except OutputError as error:
            said.append(str(error))
    assert 10 < len(said) < 70
    assert all("the disk is full" in line and ".part" not in line for line in said)


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


@pytest.mark.parametrize("pages", [0, 1, 20])
def test_results_without_a_line_leave_no_file(
    pages: int, tmp_path: Path, small_disk: Path
) -> None:
    """Wherever the room ends; what can be gone on with stays."""
    source, output = tmp_path / "boards.txt", small_disk / "rated.csv"
    source.write_text("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15\n" * 500)
    fill, part = small_disk / "fill", small_disk / "rated.csv.part"
    fill.write_bytes(bytes(300 * 1024 - 4096 * pages))
    asked = ("rate", str(source), "-o", str(output), "--workers=1")
    assert "the disk is full" in error_line(run(*asked), 2)
    assert (part.exists(), output.exists()) == (pages == 20, False)
    fill.unlink()
    assert run(*asked, *["--resume"] * part.exists()).exit_code == 0


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
