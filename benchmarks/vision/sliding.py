"""Screenshots taken while a tile slides: noticed, or stated as a position that is not.

    python -m benchmarks sliding [--split test] [--count N] [--located] [--still]

The boards of ``scenes/sliding``. ``--located`` asks only whether the slide is seen
where the board is known; otherwise the whole screenshot is read, numbers without a
reference and pictures with one. ``--still`` draws the same boards at rest: what is
noticed there is a false alarm.
"""

from __future__ import annotations

import time
from collections import Counter

from benchmarks import command
from benchmarks.scenes.sliding import STYLES, Sliding, make_scene
from imgpuzzle.errors import PuzzleError
from imgpuzzle.messages import Doubt
from imgpuzzle.vision.blank import find_sliding_tile
from imgpuzzle.vision.geometry.cutting import cut_cells
from imgpuzzle.vision.read import read_puzzle


def _is_seen(scene: Sliding) -> bool:
    """Whether the slide is seen by one who knows grid and blank."""
    blanks = (scene.board.blank,)
    if scene.cells is not None and scene.share > 0.5:
        blanks = (scene.cells[0],)
    shape = scene.board.shape
    cut = cut_cells(scene.screenshot, scene.region, shape, scene.gap_px)
    return any(
        find_sliding_tile(scene.screenshot, cut.region, shape, cut.gap_px, blank)
        is not None
        for blank in blanks
    )


def _outcome(scene: Sliding) -> str:
    try:
        found = read_puzzle(scene.screenshot, reference=scene.reference)
    except PuzzleError:
        return "refused"
    names = {scene.board.cells}
    if scene.cells is not None:
        names.add(scene.board.slide(scene.cells[0]).cells)
    if Doubt.SLIDING_TILE in found.doubt_kinds:
        return "noticed"
    if not found.certain:
        return "doubted"
    return "certain" if found.board.cells in names else "certain, other board"


def main() -> None:
    """Print what became of each kind of scene."""
    parser = command.parser(__doc__)
    command.add_scenes(parser, count=120, pictures=False)
    parser.add_argument("--located", action="store_true")
    parser.add_argument("--still", action="store_true")
    given = parser.parse_args()
    tally: dict[str, Counter[str]] = {style: Counter() for style in STYLES[given.split]}
    cpu = 0.0
    for number in range(given.first, given.first + given.count):
        scene = make_scene(given.split, number, still=given.still)
        began = time.process_time()
        if given.located:
            outcome = "noticed" if _is_seen(scene) else "overlooked"
        else:
            outcome = _outcome(scene)
        cpu += time.process_time() - began
        tally[scene.kind][outcome] += 1
        if given.verbose:
            print(scene.name, f"{scene.share:.2f}", scene.cells, outcome, flush=True)
    outcomes = sorted({outcome for counts in tally.values() for outcome in counts})
    print("style".ljust(18), *(one.rjust(12) for one in outcomes))
    for style, counts in tally.items():
        print(style.ljust(18), *(str(counts[one]).rjust(12) for one in outcomes))
    print(f"CPU s a scene: {cpu / given.count:.3f}")
    command.save(given.json, {"styles": tally, "seconds": cpu})


if __name__ == "__main__":
    main()
