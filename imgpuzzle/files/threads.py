"""Threads, where the system has them, and work that they do a little ahead of its turn.

In order and within little memory. Painting holds Python's lock and encoding mostly does
not: so both go on at once.
"""

from __future__ import annotations

import collections
import contextlib
import itertools
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, TypeVar

from imgpuzzle.files import IN_BROWSER

T = TypeVar("T")

AHEAD = 2
"""So many items more than the next are made before they are asked for."""


def thread_pool(threads: int) -> Executor:
    """A pool of so many threads; where there are none, each task is done at once."""
    return _InTurn() if IN_BROWSER else ThreadPoolExecutor(threads)


class _InTurn(Executor):
    """Does what it is given before it returns."""

    def submit(self, work: Callable[..., T], /, *args: Any, **more: Any) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(work(*args, **more))
        except BaseException as error:
            done.set_exception(error)
        return done


def in_threads(
    tasks: Iterable[Callable[[], T]], workers: int | None = None, ahead: int = 0
) -> Generator[T]:
    """The results in order, a few tasks ahead, on all cores or in so many threads."""
    workers = workers or os.cpu_count() or 1
    waiting: collections.deque[Future[T]] = collections.deque()
    with thread_pool(workers) as pool:
        try:
            for task in tasks:
                waiting.append(pool.submit(task))
                if len(waiting) > workers + ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # After Ctrl-C nobody waits for what was not begun.
            pool.shutdown(cancel_futures=True)


def made_ahead(items: Iterable[T]) -> Iterator[T]:
    """The same items, made in a thread of their own while others are worked on."""
    source = iter(items)
    # A list, because any item may be what says that there is none.
    following = itertools.repeat(lambda: list(itertools.islice(source, 1)))
    with contextlib.closing(in_threads(following, 1, AHEAD)) as made:
        for found in made:
            if not found:
                return
            yield found[0]
