"""``imgpuzzle batch`` that is ended in any way: nothing lost, nothing done twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from batch_support import (
    DOUBTFUL,
    NO_BOARD,
    lines_of,
    outcome,
    start_batch,
    write_picture,
)

pytestmark = pytest.mark.slow

COUNT = 12


def shots_in(folder: Path) -> Path:
    for number in range(COUNT):
        kind = {3: DOUBTFUL, 7: NO_BOARD}.get(number, 0)
        write_picture(folder / "shots" / f"shot{number}.png", number, kind)
    return folder / "shots"


def wait_for_lines(output: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Until so many pictures are done, or the run has ended."""
    while len(lines_of(output)) < count and process.poll() is None:
        time.sleep(0.002)


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, stderr = process.communicate(timeout=300)
    return process.returncode, stderr


def test_killed_at_any_moment(tmp_path: Path) -> None:
    shots = shots_in(tmp_path)
    undisturbed, out = tmp_path / "undisturbed", tmp_path / "out"
    assert ended(start_batch(shots, "-o", undisturbed)) == (4, "")
    moments = random.Random(5)
    for kill in range(2):
        process = start_batch(shots, "-o", out, "--resume")
        wait_for_lines(out, 2 * kill + 1, process)
        time.sleep(moments.uniform(0, 0.05))
        process.kill()
        process.communicate()
        # Every line is that of a whole folder, and no picture was done twice.
        outcome(out)
    assert ended(start_batch(shots, "-o", out, "--resume")) == (4, "")
    assert outcome(out) == outcome(undisturbed)
    for name in ("report.csv", "report.html"):
        assert (out / name).stat().st_size > 0
    assert not list(out.glob(".imgpuzzle-*"))


def test_interrupted(tmp_path: Path) -> None:
    shots, out = shots_in(tmp_path), tmp_path / "out"
    hold = tmp_path / "hold"
    hold.touch()
    process = start_batch(shots, "-o", out, env={**os.environ, "HOLD": str(hold)})
    wait_for_lines(out, 2, process)
    process.send_signal(signal.SIGINT)
    hold.unlink()
    status, stderr = ended(process)
    assert (status, stderr) == (130, "interrupted; --resume goes on from here\n")
    done = len(lines_of(out))
    assert 2 <= done < COUNT
    page = (out / "report.html").read_text("utf-8")
    assert page.count("<tr data-") == done
    assert not list(out.glob(".imgpuzzle-*"))
    assert ended(start_batch(shots, "-o", out, "--resume")) == (4, "")
    assert len(lines_of(out)) == COUNT
    outcome(out)


def test_a_full_disk_stops_it(tmp_path: Path, small_disk: Path) -> None:
    shots, out = shots_in(tmp_path), small_disk / "out"
    status, stderr = ended(start_batch(shots, "-o", out))
    assert status == 2
    assert len(stderr.splitlines()) == 1
    assert "the disk is full" in stderr
    assert 0 < len(lines_of(out)) < COUNT
    outcome(out)
    assert not list(out.glob(".imgpuzzle-*"))
    larger = ["mount", "-o", "remount,size=30m", str(small_disk)]
    subprocess.run(larger, check=True, capture_output=True)
    assert ended(start_batch(shots, "-o", out, "--resume")) == (4, "")
    assert len(lines_of(out)) == COUNT
    outcome(out)
