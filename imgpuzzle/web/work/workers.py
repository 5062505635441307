"""``Pool``: the page's worker processes of one kind, whose faults are answers."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path
from typing import Any

from imgpuzzle.files import pool
from imgpuzzle.files.pool import NotDone, NotDoneError
from imgpuzzle.files.process import Packet, Role, TaskFailedError
from imgpuzzle.messages import Message, ServerFault
from imgpuzzle.web.errors import ApiError, task_error
from imgpuzzle.web.settings import Settings

WARM_SECONDS = 300.0
"""For what is done once at the start, on a busy machine."""


class Pool(pool.Pool):
    """The same with the limits of the settings; what goes wrong is an ``ApiError``.

    ``seconds`` is how long a request may take that does not say so itself.
    """

    def __init__(
        self,
        kind: str,
        folder: Path,
        settings: Settings,
        *,
        most: int,
        seconds: float = math.inf,
        keep_mb: int | None = None,
    ) -> None:
        self._seconds = seconds
        role = Role(
            *("imgpuzzle.web.work.worker", kind, str(folder)),
            *(settings.worker_mb, settings.niceness),
        )
        super().__init__(
            role,
            most=most,
            keep_bytes=(keep_mb or settings.worker_keep_mb) * 1_000_000,
            idle_seconds=settings.idle_seconds,
        )

    async def run(
        self, request: Packet, *, seconds: float | None = None, **how: Any
    ) -> Packet:
        """Have a request done; see above."""
        seconds = self._seconds if seconds is None else seconds
        try:
            return await super().run(request, seconds=seconds, **how)
        except TaskFailedError as error:
            raise ApiError(**error.failed) from None
        except NotDoneError as error:
            raise _answer(error.why, seconds) from None

    def warm_up(self, request: Packet) -> None:
        """Start a worker in the background, and let it do ``request``."""

        async def start() -> None:
            with contextlib.suppress(ApiError):
                await self.run(request, seconds=WARM_SECONDS)

        self._later(start())


def _answer(why: NotDone, seconds: float) -> ApiError:
    if why is NotDone.LATE:
        late = Message(ServerFault.LATE, seconds=seconds)
        return task_error("LimitReachedError", late)
    if why is NotDone.DEADLY:
        return task_error("InvalidImageError", Message(ServerFault.DIED))
    if why is NotDone.NO_WORKER:
        return ApiError(503, Message(ServerFault.NO_WORKER))
    return ApiError(503, "the server is shutting down")
