"""One contract for every format of files: they are read back by other libraries."""

from __future__ import annotations

import dataclasses
import io
import tracemalloc
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as PillowImage
from render_oracles import (
    BEGINS,
    CASE,
    CASE_GOAL,
    CASE_START,
    Animation,
    encode_animation,
    flat_tiles,
    noise_tiles,
    step_pictures,
    wandering,
)

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import InvalidImageError, MissingDependencyError, UsageError
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.guide import Guide
from imgpuzzle.messages import Economy
from imgpuzzle.outputs import Making
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.formats import FORMATS, Sort, suffixes
from imgpuzzle.render.files.frames import Frame, render_animation
from imgpuzzle.render.files.png import encode_step_png
from imgpuzzle.render.files.webp import write_webp

SAMPLES = Path(__file__).parent.parent / "sample_images"
BARE = Style(outline="never", arrow=False, brighten=100, caption="none")
STYLE = Style(slide_frames=3, frame_ms=600, slide_ms=300, pause_ms=1200)

LEVELS = {".gif": 6.0, ".webp": 4.0, ".avif": 4.0, ".apng": 0.0, ".mp4": 5.0}
"""How far a decoded frame may be from the painted one, on the average."""


@dataclasses.dataclass
class Made:
    """An animation, and the shares that were told while it was made."""

    animation: Animation
    shares: list[float]


def missing(suffix: str) -> str:
    try:
        FORMATS[suffix].check()
    except MissingDependencyError as error:
        return str(error)
    return ""


@pytest.fixture(params=suffixes(Sort.ANIMATION))
def suffix(request: pytest.FixtureRequest) -> str:
    """Each format that this machine can write and read."""
    found: str = request.param
    if why := missing(found):
        pytest.skip(why)
    return found


def decoded(data: bytes, suffix: str) -> list[tuple[Image, float]]:
    """All frames and their times in ms."""
    if suffix == ".mp4":
        return decoded_mp4(data)
    found = []
    with PillowImage.open(io.BytesIO(data)) as picture:
        for number in range(getattr(picture, "n_frames", 1)):
            picture.seek(number)
            picture.load()
            time = picture.info.get("duration", 0)
            found.append((np.asarray(picture.convert("RGB")), time))
        if len(found) > 1 and suffix in (".gif", ".webp", ".apng"):
            assert picture.info["loop"] == 0
    return found


def decoded_mp4(data: bytes) -> list[tuple[Image, float]]:
    """Frames with their times as the file's tables have them."""
    import av

    with av.open(io.BytesIO(data)) as file:
        (stream,) = file.streams.video
        frames = list(file.decode(stream))
        starts = [float(frame.pts * stream.time_base) for frame in frames]
        ends = [*starts[1:], float(stream.duration * stream.time_base)]
    times = [1000 * (end - start) for start, end in zip(starts, ends, strict=True)]
    pictures = [frame.to_ndarray(format="rgb24") for frame in frames]
    return list(zip(pictures, times, strict=True))


def shown_at(frames: list[tuple[Image, float]], ms: float) -> Image:
    """The frame that is on the screen after so many milliseconds."""
    for frame, time in frames:
        if ms < time:
            return frame
        ms -= time
    return frames[-1][0]


def off(found: Image, wanted: Image) -> float:
    """How far two pictures are apart after a little blur, which undoes dither."""
    high, wide = wanted.shape[:2]
    one, other = (
        cv2.blur(picture[:high, :wide], (7, 7)).astype(float)
        for picture in (found, wanted)
    )
    return float(np.abs(one - other).mean())


@pytest.fixture(scope="module")
def emblem() -> tuple[Solution, TileSet]:
    picture = load_image(SAMPLES / "emblem_reference.png")[::4, ::4]
    return CASE, TileSet.cut(np.ascontiguousarray(picture), CASE_START, CASE_GOAL)


@pytest.fixture(scope="module")
def encode(emblem: tuple[Solution, TileSet]) -> Callable[[str], Made]:
    """The emblem's animation in a format, made once for all who look at it."""

    @cache
    def made(suffix: str) -> Made:
        shares: list[float] = []
        animation = encode_animation(
            *emblem, suffix, style=STYLE, on_progress=shares.append
        )
        return Made(animation, shares)

    return made


def test_every_moment_is_shown_when_it_should_be(
    suffix: str, emblem: tuple[Solution, TileSet], encode: Callable[[str], Made]
) -> None:
    solution, tiles = emblem
    made = encode(suffix).animation
    assert made.notes == ()
    frames = decoded(made.data, suffix)
    style = STYLE
    if suffix == ".mp4":
        style = dataclasses.replace(STYLE, slide_frames=8)
    painted = list(render_animation(solution, tiles, style))
    # Nothing is stored twice: what stands is shown for longer.
    assert len(frames) == len(painted) == 1 + 20 * (style.slide_frames + 1) + 1
    total = sum(frame.ms for frame in painted)
    assert abs(sum(time for _, time in frames) - total) <= 20
    at = 0.0
    for frame in painted:
        found = shown_at(frames, at + frame.ms / 2)
        assert off(found, frame.picture) <= LEVELS.get(suffix, 4.0)
        at += frame.ms


