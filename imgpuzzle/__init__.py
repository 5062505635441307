"""From a screenshot of a sliding picture puzzle to the shortest solution."""

__version__ = "0.1.0"
