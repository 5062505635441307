"""Who may speak to the server, and what every answer says to the browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from web_support import BASE, QUIET, TestClient, create_app, ok, refused

import imgpuzzle.web
from imgpuzzle.web.http.safety import (
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
def test_other_names_are_refused(host: str) -> None:
    client = visitor()
    for path in ("/", "/static/x.js", "/api/health", "/nothing"):
        refused(client.get(path, headers={"host": host}), 403)


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


class TestToken:
    @pytest.fixture
    def client(self) -> TestClient:
        return visitor(shared(), "http://192.168.1.7:9000")

    def test_without_it_nothing_is_told(self, client: TestClient) -> None:
        for path in (
            "/",
            "/api/health",
            "/static/index.html",
            "/?token=",
            "/?token=x",
        ):
            refused(client.get(path), 403)
        refused(client.post("/api/board", json={}), 403)

    def test_the_first_visit_sets_a_cookie_and_leaves_the_secret_behind(
        self, client: TestClient
    ) -> None:
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

    def test_a_browser_without_it_gets_words_to_read(self, client: TestClient) -> None:
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

    def test_nothing_but_the_cookie_is_taken_for_it(self, client: TestClient) -> None:
        given = {"cookie": f"imgpuzzle-9000={TOKEN}"}
        assert client.get("/", headers=given).status_code == 200
        refused(client.get("/", headers={"cookie": "imgpuzzle-9000=other"}), 403)
        refused(client.get("/", headers={"cookie": f"imgpuzzle-9001={TOKEN}"}), 403)
        refused(client.get("/", headers={"authorization": f"Bearer {TOKEN}"}), 403)

    def test_it_is_not_taken_elsewhere_in_the_address(self, client: TestClient) -> None:
        refused(client.get(f"/api/health?token={TOKEN}"), 403)
        refused(client.post(f"/?token={TOKEN}"), 403)

    def test_names_are_checked_all_the_same(self) -> None:
        given = {"cookie": f"imgpuzzle-9000={TOKEN}", "host": "evil.example:9000"}
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
