"""The usual commands, in the environment that ``.ci/run`` has made.

``nox -l`` lists them; ``nox -s tests -- tests/test_board.py`` passes arguments on.
"""

from __future__ import annotations

import nox

nox.options.sessions = ["quick", "lint"]
nox.options.default_venv_backend = "none"

PYTHON = ".venv/bin/python"


@nox.session
def tests(session: nox.Session) -> None:
    """All tests: some minutes on all cores."""
    session.run(PYTHON, "-m", "pytest", "-q", "-n", "auto", *session.posargs)


@nox.session
def quick(session: nox.Session) -> None:
    """The tests that are not marked slow: a minute or two."""
    quick = ("-q", "-n", "auto", "-m", "not slow")
    session.run(PYTHON, "-m", "pytest", *quick, *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Style, format and types."""
    session.run(PYTHON, "-m", "ruff", "check")
    session.run(PYTHON, "-m", "ruff", "format", "--check")
    session.run(PYTHON, "-m", "mypy")


@nox.session
def coverage(session: nox.Session) -> None:
    """What the quick tests do not run, in ``htmlcov``."""
    report = ("--cov=imgpuzzle", "--cov-report=term", "--cov-report=html")
    quick = ("-q", "-n", "auto", "-m", "not slow")
    session.run(PYTHON, "-m", "pytest", *quick, *report, *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation as a site, while you write."""
    session.run(PYTHON, "-m", "mkdocs", "serve", *session.posargs)


@nox.session
def benchmarks(session: nox.Session) -> None:
    """``nox -s benchmarks -- solving``; without a name all of them are listed."""
    session.run(PYTHON, "-m", "benchmarks", *session.posargs)
