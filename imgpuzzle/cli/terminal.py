"""Writing to the terminal: whatever its encoding, and also when nobody listens."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from typing import Any

import click

from imgpuzzle.errors import OutputError

__all__ = ["note", "say", "say_json", "settle_streams", "silence_stdout"]


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
        raise OutputError(
            f"could not write to standard output: {error.strerror or error}"
        ) from None


def say_json(record: dict[str, Any]) -> None:
    """Print one JSON object on one line, in ASCII."""
    say(json.dumps(record))


def note(text: str) -> None:
    """Print one line on standard error."""
    with contextlib.suppress(OSError):
        click.echo(" ".join(text.splitlines()), err=True)


def silence_stdout() -> None:
    """Send what still comes to nowhere, also what is flushed at the exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
