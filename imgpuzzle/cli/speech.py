"""The language of the terminal: messages of the commands, and of what they call.

What the commands say goes through ``gettext`` and ``ngettext``. The library speaks
English: where one of its sentences is for a player, ``said`` finds the message of the
catalogue that says the same; ``mistakes`` has those on errors. Standard output as JSON
stays English.
"""

from __future__ import annotations

import re

from imgpuzzle.language import choose_language, words
from imgpuzzle.messages import Message

__all__ = [
    "gettext",
    "language",
    "moves",
    "ngettext",
    "said",
    "slides",
    "speak",
    "worded",
]

_spoken = ["en"]


def speak(asked: str | None = None) -> None:
    """Speak the language that is asked for, or that of the environment."""
    _spoken[0] = choose_language(asked)


def language() -> str:
    """The language that is spoken, one of ``imgpuzzle.language.LANGUAGES``."""
    return _spoken[0]


def gettext(message: str) -> str:
    """A message in the language that is spoken."""
    # Under another name: the catalogue's script looks at calls of gettext itself.
    translate = words(_spoken[0]).gettext
    return translate(message)


def ngettext(one: str, several: str, count: int) -> str:
    """The same for messages whose form depends on a count."""
    translate = words(_spoken[0]).ngettext
    return translate(one, several, count)


def moves(count: int) -> str:
    """``1 move``, ``1,200 moves``."""
    return ngettext("{count} move", "{count} moves", count).format(count=f"{count:,}")


def slides(count: int) -> str:
    """``1 slide``, ``1,200 slides``."""
    return ngettext("{count} slide", "{count} slides", count).format(count=f"{count:,}")


def worded(message: Message) -> str:
    """A message in the language that is spoken."""
    return message.worded(words(_spoken[0]))


def said(sentence: str) -> str:
    """A sentence of the library in the language that is spoken.

    One that is not known stays as it is: better English than nothing.
    """
    if _spoken[0] == "en":
        return sentence
    for pattern, message in (*_reasons(), *_refusals(), *_work()):
        match = re.search(pattern, sentence)
        if match:
            return message.format(**match.groupdict())
    return sentence


def _reasons() -> tuple[tuple[str, str], ...]:
    """Why a goal cannot be reached."""
    _ = gettext
    return (
        (
            "half of all arrangements",
            _(
                "no sequence of moves leads from this position to that goal: half of "
                "all arrangements can never reach it, and this is one of them"
            ),
        ),
        (
            "start and goal have different tiles",
            _("start and goal have different tiles"),
        ),
        (
            "tiles keep their order",
            _(
                "on a board of one row or column the tiles keep their order, and start "
                "and goal have different orders"
            ),
        ),
    )


def _work() -> tuple[tuple[str, str], ...]:
    """What is done before a search begins, and given up for a small file."""
    _ = gettext
    return (
        ("^building tables once$", _("building tables once")),
        ("^ready$", _("ready")),
        (r"^scaled to (?P<size>\d+x\d+) px$", _("scaled to {size} px")),
        (
            r"^(?P<count>\d+) pictures? a slide instead of (?P<full>\d+)$",
            _("pictures a slide: {count} instead of {full}"),
        ),
        (r"^(?P<count>\d+) colours$", _("colours: {count}")),
        ("^step pictures$", _("step pictures")),
        ("^sheets$", _("sheets")),
        (r"^pictures of (?P<size>\d+x\d+) px$", _("pictures of {size} px")),
        (
            r"^about (?P<size>[\d,]+) MB$",
            _("about {size} MB"),
        ),
        ("^less without --full-size$", _("less without --full-size")),
        ("^--full-size keeps them$", _("--full-size keeps them as large as the board")),
        ("^coarser compression$", _("coarser compression")),
        (
            r"^expected an animation of at most .* takes (?P<least>[\d,]+)",
            _("no animation is that small: --max-bytes must be at least {least}"),
        ),
    )


def _refusals() -> tuple[tuple[str, str], ...]:
    """Screenshots and pictures in which no board is found."""
    _ = gettext
    file = r"in '?(?P<name>.+?)'?$"
    return (
        (
            r"^expected at most (?P<most>\d+) million px",
            _("expected a picture of at most {most} million px, found more"),
        ),
        (
            r"^expected a picture of at least (?P<least>\d+x\d+) px, found "
            r"(?P<size>\d+x\d+)",
            _("expected a picture of at least {least} px, found {size}"),
        ),
        (
            rf"found an empty file {file}",
            _("expected a picture, found an empty file: {name}"),
        ),
        (
            rf"found the unsupported format \S+ {file}",
            _("expected a PNG, JPEG, WebP or GIF, found another format: {name}"),
        ),
        (
            rf"found no known picture format {file}",
            _("expected a PNG, JPEG, WebP or GIF, found another kind of file: {name}"),
        ),
        (
            r"^expected a complete picture, could not read '?(?P<name>.+?)'?:",
            _("the picture is damaged or not complete: {name}"),
        ),
        (
            rf"found neither a picture nor a board {file}",
            _("expected a screenshot or a board of numbers, found neither: {name}"),
        ),
        (
            "^expected a file, found the folder '?(?P<name>.+?)'?$",
            _("expected a file, found a folder: {name}"),
        ),
        (
            "^expected a (board or a )?file, found no (file )?'?(?P<name>.+?)'?$",
            _("there is no such file: {name}"),
        ),
        (
            "^could not read '?(?P<name>.+?)'?:",
            _("the file could not be read: {name}"),
        ),
        (
            r"^expected at most (?P<most>\d+) MB",
            _("expected a file of at most {most} MB, found a larger one"),
        ),
        (
            r"^expected a reference at most (?P<most>\d+) times as long as wide",
            _("the reference is more than {most} times as long as wide"),
        ),
        (
            r"^expected a screenshot at most (?P<most>\d+) times as long as wide",
            _(
                "the screenshot is more than {most} times as long as wide; cut out the "
                "part with the board"
            ),
        ),
        (
            "^expected --region inside the screenshot",
            _("--region reaches beyond the screenshot"),
        ),
        (
            "^expected --corners inside the screenshot",
            _("expected --corners inside the screenshot, going round the board"),
        ),
        (
            r"^expected --grid from (?P<least>\d+x\d+) to (?P<most>\d+x\d+)",
            _("screenshots are read with --grid from {least} to {most}"),
        ),
    )
