"""``Settings``: where the server listens, and all its limits in one place."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")

_HERE = Path(__file__).parent
SAMPLES = next(
    (
        folder
        # The second is where they lie in a checkout.
        for folder in (_HERE / "samples", _HERE.parent.parent / "sample_images")
        if folder.is_dir()
    ),
    _HERE / "samples",
)
"""The folder of the sample screenshots; it may be missing."""
SAMPLE_PARTS = ("screenshot", "reference")
"""What there is of a sample: the second is missing where tiles have numbers."""

USUAL_PORT = 8765
"""Where the page is, unless another program has it."""

TOKEN_BYTES = 18
"""Of secrets that let visitors in: 144 bits, which nobody guesses."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the server listens, and its limits.

    ``host`` and ``port`` are what the socket is bound to; ``token``, when given,
    is asked of every visitor. Sizes are in bytes, times in seconds of wall time,
    ``worker_mb`` is the address space that a worker may take beyond what it has
    when it is ready. ``niceness`` is added to that of the workers, so that the
    server itself answers while they are busy.
    """

    host: str = "127.0.0.1"
    port: int = USUAL_PORT
    token: str | None = None

    max_connections: int = 100
    """At a time. Browsers keep six each."""
    request_seconds: float = 30.0
    """For a request to begin, with its whole header, and for JSON."""

    max_file_bytes: int = 40_000_000
    max_recording_bytes: int = 200_000_000
    max_json_bytes: int = 64_000
    """Both boards of a correction with 20x20 tiles take 4000."""
    max_waiting: int = 256
    """Searches and drawings that are not at their end."""
    upload_seconds: float = 3600.0
    """For a whole form: the largest takes half an hour at 50 kB a second."""

    readers: int = max(1, min(2, os.cpu_count() or 1))
    solvers: int = 3
    read_seconds: float = 120.0
    draw_seconds: float = 600.0
    review_seconds: float = 900.0
    worker_mb: int = 1500
    worker_keep_mb: int = 400
    """Workers that hold more memory after their work are replaced."""
    idle_seconds: float = 30.0
    """Workers beyond the first of their kind end after so long without work."""
    niceness: int = 5
    warm: bool = True

    max_readings: int = 64
    max_jobs: int = 256
    max_stored_bytes: int = 200_000_000
    poll_seconds: float = 10.0
    forget_seconds: float = 15.0
    """A job ends when it was not asked for in so many seconds."""
