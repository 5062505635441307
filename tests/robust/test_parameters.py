"""Any JSON as parameters of the page: taken, or refused in one line."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imgpuzzle.render.style import Style
from imgpuzzle.web import parameters
from imgpuzzle.web.answers import ApiError

MOST_SIDE = 20

NAMES = st.sampled_from(
    [
        *("goal_layout", "goal_blank", "grid", "region", "corners", "distinct"),
        *("board", "goal", "swap", "blank", "columns", "gap_px", "per_page", "size"),
        *("crop_px", "max_bytes", "paper", "compact", "full_size"),
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
    parameters.board_rows(given.get("board"), "board", MOST_SIDE)


def corrections(given: dict[str, Any]) -> None:
    parameters.json_corrections(given, MOST_SIDE)


@settings(max_examples=60)
@given(given=st.dictionaries(NAMES, VALUES, max_size=4))
@pytest.mark.parametrize(
    "check",
    [
        *(parameters.json_helps, parameters.goal_choice, parameters.style_fields),
        *(parameters.draw_options, parameters.names_goal, corrections, board),
    ],
    ids=lambda check: check.__name__,
)
def test_any_object_is_taken_or_refused(check: Any, given: dict[str, Any]) -> None:
    with contextlib.suppress(ApiError):
        check(given)
