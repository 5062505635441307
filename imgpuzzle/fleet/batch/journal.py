"""``report.jsonl``: a line for each picture, written when it is done.

Where a picture has several lines, because it changed and was read again, the last one
counts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import Any

JOURNAL_NAME = "report.jsonl"

SOLVED, DOUBTFUL, UNSOLVABLE, FAILED = "solved", "doubtful", "unsolvable", "failed"


@dataclass(frozen=True, slots=True)
class PictureEntry:
    """What became of one picture; all paths are relative to the output's folder.

    Attributes:
        picture: The screenshot.
        name: What it is called in the report.
        status: ``"solved"``, ``"doubtful"``, ``"unsolvable"`` or ``"failed"``.
        exit_code: What ``imgpuzzle solve`` would have ended with.
        message: Why it is not solved, in English.
        message_code: The same as a message's JSON.
        size: Bytes of the file.
        mtime_ns: When it was changed.
        sha256: Of its bytes; ``None`` where it could not be read.
        reference: The picture of the goal that was looked at.
        reference_why: Why that one, or why none, as a kind of ``ReferenceWay``.
        offered: The picture of the goal that belongs to it by name.
        reference_used: Whether the tiles were recognised by it.
        folder: The folder with its files.
        files: Their names.
        thumbnail: A small picture of what was read.
        grid: ``3x4``.
        method: How the tiles were recognised.
        confidence: How often readings like this one are right, from 0 to 1.
        board: What was read, as text on one line.
        goal: The goal, as text on one line.
        doubts: What is in doubt, in English.
        doubt_codes: The same as JSON.
        moves: Of the solution.
        lower_bound: What is proven of every solution's length.
        optimal: Whether none is shorter, proven.
        seconds: How long all of it took.
        puzzle: The kind of puzzle that it was taken for.
    """

    picture: str
    name: str
    status: str = FAILED
    exit_code: int = 0
    message: str | None = None
    message_code: dict[str, Any] | None = None
    size: int = -1
    mtime_ns: int = -1
    sha256: str | None = None
    reference: str | None = None
    reference_why: str | None = None
    offered: str | None = None
    reference_used: bool = False
    folder: str | None = None
    files: tuple[str, ...] = ()
    thumbnail: str | None = None
    grid: str | None = None
    method: str | None = None
    confidence: float | None = None
    board: str | None = None
    goal: str | None = None
    doubts: tuple[str, ...] = ()
    doubt_codes: tuple[dict[str, Any], ...] = field(default=(), hash=False)
    moves: int | None = None
    lower_bound: int | None = None
    optimal: bool | None = None
    seconds: float = 0.0
    puzzle: str = "slide"

    @classmethod
    def from_line(cls, line: bytes) -> PictureEntry | None:
        """The entry of a line; ``None`` for one that is none."""
        try:
            # Earlier journals do not say it.
            record = {"puzzle": "slide", **json.loads(line)}
            known = {one.name: record[one.name] for one in fields(cls)}
        except (ValueError, KeyError, TypeError, RecursionError):
            return None
        for name in ("files", "doubts", "doubt_codes"):
            known[name] = tuple(known[name])
        return cls(**known)
