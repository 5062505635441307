"""What commands and library write is as ``docs/schema.json`` says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cli_support import run

import imgpuzzle

jsonschema = pytest.importorskip("jsonschema", reason="checks schemas with jsonschema")

ROOT = Path(__file__).parents[1]
SHOTS = ROOT / "sample_images"
SCHEMA = json.loads((ROOT / "docs" / "schema.json").read_text("utf-8"))


def check(record: Any, name: str) -> None:
    asked = {"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{name}"}
    jsonschema.Draft202012Validator(asked).validate(record)


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["solve", "1 2 3 / 4 0 5 / 7 8 6", "--no-files"], 0),
        (["solve", "1 2 3 / 4 0 5 / 7 8 6", "--no-files", "--metric", "slide"], 0),
        (["solve", "8 6 7 / 2 5 4 / 3 0 1", "--no-files", "--stages"], 0),
        (["solve", "2 1 3 / 4 5 6 / 7 8 0", "--no-files"], 6),
        (["solve", "2 1 3 / 4 5 6", "--puzzle", "swap", "--no-files"], 0),
        (["solve", "2 1", "--goal", "2 3", "--puzzle", "swap", "--no-files"], 6),
        (["solve", "2r 1 3d / 4 5 6", "--puzzle", "turn-swap", "--no-files"], 0),
        (["hint", "2 1 3 / 4 5 6", "--puzzle", "swap"], 0),
        (["hint", "2 1l / 3 4", "--puzzle", "turn-swap"], 0),
        (["hint", "1 2 3 / 4 5 6", "--puzzle", "swap"], 0),
        (["solve", "8 6 7 / 2 5 4 / 3 0 1", "--no-files", "--max-moves", "1"], 7),
        (["hint", "1 2 3 / 4 0 5 / 7 8 6", "--count"], 0),
        (["hint", "1 2 3 / 4 5 6 / 7 8 0"], 0),
        (["hint", "2 1 3 / 4 5 6 / 7 8 0"], 6),
        (["check", "2 1 3 / 4 5 6 / 7 8 0", "--repair"], 0),
        (["check", "1 2 3 4 0"], 0),
        (["tables", "list"], 0),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, list) else "",
)
def test_commands(words: list[str], status: int) -> None:
    done = run(*words, "--json")
    assert done.exit_code == status
    check(json.loads(done.stdout), words[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["read", "emblem_screenshot.png", "-r", "emblem_reference.png", "--explain"],
        ["read", "coffee_screenshot.png"],
        ["check", "numbers_screenshot.png"],
    ],
    ids=" ".join,
)
def test_screenshots(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SHOTS)
    check(json.loads(run(*words, "--json").stdout), words[0])


@pytest.mark.slow
@pytest.mark.parametrize("command", ["watch", "review"])
def test_recordings(command: str, tmp_path: Path) -> None:
    for number in range(2):
        shutil.copy(SHOTS / "numbers_screenshot.png", tmp_path / f"{number}.png")
    words = ["watch", "--frames"] if command == "watch" else ["review"]
    lines = run(*words, str(tmp_path), "--json").stdout.splitlines()
    assert lines
    for line in lines:
        check(json.loads(line), command)


def test_the_library(tmp_path: Path) -> None:
    guide = imgpuzzle.solve_board("1 2 3 / 4 0 5 / 7 8 6")
    check(guide.to_dict(), "record")
    guide.save(tmp_path / "solution.json")
    check(json.loads((tmp_path / "solution.json").read_text("utf-8")), "record")


def test_what_is_not_said_so_is_refused() -> None:
    """The checks above could fail."""
    record = imgpuzzle.solve_board("1 2 3 / 4 0 5 / 7 8 6").to_dict()
    for changed in ({**record, "more": 1}, {**record, "moves": [7]}, {}):
        with pytest.raises(jsonschema.ValidationError):
            check(changed, "record")
