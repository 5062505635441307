"""Recordings: how their frames are had, how they are followed, and what they show."""

from __future__ import annotations

import base64
import dataclasses
import itertools
import json
import subprocess
import sys
import zlib
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote

import cv2
import naive
import numpy as np
import pytest
from cli_support import error_line, run
from PIL import Image as PillowImage
from vision_scenes import photo

from benchmarks.scenes.played import Player, Table, make_table, new_game
from imgpuzzle import read_image
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Reading
from imgpuzzle.core.scramble import uniform
from imgpuzzle.errors import InvalidImageError
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.files.recording import first_at_rest, frames_of
from imgpuzzle.live import tracking
from imgpuzzle.live.follower import Follower, SeenKind
from imgpuzzle.live.planning import SLIDE
from imgpuzzle.live.sources import Recording
from imgpuzzle.live.tracking import Tracker
from imgpuzzle.live.watch.review import Game, games_of
from imgpuzzle.live.watch.watching import Event, EventKind, Watcher
from imgpuzzle.vision.geometry.cutting import cut_cells

GOAL = home_cells(Shape(3, 3), blank=8)
CODED = {"crf": "12", "preset": "ultrafast"}
"""Of films: nearly as the frames are, and soon done."""


def wandering(start: Board, count: int, seed: int) -> list[Board]:
    rng, boards = np.random.default_rng(seed), [start]
    while len(boards) <= count:
        cells = [
            cell
            for cell in boards[-1].movable()
            if len(boards) < 2 or boards[-1].slide(cell) != boards[-2]
        ]
        boards.append(boards[-1].slide(int(rng.choice(cells))))
    return boards


def gif(path: Path, frames: Sequence[Image], times_ms: Sequence[int]) -> Path:
    pictures = [PillowImage.fromarray(frame) for frame in frames]
    # Equal frames would be joined.
    pictures[0].save(
        path, save_all=True, append_images=pictures[1:], duration=list(times_ms)
    )
    return path


def film(path: Path, frames: Sequence[Image], rate: int) -> Path:
    av = pytest.importorskip("av", reason="films need an extra")
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=rate, options=CODED)
        height, width = (n // 2 * 2 for n in frames[0].shape[:2])
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.time_base = Fraction(1, rate)
        for frame in frames:
            even = np.ascontiguousarray(frame[:height, :width])
            shown = av.VideoFrame.from_ndarray(even, format="rgb24")
            out.mux(stream.encode(shown))
        out.mux(stream.encode())
    return path


def table_of(shape: Shape = GOAL.shape) -> Table:
    return make_table("plates", shape, photo())


def watched(path: Path) -> list[Event]:
    return list(Watcher(Tracker(Recording(path))).events())


def positions(events: Sequence[Event]) -> list[Board]:
    return [
        one.board
        for one in events
        if one.is_position and one.kind is not EventKind.FOUND
    ]


def test_frames_have_the_times_that_the_recording_says(tmp_path: Path) -> None:
    shades = [np.full((40, 50, 3), 20 * n, np.uint8) for n in range(4)]
    path = gif(tmp_path / "a.gif", shades, [100, 250, 0, 400])
    found = list(frames_of(path))
    assert [round(at, 3) for at, _ in found] == [0.0, 0.1, 0.35, 0.45]
    assert [int(frame[5, 5, 0]) for _, frame in found] == [0, 20, 40, 60]
    path = film(tmp_path / "a.mp4", shades, 8)
    assert [round(at, 3) for at, _ in frames_of(path)] == [0.0, 0.125, 0.25, 0.375]


def test_of_a_film_the_first_frame_at_rest_is_taken(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    restless = [rng.integers(0, 255, (60, 80, 3), np.uint8) for _ in range(5)]
    calm = [np.full((60, 80, 3), 77, np.uint8)] * 8
    path = film(tmp_path / "a.mp4", [*restless, *calm], 10)
    assert abs(first_at_rest(path).astype(int) - 77).max() < 12


def test_a_review_goes_where_a_guide_may_go(tmp_path: Path) -> None:
    path = gif(tmp_path / "game.gif", [photo(), 255 - photo()], [100, 100])
    for name, why in (("x.xyz", "a folder or a file of"), ("game.gif", "another file")):
        result = run("review", str(path), "--output", str(tmp_path / name))
        assert result.exit_code == 2
        assert f"expected {why}" in result.stderr
    assert {one.name for one in tmp_path.iterdir()} == {"game.gif"}


def test_a_review_says_what_it_wrote_and_of_which_part(tmp_path: Path) -> None:
    table, start = table_of(), uniform(GOAL, seed=1)
    boards = [*wandering(start, 1, 1), *wandering(uniform(GOAL, seed=4), 3, 2)]
    frames = [table.frame(board) for board in boards]
    path, output = gif(tmp_path / "game.gif", frames, [600] * 6), tmp_path / "out.txt"
    for told in ("wrote", "replaced"):
        result = run("review", str(path), "--output", str(output))
        assert (result.exit_code, len(output.read_text().splitlines()) > 3) == (0, True)
        assert result.stderr.splitlines() == [
            f"{told} {output}",
            "of 2 parts it has the longest, number 2",
        ]


@pytest.mark.parametrize("name", ["cut.gif", "cut.mp4", "none.mp4", "text.webm"])
def test_what_cannot_be_read_is_one_line(tmp_path: Path, name: str) -> None:
    path, frames = tmp_path / name, [photo(), 255 - photo()]
    if name == "cut.gif":
        gif(path, frames, [100, 100])
    elif name == "cut.mp4":
        film(path, frames, 10)
    elif name == "text.webm":
        path.write_text("no film at all")
    if path.exists():
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])
    with pytest.raises(InvalidImageError):
        list(frames_of(path))
    error_line(run("review", str(path)), 3)


