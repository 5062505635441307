"""Every compiled kernel does on real data what its model in plain Python does.

The searches and the builders of tables run as always, on small boards, but each call
of a kernel is made twice, with copies of all it is given: what it returns, and every
number that it writes, must be the same.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
import math
from array import array
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import kernels_in_python as model
import numpy as np
import pytest
from beam_support import beam, problem_of

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.solution import Limits
from imgpuzzle.kernels import beam as beam_kernels
from imgpuzzle.kernels import patterns as pattern_kernels
from imgpuzzle.kernels import slides as slide_kernels
from imgpuzzle.solver.beam import layer as beam_layer
from imgpuzzle.solver.beam import search as beams
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.classic import large
from imgpuzzle.solver.classic.optimal import OptimalSearch
from imgpuzzle.solver.slides import depth_first as slide_search
from imgpuzzle.solver.slides import tables as slide_tables
from imgpuzzle.solver.tables import patterns, rows
from imgpuzzle.solver.tables.database import Database, turned
from imgpuzzle.solver.tables.gather import Recent
from imgpuzzle.solver.tables.large_partition import choose_views
from imgpuzzle.solver.tables.lookup import make_lookup
from imgpuzzle.solver.tables.partition import Size
from imgpuzzle.solver.tuning import MAX_CELLS

Calls = Counter[str]


def copied(value: Any) -> Any:
    """A copy of what a kernel may write into; tables are only read."""
    if isinstance(value, beam_kernels.BeamLayer):
        words = value.words.copy()
        return beam_kernels.BeamLayer(
            words, words.view(np.uint16), words.view(np.uint8)
        )
    if isinstance(value, np.ndarray | tuple | array):
        return copy.deepcopy(value)
    return value


def same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, beam_kernels.BeamLayer):
        return np.array_equal(one.words, other.words)
    if isinstance(one, tuple):
        return all(same(*pair) for pair in zip(one, other, strict=True))
    return one is other or one == other


def checked(kernel: Callable[..., Any], calls: Calls) -> Callable[..., Any]:
    """The kernel, compared with its model in each call."""
    name = kernel.__name__
    expected = getattr(model, name)

    def call(*given: Any) -> Any:
        copies = tuple(map(copied, given))
        answer, wanted = kernel(*given), expected(*copies)
        assert answer == wanted, name
        for number, (one, other) in enumerate(zip(given, copies, strict=True)):
            if name == "deepen" and number == 0:  # the rest of a stack is anything
                used = given[1] * given[4][1]
                one, other = one[:used], other[:used]
            assert same(one, other), f"argument {number} of {name}"
        calls[name] += 1
        return answer

    return call


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """How often each kernel was called, all of them checked."""
    counted: Calls = Counter()
    for home, names in (
        (beam_kernels, ("generate", "keep")),
        (beam_layer, ("group_distances",)),
        (large, ("descend",)),
        (pattern_kernels, ("deepen", "find_words")),
        (slide_kernels, ("read", "search")),
        (slide_tables, ("read", "fill")),
    ):
        for name in names:
            monkeypatch.setattr(home, name, checked(getattr(home, name), counted))
    return counted


# -- boards of up to 16 cells ------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "cols", "labels"),
    [(2, 3, (1, 2, 3, 4, 5)), (3, 3, (1, 1, 2, 2, 3, 4, 5, 6)), (2, 4, range(1, 8))],
    ids=["2x3", "3x3 with twins", "2x4"],
)
@pytest.mark.parametrize("nodes_a_call", [7, 10_000])
def test_deepening(
    rows: int,
    cols: int,
    labels: tuple[int, ...],
    nodes_a_call: int,
    calls: Calls,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("imgpuzzle.solver.classic.optimal._NODES_A_CALL", nodes_a_call)
    goal = Board(Shape(rows, cols), (*labels, 0))
    for seed in range(2):
        problem = problem_of(goal, seed)
        search = OptimalSearch(problem, Database(turned(problem)[0], Size.SMALL))
        assert search.run(Budget(Limits(nodes=5_000 if rows * cols == 9 else 2_000)))
    assert calls["find_words"] >= 2
    assert calls["deepen"] >= (6 if nodes_a_call == 7 else 2)


@pytest.mark.parametrize(("rows", "cols"), [(1, 5), (2, 3), (4, 2), (3, 4)])
def test_regions_are_numbered(rows: int, cols: int) -> None:
    for tiles in range(rows * cols):
        found, wanted = np.full((2, math.comb(rows * cols, tiles)), -1, np.int64)
        count = pattern_kernels.number_regions(rows, cols, tiles, found)
        assert count == model.number_regions(rows, cols, tiles, wanted)
        assert found.tolist() == wanted.tolist()


# -- boards of any size ------------------------------------------------------------

GOALS = [
    goals.row_major(Shape(3, 4)),
    goals.row_major(Shape(6, 6), blank=8),
    goals.row_major(Shape(7, 7)),  # three views
    goals.row_major(Shape(5, 13), blank=0),  # more cells than a word has bits
]


@functools.cache
def tables_of(goal: Board, tiles: int = 2, **options: float) -> beam_kernels.Tables:
    shape, home = goal.shape, goal.cells.index(0)
    lookup = make_lookup(shape, home, choose_views(shape, home, tiles))
    return beam_layer.make_tables(lookup, **options)


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: str(goal.shape))
def test_beams(goal: Board, calls: Calls) -> None:
    problem = problem_of(goal, 1)
    tables = tables_of(goal, turn=1.5 if goal.shape.size > 40 else 0.0)
    asked = itertools.count()
    searched = beam(problem, tables, 20, best=1000, is_time_up=lambda: next(asked) > 24)
    if goal.shape.size == 12:
        assert beam(problem, tables, 40, best=60).run() is not None
    with contextlib.suppress(beams.Stopped):
        searched.run()
    assert calls["group_distances"] >= 1
    assert calls["generate"] >= calls["keep"] >= 12


class AtOnce(Executor):
    """Does what it is given in the same thread: calls are compared one by one."""

    def submit(self, work: Any, /, *given: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(work(*given, **named))
        return future


def test_a_beam_in_parts(monkeypatch: pytest.MonkeyPatch, calls: Calls) -> None:
    monkeypatch.setattr(beams, "_WORTH_THREADS", 10)
    monkeypatch.setattr(beams, "_CHUNK", 16)
    problem, tables = problem_of(GOALS[0], 2), tables_of(GOALS[0], 3)
    beam(problem, tables, 30, threads=2, executor=AtOnce()).run()
    assert calls["keep"] > 2 * calls["group_distances"] + 20


@pytest.mark.parametrize(
    ("shape", "kinds", "blank"),
    [
        (Shape(3, 3), ((0,), (1,), (3,)), 8),
        (Shape(2, 5), ((0,), (2,), (4,), (6,)), 5),
        (Shape(2, 4), ((0,), (1,), (2,), (4,), (5,)), 7),  # more orders than 64
        (Shape(3, 6), ((1,), (17,)), 0),
        (Shape(3, 3), ((0, 2), (4, 6, 7)), 8),
    ],
    ids=str,
)
def test_filling_tables(
    shape: Shape,
    kinds: tuple[tuple[int, ...], ...],
    blank: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: Calls = Counter()
    monkeypatch.setattr(rows, "spread", checked(pattern_kernels.spread, calls))
    monkeypatch.setattr(rows, "_WORDS_A_CALL", 100)
    if shape.size <= MAX_CELLS:
        shares: list[float] = []
        patterns.build(patterns.Group(shape, kinds, blank), shares.append)
        assert calls["spread"] == len(shares) > 5
        assert shares == sorted(shares)
    if all(len(kind) == 1 for kind in kinds):
        patterns.build_table(patterns.Group(shape, kinds, blank))
    assert calls["spread"] > 5


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: str(goal.shape))
def test_descending(goal: Board, calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "_NODES_A_CALL", 100)
    tables = tables_of(goal)
    search = large.LargeSearch(problem_of(goal, 3), tables)
    assert search.run(Budget(Limits()), most_nodes=600) is None
    near = goal
    for _ in range(12):
        near = near.slide(near.movable()[0])
        near = near.slide(near.movable()[-1])
    problem = canonicalise(near, goal)
    if problem.start != problem.goal:
        moves = large.LargeSearch(problem, tables).run(Budget(Limits()))
        assert moves is not None
    assert calls["descend"] >= 6


# -- slides ------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [Shape(2, 3), Shape(3, 3), Shape(2, 5)], ids=str)
def test_slides(shape: Shape, calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slide_tables, "_recent", Recent(1))
    goal = goals.row_major(shape)
    problem = problem_of(goal, 4)
    tables = slide_tables.make_tables(problem, 700, show=lambda *_: None)
    search = slide_search.SlideSearch(problem, tables)
    for bound in range(search.bound(), search.bound() + 4):
        for count, (_, stops) in enumerate(search.within(bound, lambda: 50)):
            if stops or count > 20:
                break
    assert calls["fill"] > 3
    assert calls["read"] > 1
    assert calls["search"] > 4


def test_a_code_leads_to_a_number_and_back() -> None:
    layout = slide_tables._layout(9, 4)
    count = len(layout.first_codes) * len(layout.rest_codes)
    for number in range(count):
        code = slide_tables.pack(model.code_of(number, layout), layout.bits)
        assert slide_kernels.read(code, layout) == model.read(code, layout) == number


# -- what is passed ----------------------------------------------------------------


def test_arrays_of_another_kind_are_refused() -> None:
    layout = slide_tables._layout(6, 2)
    table = np.full(30, slide_kernels.UNKNOWN, np.uint8)
    slide_kernels.fill(table, 0, layout, 2, 3, range(30))
    for wrong in (table.astype(np.int64), np.zeros(60, np.uint8)[::2]):
        with pytest.raises(Exception, match="expected a C-contiguous array of uint8"):
            slide_kernels.fill(wrong, 0, layout, 2, 3, range(30))
