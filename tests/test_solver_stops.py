"""Every phase of every search looks whether it is to stop, and then stops.

A phase is a module that looks, found by who asks the event that a ``Control`` holds.
The event here counts the looks and is set by one of them, so that nothing depends on
time.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from puzzle_support import scrambled

import imgpuzzle.solver
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.boardfile import format_boards
from imgpuzzle.core.options import Control
from imgpuzzle.core.solution import UNSEARCHED, Limits
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.files.temporary import locked
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.classic.heuristics import bound_of
from imgpuzzle.solver.counting import count_shortest, distance, shortest_solutions
from imgpuzzle.solver.first.construct import construct
from imgpuzzle.solver.first.labelling import labellings
from imgpuzzle.solver.search import solve
from imgpuzzle.solver.tables.gather import waiting_for
from imgpuzzle.solver.tables.store import TableStore

_PASSING_ON = {"budget", "control", "beam.search", "tables.gather", "tables.store"}
"""Modules through which others look."""


class _Stop(threading.Event):
    """Set by the ``number``-th look of the module ``phase``."""

    def __init__(self, phase: str = "", number: int = 1) -> None:
        super().__init__()
        self.phase, self.number = phase, number
        self.looks: Counter[str] = Counter()
        self.looks_after = 0

    def is_set(self) -> bool:
        frame, phase = sys._getframe(1), ""
        while not phase:
            name = frame.f_globals.get("__name__", "")
            module = name.removeprefix("imgpuzzle.").removeprefix("solver.")
            if module != name and module not in _PASSING_ON:
                phase = module
            if frame.f_back is None:
                phase = "a thread of a pool"
            else:
                frame = frame.f_back
        if super().is_set():
            self.looks_after += 1
        self.looks[phase] += 1
        if phase == self.phase and self.looks[phase] >= self.number:
            self.set()
        return super().is_set()


def _random(rows: int, cols: int, seed: int = 1, home: int = -1) -> tuple[Board, Board]:
    problem = scrambled(rows, cols, home % (rows * cols), seed)
    return Board(problem.shape, problem.start), Board(problem.shape, problem.goal)


def _two_colours(side: int) -> tuple[Board, Board]:
    chance = random.Random(side)
    tiles = [1 + number % 2 for number in range(side * side - 1)]
    ends = []
    for _ in range(2):
        chance.shuffle(tiles)
        ends.append(Board(Shape(side, side), (*tiles, 0)))
    return ends[0], ends[1]


def _search(boards: tuple[Board, Board], **how: Any) -> Callable[[Control], object]:
    return lambda control: solve(*boards, control=control, **how)


def _label(side: int) -> Callable[[Control], object]:
    def label(control: Control) -> object:
        problem = canonicalise(*_two_colours(side))
        return next(labellings(problem, look=Budget(Limits(), control).look))

    return label


_MINUTE: dict[str, Any] = {"limits": Limits(seconds=60)}

PHASES: list[tuple[str, str, Callable[[Control], object]]] = [
    ("breadth-first", "classic.astar", _search(_random(3, 3, 2), algorithm="bfs")),
    ("A*", "classic.astar", _search(_random(4, 4), algorithm="astar")),
    (
        "IDA* in plain Python",
        "classic.deepening",
        _search(_random(4, 4), algorithm="idastar"),
    ),
    ("after the light search", "auto", _search(_random(21, 21))),
    ("setting up tables of 4x4", "classic.optimal", _search(_random(4, 4))),
    ("IDA* with tables", "classic.optimal", _search(_random(4, 4))),
    (
        "setting up 18 cells",
        "tables.large",
        _search(_random(3, 6), **_MINUTE),
    ),
    ("a proof on 18 cells", "classic.large", _search(_random(3, 6), **_MINUTE)),
    ("before a proof", "anytime", _search(_random(3, 6), **_MINUTE)),
    ("beams", "beam.improve", _search(_random(3, 6), **_MINUTE)),
    ("tile by tile", "first.construct", _search(_random(9, 9), **_MINUTE)),
    ("tile by tile, far", "first.construct", _search(_random(21, 21), **_MINUTE)),
    ("windows in plain Python", "first.shorten", _search(_random(13, 13), **_MINUTE)),
    ("few kinds of tiles", "classic.bidirectional", _search(_two_colours(5))),
    ("in stages", "search", _search(_random(5, 5), stages=True)),
    ("labels, ranked", "first.labelling", _label(9)),
    ("labels, near", "first.labelling", _label(21)),
    (
        "slides",
        "slides.search",
        _search(_random(3, 3, 2), metric="slide"),
    ),
    (
        "counting",
        "counting",
        lambda control: count_shortest(*_random(3, 3, 2), control=control),
    ),
    (
        "listing",
        "counting",
        lambda control: list(shortest_solutions(*_random(3, 3, 2), control=control)),
    ),
    (
        "slides on 21x21",
        "first.construct",
        _search(_random(21, 21), metric="slide", **_MINUTE),
    ),
]
"""A name, the module that looks, and a search that gets there."""

ELSEWHERE = {
    "budget": "what all others ask",
    "tables.store": "test_waiting_for_another_process",
    "tables.gather": "test_waiting_for_another_thread",
    "beam.search": "asks what beam.improve, beam.windows and slides.beam hand it",
    "first.placing": "asks what first.stages hands it",
    "beam.home_tables": "asks what beam.windows hands it",
    "beam.windows": "tests/test_solver_windows.py",
    "slides.beam": "tests/test_solver_slides.py",
    "slides.tables": "tests/test_solver_slides.py",
    "tables.rows": "asks what builds a table with it",
    "search": "replays what others found",
    "reachable": "asks before each goal, and solves it with the caller's control",
    "tables.patterns": "asks what tables.gather hands it",
    "tables.lookup": "asks what tables.gather hands it",
    "a thread of a pool": "asks for beam.search",
}
"""Modules that look, or hand on a look, and where that is tested."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "phase", "search"), PHASES, ids=[name for name, _, _ in PHASES]
)
def test_a_phase_stops_when_it_is_asked(
    name: str, phase: str, search: Callable[[Control], object]
) -> None:
    stop = _Stop(phase)
    with contextlib.suppress(LimitReachedError):
        search(Control(stop=stop))
    assert stop.looks[phase], f"{name} was not reached: {stop.looks}"
    # Whoever hands an interruption on may look again, each of them once or twice.
    assert stop.looks_after <= _MOST_LOOKS_AFTER
    assert set(stop.looks) <= {phase for _, phase, _ in PHASES} | set(ELSEWHERE)


