"""Writing guides: checked early, made in whole, then put in place."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from imgpuzzle.cli import report, speech
from imgpuzzle.cli.drawing import check_parent, written_words
from imgpuzzle.cli.guiding import GuideOptions, style_of
from imgpuzzle.cli.terminal import note, progress_bar, unwinding_when_terminated
from imgpuzzle.errors import OutputError, UsageError
from imgpuzzle.messages import Message

if TYPE_CHECKING:
    from imgpuzzle.folder import Written
    from imgpuzzle.outputs import SaveOptions
    from imgpuzzle.pipeline import Guide

__all__ = ["check_outputs", "write_guide"]

_LIKE_A_FILE = re.compile(r"\.[a-z][a-z0-9]+")
"""No new folder is called that; ``v1.2`` and ``conf.d`` are names for some."""

COLUMNS = 5

SHOWN_AFTER = 0.7
"""Seconds after which drawing is long work that wants a bar."""


FOLDER = "folder"
"""The kind of a target that is no file; others are suffixes."""

_MOVING = frozenset((".gif", ".webp", ".avif", ".apng", ".mp4", FOLDER))
_STEPS = frozenset((".zip", FOLDER))
_SHEETS = frozenset((".png", FOLDER))
_PAPER = frozenset((".pdf",))
_PAGE = frozenset((".html", FOLDER))
_MARKED = _MOVING | _STEPS | _SHEETS | _PAPER | _PAGE

_KINDS = {
    "columns": _SHEETS,
    "gap": _SHEETS,
    "per_page": _SHEETS | _PAPER,
    "compact": _SHEETS | _PAPER,
    "paper": _PAPER,
    "few_colours": _STEPS,
    "full_size": _STEPS | _SHEETS | _MOVING,
    "highlight": _MARKED,
    "caption": _MOVING | _STEPS,
    "ahead": _MARKED,
    # A PDF is for paper, which is light.
    "theme": _MARKED - _PAPER,
    "title": _SHEETS | _PAPER | _PAGE | _STEPS | {".md"},
    "speed": _MOVING | _PAGE,
    "fps": _MOVING,
    "size": _MOVING,
    "max_bytes": _MOVING,
    "in_screenshot": _MOVING | _STEPS,
    "crop": _MOVING | _STEPS,
}
"""Which options do something for which kinds of files.