@pytest.mark.slow
def test_a_large_recording_takes_little_memory(tmp_path: Path) -> None:
    shape = Shape(4, 4)
    size, goal = (3072, 1728), home_cells(shape, blank=15)
    table = make_table("photograph", shape, photo(), side=300, size=size)
    boards = wandering(uniform(goal, seed=3), 1, 1)
    shown = [table.frame(board) for board in boards for _ in range(5)]
    path = film(tmp_path / "large.mp4", shown, 10)
    # What the process that starts it has taken does not count there.
    code = """
import pathlib, sys
from imgpuzzle.__main__ import main
try:
    main()
finally:
    status = pathlib.Path("/proc/self/status")
    if status.exists():
        print(status.read_text().partition("VmHWM:")[2].split()[0], file=sys.stderr)
"""
    arguments = ["watch", "--json", "--frames", str(path)]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events.pop(0)["event"] == "reading"
    assert [one["board"] for one in events] == [board.rows() for board in boards]
    # The place is that of the whole frames, to a hundredth of a tile.
    assert events[0]["region"] == pytest.approx(table.region.to_dict(), abs=3)
    if sys.platform == "linux":
        assert int(done.stderr) < 320_000


@pytest.mark.slow
def test_positions_of_one_frame_and_moves_between_two(tmp_path: Path) -> None:
    table = table_of()
    boards = wandering(uniform(GOAL, seed=5), 30, seed=1)
    # Each third position is not recorded at all. Two tiles of a line may have moved in
    # one go: then there was no position between.
    shown = [board for number, board in enumerate(boards) if number % 3 != 1]
    expected = [
        board
        for number, board in enumerate(boards)
        if board in shown or boards[number + 1] not in SLIDE.near(boards[number - 1])
    ]
    path = gif(tmp_path / "a.gif", [table.frame(one) for one in shown], [70] * 40)
    events = watched(path)
    assert positions(events) == expected
    inferred = [one.board for one in events if one.is_inferred]
    assert inferred == [board for board in boards[1::3] if board in expected]


