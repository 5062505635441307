"""The program is killed while it writes: what lies there then is whole, or nothing."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import resource
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.robust.attack import Outcome
from benchmarks.web.server import family, running
from imgpuzzle.cli import main
from imgpuzzle.solver.tables.store import TableStore

__all__ = ["attack"]

SHORT, LONGER = "1 2 3 / 4 0 5 / 7 8 6", "1 2 3 / 0 4 5 / 7 8 6"
"""The folder of the second one holds more steps."""

TABLE_BYTES = 300_000
_WRITES = ("open", "os.", "shutil.", "tempfile.")


@contextlib.contextmanager
def attack(folder: Path) -> Iterator[Any]:
    """Kill the command, the store of tables, or a worker of the page."""
    wholes = _Wholes(folder)
    with contextlib.ExitStack() as stack:
        page: _Page | None = None

        def one(seed: int) -> Outcome:
            nonlocal page
            dice = random.Random(f"kills {seed}")
            if seed % 10 == 9:
                page = page or stack.enter_context(_Page.opened(folder))
                return page.attack(dice)
            place = folder / f"kill-{seed}"
            place.mkdir()
            try:
                way = (_into_a_new_folder, _over_a_folder, _over_a_file, _a_table)
                return way[seed % 4](dice, place, wholes)
            finally:
                shutil.rmtree(place)

        yield one


def _killed(dice: random.Random, work: Callable[[], object], folder: Path) -> str:
    """Let a copy of this process work and die of it; says how it ended.

    It dies before one of its dealings with files, or in the middle of a write.
    """
    at = int(10 ** dice.uniform(0, 2.2))
    in_a_write = dice.random() < 0.3
    pid = os.fork()
    if pid == 0:
        try:
            _doom(at, in_a_write, dice)
            with contextlib.redirect_stdout(io.StringIO()):
                work()
        except BaseException as error:
            status = error.code if isinstance(error, SystemExit) else 99
            os._exit(status if isinstance(status, int) else 98)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"status {os.WEXITSTATUS(status)}"


def _doom(at: int, in_a_write: bool, dice: random.Random) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if in_a_write:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        most = int(10 ** dice.uniform(1, 5.5))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        return
    left = at

    def heard(event: str, args: tuple[Any, ...]) -> None:
        nonlocal left
        if event.startswith(_WRITES):
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(heard)


class _Wholes:
    """What the command writes when it is left alone."""

    def __init__(self, folder: Path) -> None:
        self.files: dict[str, dict[str, bytes]] = {}
        for board in (SHORT, LONGER):
            place = folder / "whole"
            _solve(board, place)
            self.files[board] = contents(place)
            shutil.rmtree(place)

    def wrong(self, name: str, data: bytes, boards: tuple[str, ...]) -> str:
        """Whether a file is none of those that would have been written."""
        if name == "solution.json":
            with contextlib.suppress(ValueError):
                return "" if json.loads(data)["moves"] else "no moves"
            return "half a record"
        whole = [self.files[board].get(name) for board in boards]
        return "" if data in whole else f"{name} is not whole"


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder that are not hidden."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.is_file() and not path.name.startswith(".")
    }


def _solve(board: str, place: Path) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            main(["solve", board, "-o", str(place)])
        except SystemExit as ending:
            if ending.code:
                raise RuntimeError(f"status {ending.code}") from None


def _into_a_new_folder(dice: random.Random, place: Path, wholes: _Wholes) -> Outcome:
    target = place / "out"
    ending = _killed(dice, lambda: _solve(SHORT, target), place)
    complaint = ""
    if target.exists():
        found = contents(target)
        if found.keys() != wholes.files[SHORT].keys():
            complaint = f"{ending}: only {sorted(found)}"
        complaint = complaint or _all_whole(wholes, found, (SHORT,))
    elif ending == "status 0":
        complaint = "nothing was written"
    complaint = complaint or _again(target, SHORT, wholes)
    return Outcome(f"new folder {ending}", complaint)


def _over_a_folder(dice: random.Random, place: Path, wholes: _Wholes) -> Outcome:
    target = place / "out"
    _solve(LONGER, target)
    (target / "mine.txt").write_text("mine")
    ending = _killed(dice, lambda: _solve(SHORT, target), place)
    found = contents(target)
    complaint = "" if found.pop("mine.txt", b"") == b"mine" else "a file is lost"
    complaint = complaint or _all_whole(wholes, found, (SHORT, LONGER))
    complaint = complaint or _again(target, SHORT, wholes)
    return Outcome(f"old folder {ending}", complaint)


def _over_a_file(dice: random.Random, place: Path, wholes: _Wholes) -> Outcome:
    target = place / "solution.gif"
    old, new = (wholes.files[board]["solution.gif"] for board in (LONGER, SHORT))
    target.write_bytes(old)
    ending = _killed(dice, lambda: _solve(SHORT, target), place)
    complaint = "" if target.read_bytes() in (old, new) else "the picture is not whole"
    return Outcome(f"file {ending}", complaint)


def _a_table(dice: random.Random, place: Path, wholes: _Wholes) -> Outcome:
    table = np.frombuffer(dice.randbytes(TABLE_BYTES), np.uint8)
    ending = _killed(
        dice, lambda: TableStore(place).get("t", table.size, lambda: table), place
    )
    store = TableStore(place)
    found = store.load("t", table.size)
    if found is not None and not np.array_equal(found, table):
        return Outcome(f"table {ending}", "another table is loaded")
    found = store.get("t", table.size, lambda: table, wait_seconds=0)
    complaint = "" if np.array_equal(found, table) else "another table is returned"
    # A lock that nobody holds is in nobody's way, and goes with the tables.
    left = {path.name for path in place.iterdir()} - {"t.table", "t.lock"}
    store.clear()
    left |= {path.name for path in place.iterdir()}
    if left:
        complaint = complaint or f"{ending}: {sorted(left)} stay"
    return Outcome(f"table {ending}", complaint)


def _all_whole(
    wholes: _Wholes, found: dict[str, bytes], boards: tuple[str, ...]
) -> str:
    wrong = (wholes.wrong(name, data, boards) for name, data in found.items())
    return next((one for one in wrong if one), "")


def _again(target: Path, board: str, wholes: _Wholes) -> str:
    """What does not come right when the command is run once more."""
    _solve(board, target)
    found = contents(target)
    missing = wholes.files[board].keys() - found.keys()
    if missing:
        return f"{sorted(missing)} are missing from the next run"
    ours = {name: found[name] for name in wholes.files[board]}
    return _all_whole(wholes, ours, (board,))


class _Page:
    """A real server that loses its workers."""

    def __init__(self, server: Any) -> None:
        self._server = server

    @classmethod
    @contextlib.contextmanager
    def opened(cls, folder: Path) -> Iterator[_Page]:
        place = folder / "server"
        place.mkdir()
        with running(place) as server:
            yield cls(server)

    def attack(self, dice: random.Random) -> Outcome:
        """Kill any worker while a board is read, solved and drawn: all is answered."""
        workers = family(self._server.process.pid)[1:]
        victim = dice.choice(workers) if workers else 0
        after = dice.uniform(0, 0.3)

        def kill() -> None:
            with contextlib.suppress(ProcessLookupError):
                if victim:
                    os.kill(victim, signal.SIGKILL)

        timer = threading.Timer(after, kill)
        timer.start()
        try:
            complaint = self._visited()
        finally:
            timer.join()
        if self._server.get("/api/health").status != 200:
            complaint = complaint or "the server is not well"
        return Outcome("worker", complaint)

    def _visited(self) -> str:
        send = self._server.post
        board = send("/api/board", {"board": "8 6 7 / 2 5 4 / 3 0 1"})
        if board.status != 200:
            return f"board: {board.status} {board.body[:200]!r}"
        reading = board.json()["id"]
        solve = self._done(send("/api/solve", {"reading": reading}).json()["job"])
        if solve["state"] != "done" or solve["result"]["move_count"] != 31:
            return f"solve: {solve['state']} {solve['error']}"
        render = {"reading": reading, "job": solve["id"], "format": "png"}
        drawn = self._done(send("/api/render", render).json()["job"])
        if drawn["state"] != "done":
            return f"render: {drawn['state']} {drawn['error']}"
        size = len(self._server.get(drawn["result"]["url"]).body)
        return "" if size > 1000 else f"a file of {size} bytes"

    def _done(self, job: str) -> dict[str, Any]:
        while True:
            state: dict[str, Any] = self._server.get(f"/api/jobs/{job}").json()
            if state["state"] in ("done", "failed", "cancelled"):
                return state
            time.sleep(0.05)
