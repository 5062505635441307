"""Guides as files, in a worker: any format of ``imgpuzzle.outputs``."""

from __future__ import annotations

import itertools
import os
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from imgpuzzle.board import Board
from imgpuzzle.messages import Economy, Message
from imgpuzzle.solution import Solution
from imgpuzzle.temporary import Content, in_memory, put
from imgpuzzle.web import state as states
from imgpuzzle.web.state import state_name

if TYPE_CHECKING:
    from imgpuzzle.image import Image

__all__ = ["draw_guide", "solution_from_dict"]


def draw_guide(
    request: Mapping[str, Any], report: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Write the file; returns its name for the visitor, its size and remarks."""
    from imgpuzzle import outputs
    from imgpuzzle.pipeline import Guide
    from imgpuzzle.render.style import Style

    state = states.load(Path(request["reading_folder"]), state_name(request["version"]))
    options = dict(request["options"])
    shot = None
    around = options.get("in_screenshot") or options.get("crop_px") is not None
    if around and state.reading is not None:
        shot = _screenshot(Path(request["reading_folder"]))
    notes: list[Message] = []
    making = outputs.Making(
        **options,
        on_progress=lambda what, share: report(
            {"progress": share, "text": f"drawing {what}"}
        ),
        note=notes.append,
    )
    guide = Guide(
        solution_from_dict(request["solution"]), state.reading, screenshot=shot
    )
    suffix = f".{request['format']}"
    outputs.check_suffix(suffix)
    style = Style(**request["style"])
    target = Path(request["folder"]) / request["file"]
    if request["preview"]:
        data = outputs.preview(guide, suffix, style, making)
        target.write_bytes(data)
        kind = ".txt" if suffix in outputs.TEXTS else ".png"
        return {"name": f"preview{kind}", "bytes": len(data), **_in_json(notes)}
    made = outputs.make(guide, suffix, style, making)
    files = list(itertools.islice(made, 2))
    with target.open("w+b") as out:
        if len(files) == 1:
            name = f"solution{suffix}"
            put(files[0][1], out)
        else:
            name = "solution_pages.zip"
            count = _pack(itertools.chain(files, made), suffix, out)
            notes.append(Message(Economy.SHEETS_IN_ARCHIVE, count=count))
        size = out.seek(0, os.SEEK_END)
    return {"name": name, "bytes": size, **_in_json(notes)}


def solution_from_dict(record: Mapping[str, Any]) -> Solution:
    """The solution that ``Solution.to_dict`` gave, replayed and so checked."""
    start, goal = Board.from_rows(record["start"]), Board.from_rows(record["goal"])
    solution = Solution(
        start=start,
        goal=goal,
        moves=tuple(start.shape.cell(*step["from"]) for step in record["moves"]),
        lower_bound=record["lower_bound"],
        nodes=record["nodes"],
        seconds=record["seconds"],
        metric=record["metric"],
    )
    solution.verify()
    return solution


def _screenshot(folder: Path) -> Image:
    from imgpuzzle.image import decode_image

    data = (folder / "screenshot").read_bytes()
    return decode_image(data, name="the screenshot")


def _pack(made: Iterable[tuple[str, Content]], suffix: str, out: BinaryIO) -> int:
    """Write the sheets as one archive; returns how many there are."""
    count = 0
    # The sheets are compressed already.
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for addition, content in made:
            archive.writestr(f"overview{addition}{suffix}", in_memory(content))
            count += 1
    return count


def _in_json(notes: list[Message]) -> dict[str, Any]:
    """Remarks in words and for programs."""
    return {
        "notes": [str(note) for note in notes],
        "note_codes": [note.to_dict() for note in notes],
    }
