"""A folder of files appears whole, or nothing changes at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from imgpuzzle.errors import OutputError
from imgpuzzle.files.folder import Delivery, check_folder, free_folder, write_folder
from imgpuzzle.files.temporary import replacing, temporary_folder

CONTENTS = [("step_01.png", b"one"), ("step_02.png", b"two"), ("moves.txt", b"text")]


def record(*names: str) -> tuple[str, bytes]:
    return "solution.json", json.dumps({"files": list(names)}).encode()


def snapshot(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def failing(error: BaseException) -> Iterator[tuple[str, bytes]]:
    yield from CONTENTS[:2]
    raise error


def test_a_new_folder_and_its_parents(tmp_path: Path) -> None:
    written = write_folder(tmp_path / "a" / "b" / "c", CONTENTS)
    assert [file.name for file in written.files] == [name for name, _ in CONTENTS]
    assert all(file.is_file() for file in written.files)
    assert (written.replaced, written.removed) == (0, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), KeyboardInterrupt(), ValueError()]
)
@pytest.mark.parametrize("existing", [False, True])
def test_nothing_is_left_of_a_failure(
    tmp_path: Path, error: BaseException, existing: bool
) -> None:
    folder = tmp_path / "out"
    if existing:
        write_folder(folder, [*CONTENTS, record("step_01.png", "step_02.png")])
        (folder / "mine.txt").write_text("foreign")
    before = snapshot(tmp_path)
    expected = OutputError if isinstance(error, OSError) else type(error)
    with pytest.raises(expected):
        write_folder(folder, failing(error))
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("links", [True, False])
def test_a_failing_rename_puts_everything_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    folder = tmp_path / "out"
    old = [(name, b"old " + data) for name, data in CONTENTS]
    write_folder(folder, [*old, ("step_03.png", b"x"), record("step_03.png")])
    before = snapshot(tmp_path)
    left = 0

    def failing(real: Callable[..., None]) -> Callable[..., None]:
        def call(*args: object, **how: object) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                raise OSError(5, "Input/output error")
            real(*args, **how)

        return call

    for name in ("rename", "replace"):
        monkeypatch.setattr(os, name, failing(getattr(os, name)))
    if not links:

        def link(*_: object, **how: object) -> None:
            raise OSError(95, "Operation not supported")

        monkeypatch.setattr(os, "link", link)
    # The record twice, one file away, three replaced; without links that is two steps.
    steps = 6 if links else 10
    for failing_call in range(1, steps + 1):
        left = failing_call
        with pytest.raises(OutputError, match="Input/output"):
            write_folder(folder, [*CONTENTS, record("step_01.png")])
        assert snapshot(tmp_path) == before
    left = steps + 1
    write_folder(folder, [*CONTENTS, record("step_01.png")])
    assert left == 1


RECORDED = [*CONTENTS, record(*(name for name, _ in CONTENTS), "solution.json")]
OLD = [
    *((name, b"old") for name in ("step_01.png", "step_02.png", "step_03.png")),
    ("assembled.png", b"old"),
    record("step_01.png", "step_02.png", "step_03.png", "assembled.png"),
]
KILLED = """
import os, signal, sys
from pathlib import Path
from imgpuzzle.files.folder import write_folder
sys.path.insert(0, sys.argv[1])
from test_folder import RECORDED

left = 0

def dying(real):
    def call(*args, **how):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **how)
    return call

for name in ("mkdir", "open", "link", "rename", "replace", "rmdir", "unlink"):
    setattr(os, name, dying(getattr(os, name)))
base, number = Path(sys.argv[2]), 0
while True:
    number += 1
    folder = base / str(number) / "out"
    if not folder.parent.exists():
        sys.exit("more steps than folders")
    child = os.fork()
    if child == 0:
        left = number
        write_folder(folder, RECORDED)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status == 0:
        print(number)
        break
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
@pytest.mark.parametrize("existing", [True, False])
def test_killed_at_each_step(tmp_path: Path, existing: bool) -> None:
    most = 50 if existing else 12
    for number in range(1, most):
        folder = tmp_path / str(number) / "out"
        folder.parent.mkdir()
        if existing:
            write_folder(folder, OLD)
            (folder / "mine.txt").write_text("mine")
            (folder / "step_99.png").write_text("mine, too")
    script = [sys.executable, "-c", KILLED, str(Path(__file__).parent), str(tmp_path)]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    steps = int(done.stdout)
    assert steps > (20 if existing else 5)
    old, new = dict(OLD), dict(RECORDED)
    for number in range(1, steps):
        folder = tmp_path / str(number) / "out"
        if existing:
            listed = json.loads((folder / "solution.json").read_bytes())["files"]
            ours = [
                path.name
                for path in folder.iterdir()
                if path.is_file() and path.name not in ("mine.txt", "step_99.png")
            ]
            assert {*ours} <= {*listed, "solution.json"}, number
            for name in ours:
                if name != "solution.json":
                    found = (folder / name).read_bytes()
                    assert found in (old.get(name), new.get(name)), (number, name)
        elif folder.exists():
            assert {path.name for path in folder.iterdir()} == set(new)
        # The next run puts all in order and removes what the killed one left.
        write_folder(folder, RECORDED)
        left = {*new, *(("mine.txt", "step_99.png") if existing else ())}
        assert {path.name for path in folder.iterdir()} == left, number
        assert [path.name for path in folder.parent.iterdir()] == ["out"]


