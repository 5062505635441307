"""What the reference of the library is built from: every parameter is explained."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import imgpuzzle
from imgpuzzle import Board, Limits, Shape
from imgpuzzle.core import options, reading
from imgpuzzle.render.files.frames import Setting

MODULES = ("goals", "scramble")
OTHERS = {
    "Setting": Setting,
}


def public() -> Iterator[tuple[str, Any]]:
    """All public functions and classes, and the public methods of the classes."""
    found = {name: getattr(imgpuzzle, name) for name in imgpuzzle.__all__}
    for name in MODULES:
        module = found.pop(name)
        found |= {f"{name}.{inner}": getattr(module, inner) for inner in module.__all__}
    for name, value in {**found, **OTHERS}.items():
        if inspect.isclass(value):
            yield name, value
            for inner, member in inspect.getmembers(value, is_function):
                # Errors and enums inherit methods of Python's own.
                if not inner.startswith("_") and "imgpuzzle" in member.__module__:
                    yield f"{name}.{inner}", member
        elif is_function(value):
            yield name, value


def is_function(value: Any) -> bool:
    return inspect.isfunction(value) or inspect.ismethod(value)


PUBLIC = dict(public())


def section(text: str, title: str) -> set[str]:
    """The names that a section of a docstring explains."""
    match = re.search(rf"^{title}:\n((?: +.*\n?|\n)+)", text, re.MULTILINE)
    return set(
        re.findall(r"^    \*{0,2}(\w+): \S", match[1], re.MULTILINE) if match else ()
    )


def wanted(value: Any) -> tuple[str, set[str]]:
    if not inspect.isclass(value):
        names = set(inspect.signature(value).parameters)
        return "Args", names - {"self", "cls"}
    if dataclasses.is_dataclass(value):
        return "Attributes", {field.name for field in dataclasses.fields(value)}
    if value in OTHERS.values():
        return "Attributes", set(value.__annotations__)
    return "Attributes", set()


@pytest.mark.parametrize("name", PUBLIC)
def test_every_parameter_is_explained(name: str) -> None:
    text = inspect.getdoc(PUBLIC[name]) or ""
    title, names = wanted(PUBLIC[name])
    assert text, "no docstring"
    explained = section(text, title)
    assert names <= explained, "some are not explained"
    # Errors explain what they carry, which is in no signature.
    assert explained == names or title == "Attributes", "some do not exist"
    # Roles of another tool would be shown as they are.
    assert not re.search(r":\w+:`|^::$", text, re.MULTILINE)
    assert not re.search(r"\b(Raises|Returns) [`A-Z]", text), "no section"


def test_representations_fit_in_a_line() -> None:
    guide = imgpuzzle.solve_board(Board.parse("1 2 3 / 4 0 5 / 7 8 6"))
    tile = np.zeros((20, 20, 3), np.uint8)
    reading = imgpuzzle.Reading(
        guide.solution.start,
        guide.solution.goal,
        imgpuzzle.Region(54, 158, 60, 60),
        "reference",
        1.0,
        True,
        tiles=(tile,) * 9,
        confidence=0.99,
        cell_confidence=(1.0,) * 9,
    )
    step = next(guide.solution.steps())
    frame = imgpuzzle.Frame(tile, 700)
    shown = {
        repr(guide): "<Guide 3x3: 2 moves, shortest>",
        repr(guide.solution): "<Solution 3x3: 2 moves, shortest>",
        repr(step): "<Step 1: tile 5 left, (1, 2) to (1, 1)>",
        repr(reading): (
            "<Reading 3x3 at 54,158,60,60 by reference: certain, confidence 99%>"
        ),
        repr(guide.tileset): "<TileSet 3x3: tiles of 96x96 px, gaps of 4 px>",
        repr(frame): "<Frame 20x20 px for 700 ms>",
        repr(imgpuzzle.hint(guide.solution.start)): (
            "<Hint 3x3: 2 moves, shortest; next: "
            "<Step 1: tile 5 left, (1, 2) to (1, 1)>>"
        ),
    }
    assert list(shown) == list(shown.values())


@pytest.mark.parametrize(
    "value",
    [
        Shape(4, 3),
        Board.parse("1 2 3 / 4 0 5"),
        Board(Shape(1, 4), (1, 2, 3, 0)),
        Board(Shape(1, 9), tuple(range(9))),
        Board(Shape(4, 1), (1, 2, 3, 0)),
        Board(Shape(1, 3), (1_000_000, 0, 2)),
        Board(Shape(2, 2), (5, 5, 5, 0)),
        imgpuzzle.Region(1, 2, 3, 4),
        Limits(seconds=5),
        imgpuzzle.Style(),
        imgpuzzle.Style(arrow=False, ahead=2, title="x"),
    ],
    ids=repr,
)
def test_values_can_be_typed_in_as_they_are_shown(value: object) -> None:
    text = repr(value)
    assert len(text) < 80
    assert eval(text, vars(imgpuzzle)) == value


def test_keywords_are_the_fields_of_the_options() -> None:
    """Type checkers see the keywords of functions that take the fields of options."""
    for kind, keywords in (
        (options.ReadOptions, options.ReadKeywords),
        (options.SaveOptions, options.SaveKeywords),
        (options.SearchOptions, options.SearchKeywords),
    ):
        # Names that are imported for type checkers alone.
        fields = typing.get_type_hints(kind, localns=vars(reading))
        taken = typing.get_type_hints(keywords, localns=vars(reading))
        # What is known of a board may be written, too.
        for name in ("shape", "region", "corners", "blank") if "shape" in taken else ():
            forms = set(typing.get_args(taken.pop(name)))
            assert {str, *typing.get_args(fields.pop(name))} <= forms
        assert taken == fields
        assert keywords.__total__ is False
