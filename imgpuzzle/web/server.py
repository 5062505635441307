"""The server: ``create_app`` puts routes, safety and workers together."""

from __future__ import annotations

import contextlib
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from imgpuzzle import __version__
from imgpuzzle.errors import PuzzleError
from imgpuzzle.web import readings, solving
from imgpuzzle.web.answers import ApiError, JsonAnswer, error_answer, task_error
from imgpuzzle.web.safety import SafetyMiddleware
from imgpuzzle.web.service import Service
from imgpuzzle.web.settings import Settings

__all__ = ["ROUTES", "create_app"]

STATIC = Path(__file__).with_name("static")
_NAMES = {400: "UsageError", 404: "NotFoundError", 405: "MethodError"}
CLIENT_GONE = 499


def create_app(settings: Settings | None = None) -> Starlette:
    """The application; its workers live from ``lifespan.startup`` to ``shutdown``."""
    chosen = settings or Settings()
    pages = _load_pages(STATIC)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        service = Service(chosen)
        app.state.service = service
        async with service.running():
            yield

    async def page(request: Request) -> Response:
        """The page and its parts."""
        name = request.path_params.get("name", "index.html")
        found = pages.get(name)
        if found is None:
            raise HTTPException(404)
        data, kind = found
        headers = {"cache-control": "no-cache"}
        return Response(data, media_type=kind, headers=headers)

    return Starlette(
        routes=[
            Route("/", page, methods=["GET"]),
            Route("/static/{name:path}", page, methods=["GET"]),
            *ROUTES,
        ],
        middleware=[Middleware(SafetyMiddleware, settings=chosen)],
        exception_handlers={
            ApiError: _api_error,
            PuzzleError: _puzzle_error,
            HTTPException: _http_error,
            ClientDisconnect: _client_gone,
        },
        lifespan=lifespan,
    )


async def _health(request: Request) -> Response:
    """Whether the server can work, and how much it has to do."""
    health = Service.of(request).health
    status = 200 if health["status"] == "ok" else 503
    return JsonAnswer({**health, "version": __version__}, status_code=status)


async def _openapi(request: Request) -> Response:
    """The description of this interface."""
    from imgpuzzle.web.openapi import description

    return JsonAnswer(description())


def _load_pages(folder: Path) -> dict[str, tuple[bytes, str]]:
    """The files of the page with their types; nothing else is ever served."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            kind = _KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0]
            name = path.relative_to(folder).as_posix()
            found[name] = path.read_bytes(), kind or "application/octet-stream"
    return found


# Not left to the system's own table, which may know other ones.
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".otf": "font/otf",
    ".webmanifest": "application/manifest+json",
}

_Endpoint = Callable[[Request], Awaitable[Response]]


def _route(method: str, path: str, endpoint: _Endpoint, name: str) -> Route:
    return Route(path, endpoint, methods=[method], name=name)


ROUTES = [
    _route("GET", "/api/health", _health, "health"),
    _route("GET", "/api/openapi.json", _openapi, "openapi"),
    _route("GET", "/api/samples", readings.samples, "samples"),
    _route(
        "GET",
        "/api/samples/{name}/{which}",
        readings.sample_picture,
        "sample_picture",
    ),
    _route("POST", "/api/read", readings.read, "read"),
    _route("GET", "/api/read/{id}", readings.known, "known"),
    _route("POST", "/api/read/{id}", readings.read_again, "read_again"),
    _route(
        "GET", "/api/read/{id}/{version:int}/{name}.png", readings.picture, "picture"
    ),
    _route("POST", "/api/board", readings.board, "board"),
    _route("POST", "/api/continue", readings.continue_, "continue"),
    _route("POST", "/api/solve", solving.solve, "solve"),
    _route("POST", "/api/render", solving.render, "render"),
    _route("GET", "/api/jobs/{id}", solving.state, "job"),
    _route("POST", "/api/jobs/{id}/cancel", solving.cancel, "cancel"),
    _route("GET", "/api/jobs/{id}/file", solving.file, "file"),
]
"""The interface under ``/api``; ``openapi`` describes each of these."""


async def _api_error(request: Request, error: Any) -> Response:
    return error_answer(error)


async def _puzzle_error(request: Request, error: Any) -> Response:
    return error_answer(task_error(type(error).__name__, str(error), {}))


async def _http_error(request: Request, error: Any) -> Response:
    message = {404: "nothing is there", 405: "expected another method"}
    kind = _NAMES.get(error.status_code, "UsageError")
    text = message.get(error.status_code, str(error.detail))
    return error_answer(ApiError(error.status_code, text, kind=kind))


async def _client_gone(request: Request, error: Any) -> Response:
    # The visitor is gone.
    return Response(status_code=CLIENT_GONE)
