"""Plots of studies, as PNG or SVG; matplotlib comes with the extra ``study``."""

from __future__ import annotations

import importlib
import io
from collections.abc import Sequence
from typing import Any

from imgpuzzle.errors import MissingDependencyError
from imgpuzzle.fleet.studies import Point

SIZE_INCHES = (8.0, 4.8)
_LINE, _REFERENCE = "#1f5fbf", "#c2571a"


def plot_points(points: Sequence[Point], title: str) -> dict[str, bytes]:
    """Means with their intervals against the walk of the blank.

    Returns:
        The content of a picture by its format, ``"png"`` and ``"svg"``.
    """
    figure, axes = _figure(title)
    axes.set_ylabel("moves, shortest")
    axes.set_xlabel("random walks of the blank")
    shown = [point for point in points if point.kind == "walks"]
    places = [point.walks for point in shown]
    middle = [point.mean for point in shown]
    axes.plot(places, middle, color=_LINE, linewidth=1.5)
    axes.errorbar(
        *(places, middle, [point.high - point.mean for point in shown]),
        fmt="o",
        color=_LINE,
        capsize=3,
        markersize=4,
        label=f"mean of {shown[0].count:,} boards with 95 % interval",
    )
    for point in points:
        if point.kind == "uniform":
            axes.axhspan(point.low, point.high, color=_REFERENCE, alpha=0.25)
            axes.axhline(
                point.mean, color=_REFERENCE, linestyle="--", label="uniform boards"
            )
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
