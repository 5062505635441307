"""``imgpuzzle batch``: folders of screenshots."""

from __future__ import annotations

import functools
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imgpuzzle import INTERRUPTED
from imgpuzzle.cli import options, speech, values
from imgpuzzle.cli.options import Given
from imgpuzzle.cli.report import line
from imgpuzzle.cli.searching import (
    interrupted_words,
    limits,
    make_fleet,
    scheduler_option,
    time_limit_option,
)
from imgpuzzle.cli.terminal import note, unwinding_when_terminated
from imgpuzzle.errors import UsageError
from imgpuzzle.messages import BatchFault, Message
from imgpuzzle.render.files.formats import FORMATS, suffixes

if TYPE_CHECKING:
    from imgpuzzle.core.board import Shape
    from imgpuzzle.core.solution import Limits
    from imgpuzzle.fleet.batch.run import Progress, Run

__all__ = ["command"]

MOST_JOBS = 4
"""Workers by default, on machines that have more cores: each takes 300 MB or, for a
very large screenshot, a GB."""

RENEW_AFTER = 40
"""Pictures after which a worker is replaced: it grows by some MB with each of them, in
large and small pieces that the C library does not give back."""

QUIET_S = 30.0
"""Seconds between two lines of progress where no terminal shows them in place."""

_NAMES_OF_FORMATS = tuple(suffix.removeprefix(".") for suffix in suffixes())


@click.command("batch", cls=options.PlainCommand)
@click.argument("paths", nargs=-1, required=True, type=values.PathType())
@options.reference_option("The picture that all solved puzzles show.")
@click.option(
    "--references",
    type=values.PathType(),
    metavar="DIR",
    help="A folder of pictures of goals: for each screenshot the one of its name.",
)
@click.option(
    "-o",
    "--output",
    type=values.PathType(),
    metavar="DIR",
    help="Where all results go; by default solutions/ in the first folder, or beside "
    "the first picture.",
)
@click.option(
    "--formats",
    type=values.SubsetType(_NAMES_OF_FORMATS),
    default="html",
    show_default=True,
    metavar="NAMES",
    help=f"Of the guides: {' '.join(_NAMES_OF_FORMATS)}; several with commas.",
)
@click.option(
    "-j",
    "--jobs",
    type=values.WholeRange(1, 1000),
    help="Pictures that are worked at at once, each in a process; 1 for none but this "
    f"one.  [default: one a core, at most {MOST_JOBS}]",
)
@scheduler_option
@time_limit_option("the search for each board")
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with a run that was ended: what is done is not done again, what was "
    "changed since is.",
)
@click.option(
    "--follow",
    is_flag=True,
    help="Then wait for new pictures and do those, until Ctrl-C.",
)
@click.option(
    "--language",
    help="Of the guides and of the report; by default the system's, if it is one of "
    "these.",
    **options.language,
)
def command(given: Given) -> None:
    """Read and solve all screenshots in PATHS: pictures, and folders of them.

    Each gets a folder with its guide and with what was read drawn on it. report.html
    shows all of them, what is doubtful first; report.csv and report.jsonl are for
    programs. On a Dask cluster all machines need the same folders, at the same paths,
    and locks on files there (NFS 4 has them). A picture that is none costs its own
    line and nothing else.

    The picture of a goal is found by its name: reference.png or goal.png for the
    screenshots of its folder, shot_reference.png for shot.png.

    Exit status: 0 all solved, otherwise the lowest status of those that are not (see
    imgpuzzle --help; 1 for a picture that could not be worked on), 2 also when nothing
    can be written, 130 interrupted. --resume goes on after any of them.
    """
    from imgpuzzle.core.language import choose_language
    from imgpuzzle.fleet.batch.run import Batch, Run, choose_output

    reference, references = given.reference, given.references
    if reference is not None and references is not None:
        raise UsageError.said("expected --reference or --references, found both")
    if references is not None and not references.is_dir():
        raise UsageError(Message(BatchFault.NO_REFERENCES, name=str(references)))
    chosen = tuple(dict.fromkeys(f".{name}" for name in given.formats.split(",")))
    for suffix in chosen:
        FORMATS[suffix].check()
    seconds, language = given.time_limit, choose_language(given.language)
    batch = Batch(
        given.paths,
        given.output or choose_output(given.paths, resume=given.resume),
        functools.partial(_limits, seconds=seconds),
        chosen,
        language,
        reference,
        references,
        {
            "--reference": _absolute(reference),
            "--references": _absolute(references),
            "--formats": given.formats,
            "--time-limit": "" if seconds is None else f"{seconds:g}",
            "--language": language,
        },
    )
    if given.jobs is given.scheduler is None:
        given = given.but(jobs=min(os.cpu_count() or 1, MOST_JOBS))
    with (
        unwinding_when_terminated(),
        _Shown() as shown,
        make_fleet(given, workers="jobs", renew_after=RENEW_AFTER) as fleet,
        Run(
            batch,
            resume=given.resume,
            on_progress=shown.progress,
            on_changed=_say_changed,
            on_trouble=shown.trouble,
        ) as run,
    ):
        status = _worked(run, fleet, shown, follow=given.follow)
    if status:
        raise click.exceptions.Exit(status)


