"""The objects of the interface as JSON schemas, each with an example."""

from __future__ import annotations

from typing import Any

from imgpuzzle.goals import LAYOUTS, PLACES
from imgpuzzle.reading import MOST_ANSWERS

__all__ = ["SCHEMAS", "reference"]

Schema = dict[str, Any]


def reference(name: str) -> Schema:
    """A pointer to one of ``SCHEMAS``."""
    return {"$ref": f"#/components/schemas/{name}"}


def _object(fields: Schema, *, needed: list[str] | None = None) -> Schema:
    """An object with these fields and no others; all are required by default."""
    return {
        "type": "object",
        "properties": fields,
        "required": sorted(fields) if needed is None else needed,
        "additionalProperties": False,
    }


def _list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _text(about: str = "", **more: Any) -> Schema:
    return {"type": "string", **({"description": about} if about else {}), **more}


def _whole(about: str = "", **more: Any) -> Schema:
    return {"type": "integer", **({"description": about} if about else {}), **more}


def _share(about: str = "") -> Schema:
    more = {"description": about} if about else {}
    return {"type": "number", "minimum": 0, "maximum": 1, **more}


_FLAG: Schema = {"type": "boolean"}
_ROWS = reference("Rows")
_CELL = reference("Cell")
_PLACE = _object({name: _whole("px") for name in ("left", "top", "width", "height")})


def _code(about: str) -> Schema:
    """What is said, as data: see ``imgpuzzle.messages``."""
    return {
        "type": "object",
        "description": about,
        "properties": {"kind": _text("a short code that stays the same")},
        "required": ["kind"],
        "additionalProperties": True,
    }


_EXAMPLE_ROWS = [[1, 2, 3], [4, 5, 6], [7, 0, 8]]
_EXAMPLE_GOAL = [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
_EXAMPLE_READING = {
    "grid": [3, 3],
    "region": {"left": 54, "top": 158, "width": 741, "height": 741},
    "corners": None,
    "board": _EXAMPLE_ROWS,
    "goal": _EXAMPLE_GOAL,
    "method": "reference",
    "certain": True,
    "confidence": 0.999,
    "margin": 0.93,
    "cell_confidence": [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]],
    "doubtful": [],
    "doubts": [],
    "doubt_codes": [],
    "alternatives": [],
    "identical": [],
    "notes": [],
    "note_codes": [],
    "solvable": True,
}
_EXAMPLE_RESULT = {
    "reading": _EXAMPLE_READING,
    "start": _EXAMPLE_ROWS,
    "goal": _EXAMPLE_GOAL,
    "moves": [{"step": 1, "tile": 8, "from": [2, 2], "to": [2, 1], "direction": "L"}],
    "slides": [
        {"slide": 1, "tile": 8, "at": [2, 2], "direction": "L", "tiles": 1, "step": 1}
    ],
    "move_count": 1,
    "slide_count": 1,
    "metric": "single",
    "lower_bound": 1,
    "optimal": True,
    "searched": True,
    "nodes": 2,
    "seconds": 0.000112,
    "files": [],
}

_GOALS = _list(
    reference("Goal"),
    description="the usual goals that can be reached, fewest moves first; none for "
    "pictures",
)
_EXAMPLE_CHOICE = {
    "layout": "row",
    "blank": "first",
    "goal": [[0, 1, 2], [3, 4, 5], [6, 7, 8]],
    "move_count": 21,
    "lower_bound": 21,
}

