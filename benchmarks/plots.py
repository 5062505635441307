"""A page of plots of what the other commands have kept with ``--json``.

    python -m benchmarks solving --suite korf24 large --json solving.json
    python -m benchmarks outcomes freeze outcomes.json --samples
    python -m benchmarks plots solving.json outcomes.json --to plots.svg

Any number of files of ``solving``, ``outcomes``, ``reading``, ``playing``, ``browser``
and ``screensaver``: what a file holds is seen by what is in it. The first plots show
how solutions become shorter with time, the last what became of screenshots. Needs
matplotlib (``pip install -e ".[study]"``).
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks.vision.verdict import VERDICTS

COLOURS = dict(
    zip(VERDICTS, ("#1b7837", "#a6dba0", "#fdb863", "#bdbdbd", "#b2182b"), strict=True)
)
"""Told apart by those who do not see red and green, too: light and dark differ."""

BAR_INCHES = 0.28
Curve = tuple[list[float], list[float]]

PUBLISHED = {"DeepCubeA's 6x6 boards": 45.0, "DeepCubeA's 7x7 boards": 144.0}
"""Seconds a board that DeepCubeA took on a GPU for the lengths we are compared with."""


def curves(
    suites: dict[str, list[dict[str, Any]]], to: Callable[[dict[str, Any]], int | None]
) -> dict[str, Curve]:
    """For each row of boards that were solved within a time: seconds, and lengths.

    Lengths are multiples of what ``to`` gives for a record, in the mean of all boards
    that have it and a solution; a curve begins when all of them have one.
    """
    found = {}
    for row in (row for rows in suites.values() for row in rows):
        boards = [
            (one, unit)
            for one in row["records"]
            if one["improved"] and one["length"] and (unit := to(one))
        ]
        if row["is_exact"] or not boards:
            continue
        improved = [one["improved"] for one, _ in boards]
        moments = sorted({max(s, 1e-3) for steps in improved for s, _ in steps})
        first = max(max(steps[0][0], 1e-3) for steps in improved)
        seconds = [moment for moment in moments if moment >= first]
        lengths = [
            statistics.mean(_length_at(one, moment) / unit for one, unit in boards)
            for moment in seconds
        ]
        # What was last said holds until the time was over.
        end = max(one["clock_seconds"] for one, _ in boards)
        clock = "CPU s" if row["clock"] == "CPU" else "s"
        name = f"{row['name']}, {row['seconds']:g} {clock} ({len(boards)})"
        found[name] = [*seconds, max(end, seconds[-1])], [*lengths, lengths[-1]]
    return found


def _length_at(board: dict[str, Any], moment: float) -> int:
    return [length for s, length in board["improved"] if max(s, 1e-3) <= moment][-1]


def known(board: dict[str, Any]) -> int | None:
    """The length of its shortest solution, or of the one that was published."""
    return board["truth"] or board["published"]


def steps_home(board: dict[str, Any]) -> int | None:
    """The Manhattan distance of a board of which no length is known."""
    return board["manhattan"] if known(board) is None else None


def verdicts(kept: dict[str, Any]) -> dict[str, Counter[str]]:
    """How many of each verdict, for each kind of screenshot and way of reading it."""
    counts: dict[str, Counter[str]] = {}
    for name, what in kept.items():
        if isinstance(what, dict):
            group = f"{name.split('/')[0]}, {name.rsplit(' ', 1)[-1]}"
            if " solved " in name:
                group = group.replace(",", " solved,")
            records: Iterable[dict[str, Any]] = [what]
        else:
            group, records = name, what
        for record in records:
            if record["verdict"] in VERDICTS:
                counts.setdefault(group, Counter())[record["verdict"]] += 1
    return counts


def draw(files: Iterable[Path], to: Path) -> None:
    """Write the page; the suffix says as what (SVG, PNG or PDF)."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    compared: dict[str, Curve] = {}
    others: dict[str, Curve] = {}
    bars: dict[str, Counter[str]] = {}
    for path in files:
        kept = json.loads(path.read_text("utf-8"))
        if "suites" in kept:
            compared |= curves(kept["suites"], known)
            others |= curves(kept["suites"], steps_home)
        else:
            bars |= {
                group if group not in bars else f"{group} ({path.stem})": counts
                for group, counts in verdicts(kept).items()
            }
    if not compared and not others and not bars:
        raise SystemExit("error: expected results of --json, found none to plot")
    heights = [
        4.5 if lines is compared else 3.0 for lines in (compared, others) if lines
    ]
    heights += [1.2 + BAR_INCHES * len(bars)] if bars else []
    page, axes = plt.subplots(
        len(heights),
        figsize=(9, sum(heights)),
        height_ratios=heights,
        layout="constrained",
        squeeze=False,
    )
    rest = list(axes[:, 0])
    if compared:
        title = "Solutions become shorter with time (boards)"
        _draw_curves(rest.pop(0), compared, title, "length / shortest or published")
    if others:
        title = "Where no length is known"
        _draw_curves(rest.pop(0), others, title, "length / Manhattan distance")
    if bars:
        _draw_bars(rest.pop(0), bars)
    page.savefig(to, dpi=120)


def _draw_curves(axis: Any, lines: dict[str, Curve], title: str, ratio: str) -> None:
    for name, (seconds, lengths) in lines.items():
        (line,) = axis.step(seconds, lengths, where="post", label=name)
        row = name.split(",")[0]
        if row in PUBLISHED:
            label = f"{row}: itself, {PUBLISHED[row]:g} s on a GPU"
            axis.plot(PUBLISHED[row], 1.0, "D", color=line.get_color(), label=label)
    axis.set_xscale("log")
    axis.xaxis.set_major_formatter("{x:g}")
    axis.set_xlabel("seconds a board, of wall time or of CPU as named")
    axis.set_ylabel(ratio)
    axis.set_title(title, loc="left")
    axis.grid(alpha=0.3)
    axis.legend(fontsize="small", frameon=False)


def _draw_bars(axis: Any, bars: dict[str, Counter[str]]) -> None:
    names = [f"{group} ({counts.total()})" for group, counts in bars.items()]
    lefts = [0.0] * len(bars)
    for word in VERDICTS:
        shares = [100 * counts[word] / counts.total() for counts in bars.values()]
        drawn = axis.barh(names, shares, left=lefts, color=COLOURS[word], label=word)
        numbers = [counts[word] or "" for counts in bars.values()]
        ink = "white" if word in ("right", "SILENTLY WRONG") else "black"
        axis.bar_label(drawn, numbers, label_type="center", color=ink, fontsize="small")
        lefts = [left + share for left, share in zip(lefts, shares, strict=True)]
    axis.invert_yaxis()
    axis.set_xlim(0, 100)
    axis.margins(y=0.01)
    axis.set_xlabel("% of screenshots")
    axis.set_title("What became of screenshots", loc="left", pad=26)
    axis.legend(
        ncols=len(VERDICTS),
        loc="lower left",
        bbox_to_anchor=(0, 1),
        fontsize="small",
        frameon=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE.json")
    parser.add_argument("--to", type=Path, default=Path("plots.svg"), metavar="FILE")
    given = parser.parse_args()
    draw(given.files, given.to)
    print(given.to)


if __name__ == "__main__":
    main()
