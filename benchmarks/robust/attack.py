"""Run one kind of attack many times, in processes that may die of it.

``python -m benchmarks.robust.attack KIND SCALE`` is such a process: it reads a seed a
line and answers with what came of it, as JSON. It is watched for its memory and its
time; one that dies or hangs is a failure of that seed, and another goes on.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

__all__ = ["KINDS", "Attack", "Outcome", "Report", "attacking", "run"]

ROOT = Path(__file__).resolve().parents[2]

KINDS = {
    "pictures": 10_000,
    "uploads": 1_000,
    "kills": 500,
}
"""The attacks that take a seed, each a module here, and how many a long run makes."""

MOST_CPU_SECONDS = 60.0
MOST_MB = 1_500.0
HANGS_SECONDS = 300.0
"""Of wall time, on a machine that has other things to do."""


@dataclass(frozen=True)
class Outcome:
    """What came of an attack: ``complaint`` is empty where all is as it should be."""

    kind: str
    complaint: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0


class Attack(Protocol):
    """One kind of attack; it may keep a folder, a server and whatever it needs."""

    def __call__(self, seed: int) -> Outcome:
        """Attack as this seed says, and look at what comes of it."""


@dataclass
class Report:
    """What came of many attacks."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, str]] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, 0)
    largest: tuple[float, int] = (0.0, 0)
    cpu_seconds: float = 0.0

    def add(self, seed: int, outcome: Outcome) -> None:
        """Count one."""
        complaint = outcome.complaint
        if not complaint and outcome.seconds > MOST_CPU_SECONDS:
            complaint = f"{outcome.kind}: took {outcome.seconds:.0f} s"
        if not complaint and outcome.megabytes > MOST_MB:
            complaint = f"{outcome.kind}: took {outcome.megabytes:.0f} MB"
        if complaint:
            self.failures.append((seed, complaint))
        self.outcomes[outcome.kind if not complaint else "failed"] += 1
        self.slowest = max(self.slowest, (outcome.seconds, seed))
        self.largest = max(self.largest, (outcome.megabytes, seed))
        self.cpu_seconds += outcome.seconds


def run(
    kind: str,
    count: int,
    *,
    seed: int = 0,
    told: Callable[[Report], None] = lambda report: None,
) -> Report:
    """Attack with the seeds from ``seed`` on; ``told`` hears of every hundredth."""
    report = Report()
    with contextlib.ExitStack() as stack:
        child: _Child | None = None
        for number in range(seed, seed + count):
            child = child or stack.enter_context(_Child(kind))
            outcome = child.attack(number)
            if outcome.kind in ("died", "hung"):
                child = None
            report.add(number, outcome)
            if report.outcomes.total() % 100 == 0:
                told(report)
    return report


class _Child:
    """A process that attacks."""

    def __init__(self, kind: str) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.robust.attack", kind],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self._ready = selectors.DefaultSelector()
        self._ready.register(self._out, selectors.EVENT_READ)
        if not self._out.readline():
            raise RuntimeError(f"no attack of {kind} can be made:\n{self._said()}")

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, *error: object) -> None:
        # It ends with its input, and takes what it has started with it.
        self._in.close()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._out.close()
        self._ready.close()
        self._errors.close()

    def attack(self, seed: int) -> Outcome:
        try:
            self._in.write(f"{seed}\n".encode())
            self._in.flush()
            if not self._ready.select(HANGS_SECONDS):
                self._process.kill()
                return Outcome("hung", f"no end in {HANGS_SECONDS:g} s")
            line = self._out.readline()
        except OSError:
            line = b""
        if not line:
            status = self._process.wait()
            return Outcome("died", f"the process ended with {status}: {self._said()}")
        return Outcome(**json.loads(line))

    def _said(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")[-500:]


@contextlib.contextmanager
def attacking(kind: str) -> Iterator[Attack]:
    """An attack in this process, in a folder of its own."""
    module = importlib.import_module(f"benchmarks.robust.{kind}")
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="imgpuzzle-attack-") as folder:
        os.environ.setdefault("IMGPUZZLE_CACHE_DIR", f"{folder}/cache")
        os.chdir(folder)
        try:
            with module.attack(Path(folder)) as made:
                yield made
        finally:
            os.chdir(before)


def _main(kind: str) -> None:
    # What is printed by accident is no answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with attacking(kind) as attack:
        answers.write(b"ready\n")
        answers.flush()
        for line in sys.stdin.buffer:
            _forget_peak()
            began = time.process_time()
            outcome = attack(int(line))
            made: dict[str, Any] = asdict(outcome)
            made["seconds"] = outcome.seconds or time.process_time() - began
            made["megabytes"] = outcome.megabytes or _peak_mb()
            answers.write(json.dumps(made).encode() + b"\n")
            answers.flush()


def _forget_peak() -> None:
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak_mb() -> float:
    """The most memory that was resident since ``_forget_peak``, 0 if nobody knows."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1000
    return 0.0


if __name__ == "__main__":
    _main(sys.argv[1])
