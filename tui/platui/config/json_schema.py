"""config.toml as JSON Schema, for editors: made of the declarations that it is checked by."""

from __future__ import annotations

from typing import Any, Final

from platui.config.kinds import PROFILE_NAME
from platui.config.profile import Profile
from platui.config.schema import ERROR, PROFILE, SECTIONS, TOP, Table
from platui.config.settings import ErrorPattern, Settings

_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: Final = (bool, int, float, str)


def json_schema() -> dict[str, Any]:
    """Return the schema of the whole file."""
    settings = Settings()
    sections = {
        name: _table(table, getattr(settings, name), f"Keys of [{name}].")
        for name, table in SECTIONS.items()
    }
    properties = {
        **_properties(TOP, settings),
        **sections,
        "keys": {
            "description": "Id of an action, as `platui keys --ids` lists them, and its keys.",
            "$ref": "#/$defs/keys",
        },
        "errors": {
            "description": "Errors of your own, looked for in logs before all others.",
            "type": "array",
            "items": _table(ERROR, ErrorPattern("", ""), "One error."),
        },
        "profiles": {
            "description": "A table for each platform: [profiles.NAME].",
            "type": "object",
            "propertyNames": {"pattern": f"^{PROFILE_NAME}$"},
            "additionalProperties": _table(PROFILE, Profile("", ""), "One platform."),
        },
    }
    return {
        "$schema": _DRAFT,
        "title": "platui's config.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "$defs": {
            "keys": {
                "type": "object",
                "additionalProperties": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/keys"}]},
            }
        },
    }


def _table(table: Table, usual: object, description: str) -> dict[str, Any]:
    return {
        "description": description,
        "type": "object",
        "additionalProperties": False,
        "required": [name for name, key in table.items() if key.required],
        "properties": _properties(table, usual),
    }


def _properties(table: Table, usual: object) -> dict[str, Any]:
    """Return the keys of a table; `usual` has what each is where it is left out."""
    return {
        name: {"description": key.help, **key.kind.schema, **_default(usual, name)}
        for name, key in table.items()
    }


def _default(usual: object, name: str) -> dict[str, Any]:
    value = getattr(usual, name, None)
    return {"default": value} if isinstance(value, _PLAIN) and value != "" else {}
