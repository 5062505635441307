"""The command of the benchmarks works, and facts about pictures fit together."""

from __future__ import annotations

import importlib
import re

import pytest

from benchmarks import __main__ as front
from benchmarks.vision import wild


def test_every_command_is_there_and_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert front.main([]) == 0
    said = capsys.readouterr().out
    for name, (module, what) in (
        one for group in front.COMMANDS.values() for one in group.items()
    ):
        assert f"  {name} " in said
        assert what in said
        assert callable(importlib.import_module(f"benchmarks.{module}").main)
    assert front.main(["nothing"]) == 2
    assert "found 'nothing'" in capsys.readouterr().err


def test_the_facts_about_strangers_screenshots_fit_together() -> None:
    rows = wild.manifest()
    assert len({row["name"] for row in rows}) == len(rows)
    for row in rows:
        assert len(row["pixels"]) == 64
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", row["repository"])
        rows_, cols = row["grid"]
        tiles = sorted(tile for line in row["board"] or [] for tile in line)
        if row["goal"] is None:
            assert tiles in ([], list(range(1, rows_ * cols + 1)))
        else:
            assert tiles == sorted(tile for line in row["goal"] for tile in line)
            assert tiles[0] == 0
