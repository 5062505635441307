"""Is the confidence what it claims? Fit it on one split, look at it on the other.

    python -m benchmarks reading --split tune ... --json tune.json
    python -m benchmarks reading --split test ... --json test.json
    python -m benchmarks calibration tune.json --check test.json

Prints offset and slope of a logistic curve over the lead in nats for each way of
reading (J. Platt, 1999), what a further doubt leaves of it, and a table of
confidences against the share of right readings.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from pathlib import Path

import numpy as np

MOST_NATS = 32.0
PRIOR = 2.0
"""So many readings, half of them right at no lead, temper every fit."""

ROUNDS = 60
BINS = (0.0, 0.3, 0.6, 0.8, 0.9, 0.97, 0.995, 1.001)


def readings(path: str) -> list[dict]:
    """The records of a file that are readings at all."""
    kinds = json.loads(Path(path).read_text())
    return [one for records in kinds.values() for one in records if "right" in one]


def fit(nats: np.ndarray, right: np.ndarray) -> tuple[float, float]:
    """Offset and slope of the logarithmic odds."""
    # A weak pull towards even odds at no lead, and half a nat a nat.
    pull, usual = np.array([PRIOR, PRIOR]), np.array([0.0, 0.5])
    offset, slope = fitted(np.minimum(nats, MOST_NATS)[:, None], right, pull, usual)
    return float(offset), float(slope)


def fitted(
    signs: np.ndarray, truth: np.ndarray, pull: np.ndarray, usual: np.ndarray
) -> np.ndarray:
    """The weights of a logistic curve, each pulled to its usual; the constant first."""
    table = np.column_stack([np.ones(len(signs)), signs])
    weights = usual
    for _ in range(ROUNDS):
        share = 1.0 / (1.0 + np.exp(-np.clip(table @ weights, -30, 30)))
        slope = table.T @ (truth - share) - pull * (weights - usual)
        bend = (table.T * (share * (1 - share) + 1e-6)) @ table + np.diag(pull)
        step = np.linalg.solve(bend, slope)
        weights = weights + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tune")
    parser.add_argument("--check", help="records of the other split")
    arguments = parser.parse_args()
    tune = readings(arguments.tune)
    for method in sorted({record["method"] for record in tune}):
        plain = [r for r in tune if r["method"] == method and not r["trouble"]]
        nats = np.array([r["nats"] for r in plain])
        right = np.array([float(r["right"]) for r in plain])
        offset, slope = fit(nats, right)
        troubled = [r for r in tune if r["method"] == method and r["trouble"]]
        share = np.mean([r["right"] for r in troubled]) if troubled else math.nan
        print(
            f"{method}: offset {offset:.2f}, slope {slope:.2f} from {len(plain)}; "
            f"with further doubts {share:.0%} right of {len(troubled)}"
        )
    for title, path in (("tune", arguments.tune), ("check", arguments.check)):
        if path is None:
            continue
        records = readings(path)
        print(f"{title}: confidence | readings | mean confidence | right")
        for low, high in itertools.pairwise(BINS):
            inside = [r for r in records if low <= r["confidence"] < high]
            if inside:
                mean = np.mean([r["confidence"] for r in inside])
                share = np.mean([r["right"] for r in inside])
                print(
                    f"  {low:.3f} to {min(high, 1):.3f} | {len(inside)} | {mean:.3f} "
                    f"| {share:.3f}"
                )