@pytest.mark.slow
def test_a_board_without_a_way_is_followed_and_said_once(tmp_path: Path) -> None:
    table, start = table_of(), uniform(GOAL, seed=2)
    odd = start.exchanged(*[cell for cell in range(9) if start.cells[cell]][:2])
    boards = wandering(odd, 6, seed=4)
    path = gif(tmp_path / "a.gif", [table.frame(one) for one in boards], [300] * 7)
    refused: list[object] = []
    watcher = Watcher(Tracker(Recording(path), on_refused=refused.append))
    begun, *events = watcher.events()
    assert begun.kind is EventKind.READING
    assert positions(events) == boards
    assert all(one.plan is None for one in events)
    assert len(refused) == 1
    result = run("watch", "--frames", str(path))
    assert result.exit_code == 0
    assert "Next:" not in result.stdout


@pytest.mark.slow
def test_a_goal_of_its_own_is_reached_where_it_is_known(tmp_path: Path) -> None:
    table, own = table_of(), GOAL.exchanged(6, 7)
    boards = wandering(own, 6, seed=4)[::-1]
    path = gif(tmp_path / "a.gif", [table.frame(one) for one in boards], [300] * 7)
    goal = tmp_path / "goal.txt"
    goal.write_text(str(own))
    result = run("watch", "--frames", str(path), "--goal", str(goal), "--json")
    assert result.exit_code == 0
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert events[-1]["event"] == "solved"
    assert events[-1]["moves_left"] == 0
    assert [one["moves_left"] for one in events] == [None, *range(6, -1, -1)]


