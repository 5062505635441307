"""What the server says in English has words of the page's own, in every language.

The sentences are taken from the sources, so that a new one without words is noticed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_web_messages import STATIC, fields, forms, messages

import imgpuzzle
from imgpuzzle.board import Board
from imgpuzzle.boardfile import parse_boards, parse_goal
from imgpuzzle.errors import InvalidBoardError, InvalidImageError
from imgpuzzle.image import decode_image
from imgpuzzle.messages import Doubt, Note, Refusal
from imgpuzzle.solvability import why_unsolvable

PACKAGE = Path(imgpuzzle.__file__).parent
SAYINGS = [
    # JavaScript and Python write the names of groups in two ways.
    (re.compile(pattern.replace("(?<", "(?P<")), key)
    for pattern, key in re.findall(
        r'^  \[/(.+)/, "(\w+)"\],$', (STATIC / "sayings.js").read_text("utf-8"), re.M
    )
]

FOR_PROGRAMS = (
    # The page itself sends none of these.
    *("expected a screenshot or the name", "expected a sample", "expected one of "),
    *("expected a metric", "expected a format", "expected a version as after"),
    *("expected multipart", "expected a multipart", "expected a complete multipart"),
    *("expected a boundary", "expected short headers", "expected the field"),
    *("expected fields of", "expected text ", "expected at most 7 parts"),
    *("expected at most 7 bytes", "expected application/json", "expected an object"),
    *("expected a picture as ", "expected a picture of the reading, found none"),
    "expected true or false as preview",
    *("expected a job that is done", "expected a correction", "expected two cells to"),
    *("expected a 7 of", "expected a goal with the numbers", "expected another method"),
    *("expected either --region", "expected --goal-blank", "nothing is there"),
    *("expected this server's own name", "expected a request of this page"),
    *("the server failed", "expected an RGB array", "expected a file, found"),
    *("expected a sample's picture", "expected 7, found 7", "7: 7"),
    # A reason follows: those are looked at by themselves.
    "the board cannot be solved: 7",
)


def said(sentence: str) -> str | None:
    """The message for a sentence, as the page finds it."""
    return next((key for known, key in SAYINGS if known.search(sentence)), None)


def literal(node: ast.AST) -> str | None:
    """The text of an expression, with something likely in place of what varies."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.BinOp):
        parts = [literal(node.left), literal(node.right)]
        return "".join(part or "" for part in parts) or None
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) or "" for part in node.values)
    if isinstance(node, ast.FormattedValue):
        name = ast.unparse(node.value)
        if name == "where" or (name == "name" and node.conversion == ord("r")):
            return "'the screenshot'"
        return "7x7" if "shape" in name else "pictures" if name == "unit" else "7"
    return None


def sources(*patterns: str) -> Iterator[ast.AST]:
    for pattern in patterns:
        found = sorted(PACKAGE.glob(pattern))
        assert found, pattern
        for path in found:
            yield from ast.walk(ast.parse(path.read_text("utf-8")))


def errors(*patterns: str) -> set[str]:
    """The messages of all errors that are raised there."""
    found: set[str] = set()
    for node in sources(*patterns):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        texts = [literal(one) for one in node.args]
        if name == "ApiError":
            found |= {text for text in texts[1:2] if text}
        elif name.endswith("Error") and name not in ("ValueError", "TypeError"):
            found |= {text for text in texts[:1] if text}
        elif name == "_no_screenshot":
            found.add("expected a reading of a screenshot for 7, found a board")
    return found


def file_notes() -> set[str]:
    """The sentence about a file: each part of it."""
    found = set()
    for node in sources("render/animation.py", "web/drawing.py"):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "notes.append":
            found.add(literal(node.args[0]))
    return {text for text in found if text}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_comes_as_data_has_words(language: str) -> None:
    table = messages(language)
    # The page takes a doubtful reading, and says itself what is doubtful in it.
    kinds = [*Doubt, *Note, *(kind for kind in Refusal if "uncertain" not in kind)]
    assert len(kinds) > 25
    for kind in kinds:
        keys = [f"{word}_{kind.value}" for word in ("error", "say")]
        (key,) = (key for key in keys if key in table)
        for form in forms(table[key]):
            assert fields(form) <= kind.fields, key


