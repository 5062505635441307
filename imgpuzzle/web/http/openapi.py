"""The description of the interface in OpenAPI 3.1, made from the routes themselves.

Each endpoint is marked with ``api``: the shapes of what it takes, which also check it,
and of what it answers. The rest follows from them, and from its path.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from imgpuzzle import __version__
from imgpuzzle.web.http.answers import COMPONENTS, EXAMPLES, components
from imgpuzzle.web.http.fields import Schema, fields_of, schema_of

__all__ = ["ROUTES", "WORKING", "api", "description", "files_and_texts"]

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
"""What each status means; routes list theirs."""
_ALWAYS, _OF_BODIES, _OF_PATHS = (403, 500, 507), (400, 408, 413, 415), (404,)
"""The errors of all routes, of those that take a body, and of paths with an id."""

WORKING = (422, 429, 503)
"""The statuses of what a worker has to do with a picture or a board."""

Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Operation:
    """What a route takes and answers.

    ``answers`` names the component, or the media type, of each good status, ``errors``
    are the statuses beyond those of all routes, of bodies and of paths with an id.
    """

    answers: dict[int, str]
    errors: tuple[int, ...] = ()
    json: Any = None
    form: Any = None
    query: dict[str, str] | None = None


ROUTES: list[tuple[Route, Operation]] = []
"""The interface under ``/api``."""


def api(
    method: str, path: str, *answers: Any, **said: Any
) -> Callable[[Endpoint], Endpoint]:
    """Make a function an endpoint of the interface, with the fields of ``Operation``.

    Its docstring says what it does.
    """

    def add(endpoint: Endpoint) -> Endpoint:
        route = Route(path, endpoint, methods=[method])
        ROUTES.append((route, Operation(*answers, **said)))
        return endpoint

    return add


def files_and_texts(form: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of a form's files, and those of its other fields."""
    fields = {name: _is_file(hint) for name, (hint, _) in fields_of(form).items()}
    files = tuple(name for name, is_file in fields.items() if is_file)
    return files, tuple(name for name in fields if name not in files)


def _is_file(hint: Any) -> bool:
    while get_origin(hint) is not None:
        hint = get_args(hint)[0]
    return hint is bytes


def description() -> Schema:
    """The whole document."""
    paths: dict[str, Schema] = {}
    for route, said in ROUTES:
        path = re.sub(r":[a-z]+\}", "}", route.path)
        method = min(route.methods or ()).lower()
        about = (inspect.getdoc(route.endpoint) or "").partition("\n")[0]
        paths.setdefault(path, {})[method] = {
            "summary": about,
            **_described(path, said),
        }
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
        "paths": paths,
        "components": {
            "schemas": components(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _described(path: str, said: Operation) -> Schema:
    bodies = {"application/json": said.json, "multipart/form-data": said.form}
    content = {
        kind: {"schema": schema_of(body, COMPONENTS, nullable=body is said.json)}
        for kind, body in bodies.items()
        if body is not None
    }
    names = re.findall(r"\{(\w+)\}", path)
    errors = {*_ALWAYS, *said.errors, *(_OF_BODIES if content else ())}
    if names:
        errors.update(_OF_PATHS)
    answers = {status: _answer(name) for status, name in said.answers.items()}
    failures = {status: _answer("Error", _ERRORS[status]) for status in sorted(errors)}
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": _path_type(name)}
        for name in names
    ]
    for name, about in (said.query or {}).items():
        schema = {"type": "integer"}
        parameters.append(
            {"name": name, "in": "query", "description": about, "schema": schema}
        )
    responses = {str(status): one for status, one in {**answers, **failures}.items()}
    made: Schema = {"responses": responses}
    if parameters:
        made["parameters"] = parameters
    if content:
        made["requestBody"] = {"required": True, "content": content}
    return made


def _path_type(name: str) -> Schema:
    return {"type": "integer" if name == "version" else "string"}


def _answer(name: str, about: str = "") -> Schema:
    if name not in COMPONENTS:
        return {"description": "the file", "content": {name: {}}}
    shape = {"$ref": f"#/components/schemas/{name}"}
    content = {"application/json": {"schema": shape, "example": EXAMPLES[name]}}
    return {
        "description": about or inspect.getdoc(COMPONENTS[name]) or "",
        "content": content,
    }
