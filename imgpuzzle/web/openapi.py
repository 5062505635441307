"""The description of the interface in OpenAPI 3.1, held true to it by a test."""

from __future__ import annotations

import dataclasses
from typing import Any, get_args, get_type_hints

from imgpuzzle import __version__
from imgpuzzle.goals import LAYOUTS, PLACES
from imgpuzzle.language import LANGUAGES
from imgpuzzle.reading import MOST_ANSWERS
from imgpuzzle.render.style import Style
from imgpuzzle.solution import METRICS
from imgpuzzle.web.schemas import SCHEMAS, reference
from imgpuzzle.web.solving import FORMATS

__all__ = ["description"]

Part = dict[str, Any]
Answers = dict[int, Part]

_ERRORS = {
    400: "a request that does not make sense",
    403: "another host or origin, or no token",
    404: "an id that is unknown or was forgotten",
    408: "an upload that takes too long",
    409: "not possible in this state",
    413: "more than is taken",
    415: "no picture, or another type of content",
    422: "a picture or board that cannot be used or solved, or no board found",
    429: "the queue is full",
    500: "an error of the server itself",
    503: "shutting down",
    507: "no room on the disk of the server",
}


def description() -> Part:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "imgpuzzle web",
            "version": __version__,
            "description": "From a screenshot of a sliding picture puzzle to the "
            "shortest solution. Cells are [row, column] from 0, lengths are in px. "
            "Servers that others can reach ask for a token: in the address of the "
            "page, then in a cookie, or in the header Authorization: Bearer.",
        },
        "paths": _paths(),
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _paths() -> Part:
    cell = reference("Cell")
    rows = reference("Rows")
    board = {"anyOf": [rows, {"type": "string"}]}
    picture = {"type": "string", "contentMediaType": "application/octet-stream"}
    text = {"type": "string"}
    helps = {
        "grid": {"type": "string", "examples": ["4x4"]},
        "region": {"type": "string", "examples": ["130,333,300,300"]},
        "corners": {"type": "string", "examples": ["90,40,610,70,600,590,80,570"]},
        "goal_blank": {"type": "string", "examples": ["3,3"]},
        "distinct": {"enum": ["1", "0", "true", "false"]},
        "goal": {"type": "string", "description": "a board as text"},
    }
    numbers = {"type": "array", "items": {"type": "number"}}
    again = {
        "grid": {"type": ["string", "null"], "examples": ["4x4"]},
        "region": {"anyOf": [text, {**numbers, "minItems": 4}, {"type": "null"}]},
        "corners": {"anyOf": [text, {**numbers, "minItems": 8}, {"type": "null"}]},
        "distinct": {"type": "boolean"},
        "blank": cell,
        "swap": {"type": "array", "items": cell, "minItems": 2, "maxItems": 2},
        "board": board,
        "goal": board,
        "goal_layout": {"enum": [*LAYOUTS, None]},
        "answer": {
            "type": ["integer", "null"],
            "minimum": 1,
            "maximum": MOST_ANSWERS,
            "description": "which one of the question's answers is the solved picture",
        },
    }
    place = {"anyOf": [cell, {"enum": [*PLACES, None]}]}
    again["goal_blank"] = place
    solve = {
        "reading": text,
        "time_limit": {"type": ["number", "null"], "minimum": 0},
        "metric": {"enum": [*METRICS, None]},
        "max_moves": {"type": ["integer", "null"], "minimum": 0},
        "goal_layout": {"enum": [*LAYOUTS, None]},
        "goal_blank": place,
    }
    render = {
        "reading": text,
        "job": text,
        "format": {"enum": list(FORMATS)},
        "style": _style(),
        "options": _options(),
        "preview": {"type": "boolean"},
    }
    puzzle: Answers = {200: _json("Puzzle", "the reading")}
    started: Answers = {202: _json("Started", "the job that was begun")}
    job: Answers = {200: _json("Job", "the job's state")}
    png: Answers = {200: _binary("image/png", "the picture")}
    form = {"screenshot": picture, "reference": picture, "sample": text, **helps}
    follow = {"screenshot": picture, "reading": text, "job": text}
    after = {
        "name": "after",
        "in": "query",
        "description": "wait up to 10 s for a version above this one",
        "schema": {"type": "integer"},
    }
    return {
        "/api/health": {
            "get": _get(
                "whether it is there and can work",
                {200: _json("Health"), 503: _json("Health", "it cannot work")},
            )
        },
        "/api/openapi.json": {
            "get": _get("this description", {200: _binary("application/json", "it")})
        },
        "/api/samples": {"get": _get("the samples", {200: _json("Samples")})},
        "/api/samples/{name}/{which}": {
            "get": _get(
                "a sample's picture",
                {200: _binary("image/*", "the file")},
                404,
                path=["name", "which"],
            )
        },
        "/api/read": {
            "post": _post(
                "read a screenshot or a sample",
                puzzle,
                *(400, 408, 413, 415, 422, 429, 503),
                form=_fields(form),
            )
        },
        "/api/read/{id}": {
            "get": _get("a reading as it was answered last", puzzle, 404, path=["id"]),
            "post": _post(
                "read again with help, correct by hand, or send a reference",
                puzzle,
                *(400, 404, 408, 409, 413, 415, 422, 429, 503),
                path=["id"],
                json=_fields(again),
                form=_fields({"reference": picture}, "reference"),
            ),
        },
        "/api/read/{id}/{version}/{name}.png": {
            "get": _get(
                "screenshot, assembled, tiles, or answer-1 and so on: the goals of "
                "the question's answers",
                png,
                *(404, 409),
                path=_PICTURE_PATH,
            )
        },
        "/api/board": {
            "post": _post(
                "take a board that was typed",
                puzzle,
                *(400, 408, 413, 415, 422, 429, 503),
                json=_fields({"board": board, "goal": board}, "board"),
            )
        },
        "/api/continue": {
            "post": _post(
                "read a later screenshot of the same puzzle",
                {200: _json("FollowedPuzzle", "a reading of its own")},
                *(400, 404, 408, 409, 413, 415, 422, 429, 503),
                form=_fields(follow, "screenshot", "reading"),
            )
        },
        "/api/solve": {
            "post": _post(
                "begin to search, for another usual goal if one is chosen",
                started,
                *(400, 404, 408, 413, 415, 422, 429),
                json=_fields(solve, "reading"),
            )
        },
        "/api/render": {
            "post": _post(
                "begin to draw a guide",
                started,
                *(400, 404, 408, 409, 413, 415, 429),
                json=_fields(render, "reading", "job", "format"),
            )
        },
        "/api/jobs/{id}": {
            "get": {
                **_get("how far a job is", job, 400, 404, path=["id"]),
                "parameters": [*_path_parameters(["id"]), after],
            }
        },
        "/api/jobs/{id}/cancel": {
            "post": _post("end a job with its best", job, 404, path=["id"])
        },
        "/api/jobs/{id}/file": {
            "get": _get(
                "the file that was made",
                {200: _binary("application/octet-stream", "the guide, to download")},
                *(404, 409),
                path=["id"],
            )
        },
    }


