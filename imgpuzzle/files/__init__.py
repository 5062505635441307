"""What touches the system: pictures in, files out that are whole or absent, workers.

``image`` is the only door to picture files, ``folder`` makes the files of a run appear
together, ``temporary`` names what is being made and sweeps what a killed run left.
``pool`` has the processes that work for the page and for runs of many boards; each is a
``process`` that runs the loop of ``worker``; ``threads`` are for work in this one.
"""

from __future__ import annotations

import sys

IN_BROWSER = sys.platform == "emscripten"
"""Whether this is Python in a browser: one thread and no other processes, no locks of
files, and nobody says how much memory is free."""
