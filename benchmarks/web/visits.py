"""What a visit of the page without a server costs: CPU of all the browser's processes.

    python -m benchmarks visits SITE [--searches 4]

Needs playwright and Debian's Chromium. ``SITE`` is a folder that ``static_site`` has
made. Of two visits in one profile the second has what the first has fetched and built.
Told is what it takes until the page can read, until its second worker can search as
well, and until a sample is solved; with ``--searches`` so many boards of 53 moves are
opened as links instead, each in a profile of its own, and told is the CPU of the worker
that searches.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import command
from benchmarks.solver.boards import Puzzle, read_boards
from benchmarks.web.server import family, site

READY = "document.querySelector('#engine')?.hidden"
SOLVED = """document.querySelector('.tile.next') !== null
    && !document.querySelector('#search').classList.contains('running')"""
MOVES = 53
POLL_MS = 100
WAIT_SECONDS, LEAST, MOST_WAITS = 3.0, 0.25, 10
"""CPU s in that time, of a browser that does nothing any more."""


def used(place: Path) -> float:
    """CPU s of a process or a thread, by its place in ``/proc``."""
    fields = (place / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Meter:
    """CPU s of a browser's processes."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._before = self._now()

    def _now(self) -> float:
        return sum(used(Path(f"/proc/{one}")) for one in family(self._first))

    def spent(self) -> float:
        """Since it was asked before."""
        before, self._before = self._before, self._now()
        return self._before - before

    def rest(self) -> float:
        """What is still spent until next to nothing is."""
        spent: list[float] = []
        while len(spent) < MOST_WAITS and min(spent, default=LEAST) >= LEAST:
            time.sleep(WAIT_SECONDS)
            spent.append(self.spent())
        return sum(spent)

    def searcher(self) -> float:
        """Of the page's workers the younger one, which searches."""
        workers = [
            thread
            for one in family(self._first)
            for thread in Path(f"/proc/{one}/task").iterdir()
            if (thread / "comm").read_text().startswith("DedicatedWorker")
        ]
        return used(max(workers, key=lambda thread: int(thread.name)))


def until(page: Any, condition: str) -> None:
    """Wait for it; the page's policy allows no condition that is evaluated there."""
    while not page.evaluate(condition):
        page.wait_for_timeout(POLL_MS)


def visit(page: Any, address: str, meter: Meter, board: Puzzle | None) -> list[str]:
    """The parts of a visit, with their CPU s."""
    page.goto(address)
    until(page, READY)
    parts = {"it can read": meter.spent(), "it can search": meter.rest()}
    if board is None:
        page.click("[data-sample=numbers]")
        until(page, SOLVED)
        parts["the sample is solved"] = meter.spent()
    else:
        rows = [[".".join(map(str, row)) for row in board.start.rows()]]
        rows.append([".".join(map(str, row)) for row in board.goal.rows()])
        before = meter.searcher()
        page.goto("{}#board={}&goal={}".format(address, *map("-".join, rows)))
        until(page, SOLVED)
        claim = page.inner_text("#claim").replace("\xa0", " ")
        assert claim == f"{board.truth} moves, proven shortest", claim
        parts = {"the search": meter.searcher() - before, "all": meter.spent()}
    meter.rest()  # tables are kept after the answer is shown
    return [f"{name} {seconds:.1f}" for name, seconds in parts.items()]


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = command.parser(__doc__)
    parser.add_argument("site", type=Path)
    parser.add_argument("--searches", type=int, default=0, metavar="N")
    given = parser.parse_args()
    boards = [one for one in read_boards("korf15_100") if one.truth == MOVES]
    with site(given.site) as address, sync_playwright() as driver:
        for board in boards[: given.searches] or [None]:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
                how = {"executable_path": "/usr/bin/chromium", "locale": "en-GB"}
                context = driver.chromium.launch_persistent_context(
                    profile, args=["--no-sandbox"], **how
                )
                named = f"--user-data-dir={profile}"
                first = next(
                    one
                    for one in family(os.getpid())
                    if named in Path(f"/proc/{one}/cmdline").read_text().split("\0")
                )
                for number in (1, 2):
                    page = context.new_page()
                    told = visit(page, address, Meter(first), board)
                    page.close()
                    print(f"visit {number}, CPU s: {', '.join(told)}", flush=True)
                context.close()