def test_a_solved_board_is_one_picture(suffix: str) -> None:
    goal = row_major(Shape(2, 2))
    data = encode_animation(
        Solution(goal, goal, (), 0), flat_tiles(Shape(2, 2), 30, 30), suffix
    ).data
    frames = decoded(data, suffix)
    assert all(off(frame, frames[0][0]) < 1 for frame, _ in frames)


@pytest.mark.slow
def test_a_limit_of_bytes_is_kept_and_what_it_cost_is_told(
    suffix: str, emblem: tuple[Solution, TileSet], encode: Callable[[str], Made]
) -> None:
    # A little less for some, a lot less for others.
    share = {".gif": 0.6, ".webp": 0.25, ".avif": 0.6, ".apng": 0.25}.get(suffix, 0.4)
    solution, tiles = emblem
    full = encode(suffix).animation
    limit = int(len(full.data) * share)
    small = encode_animation(solution, tiles, suffix, style=STYLE, max_bytes=limit)
    assert len(small.data) <= limit
    assert small.notes
    frames = decoded(small.data, suffix)
    assert abs(sum(t for _, t in frames) - (2400 + 20 * 900)) <= 60
    high, wide = frames[0][0].shape[:2]
    scaled = [one for one in small.notes if one.kind == Economy.SCALED_TO]
    if scaled:
        size = str(dict(scaled[0].values)["size"])
        found = [int(side) for side in size.split("x")]
        # A video's sides are even.
        assert 0 <= wide - found[0] <= (suffix == ".mp4")
        assert 0 <= high - found[1] <= (suffix == ".mp4")
    else:
        assert decoded(full.data, suffix)[0][0].shape == (high, wide, 3)
    # As large as the limit allows is better than tiny.
    assert len(small.data) >= limit * 0.25
    # Video encoders do not give the very same bytes each time.
    spare = len(full.data) // 20
    roomy = encode_animation(
        solution, tiles, suffix, style=STYLE, max_bytes=len(full.data) + spare
    )
    assert abs(len(roomy.data) - len(full.data)) <= spare
    assert roomy.notes == ()


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_a_limit_that_cannot_be_kept_is_said(
    suffix: str, emblem: tuple[Solution, TileSet]
) -> None:
    """There is one loop for the limits of all formats."""
    with pytest.raises(UsageError, match=r"at most 900 bytes, the smallest .* takes"):
        encode_animation(*emblem, suffix, style=STYLE, max_bytes=900)


def test_wrong_requests_are_refused(emblem: tuple[Solution, TileSet]) -> None:
    solution, _ = emblem
    with pytest.raises(UsageError, match=r"found '\.mov'"):
        Guide(solution).draw("moves.mov")
    with pytest.raises(UsageError, match="max_bytes: expected a whole number from 1"):
        Guide(solution).draw("moves.gif", max_bytes=0)
    with pytest.raises(UsageError, match="size: expected a whole number from 16"):
        Guide(solution).draw("moves.gif", size=0)
    with pytest.raises(InvalidImageError, match="tiles for a 3x3"):
        encode_animation(solution, flat_tiles(Shape(2, 2), 9, 9), ".gif")


def test_without_pyav_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, emblem: tuple[Solution, TileSet]
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(MissingDependencyError, match="pip install av "):
        encode_animation(*emblem, ".mp4")


def test_the_same_solution_gives_the_same_file(
    suffix: str, emblem: tuple[Solution, TileSet], encode: Callable[[str], Made]
) -> None:
    if suffix in (".avif", ".mp4"):
        pytest.skip("the encoder's own: a time stamp, and a byte now and then")
    again = encode_animation(*emblem, suffix, style=STYLE)
    assert again.data == encode(suffix).animation.data


def test_the_share_that_is_drawn_rises(
    suffix: str, encode: Callable[[str], Made]
) -> None:
    done = encode(suffix).shares
    assert done == sorted(done)
    assert done[0] == 0.0
    assert 0.9 < done[-1] < 1.0


@pytest.mark.slow
def test_long_solutions_never_lie_in_memory_as_a_whole(suffix: str) -> None:
    if suffix == ".mp4":
        pytest.skip("the encoder's own threads are not traced")
    solution = wandering(row_major(Shape(3, 3)), 50, 4)
    tiles = flat_tiles(Shape(3, 3), 100, 100)
    style = Style(slide_frames=2)
    few = wandering(row_major(Shape(3, 3)), 4, 4)
    encode_animation(few, tiles, suffix, style=style)  # caches are filled
    tracemalloc.start()
    try:
        encode_animation(solution, tiles, suffix, style=style)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # The 152 frames would take 46 MB.
    assert peak < 20e6


