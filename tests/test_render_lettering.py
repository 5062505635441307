"""Lettering: every sign of a guide's languages is drawn, and none as a box."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import imgpuzzle
from imgpuzzle.render.drawing.lettering import draw_text, text_width, unwritable


def test_cyrillic_is_written_not_boxed() -> None:
    signs = "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюя№"
    drawn = {draw_text(sign, 40).tobytes() for sign in signs}
    missing = draw_text("?", 40).tobytes()
    assert missing not in drawn
    # Some capitals look as their small letters do, but not at one size.
    assert len(drawn) == len(signs)


def test_signs_that_no_face_has_become_question_marks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from imgpuzzle.render.drawing import lettering

    monkeypatch.setattr(lettering, "_wide_names", lambda: ())
    lettering._wide_faces.cache_clear()
    try:
        for text in ("\u4f60", "\U0001f9e9", "\u13a0"):
            np.testing.assert_array_equal(draw_text(text, 30), draw_text("?", 30))
        np.testing.assert_array_equal(draw_text("a\u4f60b", 30), draw_text("a?b", 30))
    finally:
        lettering._wide_faces.cache_clear()


def test_another_face_steps_in_where_the_system_has_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from imgpuzzle.render.drawing import lettering

    # Greek is not in the bundled subset; stand in any system face that has it.
    found = [f for f in lettering._wide_names() if "DejaVuSans.ttf" in f]
    if not found:
        pytest.skip("no system face with Greek letters")
    alpha = draw_text("\u03b1", 30)
    assert (alpha.shape != draw_text("?", 30).shape) or (
        alpha != draw_text("?", 30)
    ).any()


def test_the_face_has_every_sign_that_the_program_writes() -> None:
    """Those of moves, too: an exchange is a double arrow, a turn one in a circle."""
    assert not unwritable("\u2194 \u21bb \u21ba \u00d7 \u2192 \u2713")
    for path in sorted(Path(imgpuzzle.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not unwritable(node.value), path


@given(st.text(max_size=12), st.floats(4, 60))
def test_any_text_can_be_written(text: str, size: float) -> None:
    cover = draw_text(text, size)
    assert cover.ndim == 2
    assert cover.dtype == np.uint8
    assert abs(cover.shape[1] - text_width(text, size)) <= 1.6
