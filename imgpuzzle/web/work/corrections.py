"""What a person knows better than the reader, applied to a reading.

A correction is an object with one key: ``{"swap": [[r, c], [r, c]]}``,
``{"blank": [r, c]}``, ``{"board": rows}``, ``{"goal": rows}``, ``{"answer": number}``,
``{"goal_layout": [layout, place]}`` or ``{"puzzle": kind}``, cells counted from 0 and
``Reading.answers`` from 1. A corrected reading is certain, because a person says so; a
layout and a kind are choices, and settle no doubt.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from imgpuzzle.core import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.reading import Reading
from imgpuzzle.errors import UsageError
from imgpuzzle.messages import Message, Note, ServerFault
from imgpuzzle.puzzles.kind import full_kinds, kind_of
from imgpuzzle.web.work.state import State

CORRECTIONS = ("board", "blank", "swap", "goal", "goal_layout", "answer", "puzzle")
"""What can be corrected without reading again, in the order of one request."""


def corrected(state: State, corrections: Iterable[Mapping[str, Any]]) -> State:
    """``state`` with all corrections, one after the other.

    Raises ``UsageError`` and ``InvalidBoardError`` for those that do not fit.
    """
    for one in corrections:
        ((name, value),) = one.items()
        if name == "goal_layout":
            state = _in_layout(state, *value)
        elif name == "answer":
            if state.reading is None:
                raise UsageError(
                    "expected a reading of a screenshot to answer, found a board"
                )
            state = _as_read(state, _sure(state.reading.answered(value)))
        elif name == "puzzle":
            state = _of_kind(state, value)
        elif state.reading is None:
            start, goal = _on_boards(state.start, state.goal, name, value)
            state = dataclasses.replace(state, start=start, goal=goal)
        else:
            state = _as_read(state, _on_reading(state.reading, name, value))
    return state


def still_valid(
    before: State, now: State, corrections: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """The same if all of them also hold for a reading that took another's place.

    An exchange holds while the same tiles are read in its cells and the blank where
    it was; a board and a goal while the numbers are the same. What was said of a
    board that was read otherwise must not make the new one certain; and as each one
    builds on those before, none is kept unless all are.
    """
    if before.start.shape != now.start.shape:
        return []
    old = before.start if before.reading is None else before.reading.board
    new = now.start if now.reading is None else now.reading.board
    goal = now.goal if now.reading is None else now.reading.goal
    found: list[Mapping[str, Any]] = []
    for one in corrections:
        ((name, value),) = one.items()
        if name == "goal_layout":
            fits = now.reading is None or now.reading.method == "digits"
        elif name == "answer":
            fits = _asked(before) == _asked(now)
        elif name == "puzzle":
            fits = value in full_kinds(now.start)
        elif name in ("board", "goal"):
            fits = sorted(Board.from_rows(value).cells) == sorted(new.cells)
            if name == "goal":
                fits = fits and Board.from_rows(value).blank == goal.blank
        else:
            cells = [_cell(cell, new.shape) for cell in value if name == "swap"]
            cells += [old.blank] if old.has_blank else []
            fits = all(old.cells[cell] == new.cells[cell] for cell in cells)
        if not fits:
            return []
        found.append(one)
    return found


def added(
    earlier: Iterable[dict[str, Any]], later: Iterable[dict[str, Any]]
) -> list[dict[str, Any]]:
    """All corrections in order, without those that a later one makes void."""
    found = list(earlier)
    for one in later:
        if "answer" in one:
            # It is one to what was read, so it comes before all else.
            found = [one, *(old for old in found if "goal_layout" in old)]
            continue
        if "board" in one:
            # A layout is that of whatever numbers there are: it comes after them.
            found = [*without(found, "board", "blank", "swap", "answer"), one]
            found.sort(key=lambda old: "goal_layout" in old)
            continue
        if "blank" in one or "puzzle" in one:
            found = without(found, "puzzle")
        if "goal" in one or "goal_layout" in one:
            found = without(found, "goal", "goal_layout")
        found.append(one)
    # What kind it is of says what a board may be, as it lies in the end.
    return sorted(found, key=lambda old: "puzzle" in old)


def without(corrections: Iterable[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    """The corrections but for those of these names."""
    return [one for one in corrections if not set(names) & set(one)]


def suggested_swap(state: State, read: Reading | None = None) -> tuple[int, int] | None:
    """Two cells whose exchange makes the goal reachable; ``None`` for no good guess.

    It is the likeliest one by the doubts of ``read``, which is what was read before
    anybody corrected it. Where nothing was in doubt nothing is suggested.
    """
    if state.reason is None:
        return None
    if state.reading is None or read is None or read.shape != state.reading.shape:
        return None
    doubted = dataclasses.replace(
        state.reading,
        certain=read.certain,
        doubtful=read.doubtful,
        cell_confidence=read.cell_confidence,
        alternatives=read.alternatives,
    )
    return doubted.likely_exchange()


def _in_layout(state: State, layout: str, place: Any) -> State:
    place = place if isinstance(place, str) else tuple(place)
    if state.reading is None:
        goal = goals.in_layout(state.start, layout, place)
        return dataclasses.replace(state, goal=goal)
    return _as_read(state, state.reading.with_layout(layout, place))


def question(
    base: State, corrections: Iterable[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """Which goals are asked about, and the number of the one that was answered.

    ``base`` is what was read. ``None`` where that leaves no question, or where
    something else was corrected since.
    """
    answers = () if base.reading is None else base.reading.answers
    said = {name: value for one in corrections for name, value in one.items()}
    if not answers or set(said) - {"answer", "goal_layout", "puzzle"}:
        return None
    return {
        "answers": [one.to_dict() for one in answers],
        "answered": said.get("answer"),
    }


def _of_kind(state: State, puzzle: str) -> State:
    """A board without an empty cell as one of a kind of puzzle."""
    board = kind_of(puzzle).board
    if state.start.has_blank:
        return state
    start, goal = board.of(state.start), board.of(state.goal)
    return dataclasses.replace(state, start=start, goal=goal, puzzle=puzzle)


def _asked(state: State) -> list[tuple[Board, Board]]:
    """The boards and goals of the answers: how likely they are may change."""
    answers = () if state.reading is None else state.reading.answers
    return [(one.board, one.goal) for one in answers]


def _as_read(state: State, reading: Reading) -> State:
    """The state with another reading, and the boards of that."""
    start, goal = reading.interchangeable()
    return dataclasses.replace(state, start=start, goal=goal, reading=reading)


def _on_reading(reading: Reading, name: str, value: Any) -> Reading:
    shape = reading.shape
    if name == "goal":
        return _sure(reading.with_goal(_board(value, shape, "goal")))
    if name == "blank":
        cell = _cell(value, shape)
        known = [one for one in reading.alternatives if not one.board.cells[cell]]
        if known:
            # The tiles then lie as the picture says, which an exchange can only guess.
            best = max(known, key=lambda one: one.confidence)
            return _sure(dataclasses.replace(reading, board=best.board, goal=best.goal))
    board, goal = _on_boards(reading.board, reading.goal, name, value)
    identical = reading.identical
    if name == "swap":
        # An exchange of two tiles that look the same says that they differ.
        exchanged = {_cell(cell, shape) for cell in value}
        if any(exchanged <= set(group) for group in identical):
            identical = _without(identical, exchanged)
    if name == "board":
        identical = ()
    identical = _without(identical, {board.blank} if board.has_blank else set())
    return _sure(
        dataclasses.replace(reading, board=board, goal=goal, identical=identical)
    )


def _on_boards(board: Board, goal: Board, name: str, value: Any) -> tuple[Board, Board]:
    """Start and goal after one correction."""
    shape = board.shape
    if name == "swap":
        first, second = (_cell(cell, shape) for cell in value)
        if first == second:
            raise UsageError("expected two cells to exchange, found one twice")
        return board.exchanged(first, second), goal
    if name == "blank" and not board.has_blank:
        # What was taken for a tile is the empty cell.
        label = board.cells[_cell(value, shape)]
        emptied = (
            Board(shape, tuple(0 if one == label else one for one in old.cells))
            for old in (board, goal)
        )
        return next(emptied), next(emptied)
    if name == "blank":
        return board.exchanged(board.blank, _cell(value, shape)), goal
    if name == "goal":
        wanted = _board(value, shape, "goal")
        if sorted(wanted.cells) != sorted(board.cells):
            raise UsageError(
                f"expected a goal with the numbers of the board, found {wanted!s}"
            )
        return board, wanted
    if name == "board":
        start = _board(value, shape, "board")
        if sorted(start.cells) != sorted(goal.cells):
            return start, goals.from_numbers(start)
        return start, goal
    raise UsageError(f"expected a correction of {', '.join(CORRECTIONS)}, found {name}")


def _sure(reading: Reading) -> Reading:
    others = (note for note in reading.notes if note.kind != Note.CORRECTED)
    notes = (*others, Message(Note.CORRECTED))
    return dataclasses.replace(
        reading,
        certain=True,
        doubts=(),
        doubtful=(),
        alternatives=(),
        confidence=1.0,
        cell_confidence=(1.0,) * reading.shape.size,
        notes=notes,
    )


def _without(
    groups: tuple[tuple[int, ...], ...], cells: set[int]
) -> tuple[tuple[int, ...], ...]:
    left = (tuple(cell for cell in group if cell not in cells) for group in groups)
    return tuple(group for group in left if len(group) > 1)


def _cell(value: Any, shape: Shape) -> int:
    row, col = value
    return shape.cell(row, col)


def _board(rows: Any, shape: Shape, name: str) -> Board:
    board = Board.from_rows(rows)
    if board.shape != shape:
        raise UsageError.said(
            ServerFault.OTHER_CORRECTION, name=name, wanted=shape, found=board.shape
        )
    return board
