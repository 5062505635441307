"""A disk that is really full: all of what was asked for is written, or nothing."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_support import TWO_MOVES, error_line, everything, run


@pytest.fixture
def small_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A disk of 300 kB of which 15 kB are free, as the working folder."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(disk)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount")
    if done.returncode:
        pytest.skip("disks may not be mounted here")
    try:
        (disk / "a.txt").write_text("old")
        (disk / "fill").write_bytes(bytes(285 * 1024))
        monkeypatch.chdir(disk)
        yield disk
    finally:
        monkeypatch.undo()
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.slow
def test_all_or_nothing(small_disk: Path) -> None:
    before = everything(small_disk)
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
        assert everything(small_disk) == before
        assert (small_disk / "a.txt").read_text() == "old"
    # What fits is written.
    assert run("solve", TWO_MOVES, "--output", "a.txt").exit_code == 0
    assert "tile" in (small_disk / "a.txt").read_text()
    picture = ["--output", "start.png", "--grid", "9x9"]
    assert "the disk is full" in error_line(run("scramble", *picture, "--seed=1"), 2)
    assert everything(small_disk) == before
