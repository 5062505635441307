"""Equally spaced parallel lines: where a board's columns or rows may begin and end."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.propose.tuning import TUNING

__all__ = ["Comb", "find_combs", "pitch_class"]

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Comb:
    """``count`` lines at ``first + k * pitch`` that all cross ``low`` to ``high``."""

    first: float
    pitch: float
    count: int
    low: float
    high: float
    score: float

    @property
    def last(self) -> float:
        """The place of the last line."""
        return self.first + (self.count - 1) * self.pitch


def find_combs(sums: Doubles, *, most: int) -> list[Comb]:
    """Combs of lines in running sums of evidence (see ``Sides``), strongest first.

    At most ``most`` for each class of pitches.

    The profile of a strip across the picture shows a line wherever one runs
    through the strip. Every pair of lines is taken for neighbours, and extended
    to both sides as long as more lines follow.
    """
    length = sums.shape[1] - 1
    found: list[Comb] = []
    size = TUNING.shortest_px
    while size < 2 * length:
        size_here = min(size, length)
        step = max(size_here // 2, 1)
        begins = np.arange(0, max(length - size_here, 0) + 1, step)
        profiles = (sums[:, begins + size_here] - sums[:, begins]).T / size_here
        found += _in_profiles(profiles.astype(np.float32), begins, size_here)
        size *= 2
    found.sort(key=lambda comb: -comb.score)
    taken: dict[int, int] = {}
    seen: set[tuple[int, ...]] = set()
    kept = []
    for comb in found:
        # Text is full of narrow combs: each pitch has its own quota.
        group = pitch_class(comb.pitch)
        middle = round((comb.low + comb.high) / max(comb.last - comb.first, 20.0))
        key = (round(comb.first / 3), round(comb.last / 3), comb.count, middle)
        if key in seen or taken.get(group, 0) >= most:
            continue
        seen.add(key)
        taken[group] = taken.get(group, 0) + 1
        kept.append(comb)
    return kept


def pitch_class(pitch: float) -> int:
    """Equal for pitches that differ by less than about a quarter."""
    return round(math.log(pitch) / 0.25)


def _in_profiles(profiles: Floats, begins: Ints, size: int) -> list[Comb]:
    """Combs in profiles (strips x places)."""
    ground = cv2.blur(
        profiles, (TUNING.background_px, 1), borderType=cv2.BORDER_REFLECT
    )
    raised = np.maximum(profiles - ground, 0.0)
    wider = cv2.dilate(raised, np.ones((1, 3), np.uint8))
    peaks = np.where((raised >= wider) & (raised > TUNING.least_peak), raised, 0.0)
    order = np.argsort(-peaks, axis=1)[:, : TUNING.most_peaks]
    strips, firsts, seconds = [], [], []
    width = profiles.shape[1]
    for strip in range(len(peaks)):
        places = np.sort(order[strip][peaks[strip][order[strip]] > 0])
        if len(places) < 2:
            continue
        one, two = np.triu_indices(len(places), 1)
        far = places[two] - places[one]
        fits = (far >= TUNING.least_tile_px) & (far * 2 <= width)
        strips.append(np.full(int(fits.sum()), strip))
        firsts.append(places[one][fits])
        seconds.append(places[two][fits])
    if not strips:
        return []
    return _extended(
        raised, np.concatenate(strips), np.concatenate(firsts),
        np.concatenate(seconds), begins, size,
    )  # fmt: skip


def _extended(
    raised: Floats, strips: Ints, one: Ints, two: Ints, begins: Ints, size: int
) -> list[Comb]:
    tight = _snap_table(raised, 1), _snap_table(raised, 2)
    gain = raised[strips, one] + raised[strips, two] - 2 * TUNING.peak_price
    low, high = one.astype(np.float64), two.astype(np.float64)
    back, low_best, low_lines = _walk(raised, tight, strips, high, low)
    forth, high_best, high_lines = _walk(raised, tight, strips, low, high)
    lines = 2 + low_lines + high_lines
    score = (gain + back + forth) * np.sqrt(np.minimum(size, 200))
    good = (lines >= 3) & (score > 0)
    strips, low_best, high_best = strips[good], low_best[good], high_best[good]
    lines, score = lines[good], score[good]
    order = np.argsort(-score)
    seen: set[tuple[int, int, int, int]] = set()
    taken: dict[tuple[int, int], int] = {}
    found = []
    for index in order:
        strip = int(strips[index])
        first, last = float(low_best[index]), float(high_best[index])
        count = int(lines[index])
        pitch = (last - first) / (count - 1)
        key = (strip, round(first / 4), round(last / 4), count)
        group = (strip, pitch_class(pitch))
        if key in seen or taken.get(group, 0) >= TUNING.most_per_window:
            continue
        seen.add(key)
        taken[group] = taken.get(group, 0) + 1
        begin = float(begins[strip])
        found.append(
            Comb(first, pitch, count, begin, begin + size, float(score[index]))
        )
    return found


def _snap_table(raised: Floats, reach: int) -> Ints:
    """For each strip and place the place of the highest value within reach."""
    width = raised.shape[1]
    padded = np.pad(raised, ((0, 0), (reach, reach)), constant_values=-1.0)
    # The nearest of equals comes first.
    shifts = sorted(range(-reach, reach + 1), key=abs)
    stack = np.stack([padded[:, reach + s : reach + s + width] for s in shifts])
    best = np.array(shifts)[np.argmax(stack, axis=0)]
    return np.asarray(np.clip(np.arange(width) + best, 0, width - 1))


def _walk(
    raised: Floats, tables: tuple[Ints, Ints], strips: Ints, start: Doubles, at: Doubles
) -> tuple[Doubles, Doubles, Ints]:
    """Go on from ``start`` over ``at`` line by line.

    Returns what is gained by the best number of further lines, the place of the
    last of them, and how many they are.
    """
    width = raised.shape[1]
    origin, pitch = start, at - start
    place = at
    total = np.zeros(len(at))
    best, best_place = total.copy(), at.copy()
    best_lines = np.zeros(len(at), dtype=np.intp)
    for step in range(1, TUNING.most_comb_lines - 1):
        wanted = place + pitch
        inside = (wanted >= -1) & (wanted <= width)
        index = np.clip(np.round(wanted), 0, width - 1).astype(np.intp)
        snapped = np.where(
            np.abs(pitch) < 30, tables[0][strips, index], tables[1][strips, index]
        )
        value = raised[strips, snapped]
        seen = inside & (value > TUNING.least_peak)
        place = np.where(seen, snapped, wanted)
        pitch = np.where(seen, (place - origin) / (step + 1), pitch)
        total = total + np.where(inside, value, -1.0) - TUNING.peak_price
        better = seen & (total > best)
        best = np.where(better, total, best)
        best_place = np.where(better, place, best_place)
        best_lines = np.where(better, step, best_lines)
    return best, best_place, best_lines