_PICTURE_PATH = ["id", "version", "name"]


def _get(
    about: str, answers: Answers, *errors: int, path: list[str] | None = None
) -> Part:
    return _operation(about, answers, errors, path or [])


def _post(
    about: str,
    answers: Answers,
    *errors: int,
    path: list[str] | None = None,
    json: Part | None = None,
    form: Part | None = None,
) -> Part:
    made = _operation(about, answers, errors, path or [])
    content = {"application/json": json, "multipart/form-data": form}
    given = {kind: {"schema": body} for kind, body in content.items() if body}
    if given:
        made["requestBody"] = {"required": True, "content": given}
    return made


def _operation(
    about: str, answers: Answers, errors: tuple[int, ...], path: list[str]
) -> Part:
    failures = {
        str(status): _json("Error", _ERRORS[status])
        for status in sorted({403, 500, 507, *errors})
    }
    made: Part = {
        "summary": about,
        "responses": {**{str(status): a for status, a in answers.items()}, **failures},
    }
    if path:
        made["parameters"] = _path_parameters(path)
    return made


def _path_parameters(names: list[str]) -> list[Part]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "integer" if name == "version" else "string"},
        }
        for name in names
    ]


def _json(name: str, about: str = "the answer") -> Part:
    example = SCHEMAS[name]["examples"][0]
    content = {"schema": reference(name), "example": example}
    return {"description": about, "content": {"application/json": content}}


def _binary(kind: str, about: str) -> Part:
    return {"description": about, "content": {kind: {}}}


def _fields(fields: Part, *needed: str) -> Part:
    return {
        "type": "object",
        "properties": fields,
        "required": list(needed),
        "additionalProperties": False,
    }


def _style() -> Part:
    """The fields of ``Style`` with their types and defaults."""
    names = {bool: "boolean", int: "integer", str: "string"}
    hints = get_type_hints(Style)
    fields: Part = {}
    for one in dataclasses.fields(Style):
        choices = LANGUAGES if one.name == "language" else get_args(hints[one.name])
        kind: Part = {"type": names[type(one.default)]}
        if choices:
            kind = {"enum": list(choices)}
        fields[one.name] = {**kind, "default": one.default}
    return _fields(fields)


def _options() -> Part:
    """The options of ``imgpuzzle.outputs`` that a visitor may choose."""
    whole, flag = {"type": ["integer", "null"]}, {"type": ["boolean", "null"]}
    return _fields(
        {
            **dict.fromkeys(
                ("columns", "gap_px", "per_page", "crop_px", "size"), whole
            ),
            "max_bytes": whole,
            **dict.fromkeys(
                ("compact", "in_screenshot", "few_colours", "full_size"), flag
            ),
            "paper": {"enum": ["a4", "letter", None]},
        }
    )
