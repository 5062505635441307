"""Pattern databases for every home of the blank, out of those for one.

A stretch of a solution ends in a position whose blank may be anywhere. The groups
of the goal's own tables serve there, too: tiles are named by where they
are at the end. Only the group in whose midst the blank then lies has to do without
that cell, which takes a small table of its own, and the cell where the blank
belongs in the end makes a group of one.
"""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from imgpuzzle.kernels.beam import Tables
from imgpuzzle.solver.beam.layer import make_tables
from imgpuzzle.solver.budget import no_look
from imgpuzzle.solver.tables.lookup import Lookup, laid_out, own_place
from imgpuzzle.solver.tables.patterns import build_table, entries
from imgpuzzle.solver.tables.ranks import Group

_SPARE = 1 << 16
"""Bytes of room for each further home, so that tables are seldom copied."""
_QUICK_ENTRIES = 10_000_000
"""Tables of more are not built for one home alone, which would take over 0.1 s."""


class HomeTables:
    """The tables of one goal, and those for other homes of the blank, once asked for.

    ``lookup`` is for a goal with the blank in cell ``home``. May be used from
    several threads.
    """

    def __init__(self, lookup: Lookup, home: int) -> None:
        self.lookup, self.home = lookup, home
        self._views = [
            [tuple(int(label) - 1 for label in group if label) for group in groups]
            for groups in lookup.members
        ]
        self._bits, self._used = lookup.bits, len(lookup.bits)
        self._begins: dict[Group, int] = {}
        for view, offsets in zip(self._views, lookup.offset.tolist(), strict=True):
            for homes, offset in zip(view, offsets, strict=True):
                if homes:
                    own = own_place(lookup.shape, homes, home)
                    self._begins[own.group] = offset // 8
        self._tables = {home: make_tables(lookup)}
        self._lock = threading.Lock()

    @property
    def own(self) -> Tables:
        """The tables for the goal itself."""
        return self._tables[self.home]

    def of(self, blank: int, look: Callable[[], None] = no_look) -> Tables | None:
        """The tables for goals with the blank in the cell ``blank``.

        ``None`` when that would take a table which takes long to build. ``look`` is
        called while one is built, and may raise.
        """
        tables = self._tables.get(blank)
        if tables is None:
            if not self._is_quick(blank):
                return None
            tables = make_tables(self.lookup_of(blank, look))
            self._tables[blank] = tables
        return tables

    def lookup_of(self, blank: int, look: Callable[[], None] = no_look) -> Lookup:
        """The same, not yet laid out for the kernels."""
        if blank == self.home:
            return self.lookup
        shape = self.lookup.shape
        views = self._views_for(blank)
        for group in itertools.chain(*views):
            own = own_place(shape, group, blank).group
            if own not in self._begins:
                table = build_table(own, watch=lambda _: look())
                with self._lock:
                    self._begins[own] = self._put(table)
        return laid_out(shape, blank, views, self._bits, self._begins.__getitem__)

    def _views_for(self, blank: int) -> list[list[tuple[int, ...]]]:
        """The groups without that cell, and the home of the blank in the end."""
        return [
            [
                left
                for homes in (*view, (self.home,))
                if (left := tuple(home for home in homes if home != blank))
            ]
            for view in self._views
        ]

    def _is_quick(self, blank: int) -> bool:
        """Whether all tables are there or built in a moment."""
        shape = self.lookup.shape
        return all(
            entries(shape, len(group)) <= _QUICK_ENTRIES
            or own_place(shape, group, blank).group in self._begins
            for group in itertools.chain(*self._views_for(blank))
        )

    def _put(self, table: npt.NDArray[np.uint8]) -> int:
        """Append a table; tables that were handed out keep what they know."""
        begin, end = self._used, self._used + len(table)
        if end > len(self._bits):
            # Memory that nothing was written to costs nothing.
            cells = self.lookup.shape.size
            room = np.empty(end + cells * (len(table) + _SPARE), np.uint8)
            room[:begin] = self._bits[:begin]
            self._bits = room
        self._bits[begin:end] = table
        self._used = end
        return begin


home_tables = functools.lru_cache(maxsize=2)(HomeTables)
"""The tables around a lookup: one that is solved, and one before, are kept with all
that was built."""
