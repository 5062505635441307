"""The solver's kernels once more, in plain Python: what the compiled ones must do.

Each function takes what the function of the same name in
:mod:`imgpuzzle.kernels` takes, writes into the same arrays and returns the same.
They explain themselves there. All numbers are Python's own, which never overflow.
"""

from __future__ import annotations

from kernels_in_python.beam import descend, generate, group_distances, keep
from kernels_in_python.patterns import deepen, find_words, number_regions, spread
from kernels_in_python.slides import code_of, fill, read, search

__all__ = [
    "code_of",
    "deepen",
    "descend",
    "fill",
    "find_words",
    "generate",
    "group_distances",
    "keep",
    "number_regions",
    "read",
    "search",
    "spread",
]
