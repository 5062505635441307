"""The server: ``create_app`` puts routes, safety and workers together."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from imgpuzzle import __version__
from imgpuzzle.errors import PuzzleError
from imgpuzzle.web.endpoints import readings, reviewing, solving
from imgpuzzle.web.endpoints.asked import ROUTES
from imgpuzzle.web.errors import ApiError, puzzle_error
from imgpuzzle.web.http.answers import JsonAnswer, error_answer, served, service_of
from imgpuzzle.web.http.page_files import load_page
from imgpuzzle.web.http.safety import SafetyMiddleware
from imgpuzzle.web.settings import Settings
from imgpuzzle.web.work.service import Service

# Their endpoints are marked with ``api``.
del readings, reviewing, solving

CLIENT_GONE = 499
"""What other servers write down for it; nobody is there to read it."""


def create_app(
    settings: Settings, say: Callable[[str], None] = lambda text: None
) -> Starlette:
    """The application; its workers live from ``lifespan.startup`` to ``shutdown``.

    ``say`` is called with what the owner of the server should know.
    """
    pages = load_page()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        service = Service(settings)
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

    safety = Middleware(SafetyMiddleware, settings=settings, say=say)
    return Starlette(
        routes=[
            Route("/", page, methods=["GET"]),
            Route("/static/{name:path}", page, methods=["GET"]),
            *map(served, ROUTES),
            Route("/api/health", _health, methods=["GET"]),
        ],
        middleware=[safety],
        exception_handlers={
            ApiError: _refused,
            PuzzleError: _refused,
            HTTPException: _http_error,
            ClientDisconnect: _client_gone,
        },
        lifespan=lifespan,
    )


async def _health(request: Request) -> Response:
    """That the server is there, and how much it has to do."""
    health = service_of(request).health
    return JsonAnswer({"status": "ok", **health, "version": __version__})


async def _refused(request: Request, error: Any) -> Response:
    return error_answer(error if isinstance(error, ApiError) else puzzle_error(error))


async def _http_error(request: Request, error: Any) -> Response:
    message = {404: "nothing is there", 405: "expected another method"}
    text = message.get(error.status_code, str(error.detail))
    return error_answer(ApiError(error.status_code, text))


async def _client_gone(request: Request, error: Any) -> Response:
    # The visitor is gone.
    return Response(status_code=CLIENT_GONE)