An option that a file has no use for is no error, since scripts pass the same ones for
everything, but it is not passed over in silence either. What is not here, such as
``--numbers``, shows in the terminal as well.
"""


def check_outputs(
    given: GuideOptions, default: Path, *others: str | Path | None
) -> None:
    """Refuse, before the work, what plainly cannot be written.

    ``default`` is the folder for when no place is given; ``others`` are the files
    that the command reads or writes besides: none of them may be lost.
    """
    if given.no_files:
        if given.output:
            raise UsageError("expected either --output or --no-files, found both")
        return
    from imgpuzzle.folder import check_folder, free_folder, is_own_name

    if not given.output:
        check_folder(free_folder(default))
    kept = [Path(name) for name in others if name is not None]
    seen: set[str] = set()
    for target in given.output:
        real = os.path.realpath(target)
        if real in seen:
            raise UsageError(f"expected different --output, found {target} twice")
        seen.add(real)
        if _is_file(target):
            _check_file(target, given, kept)
            continue
        if os.path.dirname(real) == real:
            raise UsageError(f"expected a folder of its own as --output, found {real}")
        check_folder(target)
        for name in kept:
            if is_own_name(name.name) and _is_same(name, target / name.name):
                raise UsageError(
                    f"expected another --output than the folder of {str(name)!r}: "
                    "a file of the guide would take its place"
                )


def write_guide(
    guide: Guide, given: GuideOptions, default: Path, *, quiet: bool
) -> list[str]:
    """Write all that was asked for, or nothing, and return the files.

    Unless ``quiet``, what was written is printed.
    """
    _warn(given)
    if given.no_files:
        return []
    from imgpuzzle.folder import Delivery

    style = style_of(given)
    single = [target for target in given.output if _is_file(target)]
    folders = [target for target in given.output if target not in single]
    if not given.output:
        folders = [default]
    sheets: dict[Path, int] = {}
    with unwinding_when_terminated(), _bar() as progress, Delivery() as delivery:
        how: SaveOptions = {
            "columns": given.columns or COLUMNS,
            "gap_px": given.gap,
            "per_page": given.per_page,
            "compact": given.compact,
            "paper": given.paper,
            "size": given.size,
            "max_bytes": given.max_bytes,
            "in_screenshot": given.in_screenshot,
            "crop_px": given.crop,
            "few_colours": given.few_colours,
            "full_size": given.full_size,
            "on_progress": progress,
            "note": _note_file,
        }
        for target in single:
            sheets[target] = guide.add_file(delivery, target, style=style, **how)
        for target in folders:
            guide.add_folder(
                delivery, target, style=style, numbered=not given.output, **how
            )
        written = delivery.finish()
    # When the bar is gone.
    rest = iter(written)
    for target in single:
        _say_file(target, list(itertools.islice(rest, sheets[target])))
    for target, folder in zip(folders, rest, strict=True):
        words = report.replaced_note(folder, target, default=not given.output)
        if words:
            note(words)
        if not quiet:
            report.say_files(folder)
    return [str(file) for one in written for file in one.files]


def _note_file(what: Message) -> None:
    """``GIF: scaled to 300x300 px, 64 colours``, in the language that is spoken."""
    note(speech.worded(what))


def _say_file(target: Path, written: list[Written]) -> None:
    """Say what became of one output, and what of an earlier one is left."""
    for one in written:
        note(written_words(one.files[0], replaced=one.replaced > 0))
    if target.suffix.lower() != ".png":
        return
    names = {one.files[0].name for one in written}
    left = sorted(file.name for file in _numbered(target) if file.name not in names)
    if left:
        word = ", ".join(left[:3]) + (" ..." if len(left) > 3 else "")
        words = speech.gettext("older sheets of that name are still there: {names}")
        if len(written) == 1:
            # A sheet alone has no number: those that have one may be anything.
            words = speech.gettext(
                "files named like sheets of an earlier run are still there: {names}"
            )
        note(words.format(names=word))


def _numbered(target: Path) -> list[Path]:
    """The sheets that an earlier run may have left, ``sheet_1.png`` and so on."""
    if not target.parent.is_dir():
        return []
    return [path for path in target.parent.iterdir() if _is_sheet(path, target)]


def _is_sheet(path: Path, target: Path) -> bool:
    pattern = f"{re.escape(target.stem)}_[0-9]+{re.escape(target.suffix)}"
    return re.fullmatch(pattern, path.name) is not None


def _warn(given: GuideOptions) -> None:
    """Say what options will not do."""
    _warn_of_no_effect(given)
    if given.title and not given.no_files:
        from imgpuzzle.render.lettering import unwritable

        missing = unwritable(given.title)
        if missing:
            words = speech.gettext(
                "no typeface on this machine has {missing}: pictures show ? instead; "
                "the page and the texts have the whole title"
            )
            note(words.format(missing=missing))


def _warn_of_no_effect(given: GuideOptions) -> None:
    kinds = [t.suffix.lower() if _is_file(t) else FOLDER for t in given.output]
    if not kinds and not given.no_files:
        kinds = [FOLDER]
    context = click.get_current_context()
    passed = {
        param.name: max(param.opts, key=len)
        for param in context.command.params
        if param.name
        and context.get_parameter_source(param.name) is ParameterSource.COMMANDLINE
    }
    idle = [passed[name] for name in _without_effect(passed, kinds)]
    if not idle:
        return
    if given.no_files:
        words = speech.gettext("no effect with --no-files: {options}")
    elif FOLDER in kinds:
        words = speech.gettext("no effect on the files of a folder: {options}")
    else:
        words = speech.gettext("no effect on {kinds}: {options}")
    unique = ", ".join(dict.fromkeys(kinds))
    note(words.format(kinds=unique, options=", ".join(idle)))


def _without_effect(given: Iterable[str], kinds: Iterable[str]) -> list[str]:
    """Those of the ``given`` options that no file of these ``kinds`` has a use for.

    Options are called as parameters of the command, in the order of the help.
    """
    passed, wanted = set(given), set(kinds)
    return [
        name
        for name, useful in _KINDS.items()
        if name in passed and not useful & wanted
    ]


@contextlib.contextmanager
def _bar() -> Iterator[Callable[[str, float], None]]:
    """A bar for drawing that takes long, and nothing else."""
    began = time.monotonic()
    with progress_bar(speech.gettext("drawing")) as show:

        def progress(what: str, share: float) -> None:
            if time.monotonic() - began > SHOWN_AFTER:
                show(what, share)

        yield progress


def _is_file(target: Path) -> bool:
    """Whether one file is meant; a folder's name may have a dot in it."""
    from imgpuzzle.outputs import suffixes

    suffix = target.suffix.lower()
    try:
        if target.is_dir():
            return False
    except OSError as error:
        raise OutputError(
            f"could not write {str(target)!r}: {error.strerror}"
        ) from None
    if suffix in suffixes():
        return True
    if target.name in ("-", *suffixes()) or _LIKE_A_FILE.fullmatch(suffix.strip()):
        raise UsageError(
            f"expected a folder or a file of {', '.join(suffixes())} as --output, "
            f"found {str(target)!r}; a folder with such a name has to exist before"
        )
    return False


def _check_file(target: Path, given: GuideOptions, kept: list[Path]) -> None:
    from imgpuzzle.outputs import check_suffix

    check_suffix(target.suffix.lower())
    check_parent(target)
    numbered = target.suffix.lower() == ".png"
    for name in kept:
        beside = os.path.realpath(name.parent) == os.path.realpath(target.parent)
        if _is_same(name, target) or (numbered and beside and _is_sheet(name, target)):
            raise UsageError(
                f"expected another --output than {str(target)!r}: it would take the "
                f"place of {str(name)!r}, which this command reads or writes as well"
            )


def _is_same(name: Path, target: Path) -> bool:
    if os.path.realpath(name) == os.path.realpath(target):
        return True
    return name.exists() and target.exists() and os.path.samefile(name, target)
