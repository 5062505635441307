"""Lettering: every sign of a guide's languages is drawn, and none as a box."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle.render.drawing.lettering import draw_text, text_width


def test_cyrillic_is_written_not_boxed() -> None:
    signs = "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюя№"
    drawn = {draw_text(sign, 40).tobytes() for sign in signs}
    missing = draw_text("?", 40).tobytes()
    assert missing not in drawn
    # Some capitals look as their small letters do, but not at one size.
    assert len(drawn) == len(signs)


def test_signs_that_the_face_lacks_become_question_marks() -> None:
    for text in ("\u4f60", "\U0001f9e9", "\u13a0"):
        np.testing.assert_array_equal(draw_text(text, 30), draw_text("?", 30))
    np.testing.assert_array_equal(draw_text("a\u4f60b", 30), draw_text("a?b", 30))


@given(st.text(max_size=12), st.floats(4, 60))
def test_any_text_can_be_written(text: str, size: float) -> None:
    cover = draw_text(text, size)
    assert cover.ndim == 2
    assert cover.dtype == np.uint8
    assert abs(cover.shape[1] - text_width(text, size)) <= 1.6