def test_errors_have_words_but_for_those_of_programs() -> None:
    found = errors("vision/*.py", "image.py", "web/*.py")
    found = {text for text in found if not text.startswith(FOR_PROGRAMS)}
    # Of the readers' parts; programs meet them, or the command line.
    found -= errors("vision/numbers/digits.py") | errors("web/serving.py")
    # No browser sends what these refuse.
    found -= errors("web/connections.py")
    found -= errors("image.py") - errors("vision/*.py") - pictures()
    assert len(found) > 30
    assert {text for text in found if said(text) is None} == set()


def pictures() -> set[str]:
    """What is wrong with pictures; files are not written or opened by name here."""
    wrong = ("could not write", "expected a picture suffix", "expected a file, found")
    return {
        text
        for text in errors("image.py")
        if not text.startswith((*wrong, "expected an RGB", "could not read"))
    }


def test_what_was_given_up_for_a_small_file_has_words() -> None:
    found = file_notes()
    assert len(found) == 5
    assert {text for text in found if said(text) is None} == set()


@pytest.mark.parametrize(
    ("start", "goal", "key"),
    [
        ("2 1 3 / 4 5 6 / 7 8 0", "1 2 3 / 4 5 6 / 7 8 0", "reason_half"),
        ("1 2 4 / 3 0 5", "1 2 3 / 4 6 0", "reason_tiles"),
        ("1 3 2 4 0", "1 2 3 4 0", "reason_order"),
    ],
)
def test_reasons_have_words(start: str, goal: str, key: str) -> None:
    reason = why_unsolvable(Board.parse(start), Board.parse(goal))
    assert reason is not None
    assert said(reason) == key
    assert said(f"the board cannot be solved: {reason}") == key


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"", "say_empty_file"),
        (b"text", "say_no_picture"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "say_no_picture"),
        (b"P6 3 3 255\n" + bytes(27), "say_few_px"),
        (b"P6 30 30 255\n" + bytes(27), "say_damaged"),
        (b"P6 30000 30000 255\n" + bytes(27), "say_many_px"),
    ],
)
def test_pictures_that_cannot_be_read_have_words(data: bytes, key: str) -> None:
    with pytest.raises(InvalidImageError) as raised:
        decode_image(data, name="the screenshot")
    if key == "say_many_px" and "far more" in str(raised.value):
        key = "say_far_too_many_px"
    assert said(str(raised.value)) == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        *(("", "say_no_numbers"), ("1 2 / 3", "say_rows"), ("0", "say_one_cell")),
        *(("1 2 / 3 x", "say_no_number"), ("1 1 / 1 1", "say_blanks")),
        *(("0 0 / 1 2", "say_blanks"), ("goal: 1 2 / 3 0", "say_only_goal")),
        ("1 0\n\n0 1\n\n1 0", "say_one_goal"),
    ],
)
def test_typed_boards_that_are_none_have_words(text: str, key: str) -> None:
    with pytest.raises(InvalidBoardError) as raised:
        parse_boards(text)
    assert said(str(raised.value)) == key
    if key in ("say_rows", "say_no_number", "say_blanks"):
        with pytest.raises(InvalidBoardError) as raised:
            parse_goal(text, Board.parse("1 2 / 3 0"))
        assert said(str(raised.value)) == key


def test_every_saying_has_its_fields_and_is_translated() -> None:
    tables = {language: messages(language) for language in ("en", "ru")}
    assert len(SAYINGS) > 60
    for pattern, key in SAYINGS:
        given = set(pattern.groupindex)
        for language, table in tables.items():
            for form in forms(table[key]):
                assert fields(form) <= given, (language, key)
                if language == "ru":
                    assert re.search("[а-яё]", form), key
        assert forms(tables["en"][key]) != forms(tables["ru"][key]), key


def test_each_sentence_finds_the_first_that_fits() -> None:
    assert said("nobody knows this") is None
    assert said("7 pictures a slide instead of 9") == "note_slides"
