"""What the commands share that look at a running game: where it is, and what it is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from imgpuzzle.cli import options, speech, values
from imgpuzzle.cli.source import understood
from imgpuzzle.cli.terminal import note, say_idle
from imgpuzzle.core.board import TurnedBoard
from imgpuzzle.core.reading import GridAmbiguousError
from imgpuzzle.errors import PuzzleError, UsageError
from imgpuzzle.files.image import REFERENCE_PX, check_size, load_image
from imgpuzzle.files.recording import USUAL_FPS
from imgpuzzle.messages import LiveFault, Message
from imgpuzzle.puzzles.kind import kind_of

if TYPE_CHECKING:
    from pathlib import Path

    from imgpuzzle.core.reading import Region
    from imgpuzzle.live.sources import Recording, Source
    from imgpuzzle.live.tracking import Tracker

ANY_PHONE = ""
"""What ``--adb`` means without a name."""


def fps_option(*, is_hidden: bool = False) -> options.Decorator:
    """The option that gives a folder of pictures its clock."""
    return click.option(
        "--fps",
        hidden=is_hidden,
        type=values.NumberRange(0.01, 1000.0),
        default=USUAL_FPS,
        metavar="NUMBER",
        help="How many pictures of a folder are a second.",
    )


def _large_enough(_: object, __: object, place: Region | None) -> Region | None:
    if place is not None:
        check_size(place.width, place.height, "--region")
    return place


def part_option(what: str) -> options.Decorator:
    """``--region``, as the parameter ``place``: the part of what is looked at."""
    return click.option(
        "--region",
        "place",
        type=values.RegionType(),
        callback=_large_enough,
        help=f"Look at this part of {what}, in px.",
    )


def source_options(*, frames: bool) -> options.Decorator:
    """Where to look; ``--frames`` is known, but not shown, where only games count."""
    return options.stack(
        click.option(
            "--window",
            metavar="TITLE",
            help="Look at the window with this in its title, wherever it is moved.",
        ),
        part_option("the screen, or of a recording" if frames else "the screen"),
        click.option(
            "--screen",
            type=values.WholeRange(1),
            help="Look at the screen of this number; by default the first one.",
        ),
        click.option(
            "--adb",
            is_flag=False,
            flag_value=ANY_PHONE,
            metavar="[SERIAL]",
            help="Look at the phone that the program adb reaches; its name, if "
            "several.",
        ),
        click.option(
            "--frames",
            hidden=not frames,
            type=values.PathType(),
            metavar="PATH",
            help="Look at this recording instead: a GIF, a film, or a folder of "
            "pictures in the order of their names.",
        ),
        fps_option(is_hidden=not frames),
    )


reading_options = options.stack(
    options.reference_option,
    options.known["shape"],
    options.goal_options,
    options.known_options,
    options.trust,
)
"""All that says how a board is read; ``--region`` is a part of what is looked at."""


def is_live(given: options.Given) -> bool:
    """Whether frames come as time goes by, and not from files."""
    return given.frames is None


def advised(error: PuzzleError, given: options.Given) -> PuzzleError:
    """What is wrong with a frame, with what else helps where games are running."""
    is_screen = is_live(given) and given.window is None and given.adb is None
    if not (is_screen and isinstance(error, GridAmbiguousError) and error.regions):
        return error
    message = Message(LiveFault.OR_WINDOW, fault=error.message or str(error))
    return GridAmbiguousError(message, error.candidates, error.regions)


def recorded(path: Path, given: options.Given) -> Recording:
    """The frames of a recording; only a folder of pictures needs to be told its clock.

    Raises ``UsageError`` for a folder without pictures.
    """
    from imgpuzzle.live.sources import Recording

    if not path.is_dir():
        words = speech.gettext("no effect on {kinds}: {options}")
        say_idle(words, ["fps"], kinds=path.name)
    return Recording(path, given.fps, region=given.place)


@contextmanager
def opened(given: options.Given) -> Iterator[Source]:
    """The source that the options name, closed in the end.

    What is ambiguous there is said with what else helps. Raises ``UsageError`` for more
    than one, and ``InvalidImageError`` for a reference that is no picture: nobody shall
    wait for a puzzle that could not be read then.
    """
    from imgpuzzle.live import sources, x11

    values: dict[str, Any] = {
        "--window": given.window,
        "--region": given.place,
        "--screen": given.screen,
        "--adb": given.adb,
        "--frames": given.frames,
    }
    named = [name for name, value in values.items() if value is not None]
    if len(named) > 1 and named != ["--region", "--frames"]:
        raise UsageError.said(LiveFault.MANY_SOURCES, found=tuple(named))
    if given.reference is not None:
        load_image(given.reference, most_px=REFERENCE_PX)
    source: Source
    if given.window is not None:
        source = sources.WindowSource(given.window)
    elif given.adb is not None:
        source = sources.AdbSource(given.adb or None)
    elif given.frames is not None:
        source = recorded(given.frames, given)
    else:
        source = sources.ScreenSource(given.screen, region=given.place)
    try:
        with x11.lost_is_said():
            yield source
    except GridAmbiguousError as error:
        raise advised(error, given) from None
    finally:
        source.close()


def tracked(source: Source, given: options.Given, **how: Any) -> Tracker:
    """Who looks at a source, with all that the options say of the board.

    ``given`` are the values of ``reading_options``; ``how`` is for ``Tracker``.
    """
    from imgpuzzle.live.tracking import Tracker

    kind = kind_of(given.kind)
    if issubclass(kind.board, TurnedBoard):
        raise UsageError.said(
            "tiles that turn are not followed yet, found --puzzle {puzzle}; imgpuzzle "
            "solve shows all clicks",
            puzzle=kind.name,
        )
    return Tracker(
        source,
        read=partial(understood, given, is_upright=True),
        kind=kind,
        trust=given.trust,
        **how,
    )


def say_reading() -> None:
    """Say to who sits there that a moment passes; scripts are told by other means."""
    if sys.stderr is not None and sys.stderr.isatty():
        note(speech.gettext("reading what is on the screen"))
