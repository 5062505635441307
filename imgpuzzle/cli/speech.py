"""The language of the terminal: messages of the commands, and of what they call.

What the commands say goes through ``gettext`` and ``ngettext``. The library speaks
English: where one of its sentences is for a player, ``said`` finds the message of the
catalogue that says the same; ``mistakes`` has those on errors. Standard output as JSON
stays English.
"""

from __future__ import annotations

import re

from imgpuzzle.language import choose_language, words

__all__ = [
    "gettext",
    "language",
    "moves",
    "ngettext",
    "said",
    "slides",
    "speak",
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


def said(sentence: str) -> str:
    """A sentence of the library in the language that is spoken.

    One that is not known stays as it is: better English than nothing.
    """
    if _spoken[0] == "en":
        return sentence
    for pattern, message in (*_doubts(), *_reasons(), *_refusals(), *_work()):
        match = re.search(pattern, sentence)
        if match:
            return message.format(**match.groupdict())
    return sentence


def _doubts() -> tuple[tuple[str, str], ...]:
    """Why a reading is not certain, and remarks that cast no doubt."""
    _ = gettext
    return (
        (
            "^another arrangement explains",
            _("another arrangement explains the picture nearly as well"),
        ),
        (
            "speaks against the given place of the blank",
            _("the picture speaks against the given place of the blank"),
        ),
        (
            "half way through its slide",
            _("a tile was on its way; take the screenshot again when nothing moves"),
        ),
        (
            "empty cell looks like a piece",
            _("the empty cell looks like a piece of the picture, too"),
        ),
        (
            "^all tiles are at home, but the empty cell is in no corner",
            _("all tiles are at home, but the empty cell is in no corner"),
        ),
        (
            "^all tiles are at home",
            _(
                "all tiles are at home already, so the grid is a guess; if it is "
                "solved, --grid and --region confirm it"
            ),
        ),
        (
            "cut off by the edge",
            _("the board is cut off by the edge of the screenshot"),
        ),
        (
            "do not look like any part of the reference",
            _("some tiles do not look like any part of the reference"),
        ),
        (
            "match the reference poorly",
            _("the tiles match the reference poorly"),
        ),
        (
            "empty cell partly shows",
            _("the empty cell partly shows what belongs there"),
        ),
        (
            "picture under the numbers joins better",
            _(
                "the picture under the numbers joins better in another order than "
                "theirs"
            ),
        ),
        (
            "picture goes on beyond these tiles",
            _(
                "the picture goes on beyond these tiles, so the board may be larger; "
                "pass --grid"
            ),
        ),
        (
            "more tiles of this size lie beside these",
            _(
                "more tiles of this size lie beside these, so the board may be larger; "
                "pass --grid and --region of all of it"
            ),
        ),
        (
            "tiles do not join well",
            _("the tiles do not join well, whichever way they are put together"),
        ),
        (
            "some tiles look the same, so their places",
            _("some tiles look the same, so their places are a guess"),
        ),
        (
            "some tiles look different from the earlier screenshot",
            _(
                "some tiles look different from the earlier screenshot, or something "
                "covers them"
            ),
        ),
        (
            "these are not the tiles of the earlier screenshot",
            _("these are not the tiles of the earlier screenshot"),
        ),
        (
            "numbers on the tiles do not follow the picture",
            _("the numbers on the tiles do not follow the picture"),
        ),
        (
            "numbers on the tiles were read; the reference was left out",
            _("the numbers on the tiles were read; the reference was left out"),
        ),
    )


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
            "^expected a board that shows pieces of the reference, found none",
            _(
                "no board in the screenshot shows pieces of the reference; perhaps it "
                "is another puzzle's picture; --region and --grid may help"
            ),
        ),
        (
            "^expected a board, found none",
            _(
                "no board was found; pass --region LEFT,TOP,WIDTH,HEIGHT and --grid "
                "ROWSxCOLUMNS, a --reference PICTURE of the solved puzzle, or the "
                "numbers as text"
            ),
        ),
        (
            "found the picture of the reference complete at (?P<where>[0-9,]+)",
            _(
                "the screenshot shows the picture of the reference complete, at "
                "{where}: it is solved already, or only shows the goal; if the board "
                "is elsewhere, pass --region and --grid"
            ),
        ),
        (
            r"^found (?P<one>\d+x\d+) and (?P<other>\d+x\d+) equally likely",
            _("{one} and {other} fit equally well; pass --grid"),
        ),
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
