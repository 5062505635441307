"""``imgpuzzle batch``: folders of screenshots."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imgpuzzle.cli import options, searching, speech, values
from imgpuzzle.cli.report import line
from imgpuzzle.cli.terminal import note, progress_bar, unwinding_when_terminated
from imgpuzzle.core.language import choose_language
from imgpuzzle.errors import UsageError
from imgpuzzle.render.files.formats import FORMATS, suffixes

if TYPE_CHECKING:
    from imgpuzzle.fleet.batch.run import Run

MOST_JOBS = 4
"""Workers by default, on machines that have more cores: each takes 300 MB or, for a
very large screenshot, a GB."""

KEEP_BYTES = 800_000_000
"""A worker that holds more is replaced: it grows by some MB with each picture, in large
and small pieces that the C library does not give back."""

_NAMES_OF_FORMATS = tuple(suffix.removeprefix(".") for suffix in suffixes())


@click.command("batch", cls=options.PlainCommand)
@click.argument("paths", nargs=-1, required=True, type=values.PathType())
@options.path_option(
    "--reference", "PICTURE", "The picture that all solved puzzles show."
)
@options.kind_option
@options.path_option(
    "--references",
    "DIR",
    "A folder of pictures of goals: for each screenshot the one of its name.",
)
@options.path_option(
    "--output",
    "DIR",
    "Where all results go; by default solutions/ in the first folder, or beside "
    "the first picture.",
)
@click.option(
    "--formats",
    type=values.NamesType(_NAMES_OF_FORMATS, joined=","),
    default="html",
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
@searching.scheduler_option
@searching.time_limit_option("the search for each board")
@options.flag_option(
    "--resume",
    "Go on with a run that was ended: what is done is not done again, what was "
    "changed since is.",
)
@click.option(
    "--language",
    help="Of the guides and of the report; by default the system's, if it is one of "
    "these.",
    **options.language,
)
def command(given: options.Given) -> None:
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
    from imgpuzzle.fleet.batch.run import Batch, Run, choose_output
    from imgpuzzle.fleet.batch.work import BatchTerms

    reference, references = given.reference, given.references
    if reference is not None and references is not None:
        raise UsageError.said("expected --reference or --references, found both")
    chosen = tuple(dict.fromkeys(f".{name}" for name in given.formats.split(",")))
    for suffix in chosen:
        FORMATS[suffix].check()
    seconds, language = given.time_limit, choose_language(given.language)
    batch = Batch(
        given.paths,
        BatchTerms(
            given.output or choose_output(given.paths, resume=given.resume),
            functools.partial(searching.limits, time_limit=seconds, max_moves=None),
            chosen,
            language,
            given.kind,
        ),
        reference,
        references,
        {
            "--reference": _absolute(reference),
            "--references": _absolute(references),
            "--formats": given.formats,
            "--time-limit": "" if seconds is None else f"{seconds:g}",
            "--language": language,
            "--puzzle": given.kind,
        },
    )
    if given.jobs is given.scheduler is None:
        given = given.but(jobs=min(os.cpu_count() or 1, MOST_JOBS))
    with (
        unwinding_when_terminated(),
        searching.make_fleet(given, workers="jobs", keep_bytes=KEEP_BYTES) as fleet,
        Run(
            batch,
            resume=given.resume,
            on_changed=_say_changed,
            on_trouble=functools.partial(_say_trouble, set()),
        ) as run,
    ):
        words = speech.gettext("interrupted; --resume goes on from here")
        bar = progress_bar(speech.gettext("screenshot"))
        try:
            with searching.ending_in_one_line(words), fleet, bar as tell:
                run.go(fleet, tell)
        except (click.exceptions.Exit, SystemExit):
            _finish(run)
            raise
        _finish(run)
    if run.exit_code:
        raise click.exceptions.Exit(run.exit_code)


def _finish(run: Run) -> None:
    """Write the reports, at any end, and say how many screenshots are done."""
    run.finish()
    counts = run.counts
    for label, count in (
        (speech.gettext("solved"), counts["solved"]),
        (speech.gettext("doubtful"), counts["doubtful"]),
        (speech.gettext("unsolvable"), counts["unsolvable"]),
        (speech.gettext("failed"), counts["failed"]),
        (speech.gettext("left"), run.total - counts.total()),
    ):
        if count:
            line(label, speech.number(count))
    line(speech.gettext("report"), str(run.output / "report.html"))


def _say_trouble(told: set[Path], folder: Path, reason: str) -> None:
    """Say once that a folder cannot be read."""
    if folder not in told:
        told.add(folder)
        words = speech.gettext("left out: {folder}: {why}")
        note(words.format(folder=folder, why=reason))


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
