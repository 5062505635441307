"""What a visit of the page without a server costs: CPU of all the browser's processes.

    python -m benchmarks visits SITE [--visits 2]
    python -m benchmarks visits SITE --searches 4

Needs playwright and Debian's Chromium. ``SITE`` is a folder that ``static_site`` has
made. The visits come one after the other in one profile: what the first has fetched and
built is there for those that follow. ``--searches`` solves so many boards of 53 moves
instead, each in a profile of its own, at two visits: with nothing kept, and with the
tables that the first visit has built. Told are the CPU of the worker that searches, and
that of all processes: compiling, the other worker and drawing.
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks import command
from benchmarks.solver.boards import Puzzle, read_boards
from benchmarks.web.extension import site
from benchmarks.web.server import family

READY = "document.querySelector('#engine')?.hidden"
SOLVED = """document.querySelector('.tile.next') !== null
    && !document.querySelector('#search').classList.contains('running')"""
CLAIM = "document.querySelector('#claim').innerText"
SAMPLE = "numbers"
MOVES = 53
POLL_MS = 100
WAIT_SECONDS, LEAST = 3.0, 0.15
"""CPU s in that time, of a browser that does nothing any more."""


def used(place: Path) -> float:
    """CPU s of a process or a thread, by its place in ``/proc``."""
    fields = (place / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Meter:
    """CPU s of a process and those that it has begun, as long as they run."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._before = self._now()

    def spent(self) -> float:
        """Since it was asked before."""
        before, self._before = self._before, self._now()
        return self._before - before

    def workers(self) -> dict[Path, float]:
        """Those of the threads of the page's workers so far."""
        return {
            thread: used(thread)
            for one in family(self._first)
            for thread in Path(f"/proc/{one}/task").iterdir()
            if (thread / "comm").read_text().startswith("DedicatedWorker")
        }

    def rest(self) -> float:
        """What is still spent until next to nothing is."""
        all_of_it, more = 0.0, math.inf
        while more > LEAST:
            time.sleep(WAIT_SECONDS)
            more = self.spent()
            all_of_it += more
        return all_of_it

    def _now(self) -> float:
        return sum(used(Path(f"/proc/{one}")) for one in family(self._first))


def until(page: Any, condition: str) -> None:
    while not page.evaluate(condition):
        page.wait_for_timeout(POLL_MS)


def visit(page: Any, address: str, meter: Meter) -> dict[str, float]:
    """CPU s of the parts of a visit, by what each ends with."""
    page.goto(address)
    until(page, READY)
    parts = {"it can read": meter.spent(), "it can search as well": meter.rest()}
    page.click(f"[data-sample={SAMPLE}]")
    until(page, SOLVED)
    return parts | {f"{SAMPLE} is read and solved": meter.spent()}


def search(page: Any, address: str, meter: Meter, board: Puzzle) -> dict[str, float]:
    """CPU s of a board that a link has, on a page that is ready."""
    page.goto(address)
    until(page, READY)
    meter.rest()
    before = meter.workers()
    start, goal = (
        "-".join(".".join(map(str, row)) for row in one.rows())
        for one in (board.start, board.goal)
    )
    page.goto(f"{address}#board={start}&goal={goal}")
    until(page, SOLVED)
    claim = page.evaluate(CLAIM).replace("\xa0", " ")
    assert claim == f"{board.truth} moves, proven shortest", claim
    # The later of the two is the one that searches.
    *_, searcher = sorted(meter.workers().items(), key=lambda one: int(one[0].name))
    thread, now = searcher
    return {"the worker that searches": now - before[thread], "all": meter.spent()}


@contextlib.contextmanager
def browser() -> Iterator[Callable[[], tuple[Any, Meter]]]:
    """What opens another page of a browser with a new profile."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as driver:
        context = driver.chromium.launch_persistent_context(
            profile, executable_path=program, args=["--no-sandbox"], locale="en-GB"
        )
        named = f"--user-data-dir={profile}"
        first = next(one for one in family(os.getpid()) if named in _words(one))
        yield lambda: (context.new_page(), Meter(first))
        context.close()


def _words(process: int) -> list[str]:
    return Path(f"/proc/{process}/cmdline").read_text().split("\0")


def main() -> None:
    parser = command.parser(__doc__)
    parser.add_argument("site", type=Path)
    parser.add_argument("--visits", type=int, default=2)
    parser.add_argument("--searches", type=int, default=0, metavar="N")
    given = parser.parse_args()
    boards = [one for one in read_boards("korf15_100") if one.truth == MOVES]
    kept = []
    with site(given.site) as address:
        for board in boards[: given.searches] or [None]:
            with browser() as opened:
                for number in range(given.visits if board is None else 2):
                    page, meter = opened()
                    if board is None:
                        parts = visit(page, address, meter)
                    else:
                        parts = search(page, address, meter, board)
                    meter.rest()  # tables are kept after the answer is shown
                    page.close()
                    kept.append(parts)
                    told = ", ".join(f"{name} {one:.1f}" for name, one in parts.items())
                    print(f"visit {number + 1}: {told} CPU s", flush=True)
    command.save(given.json, kept)
