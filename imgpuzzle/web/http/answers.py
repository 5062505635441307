"""From a request to what is asked, and from an answer to HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from imgpuzzle.web.endpoints import asked
from imgpuzzle.web.endpoints.asked import Asked, Form, FormRules
from imgpuzzle.web.errors import ApiError
from imgpuzzle.web.http.uploads import kind_of, receive_form, receive_json
from imgpuzzle.web.work.service import Service

_T = TypeVar("_T")


class JsonAnswer(Response):
    """JSON in UTF-8 that is not cached."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes of ``content``."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def error_answer(error: ApiError) -> Response:
    """The answer for an error."""
    return JsonAnswer({"error": error.to_dict()}, status_code=error.status)


def service_of(request: Request) -> Service:
    """The service of the server that a request came to."""
    service: Service = request.app.state.service
    return service


class _AskedByHttp(Asked):
    def __init__(self, request: Request) -> None:
        self._request = request
        self.service = service_of(request)
        self.path, self.query = request.path_params, request.query_params
        self.is_form = kind_of(request) == "multipart/form-data"

    async def form(self, folder: Path, rules: FormRules) -> Form:
        return await receive_form(self._request, folder, rules)

    async def json(self) -> dict[str, Any]:
        return await receive_json(self._request, self.service.settings)

    async def unless_gone(self, work: Awaitable[_T]) -> _T:
        # What was sent has been received: what comes now is that the visitor goes.
        async def end() -> None:
            while (await self._request.receive())["type"] != "http.disconnect":
                pass

        task, gone = asyncio.ensure_future(work), asyncio.ensure_future(end())
        try:
            await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise ClientDisconnect
        finally:
            for one in (task, gone):
                one.cancel()
            await asyncio.gather(task, gone, return_exceptions=True)


def served(route: asked.Route) -> Route:
    """The route of an endpoint at the server."""

    async def endpoint(request: Request) -> Response:
        answer = await route.endpoint(_AskedByHttp(request))
        if isinstance(answer.content, Path):
            kind, headers = answer.media_type, answer.headers
            return FileResponse(answer.content, media_type=kind, headers=headers)
        return JsonAnswer(answer.content, status_code=answer.status)

    return Route(route.path, endpoint, methods=[route.method])
