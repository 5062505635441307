"""Who may speak to the server, and what every answer says to the browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from web_support import BASE, QUIET, TestClient, create_app, ok, refused

import imgpuzzle.web
from imgpuzzle.web.errors import ApiError
from imgpuzzle.web.http.safety import (
    CODE_SECONDS,
    CODE_TRIES,
    MOST_PAIRED,
    Pairings,
    is_loopback,
)
from imgpuzzle.web.settings import Settings

STATIC = Path(imgpuzzle.web.__file__).parent / "static"
TOKEN = "a-secret-token"


def visitor(settings: Settings = QUIET, base: str = BASE) -> TestClient:
    """A client of a server without workers: enough for what is refused early."""
    return TestClient(create_app(settings), base_url=base)


def shared(host: str = "0.0.0.0") -> Settings:
    return Settings(host=host, port=9000, token=TOKEN, warm=False)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765"],
)
def test_own_names_are_answered(host: str) -> None:
    assert visitor().get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example:8765", "127.0.0.1", "127.0.0.1:80", "localhost:8766", ""),
        *("127.0.0.1.evil.example:8765", "evil.example@127.0.0.1:8765", "[::1]"),
        *("127.0.0.1:8765, evil.example", "192.168.1.7:8765", "localhost.:8765"),
    ],
)
@pytest.mark.parametrize("path", ["/", "/static/x.js", "/api/health", "/nothing"])
def test_other_names_are_refused(host: str, path: str) -> None:
    refused(visitor().get(path, headers={"host": host}), 403)


def test_two_hosts_are_refused() -> None:
    headers = [("host", "127.0.0.1:8765"), ("host", "evil.example")]
    refused(visitor().get("/", headers=headers), 403)


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"origin": BASE}, True),
        ({"origin": BASE, "sec-fetch-site": "same-origin"}, True),
        ({"origin": "http://localhost:8765"}, False),
        ({"origin": "https://127.0.0.1:8765"}, False),
        ({"origin": "http://127.0.0.1:9999"}, False),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"origin": BASE, "sec-fetch-site": "cross-site"}, False),
    ],
)
def test_changes_come_from_the_page_itself(
    headers: dict[str, str], allowed: bool
) -> None:
    # The page itself takes no POST: 405 says that the request got through.
    refused(visitor().post("/", headers=headers), 405 if allowed else 403)


def test_nothing_is_changed_by_get(web: Any) -> None:
    for route in web.app.routes:
        if "GET" in route.methods:
            assert route.methods == {"GET", "HEAD"}, route.path
        else:
            assert route.methods == {"POST"}, route.path


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/"), ("GET", "/nothing"), ("POST", "/api/board"), ("PUT", "/api/read")],
)
def test_all_answers_carry_the_headers(method: str, path: str) -> None:
    headers = visitor().request(method, path).headers
    policy = headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert not re.search(r"https?:", policy)
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"]


def test_errors_of_the_server_carry_them_too() -> None:
    # Without workers the health check breaks.
    answer = visitor().get("/api/health")
    refused(answer, 500)
    assert "default-src" in answer.headers["content-security-policy"]


class TestExtension:
    """Extensions of browsers are let in by a code, and each by its own."""

    OWN = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
    OTHER = "moz-extension://2f8a1f5c-0000-4000-8000-000000000000"

    def code(self, client: TestClient) -> str:
        return str(ok(client.post("/api/pairing", headers={"origin": BASE}))["code"])

    def pair(self, client: TestClient, code: str, origin: str = OWN) -> Any:
        headers = {"origin": origin}
        return client.post("/api/pair", json={"code": code}, headers=headers)

    def asks(self, client: TestClient, token: str, origin: str = OWN) -> int:
        headers = {"origin": origin, "authorization": f"Bearer {token}"}
        return int(client.post("/api/board", json={}, headers=headers).status_code)

    def test_without_a_code_none_is_let_in(self, web: Any) -> None:
        for headers in ({}, {"authorization": "Bearer x"}, {"authorization": "Bearer"}):
            said = {"origin": self.OWN, **headers}
            refused(web.post("/api/board", json={}, headers=said), 403)
            refused(web.get("/api/health", headers=said), 403)

    def test_a_code_lets_one_in_once(self, web: Any) -> None:
        code = self.code(web)
        token = ok(self.pair(web, f"{code[:3]} {code[3:]}"))["token"]
        assert self.asks(web, token) == 400  # got through: the board is missing
        refused(self.pair(web, code), 403)
        # Another extension has no use for the token.
        assert self.asks(web, token, self.OTHER) == 403
        assert self.asks(web, token, "https://evil.example") == 403

    def test_pages_get_neither_code_nor_token(self, web: Any) -> None:
        evil = {"origin": "https://evil.example"}
        refused(web.post("/api/pairing", headers=evil), 403)
        refused(web.post("/api/pairing", headers={"origin": self.OWN}), 403)
        code = self.code(web)
        refused(self.pair(web, code, "https://evil.example"), 403)
        refused(web.post("/api/pair", json={"code": code}), 400)
        assert ok(self.pair(web, code))["token"]

    def test_guessing_ends_the_code(self, web: Any) -> None:
        code = self.code(web)
        wrong = "000000" if code != "000000" else "111111"
        for _ in range(CODE_TRIES):
            refused(self.pair(web, wrong), 403)
        refused(self.pair(web, code), 403)
        # The next one is as good as the first.
        assert ok(self.pair(web, self.code(web)))["token"]

    def test_a_pairing_changes_nothing_without_its_origin(self) -> None:
        client = visitor(shared(), "http://192.168.1.7:9000")
        pairings: Pairings = client.app.state.pairings  # type: ignore[attr-defined]
        token = pairings.pair(pairings.new_code(), self.OWN)
        given = {"authorization": f"Bearer {token}"}
        own = {"origin": "http://192.168.1.7:9000"}
        for origin in ({}, own, {"origin": self.OTHER}):
            for path in ("/api/pairing", "/api/board"):
                refused(client.post(path, json={}, headers=given | origin), 403)
        for origin in (self.OTHER, "https://evil.example", "null"):
            refused(client.get("/api/health", headers=given | {"origin": origin}), 403)

    def test_a_code_ends_with_its_time_and_with_the_next_one(self) -> None:
        now = [0.0]
        pairings = Pairings(lambda: now[0])
        first, second = pairings.new_code(), pairings.new_code()
        if first != second:
            with pytest.raises(ApiError):
                pairings.pair(first, self.OWN)
        now[0] = CODE_SECONDS
        with pytest.raises(ApiError):
            pairings.pair(second, self.OWN)
        third = pairings.new_code()
        assert pairings.knows(pairings.pair(third, self.OWN), self.OWN)

    def test_only_some_are_remembered(self) -> None:
        pairings = Pairings()
        tokens = [
            pairings.pair(pairings.new_code(), self.OWN) for _ in range(MOST_PAIRED + 2)
        ]
        known = [pairings.knows(token, self.OWN) for token in tokens]
        assert known == [False] * 2 + [True] * MOST_PAIRED

    def test_where_a_token_is_asked_for_a_pairing_is_enough(self) -> None:
        client = visitor(shared(), "http://192.168.1.7:9000")
        own = {"authorization": f"Bearer {TOKEN}"}
        code = ok(client.post("/api/pairing", headers=own))["code"]
        pairings: Pairings = client.app.state.pairings  # type: ignore[attr-defined]
        token = pairings.pair(code, self.OWN)
        # Whoever fetches an answer need not say where it comes from.
        given = {"authorization": f"Bearer {token}"}
        assert client.get("/static/index.html", headers=given).status_code == 200


class TestToken:
    def test_without_it_nothing_is_told(self) -> None:
        client = visitor(shared(), "http://192.168.1.7:9000")
        for path in (
            "/",
            "/api/health",
            "/static/index.html",
            "/?token=",
            "/?token=x",
        ):
            refused(client.get(path), 403)
        refused(client.post("/api/board", json={}), 403)

    def test_the_first_visit_sets_a_cookie_and_leaves_the_secret_behind(self) -> None:
        client = visitor(shared(), "http://192.168.1.7:9000")
        first = client.get(f"/?token={TOKEN}", follow_redirects=False)
        assert (first.status_code, first.headers["location"]) == (303, "/")
        assert first.headers["cache-control"] == "no-store"
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert "set-cookie" not in client.get("/").headers
        assert client.get("/").status_code == 200
        # Also when the whole address is opened again, and what else it asks for stays.
        again = client.get(f"/?a=%2F&token={TOKEN}&b", follow_redirects=False)
        assert (again.status_code, again.headers["location"]) == (303, "/?a=%2F&b=")

    def test_a_browser_without_it_gets_words_to_read(self) -> None:
        client = visitor(shared(), "http://192.168.1.7:9000")
        accept = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        for path in ("/", "/?token=wrong"):
            answer = client.get(path, headers=accept)
            assert answer.status_code == 403
            assert answer.headers["content-type"].startswith("text/html")
            assert "whole address" in answer.text
            assert "весь адрес" in answer.text
            assert "default-src 'self'" in answer.headers["content-security-policy"]
            assert "set-cookie" not in answer.headers
        refused(client.get("/api/health", headers=accept), 403)

    def test_it_is_taken_as_a_header(self) -> None:
        client = visitor(shared(), "http://192.168.1.7:9000")
        given = {"authorization": f"Bearer {TOKEN}"}
        assert client.get("/", headers=given).status_code == 200
        refused(client.get("/", headers={"authorization": "Bearer other"}), 403)
        refused(client.get("/", headers={"authorization": f"Basic {TOKEN}"}), 403)

    def test_it_is_not_taken_elsewhere_in_the_address(self) -> None:
        client = visitor(shared(), "http://192.168.1.7:9000")
        refused(client.get(f"/api/health?token={TOKEN}"), 403)
        refused(client.post(f"/?token={TOKEN}"), 403)

    def test_names_are_checked_all_the_same(self) -> None:
        given = {"authorization": f"Bearer {TOKEN}", "host": "evil.example:9000"}
        refused(visitor(shared()).get("/", headers=given), 403)

    def test_a_host_that_was_given_is_a_name(self) -> None:
        client = visitor(shared("box.lan"), "http://box.lan:9000")
        assert client.get(f"/?token={TOKEN}").status_code == 200
        other = visitor(shared("box.lan"), "http://192.168.1.7:9000")
        refused(other.get(f"/?token={TOKEN}"), 403)


@pytest.mark.parametrize(
    ("host", "own"),
    [
        *(("127.0.0.1", True), ("127.0.0.2", True), ("localhost", True)),
        *(("::1", True), ("[::1]", True), ("0.0.0.0", False), ("::", False)),
        *(("192.168.1.7", False), ("box.lan", False), ("localhost.evil", False)),
    ],
)
def test_loopback(host: str, own: bool) -> None:
    assert is_loopback(host) == own


def test_only_files_of_the_page_are_served(web: Any) -> None:
    for path in ("../settings.py", "%2e%2e/settings.py", "", "//etc/passwd", "x"):
        refused(web.get(f"/static/{path}"), 404)
    assert web.get("/static/index.html").content == web.get("/").content


def test_the_page_needs_nothing_that_its_policy_forbids() -> None:
    for path in STATIC.rglob("*"):
        if path.suffix not in (".html", ".css", ".js", ".mjs", ".svg"):
            continue
        text = path.read_text("utf-8")
        loads = re.findall(
            r"""(?:src|href|url\(|from|import)\s*[=(]?\s*["']?(\w+:)?//""", text
        )
        assert not loads, f"{path.name} loads from elsewhere"
        if path.suffix == ".html":
            assert not re.search(r"<script(?![^>]*\bsrc=)", text), path.name
            assert not re.search(r"<style\b|\sstyle=|\son[a-z]+=", text), path.name


def test_health_is_there(web: Any) -> None:
    assert ok(web.get("/api/health"))["status"] == "ok"
