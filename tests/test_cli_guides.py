"""``imgpuzzle solve``: where guides go and what they look like."""

from __future__ import annotations

import dataclasses
import functools
import io
import json
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_support import (
    SAMPLES,
    TWO_MOVES,
    error_line,
    everything,
    names,
    run,
)
from PIL import Image as PillowImage

from imgpuzzle.cli.commands import solve
from imgpuzzle.cli.writing import _SERVES
from imgpuzzle.core.options import FILES, LOOK, MOTION, SaveOptions
from imgpuzzle.core.reading import Reading
from imgpuzzle.files.image import load_image
from imgpuzzle.pipeline import read_image

BOARD = ("--board", TWO_MOVES)


@functools.cache
def emblem() -> Reading:
    """What is read of it, once for all tests; its goal is two moves away."""
    reference = SAMPLES / "emblem_reference.png"
    reading = read_image(SAMPLES / "emblem_screenshot.png", reference=reference)
    return dataclasses.replace(reading, goal=reading.board.slide(5).slide(4))


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.gif").symlink_to("folder/real.gif")
    (tmp_path / "link.png").symlink_to("folder/real.png")
    result = run("solve", *BOARD, "--output", "link.gif")
    assert result.stderr == "wrote link.gif\n"
    result = run("render", *BOARD, "--output", "link.png")
    assert result.stderr == "wrote link.png\n"
    assert names(tmp_path / "folder") == ["real.gif", "real.png"]
    assert all((tmp_path / name).is_symlink() for name in ("link.gif", "link.png"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("command", ["solve", "render"])
def test_a_pipe_is_refused_before_the_work(
    tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "nowhere.png").symlink_to("/dev/null")
    for name in ("pipe.png", "nowhere.png"):
        line = error_line(run(command, *BOARD, "--output", name), 2)
        assert f"found the pipe or device '{name}'" in line
    assert names(tmp_path) == ["nowhere.png", "pipe.png"]
    assert (tmp_path / "pipe.png").is_fifo()


def test_one_output_that_cannot_be_placed_leaves_none(tmp_path: Path) -> None:
    (tmp_path / "taken" / "guide.md").mkdir(parents=True)
    before = everything(tmp_path)
    result = run("solve", *BOARD, "--output", "a.txt", "--output", "taken")
    assert "guide.md" in error_line(result, 2)
    assert everything(tmp_path) == before


def test_options_of_guides_are_known_to_do_something_somewhere() -> None:
    """Those that are in no row show in the terminal, or are the files' places."""
    elsewhere = {"output", "no_files", "coordinates", "numbers", "language"}
    params = {one.name: one for one in solve.command.params if one.name}
    sections = {FILES, LOOK, MOTION}
    names = {n for n, one in params.items() if getattr(one, "section", "") in sections}
    # What a guide is drawn with stands beside the board.
    assert set(_SERVES) == (names - elsewhere) | {"image"}
    fields = {field.name for field in dataclasses.fields(SaveOptions) if field.compare}
    assert fields <= names


@pytest.mark.slow
def test_looks_and_sizes_reach_the_pictures(tmp_path: Path) -> None:
    def steps(*options: str) -> np.ndarray:
        assert run("solve", *BOARD, "--output", "s.zip", *options).exit_code == 0
        with zipfile.ZipFile("s.zip") as files:
            first = files.read("step_01.png")
        with PillowImage.open(io.BytesIO(first)) as picture:
            return np.asarray(picture.convert("RGB"))

    plain = steps("--caption", "none")
    high, wide = plain.shape[:2]
    assert steps().shape[0] > high
    assert steps("--caption", "none", "--coordinates", "letters").shape[1] > wide
    for options in (
        ["--highlight", "outline"],
        ["--highlight", "brighten"],
        ["--highlight", "outline,brighten"],
        ["--ahead", "1"],
        ["--caption", "plate"],
    ):
        caption = [] if "--caption" in options else ["--caption", "none"]
        shown = steps(*caption, *options)
        assert shown.shape == plain.shape
        assert (shown != plain).any()

    assert run("solve", *BOARD, "--output", "a.gif", "--size", "100").exit_code == 0
    with PillowImage.open("a.gif") as gif:
        assert max(gif.size) <= 100
        slow = gif.n_frames, gif.info["duration"]
    options = ["--size", "100", "--speed", "4", "--fps", "100"]
    assert run("solve", *BOARD, "--output", "a.gif", *options).exit_code == 0
    with PillowImage.open("a.gif") as gif:
        assert gif.info["duration"] == slow[1] // 4
    assert run("solve", *BOARD, "--output", "a.gif", "--fps", "1").exit_code == 0
    with PillowImage.open("a.gif") as gif:
        assert gif.n_frames == 4


@pytest.mark.slow
def test_the_whole_screenshot_moves(reader: Any) -> None:
    reader(emblem())
    shot = SAMPLES / "emblem_screenshot.png"
    result = run(
        *("solve", shot, "--reference", SAMPLES / "emblem_reference.png"),
        *("--in-screenshot", "--caption", "none", "--output", "s.zip"),
        *("--highlight", "brighten"),
    )
    assert result.exit_code == 0, result.stderr
    screenshot = load_image(shot)
    with zipfile.ZipFile("s.zip") as files:
        png = files.read("step_01.png")
    with PillowImage.open(io.BytesIO(png)) as picture:
        first = np.asarray(picture.convert("RGB"))
    assert first.shape == screenshot.shape
    # Only the tile that is asked for differs from the game's own picture.
    apart = np.abs(first.astype(int) - screenshot).max(axis=2) > 8
    rows, cols = np.nonzero(apart)
    assert 200 < np.ptp(rows) <= 250
    assert 200 < np.ptp(cols) <= 250


@pytest.mark.slow
def test_a_crop_shows_what_is_around_the_board_and_no_more(reader: Any) -> None:
    reader(emblem())
    shot = SAMPLES / "emblem_screenshot.png"
    truth = json.loads((SAMPLES / "emblem_truth.json").read_text())
    left, top, wide, high = truth["board_box"]
    common = (
        *("solve", shot, "--reference", SAMPLES / "emblem_reference.png"),
        *("--caption", "none", "--output", "s.zip", "--crop"),
    )
    screenshot = load_image(shot)
    for margin in (0, 30, 9999):
        assert run(*common, str(margin)).exit_code == 0
        with zipfile.ZipFile("s.zip") as files:
            png = files.read("step_03.png" if margin else "step_01.png")
        with PillowImage.open(io.BytesIO(png)) as picture:
            found = np.asarray(picture.convert("RGB")).astype(int)
        begin_y, begin_x = max(0, top - margin), max(0, left - margin)
        expected = screenshot[
            begin_y : top + high + margin, begin_x : left + wide + margin
        ].astype(int)
        assert found.shape == pytest.approx(expected.shape, abs=3)
        if margin == 30:
            # All around the board the screenshot is as it was.
            np.testing.assert_array_equal(found[:24], expected[:24])
            np.testing.assert_array_equal(found[:, :24], expected[: len(found), :24])


def test_markdown_shows_the_pictures_beside_it(tmp_path: Path) -> None:
    markdown = pytest.importorskip("markdown")
    assert run("solve", *BOARD, "-o", "out", "-o", "steps.zip").exit_code == 0
    with zipfile.ZipFile("steps.zip") as archive:
        archive.extractall("unpacked")
    for folder in (tmp_path / "out", tmp_path / "unpacked"):
        text = (folder / "guide.md").read_text("utf-8")
        page = markdown.markdown(text, extensions=["tables", "fenced_code"])
        shown = re.findall(r'<img alt="([^"]*)" src="([^"]*)"', page)
        steps = sorted(path.name for path in folder.glob("step_*.png"))
        assert [name for _, name in shown] == steps
        assert [words for words, _ in shown] == [
            "Move tile 5 at row 2, column 3 left.",
            "Move tile 6 at row 3, column 3 up.",
            "The puzzle is solved.",
        ]
        # Each move is a paragraph before its picture, with its number.
        for number, (words, name) in enumerate(shown[:-1], 1):
            assert f"<strong>{number}.</strong> {words}</p>\n<p><img" in page
            assert page.index(words) < page.index(name)