_PUZZLE_FIELDS: Schema = {
    "id": _text("unguessable; the same after every correction"),
    "version": _whole("grows with every answer about this reading", minimum=1),
    "width": _or_null(_whole("of the screenshot, in px")),
    "height": _or_null(_whole("of the screenshot, in px")),
    "reading": _or_null(reference("Reading")),
    "start": _ROWS,
    "goal": _ROWS,
    "rows": _whole(minimum=1),
    "cols": _whole(minimum=1),
    "solvable": _FLAG,
    "reason": _or_null(_text("why it cannot be solved")),
    "reason_code": _or_null(_code("the same as data")),
    "reachable_goals": _GOALS,
    "suggestion": _or_null(
        _object(
            {
                "swap": _list(_CELL, minItems=2, maxItems=2),
                "own": {
                    "type": "boolean",
                    "description": "it takes the visitor's last exchange back",
                },
            }
        )
    ),
    "question": _or_null(
        _object(
            {
                "answers": _list(
                    _object(
                        {
                            "board": _ROWS,
                            "goal": _ROWS,
                            "confidence": _share(),
                            "picture": _text("address of a PNG: this goal"),
                        }
                    ),
                    minItems=2,
                    maxItems=MOST_ANSWERS,
                    description="what was read first, then its plausible rivals",
                ),
                "answered": _or_null(
                    _whole("the answer that was given", minimum=1, maximum=MOST_ANSWERS)
                ),
            }
        )
    ),
    "certain": _FLAG,
    "confidence": _share(),
    "doubtful": _list(_CELL),
    "screenshot": _or_null(_text("address of a PNG")),
    "assembled": _or_null(_text("address of a PNG: the goal as it was understood")),
    "tiles": _text("address of one PNG: the start's cells side by side, without gaps"),
    "tile_width": _whole("px", minimum=1),
    "tile_height": _whole("px", minimum=1),
    "gap": _whole("px between two tiles of the board", minimum=0),
    "background": _list(
        _whole(minimum=0, maximum=255),
        minItems=3,
        maxItems=3,
        description="red, green, blue between and below the tiles",
    ),
    "numbered": {"type": "boolean", "description": "drawn tiles that show numbers"},
    "has_reference": _FLAG,
}
_EXAMPLE_PUZZLE = {
    "id": "b9yB1pJxXwV0QH0m1oK4Nw",
    "version": 1,
    "width": 1280,
    "height": 960,
    "reading": _EXAMPLE_READING,
    "start": _EXAMPLE_ROWS,
    "goal": _EXAMPLE_GOAL,
    "rows": 3,
    "cols": 3,
    "solvable": True,
    "reason": None,
    "reason_code": None,
    "reachable_goals": [],
    "suggestion": None,
    "question": None,
    "certain": True,
    "confidence": 0.999,
    "doubtful": [],
    "screenshot": "/api/read/b9yB1pJxXwV0QH0m1oK4Nw/1/screenshot.png",
    "assembled": "/api/read/b9yB1pJxXwV0QH0m1oK4Nw/1/assembled.png",
    "tiles": "/api/read/b9yB1pJxXwV0QH0m1oK4Nw/1/tiles.png",
    "tile_width": 247,
    "tile_height": 247,
    "gap": 0,
    "background": [38, 40, 46],
    "numbered": False,
    "has_reference": True,
}

