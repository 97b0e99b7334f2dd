"""The JSON that commands print, held against the schemas beside the tests."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

FOLDER: Final = Path(__file__).parents[1] / "schemas"


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """Return every schema by the name of its file, without the ending."""
    return {one.stem: json.loads(one.read_text("utf-8")) for one in sorted(FOLDER.glob("*.json"))}


@cache
def validator(name: str) -> Draft202012Validator:
    """Return what finds where a value is not as the schema of that name has it."""
    resources = [Resource.from_contents(one) for one in schemas().values()]
    registry: Registry[Any] = resources @ Registry()
    return Draft202012Validator(schemas()[name], registry=registry)


def misfits(name: str, value: object) -> list[str]:
    """Return where a value is not as its schema has it: a place and a sentence each."""
    return [
        f"{error.json_path}: {error.message[:300]}" for error in validator(name).iter_errors(value)
    ]
