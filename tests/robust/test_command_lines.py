"""Boards, pictures and options with anything wrong in them: one clear line."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image as PillowImage

from imgpuzzle.cli import main
from imgpuzzle.cli.values import NamesType
from tests.robust.calling import complaint

EASY = "1 2 3 / 4 0 5 / 7 8 6"
BOARDS = (
    EASY,
    "start: 1 2 / 0 3\ngoal: 1 2 / 3 0",
    "# a board\ngrid: 2x3\n1,2,3,4,5,0",
)
PIECES = st.one_of(
    st.sampled_from(
        ["goal:", "start:", "grid: 99x99", "# ", "/ /", "\n", "٣", "²", "nan"]
    ),
    st.integers(-3, 10**20).map(" {} ".format),
    st.text(max_size=3),
    st.text("0 /\0[", min_size=1, max_size=1).map(lambda letter: 3000 * letter),
)
SEARCH = ("--no-files", "--time-limit", "0.1")
GIVEN = (("check",), ("check", "--json"), ("hint", *SEARCH[1:]), ("solve", *SEARCH))
PATHS = ("out", "out.png", "out.gif", "out.xyz", "a/b.txt", ".", "folder.png", "")
WORDS = (
    *("", "0", "1", "-1", "3x3", "0x0", "nan", "1e9", "0.5", "9,9", "0,0,0,0", "row"),
    *("last", "auto", "none", "ru", "8MB", "-5k", "--", "1 2 / 3 0", "all", "x" * 3000),
)
ANY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def mistaken(draw: st.DrawFn) -> str:
    """A text of a board with up to four changes."""
    text = draw(st.sampled_from(BOARDS))
    for new in draw(st.lists(PIECES, max_size=4)):
        start = draw(st.integers(0, len(text)))
        text = text[:start] + new + text[start + draw(st.integers(0, 6)) :]
    return text


def commands() -> dict[str, list[click.Option]]:
    """The options of the commands that take boards."""
    found = {}
    for name in ("read", "solve", "hint", "check", "scramble", "render"):
        command = main.get_command(click.Context(main), name)
        assert command is not None
        options = [one for one in command.params if isinstance(one, click.Option)]
        found[name] = [one for one in options if "--help" not in one.opts]
    return found


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """A command with up to three of its options, each with any value."""
    known = commands()
    command = draw(st.sampled_from(sorted(known)))
    line = [command]
    if command != "scramble":
        line.append(
            draw(st.sampled_from([EASY, "board.txt", "1 2 / 0 3", "absent.png"]))
        )
    for option in draw(st.lists(st.sampled_from(known[command]), max_size=3)):
        line.append(draw(st.sampled_from(option.opts)))
        if option.is_flag:
            continue
        values = st.sampled_from(PATHS if "--output" in option.opts else WORDS)
        if isinstance(option.type, NamesType):
            values |= st.sampled_from(option.type.names())
        if option.opts[-1] in ("--annotate", "--assembled"):
            values = st.sampled_from(["annotated.png", "assembled.png"])
        line.append(draw(values))
    return (
        line if command != "solve" or {"-o", "--output"} & {*line} else [*line, *SEARCH]
    )


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "board.txt").write_text(EASY)
    return tmp_path


@pytest.mark.slow
@ANY
@given(text=mistaken(), command=st.sampled_from(GIVEN), how=st.integers(0, 2))
def test_any_text_is_a_board_or_one_line(
    text: str, command: tuple[str, ...], how: int, place: Path
) -> None:
    data = text.encode("utf-8", "replace")
    if how == 0 and "\0" not in text:
        wrong = complaint(*command, "--", text)
    elif how == 1:
        wrong = complaint(*command, "-", stdin=data)
    else:
        (place / "given.txt").write_bytes(data)
        wrong = complaint(*command, "given.txt")
    assert wrong == ""


@pytest.mark.slow
@ANY
@given(line=command_lines())
def test_any_options_are_taken_or_refused_in_one_line(
    line: list[str], place: Path
) -> None:
    assert complaint(*line) == ""


FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP", "ICO", "JPEG2000", "PPM", "QOI")
SHOT = Path(__file__).parents[2] / "sample_images" / "emblem_screenshot.png"


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A picture of any format, with up to three parts exchanged, added or lost."""
    out = io.BytesIO()
    with PillowImage.open(SHOT) as shot:
        small = shot.convert("RGB").resize((120, 90))
        small.save(out, draw(st.sampled_from(FORMATS)))
    data = out.getvalue()
    for new in draw(st.lists(st.binary(max_size=9), min_size=1, max_size=3)):
        # The head is the likeliest to say what the rest is.
        head = st.integers(0, min(128, len(data)))
        start = draw(head | st.integers(0, len(data)))
        lost = draw(st.just(len(new)) | st.integers(0, len(data)))
        data = data[:start] + new + data[start + lost :]
    return data


@pytest.mark.slow
@settings(ANY, max_examples=12)
@given(data=damaged(), is_drawn=st.booleans())
def test_any_picture_is_taken_or_refused_in_one_line(
    data: bytes, is_drawn: bool, place: Path
) -> None:
    (place / "damaged.png").write_bytes(data)
    if is_drawn:
        line = ["render", EASY, "--image", "damaged.png", "-o", "drawn.png"]
    else:
        line = ["read", "damaged.png", "--grid", "3x3", "--region", "5,5,80,80"]
    assert complaint(*line) == ""


ABSURD = (
    *("", "nan", "-1", "1.5", "1e400", "-inf", "9" * 400, "x" * 20_000, "+", ","),
    *("1000,9", "0,0,0,0", ",".join(["1e400"] * 8), "1000x1000", "1x1", "1 2 x 0"),
    *("foo", ".gif", "x.exe", "x.gif/", "nodir/a.png", "/", "-", "8TB", "long " * 100),
)


@pytest.mark.parametrize(
    ("option", "command"),
    {
        max(option.opts, key=len): command
        for command, options in commands().items()
        for option in options
        if not option.is_flag
    }.items(),
)
def test_every_option_takes_an_absurd_value_or_says_what_it_expects(
    command: str, option: str, place: Path
) -> None:
    """One command for each: an option is the same wherever it is taken."""
    # What is checked before it is opened: the beginning of a picture is none.
    (place / "shot.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    line = {
        "solve": [EASY, "--no-files"],
        "render": [EASY, "--output", "out.png"],
        "scramble": ["--method", "walk"],
        "read": ["shot.png"],
    }.get(command, [EASY])
    if option == "--output":
        line = [one for one in line if one not in ("--no-files", "--output", "out.png")]
    for value in ABSURD:
        assert complaint(command, *line, f"{option}={value}", stdin=b"") == ""


VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@pytest.mark.slow
@ANY
@given(
    changes=st.dictionaries(
        st.sampled_from(["start", "goal", "moves", "files"]), VALUES
    ),
    command=st.sampled_from([("check",), ("render", "--output", "out.png")]),
)
def test_an_answer_of_ours_may_say_anything(
    changes: dict[str, Any], command: tuple[str, ...], place: Path
) -> None:
    answer = {"start": [[1, 2], [0, 3]], "goal": [[1, 2], [3, 0]], "moves": []}
    (place / "answer.json").write_text(json.dumps({**answer, **changes}))
    assert complaint(*command, "answer.json") == ""