@pytest.mark.slow
def test_what_was_shown_before_it_was_sure_is_told(tmp_path: Path) -> None:
    """A reader that is only sure of the last frame: the others are looked back at."""
    table = table_of()
    boards = wandering(uniform(GOAL, seed=8), 5, seed=2)
    frames = [table.frame(board) for board in boards for _ in range(3)]
    # Something lies over half of the board, but over other tiles each time.
    for number, frame in enumerate(frames[:-3]):
        left, top = table.corner(3 * (number // 6 % 3))
        frame[top : top + table.side, left : left + table.side] = (90, 140, 60)
    found = watched(gif(tmp_path / "a.gif", frames, [100] * len(frames)))
    assert positions(found) == boards
    times = [one.at for one in found if one.is_position]
    assert times == sorted(times)


def test_of_the_past_the_last_is_kept_as_far_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    frames = [rng.integers(0, 255, (40, 60, 3), np.uint8) for _ in range(6)]
    room = dataclasses.replace(tracking.TUNING, past_bytes=4 * frames[0].nbytes)
    monkeypatch.setattr(tracking, "TUNING", room)
    past = tracking.Past()
    for number, frame in enumerate(frames):
        past.add(float(number), frame)
        past.add(number + 0.5, frame)
    kept = list(past.backwards())
    assert [at for at, _ in kept] == [5.0, 4.0, 3.0]
    assert all(np.array_equal(one, frames[int(at)]) for at, one in kept)
    assert list(past.backwards()) == []


def coloured(table: Table, board: Board) -> Image:
    """A game in which tiles at home have another ground."""
    frame = table.frame(board)
    for cell, label in enumerate(board.cells):
        if label == cell + 1:
            left, top = table.corner(cell)
            tile = frame[top : top + table.side, left : left + table.side]
            dark = tile.max(axis=2, keepdims=True) < 120
            tile[:] = np.where(dark, (250, 250, 250), (70, 150, 60)).astype(np.uint8)
    return frame


def test_a_tile_at_home_in_another_colour_is_known_and_learned() -> None:
    table = make_table("plates", Shape(4, 4), photo())
    goal = home_cells(Shape(4, 4), blank=15)
    boards = wandering(uniform(goal, seed=3), 60, seed=6)
    first = coloured(table, boards[0])
    follower = Follower(table.reading(boards[0], goal, first), first)
    said = []
    for number, board in enumerate(boards):
        seen = follower.look(coloured(table, board), number / 5)
        if seen.is_position:
            assert seen.board == board
            said.append(board)
    assert len(said) >= len(boards) - 2


@pytest.mark.parametrize("is_covered", [False, True])
def test_a_tile_that_was_half_drawn_when_it_was_read_is_learned(
    is_covered: bool,
) -> None:
    """Where all others are known, and it stays; what lies over it is not learned."""
    table = table_of(Shape(4, 4))
    goal = home_cells(Shape(4, 4), blank=15)
    board = uniform(goal, seed=3)
    cell = next(at for at in range(16) if at not in (board.blank, *board.movable()))
    shown = table.frame(board)
    left, top = table.corner(cell)
    place = np.s_[top : top + table.side, left : left + table.side]
    first = shown.copy()
    first[place] = cv2.addWeighted(first[place], 0.5, np.roll(first[place], 7), 0.5, 0)
    if is_covered:
        shown[place] = (90, 140, 60)
    follower = Follower(table.reading(board, goal, first), first)
    assert follower.look(shown, 0.0).cells == (cell,)
    for now in (0.2, 0.4):
        seen = follower.look(shown, now)
        assert (seen.kind, seen.board) == (SeenKind.POSITION, board)
    assert (cell in seen.cells) is is_covered
    known = follower.tiles_in(shown).get(cell, frozenset())
    assert (known == {board.cells[cell]}) is not is_covered


def test_what_two_tiles_could_be_is_the_one_that_lies_nowhere_else() -> None:
    """The board has jumped, and through the 11 shines a 12, which lies elsewhere."""
    table = dataclasses.replace(table_of(Shape(4, 4)), scale=0.97)
    goal = home_cells(Shape(4, 4), blank=15)
    start = uniform(goal, seed=3)
    shown, region = table.frame(start), table.region
    follower = Follower(
        Reading(
            *(start, goal, region, "digits", 1.0, True),
            gap_px=3,
            tiles=cut_cells(shown, region, start.shape, 3).tiles,
        ),
        shown,
    )
    assert follower.look(shown, 0.0).is_position
    after = wandering(start, 2, seed=1)[-1]
    assert after not in SLIDE.near(start)
    frame, cell = table.frame(after), after.cells.index(11)
    other = table.frame(after.exchanged(cell, after.cells.index(12)))
    left, top = (round(at * table.scale) for at in table.corner(cell))
    place = np.s_[top : top + 58, left : left + 58]
    frame[place] = cv2.addWeighted(frame[place], 0.7, other[place], 0.3, 0)
    assert follower.tiles_in(frame)[cell] == {11, 12}
    assert follower.look(frame, 0.1).board == after


@pytest.mark.parametrize("share", [0.35, 0.65])
def test_a_position_is_passed_where_the_next_tile_is_on_its_way(share: float) -> None:
    player, first, reading = new_game("photograph", Shape(4, 4), photo(), 3)
    assert isinstance(player, Player)
    follower = Follower(reading, first.image)
    follower.look(first.image, 0.0)
    boards = wandering(first.board, 12, seed=5)
    passed = []
    for number, (board, after) in enumerate(itertools.pairwise(boards)):
        frame = player.table.frame(board, sliding=(after.blank,), share=share)
        seen = follower.look(frame, (number + 1) / 15)
        assert seen.kind is SeenKind.MOVING
        if seen.is_passed:
            assert seen.board == board
            passed.append(board)
    assert len(passed) >= 0.8 * (len(boards) - 2)


def test_a_part_of_a_numbered_board_with_wide_gaps_is_not_read_for_certain() -> None:
    """Small tiles far apart: any few of them make a lattice of their own."""
    board = uniform(home_cells(Shape(4, 4), blank=15), seed=7)
    page = np.zeros((253, 320, 3), np.uint8)
    for cell, label in enumerate(board.cells):
        if label:
            row, col = divmod(cell, 4)
            left, top = 8 + 54 * col, 6 + 42 * row
            page[top : top + 22, left : left + 38] = 255
            place = left + (13 if label < 10 else 6), top + 17
            cv2.putText(page, str(label), place, 0, 0.55, (0, 0, 0), 1, cv2.LINE_AA)
    reading = read_image(page)
    assert reading.shape == board.shape
    assert not reading.certain or reading.board == board
    half = page.copy()
    half[132:, 100:] = 0
    assert not read_image(half).certain


@pytest.mark.slow
def test_a_review_is_right_move_by_move(tmp_path: Path) -> None:
    table = table_of()
    start = uniform(GOAL, seed=1)
    boards = wandering(start, 9, 1)
    frames = [table.frame(board) for board in boards]
    path = gif(tmp_path / "game.gif", frames, [200 * (n + 1) for n in range(10)])
    words = ("--json", "--output", str(tmp_path / "out.txt"))
    drawn = tmp_path / "goal.png"
    result = run("review", str(path), *words, "--assembled", str(drawn))
    assert result.exit_code == 0
    assert load_image(drawn).shape[0] > 90
    (part,) = json.loads(result.stdout)["parts"]
    assert part["start"] == start.rows()
    assert [tuple(one["from"]) for one in part["moves"]] == [
        start.shape.row_col(board.blank) for board in boards[1:]
    ]
    begins = np.cumsum([0.2 * (n + 1) for n in range(10)])
    assert [one["at"] for one in part["moves"]] == pytest.approx(list(begins[:-1]))
    # Another way to the same numbers: the distances of all positions.
    far = naive.distances(3, 3, GOAL.cells)
    left = [far[board.cells] for board in boards]
    assert [one["moves_left"] for one in part["moves"]] == left[1:]
    away = [one["step"] for one in part["moves"] if one["away"]]
    assert away == [n for n in range(1, 10) if left[n] > left[n - 1]]
    written = (tmp_path / "out.txt").read_text()
    assert f"The fewest possible from there: {left[0]} moves." in written
    assert all(f"{n}. Move" in written or f"{n}. move" in written for n in range(1, 10))


def test_a_replay_link_holds_the_moves() -> None:
    start = Board.parse("1 2 3 / 4 0 5 / 7 8 6")
    boards = [start, start.slide(5), start.slide(5).slide(8)]
    frame = table_of().frame(start)
    reading = table_of().reading(start, GOAL, frame)
    game = Game(reading, boards, [0.5, 1.0, 1.5])
    packed = base64.b64decode(unquote(game.replay.partition("=")[2]))
    letters, rate, shown, times = json.loads(zlib.decompress(packed))
    assert (letters, rate, times) == ("LU", 4000, [0, 500])
    assert shown == "1 2 3/4 0 5/7 8 6"
    game.judge()
    assert (game.left, game.lost, game.is_proven) == ([2, 1, 0], [], True)
    assert game.worst is None
    game.left = [4, 3, 4, 5, 4, 3, 2, 3, 2]
    assert game.worst == (2, 3, 2)


def test_parts_that_no_move_joins_and_spans_that_could_not_be_seen() -> None:
    table, start = table_of(), uniform(GOAL, seed=1)
    after, other = start.slide(start.movable()[0]), uniform(GOAL, seed=9)
    reading = table.reading(start, GOAL, table.frame(start))

    def games(*seen: tuple[EventKind, Board, float]) -> list[Game]:
        return games_of(
            Event(kind, reading, board, None, reading.region, 0.0, at)
            for kind, board, at in seen
        )

    found = games(
        (EventKind.POSITION, start, 0.0),
        (EventKind.POSITION, after, 1.0),
        (EventKind.POSITION, other, 2.0),
    )
    assert [game.boards for game in found] == [[start, after], [other]]
    assert [game.unknown_since for game in found] == [None, None]
    found = games(
        (EventKind.DOUBTFUL, start, 0.5),
        (EventKind.READ, start, 1.0),
        (EventKind.COVERED, start, 2.0),
        (EventKind.FOUND, start, 3.0),
        (EventKind.LOST, start, 4.0),
        (EventKind.COVERED, start, 5.0),
        (EventKind.POSITION, other, 6.0),
    )
    spans = [(game.unknown_since, game.times[0]) for game in found]
    assert spans == [(0.5, 1.0), (4.0, 6.0)]
