"""Any JSON as parameters of the page: taken, or refused in one line."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle.errors import PuzzleError
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.spec import taken
from imgpuzzle.web.endpoints import parameters

NAMES = st.sampled_from(
    [
        *("goal_layout", "goal_blank", "grid", "region", "corners", "distinct"),
        *("board", "goal", "swap", "blank", "columns", "gap_px", "per_page", "size"),
        *("crop_px", "max_bytes", "paper", "full_size", "time_limit"),
        *("metric", "max_moves", "answer"),
        *(one.name for one in dataclasses.fields(Style)),
    ]
)
WORDS = st.sampled_from(["row", "snake", "first", "3x3", "a4", "en", "1 2/3 0", "1,2"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(NAMES, inner),
    max_leaves=5,
)


def board(given: dict[str, Any]) -> None:
    parameters.board_rows(given.get("board"), "board")


def changes(given: dict[str, Any]) -> None:
    parameters.json_changes(given)


def options(given: dict[str, Any]) -> None:
    asked = {"reading": "a", "job": "b", "format": "gif", "options": given}
    taken(parameters.Render, asked, "guide")


def style(given: dict[str, Any]) -> None:
    asked = {"reading": "a", "job": "b", "format": "gif", "style": given}
    taken(parameters.Render, asked, "guide")


def search(given: dict[str, Any]) -> None:
    taken(parameters.Solve, {"reading": "a", **given}, "search")


@pytest.mark.slow
@given(given=st.dictionaries(NAMES, VALUES, max_size=4))
@pytest.mark.parametrize(
    "check",
    [board, changes, options, style, search],
    ids=lambda check: check.__name__,
)
def test_any_object_is_taken_or_refused(check: Any, given: dict[str, Any]) -> None:
    with contextlib.suppress(PuzzleError):
        check(given)
