"""The command line in this process, and what is wrong with how it ended."""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Iterator
from pathlib import Path

STATUSES = {0, 2, 3, 4, 5, 6, 7}
"""What ``docs/json.md`` lists, but for errors of the program and interruptions."""

MAY_STAY = {"annotated.png", "assembled.png"}
"""Asked for to see what is wrong with a reading: also made when that fails."""


def everything(folder: Path) -> dict[str, int]:
    """All that lies below a folder: names with slashes, and sizes of files."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        found[name] = path.stat().st_size if path.is_file() else -1
    return found


def complaint(*args: str, stdin: bytes | None = None) -> str:
    """What is wrong with how ``imgpuzzle ...`` ends in the folder where it works.

    It must end with a status that is documented, an error with one line that says so,
    and it must leave nothing behind that is not whole.
    """
    from click.testing import CliRunner

    from imgpuzzle.cli import main

    here = Path.cwd()
    before = everything(here)
    with _quiet():
        result = CliRunner().invoke(main, [*args], input=stdin)
    after = everything(here)
    code = result.exit_code
    shown = f"{args}: " if len(repr(args)) < 300 else f"{repr(args)[:300]}...: "
    wrong = ""
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        wrong = repr(result.exception)
    elif "Traceback" in result.output:
        wrong = "a traceback"
    elif code not in STATUSES:
        wrong = f"status {code}, {result.stderr!r}"
    elif code:
        lines = [one for one in result.stderr.splitlines() if one]
        changed = {name for name in after if before.get(name) != after[name]}
        # That a board cannot be solved is what ``check`` was asked for.
        is_answer = code == 6 and args[0] == "check" and not lines
        if len(lines) != 1 - is_answer or not all(map(_is_error, lines)):
            wrong = f"status {code} with {len(lines)} lines, {result.stderr!r}"
        elif lines and len(lines[0]) > 1000 + sum(map(len, args)):
            wrong = f"a line of {len(lines[0])} letters"
        elif (changed - MAY_STAY) or before.keys() - after.keys():
            wrong = f"status {code}, and files changed: {sorted(changed)[:5]}"
    left = [name for name in after if "/." in f"/{name}" and name not in before]
    if not wrong and left:
        wrong = f"status {code}, and {left[:5]} were left behind"
    return f"{shown}{wrong}" if wrong else ""


def _is_error(line: str) -> bool:
    return line.startswith("imgpuzzle: ")


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings(), open(os.devnull, "w") as nowhere:
        warnings.simplefilter("ignore")
        with contextlib.redirect_stderr(nowhere):
            yield