def test_equal_frames_are_one_that_stands_longer() -> None:
    one = noise_tiles(Shape(1, 2), 40, 40).tiles[0]
    other = one.copy()
    other[5:9, 7:12] = 255 - other[5:9, 7:12]
    for count, times in ((1, [600]), (2, [600, 400])):
        frames = [Frame(one, 100), Frame(one, 500), *[Frame(other, 200)] * 2]
        out, shown = io.BytesIO(), frames[: 2 * count]
        write_webp(out, shown, [one.ms for one in shown], 80)
        found = decoded(out.getvalue(), ".webp")
        if count == 2:
            assert [time for _, time in found] == times
            change = np.abs(found[1][0].astype(int) - found[0][0]).max(axis=2) > 60
            rows, cols = np.nonzero(change)
            assert rows.min() >= 4
            assert rows.max() <= 9
            assert cols.min() >= 6
            assert cols.max() <= 12
        assert len(found) == count


# -- what GIF and PNG alone have: palettes, holes, hundredths of seconds ---------------


def gif(
    solution: Solution, tiles: TileSet, **how: Any
) -> tuple[list[Image], list[float]]:
    """The frames of a GIF, and their times in ms."""
    found = decoded(encode_animation(solution, tiles, ".gif", **how).data, ".gif")
    return [frame for frame, _ in found], [time for _, time in found]


@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 5), st.integers(0, 12))
def test_flat_tiles_slide_straight_and_leave_nothing_behind(
    rows: int, cols: int, gap: int, moves: int
) -> None:
    shape = Shape(rows, cols)
    solution = wandering(row_major(shape), moves, rows * cols + moves)
    tiles = flat_tiles(shape, 24, 24, gap=gap)
    frames, times = gif(solution, tiles, style=BARE)
    slides = 6
    assert len(frames) == (1 + moves * (1 + slides) + 1 if moves else 1)
    assert sum(times) == (4000 + moves * 940 if moves else 2000)
    expected = step_pictures(solution, tiles, 100)
    plain = step_pictures(solution, tiles, 0)
    assert np.abs(frames[0].astype(int) - plain[0]).max() <= 12
    if not moves:
        return
    assert np.abs(frames[-1].astype(int) - plain[-1]).max() <= 12
    for number, cell in enumerate(solution.moves):
        at = 1 + number * (1 + slides)
        key = frames[at].astype(int)
        assert np.abs(key - expected[number]).max() <= 12
        hole = solution.start.blank if number == 0 else solution.moves[number - 1]
        begin, end = (np.array(divmod(c, cols)) * (24 + gap) for c in (cell, hole))
        row, col = (int(v) for v in begin)
        lit = expected[number][row, col].astype(int)
        travelled = 0
        for frame in frames[at + 1 : at + 1 + slides]:
            same = np.abs(frame.astype(int) - lit).max(axis=2) <= 12
            spots = np.argwhere(same)
            top, left = spots.min(axis=0)
            assert same[top : top + 24, left : left + 24].all()
            way = abs(int(top) - row) + abs(int(left) - col)
            assert travelled <= way < 24 + gap
            assert int(top) == row or begin[1] == end[1]
            travelled = way
        # What did not take part looks as before.
        still = np.ones(key.shape[:2], bool)
        for y, x in (begin, end):
            still[y : y + 24, x : x + 24] = False
        y, x = np.minimum(begin, end)
        if begin[0] == end[0]:
            still[y : y + 24, x : x + 48 + gap] = False
        else:
            still[y : y + 48 + gap, x : x + 24] = False
        np.testing.assert_array_equal(frames[at + slides][still], frames[at][still])


def test_equal_frames_are_kept() -> None:
    # Without brightening the first two frames do not differ at all.
    solution = wandering(row_major(Shape(2, 2)), 3, 2)
    style = dataclasses.replace(BARE, brighten=0, slide_frames=1, frame_ms=500)
    frames, times = gif(solution, flat_tiles(Shape(2, 2), 9, 9), style=style)
    assert times == [2000, *[500, 240] * 3, 2000]
    np.testing.assert_array_equal(frames[0], frames[1])


