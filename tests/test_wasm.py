"""The package in Pyodide, run by Node: the same answers as on this machine.

Pyodide and the libraries for it come from npm, once; without npm, Node or the compiler
all of this is skipped.
"""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import Any

import pyodide_support
import pytest
from PIL import Image as PillowImage

from benchmarks.solver.boards import read_boards
from benchmarks.web import wasm

SAMPLES = Path(__file__).parents[1] / "sample_images"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wasm")]

EASY, TWINS = "8 6 7 / 2 5 4 / 3 0 1", "2 1 1 / 3 0 2 / 1 3 2"
LARGE = read_boards("korf24_50", 1)[0]
KORF = read_boards("korf15_100", 2)[1:]


def named(board: Any, **limits: object) -> wasm.Task:
    return {"board": str(board.start), "goal": str(board.goal), **limits}


def solving() -> list[wasm.Task]:
    twins = {"board": TWINS, "goal": "1 1 1 / 2 2 2 / 3 3 0"}
    large = named(LARGE, nodes=30_000)
    return [{"board": EASY}, twins, *map(named, KORF), large]


def reading(folder: Path) -> list[wasm.Task]:
    """A sample by its reference and alone, at half of its size, and one of numbers."""
    for name in ("emblem_screenshot", "emblem_reference"):
        with PillowImage.open(SAMPLES / f"{name}.png") as whole:
            whole.reduce(2).save(folder / f"{name}.png")
    shot, reference = (folder / f"emblem_{n}.png" for n in ("screenshot", "reference"))
    return [
        wasm.reading(shot, reference, folder),
        wasm.reading(shot, None, folder),
        wasm.reading(SAMPLES / "numbers_screenshot.png", None, folder),
    ]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """All tasks, in one process each: what comes of them, and the tables' folders."""
    if shutil.which("node") is None:
        pytest.skip("there is no node")
    npm = pyodide_support.fetched()
    folder = tmp_path_factory.mktemp("wasm")
    tasks = [*solving(), *reading(folder)]
    caches = {name: folder / name for name in ("here", "there")}
    libraries = sorted((npm / "wheels").iterdir())
    own = pyodide_support.own_wheel(tmp_path_factory)
    there = wasm.in_node(tasks, caches["there"], npm, own, *libraries)
    here = wasm.natively(tasks, caches["here"])
    done = list(zip(tasks, here["done"], there["done"], strict=True))
    return {"done": done, "caches": caches}


def found(answers: dict[str, Any], kind: str) -> list[tuple[Any, Any]]:
    """Both answers to the tasks of a kind, this machine's first."""
    return [
        (here["found"], there["found"])
        for task, here, there in answers["done"]
        if kind in task
    ]


def test_boards_are_solved_by_the_same_moves_and_nodes(
    answers: dict[str, Any],
) -> None:
    *proven, large = found(answers, "board")
    for here, there in proven:
        assert there == here
        assert there["move_count"] == there["lower_bound"]
    assert [there["move_count"] for _, there in proven[2:]] == [
        board.truth for board in KORF
    ]
    # Here threads decide what is found before the nodes are over.
    for one in large:
        assert one["lower_bound"] <= (LARGE.truth or 0) <= one["move_count"]
        assert one["move_count"] == len(one["moves"]) < 2 * (LARGE.truth or 0)


def test_the_tables_are_the_same(answers: dict[str, Any]) -> None:
    here, there = (
        {path.name: path.read_bytes() for path in cache.rglob("*.table")}
        for cache in answers["caches"].values()
    )
    assert len(there) > 2
    assert there == here


def test_samples_are_read_alike(answers: dict[str, Any]) -> None:
    both = found(answers, "screenshot")
    assert len(both) == 3
    for here, there in both:
        assert "board" in there, there
        assert wasm.differences(here, there) == []


def test_what_a_page_fetches_for_a_first_answer(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Our own wheel is the least of it."""
    own = pyodide_support.own_wheel(tmp_path_factory)
    assert own.stat().st_size < 4_000_000
    with zipfile.ZipFile(own) as archive:
        library = archive.getinfo("imgpuzzle/kernels/compiled.so")
    assert library.file_size < 100_000
