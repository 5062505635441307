"""Who may speak to the server, and what browsers may do with its answers.

A page of some other site can make a browser send requests to this server, and by
rebinding its own name to 127.0.0.1 even read the answers. So requests for any
name but the server's own are refused, as are changes that come from elsewhere.
"""

from __future__ import annotations

import hmac
import html
import ipaddress
import socket
from collections.abc import Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from imgpuzzle.core.language import LANGUAGES, words
from imgpuzzle.web.errors import ApiError, system_error
from imgpuzzle.web.http.answers import error_answer
from imgpuzzle.web.settings import LOOPBACK_NAMES, Settings

CONTENT_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
    "script-src 'self'; style-src 'self'; connect-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

_HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_NO_ENTRY = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>imgpuzzle</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<h1>imgpuzzle</h1>
{words}
</html>
"""
"""What a visitor sees who opens the page by another address, or without its token."""

_SAFE_METHODS = {"GET", "HEAD"}
_COOKIE_RULES = "Path=/; HttpOnly; SameSite=Lax"
"""Lax, so that a link in a chat leads in: nothing is changed by what follows a link."""
_WILDCARDS = {"", "0.0.0.0", "::", "[::]"}


def address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a host is named by; ``None`` for other names."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that is bound to ``host``."""
    found = address_of(host)
    return host.lower() == "localhost" or (found is not None and found.is_loopback)


class SafetyMiddleware:
    """Refuses what is not meant for this server and adds the headers of safety."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        say: Callable[[str], None],
    ) -> None:
        self.app = app
        self.settings = settings
        self.say = say
        self._names = _own_names(settings.host)
        self._cookie = f"imgpuzzle-{settings.port}"
        self._headers = dict(_HEADERS)
        if not is_loopback(settings.host):
            # Browsers ignore this one, and complain, on plain HTTP from elsewhere.
            del self._headers["cross-origin-opener-policy"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The interface of ASGI."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        visit = Request(scope, receive)
        cookie: str | None = None
        is_answered = False

        async def send_safely(message: MutableMapping[str, Any]) -> None:
            nonlocal is_answered
            if message["type"] == "http.response.start":
                is_answered = True
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
                if cookie is not None:
                    headers.append("set-cookie", cookie)
            await send(message)

        try:
            is_entered = self._check(visit)
        except ApiError as error:
            await _refusal(visit, error)(scope, receive, send_safely)
            return
        if is_entered:
            # To the page at an address without the secret, which nobody then sees in
            # the browser or passes on by mistake.
            cookie = f"{self._cookie}={self.settings.token}; {_COOKIE_RULES}"
            plain = visit.url.remove_query_params("token").replace(scheme="", netloc="")
            answer = RedirectResponse(str(plain), status_code=303)
            await answer(scope, receive, send_safely)
            return
        try:
            await self.app(scope, receive, send_safely)
        except Exception as error:
            # What it says may hold paths of this machine: only its owner sees it.
            self.say(f"the server failed: {type(error).__name__}: {error}")
            if is_answered:
                raise
            await error_answer(system_error(error))(scope, receive, send_safely)

    def _check(self, visit: Request) -> bool:
        """Refuse by ``ApiError`` what is not for us, or comes from elsewhere.

        Returns whether a visitor enters now by the address with the token.
        """
        host = visit.headers.getlist("host")
        if len(host) != 1 or not self._is_own(host[0]):
            raise ApiError(
                403,
                f"expected this server's own name, found {', '.join(host)!r} as Host",
            )
        if visit.method not in _SAFE_METHODS:
            _check_origin(visit.headers, host[0])
        token = self.settings.token
        if token is None:
            return False
        if _is_for_page(visit) and _equal(visit.query_params.get("token", ""), token):
            return True
        if not _equal(visit.cookies.get(self._cookie, ""), token):
            raise ApiError(
                403,
                "expected the whole address that imgpuzzle web printed, with its token",
            )
        return False

    def _is_own(self, host: str) -> bool:
        name, _, port = host.rpartition(":")
        if not name or host.endswith("]"):
            name, port = host, "80"
        if port != str(self.settings.port):
            return False
        name = name.lower()
        if name in LOOPBACK_NAMES or name in self._names:
            return True
        # Only names can be rebound, so an address is the server's own.
        return self.settings.host in _WILDCARDS and address_of(name) is not None


def _is_for_page(visit: Request) -> bool:
    return visit.scope["path"] == "/" and visit.method in _SAFE_METHODS


def _refusal(visit: Request, error: ApiError) -> Response:
    """Words to read for who opens the page, and an error for all others."""
    if not _is_for_page(visit) or "text/html" not in visit.headers.get("accept", ""):
        return error_answer(error)
    page = _NO_ENTRY.format(words=_no_entry_words())
    return Response(page, error.status, media_type="text/html")


def _check_origin(headers: Headers, host: str) -> None:
    """Refuse changes that a page of another site asks for.

    Browsers send one of the two headers; other programs need send none.
    """
    origin = headers.get("origin")
    if origin is not None and origin.lower() != f"http://{host.lower()}":
        raise ApiError(403, f"expected a request of this page, found one of {origin!r}")
    site = headers.get("sec-fetch-site")
    if site is not None and site not in {"same-origin", "none"}:
        raise ApiError(403, f"expected a request of this page, found a {site!r} one")


def _equal(given: str, wanted: str) -> bool:
    """Compared in a time that does not depend on how much of it is right."""
    return hmac.compare_digest(given.encode(), wanted.encode())


def _own_names(host: str) -> set[str]:
    names = {host.lower()}
    if ":" in host and not host.startswith("["):
        names.add(f"[{host.lower()}]")
    if host in _WILDCARDS:
        own = socket.gethostname().lower()
        names |= {own, f"{own}.local"} - {""}
    return names


def _no_entry_words() -> str:
    """What to do, in every language: the visitor's is not asked for yet."""
    lines = []
    for language in LANGUAGES:
        text = words(language).gettext(
            "Open the whole address that imgpuzzle printed in the terminal, or scan "
            "its code."
        )
        lines.append(f'<p lang="{language}">{html.escape(text)}</p>')
    return "\n".join(lines)
