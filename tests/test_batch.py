"""``imgpuzzle batch``: folders of screenshots, whatever is in them."""

from __future__ import annotations

import contextlib
import csv
import inspect
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import batch_support
import pytest
from batch_support import (
    BY_REFERENCE,
    CERTAIN,
    DOUBTFUL,
    MISTAKE,
    NO_BOARD,
    UNSOLVABLE,
    board_of,
    lines_of,
    outcome,
    write_picture,
)
from cli_support import error_line, run
from test_image import png_header

from imgpuzzle import pipeline
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.fleet.batch import run as batches
from imgpuzzle.fleet.batch.find import References, find_pictures
from imgpuzzle.fleet.batch.journal import PictureEntry
from imgpuzzle.fleet.batch.work import BatchTerms
from imgpuzzle.fleet.workers import WorkerLostError
from imgpuzzle.messages import (
    Count,
    Doubt,
    Limit,
    Message,
    ReferenceWay,
    Refusal,
    Term,
)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are read by their first pixel."""
    monkeypatch.setattr(pipeline, "read_image", batch_support.read_quickly)


def by_name(output: Path) -> dict[str, dict[str, Any]]:
    return {line["name"]: line for line in lines_of(output)}


def batch(*arguments: str | Path) -> Any:
    return run("batch", *arguments, "--jobs", "1")


@pytest.mark.slow
def test_every_picture_gets_a_folder_and_a_line(tmp_path: Path) -> None:
    shots, out = tmp_path / "shots", tmp_path / "out"
    write_picture(shots / "a.png", 1)
    write_picture(shots / "level 2" / "a.png", 2)
    write_picture(shots / "level 2" / "b.png", 3, DOUBTFUL)
    write_picture(shots / "level 2" / ".hidden.png", 4)
    (shots / "notes.txt").write_text("1 2 3")
    result = batch(shots, "-o", out, "--formats", "html,txt,json")
    assert result.exit_code == 5
    assert result.stderr == ""
    lines = by_name(out)
    assert list(lines) == ["a.png", "level 2/a.png", "level 2/b.png"]
    for name, number in (("a.png", 1), ("level 2/a.png", 2)):
        line = lines[name]
        assert line["status"] == "solved"
        assert line["optimal"] is True
        assert Board.parse(line["board"]) == board_of(number)
        folder = out / line["folder"]
        record = json.loads((folder / "solution.json").read_text())
        assert record["files"] == line["files"]
        assert line["files"] == [
            *("reading.jpg", "guide.html", "moves.txt", "solution.json")
        ]
        # The moves that it found lead to the goal; ``Solution`` replays them.
        start, goal = board_of(number), batch_support.GOAL
        moves = tuple(row * 3 + col for row, col in cells_moved(record))
        assert Solution(start, goal, moves, 0).move_count == line["moves"]
    assert lines["a.png"]["folder"] == "a"
    assert lines["level 2/a.png"]["folder"] == "level 2/a"
    doubtful = lines["level 2/b.png"]
    assert (doubtful["status"], doubtful["exit_code"]) == ("doubtful", 5)
    assert doubtful["files"] == ["reading.jpg", "solution.json"]
    assert doubtful["moves"] is None
    assert [doubt["kind"] for doubt in doubtful["doubt_codes"]] == ["arrangement"]
    text = (out / "report.csv").read_text("utf-8-sig")
    table = list(csv.DictReader(text.splitlines()))
    assert [row["status"] for row in table] == ["solved", "solved", "doubtful"]
    assert not list(out.glob(".imgpuzzle-*"))


def cells_moved(record: dict[str, Any]) -> Iterator[list[int]]:
    for move in record["moves"]:
        yield move["from"]


@pytest.mark.slow
def test_what_is_no_picture_costs_its_own_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("imgpuzzle.files.image.MAX_BYTES", 4_000_000)
    shots, out = tmp_path / "shots", tmp_path / "out"
    good = write_picture(shots / "good.png", 9).read_bytes()
    (shots / "empty.png").touch()
    (shots / "text.png").write_text("It was a dark and stormy night.\n")
    (shots / "IMG_1.HEIC").write_bytes(b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic")
    (shots / "half.png").write_bytes(good[: len(good) // 2])
    (shots / "huge.png").write_bytes(png_header(40_000, 40_000))
    with (shots / "endless.png").open("wb") as file:
        file.truncate(5_000_000)
    os.mkfifo(shots / "pipe.png")
    (shots / "loop.png").symlink_to("loop.png")
    (shots / "dangling.png").symlink_to("nowhere.png")
    (shots / "around").symlink_to(shots)
    (shots / "folder.png").mkdir()
    write_picture(shots / "none.png", 5, NO_BOARD)
    write_picture(shots / "mistake.png", 6, MISTAKE)
    write_picture(shots / "twisted.png", 7, UNSOLVABLE)
    locked = write_picture(shots / "locked.png", 8)
    locked.chmod(0)
    result = batch(shots, "-o", out)
    lines = by_name(out)
    is_root = os.geteuid() == 0
    assert {name: line["exit_code"] for name, line in lines.items()} == {
        "IMG_1.HEIC": 3,
        "dangling.png": 3,
        "empty.png": 3,
        "endless.png": 3,
        "good.png": 0,
        "half.png": 3,
        "huge.png": 3,
        "locked.png": 0 if is_root else 3,
        "loop.png": 3,
        "mistake.png": 1,
        "none.png": 4,
        "pipe.png": 3,
        "text.png": 3,
        "twisted.png": 6,
    }
    assert result.exit_code == 1
    assert all(
        line["message"] for name, line in lines.items() if line["status"] != "solved"
    )
    assert lines["twisted.png"]["status"] == "unsolvable"
    assert "the unsupported format HEIC" in lines["IMG_1.HEIC"]["message"]
    assert "nobody thought of this" in lines["mistake.png"]["message"]
    assert b"Traceback" not in (out / "report.html").read_bytes()
    # What could be read is not read again; what could not be opened is tried again.
    before = {name: line["seconds"] for name, line in lines.items()}
    (shots / "loop.png").unlink()
    write_picture(shots / "loop.png", 3)
    assert batch(shots, "-o", out, "--resume").exit_code == 1
    after = by_name(out)
    assert after["loop.png"]["status"] == "solved"
    assert after["none.png"]["seconds"] == before["none.png"]


def test_a_folder_that_cannot_be_read_has_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shots, out = tmp_path / "shots", tmp_path / "out"
    write_picture(shots / "a.png", 1)
    write_picture(shots / "inner" / "b.png", 2)
    listdir = os.listdir

    def refused(folder: str | os.PathLike[str] = ".") -> list[str]:
        if os.fspath(folder).endswith("inner"):
            raise PermissionError(13, "Permission denied")
        return listdir(folder)

    with monkeypatch.context() as patched:
        patched.setattr(os, "listdir", refused)
        result = batch(shots, "-o", out)
        assert result.exit_code == 3
        assert "left out: " in result.stderr
        line = by_name(out)["inner"]
        assert line["message"] == "could not read the folder 'inner': Permission denied"
        assert "Permission denied" in (out / "report.html").read_text("utf-8")
        # One that was named itself has its own name.
        result = batch(shots / "inner", "-o", tmp_path / "other")
        assert (result.exit_code, list(by_name(tmp_path / "other"))) == (3, ["inner"])
    # Can it be read, its pictures are in its place.
    assert batch(shots, "-o", out, "--resume").exit_code == 0
    assert by_name(out)["inner/b.png"]["status"] == "solved"
    table = csv.DictReader((out / "report.csv").read_text("utf-8-sig").splitlines())
    assert [row["name"] for row in table] == ["a.png", "inner/b.png"]


@contextlib.contextmanager
def as_nobody() -> Iterator[Path]:
    """A folder in which this process has no more rights than any other user."""
    with tempfile.TemporaryDirectory() as made:
        folder, own = Path(made), os.geteuid()
        folder.chmod(0o777)
        try:
            if own == 0:
                os.seteuid(65534)
            yield folder
        finally:
            os.seteuid(own)


@pytest.mark.skipif(sys.platform == "win32", reason="rights of POSIX")
@pytest.mark.parametrize("mode", [0o444, 0o111], ids=["listed only", "entered only"])
def test_folders_that_are_shut_are_told(mode: int) -> None:
    with as_nobody() as folder:
        shots, goals = folder / "shots", folder / "goals"
        write_picture(shots / "a.png", 1)
        write_picture(shots / "shut" / "b.png", 2)
        write_picture(shots / "shut" / "inner" / "c.png", 3)
        write_picture(goals / "a.png", 1)
        write_picture(goals / "shut" / "b.png", 2)
        shut = [shots / "shut", goals / "shut"]
        for one in shut:
            one.chmod(mode)
        out = folder / "out"
        result = batch(shots, "--references", goals, "-o", out)
        for one in shut:
            one.chmod(0o755)
        lines = by_name(out)
    assert result.exit_code == 3
    why = "Permission denied"
    assert sorted(result.stderr.splitlines()) == [
        f"left out: {one}: {why}" for one in sorted(shut)
    ]
    assert {name: one["message"] for name, one in lines.items()} == {
        "a.png": None,
        "shut": f"could not read the folder 'shut': {why}",
    }


@pytest.mark.slow
def test_output_is_never_read_again(tmp_path: Path) -> None:
    shots = tmp_path / "shots"
    write_picture(shots / "a.png", 1)
    assert batch(shots).exit_code == 0
    assert (shots / "solutions" / "a" / "guide.html").is_file()
    assert batch(shots).exit_code == 0
    assert len(lines_of(shots / "solutions-2")) == 1
    # The one that is there last goes on.
    write_picture(shots / "b.png", 2)
    assert batch(shots, "--resume").exit_code == 0
    assert set(by_name(shots / "solutions-2")) == {"a.png", "b.png"}
    assert set(by_name(shots / "solutions")) == {"a.png"}
    # What ``solve`` has put beside a screenshot is no screenshot either.
    pipeline.solve_board("1 2 3 / 4 0 5 / 7 8 6" and board_of(1)).save(shots)
    found = find_pictures([shots])
    assert [one.name for one in found] == ["a.png", "b.png"]


def test_an_earlier_batch_is_not_written_over(tmp_path: Path) -> None:
    shot = write_picture(tmp_path / "a.png", 1)
    out = tmp_path / "out"
    assert batch(shot, "-o", out).exit_code == 0
    before = outcome(out)
    assert "--resume goes on" in error_line(batch(shot, "-o", out), 2)
    result = batch(shot, "-o", out, "--resume", "--formats", "txt")
    assert result.exit_code == 0
    assert "--formats txt (it was html)" in result.stderr
    assert outcome(out) == before


def test_what_was_not_solved_is_read_again_as_another_puzzle(tmp_path: Path) -> None:
    shot = write_picture(tmp_path / "a.png", 1)
    out = tmp_path / "out"
    assert batch(shot, "-o", out, "--puzzle", "swap").exit_code != 0
    assert by_name(out)["a.png"]["puzzle"] == "swap"
    result = batch(shot, "-o", out, "--resume")
    assert (result.exit_code, by_name(out)["a.png"]["puzzle"]) == (0, "slide")
    assert "--puzzle slide (it was swap)" in result.stderr
    there = outcome(out)
    assert batch(shot, "-o", out, "--resume", "--puzzle", "swap").exit_code == 0
    assert outcome(out) == there  # what was solved stays
    # Before lines said it, all puzzles were taken for sliding ones.
    line = {**by_name(out)["a.png"], "seconds": 77.0}
    del line["puzzle"]
    (out / "report.jsonl").write_text(json.dumps(line) + "\n")
    assert batch(shot, "-o", out, "--resume").exit_code == 0
    assert by_name(out)["a.png"]["seconds"] == 77.0


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    shot = write_picture(tmp_path / "a.png", 1)
    wanted = batches.Batch(
        (shot,), BatchTerms(tmp_path / "out", lambda shape: Limits())
    )
    with batches.Run(wanted):
        line = error_line(batch(shot, "-o", tmp_path / "out", "--resume"), 2)
    assert "another run works" in line


def test_references_are_found_by_name_and_place(tmp_path: Path) -> None:
    for name in (
        *("goal.png", "one_reference.jpg", "one.png", "two_screenshot.png"),
        *("two-reference.png", "three.png", "deep/four.png", "deep/five.png"),
    ):
        write_picture(tmp_path / "shots" / name, 1)
    for name in ("FIVE.jpg", "six.png", "two.png"):
        write_picture(tmp_path / "goals" / name, 1)
    shots = tmp_path / "shots"
    found = [one.name for one in find_pictures([shots])]
    assert found == [
        *("one.png", "three.png", "two_screenshot.png"),
        *("deep/five.png", "deep/four.png"),
    ]

    def offers(references: References) -> dict[str, str | None]:
        made = {name: references.offer(shots / name) for name in found}
        return {
            name: offer.path and f"{offer.path.name} {offer.way.name}"
            for name, offer in made.items()
        }

    assert offers(References()) == {
        "one.png": "one_reference.jpg BESIDE",
        "three.png": "goal.png BESIDE",
        "two_screenshot.png": "two-reference.png BESIDE",
        "deep/five.png": None,
        "deep/four.png": None,
    }
    named = offers(References(folder=tmp_path / "goals"))
    assert named["deep/five.png"] == "FIVE.jpg SAME_NAME"
    assert named["two_screenshot.png"] == "two.png SAME_NAME"
    assert named["one.png"] == "one_reference.jpg BESIDE"
    given = offers(References(given=tmp_path / "goals" / "six.png"))
    assert set(given.values()) == {"six.png GIVEN"}


@pytest.mark.slow
def test_a_reference_of_the_name_settles_the_board(tmp_path: Path) -> None:
    shots, goals, out = (tmp_path / name for name in ("shots", "goals", "out"))
    for name, number, kind in (
        *(("a", 1, BY_REFERENCE), ("b", 2, BY_REFERENCE)),
        *(("c", 3, CERTAIN), ("d", 4, CERTAIN)),
    ):
        write_picture(shots / f"{name}.png", number, kind)
    write_picture(goals / "a.png", 1)
    (goals / "d.png").write_text("no picture")
    assert batch(shots, "--references", goals, "-o", out).exit_code == 5
    lines = by_name(out)
    found = {
        name: (line["status"], line["reference"], line["reference_why"])
        for name, line in lines.items()
    }
    assert found == {
        "a.png": ("solved", "../goals/a.png", ReferenceWay.SAME_NAME.value),
        "b.png": ("doubtful", None, ReferenceWay.NONE_FOUND.value),
        "c.png": ("solved", None, ReferenceWay.NOT_NEEDED.value),
        "d.png": ("solved", "../goals/d.png", ReferenceWay.UNREADABLE.value),
    }
    assert lines["a.png"]["reference_used"]
    # The picture comes later: what was doubtful is read again, and nothing else.
    write_picture(goals / "b.png", 2)
    assert batch(shots, "--references", goals, "-o", out, "--resume").exit_code == 0
    later = by_name(out)
    assert later["b.png"]["reference_why"] == ReferenceWay.SAME_NAME.value
    assert later["a.png"] == lines["a.png"]


class Losing:
    """A fleet whose worker dies of one picture."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> Losing:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def map_chunks(
        self,
        function: Callable[[Any], Any],
        chunks: Iterable[Any],
        lost: Callable[[Any, WorkerLostError], Any] | None = None,
    ) -> Iterator[Any]:
        assert lost is not None
        for plan, task in chunks:
            if task.name == self._name:
                yield lost((plan, task), WorkerLostError("ended twice"))
            else:
                yield function((plan, task))


