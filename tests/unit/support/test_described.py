"""The check of answers against a description: it finds what is wrong, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support import plain_yaml
from tests.support.described import Operation, Witness, wrong

TEXT = """\
openapi: 3.0.0
info:
  description: 'It''s folded
    over two lines: like this'
  note: "a\\x1bb \\e \\u00e9\\
    \\ c"
paths:
  /things/{id}:
    get:
      tags: &id001
      - things
      - yes or no
      security: []
      responses:
        '200':
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Thing'
        '404':
          description: None
  /things/latest:
    get:
      tags: *id001
      responses: {}
components:
  schemas:
    Thing:
      type: object
      required:
      - id
      properties:
        id:
          type: integer
          example: 1.5
        born:
          type: string
          format: date-time
          nullable: true
        kind:
          anyOf:
          - type: string
            enum:
            - a
            - b
          - type: boolean
        parts:
          type: array
          items:
            allOf:
            - $ref: '#/components/schemas/Thing'
            nullable: true
"""

DOCUMENT = plain_yaml.read(TEXT)
THING = {"$ref": "#/components/schemas/Thing"}


def test_a_description_is_read() -> None:
    """Folded, quoted and escaped texts, anchors, sequences as far out as their key."""
    assert DOCUMENT["info"] == {
        "description": "It's folded over two lines: like this",
        "note": "a\x1bb \x1b é c",
    }
    tags = DOCUMENT["paths"]["/things/latest"]["get"]["tags"]
    assert tags == ["things", "yes or no"]
    assert DOCUMENT["paths"]["/things/{id}"]["get"]["tags"] is tags
    assert DOCUMENT["paths"]["/things/{id}"]["get"]["security"] == []
    assert DOCUMENT["components"]["schemas"]["Thing"]["properties"]["id"]["example"] == 1.5


@pytest.mark.parametrize(
    ("value", "complaints"),
    [
        ({"id": 1, "born": None, "more": object}, []),
        ({"id": 1, "born": "2026-03-14T03:12:00.000Z", "kind": "a", "parts": [None]}, []),
        ({"id": True}, ["$.id is boolean, not integer"]),
        ({"id": 1.0}, ["$.id is number, not integer"]),
        ({"id": None}, ["$.id is null, not integer"]),
        ({"born": "2026-03-14 03:12"}, ["$.id is missing", "$.born is no moment"]),
        ({"id": 1, "kind": "c"}, ["$.kind is none of what it may be"]),
        ({"id": 1, "parts": {}}, ["$.parts is object, not array"]),
        ({"id": 1, "parts": [{"id": "x"}]}, ["$.parts[].id is string, not integer"]),
        ([], ["$ is array, not object"]),
    ],
)
def test_what_is_wrong_is_said(value: Any, complaints: list[str]) -> None:
    """Each complaint once, with the place; what is not named is free."""
    assert list(wrong(value, THING, DOCUMENT)) == complaints


def test_answers_are_held_against_their_operation() -> None:
    """Status, kind and body; a path that is spelled out is its own; slips are let through."""
    shown = Operation("GET", "/things/{id}")
    witness = Witness(DOCUMENT, {(shown, "status 418 is not described"): "it is a teapot"})
    witness.look("GET", "/things/1", 200, "application/json; charset=utf-8", b'{"id": 1}')
    witness.look("GET", "/elsewhere", 500, "", b"")
    witness.look("GET", "/things/1", 418, "", b"")
    assert not witness.complaints
    assert witness.slipped == set(witness.slips)
    witness.look("GET", "/things/1", 500, "", b"")
    witness.look("GET", "/things/1", 200, "text/plain", b"1")
    witness.look("GET", "/things/1", 200, "application/json", b"{}")
    witness.look("GET", "/things/latest", 200, "", b"")
    assert list(witness.complaints) == [
        ("GET /things/{id}", "status 500 is not described"),
        ("GET /things/{id}", "text/plain instead of application/json"),
        ("GET /things/{id}", "$.id is missing"),
        ("GET /things/latest", "status 200 is not described"),
    ]
    assert {one.path for one, _ in witness.seen} == {"/things/{id}", "/things/latest"}
