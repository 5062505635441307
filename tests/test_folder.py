"""A folder of files appears whole, or nothing changes at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from imgpuzzle.errors import OutputError
from imgpuzzle.folder import check_folder, free_folder, write_folder

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


def test_a_failing_rename_puts_everything_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    old = [(name, b"old " + data) for name, data in CONTENTS]
    write_folder(folder, [*old, ("step_03.png", b"x"), record("step_03.png")])
    before = snapshot(tmp_path)
    real = os.rename
    left = 0

    def rename(source: Path, target: Path) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise OSError(5, "Input/output error")
        real(source, target)

    monkeypatch.setattr(os, "rename", rename)
    for failing_call in range(1, 8):
        left = failing_call
        with pytest.raises(OutputError, match="Input/output"):
            write_folder(folder, CONTENTS)
        assert snapshot(tmp_path) == before


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


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"files": 3}',
        '{"files": ["../step_01.png", "/etc/step_01.png", 7]}',
        '{"files": ["../keep.png", "keep.png", "step_1.png/../../keep.png"]}',
        "\xff",
    ],
)
def test_a_foreign_record_removes_nothing(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (tmp_path / "keep.png").write_text("keep")
    (folder / "keep.png").write_text("keep")
    (folder / "solution.json").write_text(text, "latin-1")
    written = write_folder(folder, CONTENTS)
    assert written.removed == 0
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