@pytest.mark.slow
def test_a_picture_that_ends_its_workers_costs_its_line(tmp_path: Path) -> None:
    for number, name in enumerate("abc"):
        write_picture(tmp_path / "shots" / f"{name}.png", number)
    out = tmp_path / "out"
    wanted = batches.Batch(
        (tmp_path / "shots",), BatchTerms(out, lambda shape: Limits())
    )
    with batches.Run(wanted) as one:
        one.go(Losing("b.png"))
        one.finish()
        assert one.exit_code == 1
        assert one.counts == {"solved": 2, "failed": 1}
    lines = by_name(out)
    assert lines["b.png"]["message_code"]["kind"] == "worker_lost"
    # It is not tried in every later run.
    with batches.Run(wanted, resume=True) as again:
        again.go(Losing(""))
    assert by_name(out) == lines


@pytest.mark.slow
def test_changed_pictures_are_read_again(tmp_path: Path) -> None:
    shots, out = tmp_path / "shots", tmp_path / "out"
    for number, name in enumerate("abcd"):
        write_picture(shots / f"{name}.png", number)
    assert batch(shots, "-o", out).exit_code == 0
    before = by_name(out)
    write_picture(shots / "a.png", 30)
    write_picture(shots / "b.png", 31, NO_BOARD)
    os.utime(shots / "c.png")
    (out / "d" / "guide.html").unlink()
    assert batch(shots, "-o", out, "--resume").exit_code == 4
    after = by_name(out)
    assert Board.parse(after["a.png"]["board"]) == board_of(30)
    assert (after["b.png"]["status"], after["b.png"]["folder"]) == ("failed", None)
    assert not (out / "b").exists()
    assert after["c.png"] == before["c.png"]
    assert (out / "d" / "guide.html").stat().st_size > 0
    outcome(out)  # one line a picture, and the files that it names


