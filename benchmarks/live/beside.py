"""``imgpuzzle watch --json`` as a process beside a scripted player in real programs.

Which positions a game went through is known from the clicks, and from the window: a
click was taken where the clicked cell has changed. So what the command says is held
against something that does not come from it.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.live.desktop import Desktop, until
from benchmarks.live.play import Begun, Game, begin
from imgpuzzle.core.board import Board
from imgpuzzle.files.image import Image
from imgpuzzle.live.playing import spot_in
from imgpuzzle.live.sources import WindowSource
from imgpuzzle.live.tuning import TUNING

REST_SECONDS = 0.15
"""A window in which nothing has changed for so long is at rest: longer than a game
needs between two pictures of a slide."""
PATIENT_SECONDS = 2.0
"""A position that is not said when it has been at rest for so long is missed."""
LATE_SECONDS = 1.0
QUICK_SHARE = 0.2
"""So many moves are followed by another one at once."""
BOARDS = ("position", "solved", "found")
"""Events that state what the board is now."""


@dataclass
class Result:
    """How one game was reported."""

    game: str
    counts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    """From a click to the event that says its position."""
    answers: list[float] = field(default_factory=list)
    """From the frame that shows a position to its event, with the next moves."""
    idle_share: float = 0.0
    moving_share: float = 0.0
    moving_seconds: float = 0.0
    first_pss_mb: float = 0.0
    last_pss_mb: float = 0.0
    wrong: list[str] = field(default_factory=list)


def pss_mb(pid: int) -> float:
    """The memory of a process, what it shares with others in parts."""
    told = Path(f"/proc/{pid}/smaps_rollup").read_text()
    line = next(line for line in told.splitlines() if line.startswith("Pss:"))
    return int(line.split()[1]) / 1024


class Watched:
    """The command as a process, and what it has said."""

    def __init__(self, shown: Desktop, title: str) -> None:
        command = (sys.executable, "-m", "imgpuzzle", "watch", "--window", title)
        self._program = shown.start(*command, "--json", stdout=subprocess.PIPE)
        self._said: list[tuple[float, dict[str, Any]]] = []
        self._taken = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._program.stdout is not None
        # The end of the process closes the stream while it is read.
        with contextlib.suppress(ValueError):
            for line in self._program.stdout:
                self._said.append((time.monotonic(), json.loads(line)))

    def news(self) -> list[tuple[float, dict[str, Any]]]:
        """What was said since the last time, each with when."""
        if self._program.poll() is not None:
            raise AssertionError(f"watch ended with {self._program.returncode}")
        found = self._said[self._taken :]
        self._taken += len(found)
        return found

    def cpu(self) -> float:
        """Seconds of CPU until now."""
        told = Path(f"/proc/{self._program.pid}/stat").read_text()
        user, system = told.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def pss_mb(self) -> float:
        """Its memory."""
        return pss_mb(self._program.pid)


class Truth:
    """The positions that a game went through, and what of them was said."""

    def __init__(self, board: Board, result: Result) -> None:
        self.path = [board]
        self._result = result
        self._when: list[float] = [0.0]

    @property
    def board(self) -> Board:
        """Where the game is now."""
        return self.path[-1]

    def clicked(self, cell: int, when: float) -> None:
        """A tile beside the empty cell was clicked."""
        self.path.append(self.board.slide(cell))
        self._when.append(when)

    def not_taken(self) -> None:
        """The game has not heard the last click."""
        self.path.pop()
        self._when.pop()

    def hear(self, when: float, event: dict[str, Any]) -> None:
        """Hold something that was said against what was done."""
        kind = event["event"]
        self._result.counts[f"said_{kind}"] += 1
        if kind not in (*BOARDS, "read"):
            return
        board = Board.from_rows(event["board"])
        if kind != "read":
            self._result.answers.append(event["seconds"])
        self._result.counts["reread"] += kind == "read"
        if kind == "read" and board not in self.path:
            # Tiles may be numbered in another way than before.
            self.path, self._when = [board], [when]
        elif board not in self.path:
            self._result.counts["invented"] += 1
            self._result.wrong.append(f"said {board.cells}, was {self.path[-3:]}")
        else:
            at = len(self.path) - 1 - self.path[::-1].index(board)
            if at:
                self._result.seconds.append(when - self._when[at])
            self.path, self._when = self.path[at:], self._when[at:]

    @property
    def is_said(self) -> bool:
        """Whether the last thing that was said is the position now."""
        return len(self.path) == 1


def has_changed(before: Image, now: Image, begun: Begun, cell: int) -> bool:
    """Whether a cell shows something else than before."""
    shape, region = begun.reading.board.shape, begun.reading.region
    x, y = spot_in(region, shape.rows, shape.cols, cell)
    # Up to its edges: in the middle a "1" is hardly more than the empty cell.
    wide, tall = (
        region.width * 2 // (5 * shape.cols),
        region.height * 2 // (5 * shape.rows),
    )
    part = slice(y - tall, y + tall), slice(x - wide, x + wide)
    apart = np.abs(before[part].astype(np.int16) - now[part]).max(axis=2)
    return bool((apart > 12).mean() > 0.01)


def at_rest(source: WindowSource, before: Image) -> Image:
    """The window once it has changed and stands still again, or has not changed."""
    last = before
    began = since = time.monotonic()
    while True:
        now = source.grab()
        if not np.array_equal(now, last):
            last, since = now, time.monotonic()
        still = time.monotonic() - since
        if still > (0.6 if last is before else REST_SECONDS):
            return last
        if time.monotonic() - began > 10:
            raise AssertionError("the window does not come to rest")
        time.sleep(0.02)


def beside(game: Game, moves: int, idle: float, ends: float, shown: Desktop) -> Result:
    """Play at random with the command looking on, at most until ``ends``."""
    result = Result(game.name)
    chance = random.Random(game.name)
    with contextlib.ExitStack() as used:
        home = Path(used.enter_context(tempfile.TemporaryDirectory()))
        used.callback(shown.end_programs)
        begun = begin(game, shown, home, range(300, 306), used)
        if begun is None:
            return result
        watched = Watched(shown, game.title)
        until(lambda: watched.cpu() > 0, "the command")
        _, first = until(watched.news, "the first word")[0]
        goal = Board.from_rows(first["goal"])
        truth = Truth(Board.from_rows(first["board"]), result)
        if first["event"] != "read":
            raise AssertionError(f"{game.name} begins with {first['event']}")
        result.first_pss_mb = watched.pss_mb()
        started, clock = watched.cpu(), time.monotonic()
        frame = begun.source.grab()
        while result.counts["moves"] < moves and time.monotonic() < ends:
            frame = _move(begun, frame, truth, goal, chance, watched, shown, result)
        result.moving_seconds = time.monotonic() - clock
        result.moving_share = (watched.cpu() - started) / result.moving_seconds
        if idle:
            # What the last move has started is done by then.
            time.sleep(TUNING.background_seconds + 1)
            started, clock = watched.cpu(), time.monotonic()
            time.sleep(idle)
            passed = time.monotonic() - clock
            result.idle_share = (watched.cpu() - started) / passed
            for when, event in watched.news():
                truth.hear(when, event)
        result.last_pss_mb = watched.pss_mb()
    return result


def _move(
    begun: Begun,
    frame: Image,
    truth: Truth,
    goal: Board,
    chance: random.Random,
    watched: Watched,
    shown: Desktop,
    result: Result,
) -> Image:
    """Make a move, or two, and wait for what is said; returns the window at rest."""
    region, shape = begun.reading.region, begun.reading.board.shape
    left, top = begun.source.origin
    cells: list[int] = []
    for _ in range(2 if chance.random() < QUICK_SHARE else 1):
        board = truth.board
        # Not back at once, so that each cell that was clicked looks different; nor to
        # the goal, where the game would end.
        came_from = truth.path[-2].blank if cells else None
        fitting = [
            cell
            for cell in board.shape.neighbours(board.blank)
            if cell != came_from and board.slide(cell) != goal
        ]
        cell = chance.choice(fitting)
        x, y = spot_in(region, shape.rows, shape.cols, cell)
        spot = str(left + x), str(top + y)
        truth.clicked(cell, time.monotonic())
        shown.run("xdotool", "mousemove", *spot, "click", "1")
        cells.append(cell)
    now = at_rest(begun.source, frame)
    rested = time.monotonic() - REST_SECONDS
    while cells and not has_changed(frame, now, begun, cells[-1]):
        cells.pop()
        truth.not_taken()
        result.counts["not_taken"] += 1
    result.counts["moves"] += len(cells)
    result.counts["rests"] += 1
    while True:
        for when, event in watched.news():
            truth.hear(when, event)
        waited = time.monotonic() - rested
        if truth.is_said:
            result.counts["late" if waited > LATE_SECONDS else "right"] += 1
            return now
        if waited > PATIENT_SECONDS:
            result.counts["missed"] += 1
            result.wrong.append(f"not said within {waited:.1f} s: {truth.board.cells}")
            return now
        time.sleep(0.01)


def _spread(seconds: list[float]) -> str:
    times = sorted(seconds) or [0.0]
    ninth = times[min(len(times) - 1, len(times) * 9 // 10)]
    return f"{statistics.median(times):.3f} s, 90 % {ninth:.3f} s"


def summary(result: Result) -> str:
    """A line for one game."""
    return (
        f"{result.game:20s} {dict(result.counts)}; click to event "
        f"{_spread(result.seconds)}, frame to event {_spread(result.answers)}; CPU "
        f"{result.moving_share:.1%} moving, {result.idle_share:.1%} idle; PSS "
        f"{result.first_pss_mb:.0f} to {result.last_pss_mb:.0f} MB in "
        f"{result.moving_seconds:.0f} s"
    )