SCHEMAS: dict[str, Schema] = {
    "Cell": _list(
        _whole(minimum=0),
        minItems=2,
        maxItems=2,
        description="row and column, counted from 0",
        examples=[[0, 2]],
    ),
    "Rows": _list(
        _list(_whole(minimum=0), minItems=1),
        minItems=1,
        description="the labels of a board, row by row; 0 is the blank",
        examples=[_EXAMPLE_ROWS],
    ),
    "Error": {
        **_object(
            {
                "error": {
                    "type": "object",
                    "properties": {
                        "message": _text("one line"),
                        "code": _whole(
                            "the command line's exit status", minimum=2, maximum=7
                        ),
                        "kind": _text("a class of imgpuzzle.errors, or HTTP's reason"),
                        "message_code": _code(
                            "the message as data, where it has a kind"
                        ),
                        "candidates": _list(_text(), description="grids, as 4x4"),
                        "regions": _list(
                            _PLACE, description="of several boards, as found"
                        ),
                        "lower_bound": _whole("moves that are needed at least"),
                        "reachable_goals": _GOALS,
                    },
                    "required": ["message", "code", "kind"],
                    "additionalProperties": False,
                }
            }
        ),
        "examples": [
            {
                "error": {
                    "message": "expected a picture (PNG, JPEG, WebP, GIF ...), found "
                    "another kind of file as screenshot",
                    "code": 3,
                    "kind": "InvalidImageError",
                }
            }
        ],
    },
    "Health": {
        **_object(
            {
                "status": {
                    "enum": ["ok", "failing"],
                    "description": "failing where no worker process can be started",
                },
                "version": _text(),
                "waiting": _whole("requests without a worker", minimum=0),
                "workers": _whole("processes that live", minimum=0),
            }
        ),
        "examples": [{"status": "ok", "version": "0.1.0", "waiting": 0, "workers": 2}],
    },
    "Samples": {
        **_list(
            _object(
                {
                    "name": _text(),
                    "title": _text(),
                    "screenshot": _text("address"),
                    "reference": _or_null(_text("address")),
                }
            )
        ),
        "examples": [
            [
                {
                    "name": "emblem",
                    "title": "Emblem, 3 x 3",
                    "screenshot": "/api/samples/emblem/screenshot",
                    "reference": "/api/samples/emblem/reference",
                }
            ]
        ],
    },
    "Reading": {
        **_object(
            {
                "grid": _list(_whole(minimum=1), minItems=2, maxItems=2),
                "region": _PLACE,
                "corners": _or_null(
                    _list(_list({"type": "number"}), minItems=4, maxItems=4)
                ),
                "board": _ROWS,
                "goal": _ROWS,
                "method": {"enum": ["reference", "thumbnail", "digits", "reassembly"]},
                "certain": _FLAG,
                "confidence": _share("how often readings like this one are right"),
                "margin": {"type": "number"},
                "cell_confidence": _list(_list(_share())),
                "doubtful": _list(_CELL),
                "doubts": _list(_text()),
                "doubt_codes": _list(_code("a doubt as data: its kind and values")),
                "alternatives": _list(
                    _object({"board": _ROWS, "goal": _ROWS, "confidence": _share()})
                ),
                "identical": _list(_list(_CELL)),
                "notes": _list(_text()),
                "note_codes": _list(_code("a remark as data")),
                "solvable": _FLAG,
            }
        ),
        "examples": [_EXAMPLE_READING],
    },
    "Goal": {
        **_object(
            {
                "layout": {"enum": list(LAYOUTS)},
                "blank": {"enum": list(PLACES)},
                "goal": _ROWS,
                "move_count": _or_null(
                    _whole("of a shortest solution; null: not counted", minimum=0)
                ),
                "lower_bound": _whole("moves that are needed at least", minimum=0),
            }
        ),
        "examples": [_EXAMPLE_CHOICE],
    },
    "Puzzle": {**_object(_PUZZLE_FIELDS), "examples": [_EXAMPLE_PUZZLE]},
    "FollowedPuzzle": {
        **_object(
            {
                **_PUZZLE_FIELDS,
                "on_path": _or_null(
                    _whole("moves of the known solution that are made", minimum=0)
                ),
            }
        ),
        "examples": [{**_EXAMPLE_PUZZLE, "on_path": 3}],
    },
    "Result": {
        **_object(
            {
                "reading": _or_null(reference("Reading")),
                "start": _ROWS,
                "goal": _ROWS,
                "moves": _list(
                    _object(
                        {
                            "step": _whole(minimum=1),
                            "tile": _whole(minimum=1),
                            "from": _CELL,
                            "to": _CELL,
                            "direction": {"enum": ["U", "D", "L", "R"]},
                        }
                    )
                ),
                "slides": {
                    **_list(
                        _object(
                            {
                                "slide": _whole(minimum=1),
                                "tile": _whole("the tile to push or click", minimum=1),
                                "at": _CELL,
                                "direction": {"enum": ["U", "D", "L", "R"]},
                                "tiles": _whole("how many move", minimum=1),
                                "step": _whole("the first of their moves", minimum=1),
                            }
                        )
                    ),
                    "description": "the moves, with tiles that move one behind the "
                    "other as one",
                },
                "move_count": _whole(minimum=0),
                "slide_count": _whole(minimum=0),
                "metric": {"enum": ["single", "slide"]},
                "lower_bound": _whole(minimum=0),
                "optimal": _FLAG,
                "searched": {
                    "type": "boolean",
                    "description": "false: put together tile by tile, because "
                    "there was no time to search, or not yet",
                },
                "nodes": _whole(minimum=0),
                "seconds": {"type": "number", "minimum": 0},
                "files": _list(_text()),
            }
        ),
        "examples": [_EXAMPLE_RESULT],
    },
    "File": {
        **_object(
            {
                "url": _text("address"),
                "name": _text("after the screenshot, to download as"),
                "bytes": _whole(minimum=0),
                "notes": _list(_text()),
                "note_codes": _list(_code("what was given up, as data")),
            }
        ),
        "examples": [
            {
                "url": "/api/jobs/HXv3C-0QHb8TtVYfPzkJ7w/file",
                "name": "screenshot-solution.gif",
                "bytes": 843627,
                "notes": [],
                "note_codes": [],
            }
        ],
    },
    "Started": {
        **_object(
            {
                "job": _text("its id"),
                "puzzle": {
                    **reference("Puzzle"),
                    "description": "where a goal was chosen: the reading with it",
                },
            },
            needed=["job"],
        ),
        "examples": [{"job": "HXv3C-0QHb8TtVYfPzkJ7w"}],
    },
    "Job": {
        **_object(
            {
                "id": _text(),
                "kind": {"enum": ["solve", "render"]},
                "state": {"enum": ["queued", "running", "done", "failed", "cancelled"]},
                "version": _whole("grows with every change", minimum=0),
                "queue_position": _or_null(_whole(minimum=0)),
                "progress": {
                    **_share(),
                    "description": "of the phase; it begins again with the search",
                },
                "phase": {
                    "enum": ["setup", "search", None],
                    "description": "of a search: setup, building tables once, does not "
                    "count as time_limit",
                },
                "text": _text(),
                "best": _or_null(reference("Result")),
                "result": {
                    "anyOf": [
                        reference("Result"),
                        reference("File"),
                        {"type": "null"},
                    ]
                },
                "error": _or_null(
                    {"$ref": "#/components/schemas/Error/properties/error"}
                ),
            }
        ),
        "examples": [
            {
                "id": "HXv3C-0QHb8TtVYfPzkJ7w",
                "kind": "solve",
                "state": "done",
                "version": 3,
                "queue_position": None,
                "progress": 1.0,
                "phase": "search",
                "text": "1 moves, proven shortest",
                "best": _EXAMPLE_RESULT,
                "result": _EXAMPLE_RESULT,
                "error": None,
            }
        ],
    },
}
