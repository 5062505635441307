"""The options of a search, who works at it, and how a person watches and ends it."""

from __future__ import annotations

import contextlib
import functools
import math
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from imgpuzzle import INTERRUPTED
from imgpuzzle.cli import options, report, speech, terminal, values
from imgpuzzle.core.goals import named_goals
from imgpuzzle.core.options import (
    LARGE_CELLS,
    LARGE_SECONDS,
    SECONDS,
    Control,
    SearchOptions,
    default_seconds,
)
from imgpuzzle.core.solution import METRICS, Limits
from imgpuzzle.errors import LimitReachedError, UnsolvableError, UsageError
from imgpuzzle.messages import Message, Work

if TYPE_CHECKING:
    from imgpuzzle.core.board import Board, Shape
    from imgpuzzle.core.goals import NamedGoal
    from imgpuzzle.core.reading import Reading
    from imgpuzzle.core.solution import Solution
    from imgpuzzle.fleet.workers import Fleet


def time_limit_option(what: str) -> options.Decorator:
    """``--time-limit`` for a search that is called so."""
    return click.option(
        "--time-limit",
        type=values.SecondsType(),
        help=f"End {what} after this time, with the best solution so far; 0 for "
        f"never.  [default: {SECONDS}, on more than {LARGE_CELLS - 1} cells "
        f"{LARGE_SECONDS}]",
    )


limits_options = options.stack(
    click.option(
        "--max-moves",
        type=values.WholeRange(min=0),
        help="Accept only solutions of at most so many moves.",
    ),
    time_limit_option("the search"),
)
metric_option = click.option(
    "--metric",
    type=values.NamesType(METRICS),
    default="single",
    help="What counts as one move: a single tile, or the slide of all tiles "
    "of a row or column between the blank and the tile that is pushed.",
)


def limits(shape: Shape, time_limit: float | None, max_moves: int | None) -> Limits:
    """The limits that the options say; an endless search has infinite seconds."""
    if time_limit is None:
        time_limit = default_seconds(shape.size)
    return Limits(seconds=time_limit, max_moves=max_moves)


def reachable(
    start: Board, reading: Reading | None, *, is_counted: bool = False
) -> list[NamedGoal]:
    """The usual goals that can be reached, fewest moves first.

    Counting them is for when one has to be chosen; else there are bounds.
    """
    goals = named_goals(start) if reading is None else reading.usual_goals()
    if not goals or not is_counted:
        return goals
    from imgpuzzle.solver.reachable import count_moves

    board = start if reading is None else reading.board
    with terminal.progress_bar(speech.gettext("counting moves")) as tell:
        return count_moves(board, goals, control=Control(on_progress=tell))


@contextlib.contextmanager
def watched(limits: Limits) -> Iterator[Control]:
    """A control for one search: progress on a terminal, and Ctrl-C ends it.

    The first Ctrl-C asks for the best solution so far; a second one interrupts the
    program, as does the first one when no solution is known.
    """
    with terminal.progress_bars() as show:

        def improved(solution: Solution) -> None:
            if not solution.is_searched:
                return  # getting ready, which is no part of the time, comes first
            share = solution.seconds / limits.seconds if limits.seconds else 0.0
            found = Message(
                Work.SOLUTION_FOUND,
                length=speech.moves(solution.length, solution.counted.kind),
                bound=speech.number(solution.lower_bound),
            )
            show(speech.gettext("searching"), found, share)

        set_up = functools.partial(show, speech.gettext("getting ready"))
        control = Control(on_improved=improved, on_progress=set_up)

        def end(number: int, frame: object) -> None:
            control.stop.set()
            signal.signal(signal.SIGINT, signal.default_int_handler)

        with terminal.handling([signal.SIGINT], signal.default_int_handler, end):
            try:
                yield control
            except LimitReachedError:
                if control.stop.is_set():
                    raise KeyboardInterrupt from None
                raise
    if control.stop.is_set():
        terminal.note(speech.gettext("interrupted: this is the best solution so far"))


@contextlib.contextmanager
def searching(
    given: options.Given, start: Board, reading: Reading | None
) -> Iterator[SearchOptions]:
    """How to search for a solution, as the options say; it is watched meanwhile.

    Says why a board cannot be solved, at once; then what can be reached instead.
    """
    within = limits(start.shape, given.time_limit, given.max_moves)
    try:
        with watched(within) as control:
            asked = given.but(puzzle=given.kind, limits=within, control=control)
            yield asked.of(SearchOptions)
    except UnsolvableError as error:
        message = report.unsolvable(error.reason, read=reading is not None)
        if given.as_json:
            raise UnsolvableError(message) from None
        terminal.note(f"imgpuzzle: {speech.worded(message)}")
        goals = reachable(start, reading, is_counted=True)
        report.say_unreachable(start, error.reason, goals, reading)
        raise click.exceptions.Exit(UnsolvableError.exit_code) from None


@contextlib.contextmanager
def ending_in_one_line(words: str) -> Iterator[None]:
    """Let what ends a run send workers home, and say one line, such as how to go on.

    That is Ctrl-C, a signal, or a scheduler that is gone.

    Workers that nobody sends home leave semaphores behind, of which Python then warns.
    """
    from imgpuzzle.fleet.workers import FleetLostError

    try:
        with terminal.unwinding_when_terminated():
            yield
    except (KeyboardInterrupt, FleetLostError) as error:
        is_wished = isinstance(error, KeyboardInterrupt)
        terminal.note(words if is_wished else f"{error}: {words}")
        raise click.exceptions.Exit(INTERRUPTED) from None
    except SystemExit:  # a signal to end
        terminal.note(words)
        raise


scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Work on a Dask cluster, such as tcp://10.0.0.1:8786; whoever reaches one at "
    "tcp:// can run anything there, and in the name of who works on it.",
)
fleet_options = options.stack(
    click.option(
        "--workers",
        type=values.WholeRange(min=1),
        help="Processes that work.  [default: as many as there are cores]",
    ),
    scheduler_option,
)
"""Who works."""


def make_fleet(
    given: options.Given, *, workers: str = "workers", keep_bytes: float = math.inf
) -> Fleet:
    """Who works, as the options say: a scheduler's, or processes of this machine.

    By default these are as many as there are cores; ``workers`` is what their option is
    called. One that holds more than ``keep_bytes`` is replaced.

    Raises:
        UsageError: Where both are given, or there is no such cluster.
    """
    count, address = getattr(given, workers), given.scheduler
    if count is not None and address is not None:
        raise UsageError.said(
            "expected either {called} or --scheduler, found both", called=f"--{workers}"
        )
    if address is not None:
        from imgpuzzle.fleet.cluster import DaskFleet

        def waiting() -> None:
            terminal.note(
                speech.gettext(
                    "no worker is left at the scheduler: waiting for one; Ctrl-C ends "
                    "this"
                )
            )

        return DaskFleet(address, on_waiting=waiting)
    from imgpuzzle.fleet.workers import ProcessFleet

    return ProcessFleet(count, keep_bytes=keep_bytes)