@pytest.mark.parametrize(("side", "limit", "found"), [(90, 800, 270), (90, 150, 150)])
def test_large_boards_are_scaled_down(side: int, limit: int, found: int) -> None:
    solution = wandering(row_major(Shape(2, 3)), 2, 2)
    tiles = flat_tiles(Shape(2, 3), side, side)
    frames, _ = gif(solution, tiles, style=BARE, max_side_px=limit)
    assert frames[0].shape == (found * 2 // 3, found, 3)


@pytest.mark.parametrize(("limit", "frames"), [(600, 282), (200, 162), (50, 42)])
def test_long_solutions_get_fewer_frames(
    limit: int, frames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("imgpuzzle.render.files.animation.MOST_FRAMES", limit)
    solution = wandering(row_major(Shape(3, 3)), 40, 2)
    _, times = gif(solution, flat_tiles(Shape(3, 3), 6, 6))
    assert len(times) == frames


def test_times_are_rounded_but_never_lost() -> None:
    solution = wandering(row_major(Shape(3, 3)), 5, 2)
    style = Style(frame_ms=333, slide_ms=250, slide_frames=7, pause_ms=1005)
    _, times = gif(solution, flat_tiles(Shape(3, 3), 6, 6), style=style)
    shown = [1005, *[333, *[250 / 7] * 7] * 5, 1005]
    assert len(times) == len(shown)
    assert min(times) >= 30
    # No frame is off by more than a hundredth, and nor is any sum of them.
    for count in range(len(times)):
        assert abs(sum(times[: count + 1]) - sum(shown[: count + 1])) < 11


@given(
    st.integers(1, 40),
    st.integers(1, 40),
    st.sampled_from([1, 2, 3, 5, 256]),
    st.data(),
)
def test_pngs_lose_nothing(high: int, wide: int, top: int, data: st.DataObject) -> None:
    dice = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    picture = dice.integers(0, top, (high, wide, 3), np.uint8)
    png = encode_step_png(picture)
    with PillowImage.open(io.BytesIO(png)) as found:
        few = len(np.unique(picture.reshape(-1, 3), axis=0)) <= 256
        assert found.mode == ("P" if few else "RGB")
        np.testing.assert_array_equal(np.asarray(found.convert("RGB")), picture)
    other = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    np.testing.assert_array_equal(other[..., ::-1], picture)


def test_few_colours_make_a_small_file() -> None:
    picture = np.zeros((500, 500, 3), np.uint8)
    picture[100:300, 200:] = (250, 120, 3)
    assert len(encode_step_png(picture)) < 3000


# -- every format, of a guide ----------------------------------------------------------


@pytest.mark.parametrize("suffix", FORMATS, indirect=True)
def test_every_format_is_saved_drawn_and_shown_beforehand(
    suffix: str, tmp_path: Path
) -> None:
    guide = Guide(wandering(row_major(Shape(2, 2)), 2, 1))
    target = tmp_path / f"guide{suffix.upper()}"
    assert guide.save(target) == [target]
    data = target.read_bytes()
    assert data.startswith(BEGINS.get(suffix, b""))
    assert data
    ((name, drawn),) = guide.draw(target)
    # An archive has the time at which each of its files was made.
    if suffix not in (".avif", ".mp4", ".zip"):
        assert (name, drawn) == (target, data)
    kind, shown = Making(guide, Style(), SaveOptions()).beginning(suffix)
    if kind == ".txt":
        assert shown == data
        return
    assert shown.startswith(BEGINS[kind])
    with PillowImage.open(io.BytesIO(shown)) as picture:
        picture.load()
        assert getattr(picture, "n_frames", 1) == (1 if kind == ".png" else 16)


TEXTS = (".txt", ".md", ".html")
PLACES = {
    "en": "doubtful at row 1, column 2; row 2, column 1. Make",
    "de": "in Zeile 1, Spalte 2; Zeile 2, Spalte 1. Prüfe",
    "ru": "строка 1, столбец 2; строка 2, столбец 1. Убедитесь",
}


@pytest.mark.parametrize(
    ("name", "language"),
    [
        (name, language)
        for name in FORMATS
        for language in (PLACES if name in (*TEXTS, ".pdf") else ["en"])
    ],
)
def test_every_format_tells_doubt(name: str, language: str) -> None:
    if why := missing(name):
        pytest.skip(why)
    solution = wandering(row_major(Shape(2, 2)), 2, 1)
    region, tiles = Region(0, 0, 80, 80), flat_tiles(Shape(2, 2), 40, 40).tiles
    sure = Reading(
        solution.start, solution.goal, region, "digits", 1.0, True, tiles=tiles
    )
    doubtful = dataclasses.replace(sure, certain=False, doubtful=(1, 2))
    style = Style(language=language, title="T")
    (_, one), (_, other) = (
        Guide(solution, reading).draw(f"a{name}", style=style)[0]
        for reading in (doubtful, sure)
    )
    assert one != other
    if name in TEXTS:
        assert one.decode().count(PLACES[language]) == 1
        assert PLACES[language] not in other.decode()
    if name == ".pdf":
        words = pypdf.PdfReader(io.BytesIO(one)).pages[0].extract_text()
        assert PLACES[language] in " ".join(words.split())
