"""The engine of a page that has no server: it runs in the browser, in Pyodide.

A worker of the page (``site/engine.js``) calls ``answered`` with what the page asks.
The endpoints are those of the server. A screenshot is read where it is asked for; a
search is handed to a second worker, which calls ``worked`` and is ended where the
search is to end: nothing else can stop a computation there.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

from imgpuzzle import __version__
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.process import Packet
from imgpuzzle.messages import Message, ServerFault
from imgpuzzle.web.endpoints import readings, solving
from imgpuzzle.web.endpoints.asked import (
    ROUTES,
    Answer,
    Asked,
    Endpoint,
    Form,
    FormRules,
)
from imgpuzzle.web.errors import ApiError, puzzle_error
from imgpuzzle.web.settings import Settings
from imgpuzzle.web.work.service import Service
from imgpuzzle.web.work.store import Record
from imgpuzzle.web.work.worker import carried_out, prepare
from imgpuzzle.web.work.workers import Pool

# Their endpoints are marked with ``api``.
del readings, solving

SETTINGS = Settings(
    readers=1, solvers=1, warm=False, max_readings=16, max_stored_bytes=150_000_000
)
"""As many readings as the page keeps; their pictures lie in memory, undone."""

NEEDS = {
    **dict.fromkeys(("read", "follow", "look", "correct"), ("opencv-python",)),
    "picture": ("opencv-python", "pillow"),
    "board": ("opencv-python", "pillow"),
    "draw": ("opencv-python", "pillow"),
    "code": ("segno",),
}
"""The packages that a task needs besides NumPy, loaded when it is first asked for."""


_KEPT = (
    *("id", "version", "tries", "kept", "stem", "has_screenshot", "has_reference"),
    *("helps", "corrections", "base", "answer"),
)
"""Of a ``Record``: all but what belongs to this run."""


def _places(method: str) -> list[tuple[re.Pattern[str], Endpoint]]:
    """The endpoints of a method, and what their places match."""

    def part(one: re.Match[str]) -> str:
        return rf"(?P<{one[1]}>\d+)" if one[2] else f"(?P<{one[1]}>[^/]+)"

    return [
        (re.compile(re.sub(r"\{(\w+)(:int)?\}", part, path)), endpoint)
        for verb, path, endpoint in ROUTES
        if verb == method
    ]


_PLACES = {method: _places(method) for method in ("GET", "POST")}


class Browser(Protocol):
    """What the worker does for its engine."""

    def load(self, names: str) -> Awaitable[None]:
        """Have packages ready, named with commas between."""

    def search(self, request: str, told: Callable[[str], None]) -> Awaitable[str]:
        """Have the other worker do a task; all of it is JSON."""

    def end_search(self) -> None:
        """End the other worker and begin it anew."""


class Engine:
    """What the worker keeps: the service, whose pools are here."""

    def __init__(self, browser: Browser) -> None:
        class Here(_Pool):
            _browser, _turn = browser, asyncio.Lock()

        self._browser = browser
        self.service = Service(SETTINGS, Here)

    async def prepare(self) -> None:
        """Load what the first request needs, and begin to forget what is old."""
        prepare("read")
        self._running = self.service.running()
        await self._running.__aenter__()

    async def answered(self, request: dict[str, Any]) -> tuple[int, str, bytes]:
        """HTTP's status, the media type and the content of an answer.

        ``request`` has ``path``, ``json`` as text, and the ``fields``, ``files`` and
        ``names`` of a form; what is not sent is empty.
        """
        try:
            answer = await self._asked(request)
        except PuzzleError as error:
            answer = _error(puzzle_error(error))
        except ApiError as error:
            answer = _error(error)
        content = answer.content
        if isinstance(content, Path):
            return answer.status, answer.media_type, content.read_bytes()
        text = json.dumps(content, allow_nan=False)
        return answer.status, answer.media_type, text.encode()

    def kept(self, name: str) -> bytes:
        """A reading without its pictures, to be brought back at a later visit."""
        record = self.service.store.record(name)
        known = {one: getattr(record, one) for one in _KEPT}
        files = {
            path.name: path.read_bytes()
            for path in record.folder.iterdir()
            if path.suffix in (".pickle", ".png")
        }
        return pickle.dumps((__version__, known, files))

    def bring_back(self, kept: bytes, pictures: dict[str, bytes]) -> bool:
        """Take a reading back; whether it is one of this version."""
        try:
            version, known, files = pickle.loads(kept)
        except Exception:
            # Of another version, whose classes were others.
            return False
        if version != __version__:
            return False
        record = self.service.store.new(Record)
        for name, value in known.items():
            setattr(record, name, value)
        for name, data in (files | pictures).items():
            (record.folder / name).write_bytes(data)
        record.users -= 1
        self.service.store.keep(record)
        return True

    async def _asked(self, request: dict[str, Any]) -> Answer:
        place, _, query = request["path"].partition("?")
        method = "POST" if request["json"] or request["files"] else "GET"
        for pattern, endpoint in _PLACES[method]:
            if found := pattern.fullmatch(place):
                if any(bytes(one[:2]) != b"P6" for one in request["files"].values()):
                    # What the browser could not decode, Pillow may.
                    await _loaded(self._browser, "pillow")
                asked = _AskedHere(self.service, request, found.groupdict(), query)
                return await endpoint(asked)
        raise ApiError(501, Message(ServerFault.NOT_HERE))


class _AskedHere(Asked):
    def __init__(
        self,
        service: Service,
        request: dict[str, Any],
        path: dict[str, Any],
        query: str,
    ) -> None:
        self._request = request
        self.service = service
        self.path = {
            name: int(value) if name == "version" else value
            for name, value in path.items()
        }
        self.query = dict(re.findall(r"(\w+)=([^&]*)", query))
        self.is_form = bool(request["files"])

    async def form(self, folder: Path, rules: FormRules) -> Form:
        files = self._request["files"]
        for name, data in files.items():
            (folder / name).write_bytes(data)
        return Form(self._request["fields"], set(files), self._request["names"])

    async def json(self) -> dict[str, Any]:
        given: dict[str, Any] = json.loads(self._request["json"])
        return given


class _Pool(Pool):
    """Work that is done here at once, or by the worker that searches."""

    _browser: Browser
    _turn: asyncio.Lock

    def __init__(self, kind: str, *how: Any, **limits: Any) -> None:
        super().__init__(kind, *how, **limits)
        self._kind = kind

    async def run(
        self,
        request: Packet,
        *,
        seconds: float | None = None,
        on_message: Callable[[Packet], None] = lambda message: None,
        began: Callable[[], None] = lambda: None,
        **how: Any,
    ) -> Packet:
        if self._kind == "solve":
            async with self._turn:
                began()
                ending = json.loads(await self._searched(request, on_message))
        else:
            await _loaded(self._browser, *NEEDS[request["task"]])
            began()
            # What is said meanwhile is not heard before it has ended.
            ending = json.loads(worked(json.dumps(request)))
        if "failed" in ending:
            raise ApiError(**ending["failed"])
        done: Packet = ending["done"]
        return done

    async def _searched(
        self, request: Packet, on_message: Callable[[Packet], None]
    ) -> str:
        def told(message: str) -> None:
            on_message(json.loads(message))

        try:
            return await self._browser.search(json.dumps(request), told)
        except asyncio.CancelledError:
            self._browser.end_search()
            raise


async def _loaded(browser: Browser, *names: str) -> None:
    """Have packages ready; raises ``ApiError`` where they cannot be fetched."""
    try:
        await browser.load(",".join(names))
    except Exception as error:
        raise ApiError(
            503, f"expected {names} to load, found {error}", kind="part"
        ) from None


def worked(request: str, told: Callable[[str], None] = lambda message: None) -> str:
    """Do a task to its end; all of it is JSON."""

    def report(message: Packet) -> None:
        told(json.dumps(message))

    return json.dumps(carried_out(json.loads(request), report))


def _error(error: ApiError) -> Answer:
    return Answer({"error": error.to_dict()}, status=error.status)
