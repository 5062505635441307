"""Shapes of JSON, told once: what checks a request also describes it in OpenAPI.

A shape is a ``TypedDict`` or a dataclass. Beside its type a field may carry, in
``Annotated``, what it is (a text), ``Within`` and ``Items`` (limits), ``OneOf``
(names), ``Taken`` (how values that may be written in several ways are read), ``Open``
(objects with further fields) and ``Example``. In a request ``null`` is like nothing.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from imgpuzzle.core.options import OneOf, Within
from imgpuzzle.web.errors import ApiError
from imgpuzzle.web.settings import Settings

__all__ = [
    "Example",
    "Items",
    "Open",
    "Schema",
    "Taken",
    "checked",
    "checked_fields",
    "described",
    "fields_of",
    "schema_of",
    "wrong",
]

Schema = dict[str, Any]
_T = TypeVar("_T")


@dataclasses.dataclass(frozen=True, slots=True)
class Items:
    """Lists of ``least`` to ``most`` items."""

    least: int
    most: int | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Taken:
    """Read by a function of the value, the field's name and the settings.

    It raises ``ApiError`` for what it does not take.
    """

    take: Callable[[Any, str, Settings], Any]


@dataclasses.dataclass(frozen=True, slots=True)
class Open:
    """An object that may have other fields as well."""


@dataclasses.dataclass(frozen=True, slots=True)
class Example:
    """What such a value looks like."""

    value: Any


def wrong(wanted: str, found: Any) -> ApiError:
    """A value that was not expected."""
    return ApiError(400, f"expected {wanted}, found {repr(found)[:60]}")


# -- describing --------------------------------------------------------------------

_PLAIN = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    bytes: "string",
    types.NoneType: "null",
}


@functools.cache
def fields_of(shape: Any) -> dict[str, tuple[Any, bool]]:
    """The type of each field, with what is annotated, and whether it must be there."""
    hints = typing.get_type_hints(shape, include_extras=True)
    if dataclasses.is_dataclass(shape):
        # Functions are no part of an object's value, and no option of a request.
        asked = [one.name for one in dataclasses.fields(shape) if one.compare]
        return {name: (hints[name], False) for name in asked}
    found = {}
    for name, hint in hints.items():
        needed = get_origin(hint) is typing.Required or (
            shape.__total__ and get_origin(hint) is not typing.NotRequired
        )
        found[name] = hint, needed
    return found


def schema_of(hint: Any, names: Mapping[str, Any], *, nullable: bool = False) -> Schema:
    """The JSON schema of a type, or a reference to one of those with ``names``.

    ``nullable`` is for requests: fields that may be missing may be ``null`` as well.
    """
    name = next((name for name, one in names.items() if one is hint), None)
    if name is not None:
        return {"$ref": f"#/components/schemas/{name}"}
    return described(hint, names, nullable=nullable)


def described(hint: Any, names: Mapping[str, Any], *, nullable: bool = False) -> Schema:
    """The schema itself, also of a type that has a name."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        made = schema_of(inner[0], names, nullable=nullable)
        for said in inner[1:]:
            made |= _said(said)
        return made
    if origin in (typing.Required, typing.NotRequired):
        return schema_of(inner[0], names, nullable=nullable)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(one, names, nullable=nullable) for one in inner]}
    if origin is list:
        return {"type": "array", "items": schema_of(inner[0], names)}
    if hint is bytes:
        return {"type": "string", "contentMediaType": "application/octet-stream"}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    properties = {}
    for name, (field, is_needed) in fields_of(hint).items():
        schema = schema_of(field, names, nullable=nullable)
        if (
            nullable
            and not is_needed
            and {"type": "null"} not in schema.get("anyOf", ())
        ):
            schema = {"anyOf": [schema, {"type": "null"}]}
        properties[name] = schema
    if dataclasses.is_dataclass(hint):
        for one in dataclasses.fields(hint):
            if one.name in properties:
                properties[one.name]["default"] = one.default
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name, (_, needed) in fields_of(hint).items() if needed],
        "additionalProperties": False,
    }


def _said(said: Any) -> Schema:
    """What an annotation adds to a schema."""
    if isinstance(said, str):
        return {"description": said}
    if isinstance(said, OneOf):
        return {"enum": list(said.names)}
    if isinstance(said, Within):
        top = said.most
        top = getattr(Settings(), top) if isinstance(top, str) else top
        return {"minimum": said.least, **({} if top is None else {"maximum": top})}
    if isinstance(said, Items):
        most = {} if said.most is None else {"maxItems": said.most}
        return {"minItems": said.least, **most}
    if isinstance(said, Example):
        return {"examples": [said.value]}
    return {"additionalProperties": True} if isinstance(said, Open) else {}


# -- checking ----------------------------------------------------------------------


def checked(shape: type[_T], given: Any, settings: Settings) -> _T:
    """A request as its shape says; raises as ``checked_fields``."""
    return typing.cast("_T", checked_fields(shape, given, settings))


def checked_fields(
    shape: Any, given: Any, settings: Settings, name: str = "the request"
) -> dict[str, Any]:
    """What an object holds, field by field as the shape says, without what is null.

    Raises ``ApiError`` for what does not fit, and for fields that are not known: a
    misspelled one must not be ignored.
    """
    if not isinstance(given, dict):
        raise wrong(f"an object as {name}", given)
    known = fields_of(shape)
    check_fields(given, known)
    found = {
        field: _value(known[field][0], value, field, settings)
        for field, value in given.items()
        if value is not None
    }
    for field, (_, is_needed) in known.items():
        if is_needed and field not in found:
            found[field] = _value(known[field][0], None, field, settings)
    return found


def check_fields(given: Mapping[str, Any], known: Collection[str]) -> None:
    """Refuse unknown fields."""
    for name in given:
        if name not in known:
            raise wrong(f"fields of {', '.join(known)}", name)


def _value(
    hint: Any, value: Any, name: str, settings: Settings, within: Within | None = None
) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (typing.Required, typing.NotRequired):
        return _value(inner[0], value, name, settings)
    if origin is Annotated:
        for said in inner[1:]:
            if isinstance(said, Taken):
                return said.take(value, name, settings)
            if isinstance(said, OneOf) and value not in said.names:
                raise wrong(f"one of {', '.join(said.names)} as {name}", value)
            within = said if isinstance(said, Within) else within
        return _value(inner[0], value, name, settings, within)
    if origin is Literal:
        return _value(Annotated[str, OneOf(inner)], value, name, settings)
    if origin in (Union, types.UnionType):
        # Only of a type and nothing: null was taken for that.
        return _value(inner[0], value, name, settings, within)
    if hint in (int, float):
        return _number(hint, value, name, settings, within or Within(-1e15, 1e15))
    if hint is bool and not isinstance(value, bool):
        raise wrong(f"true or false as {name}", value)
    if hint is str and not isinstance(value, str):
        raise wrong(f"text as {name}", value)
    if hint in _PLAIN:
        return value
    return checked_fields(hint, value, settings, name)


def _number(
    kind: type, value: Any, name: str, settings: Settings, within: Within
) -> float:
    most = within.most
    if isinstance(most, str):
        most = getattr(settings, most)
    most = 1e15 if most is None else most
    kinds = (int,) if kind is int else (int, float)
    if (
        isinstance(value, bool)
        or not isinstance(value, kinds)
        or not within.least <= value <= most
    ):
        words = "a whole number" if kind is int else "a number"
        raise wrong(f"{words} from {within.least:g} to {most:g} as {name}", value)
    return value
