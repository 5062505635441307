"""Plots of studies, as PNG or SVG; matplotlib comes with the extra ``study``."""

from __future__ import annotations

import importlib
import io
from collections.abc import Sequence
from typing import Any

from imgpuzzle.errors import MissingDependencyError
from imgpuzzle.fleet.studies import Point

__all__ = ["plot_depths", "plot_left", "plot_points"]

SIZE_INCHES = (8.0, 4.8)
_LINE, _REFERENCE = "#1f5fbf", "#c2571a"


def plot_points(points: Sequence[Point], title: str) -> dict[str, bytes]:
    """Means with their intervals: against the walk of the blank, or by shape.

    Returns:
        The content of a picture by its format, ``"png"`` and ``"svg"``.
    """
    figure, axes = _figure(title)
    shares = points[0].kind == "solvable"
    axes.set_ylabel("share that can be solved" if shares else "moves, shortest")
    walks = [point for point in points if point.kind == "walks"]
    shown = walks or points
    middle = [point.mean for point in shown]
    bars = [
        [point.mean - point.low for point in shown],
        [point.high - point.mean for point in shown],
    ]
    if walks:
        axes.set_xlabel("random walks of the blank")
        places: list[float] = [point.walks for point in shown]
        axes.plot(places, middle, color=_LINE, linewidth=1.5)
    else:
        places = list(range(len(shown)))
        axes.set_xticks(places, [point.shape for point in shown])
        axes.set_xlim(-0.5, len(shown) - 0.5)
    axes.errorbar(
        *(places, middle, bars),
        fmt="o",
        color=_LINE,
        capsize=3,
        markersize=4,
        label=f"mean of {shown[0].count:,} boards with 95 % interval",
    )
    if walks:
        for point in points:
            if point.kind == "uniform":
                axes.axhspan(point.low, point.high, color=_REFERENCE, alpha=0.25)
                axes.axhline(
                    point.mean, color=_REFERENCE, linestyle="--", label="uniform boards"
                )
    if shares:
        axes.axhline(0.5, color=_REFERENCE, linestyle="--", label="one half")
    axes.legend(frameon=False, loc="best")
    return _drawn(figure)


def plot_depths(
    layers: Sequence[tuple[int, int]], title: str, unit: str
) -> dict[str, bytes]:
    """How many positions are how far from the goal; see ``plot_points``."""
    figure, axes = _figure(title)
    axes.bar([far for far, _ in layers], [count for _, count in layers], color=_LINE)
    axes.set_xlabel(f"{unit}, fewest")
    axes.set_ylabel("positions")
    return _drawn(figure)


def plot_left(
    times: Sequence[float],
    left: Sequence[int],
    lost: Sequence[int],
    words: tuple[str, str, str],
) -> dict[str, bytes]:
    """The moves left while a game was played; see ``plot_points``.

    Args:
        times: Seconds at which each position was reached.
        left: The moves left from each.
        lost: The numbers of the moves that led away from the goal.
        words: What the axes show, up and across, and what is marked.
    """
    figure, axes = _figure("")
    axes.set_ylabel(words[0])
    axes.set_xlabel(words[1])
    axes.step(times, left, where="post", color=_LINE, linewidth=1.5)
    if lost:
        marked = [times[number] for number in lost], [left[number] for number in lost]
        axes.plot(*marked, "o", color=_REFERENCE, markersize=4, label=words[2])
        axes.legend(frameon=False, loc="best")
    # Room above the highest, whose mark would be cut off.
    axes.set_ylim(0, max(1.0, 1.06 * max(left)))
    return _drawn(figure)


def _figure(title: str) -> tuple[Any, Any]:
    try:
        library: Any = importlib.import_module("matplotlib.figure")
    except ImportError:
        raise MissingDependencyError.said(
            "expected matplotlib for plots, found none; run pip install "
            '"imgpuzzle[study]"'
        ) from None
    figure = library.Figure(figsize=SIZE_INCHES, layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    axes.grid(axis="y", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _drawn(figure: Any) -> dict[str, bytes]:
    found = {}
    for kind in ("png", "svg"):
        file = io.BytesIO()
        figure.savefig(file, format=kind, dpi=150)
        found[kind] = file.getvalue()
    return found
