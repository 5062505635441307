"""``imgpuzzle watch`` and what it stands on, with games played frame by frame."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_support import error_line, make_reading, run
from schema_support import check
from vision_scenes import photo

from benchmarks.scenes.played import Frame, Player, new_game
from imgpuzzle.cli.commands.live.play import _found
from imgpuzzle.cli.commands.live.watch import _teller
from imgpuzzle.cli.options import Given
from imgpuzzle.core.board import Board, FullBoard, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import (
    BoardNotFoundError,
    Reading,
    Region,
    UncertainReadingError,
)
from imgpuzzle.core.scramble import uniform
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import LimitReachedError, UnsolvableError
from imgpuzzle.files.image import Image, save_image
from imgpuzzle.live import planning, sources, tracking
from imgpuzzle.live.planning import Planner
from imgpuzzle.live.sources import Recording, SourceEndError
from imgpuzzle.live.tracking import Pace, Tracker
from imgpuzzle.live.tuning import TUNING
from imgpuzzle.live.watch.watching import Event, EventKind, Watcher
from imgpuzzle.messages import Doubt, LiveFault, Message, Reason
from imgpuzzle.render.drawing.tiles import TileSet, render_position
from imgpuzzle.solver.search import solve

GOAL = home_cells(Shape(3, 3), blank=8)


class Script(Recording):
    """A recording of a script, ten frames a second, and what its newest frame shows."""

    origin = (0, 0)
    scale = 1.0

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames = list(frames)
        self.number = -1
        self.seconds = 0.0

    @property
    def now(self) -> Frame:
        return self._frames[self.number]

    def grab(self) -> Image:
        if self.number + 1 == len(self._frames):
            raise SourceEndError(Message(LiveFault.FRAMES_END, name="the script"))
        self.number += 1
        self.seconds = self.number / 10
        return self.now.image

    def close(self) -> None:
        pass


def a_game(
    look: str = "plates", seed: int = 5, tricks: Iterable[str] = ()
) -> tuple[Player, Frame, Reading]:
    """A game of 3x3, its first frame and what is read of that."""
    return new_game(look, Shape(3, 3), photo(), seed, tricks=frozenset(tricks))


def script(player: Player, first: Frame, moves: int) -> Iterator[Frame]:
    yield first
    yield from player.frames(moves)


def told(source: Any, **how: Any) -> Iterator[Event]:
    """What happens, after that something is being read."""
    events = said_of(Tracker(source, **how))
    assert next(events).kind is EventKind.READING
    return events


def said_of(tracker: Tracker) -> Iterator[Event]:
    """What happens, each as programs are told it."""
    for event in Watcher(tracker).events():
        check(event.to_dict(), "watch")
        yield event


def watched(seed: int, tricks: set[str], moves: int) -> list[tuple[Event, Frame]]:
    player, first, _ = a_game(seed=seed, tricks=tricks)
    source = Script(script(player, first, moves))
    found = []
    for event in told(source):
        found.append((event, source.now))
    return found


def test_a_picture_that_is_whole_is_neither_watched_nor_played(
    reader: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    goal = FullBoard(GOAL.shape, tuple(range(1, 10)))
    reader(dataclasses.replace(make_reading(), board=goal, goal=goal))
    _, first, _ = a_game()
    tracker = Tracker(Script(iter([first] * 9)))
    assert [one.kind for one in Watcher(tracker).events()] == [EventKind.READING]
    assert tracker.refused.message == Message(Reason.NONE_MISSING)
    names = "read reference goal goal_layout answer annotate assembled"
    options = dict.fromkeys(names.split()) | {"kind": "slide"}
    given = Given(**options, trust=True, as_json=True)
    with pytest.raises(UnsolvableError):
        _found(Script(iter([first])), given)


@pytest.mark.slow
@pytest.mark.parametrize("tricks", [set(), {"cursor", "moves", "covers"}])
def test_all_positions_are_told_and_planned(tricks: set[str]) -> None:
    found = watched(5, tricks, 8)
    assert found[0][0].kind is EventKind.READ
    for event, frame in found:
        assert event.reading.goal == GOAL
        if event.plan is None:
            assert event.kind in (EventKind.MOVING, EventKind.COVERED, EventKind.LOST)
            continue
        assert frame.allows(event.board)
        solution = event.plan.solution
        assert (solution.start, solution.goal) == (event.board, GOAL)
        solution.verify()
        assert solution.is_optimal
    positions = [one.board for one, _ in found if one.kind is EventKind.POSITION]
    assert len(positions) >= 7


def test_a_planned_move_needs_one_less() -> None:
    board = uniform(GOAL, seed=4)
    planner = Planner(board, GOAL)
    left = planner.plan(board).moves_left
    while left:
        plan = planner.plan(board)
        assert (plan.moves_left, plan.is_deviation) == (left, False)
        step = plan.next_steps(1)[0]
        board, left = step.after, left - 1
    assert planner.plan(board).next_steps() == ()


def test_a_new_game_of_the_same_tiles_is_no_other_way() -> None:
    board = uniform(GOAL, seed=4)
    planner = Planner(board, GOAL)
    ahead = planner.plan(board).next_steps(1)[0].origin
    (other, *_) = (cell for cell in board.movable() if cell != ahead)
    strayed = planner.plan(board.slide(other))
    assert (strayed.is_deviation, strayed.is_leap) == (True, False)
    assert planner.plan(uniform(GOAL, seed=9)).is_leap


def test_of_two_ways_back_the_one_is_gone_that_is_shorter_to_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    goal = home_cells(Shape(2, 2), blank=3)
    ring = [
        *itertools.accumulate((2, 0, 1, 3, 2, 0, 1, 3, 2), Board.slide, initial=goal)
    ]
    # The way that is known leads all around, and no other is found in time.
    around = tuple(one.blank for one in reversed(ring[:8]))
    known = iter([planning._changed(solve(ring[8], goal), ring[8], around)])

    def in_time(*_: Any) -> Solution:
        for one in known:
            return one
        raise LimitReachedError("", lower_bound=0, nodes=0)

    planner = Planner(ring[8], goal)
    monkeypatch.setattr(planner, "_solved", in_time)
    assert planner.plan(ring[8]).moves_left == 8
    # One move back to it, or three to its end.
    assert planner.plan(ring[9]).moves_left == 3


@pytest.fixture
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large boards have whatever way is found at once."""
    short = dataclasses.replace(TUNING, first_seconds=0.2, anew_large_seconds=0.1)
    monkeypatch.setattr(planning, "TUNING", short)


