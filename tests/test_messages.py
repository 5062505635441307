"""Messages: kinds with values, their sentences in every language, and JSON."""

from __future__ import annotations

import json
import pickle
import re
import string
from collections.abc import Hashable

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle.cli import main
from imgpuzzle.core.board import Shape
from imgpuzzle.core.language import LANGUAGES, words
from imgpuzzle.core.reading import Region
from imgpuzzle.errors import UsageError
from imgpuzzle.messages import (
    Doubt,
    Economy,
    Kind,
    Message,
    Note,
    Refusal,
    Term,
    Work,
    known_kinds,
)

KINDS = sorted(known_kinds().values(), key=str)
LATIN = re.compile(r"[A-Za-z]{2,}")
# Options, what stands for their values, names of programs and of formats.
OPTION = re.compile(r"--[a-z-]+|\bFILE\.png|\b[A-Z]{2,}(?:x[A-Z]+)?\b")
NAMES = {
    *("imgpuzzle", "solve", "hint", "check", "scramble", "batch", "watch"),
    *("px", "max", "webp", "WebP", "gif", "MP"),
    *("pip", "install", "av", "pillow", "PyAV", "Pillow", "MB"),
    *("adb", "Android", "alt", "ctrl", "none", "WebM"),
    *("fifteen", "sixteen", "twiddle"),
}
SAME = (Economy.FILE, Term.OF_FIELD, Work.BOARDS_RATED)
"""Nothing but values, and what stands between them."""


def specification(kind: Kind, field: str) -> str:
    parts = string.Formatter().parse(kind.text)
    return next(how or "" for _, name, how, _ in parts if name == field)


def sample(kind: Kind, field: str) -> Hashable:
    """A value for a field that no sentence has by itself."""
    how = specification(kind, field)
    if "|" in how:
        return 31, 42
    if how == ", ":
        return "~one~", "~other~"
    by_how = {"": f"~{field}~", ",": 31_042, "g": 31.5, ".0%": 0.4321}
    return 31 if field == "count" else by_how[how]


def example(kind: Kind) -> Message:
    return Message(kind, **{name: sample(kind, name) for name in kind.fields})


def test_codes_are_short_and_say_one_thing() -> None:
    assert len(KINDS) == sum(len(group) for group in Kind.__subclasses__()) > 140
    # Names of one word may be those of two things: of a part, and of work on it.
    sentences = [kind.text for kind in KINDS if " " in kind.text]
    assert len(set(sentences)) == len(sentences)
    for kind in KINDS:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", kind.value)
        assert len(kind.value) <= 28


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_is_worded_with_its_values(language: str) -> None:
    for kind in KINDS:
        check_wording(kind, language)


def check_wording(kind: Kind, language: str) -> None:
    message = example(kind)
    worded = message.worded(words(language))
    assert "{" not in worded
    for name, value in message.values:
        how = specification(kind, name)
        shown = format(value, how) if not isinstance(value, tuple) else None
        shown = shown or ", ".join(map(str, value))  # type: ignore[arg-type]
        assert shown in worded, name
    if language == "en":
        assert worded == str(message)
    else:
        assert worded != str(message) or kind in SAME
    if language == "ru":
        left = re.sub(r"~\w+~", "", OPTION.sub("", worded))
        assert set(LATIN.findall(left)) <= NAMES, worded


def options_of(command: str) -> set[str]:
    """All options of a command, also those that its help does not list."""
    context = click.Context(main)
    found = main.get_command(context, command)  # type: ignore[attr-defined]
    return {name for one in found.params for name in (*one.opts, *one.secondary_opts)}


READERS = ("read", "solve", "hint", "check", "watch", "play", "review")
"""The commands that read a board, and say what the reader has to say of it."""
SAID_BY: dict[type[Kind], tuple[str, ...]] = {
    **dict.fromkeys((Doubt, Note, Refusal, Term), READERS),
}


def test_every_option_that_is_named_can_be_given() -> None:
    """What a message helps with is an option of the command that says it."""
    every = main.list_commands(click.Context(main))  # type: ignore[attr-defined]
    known = {command: options_of(command) for command in every}
    anywhere = set().union(*known.values()) | {"--upgrade"}
    for kind in KINDS:
        named = set(re.findall(r"--[a-z][a-z-]+", kind.text + kind.several))
        # Other messages are of one command or a few, which has what they name.
        assert named <= anywhere, kind
        for command in SAID_BY.get(type(kind), ()):
            assert named <= known[command], (kind, command)


def test_the_help_of_a_command_names_its_own_options() -> None:
    every = main.list_commands(click.Context(main))  # type: ignore[attr-defined]
    for command in every:
        found = main.get_command(click.Context(main), command)  # type: ignore[attr-defined]
        if not isinstance(found, click.Group):
            shown = found.get_help(click.Context(found))
            named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", shown))
            assert named <= options_of(command) | {"--help"}, command


def test_values_are_those_of_the_sentence() -> None:
    with pytest.raises(TypeError, match=r"expected the values \['one', 'other'\]"):
        Message(Refusal.TWO_GRIDS, one=Shape(3, 3))
    with pytest.raises(TypeError, match="found \\['cells'\\]"):
        Message(Doubt.CUT_OFF, cells=3)


def plain() -> st.SearchStrategy[Hashable]:
    return st.one_of(
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(),
        st.builds(Shape, st.integers(1, 32), st.integers(2, 32)),
        st.builds(Region, *[st.integers(0, 9999)] * 4),
    )


@st.composite
def messages(draw: st.DrawFn, depth: int = 2) -> Message:
    kind = draw(st.sampled_from(KINDS))
    values: dict[str, Hashable] = {}
    for name in sorted(kind.fields):
        how = specification(kind, name)
        if name == "count" or how == ",":
            values[name] = draw(st.integers(0, 10**6))
        elif how in ("g", ".0%"):
            values[name] = draw(st.floats(0, 1))
        elif "|" in how:
            values[name] = draw(st.lists(st.integers(), min_size=1).map(tuple))
        elif f"{{{name}!r" in kind.text:
            values[name] = draw(st.one_of(st.text(), st.integers()))
        elif depth and draw(st.booleans()):
            inner = messages(depth - 1)
            several = st.lists(inner, max_size=3).map(tuple)
            values[name] = draw(several if how else st.one_of(inner, several))
        else:
            values[name] = () if how else draw(plain())
    return Message(kind, **values)


@given(messages())
def test_json_says_the_same(message: Message) -> None:
    data = json.loads(json.dumps(message.to_dict()))
    again = Message.from_dict(data)
    assert again.kind == message.kind
    assert again.to_dict() == message.to_dict()
    for language in LANGUAGES:
        assert again.worded(words(language)) == message.worded(words(language))


@given(messages())
def test_messages_are_values(message: Message) -> None:
    again = pickle.loads(pickle.dumps(message))
    assert again == message
    assert hash(again) == hash(message)
    assert again.kind is message.kind


def test_a_code_that_is_not_known() -> None:
    with pytest.raises(KeyError):
        Message.from_dict({"kind": "never_said"})


def test_what_is_said_once_is_a_message_too() -> None:
    error = UsageError.said("could not write {target!r}: {why}", target="a", why="full")
    assert str(error) == "could not write 'a': full"
    assert error.message.worded(words("de")) == (
        "'a' konnte nicht geschrieben werden: full"
    )
    data = json.loads(json.dumps(error.message.to_dict()))
    assert Message.from_dict(data) == error.message
    assert pickle.loads(pickle.dumps(error)).message == error.message
    with pytest.raises(TypeError, match="expected the values"):
        UsageError.said("could not read {name!r}")
