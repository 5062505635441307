"""Writing to the terminal: whatever its encoding, and also when nothing reads it."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from imgpuzzle.cli import speech
from imgpuzzle.errors import OutputError

if TYPE_CHECKING:
    from imgpuzzle.core.options import Tell
    from imgpuzzle.messages import Message

_BAR_STEPS = 1000
"""As fine as any terminal is wide."""


def settle_streams() -> None:
    """Let every text be written, whatever the encoding of the terminal.

    File names may hold bytes that are no text, and a terminal may only know
    ASCII; an escape sequence is better than an exception.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors != "backslashreplace":
            with contextlib.suppress(OSError, ValueError):
                stream.reconfigure(errors="backslashreplace")


def say(text: str = "") -> None:
    """Print a line of the answer on standard output."""
    try:
        click.echo(text)
    except BrokenPipeError:
        # The reader has seen enough; the files are still to be written.
        silence_stdout()
    except OSError as error:
        silence_stdout()
        raise OutputError.said(
            "could not write to standard output: {why}", why=error.strerror or error
        ) from None


def say_json(record: dict[str, Any]) -> None:
    """Print one JSON object on one line, in ASCII."""
    import json

    say(json.dumps(record))


def note(text: str) -> None:
    """Print one line on standard error."""
    with contextlib.suppress(OSError):
        click.echo(" ".join(text.splitlines()), err=True)


def say_idle(words: str, names: Iterable[str], **values: str) -> None:
    """Note which of some options were typed, for they do nothing here.

    ``words`` say where, with ``{options}`` for those, and ``values`` for the rest.
    """
    context, names = click.get_current_context(), set(names)
    idle = [
        max(param.opts, key=len)
        for param in context.command.params
        if param.name in names
        and context.get_parameter_source(param.name) is ParameterSource.COMMANDLINE
    ]
    if idle:
        note(words.format(options=", ".join(idle), **values))


@contextlib.contextmanager
def seeded(given: int | None) -> Iterator[int]:
    """The seed that was given, or one by chance.

    That is said in the end, so that the same can be made again, but not where nothing
    was made.
    """
    if given is not None:
        yield given
        return
    import secrets

    seed = secrets.randbits(32)
    yield seed
    note(f"seed {seed}")


@contextlib.contextmanager
def progress_bars(
    after: float = 0.0,
) -> Iterator[Callable[[str, Message, float], None]]:
    """Bars on standard error when that is a terminal, otherwise nothing.

    Yields a function of a label, what is being done and the share of the whole that is
    done, from 0 to 1 and not falling. Each label has a bar of its own, on a line of its
    own, which appears when it is first used, but not before so many seconds are over.
    """
    stream = sys.stderr
    if stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda label, what, share: None
        return
    bars: list[Any] = []
    begins = time.monotonic() + after

    def finish() -> None:
        # Also after Ctrl-C: the bar hides the cursor while it is there.
        if bars:
            with contextlib.suppress(OSError):
                bars[-1].render_finish()

    def show(label: str, what: Message, share: float) -> None:
        if time.monotonic() < begins:
            return
        with contextlib.suppress(OSError):
            if not bars or bars[-1].label != label:
                finish()
                # With no least step a new text is drawn too when the fraction stays.
                bar: Any = click.progressbar(
                    length=_BAR_STEPS,
                    label=label,
                    file=stream,
                    item_show_func=lambda text: text,
                    update_min_steps=0,
                    width=0,  # as wide as the words leave room for: no line wraps
                )
                bars.append(bar)
                bar.__enter__()
            bar = bars[-1]
            steps = round(min(max(share, 0.0), 1.0) * _BAR_STEPS) - bar.pos
            bar.update(max(steps, 0), speech.worded(what))

    try:
        yield show
    finally:
        finish()


@contextlib.contextmanager
def progress_bar(label: str, after: float = 0.0) -> Iterator[Tell]:
    """The same with one label."""
    with progress_bars(after) as show:
        yield functools.partial(show, label)


@contextlib.contextmanager
def handling(
    numbers: Iterable[int], usual: object, handler: Callable[[int, object], None]
) -> Iterator[None]:
    """Have signals call a handler that otherwise do what is ``usual``.

    One that is ignored stays so, and other threads than the main one may not set any.
    """
    previous = {}
    for number in numbers:
        if signal.getsignal(number) is usual:
            with contextlib.suppress(ValueError):
                previous[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, before in previous.items():
            signal.signal(number, before)


@contextlib.contextmanager
def unwinding_when_terminated() -> Iterator[None]:
    """Let a signal to end unwind the stack, so that temporary files go.

    Only for the time in which files are written or workers run: elsewhere the
    default, to end on the spot, is right.
    """

    def leave(number: int, frame: object) -> None:
        sys.exit(128 + number)

    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    with handling(numbers, signal.SIG_DFL, leave):
        yield


def silence_stdout() -> None:
    """Send what still comes to nowhere, also what is flushed at the exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
