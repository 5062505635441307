"""A game that is watched: time of each look, what is said of thousands of moves, cost.

    python -m benchmarks live --moves 2000

Games are drawn frame by frame (``scenes/played.py``): what each frame shows is known.
``wrong`` has to be 0; ``late`` are positions that rested for two frames and were not
said in either. Times are CPU of this process and thread.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.command import parser, save
from benchmarks.scenes.played import LOOKS, new_game
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.live.follower import Follower
from imgpuzzle.live.planning import Planner
from imgpuzzle.live.watch.pace import Pace
from imgpuzzle.live.watch.watching import Watcher
from imgpuzzle.messages import LiveFault, Message

PHOTO = Path(__file__).parents[2] / "sample_images/photo_coffee.jpg"
SCREENS = {"1080p": ((1920, 1080), 200), "4K": ((3840, 2160), 400)}
"""Size of the frame and side of a tile, in px."""


def main() -> int:
    """Measure, print tables, keep results."""
    options = parser(__doc__)
    options.add_argument("--moves", type=int, default=2000, help="slides in all")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    picture = load_image(PHOTO)
    results: dict[str, Any] = {"looks": {}}
    for name in SCREENS:
        results["looks"][name] = looks(name, picture)
        told = ", ".join(f"{k} {v:.2f}" for k, v in results["looks"][name].items())
        print(f"ms a look, {name}: {told}", flush=True)
    results["planning"] = planning()
    print(f"ms to plan anew: {results['planning']}", flush=True)
    results["idle"] = idle(picture)
    print(f"share of a core while nothing changes: {results['idle']:.2%}", flush=True)
    results["moves"] = followed(given.moves, given.seed, picture)
    print(f"moves: {results['moves']}", flush=True)
    save(given.json, results)
    return 1 if results["moves"]["wrong"] else 0


def looks(screen: str, picture: Image) -> dict[str, float]:
    """Milliseconds of a look, the median of several."""
    size, side = SCREENS[screen]
    tricks = frozenset({"single"})
    player, first, reading = new_game(
        "photograph", Shape(4, 4), picture, 4, side=side, size=size, tricks=tricks
    )
    follower = Follower(reading, first.image)
    follower.look(first.image)
    times: dict[str, list[float]] = {}

    def timed(kind: str, image: Image) -> None:
        began = time.thread_time()
        follower.look(image)
        times.setdefault(kind, []).append(1000 * (time.thread_time() - began))

    for frame in player.frames(10):
        timed("moved tile" if frame.at_rest else "sliding", frame.image)
        timed("unchanged", frame.image.copy())
    for _ in range(5):
        player._move_window()
        timed("moved window", player.shown().image)
    return {kind: statistics.median(values) for kind, values in times.items()}


def planning() -> dict[str, float]:
    """Milliseconds until another move is planned anew, median and worst."""
    found = {}
    for shape in (Shape(3, 3), Shape(4, 4), Shape(5, 5), Shape(8, 8)):
        goal = home_cells(shape, blank=shape.size - 1)
        times = []
        for seed in range(4):
            board = uniform(goal, seed=seed)
            planner = Planner(board, goal)
            rng = np.random.default_rng(seed)
            for _ in range(8):
                ahead = planner.plan(board).next_steps(1)[0].origin
                others = [cell for cell in board.movable() if cell != ahead]
                board = board.slide(int(rng.choice(others)))
                began = time.perf_counter()
                planner.plan(board)
                times.append(1000 * (time.perf_counter() - began))
            planner.close()
        found[f"{shape}"] = round(statistics.median(times), 1)
        found[f"{shape} worst"] = round(max(times), 1)
    return found


class _Still:
    """A source that gives the same screen, copied as a grab would, for a while."""

    origin = (0, 0)
    scale = 1.0

    def __init__(self, frame: Image, seconds: float) -> None:
        from imgpuzzle.live.sources import SourceEndError

        self._frame, self._seconds = frame, seconds
        self._end: float | None = None
        self._ended = SourceEndError(Message(LiveFault.FRAMES_END, name="the script"))
        self.began = 0.0

    def begin(self) -> None:
        self._end = time.monotonic() + self._seconds
        self.began = time.process_time()

    def grab(self) -> Image:
        if self._end is not None and time.monotonic() > self._end:
            raise self._ended
        return self._frame.copy()

    def close(self) -> None:
        pass


def idle(picture: Image, seconds: float = 15.0) -> float:
    """The share of a core that a screen takes on which nothing happens."""
    size, side = SCREENS["1080p"]
    _, first, _ = new_game("plates", Shape(4, 4), picture, 4, side=side, size=size)
    source = _Still(first.image, seconds)
    for _ in Watcher(source, pace=Pace()).events():
        time.sleep(3.0)
        source.begin()
    return (time.process_time() - source.began) / seconds


def followed(count: int, seed: int, picture: Image) -> dict[str, Any]:
    """What was said of so many slides of many games, and what memory it took."""
    total: Counter[str] = Counter()
    memory: list[float] = []
    for number, play in enumerate(_games(seed, picture)):
        total += play()
        if number == 2:
            memory.append(_megabytes())
        if total["slides"] >= count:
            break
    memory.append(_megabytes())
    return {
        **{name: total[name] for name in ("slides", "frames", "positions", "wrong")},
        "late": total["late"],
        "memory_mb": [round(one, 1) for one in memory],
    }


def _games(seed: int, picture: Image) -> Iterator[Callable[[], Counter[str]]]:
    rng = np.random.default_rng(seed)
    fair = ("cursor", "hovers", "jpeg", "moves", "covers", "animated", "single")
    shapes = (Shape(3, 3), Shape(4, 4), Shape(3, 5), Shape(5, 5), Shape(6, 4))
    while True:
        look = LOOKS[int(rng.integers(len(LOOKS)))]
        shape = shapes[int(rng.integers(len(shapes)))]
        side = int(rng.choice([40, 60, 90]))
        tricks = frozenset(trick for trick in fair if rng.random() < 0.3)
        number = int(rng.integers(1 << 30))

        def play(
            look: str = look,
            shape: Shape = shape,
            side: int = side,
            tricks: frozenset[str] = tricks,
            number: int = number,
        ) -> Counter[str]:
            player, first, reading = new_game(
                look, shape, picture, number, side=side, tricks=tricks
            )
            return _played(player, Follower(reading, first.image))

        yield play


def _played(player: Any, follower: Follower, slides: int = 40) -> Counter[str]:
    total: Counter[str] = Counter(slides=slides)
    resting: Board | None = None
    is_said = True
    for frame in player.frames(slides):
        seen = follower.look(frame.image)
        total["frames"] += 1
        if frame.at_rest and frame.board != resting:
            total["late"] += not is_said
            resting, is_said = frame.board, False
        if seen.is_position:
            total["positions"] += 1
            total["wrong"] += not frame.allows(seen.board)
            is_said = is_said or seen.board == resting
    total["late"] += not is_said
    return total


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    raise SystemExit(main())
