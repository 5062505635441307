"""Figures of all kinds: one command for everything in this folder."""

from __future__ import annotations

import importlib
import sys

COMMANDS = {
    "Reading": {
        "reading": ("vision.reading", "made-up scenes of every kind"),
        "wild": ("vision.wild", "screenshots that strangers took, laid and judged"),
        "missing": ("vision.missing", "is a tile missing, or is every one there?"),
        "full": ("vision.full", "boards without an empty cell, turned tiles too"),
    },
    "Running games": {
        "live-play": ("live.play", "real games played to the end, with troubles"),
    },
    "After a change of the reader": {
        "outcomes": ("vision.outcomes", "keep what is said now, compare it later"),
        "calibration": ("vision.calibration", "is the confidence what it claims?"),
    },
    "Solving": {
        "solving": ("solver.run", "lengths, proofs and times of suites of boards"),
    },
    "The page": {
        "visits": ("web.visits", "what the page without a server costs to open"),
        "wasm": ("web.wasm", "the same answers from Python in a browser"),
    },
    "What must not change": {
        "frozen-solver": ("solver.frozen", "results at fixed nodes, kept and compared"),
        "outputs": ("outputs", "keep files of every kind, compare them later"),
    },
}
"""By group: the module of each command, and what it measures."""


def listed() -> str:
    """The help: every command in a line."""
    lines = ["usage: python -m benchmarks COMMAND [OPTION ...]", "", __doc__ or ""]
    for group, commands in COMMANDS.items():
        lines += ["", f"{group}:"]
        lines += [f"  {name:12} {what}" for name, (_, what) in commands.items()]
    lines += ["", "python -m benchmarks COMMAND --help explains one of them."]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Run the command that is named first; 2 where there is none of that name."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(listed())
        return 0
    name, *rest = arguments
    every = {one: of for group in COMMANDS.values() for one, (of, _) in group.items()}
    if name not in every:
        print(
            f"error: expected one of {', '.join(every)}, found {name!r}",
            file=sys.stderr,
        )
        return 2
    sys.argv = [f"python -m benchmarks {name}", *rest]
    return importlib.import_module(f"benchmarks.{every[name]}").main() or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
