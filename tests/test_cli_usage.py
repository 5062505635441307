"""Wrong words for every command: one line each, and nothing is written.

``data/usage.txt`` has command lines, with the status and the line that each ends in.
``python tests/test_cli_usage.py`` writes it anew: look at what changed.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from pathlib import Path

import pytest
from cli_support import error_line, everything, run, write_picture

KNOWN = Path(__file__).parent / "data" / "usage.txt"
"""Blocks of a command line, after ``$`` and perhaps a language, and what is said."""


def known() -> list[tuple[str, str]]:
    blocks = KNOWN.read_text("utf-8").strip().removeprefix("$ ").split("\n\n$ ")
    return [(asked, said) for asked, _, said in (one.partition("\n") for one in blocks)]


def filled(folder: Path) -> None:
    """Make what the command lines speak of."""
    for name in ("shot.png", "sheet_1.png"):
        write_picture(folder / name)
    (folder / "board.txt").write_text("1 2 3 / 4 5 6 / 7 8 0")
    (folder / "prose.txt").write_text("It was a dark and stormy night.\n")
    (folder / "no.png").write_text("no picture")


def said_to(asked: str) -> str:
    """The status and the line, after checking that it is one."""
    *_, words = asked.rpartition("LANGUAGE=ru ")
    result = run(*shlex.split(words))
    line = error_line(result, result.exit_code)
    return f"{result.exit_code} {line.removeprefix('imgpuzzle: ')}"


@pytest.mark.parametrize(("asked", "said"), known(), ids=[one for one, _ in known()])
def test_wrong_words_end_with_one_line(
    asked: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANGUAGE", "ru" if asked.startswith("LANGUAGE=ru ") else "en")
    filled(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert said_to(asked) == said
    assert everything(tmp_path) == sorted(path.name for path in before)
    assert all(path.read_bytes() == data for path, data in before.items())


if __name__ == "__main__":
    blocks = []
    asked_for = [asked for asked, _ in known()]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        filled(Path(folder))
        for asked in asked_for:
            os.environ["LANGUAGE"] = "ru" if asked.startswith("LANGUAGE=ru") else "en"
            blocks.append(f"$ {asked}\n{said_to(asked)}\n")
    KNOWN.write_text("\n".join(blocks), "utf-8")
