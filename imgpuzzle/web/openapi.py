"""The description of the interface in OpenAPI 3.1."""

from __future__ import annotations

from typing import Any

__all__ = ["description"]


def description() -> dict[str, Any]:
    """The whole document."""
    return {"openapi": "3.1.0", "info": {"title": "imgpuzzle", "version": "0"}}
