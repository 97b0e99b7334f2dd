"""Values held against the schemas of an OpenAPI description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def fits(value: Any, schema: Mapping[str, Any], document: Mapping[str, Any]) -> bool:
    """Tell whether a value is what a schema of the description says, and has no more fields."""
    if "oneOf" in schema:
        return sum(fits(value, one, document) for one in schema["oneOf"]) == 1
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return fits(value, document["components"]["schemas"][name], document)
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not isinstance(value, dict):
        return {str: "string", type(None): "null"}.get(type(value)) in kinds
    if "object" not in kinds:
        return False
    if "additionalProperties" in schema:
        return all(fits(one, schema["additionalProperties"], document) for one in value.values())
    known = schema["properties"]
    return set(schema["required"]) <= value.keys() <= known.keys() and all(
        fits(one, known[name], document) for name, one in value.items()
    )
