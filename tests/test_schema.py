"""What commands and library write is as ``docs/schema.json`` says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cli_support import run
from schema_support import SCHEMA, check, jsonschema

import imgpuzzle

ROOT = Path(__file__).parents[1]
SHOTS = ROOT / "sample_images"
PROMISED = json.loads((ROOT / "tests" / "data" / "schema-1.json").read_text("utf-8"))
"""The first schema that was promised to stay; a new one belongs to a new major version,
which is the number in its name."""
LEAST, MOST = ("minimum", "minItems"), ("maximum", "maxItems")


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def breaks(old: Any, new: Any, at: str = "") -> list[str]:
    """Where something is written that readers of the old schema do not know.

    New fields are no break: who reads JSON passes over them.
    """
    if "anyOf" in old or "anyOf" in new:
        known = old.get("anyOf", [old])
        return [
            f"{at}: {one}"
            for one in new.get("anyOf", [new])
            if all(breaks(other, one, at) for other in known)
        ]
    gone = {*old.get("required", ())} - {*new.get("required", ())}
    found = [f"{at}/{name} need not be there" for name in sorted(gone)]
    for name, value in old.get("properties", {}).items():
        there = new.get("properties", {}).get(name)
        if there is not None:
            found += breaks(value, there, f"{at}/{name}")
    for word in ("items", "additionalProperties"):
        if isinstance(old.get(word), dict):
            found += breaks(old[word], new.get(word) or {}, f"{at}/{word}")
    for word in ("$ref", "const"):
        if word in old and old[word] != new.get(word):
            found.append(f"{at}: {word} {old[word]} is {new.get(word)}")
    if "type" in old and not _kinds(new) <= _kinds(old):
        found.append(f"{at}: {_kinds(old)} became {_kinds(new)}")
    if "enum" in old and not {*_values(new)} <= {*old["enum"]}:
        found.append(f"{at}: {old['enum']} became {_values(new)}")
    for words, sign in ((LEAST, 1), (MOST, -1)):
        for word in words:
            if word in old and sign * new.get(word, -sign * 1e9) < sign * old[word]:
                found.append(f"{at}: {word} {old[word]} became {new.get(word)}")
    return found


def _values(schema: Any) -> list[Any]:
    return [schema["const"]] if "const" in schema else schema.get("enum", [object()])


def _kinds(schema: Any) -> set[str]:
    kinds = schema.get("type", "anything")
    return {kinds} if isinstance(kinds, str) else set(kinds)


def test_what_was_promised_is_still_written() -> None:
    major = SCHEMA["$id"].rpartition(":")[2].partition(".")[0]
    assert PROMISED["$id"].rpartition(":")[2].partition(".")[0] == major
    for name, promised in PROMISED["$defs"].items():
        assert breaks(promised, SCHEMA["$defs"].get(name, {}), name) == []


@pytest.mark.parametrize(
    ("new", "is_break"),
    [
        ({"required": ["a", "c"], "more": {"c": {"type": "null"}}}, False),
        ({"required": []}, True),
        ({"more": {"a": {"type": "string"}}}, True),
        ({"more": {"a": {"type": "integer", "minimum": 2}}}, False),
        ({"more": {"a": {"type": "integer"}}}, True),
        ({"more": {"b": {"enum": ["x"]}}}, False),
        ({"more": {"b": {"enum": ["x", "y", "z"]}}}, True),
        ({"more": {"b": {"anyOf": [{"enum": ["y"]}, {"type": "null"}]}}}, True),
    ],
)
def test_a_break_is_seen(new: dict[str, Any], is_break: bool) -> None:
    fields = {"a": {"type": "integer", "minimum": 1}, "b": {"enum": ["x", "y"]}}
    old = {"type": "object", "properties": fields, "required": ["a"]}
    changed = {**old, **new, "properties": {**fields, **new.get("more", {})}}
    assert bool(breaks(old, changed)) == is_break


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