_MOST_LOOKS_AFTER = 12


def test_what_is_asked_of_shortest_solutions_is_interrupted() -> None:
    stop = threading.Event()
    stop.set()
    for ask in (distance, count_shortest, shortest_solutions):
        with pytest.raises(LimitReachedError, match="before it was interrupted"):
            ask(*_random(4, 4), control=Control(stop=stop))
    for number in (1, 10):
        with pytest.raises(LimitReachedError, match="were not counted before it was"):
            count_shortest(
                *_random(3, 3), control=Control(stop=_Stop("counting", number))
            )


@pytest.mark.parametrize("number", [2, 20, 200])
def test_a_first_solution_stops_at_any_look(number: int) -> None:
    """Each look is before one tile, so no more than one is carried after a stop."""
    problem = scrambled(24, 24, 0, 1)
    stop = _Stop("first.construct", number)
    with pytest.raises(LimitReachedError):
        construct(problem, look=Budget(Limits(), Control(stop=stop)).look)
    assert sum(stop.looks.values()) == number
    assert not stop.looks_after


def test_a_large_board_has_a_solution_when_the_time_is_up() -> None:
    start, goal = _random(24, 24)
    solution = solve(start, goal, limits=Limits(seconds=0))
    bound = bound_of(canonicalise(start, goal))
    assert (solution.method, solution.lower_bound) == (UNSEARCHED, bound)


