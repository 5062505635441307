"""What is printed and written, held against ``docs/schema.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

jsonschema = pytest.importorskip("jsonschema", reason="checks schemas with jsonschema")

SCHEMA = json.loads((Path(__file__).parents[1] / "docs/schema.json").read_text("utf-8"))


def check(record: Any, name: str) -> None:
    """Raise ``ValidationError`` for a record that is not as the schema says."""
    asked = {"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{name}"}
    jsonschema.Draft202012Validator(asked).validate(record)
