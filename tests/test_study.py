"""``imgpuzzle study``: figures with intervals that hold, the same from any workers."""

from __future__ import annotations

import csv
import statistics
from pathlib import Path

import pytest
from cli_support import run
from click.testing import Result

from imgpuzzle.core.board import Shape
from imgpuzzle.errors import UsageError
from imgpuzzle.fleet import studies
from imgpuzzle.fleet.studies import PART, measured, parts_of
from imgpuzzle.fleet.workers import ProcessFleet
from imgpuzzle.messages import Message
from imgpuzzle.solver.complete import depths


def study(*arguments: str) -> Result:
    return run("study", *arguments)


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def test_means_hold_what_is_known_of_every_position() -> None:
    for shape in (Shape(2, 3), Shape(3, 3)):
        with ProcessFleet(1) as fleet:
            (point,) = measured([*parts_of(shape, [("uniform", 0)], 2000, 1)], fleet)
        layers = list(depths(shape, shape.size - 1))
        total = sum(count for _, count in layers)
        mean = sum(far * count for far, count in layers) / total
        # Four standard errors: one seed in 16,000 would fail.
        assert point.mean == pytest.approx(mean, abs=2 * (point.high - point.low))
        assert point.low < point.mean < point.high
        assert point.count == 2000


def test_a_point_is_the_mean_of_its_boards() -> None:
    (part,) = parts_of(Shape(3, 3), [("walks", 12)], PART, seed=3)
    key, count, total, squares = studies.measure(part)
    assert (key, count) == (part.key, PART)
    with ProcessFleet(1) as fleet:
        (point,) = measured([part], fleet)
    mean = total / PART
    deviation = ((squares - PART * mean * mean) / (PART - 1)) ** 0.5
    assert point.mean == mean
    assert point.deviation == pytest.approx(deviation)
    half = statistics.NormalDist().inv_cdf(0.975) * deviation / PART**0.5
    assert (point.low, point.high) == pytest.approx((mean - half, mean + half))


def test_short_walks_are_as_short_as_they_can_be() -> None:
    points = [("walks", far) for far in (0, 1, 5)]
    with ProcessFleet(1) as fleet:
        found = measured(list(parts_of(Shape(3, 3), points, 100, seed=1)), fleet)
    assert found[0].mean == found[0].deviation == 0
    assert 0 < found[1].mean < found[2].mean


@pytest.mark.xdist_group("fleet")
def test_any_number_of_workers_gives_the_same() -> None:
    parts = list(parts_of(Shape(2, 3), [("walks", 9), ("uniform", 0)], 220, seed=2))
    with ProcessFleet(1) as one, ProcessFleet(2) as two:
        assert measured(parts, one) == measured(parts, two)
    assert [part.count for part in parts] == 2 * [50, 50, 50, 50, 20]


def test_what_was_interrupted_goes_on(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    parts = list(parts_of(Shape(2, 3), [("uniform", 0)], 400, seed=5))
    with ProcessFleet(1) as fleet:
        whole = measured(parts, fleet, kept)
        lines = kept.read_text()
        assert len(lines.splitlines()) == 1 + len(parts)
        counted: list[float] = []

        def tell(what: Message, share: float) -> None:
            counted.append(share * len(parts))

        for end in (len(lines), len(lines) - 3, 40, 5, 0):
            kept.write_text(lines[:end])
            assert measured(parts, fleet, kept, tell) == whole
            assert kept.read_text() == lines
        assert counted[:2] == [8, 1]
        with pytest.raises(UsageError, match="--seed '6' where it had '5'"):
            measured(list(parts_of(Shape(2, 3), [("uniform", 0)], 9, 6)), fleet, kept)
        kept.write_text("what?\n")
        with pytest.raises(UsageError, match="expected results of an earlier run"):
            measured(parts, fleet, kept)


def test_depth_writes_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = study("depth", "--grid", "2x3", "-o", str(tmp_path))
    assert shown.stdout == "2x3: 360 positions, 12.6222 moves in the mean, 21 at most\n"
    rows = table(tmp_path / "depth.csv")
    assert sum(int(row["positions"]) for row in rows) == 360
    assert [path.name for path in tmp_path.iterdir()] == ["depth.csv"]
    assert study("depth", "--grid", "2x3", "--metric", "slide", "-o", str(tmp_path))
    assert "slides" in table(tmp_path / "depth.csv")[0]
    monkeypatch.chdir(tmp_path)
    shown = study("depth", "--grid", "2x2", "-o", "-")
    assert shown.exit_code == 2
    assert "expected a folder as --output, found '-'" in shown.stderr


@pytest.mark.slow
def test_studies_of_boards_write_figures(tmp_path: Path) -> None:
    common = ("--boards", "60", "--workers", "1", "-o", str(tmp_path))
    shown = study("walks", "--grid", "3x3", "--walks", "3", "--walks", "40", *common)
    assert shown.exit_code == 0, shown.stderr
    rows = table(tmp_path / "walks.csv")
    assert [row["walks"] for row in rows] == ["3", "40", "0"]
    assert all(
        float(row["low"]) <= float(row["mean"]) <= float(row["high"]) for row in rows
    )
    assert len(shown.stdout.splitlines()) == 3
