"""The same examples in every run, and no verdict that depends on the clock."""

from __future__ import annotations

import functools
import gc
import gzip
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# The tests start some hundred processes, and each would compile the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# One thread for each worker, before NumPy is loaded: more would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

import pytest
from cli_support import fake_reader
from hypothesis import settings

sys.dont_write_bytecode = False
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, max_examples=20
)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile("repeatable")

BROWSERS = ("browser", "other browser")
"""Groups of tests that open one; the second has what takes minutes of its own."""

COSTLY = {
    "browser": {"visit", "open_guide"},
    "other browser": {"extended"},
    "web": {"web"},
    "server": {"server"},
    "connections": {"guarded", "patient"},
}
"""By the names of groups, the longest one first: fixtures that take long to make."""

COUNTED_ONCE = {
    *("test_heuristics", "test_solver", "test_solver_counting", "test_solver_slides"),
    *("test_render_goldens", "test_vision_contract", "test_architecture"),
    *("test_language", "test_writers"),
}
"""Files whose tests share what a cache or a fixture of the file holds: groups, too."""


def pytest_xdist_auto_num_workers() -> int:
    """For ``-n auto``: one more than cores, because many tests wait for others.

    Browsers, servers and killed processes take half of the time of whoever has them.
    With two more all took longer.
    """
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else 2


def pytest_configure(config: pytest.Config) -> None:
    """Keep tables and machine code out of the user's own cache.

    All workers, and the next run, share one folder: compiling takes seconds.
    """
    # Groups begin in the order given below, not in that of their numbers of tests.
    config.option.loadscopereorder = False
    if "IMGPUZZLE_CACHE_DIR" not in os.environ:
        cache = getattr(config, "cache", None)
        folder = cache.mkdir("imgpuzzle") if cache else tempfile.mkdtemp()
        os.environ["IMGPUZZLE_CACHE_DIR"] = str(folder)


def is_slow(item: Any) -> bool:
    """Whether it is marked so: nearly all that start processes are."""
    return item.get_closest_marker("slow") is not None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Bring what shares something costly together: into one worker, and to the front.

    Each worker would otherwise have a browser and servers of its own. Groups are handed
    out in this order and as a whole, single tests to whoever is idle.
    """
    for item in items:
        if item.path.stem in COUNTED_ONCE and not group_of(item):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
        for group, fixtures in COSTLY.items():
            if not fixtures.isdisjoint(item.fixturenames):
                item.add_marker(pytest.mark.xdist_group(group))
                if group in BROWSERS:
                    item.add_marker(pytest.mark.slow)
        if group_of(item) in {*COSTLY, "live", "fleet"} or is_slow(item):
            # Real browsers, servers, games, clusters and killed processes beside all
            # other tests: once more, told at the end of the run, before it is called a
            # failure.
            item.add_marker(pytest.mark.flaky(reruns=1))
    grouped: dict[str, list[Any]] = {name: [] for name in COSTLY}
    for item in items:
        grouped.setdefault(group_of(item), []).append(item)
    singles = grouped.pop("", [])
    half = len(singles) // 2
    # While two workers wait for browsers, the others compute: what else waits a lot,
    # as running games do, has its turn once browsers have ended.
    items[:] = [one for name in BROWSERS for one in grouped.pop(name)]
    items += singles[:half]
    items += [one for name in grouped for one in grouped[name]]
    items += singles[half:]


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass by the thousands of tests themselves.

    What calls it, as a batch does after each picture, took most of a second here.
    """
    gc.collect()
    gc.freeze()


def group_of(item: Any) -> str:
    """The name of the group of a test; empty where it has none."""
    mark = item.get_closest_marker("xdist_group")
    return mark.args[0] if mark else ""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: Any, nextitem: Any) -> Iterator[None]:
    """Close the browser after the last of its tests.

    Its driver keeps a loop running in this thread, where other tests run their own.
    """
    try:
        return (yield)
    finally:
        group = group_of(item)
        if group in BROWSERS and (nextitem is None or group_of(nextitem) != group):
            from browser_support import CHROMIUM

            CHROMIUM.close()


@pytest.fixture
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of the test's own, where nothing lies."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def small_disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A disk of 300 kB, or as large as the test says."""
    disk = tmp_path / "disk"
    disk.mkdir()
    size = getattr(request, "param", "300k")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount")
    if done.returncode:
        pytest.skip("disks may not be mounted here")
    try:
        yield disk
    finally:
        # A process that is ending may still have a file open.
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a fake in the place of ``read_puzzle``: call it with what that gives."""

    def replace(outcome: Any) -> Any:
        fake = fake_reader(outcome)
        monkeypatch.setattr("imgpuzzle.vision.read.read_puzzle", fake)
        return fake

    return replace


@pytest.fixture(scope="module")
def read_once() -> Iterator[None]:
    """Have a file of tests read a picture once, however many commands are given it.

    Functions that are imported into the file itself read each time.
    """
    from imgpuzzle.vision import read

    plain, known = read.read_puzzle, dict[Any, Any]()

    def remembered(screenshot: Any, options: Any = None, **how: Any) -> Any:
        if how.get("trail") is not None:
            return plain(screenshot, options, **how)
        given = {"screenshot": screenshot, "options": options, **how}
        key = tuple(
            (name, (one.shape, one.tobytes()) if hasattr(one, "tobytes") else one)
            for name, one in sorted(given.items())
        )
        if key not in known:
            known[key] = plain(screenshot, options, **how)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(read, "read_puzzle", remembered)
        yield


@pytest.fixture(scope="session")
def web() -> Iterator[Any]:
    """A client of one server, with real workers, for all tests that need no other."""
    from web_support import serving

    with serving() as client:
        yield client


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs as it does for a visitor."""
    from benchmarks.web.server import running

    with running(tmp_path_factory.mktemp("server")) as server:
        assert server.get("/api/health").status == 200
        yield f"http://127.0.0.1:{server.port}/"


@pytest.fixture
def visit(address: str) -> Iterator[Any]:
    """Open the page of the server in a real browser."""
    from web_browser_support import visits

    with visits(address) as open_:
        yield open_


@pytest.fixture(scope="session")
def guide_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where guides lie that tests have opened before."""
    return tmp_path_factory.mktemp("guides")


@pytest.fixture
def open_guide(guide_files: Path) -> Iterator[Any]:
    """Open an HTML guide in a real browser."""
    from page_browser_support import guides

    with guides(guide_files) as open_:
        yield open_


@pytest.fixture(scope="session")
def without_server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page without a server, ``site``, and with ``packages``."""
    import pyodide_support

    from imgpuzzle.web import extension, static_site

    out = tmp_path_factory.mktemp("without-server")
    with pytest.MonkeyPatch.context() as patch:
        # To pack it as tightly as for visitors takes longest of all.
        quick = functools.partial(gzip.compress, compresslevel=1)
        patch.setattr("imgpuzzle.web.static_site.gzip.compress", quick)
        engine = pyodide_support.engine(tmp_path_factory)
    static_site.make(out / "site", engine)
    extension.make(out / "packages", engine)
    return out


@pytest.fixture(scope="module")
def shown() -> Iterator[Any]:
    """A screen of the file's own, with a window manager, for programs that run."""
    from live_support import desktop

    with desktop() as one:
        yield one


@pytest.fixture
def game(shown: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A game on that screen which moves a tile that is dragged: its process."""
    from live_support import said, start_game

    monkeypatch.setenv("DISPLAY", shown.name)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    program = start_game(shown, "--by", "drag")
    shown.window("Sliding Game")
    said(program, "drawn")
    yield program
    shown.stop(program)
