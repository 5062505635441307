"""What all commands of this folder have in common: options, and results as JSON."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from imgpuzzle.files.image import write_atomically


def parser(doc: str | None) -> argparse.ArgumentParser:
    """Options of a command whose help is its module's docstring, and ``--json``."""
    made = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--json", type=Path, metavar="FILE", help="keep the results")
    return made


def freezer(doc: str | None) -> argparse.ArgumentParser:
    """Options of a command that keeps what there is now, and compares it later."""
    made = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("what", choices=("freeze", "compare"))
    made.add_argument("paths", type=Path, nargs="+", help="to write, or two to read")
    made.add_argument("--only", default="", metavar="TEXT", help="part of a name")
    return made


def add_scenes(to: argparse.ArgumentParser, *, count: int) -> None:
    """Options that say which scenes are made: half, numbers and pictures."""
    to.add_argument("--pictures", type=Path, action="append", default=[], metavar="DIR")
    to.add_argument("--split", choices=("tune", "test"), default="test")
    to.add_argument("--first", type=int, default=0, help="number of the first")
    to.add_argument("--count", type=int, default=count, help="scenes of each kind")
    to.add_argument("--verbose", action="store_true", help="a line for each")


def save(path: Path | None, results: object) -> None:
    """Write results as JSON, whole or not at all; without a path do nothing."""
    if path is not None:
        write_atomically(path, json.dumps(results, indent=1, default=str).encode())