@pytest.mark.slow
def test_names_never_meet(tmp_path: Path) -> None:
    """Two pictures of one stem, a folder called like a picture, and our own names."""
    shots, out = tmp_path / "shots", tmp_path / "out"
    names = [
        *("a.png", "a.webp", "a/b.png", "a-b.png", "report.html.png", "batch.json.png"),
        *("thumbnails.png", "=cmd.png", "A.bmp", "report.csv/x.png"),
    ]
    for number, name in enumerate(names):
        if name.endswith(".webp"):
            # Lossless would need an option: a copy serves as well.
            (shots / name).write_bytes(
                write_picture(tmp_path / "x.png", 1).read_bytes()
            )
        else:
            write_picture(shots / name, number)
    (out / "a").mkdir(parents=True)
    (out / "a" / "mine.txt").write_text("not of imgpuzzle")
    assert batch(shots, "-o", out, "--formats", "txt").exit_code == 0
    lines = by_name(out)
    assert set(lines) == set(names)
    folders = [line["folder"].casefold() for line in lines.values()]
    assert len(set(folders)) == len(names)
    for one in folders:
        assert not any(other.startswith(f"{one}/") for other in folders)
    assert (out / "a" / "mine.txt").read_text() == "not of imgpuzzle"
    assert not (out / "a" / "moves.txt").exists()
    text = (out / "report.csv").read_text("utf-8-sig")
    assert "'=cmd.png" in text
    assert "\n=" not in text
    before = outcome(out)
    again = batch(shots, "-o", out, "--resume", "--formats", "txt")
    assert again.exit_code == 0
    assert outcome(out) == before