@pytest.mark.slow
def test_the_way_on_a_large_board_is_never_longer_than_going_back(
    in_a_hurry: None,
) -> None:
    goal = home_cells(Shape(5, 5), blank=24)
    board = uniform(goal, seed=2)
    planner = Planner(board, goal)
    before = planner.plan(board)
    ahead = before.next_steps(1)[0].origin
    for cell in board.movable():
        if cell != ahead:
            plan = planner.plan(board.slide(cell))
            assert plan.is_deviation
            assert plan.moves_left <= before.moves_left + 1
            plan.solution.verify()
            planner.plan(board)


@pytest.mark.slow
def test_who_goes_another_way_on_a_large_board_is_not_kept_waiting(
    in_a_hurry: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recording of a player who knew no plan has hundreds of such moves."""
    searched = []

    def counted(board: Board, *rest: Any, **how: Any) -> Any:
        searched.append(board)
        return solve(board, *rest, **how)

    monkeypatch.setattr("imgpuzzle.solver.search.solve", counted)
    goal = home_cells(Shape(5, 5), blank=24)
    board = uniform(goal, seed=2)
    planner, left = Planner(board, goal), 0
    was, rng = -1, np.random.default_rng(3)
    for _ in range(40):
        ways = [cell for cell in board.movable() if cell != was]
        was, board = board.blank, board.slide(int(rng.choice(ways)))
        plan = planner.plan(board)
        plan.solution.verify()
        assert plan.solution.start == board
        left += plan.is_deviation
    assert left > 16
    assert len(searched) == 1 + left // TUNING.anew_moves


def test_a_slide_that_stops_half_way_is_no_new_puzzle() -> None:
    """A busy machine shows it for a while; read there, tiles would be cut elsewhere."""
    player, first, _ = a_game(seed=1, tricks={"single"})
    player.shares = (0.7,)

    def frames() -> Iterator[Frame]:
        yield first
        for _ in range(2):
            for frame in player.frames(1):
                stops = 0.0 < frame.share < 1.0
                yield from [frame] * (12 if stops else 1)

    events = list(told(Script(frames())))
    kinds = [one.kind for one in events]
    assert kinds.count(EventKind.READ) == 1
    assert kinds.count(EventKind.POSITION) == 2
    assert events[-1].board == player.board


def test_looks_cost_no_more_than_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"cpu": 0.0, "wall": 0.0}
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock["wall"] += seconds

    monkeypatch.setattr(time, "thread_time", lambda: clock["cpu"])
    monkeypatch.setattr(time, "monotonic", lambda: clock["wall"])
    monkeypatch.setattr(time, "sleep", sleep)
    pace = Pace()
    for _ in range(50):
        pace.wait()
        clock["cpu"] += 0.012
        clock["wall"] += 0.012
        pace.looked(is_quiet=True)
    assert 0.012 / (slept[-1] + 0.012) <= TUNING.idle_share + 0.005
    pace.looked(is_quiet=False)
    pace.wait()
    assert slept[-1] < slept[-2]
    assert 0.012 / slept[-1] <= TUNING.moving_share + 1e-9


def folder(tmp_path: Path, moves: int = 3) -> Path:
    player, first, _ = new_game("plates", GOAL.shape, photo(), 7)
    frames = tmp_path / "frames"
    frames.mkdir()
    for number, frame in enumerate(script(player, first, moves)):
        save_image(frame.image, frames / f"{number:04}.png")
    return frames


@pytest.mark.slow
def test_json_has_an_object_a_line(tmp_path: Path) -> None:
    record = tmp_path / "kept"
    result = run(
        "watch", "--frames", str(folder(tmp_path)), "--json", "--record", str(record)
    )
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["event"] for one in lines[:2]] == ["reading", "read"]
    keys = {"event", "board", "next", "moves_left", "optimal", "seconds"}
    for line in lines:
        assert keys <= set(line)
        assert line["event"] in {kind.value for kind in EventKind}
        assert (line["moves_left"] is None) == (not line["next"])
    # Of the beginning of a reading nothing is kept.
    assert len(list(record.iterdir())) == len(lines) - 1
    assert any(line["event"] == "position" for line in lines)


def test_a_reference_that_is_missing_is_told_before_any_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int | None] = []
    monkeypatch.setattr(sources, "ScreenSource", lambda at, **_: opened.append(at))
    missing = tmp_path / "missing.png"
    for name in ("watch", "play"):
        more = ("--yes",) if name == "play" else ()
        result = run(name, "--screen", "1", "--reference", str(missing), *more)
        assert result.exit_code == 3
        assert "missing.png" in result.stderr
    assert not opened


def test_what_answers_a_question_is_taken_while_a_game_is_watched(
    tmp_path: Path,
) -> None:
    """The goal that the user says, in place of the one that was read."""
    player, first, _ = new_game("plates", GOAL.shape, photo(), 7)
    save_image(first.image, tmp_path / "001.png")
    board = player.board
    goal = board.slide(board.movable()[0])
    given = ("--frames", str(tmp_path), "--once", "--json")
    result = run("watch", *given, "--goal", goal.one_line())
    assert result.exit_code == 0, result.stderr
    event = json.loads(result.stdout.splitlines()[-1])
    assert event["moves_left"] == 1
    # What is wrong with it is said before any look.
    result = run("watch", *given, "--goal", goal.one_line(), "--goal-layout", "snake")
    assert result.exit_code == 2
    assert "--goal-layout" in result.stderr
    (tmp_path / "of").mkdir()
    shown = tmp_path / "of" / "goal.png"
    assert run("watch", *given, "--assembled", str(shown)).exit_code == 0
    assert shown.exists()


def test_where_the_goal_is_asked_about_no_way_is_told(tmp_path: Path) -> None:
    """Numbers that lie about as near to one goal as to another."""
    start = Board.parse("8 1 2 / 3 0 4 / 6 5 7")
    drawn = render_position(tuple(range(9)), TileSet.numbered(start))
    save_image(drawn, tmp_path / "001.png")
    given = ("watch", "--frames", str(tmp_path))
    result = run(*given)
    assert result.exit_code == 0, result.stderr
    assert "which goal is it?" in result.stderr
    assert result.stdout == "It is not known which goal this game has.\n"
    result = run(*given, "--json")
    event = json.loads(result.stdout.splitlines()[-1])
    assert event["board"] == start.rows()
    assert (event["moves_left"], event["next"]) == (None, [])
    assert "which goal" in error_line(run(*given, "--once"), 5)
    answered = run(*given, "--json", "--answer", "2")
    event = json.loads(answered.stdout.splitlines()[-1])
    assert event["goal"] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert event["moves_left"] > 0


def test_a_game_that_shows_its_picture_before_it_deals_is_waited_for() -> None:
    player, first, known = a_game()
    whole = dataclasses.replace(first, image=255 - first.image)
    goal = FullBoard(known.shape, tuple(range(1, 10)))

    def read(frame: Image) -> Reading:
        if np.array_equal(frame, whole.image):
            return dataclasses.replace(known, board=goal, goal=goal)
        return known

    source = Script(iter([whole] * 9 + [first] * 5))
    events = list(told(source, read=read))
    assert [event.board for event in events] == [player.board]


def test_a_solved_picture_beside_a_covered_game_is_not_the_game() -> None:
    _, first, known = a_game()
    covered = first.image.copy()
    covered[known.region.top + known.region.height // 2 :] = 90
    beside = Region(known.region.right + 10, 0, 60, 60)

    def read(frame: Image, **where: object) -> Reading:
        if np.array_equal(frame, covered):
            return dataclasses.replace(known, board=known.goal, region=beside)
        return known

    hidden = dataclasses.replace(first, image=covered)
    source = Script(iter([first] * 3 + [hidden] * 60))
    events = list(told(source, read=read))
    assert EventKind.SOLVED not in [event.kind for event in events]


class Blinking:
    """A screen on which something beside the board is another colour each time."""

    origin, scale = (0, 0), 1.0

    def __init__(self, image: Image, by: int = 40) -> None:
        self._image = image
        self._shades = itertools.count(0, by)

    def grab(self) -> Image:
        frame = self._image.copy()
        frame[-30:, -30:] = next(self._shades) % 256
        return frame

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("is_still", "readings"), [(True, 1), (False, 3)])
def test_who_asks_for_a_puzzle_that_is_there_now_is_told_that_there_is_none(
    is_still: bool, readings: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracking.time, "sleep", lambda seconds: None)
    screen = Blinking(np.zeros((60, 80, 3), np.uint8), by=0 if is_still else 40)
    read: list[Image] = []

    def nothing(frame: Image) -> Reading:
        read.append(frame)
        raise BoardNotFoundError("expected a board, found none")

    for ask in (
        lambda tracker: list(Watcher(tracker).events()),
        lambda tracker: list(tracker.find()),
    ):
        read.clear()
        with pytest.raises(BoardNotFoundError):
            ask(Tracker(screen, read=nothing, tries=3))
        assert len(read) == readings


@pytest.mark.parametrize("doubt", [Doubt.ARRANGEMENT, Doubt.PART_OF_LARGER])
def test_what_is_doubtful_is_read_in_its_place_unless_that_is_in_doubt(
    doubt: Doubt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracking.time, "sleep", lambda seconds: None)
    _, first, known = a_game()
    asked: list[object] = []
    sure = iter([0.5, 0.7, 0.6, 0.4, 0.3])

    def read(frame: Image, **where: object) -> Reading:
        asked.append(where)
        return dataclasses.replace(
            known, certain=False, doubts=(Message(doubt),), confidence=next(sure)
        )

    with pytest.raises(UncertainReadingError) as raised:
        list(Tracker(Blinking(first.image), read=read, tries=5).find())
    place = {"shape": known.shape, "region": known.region}
    is_placed = doubt is Doubt.ARRANGEMENT
    assert asked == ([{}, place, {}, place, {}] if is_placed else [{}] * 5)
    assert raised.value.reading.confidence == 0.7, "the likeliest is kept"


@pytest.mark.parametrize("is_same", [True, False])
def test_in_the_place_of_a_doubtful_board_its_own_tiles_alone_are_believed(
    is_same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracking.time, "sleep", lambda seconds: None)
    _, first, known = a_game()
    _, _, other = a_game("photograph")
    doubts = (Message(Doubt.ARRANGEMENT),)

    def read(frame: Image, **where: object) -> Reading:
        if where:
            return known if is_same else other
        return dataclasses.replace(known, certain=False, doubts=doubts, confidence=0.5)

    tracker = Tracker(Blinking(first.image), read=read, tries=4)
    if is_same:
        list(tracker.find())
        assert tracker.reading == known
    else:
        with pytest.raises(UncertainReadingError):
            list(tracker.find())


def test_a_folder_without_a_puzzle_says_so(tmp_path: Path) -> None:
    save_image(np.full((200, 300, 3), 128, np.uint8), tmp_path / "plain.png")
    error_line(run("watch", "--frames", str(tmp_path)), 4)


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_a_terminal_shows_the_board_in_one_place(
    term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was drawn is drawn over, but not where the cursor cannot go up."""
    terminal, reading = io.StringIO(), make_reading()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLUMNS", "24")
    tell = _teller()
    for kind in (EventKind.COVERED, EventKind.READING):
        board = reading.board if kind is EventKind.COVERED else None
        tell(Event(kind, reading, board, None, None, 0.0, 0.0))
    told = terminal.getvalue()
    if term == "dumb":
        assert "\x1b" not in told
        assert "The position is not to be seen just now." in told
        return
    covered, ending = told.split("\x1b[J\n", 1)
    lines = covered.split("\n")
    assert all(line.endswith("\x1b[K") for line in lines)
    assert lines[-1] == "The position is not ...\x1b[K"
    assert ending.startswith(f"\x1b[{len(lines)}F")
