"""Work that is done a little ahead in threads, in order and within little memory.

Painting holds Python's lock and encoding mostly does not: so both go on at once.
"""

from __future__ import annotations

import collections
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

__all__ = ["in_threads", "made_ahead"]

T = TypeVar("T")

AHEAD = 3
"""So many items are made before they are asked for."""


def in_threads(tasks: Iterable[Callable[[], T]]) -> Iterator[T]:
    """The results in order, a few tasks ahead on all cores."""
    workers = os.cpu_count() or 1
    waiting: collections.deque[Future[T]] = collections.deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for task in tasks:
                waiting.append(pool.submit(task))
                if len(waiting) > workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def made_ahead(items: Iterable[T]) -> Iterator[T]:
    """The same items, made in a thread of their own while others are worked on."""
    source = iter(items)

    def following() -> list[T]:
        # A list, because any item may be what says that there is none.
        return [item] if (item := next(source, None)) is not None else []

    with ThreadPoolExecutor(1) as pool:
        waiting = collections.deque(pool.submit(following) for _ in range(AHEAD))
        try:
            while found := waiting.popleft().result():
                waiting.append(pool.submit(following))
                yield found[0]
        finally:
            # After Ctrl-C nobody waits for what was not begun.
            pool.shutdown(cancel_futures=True)
