"""The same chunks on other machines: a Dask scheduler and its workers."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self, TypeVar

import imgpuzzle
from imgpuzzle.errors import UsageError, part
from imgpuzzle.files.pool import MOST_TRIES
from imgpuzzle.fleet.workers import CHUNKS_AHEAD, FleetLostError, WorkerLostError

_Chunk = TypeVar("_Chunk")
_Result = TypeVar("_Result")

ANSWER_SECONDS = 8.0
"""How long a scheduler may take to answer before it is called unreachable, and until
it has a worker."""
LOOK_SECONDS = 5.0
"""How often it is looked whether any worker is left."""


class DaskFleet:
    """Workers of a Dask cluster.

    Whoever may speak to a scheduler may run anything on its workers. The address says
    what is asked for: nothing at ``tcp://``.

    Args:
        address: Of a scheduler, such as ``"tcp://10.0.0.1:8786"``.
        on_waiting: Called once when a scheduler has lost all of its workers, whose
            parts wait for others.

    Raises:
        MissingDependencyError: Without ``dask.distributed``.
        UsageError: When no scheduler answers there, when it has no workers, or one of
            them no imgpuzzle or another version.
    """

    def __init__(
        self, address: str, *, on_waiting: Callable[[], None] | None = None
    ) -> None:
        dask = part("distributed", "dask.distributed", "cluster")
        self._address = address
        # What is amiss is said here, in one line.
        self._silence = contextlib.ExitStack()
        utils = importlib.import_module("distributed.utils")
        self._silence.enter_context(utils.silence_logging_cmgr("CRITICAL"))
        self._on_waiting = on_waiting
        try:
            self._client: Any = dask.Client(
                address, timeout=ANSWER_SECONDS, set_as_default=False
            )
        except (OSError, TimeoutError, ValueError) as error:
            raise UsageError.said(
                "expected a Dask scheduler at {address!r}, found none that answers "
                "within {seconds:.0f} seconds ({why})",
                address=address,
                seconds=ANSWER_SECONDS,
                why=str(error)[:120] or "silence",
            ) from None
        try:
            self._check_workers(address)
        except BaseException:
            self.__exit__(None, None, None)
            raise

    def _check_workers(self, address: str) -> None:
        with contextlib.suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=ANSWER_SECONDS)
        found: dict[str, Any] = self._client.run(_version, on_error="return")
        if not found:
            raise UsageError.said(
                "expected workers at the Dask scheduler {address!r}, found none "
                'within {seconds:.0f} seconds; "dask worker {address}" on any '
                "machine that reaches it starts one",
                address=address,
                seconds=ANSWER_SECONDS,
            )
        for worker, version in sorted(found.items()):
            if version != imgpuzzle.__version__:
                raise UsageError.said(
                    "expected imgpuzzle {version} on every worker, found "
                    "{found} on {worker}",
                    version=imgpuzzle.__version__,
                    found=version if isinstance(version, str) else "none",
                    worker=worker,
                )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()
        self._silence.close()

    def map_chunks(
        self,
        function: Callable[[_Chunk], _Result],
        chunks: Iterable[_Chunk],
        lost: Callable[[_Chunk, WorkerLostError], _Result] | None = None,
    ) -> Iterator[_Result]:
        """Run a function on every chunk; see ``Fleet``.

        Raises:
            FleetLostError: When the scheduler is gone.
        """
        waiting: deque[tuple[_Chunk, Any]] = deque()
        with self._connected():
            threads = sum(self._client.nthreads().values())
        ahead = CHUNKS_AHEAD * max(1, threads)
        for chunk in chunks:
            waiting.append((chunk, self._send(function, chunk)))
            if len(waiting) > ahead:
                yield self._result(function, waiting, lost)
        while waiting:
            yield self._result(function, waiting, lost)

    def _send(self, function: Callable[[Any], Any], chunk: Any) -> Any:
        # The chunk goes with the task: the scheduler keeps no second copy of it, and
        # equal chunks are worked at twice, as elsewhere.
        with self._connected():
            return self._client.submit(
                function, chunk, pure=False, retries=MOST_TRIES - 1
            )

    def _result(
        self,
        function: Callable[[Any], Any],
        waiting: deque[tuple[Any, Any]],
        lost: Callable[[Any, WorkerLostError], Any] | None,
    ) -> Any:
        killed = importlib.import_module("distributed.scheduler").KilledWorker
        chunk, future = waiting.popleft()
        error = self._failure(future)
        if isinstance(error, killed):
            # Whatever was at the same worker is suspected, too: it is tried alone.
            for _, other in waiting:
                self._failure(other)
            future = self._send(function, chunk)
            error = self._failure(future)
            if isinstance(error, killed):
                ended = WorkerLostError.said(
                    "the workers that had this part ended again and again"
                )
                if lost is None:
                    raise ended from None
                return lost(chunk, ended)
        try:
            # It may be lost with its worker until it has been fetched.
            return self._waited(future, future.result)
        finally:
            future.release()

    def _failure(self, future: Any) -> BaseException | None:
        """Why there is no result; waits for it."""
        failure: BaseException | None = self._waited(future, future.exception)
        return failure

    def _waited(self, future: Any, ask: Callable[..., Any]) -> Any:
        """What a method of a future returns, which takes a ``timeout``."""
        while True:
            try:
                with self._connected():
                    return ask(timeout=LOOK_SECONDS)
            except TimeoutError:
                if future.status == "error":
                    raise  # the function's own
                if self._on_waiting is not None and not self._client.nthreads():
                    self._on_waiting()
                    self._on_waiting = None

    @contextlib.contextmanager
    def _connected(self) -> Iterator[None]:
        """Tell in one line that the scheduler is gone."""
        closed = importlib.import_module("distributed.comm").CommClosedError
        cancelled = asyncio.CancelledError, concurrent.futures.CancelledError
        try:
            yield
        except (closed, *cancelled):
            # Nothing is called off here: that is how Dask tells of it.
            raise FleetLostError.said(
                "the Dask scheduler at {address!r} is gone", address=self._address
            ) from None


def _version() -> str:
    """What a worker has; asked by name, so that one without it can answer."""
    return imgpuzzle.__version__