def _limits(shape: Shape, seconds: float | None) -> Limits:
    """When the search for a board ends: a function that workers can be sent."""
    return limits(shape, seconds, None)


def _worked(run: Run, fleet: Any, shown: _Shown, *, follow: bool) -> int:
    """All of the work, and the status to end with; reports are written at any end."""
    from imgpuzzle.fleet.workers import FleetLostError

    is_following = False
    try:
        try:
            with fleet:
                run.go(fleet)
                is_following = follow
                if follow:
                    shown.clear()
                    note(speech.gettext("waiting for new pictures; Ctrl-C ends this"))
                    run.follow(fleet)
        except (KeyboardInterrupt, FleetLostError) as error:
            shown.clear()
            if not is_following or isinstance(error, FleetLostError):
                words = speech.gettext("interrupted; --resume goes on from here")
                note(interrupted_words(error, words))
                _finish(run, shown)
                return INTERRUPTED
    except SystemExit:  # a signal to end
        _finish(run, shown)
        raise
    _finish(run, shown)
    return run.exit_code


def _finish(run: Run, shown: _Shown) -> None:
    run.finish()
    shown.clear()
    _say_counts(run.progress)
    line(speech.gettext("report"), str(run.output / "report.html"))


def _absolute(path: Path | None) -> str:
    return "" if path is None else os.path.abspath(path)


def _say_changed(changed: list[tuple[str, str, str]]) -> None:
    none = speech.gettext("none")
    names = ", ".join(
        speech.gettext("{name} {now} (it was {before})").format(
            name=name, now=now or none, before=before or none
        )
        for name, before, now in changed
    )
    words = speech.gettext(
        "other options than last time, for what is not done yet: {names}"
    )
    note(words.format(names=names))


def _say_counts(found: Progress) -> None:
    for label, count in (
        (speech.gettext("solved"), found.counts["solved"]),
        (speech.gettext("doubtful"), found.counts["doubtful"]),
        (speech.gettext("unsolvable"), found.counts["unsolvable"]),
        (speech.gettext("failed"), found.counts["failed"]),
        (speech.gettext("left"), found.total - found.done),
    ):
        if count:
            line(label, speech.number(count))


class _Shown:
    """Progress on standard error: in place on a terminal, else a line now and then."""

    def __init__(self) -> None:
        stream = sys.stderr
        is_terminal = stream is not None and stream.isatty()
        self._in_place = is_terminal and os.environ.get("TERM") != "dumb"
        self._is_shown = False
        self._last = time.monotonic()
        self._told: set[Path] = set()

    def __enter__(self) -> _Shown:
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()

    def progress(self, found: Progress) -> None:
        """How far it is; called from another thread."""
        if self._in_place:
            click.echo(f"\r\033[K{_progress_words(found)}", err=True, nl=False)
            self._is_shown = True
        elif time.monotonic() - self._last >= QUIET_S:
            self._last = time.monotonic()
            note(_progress_words(found))

    def trouble(self, folder: Path, reason: str) -> None:
        """Say once that a folder cannot be read."""
        if folder not in self._told:
            self._told.add(folder)
            words = speech.gettext("left out: {folder}: {why}")
            note(words.format(folder=folder, why=reason))

    def clear(self) -> None:
        """Take the line of the progress away."""
        if self._is_shown:
            self._is_shown = False
            click.echo("\r\033[K", err=True, nl=False)


def _progress_words(found: Progress) -> str:
    parts = [f"{speech.number(found.done)}/{speech.number(found.total)}"]
    if found.rate:
        rate = speech.gettext("{rate} a minute").format(rate=f"{found.rate * 60:.0f}")
        parts.append(rate)
    seconds = found.seconds_left
    if seconds:
        minutes, rest = divmod(round(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        clock = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
        parts.append(speech.gettext("{time} left").format(time=clock))
    for label, status in (
        (speech.gettext("{count} doubtful"), "doubtful"),
        (speech.gettext("{count} unsolvable"), "unsolvable"),
        (speech.gettext("{count} failed"), "failed"),
    ):
        if found.counts[status]:
            parts.append(label.format(count=speech.number(found.counts[status])))
    return ", ".join(parts)