@pytest.mark.slow
def test_names_that_are_no_text(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("names are text here")
    shots, out = tmp_path / "shots", tmp_path / "out"
    picture = write_picture(tmp_path / "x.png", 1).read_bytes()
    shots.mkdir()
    (shots / os.fsdecode(b"\xff\xfe.png")).write_bytes(picture)
    (shots / '<img src=x onerror=alert(1)>&".png').write_bytes(picture)
    assert batch(shots, "-o", out).exit_code == 0
    page = (out / "report.html").read_text("utf-8")
    assert "<img src=x" not in page
    assert batch(shots, "-o", out, "--resume").exit_code == 0
    # A line, the drawn reading and the guide of each.
    assert len(outcome(out)) == 3 * len(lines_of(out)) == 6


def test_the_report_names_no_options_and_shows_what_is_broken(tmp_path: Path) -> None:
    from imgpuzzle.fleet.batch.page import render_page

    said = [
        Message(Refusal.NO_BOARD),
        Message(Refusal.TWO_GRIDS, one=Shape(3, 3), other=Shape(4, 4)),
        Message(
            Refusal.UNCERTAIN,
            doubts=(Message(Doubt.ARRANGEMENT), Message(Doubt.CUT_OFF)),
            help=Message(Term.HELP_ANSWERS, most=3),
        ),
        Message(Limit.OUT_OF_TIME, seconds=5, least=Message(Count.MOVES, count=9)),
    ]
    assert all("--" in str(one) for one in said)
    entries = [
        PictureEntry(
            f"{n}.png", f"{n}.png", message=str(one), message_code=one.to_dict()
        )
        for n, one in enumerate(said)
    ]
    page = render_page(entries, tmp_path, language="en").decode()
    results = re.findall('<td class="result">(.*?)</td>', page, re.DOTALL)
    assert len(results) == len(said)
    assert "--" not in "".join(results)
    assert "3x3 and 4x4 fit equally well" in page
    assert "nearly as well. The board is cut off" in page
    # None of them has a small picture.
    assert page.count('<span class="broken">') == len(said)


def test_large_reports_stay_small(tmp_path: Path, monkeypatch: Any) -> None:
    """Small pictures that find no room in the page are shown from their folder."""
    from imgpuzzle.fleet.batch import page as batch_page

    monkeypatch.setattr(batch_page, "THUMBNAILS_BYTES", 3000)
    (tmp_path / "thumbnails").mkdir()
    entries = []
    for number in range(10):
        name = f"thumbnails/{number}.webp"
        (tmp_path / name).write_bytes(bytes(720))
        entries.append(PictureEntry(f"{number}.png", f"{number}.png", thumbnail=name))
    page = batch_page.render_page(entries, tmp_path, language="en").decode()
    assert page.count("data:image/webp") == 3
    assert page.count('src="./thumbnails/') == 7


def test_places_that_cannot_be_looked_into_cost_their_own_lines(tmp_path: Path) -> None:
    shots = tmp_path / "shots"
    write_picture(shots / "a.png", 1)
    # The system refuses to say what lies at the end of it.
    (shots / "b.png").symlink_to("x" * 300)
    (shots / "c").symlink_to("x" * 300)
    assert batch(shots, "-o", tmp_path / "out").exit_code == 3
    lines = by_name(tmp_path / "out")
    assert {name: one["status"] for name, one in lines.items()} == {
        "a.png": "solved",
        "b.png": "failed",
    }


def test_folders_may_lie_as_deep_as_the_system_lets_them(tmp_path: Path) -> None:
    inner = [tmp_path / "shots"]
    for _ in range(200):
        inner.append(inner[-1] / "a")
    write_picture(inner[-1] / "a.png", 1)
    usual = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(len(inspect.stack()) + 150)
        found = find_pictures([inner[0]])
    finally:
        sys.setrecursionlimit(usual)
    assert [one.path for one in found] == [inner[-1] / "a.png"]


def test_an_output_that_is_a_file_is_named(tmp_path: Path) -> None:
    shot = write_picture(tmp_path / "shots" / "a.png", 1)
    assert "found" in error_line(batch(shot.parent, "-o", shot), 2)
    assert "a.png" in error_line(batch(shot.parent, "-o", shot), 2)


def test_a_file_where_a_folder_would_be_stays(tmp_path: Path) -> None:
    write_picture(tmp_path / "shots" / "a" / "b.png", 1)
    out = tmp_path / "out"
    out.mkdir()
    (out / "a").write_text("mine")
    assert batch(tmp_path / "shots", "-o", out).exit_code == 0
    assert by_name(out)["a/b.png"]["folder"] == "a-b"
    assert (out / "a").read_text() == "mine"
