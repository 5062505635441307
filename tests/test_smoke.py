"""Every library that is needed does its part: run with the lowest versions, too."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from cli_support import FILES, SAMPLES, run
from PIL import Image
from render_oracles import BEGINS

from benchmarks.web.server import running

pytestmark = [
    pytest.mark.smoke,
    pytest.mark.usefixtures("in_empty_folder"),
]

BOARD = "1 2 3 / 4 0 5 / 7 8 6"


@pytest.mark.parametrize("suffix", BEGINS)
def test_a_board_becomes_every_kind_of_file(suffix: str) -> None:
    result = run("solve", BOARD, "-o", f"out{suffix}", "--language", "en")
    assert result.exit_code == 0, result.stderr
    assert Path(f"out{suffix}").read_bytes().startswith(BEGINS[suffix])


@pytest.mark.slow
def test_a_screenshot_becomes_a_folder() -> None:
    # At half of their size, which takes a quarter of the time with every Python.
    for name in ("screenshot", "reference"):
        with Image.open(SAMPLES / f"emblem_{name}.png") as whole:
            whole.reduce(2).save(f"{name}.png")
    shot, picture = "screenshot.png", "reference.png"
    result = run("solve", shot, "--reference", picture, "-o", "out")
    assert result.exit_code == 0, result.stderr
    names = {path.name for path in Path("out").iterdir()}
    assert names >= {*FILES, "step_21.png"}
    # By the edges of the tiles alone, which leaves doubts here.
    alone = run("read", shot, "--grid", "3x3", "--region", "27,79,370,370")
    assert alone.exit_code in (0, 5), alone.stderr


def test_a_hard_board_is_solved_with_proof() -> None:
    board = "9 5 7 4 / 13 2 0 6 / 14 10 1 8 / 3 11 15 12"
    result = run("solve", board, "--no-files")
    assert result.exit_code == 0, result.stderr
    assert "proven shortest" in result.stdout


@pytest.mark.slow
def test_the_page_reads_solves_and_draws(tmp_path: Path) -> None:
    # Only the workers that are needed: this is run with every Python there is.
    with running(tmp_path, settings={"warm": False}) as server:
        assert b"<html" in server.get("/").body
        files = (f"emblem_{part}.png" for part in ("screenshot", "reference"))
        shot = {one[7:-4]: (SAMPLES / one).read_bytes() for one in files}
        read = server.upload("/api/read", shot)
        assert read.status == 200, read.body
        reading = read.json()["id"]
        solve = server.post("/api/solve", {"reading": reading}).json()["job"]
        for _ in range(2):
            version = -1
            while True:
                state = server.get(f"/api/jobs/{solve}?after={version}").json()
                version = state["version"]
                if state["state"] == "done":
                    break
                assert state["state"] in ("queued", "running"), state
                time.sleep(0.05)
            if state["kind"] == "render":
                break
            assert state["result"]["move_count"] == 20
            given = {"reading": reading, "job": solve, "format": "gif"}
            solve = server.post("/api/render", given).json()["job"]
        assert server.get(state["result"]["url"]).body.startswith(b"GIF89a")
