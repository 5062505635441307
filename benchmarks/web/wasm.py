"""Python in a browser against this machine's: the same answers, and how much slower.

Runs in Node, with npm's Pyodide and, for these figures alone, the NumPy and OpenCV that
another npm package carries: ``python -m benchmarks wasm --shared DIR``.
"""

from __future__ import annotations

import itertools
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import command
from benchmarks.scenes import captured
from benchmarks.solver.boards import read_boards
from imgpuzzle.files.image import REFERENCE_PX, load_image

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PYODIDE = "pyodide@0.29.3"
LIBRARIES = "@bentopdf/pymupdf-wasm@0.11.16"
"""Its wheels of NumPy and OpenCV are repacked: for tests, and in nothing that is given
away."""
_SECONDS = 3600
_ROUNDING = 0.02
"""OpenCV sums in another order there."""

Task = dict[str, Any]


def fetched(folder: Path) -> Path:
    """A folder with Pyodide and its wheels, from npm or npm's cache.

    Raises ``OSError`` or ``CalledProcessError`` where they cannot be had.
    """
    for package, pattern, name in (
        (PYODIDE, "package/", "pyodide"),
        (LIBRARIES, "package/assets/", "wheels"),
    ):
        made = folder / name
        if made.is_dir():
            continue
        # Whole or not at all: others may look for it meanwhile.
        with tempfile.TemporaryDirectory(dir=folder) as part:
            subprocess.run(
                ["npm", "pack", "--silent", "--prefer-offline", package],
                cwd=part,
                check=True,
                capture_output=True,
                timeout=_SECONDS,
            )
            (packed,) = Path(part).glob("*.tgz")
            (Path(part) / "out").mkdir()
            with tarfile.open(packed) as archive:
                for member in archive:
                    is_wanted = member.name.startswith(pattern) and (
                        name == "pyodide"
                        or Path(member.name).name.startswith(("numpy", "opencv"))
                    )
                    if member.isfile() and is_wanted:
                        member.name = Path(member.name).name
                        archive.extract(member, Path(part) / "out", filter="data")
            (Path(part) / "out").replace(made)
    return folder


def cache_folder() -> Path:
    """Where what npm brings is kept, beside what the program keeps itself."""
    kept = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    made = Path(kept) / "imgpuzzle-tests"
    made.mkdir(parents=True, exist_ok=True)
    return made


def wheel(folder: Path) -> Path:
    """The wheel for browsers, built from this checkout."""
    build = (sys.executable, "-m", "build", "--no-isolation", "--wheel")
    subprocess.run(
        [*build, "--outdir", str(folder), str(ROOT)],
        env={**os.environ, "IMGPUZZLE_WHEEL": "pyodide"},
        check=True,
        capture_output=True,
    )
    (made,) = folder.glob("*.whl")
    return made


def in_node(
    tasks: Sequence[Task], cache: Path, npm: Path, own: Path, *more: Path
) -> dict[str, Any]:
    """The answers of Pyodide, with the wheels ``more`` beside our ``own``."""
    call = ["node", HERE / "pyodide.mjs", npm / "pyodide", HERE / "answers.py"]
    return _answers([*call, own, *more], tasks, cache)


def natively(tasks: Sequence[Task], cache: Path) -> dict[str, Any]:
    """The answers of this machine, with one thread as there."""
    return _answers([sys.executable, HERE / "answers.py"], tasks, cache)


def _answers(
    call: Sequence[object], tasks: Sequence[Task], cache: Path
) -> dict[str, Any]:
    done = subprocess.run(
        [*map(str, call)],
        input=json.dumps({"tasks": tasks, "cache": str(cache)}),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=_SECONDS,
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-4000:])
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def picture(path: Path, folder: Path, *, most_px: int | None = None) -> str:
    """A picture as both read it: decoded here, as a browser does there."""
    made = folder / f"{path.parent.name}-{path.name}.npy"
    if not made.exists():
        np.save(made, load_image(path, most_px=most_px))
    return str(made)


def reading(screenshot: Path, reference: Path | None, folder: Path) -> Task:
    """The task of reading a screenshot."""
    goal = reference and picture(reference, folder, most_px=REFERENCE_PX)
    return {"screenshot": picture(screenshot, folder), "reference": goal}


def differences(one: Any, other: Any, at: str = "") -> list[str]:
    """Where two readings differ, but for the last digits of numbers."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [
            line
            for key in one
            for line in differences(one[key], other[key], f"{at}.{key}")
        ]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [line for n, pair in pairs for line in differences(*pair, f"{at}[{n}]")]
    if isinstance(one, float) and isinstance(other, float):
        is_same = abs(one - other) <= _ROUNDING * max(1.0, abs(one))
    else:
        is_same = one == other
    return [] if is_same else [f"{at}: {one} {other}"]


def pictures(
    shared: Path | None, count: int, folder: Path
) -> Iterator[tuple[str, Task]]:
    """Screenshots of games: some of each set, with their references."""
    if shared is None:
        return
    for name in ("screens", "webgames"):
        for one in itertools.islice(captured.one_set(shared / name), count):
            yield name, reading(one.screenshot, one.reference, folder)


def boards(count: int) -> Iterator[tuple[str, Task]]:
    """Boards of 4x4 to be proven, and of 5x5 and 6x6 to be shortened for 5 s."""
    for name, seconds in (
        ("korf15_100", None),
        ("korf24_50", 5.0),
        ("deepcubea35", 5.0),
    ):
        for one in read_boards(name, count):
            task = {"board": str(one.start), "goal": str(one.goal), "seconds": seconds}
            yield name, task


def main() -> None:
    """Do everything twice, and print what it took."""
    parser = command.parser(__doc__)
    parser.add_argument("--shared", type=Path, help="folder of captured screenshots")
    parser.add_argument("--count", type=int, default=20, help="of each set")
    parser.add_argument("--only", default="", help="sets with this in their names")
    arguments = parser.parse_args()
    npm = fetched(cache_folder())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        named = [
            *boards(arguments.count),
            *pictures(arguments.shared, arguments.count, folder),
        ]
        named = [one for one in named if arguments.only in one[0]]
        tasks = [task for _, task in named]
        libraries = sorted((npm / "wheels").iterdir())
        here = natively(tasks, folder / "here")
        there = in_node(tasks, folder / "there", npm, wheel(folder), *libraries)
    print(f"to start: {there['started']} CPU s in Node")
    rows: dict[str, list[tuple[Any, Any]]] = {}
    for (name, _), *both in zip(named, here["done"], there["done"], strict=True):
        rows.setdefault(name, []).append((both[0], both[1]))
    for name, pairs in rows.items():
        same = sum(not differences(a["found"], b["found"]) for a, b in pairs)
        cpu = [sum(one["cpu"] for one in side) for side in zip(*pairs, strict=True)]
        lengths = [
            sum(one["found"].get("move_count", 0) for one in side)
            for side in zip(*pairs, strict=True)
        ]
        ratio = statistics.median(b["cpu"] / max(a["cpu"], 1e-3) for a, b in pairs)
        print(
            f"{name:12} {len(pairs):3} tasks, {same:3} the same; moves "
            f"{lengths[0]} here, {lengths[1]} there; CPU {cpu[0]:.1f} s here, "
            f"{cpu[1]:.1f} s there, {ratio:.1f} times in the median"
        )
    command.save(arguments.json, {"here": here, "there": there, "tasks": tasks})
