"""What visitors send to a real server: damaged pictures, forms and JSON, nonsense."""

from __future__ import annotations

import contextlib
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.robust.attack import Outcome
from benchmarks.robust.mutation import mutated_bytes, mutated_json
from benchmarks.robust.pictures import Pictures
from benchmarks.web.malformed import Malformed, complaint, malformed, wrong
from benchmarks.web.server import BOUNDARY, MemoryWatch, Server, form, running

__all__ = ["attack"]

LEFT_SECONDS = 20.0
"""So long may it take until what was refused is removed."""

_BODIES: list[tuple[str, Any]] = [
    ("/api/board", {"board": "1 2 3 / 4 0 5 / 7 8 6", "goal": "1 2 3/4 5 6/7 8 0"}),
    ("/api/board", {"board": [[1, 2, 3], [4, 0, 5], [7, 8, 6]]}),
    ("/api/read/ID", {"swap": [[0, 0], [0, 1]]}),
    ("/api/read/ID", {"blank": [2, 2], "goal_layout": "snake", "goal_blank": "last"}),
    ("/api/read/ID", {"board": [[1, 2, 3], [4, 0, 5], [7, 8, 6]], "goal": None}),
    ("/api/read/ID", {"grid": "3x3", "region": [1, 2, 3, 4], "corners": "1,2"}),
    (
        "/api/solve",
        {"reading": "ID", "time_limit": 0.5, "metric": "slide", "max_moves": 40},
    ),
    (
        "/api/render",
        {
            "reading": "ID",
            "job": "JOB",
            "format": "png",
            "style": {"language": "ru", "brighten": 30, "numbers": True},
            "options": {"columns": 3, "gap_px": 4, "size": 300, "paper": "a4"},
            "preview": True,
        },
    ),
]
"""Good ones, to be damaged; ID and JOB stand for what the server gave."""


@contextlib.contextmanager
def attack(folder: Path) -> Iterator[Any]:
    """Requests of all kinds; each must get an answer, and nothing may be left over."""
    place = folder / "server"
    place.mkdir()
    with running(place) as server, MemoryWatch(server.process.pid) as memory:
        visitor = _Visitor(server)

        def one(seed: int) -> Outcome:
            dice = random.Random(f"uploads {seed}")
            began = time.monotonic()
            kind, complaint = visitor.attack(dice, seed)
            if not complaint and server.process.poll() is not None:
                complaint = "the server is gone"
            if not complaint and server.get("/api/health").status != 200:
                complaint = "the server is not well"
            seconds = time.monotonic() - began
            return Outcome(
                kind, complaint and f"{kind}: {complaint}", seconds, memory.own
            )

        yield one


class _Visitor:
    """One who knows the interface, and means harm."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._pictures = Pictures()
        self._id, self._job = "x", "x"

    def attack(self, dice: random.Random, seed: int) -> tuple[str, str]:
        """What was sent and how it was answered, and what is wrong with that."""
        way = dice.random()
        if way < 0.3:
            # As many as there are kinds of it: the seed chooses.
            case = list(malformed(1 + seed % 20, seed))[-1]
            return "nonsense", complaint(self._server, case)
        if way < 0.65:
            return self._picture(dice)
        return self._body(dice) if way < 0.85 else self._form(dice)

    def _picture(self, dice: random.Random) -> tuple[str, str]:
        _, data = self._pictures.mutated(dice)
        fields = {"screenshot": data}
        if dice.random() < 0.3:
            fields = {"screenshot": self._pictures.whole["rgb.png"], "reference": data}
        return self._sent("picture", *form(fields))

    def _form(self, dice: random.Random) -> tuple[str, str]:
        shot = self._pictures.whole["plain.jpg"]
        body, headers = form({"screenshot": shot, "grid": "3x3", "distinct": "1"})
        parts = (f"--{BOUNDARY}\r\n".encode(), b"\r\n\r\n", b'; name="goal"\r\n')
        # What frames the files is where mistakes count.
        cut = dice.choice((200, len(body)))
        body = mutated_bytes(dice, body[:cut], parts) + body[cut:]
        return self._sent("form", body, headers)

    def _sent(self, kind: str, body: bytes, headers: dict[str, str]) -> tuple[str, str]:
        before = self._folders()
        answer = self._server.send("POST", "/api/read", body, headers)
        ends = time.monotonic() + LEFT_SECONDS
        while answer.status != 200 and self._folders() - before:
            if time.monotonic() > ends:
                return kind, f"{answer.status}, and its folder stays"
            time.sleep(0.05)
        return f"{kind} {answer.status}", wrong(answer)

    def _folders(self) -> set[Path]:
        return set(self._server.folder.glob("*/*"))

    def _body(self, dice: random.Random) -> tuple[str, str]:
        if self._server.send("GET", f"/api/read/{self._id}").status != 200:
            self._begin()
        path, value = dice.choice(_BODIES)
        text = json.dumps(value).replace("ID", self._id).replace("JOB", self._job)
        data = mutated_json(dice, json.loads(text))
        headers = {"Content-Type": "application/json"}
        case = Malformed("JSON", "POST", path.replace("ID", self._id), data, headers)
        answer = self._server.send(case.method, case.path, case.body, case.headers)
        return f"JSON {answer.status}", wrong(answer) and f"{case} {wrong(answer)}"

    def _begin(self) -> None:
        """A reading and a solution of it, which requests may speak of."""
        board = self._server.post("/api/board", {"board": "1 2 3/4 0 5/7 8 6"})
        self._id = board.json()["id"]
        solve = self._server.post("/api/solve", {"reading": self._id})
        self._job = solve.json()["job"]