def test_what_others_write_is_not_swept(tmp_path: Path) -> None:
    names = [".imgpuzzle-x.part", ".imgpuzzle-0123456789abcdef.part.txt", "a.part"]
    for name in names:
        (tmp_path / name).write_text("not ours")
    (tmp_path / ".imgpuzzle-0000000000000000.part").symlink_to(tmp_path)
    (tmp_path / ".imgpuzzle-1111111111111111.part").write_text("of a killed run")
    with temporary_folder(tmp_path) as live, replacing(tmp_path / "file") as file:
        (live / "step_01.png").write_text("in the making")
        file.write(b"whole")
        # Another process, because a lock holds for all of its own.
        sweeping = "import sys, pathlib; from imgpuzzle.files.temporary import sweep; "
        sweeping += "sweep(pathlib.Path(sys.argv[1]))"
        subprocess.run([sys.executable, "-c", sweeping, str(tmp_path)], check=True)
        assert (live / "step_01.png").exists()
        assert len(list(tmp_path.iterdir())) == 6
    expected = {*names, ".imgpuzzle-0000000000000000.part", "file"}
    assert {path.name for path in tmp_path.iterdir()} == expected
    assert (tmp_path / "file").read_bytes() == b"whole"


def test_links_are_followed_and_stay(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (elsewhere / "old.png").write_bytes(b"old")
    links = [folder / name for name in ("old.png", "new.png", "again.png")]
    for link, end in zip(links, ("old.png", "new.png", "../here/new.png"), strict=True):
        link.symlink_to(elsewhere / end)
    with Delivery() as delivery:
        for link in links[:2]:
            delivery.add_file(link, b"made")
        written = delivery.finish()
    assert [one.replaced for one in written] == [1, 0]
    assert [one.files for one in written] == [(link,) for link in links[:2]]
    with replacing(links[2]) as file:
        file.write(b"whole")
    assert all(link.is_symlink() for link in links)
    assert snapshot(elsewhere) == {"old.png": b"made", "new.png": b"whole"}
    assert sorted(folder.iterdir()) == sorted(links)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_pipes_and_devices_are_not_replaced(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe.png", tmp_path / "link.png"
    os.mkfifo(pipe)
    link.symlink_to("/dev/null")
    for target in (pipe, link):
        with Delivery() as delivery, pytest.raises(OutputError, match="pipe or device"):
            delivery.add_file(target, b"new")
        with pytest.raises(OutputError, match="pipe or device"), replacing(target):
            raise AssertionError("a file was opened")
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert len(list(tmp_path.iterdir())) == 2


def test_two_processes_make_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "out"
    with Delivery() as first, Delivery() as second:
        first.add_folder(folder, RECORDED)
        second.add_folder(folder, [("moves.txt", b"second")])
        assert [one.folder for one in first.finish()] == [folder]
        assert [one.folder for one in second.finish()] == [tmp_path / "a" / "out-2"]
    assert {path.name for path in folder.iterdir()} == set(dict(RECORDED))
    assert (tmp_path / "a" / "out-2" / "moves.txt").read_bytes() == b"second"
    # One that is there and empty, for runs that take the next free name.
    empty = tmp_path / "empty"
    empty.mkdir()
    with Delivery() as first, Delivery() as second:
        first.add_folder(empty, CONTENTS, numbered=True)
        (empty / "of_another").write_text("")
        second.add_folder(empty, CONTENTS, numbered=True)
        assert [one.folder.name for one in first.finish()] == ["empty-2"]
        assert [one.folder.name for one in second.finish()] == ["empty-3"]
    assert [path.name for path in empty.iterdir()] == ["of_another"]


def test_all_of_several_or_none(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "in_the_way.txt").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "link.txt").symlink_to("a.txt")
    before = snapshot(tmp_path)
    with Delivery() as delivery:
        delivery.add_file(tmp_path / "link.txt", b"new")
        delivery.add_file(tmp_path / "b.txt", lambda file: file.write(b"streamed"))
        delivery.add_folder(tmp_path / "out", CONTENTS)
        delivery.add_folder(tmp_path / "fresh", CONTENTS)
        delivery.add_file(tmp_path / "in_the_way.txt", b"cannot be placed")
        with pytest.raises(OutputError, match="in_the_way"):
            delivery.finish()
    assert snapshot(tmp_path) == before
    assert (tmp_path / "link.txt").is_symlink()
    with Delivery() as delivery:
        delivery.add_file(tmp_path / "a.txt", b"new")
        delivery.add_file(tmp_path / "b.txt", lambda file: file.write(b"streamed"))
        assert [one.replaced for one in delivery.finish()] == [1, 0]
    assert (tmp_path / "a.txt").read_text() == "new"
    assert (tmp_path / "b.txt").read_text() == "streamed"


def test_own_files_are_replaced_and_foreign_ones_stay(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    longer = [(f"step_{n:02d}.png", b"old") for n in range(1, 6)]
    write_folder(folder, [*longer, record(*(name for name, _ in longer))])
    (folder / "step_99.png").write_text("not in the record")
    (folder / "notes.txt").write_text("mine")
    written = write_folder(folder, [*CONTENTS, record("step_01.png", "step_02.png")])
    assert (written.replaced, written.removed) == (3, 3)
    assert sorted(path.name for path in folder.iterdir()) == [
        *("moves.txt", "notes.txt", "solution.json"),
        *("step_01.png", "step_02.png", "step_99.png"),
    ]
    assert (folder / "step_01.png").read_bytes() == b"one"


NAMES = st.sampled_from(
    [
        *("../keep.png", "keep.png", "step_1.png/../../keep.png", "/etc/step_01.png"),
        *("../step_01.png", "", ".", "x" * 300, "\0", 7, None),
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.one_of(
        st.text(max_size=9),
        st.recursive(NAMES, st.lists).map(json.dumps),
        st.lists(NAMES).map(lambda names: json.dumps({"files": names})),
    )
)
def test_a_foreign_record_removes_nothing(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "out"
    folder.mkdir(exist_ok=True)
    (tmp_path / "keep.png").write_text("keep")
    (folder / "keep.png").write_text("keep")
    (folder / "solution.json").write_text(text, "utf-8", "replace")
    assert write_folder(folder, CONTENTS).removed == 0
    assert (tmp_path / "keep.png").exists()
    assert (folder / "keep.png").exists()


def test_the_next_free_name(tmp_path: Path) -> None:
    folder = tmp_path / "solution"
    assert free_folder(folder) == folder
    folder.mkdir()
    assert free_folder(folder) == folder
    for expected in ("solution", "solution-2", "solution-3"):
        written = write_folder(folder, CONTENTS, numbered=True)
        assert written.folder == tmp_path / expected
        assert written.files[0].parent == written.folder
    (tmp_path / "solution-4").write_text("a file")
    assert free_folder(folder) == tmp_path / "solution-5"


def test_a_name_that_is_taken_meanwhile(tmp_path: Path) -> None:
    folder = tmp_path / "solution"

    def contents() -> Iterator[tuple[str, bytes]]:
        yield from CONTENTS
        folder.mkdir()
        (folder / "of_another_process").write_text("")

    written = write_folder(folder, contents(), numbered=True)
    assert written.folder == tmp_path / "solution-2"
    assert (written.folder / "step_01.png").exists()
    assert [path.name for path in folder.iterdir()] == ["of_another_process"]


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "deeper"):
        with pytest.raises(OutputError, match="found the file"):
            check_folder(folder)
        with pytest.raises(OutputError, match="found the file"):
            write_folder(folder, CONTENTS)


def test_a_new_folder_has_no_name_of_a_file(tmp_path: Path) -> None:
    for name in ("x.png", "film.GIF"):
        with pytest.raises(OutputError, match="expected a folder as --output"):
            check_folder(tmp_path / name)
    for name in ("v1.2", "conf.d", "plain"):
        check_folder(tmp_path / name)
    (tmp_path / "x.png").mkdir()
    check_folder(tmp_path / "x.png")


def test_a_folder_where_a_file_should_be(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    (folder / "step_02.png").mkdir(parents=True)
    (folder / "step_01.png").write_text("old")
    before = snapshot(tmp_path)
    with pytest.raises(OutputError, match="found the folder"):
        write_folder(folder, CONTENTS)
    assert snapshot(tmp_path) == before


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(OutputError, match="cannot write"):
            write_folder(tmp_path / "out", CONTENTS)
    finally:
        tmp_path.chmod(0o700)
