"""What tests cost: CPU seconds of each test and phase, those of its children included.

``python -m pytest -p tests.costs -n 2 tests/test_board.py`` prints the forty that cost
most, and what each file costs. Fixtures of a module or session are paid for in the
set-up of the first test that asks for them. Children that live on (a browser, a
server) are looked up in ``/proc``. Parts of a browser take what they have used along
when they end: nobody waits for them, and whoever ends them is not credited with it.
"""

from __future__ import annotations

import os
import resource
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

MOST_SHOWN = 40
TICK = os.sysconf("SC_CLK_TCK")

spent: dict[str, dict[str, float]] = defaultdict(dict)


def of_living_children(pid: int) -> float:
    """CPU seconds of all descendants, and of what these have waited for."""
    total = 0.0
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            try:
                line = Path(f"/proc/{child}/stat").read_text()
            except OSError:
                continue
            ticks = line.rpartition(")")[2].split()[11:15]
            total += sum(map(int, ticks)) / TICK + of_living_children(int(child))
    return total


def so_far() -> float:
    """CPU seconds of this process and all that it has started."""
    total = of_living_children(os.getpid())
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(who)
        total += used.ru_utime + used.ru_stime
    return total


def phase(name: str, item: pytest.Item) -> Iterator[Any]:
    began = so_far()
    try:
        return (yield)
    finally:
        spent[item.nodeid][name] = max(0.0, so_far() - began)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[Any]:
    return (yield from phase("set-up", item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[Any]:
    return (yield from phase("test", item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[Any]:
    return (yield from phase("end", item))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let the process that prints have what this worker has found."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["spent"] = dict(spent)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take what a worker has found."""
    spent.update(getattr(node, "workeroutput", {}).get("spent", {}))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the costliest."""
    write = terminalreporter.write_line
    terminalreporter.section("CPU seconds")
    ranked = sorted(spent.items(), key=lambda one: -sum(one[1].values()))
    for name, phases in ranked[:MOST_SHOWN]:
        parts = ", ".join(
            f"{part} {of:.1f}" for part, of in phases.items() if of >= 0.1
        )
        write(f"{sum(phases.values()):7.2f}  {name}  ({parts})")
    files: Counter[str] = Counter()
    for name, phases in spent.items():
        files[name.partition("::")[0]] += sum(phases.values())  # type: ignore[assignment]
    for name, seconds in files.most_common(MOST_SHOWN):
        write(f"{seconds:7.1f}  {name}")
    write(f"{sum(files.values()):7.1f}  in all")
