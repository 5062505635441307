"""Solutions as cubing.js plays them: by its rules, and by itself where it is."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from benchmarks.web.wasm import cache_folder
from imgpuzzle.core.board import Shape
from imgpuzzle.core.options import SearchOptions
from imgpuzzle.puzzles.kind import KINDS, kind_of

FULL = [*KINDS][1:]
BOARDS = 100
CUBING = """
import { KPattern, KPuzzle } from "cubing/kpuzzle";
let text = "";
for await (const part of process.stdin) text += part;
for (const { definition, pattern, alg } of JSON.parse(text)) {
  const puzzle = new KPuzzle(definition);
  const solved = new KPattern(puzzle, pattern).applyAlg(alg);
  if (!solved.isIdentical(puzzle.defaultPattern())) throw new Error(definition.name);
}
"""


def solved(name: str, seed: int, walks: int | None = 3) -> dict[str, Any]:
    kind = kind_of(name)
    shape = Shape(2 + seed % 2, 2 + seed // 2 % 2)
    goal = kind.layout(shape, "row", None)
    start = kind.scrambled(goal, walks=walks, seed=seed)
    solution = kind.solve(start, goal, SearchOptions())
    found: dict[str, Any] = json.loads(json.dumps(solution.to_dict()["kpuzzle"]))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", FULL)
def test_all_moves_lead_from_the_pattern_to_the_goal(name: str) -> None:
    for seed in range(BOARDS):
        found = solved(name, seed)
        definition, tiles = found["definition"], found["pattern"]["TILES"]
        pieces, ways = tiles["pieces"], tiles["orientation"]
        turns = definition["orbits"][0]["numOrientations"]
        for move in found["alg"].split():
            how = definition["moves"][move]["TILES"]
            came = how["permutation"]
            delta = zip(came, how["orientationDelta"], strict=True)
            ways = [(ways[one] + turn) % turns for one, turn in delta]
            pieces = [pieces[one] for one in came]
        goal = definition["defaultPattern"]["TILES"]
        assert (pieces, ways) == (goal["pieces"], goal["orientation"]), seed


@pytest.mark.slow
def test_cubing_itself_plays_them_to_the_goal() -> None:
    folder = cache_folder() / "cubing"
    node = shutil.which("node")
    if node is None or not (folder / "node_modules" / "cubing").is_dir():
        pytest.skip(f"no cubing: npm install --prefix {folder} cubing")
    given = [solved(name, seed, None) for name in FULL for seed in range(20)]
    subprocess.run(
        [node, "--input-type=module", "--eval", CUBING],
        cwd=folder,
        input=json.dumps(given),
        text=True,
        check=True,
        timeout=120,
    )