def test_waiting_for_another_process(tmp_path: Path) -> None:
    store, looks = TableStore(tmp_path), Counter[str]()

    def look() -> None:
        looks["store"] += 1
        if looks["store"] == 3:
            raise LimitReachedError("stopped", lower_bound=0, nodes=0)

    def build() -> Any:
        raise AssertionError("another one builds")

    (tmp_path / "some.lock").touch()
    with locked(tmp_path / "some.lock"), pytest.raises(LimitReachedError):
        store.get("some", 8, build, look=look)
    assert looks["store"] == 3


def test_waiting_for_another_thread() -> None:
    lock, looks = threading.Lock(), Counter[str]()

    def look(what: str, share: float) -> None:
        looks["lock"] += 1
        if looks["lock"] == 3:
            raise LimitReachedError("stopped", lower_bound=0, nodes=0)

    with lock, pytest.raises(LimitReachedError), waiting_for(lock, look):
        raise AssertionError("another one holds it")
    assert looks["lock"] == 3
    with waiting_for(lock, look):
        assert lock.locked()
    assert not lock.locked()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_while_a_first_solution_is_built(tmp_path: Path) -> None:
    """Of 32x32, which takes half a second; nothing is said but that."""
    start, _ = _random(32, 32)
    board = tmp_path / "board.txt"
    board.write_text(format_boards(start))
    program = (
        "import signal, sys; from imgpuzzle.cli import main;"
        # A shell that starts the tests in the background has SIGINT ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from imgpuzzle.solver.first.construct import Site; bring = Site._bring\n"
        "def watched(*given, **how):\n"
        "    Site._bring = bring; print('tile', file=sys.stderr, flush=True)\n"
        "    return bring(*given, **how)\n"
        "Site._bring = watched; main()"
    )
    how = ["solve", str(board), "--time-limit", "600", "-o", str(tmp_path / "made")]
    with subprocess.Popen(
        [sys.executable, "-c", program, *how],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr.readline() == "tile\n"
        process.send_signal(signal.SIGINT)
        # Later there would be a first solution, and something said of it.
        assert process.wait(timeout=300) == 130
        assert process.stderr.read() == "imgpuzzle: interrupted\n"
    assert [path.name for path in tmp_path.iterdir()] == ["board.txt"]


def test_ctrl_c_while_the_command_is_loaded() -> None:
    """Before the command line itself is there, and so before anything is begun."""
    program = (
        "import sys\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'click':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "from imgpuzzle.__main__ import main\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        130,
        "",
        "imgpuzzle: interrupted\n",
    )


def test_all_that_look_are_listed() -> None:
    looks = re.compile(
        r"\b(?:look|is_stopped|is_over|is_time_up|watch|show_setup|stop\.is_set|"
        r"budget\.check)\("
    )
    folder = Path(imgpuzzle.solver.__file__ or "").parent
    found = {
        ".".join(file.relative_to(folder).with_suffix("").parts)
        for file in folder.rglob("*.py")
        if looks.search(file.read_text())
    }
    listed = {phase for _, phase, _ in PHASES} | set(ELSEWHERE)
    assert found <= listed, f"no test stops {sorted(found - listed)}"


@pytest.mark.parametrize("seconds_a_node", [1e-5, 1e-4])
def test_portions_keep_a_limit_of_time(
    seconds_a_node: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine as slow as is said, or quicker; the clock is the nodes."""
    spent = 0
    monkeypatch.setattr("time.monotonic", lambda: spent * seconds_a_node)
    budget = Budget(Limits(seconds=1.0))
    while not budget.is_stopped:
        portion = budget.portion(1000, 0.1)
        assert 1 <= portion <= 1000
        spent += portion
    assert spent * seconds_a_node < 1.0 + 0.1 * 0.02 + 1e-9


def test_portions_keep_a_limit_of_nodes() -> None:
    budget = Budget(Limits(nodes=2500))
    portions = []
    while budget.nodes < 2500:
        portions.append(budget.portion(1000, 0.1))
        budget.nodes += portions[-1]
    assert portions == [1000, 1000, 500]
