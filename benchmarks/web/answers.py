"""The same tasks on this machine and in Pyodide: what is found, and the CPU it took.

``asked`` is JSON: the tasks in their order, and the folder where tables are kept. This
file is run as it is in both places (``wasm.py``); pictures come as ``.npy``, because a
page has them from the browser, and Pillow is not there.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

asked: str = globals().get("asked") or sys.stdin.read()
ROOT = "/host" if sys.platform == "emscripten" else ""


def cpu() -> float:
    """Seconds of the process so far; Emscripten's clock would be the wall's."""
    if sys.platform != "emscripten":
        return time.process_time()
    import js  # type: ignore[import-not-found]

    used = js.process.cpuUsage()
    return float(used.user + used.system) / 1e6


def answered(task: dict[str, Any]) -> Any:
    """What one task gives: a solution's facts, or a reading's."""
    if "board" in task:
        from imgpuzzle.core.solution import Limits
        from imgpuzzle.solver.search import solve

        limits = Limits(seconds=task.get("seconds"), nodes=task.get("nodes"))
        try:
            found = solve(task["board"], task.get("goal"), limits=limits)
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}
        at = dict.fromkeys(("move_count", "lower_bound", "nodes"))
        return {name: getattr(found, name) for name in at} | {
            "moves": [step.origin for step in found.steps()]
        }
    import numpy as np

    from imgpuzzle.pipeline import read_image

    screen, reference = (
        None if task.get(name) is None else np.load(ROOT + task[name])
        for name in ("screenshot", "reference")
    )
    try:
        return read_image(screen, reference=reference).to_dict()
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main(what: dict[str, Any]) -> str:
    """All answers, with the CPU that each took, as JSON."""
    os.environ["IMGPUZZLE_CACHE_DIR"] = ROOT + what["cache"]
    started = cpu()
    done = []
    for task in what["tasks"]:
        before = cpu()
        found = answered(task)
        done.append({"found": found, "cpu": round(cpu() - before, 3)})
    return json.dumps({"started": round(started, 3), "done": done})


answer = main(json.loads(asked))
if sys.platform != "emscripten":
    print(answer)
