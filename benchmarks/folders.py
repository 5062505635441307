"""``imgpuzzle batch`` on a folder of made-up screenshots: rate, memory, and the truth.

    python -m benchmarks batch FOLDER --pictures DIR [--count 1000] [--jobs 2]

A folder that is not there is made: screenshots of games of many kinds and sizes, one
in twenty of them a broken file, and a folder of references, half of which have the
names of their screenshots. Then the command is run, and the memory of all its processes
is looked at every two seconds (Linux: proportional set size, in which a shared page
counts once).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks import command
from benchmarks.scenes import games, nogames, pages
from benchmarks.scenes.pictures import Pictures
from imgpuzzle.files.image import save_image

WITH_REFERENCE = ("clean", "degraded")
KINDS = (
    *("web", "numbers", "clean", "numbers-phone", "crop", "degraded", "over", "small"),
    *("numbers", "clean", "phone", "degraded", "web", "desk4k", "clean", "tilted"),
)
"""What people have: ordinary games most often."""

BROKEN_EVERY, NO_GAME_EVERY = 20, 25
LOOK_S = 2.0


def make(folder: Path, pictures: Pictures, count: int) -> None:
    """Write the screenshots, the references and the truth; the same in every run."""
    references = folder / "references"
    references.mkdir(parents=True)
    truth: dict[str, Any] = {}
    for number in range(count):
        place = folder / "shots" / f"level{number // 100}"
        place.mkdir(parents=True, exist_ok=True)
        name = f"shot{number:04}"
        if number % BROKEN_EVERY == 7:
            _broken(place / f"{name}.png", number)
            continue
        if number % NO_GAME_EVERY == 3:
            kinds = nogames.KINDS
            scene = nogames.make_nogame(kinds[number % len(kinds)], number, pictures)
        else:
            kind = KINDS[number % len(KINDS)]
            if kind in WITH_REFERENCE:
                scene = pages.make_scene("test", number, pictures, kind)
            else:
                scene = games.make_game(kind, 2000 + number, pictures)
        suffix = (".png", ".jpg")[number % 3 == 0]
        save_image(scene.screenshot, place / f"{name}{suffix}")
        if scene.reference is not None and number % 3:
            # Every other one has to be found by what it shows.
            called = name if number % 2 else f"picture{number * 7919 % 100_003}"
            save_image(scene.reference, references / f"{called}.jpg")
        board = None if scene.board is None else scene.board.one_line()
        key = f"level{number // 100}/{name}{suffix}"
        truth[key] = {"board": board, "doubt": scene.must_doubt}
    (folder / "truth.json").write_text(json.dumps(truth))


def _broken(path: Path, number: int) -> None:
    kind = number // BROKEN_EVERY % 5
    if kind == 0:
        path.touch()
    elif kind == 1:
        path.write_text("This is no picture.\n")
    elif kind == 2:
        os.mkfifo(path)
    elif kind == 3:
        path.symlink_to(path.name)
    else:
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)


def run(folder: Path, arguments: list[str]) -> dict[str, Any]:
    """Run the command; seconds and the memory over time, in MB."""
    program = [sys.executable, "-m", "imgpuzzle", "batch", str(folder / "shots")]
    began = time.monotonic()
    process = subprocess.Popen(program + arguments)
    memory = []
    while process.poll() is None:
        memory.append(_memory_mb(process.pid))
        time.sleep(LOOK_S)
    return {
        "status": process.returncode,
        "seconds": time.monotonic() - began,
        "memory": memory,
    }


def _memory_mb(pid: int) -> float:
    """What a process and all below it have in memory."""
    total = 0.0
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        total += sum(int(one.split()[1]) for one in text.splitlines() if "Pss:" in one)
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, IndexError, ValueError):
        return total / 1024
    return total / 1024 + sum(_memory_mb(int(child)) for child in children)


def judged(folder: Path, output: Path) -> Counter[str]:
    """How many of the report's lines say what is so."""
    truth = json.loads((folder / "truth.json").read_text())
    words: Counter[str] = Counter()
    for line in (output / "report.jsonl").read_text().splitlines():
        entry = json.loads(line)
        known = truth.get(entry["name"])
        if known is None:
            words[f"broken file: {entry['status']}"] += 1
            continue
        certain = entry["board"] is not None and not entry["doubts"]
        is_right = entry["board"] == known["board"]
        if certain:
            words["certain, right" if is_right else "certain, WRONG"] += 1
        else:
            words[entry["status"]] += 1
        if entry["reference_why"] == "fits":
            words[f"reference found by fit, {'right' if is_right else 'WRONG'}"] += 1
    return words


def main() -> None:
    parser = command.parser(__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--pictures", type=Path, action="append", default=[], metavar="DIR"
    )
    parser.add_argument("--count", type=int, default=1000, help="screenshots")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--time-limit", type=float, default=5, help="a board, in s")
    given = parser.parse_args()
    if not given.folder.exists():
        make(given.folder, Pictures(given.pictures, "test"), given.count)
    output = given.folder / "out"
    arguments = [f"--output={output}", f"--jobs={given.jobs}"]
    arguments.append(f"--time-limit={given.time_limit:g}")
    arguments.append(f"--references={given.folder / 'references'}")
    found = run(given.folder, arguments)
    memory = found["memory"]
    third = max(len(memory) // 3, 1)
    count = len((output / "report.jsonl").read_text().splitlines())
    print(
        f"{count} pictures in {found['seconds']:.0f} s, "
        f"{60 * count / found['seconds']:.1f} a minute; memory of all processes: peak "
        f"{max(memory):.0f} MB, median of the first third "
        f"{sorted(memory[:third])[third // 2]:.0f} MB, of the last third "
        f"{sorted(memory[-third:])[third // 2]:.0f} MB; status {found['status']}"
    )
    sizes = {path.name: path.stat().st_size for path in output.glob("report.*")}
    print(", ".join(f"{name} {size / 1e6:.2f} MB" for name, size in sizes.items()))
    for word, number in sorted(judged(given.folder, output).items()):
        print(f"{number:5} {word}")
    command.save(given.json, found)


if __name__ == "__main__":
    main()
