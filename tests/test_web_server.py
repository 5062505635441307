"""The real server in a process of its own: signals, ports, visitors that go away."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from cli_support import error_line, run
from vision_scenes import draw, photo
from web_reading_support import png
from web_support import SAMPLES, until

from benchmarks.web.malformed import complaint, malformed
from benchmarks.web.server import Answer, Server, family, form, running
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.scramble import uniform
from imgpuzzle.web.settings import USUAL_PORT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not Path("/proc/self/stat").exists(), reason="looks at processes in /proc"
    ),
]

SHOT = SAMPLES / "emblem_screenshot.png"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server")) as made:
        yield made


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has waited for has, too."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True
    return text[text.rindex(")") + 2] == "Z"


@pytest.mark.slow
def test_nonsense_is_refused_in_one_clear_line_and_leaves_nothing(
    server: Server,
) -> None:
    found = [complaint(server, case) for case in malformed(48, seed=1)]
    assert [one for one in found if one] == []
    assert server.get("/api/health").status == 200
    assert server.files() == []


def test_it_says_one_line_with_its_address(server: Server) -> None:
    assert server.line == f"imgpuzzle web: http://127.0.0.1:{server.port}/\n"
    answer = server.get("/")
    assert answer.status == 200
    assert "server" not in answer.headers


@pytest.mark.parametrize(("name", "status"), [("SIGINT", 0), ("SIGTERM", 143)])
def test_signals_end_it_cleanly(tmp_path: Path, name: str, status: int) -> None:
    number = getattr(signal, name)
    with running(tmp_path) as server:
        # In the middle of everything: workers start, a search goes on.
        text = "17 16 15 14 13 12 / 11 10 9 8 7 6 / 5 4 3 2 1 0"
        reading = server.post("/api/board", {"board": text}).json()["id"]
        assert server.post("/api/solve", {"reading": reading}).status == 202
        pids = family(server.process.pid)
        assert server.files()
        assert server.stop(number) == status
        assert server.process.stderr.read() == ""
        assert not list(tmp_path.iterdir())
        until(lambda: all(map(is_gone, pids)))


def test_workers_clean_up_after_a_server_that_was_killed(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        assert server.post("/api/board", {"board": "1 2 / 3 0"}).status == 200
        pids = family(server.process.pid)
        assert len(pids) > 1
        server.stop(signal.SIGKILL)
        until(lambda: all(map(is_gone, pids)))
        until(lambda: not list(tmp_path.iterdir()))


@pytest.mark.slow
def test_a_port_in_use_is_told_or_passed_over(tmp_path: Path, server: Server) -> None:
    taken = run("web", "--no-browser", "--port", str(server.port))
    assert "in use" in error_line(taken, 2)
    assert taken.stdout == ""
    with contextlib.ExitStack() as stack:
        # Where the usual one is taken by somebody else, all the better.
        with contextlib.suppress(OSError):
            stack.enter_context(socket.create_server(("127.0.0.1", USUAL_PORT)))
        other = stack.enter_context(running(tmp_path, port=None))
        assert other.port != USUAL_PORT
        assert other.get("/api/health").status == 200


def test_hosts_that_are_none_are_told() -> None:
    for host in ("nowhere.invalid", "256.1.1.1", "192.0.2.7"):
        error_line(run("web", "--no-browser", "--host", host), 2)


def test_others_need_the_whole_address(tmp_path: Path) -> None:
    with running(tmp_path, "--host", "0.0.0.0") as server:
        address = server.line.split()[-1]
        query = address[address.index("?") :]
        assert query.startswith("?token=")
        assert len(query) > 25
        host = {"Host": f"127.0.0.1:{server.port}"}
        assert server.send("GET", "/", headers=host).status == 403
        # The address is this machine's own as others see it, and any other is not.
        own = {"Host": address.removeprefix("http://").partition("/")[0]}
        assert server.send("GET", f"/{query}", headers=own).status == 303
        rebound = {"Host": f"evil.example:{server.port}"}
        assert server.send("GET", f"/{query}", headers=rebound).status == 403
        server.stop()
        # A code for phones follows the address, and holds it.
        assert scanned(server.process.stdout.read()) == address


def scanned(blocks: str) -> str:
    """What a camera reads from a code that is drawn in half blocks, light on dark."""
    import zxingcpp

    lines = [line for line in blocks.splitlines() if line.strip()]
    halves = {" ": (0, 0), "█": (1, 1), "▀": (1, 0), "▄": (0, 1)}
    rows = [
        [halves[letter][half] for letter in line.ljust(max(map(len, lines)))]
        for line in lines
        for half in (0, 1)
    ]
    code = np.kron(np.array(rows, np.uint8) * 255, np.ones((8, 8), np.uint8))
    code = np.pad(code, 40, constant_values=255)
    read = zxingcpp.read_barcode(code)
    return "" if read is None else read.text


def connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=30)


def upload_head(server: Server, headers: dict[str, str], length: int) -> bytes:
    lines = ["POST /api/read HTTP/1.1", f"Host: 127.0.0.1:{server.port}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, f"Content-Length: {length}", "", ""]).encode()


def test_an_upload_that_breaks_off_leaves_nothing(server: Server) -> None:
    body, headers = form({"screenshot": SHOT.read_bytes()})
    before = server.files()
    for sent in (0, 100, len(body) // 2, len(body) - 1):
        with connect(server) as link:
            link.sendall(upload_head(server, headers, len(body)) + body[:sent])
        until(lambda: server.files() == before)


@pytest.mark.slow
def test_the_reading_of_a_visitor_who_left_is_cancelled(server: Server) -> None:
    body, headers = form({"screenshot": SHOT.read_bytes()})
    before = server.files()
    links = [connect(server) for _ in range(6)]
    for link in links:
        link.sendall(upload_head(server, headers, len(body)) + body)
    until(lambda: server.get("/api/health").json()["waiting"] > 0)
    for link in links:
        link.close()
    # Far sooner than six readings without a reference would take.
    until(lambda: server.get("/api/health").json()["waiting"] == 0)
    until(lambda: server.files() == before)
    assert server.post("/api/board", {"board": "1 2 / 3 0"}).status == 200


@pytest.mark.slow
def test_many_uploads_at_once_each_get_their_own_answer(server: Server) -> None:
    goal = home_cells(Shape(4, 4), blank=15)
    boards = [uniform(goal, seed=seed) for seed in range(4)]

    def upload(board: Board) -> Answer:
        drawn = draw(photo(), board, goal, tile=(75, 75), canvas=(640, 480))
        given = {"screenshot": png(drawn.screenshot), "reference": png(photo())}
        return server.upload("/api/read", {**given, "grid": "4x4"})

    with ThreadPoolExecutor(len(boards)) as pool:
        answers = pool.map(upload, boards)
        # The page is there for others meanwhile.
        assert [server.get("/").status for _ in range(10)] == [200] * 10
        found = [answer.json()["start"] for answer in answers]
    assert found == [board.rows() for board in boards]


def test_the_server_itself_stays_small(server: Server) -> None:
    maps = Path(f"/proc/{server.process.pid}/maps").read_text()
    for library in ("cv2", "numpy", "PIL"):
        assert f"/{library}/" not in maps, f"the server loads {library}"
