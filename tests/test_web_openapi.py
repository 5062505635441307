"""The description of the interface says what the code does."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest
from web_support import SAMPLES, ended, ok, read_sample, refused, solved

from imgpuzzle.core.options import SaveOptions
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.files.formats import FORMATS
from imgpuzzle.web.http.openapi import ROUTES, description

jsonschema = pytest.importorskip("jsonschema", reason="checks schemas with jsonschema")

DOCUMENT = description()
OPERATIONS = [
    (path, method, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
]


def checker(schema: Any) -> Any:
    """A validator of a schema of the document, which knows all others."""
    return jsonschema.Draft202012Validator(
        {**schema, "components": DOCUMENT["components"]}
    )


def check(value: Any, name: str) -> None:
    checker({"$ref": f"#/components/schemas/{name}"}).validate(value)


def test_every_route_is_described_and_no_other() -> None:
    described = {(path, method.upper()) for path, method, _ in OPERATIONS}
    served = {
        (re.sub(r":[a-z]+\}", "}", route.path), method)
        for route, _ in ROUTES
        for method in route.methods - {"HEAD"}
    }
    assert described == served


def test_every_parameter_of_a_path_is_described() -> None:
    for path, _, operation in OPERATIONS:
        named = {
            one["name"]
            for one in operation.get("parameters", ())
            if one["in"] == "path"
        }
        assert named == set(re.findall(r"\{(\w+)\}", path)), path


def test_all_schemas_are_schemas() -> None:
    for name, schema in DOCUMENT["components"]["schemas"].items():
        jsonschema.Draft202012Validator.check_schema(schema)
        for example in schema["examples"]:
            check(example, name)


def test_every_example_of_an_answer_is_one() -> None:
    seen = 0
    for path, method, operation in OPERATIONS:
        assert any(status.startswith("2") for status in operation["responses"])
        assert {"403", "500"} <= set(operation["responses"]), (path, method)
        # What is sent may come too slowly, wherever something is sent.
        assert ("408" in operation["responses"]) == ("requestBody" in operation)
        for answer in operation["responses"].values():
            for kind, content in answer["content"].items():
                if "example" not in content:
                    assert not content, kind
                    continue
                checker(content["schema"]).validate(content["example"])
                seen += 1
        body = operation.get("requestBody", {"content": {}})
        for content in body["content"].values():
            jsonschema.Draft202012Validator.check_schema(content["schema"])
    assert seen > len(OPERATIONS)


def test_formats_styles_and_options_are_those_of_the_library() -> None:
    body = DOCUMENT["paths"]["/api/render"]["post"]["requestBody"]
    fields = body["content"]["application/json"]["schema"]["properties"]
    assert [f".{name}" for name in fields["format"]["enum"]] == list(FORMATS)
    styles = {one.name for one in dataclasses.fields(Style)}
    assert set(fields["style"]["anyOf"][0]["properties"]) == styles
    options = set(SaveOptions.__annotations__) - {"on_progress", "note"}
    assert set(fields["options"]["anyOf"][0]["properties"]) == options


@pytest.mark.slow
def test_real_answers_are_as_described(web: Any) -> None:
    check(ok(web.get("/api/health")), "Health")
    check(ok(web.get("/api/samples")), "Samples")
    assert ok(web.get("/api/openapi.json")) == DOCUMENT
    read = read_sample(web)
    check(read, "Puzzle")
    place = f"/api/read/{read['id']}"
    swapped = ok(web.post(place, json={"swap": [[0, 0], [0, 1]]}))
    check(swapped, "Puzzle")
    assert swapped["suggestion"] is not None
    check(ok(web.get(place)), "Puzzle")
    check(ok(web.post("/api/board", json={"board": "1 2 / 3 0"})), "Puzzle")
    check(web.post("/api/board", json={"board": "no board"}).json(), "Error")
    check(web.get("/api/nothing").json(), "Error")
    board = ok(web.post("/api/board", json={"board": "2 1 7 / 5 3 6 / 4 8 0"}))
    state = solved(web, board["id"])
    check(state, "Job")
    check(state["result"], "Result")
    failed = solved(web, board["id"], max_moves=1)
    check(failed, "Job")
    given = {"reading": board["id"], "job": state["id"], "format": "txt"}
    started = ok(web.post("/api/render", json=given), 202)
    check(started, "Started")
    drawn = ended(web, started["job"])
    check(drawn, "Job")
    check(drawn["result"], "File")
    shot = (SAMPLES / "emblem_screenshot.png").read_bytes()
    files = {"screenshot": ("x.png", shot), "reading": (None, read["id"])}
    followed = ok(web.post("/api/continue", files=files))
    check(followed, "FollowedPuzzle")
    check(ok(web.get(f"/api/read/{followed['id']}")), "Puzzle")


def test_ambiguous_grids_are_listed() -> None:
    example = {"message": "m", "code": 4, "kind": "K", "candidates": ["3x3", "4x4"]}
    check({"error": example}, "Error")


def test_errors_without_a_kind_are_none(web: Any) -> None:
    error = refused(web.get("/api/jobs/nobody"), 404)
    check({"error": error}, "Error")
    del error["kind"]
    with pytest.raises(jsonschema.ValidationError):
        check({"error": error}, "Error")
