"""What a visit of the page without a server costs: CPU of all the browser's processes.

    python -m benchmarks visits SITE [--visits 2]

Needs playwright and Debian's Chromium. ``SITE`` is a folder that ``static_site`` has
made. The visits come one after the other in one profile: what the first has fetched and
built is there for those that follow.
"""

from __future__ import annotations

import math
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import command
from benchmarks.web.extension import site
from benchmarks.web.server import family

READY = "document.querySelector('#engine')?.hidden"
SOLVED = """document.querySelector('.tile.next') !== null
    && !document.querySelector('#search').classList.contains('running')"""
SAMPLE = "numbers"
POLL_MS = 100
WAIT_SECONDS, LEAST = 3.0, 0.15
"""CPU s in that time, of a browser that does nothing any more."""


def cpu(first: int) -> float:
    """CPU s of a process and those that it has begun, as long as they run."""
    used = 0.0
    for one in family(first):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used


def visit(page: Any, address: str, first: int) -> Iterator[tuple[str, float]]:
    """CPU s of the parts of a visit, by what each ends with."""
    began = cpu(first)

    def spent() -> float:
        nonlocal began
        before, began = began, cpu(first)
        return began - before

    def until(condition: str) -> None:
        while not page.evaluate(condition):
            page.wait_for_timeout(POLL_MS)

    page.goto(address)
    until(READY)
    yield "it can read", spent()
    rest, more = 0.0, math.inf
    while more > LEAST:
        time.sleep(WAIT_SECONDS)
        more = spent()
        rest += more
    yield "it can search as well", rest
    page.click(f"[data-sample={SAMPLE}]")
    until(SOLVED)
    yield f"{SAMPLE} is read and solved", spent()
    page.goto("about:blank")


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = command.parser(__doc__)
    parser.add_argument("site", type=Path)
    parser.add_argument("--visits", type=int, default=2)
    given = parser.parse_args()
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    kept = []
    with (
        tempfile.TemporaryDirectory() as profile,
        site(given.site) as address,
        sync_playwright() as driver,
    ):
        context = driver.chromium.launch_persistent_context(
            profile, executable_path=program, args=["--no-sandbox"], locale="en-GB"
        )
        named = f"--user-data-dir={profile}"
        first = next(one for one in family(os.getpid()) if named in _words(one))
        for number in range(given.visits):
            page = context.new_page()
            parts = dict(visit(page, address, first))
            page.close()
            kept.append(parts)
            told = ", ".join(f"{name} {one:.1f}" for name, one in parts.items())
            print(f"visit {number + 1}: {told} CPU s", flush=True)
        context.close()
    command.save(given.json, kept)


def _words(process: int) -> list[str]:
    return Path(f"/proc/{process}/cmdline").read_text().split("\0")
