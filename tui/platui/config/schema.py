"""All keys of config.toml, from the fields that declare them."""

from __future__ import annotations

import os
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

from platui.config.profile import Profile
from platui.config.settings import ErrorPattern, OwnAction, Settings
from platui.config.value_kinds import (
    ACTION_NAME,
    PROFILE_NAME,
    Choice,
    Command,
    FilePath,
    Flag,
    Key,
    Kind,
    MistakeEffect,
)
from platui.core.named_tuple import NamedTuple


class KeyDeclaration(NamedTuple):
    help: str
    on_mistake: MistakeEffect
    kind: Kind
    attribute: str
    default: Any  # MISSING: the key is required

    @property
    def examples(self) -> tuple[str, ...]:
        return self.kind.examples or (f"{self.default:.12g}",)


Table = dict[str, KeyDeclaration]


def as_toml(value: Any) -> Any:
    """Convert a value for TOML: paths to text, tuples to lists."""
    if isinstance(value, Path):
        return os.fspath(value)
    return list(value) if isinstance(value, tuple) else value


def _table(declaring: type) -> Table:
    defaults = getattr(declaring, "_field_defaults", None) or {
        one.name: one.default for one in fields(declaring)
    }
    keys = {}
    for attribute, annotation in declaring.__annotations__.items():
        inside, *notes = get_args(annotation) or (annotation,)
        if notes and isinstance(key := notes[0], Key):
            kind = key.kind or _kind_of(inside)
            default = defaults.get(attribute, MISSING)
            keys[key.name or attribute] = KeyDeclaration(
                key.help, key.on_mistake, kind, attribute, default
            )
    return keys


def _kind_of(annotation: Any) -> Kind:
    if get_origin(annotation) is Literal:
        return Choice(get_args(annotation))
    types = {annotation, *get_args(annotation)}
    plain = {bool: Flag, Path: FilePath, tuple[str, ...]: Command}
    return next(kind() for one, kind in plain.items() if one in types)


TOP: Final = _table(Settings)
SECTION_TYPES: Final[dict[str, Any]] = {
    name: annotation
    for name, annotation in Settings.__annotations__.items()
    if isinstance(annotation, type) and issubclass(annotation, tuple)
}
SECTIONS: Final = {name: _table(one) for name, one in SECTION_TYPES.items()}
ERROR: Final = _table(ErrorPattern)
ACTION: Final = _table(OwnAction)
PROFILE: Final = _table(Profile)


def json_schema() -> dict[str, Any]:
    text_or_table = {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/keys"}]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "platui's config.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            **_properties(TOP),
            **{name: _object(table, f"Keys of [{name}].") for name, table in SECTIONS.items()},
            "keys": {
                "description": "Action id (see `platui keys --ids`) and its keys.",
                "$ref": "#/$defs/keys",
            },
            "errors": {
                "description": "Custom error patterns, tried before the built-in ones.",
                "type": "array",
                "items": _object(ERROR, "One error."),
            },
            "actions": {
                "description": "A table for each command of your own: [actions.NAME].",
                "type": "object",
                "propertyNames": {"pattern": f"^{ACTION_NAME}$"},
                "additionalProperties": _object(ACTION, "One command."),
            },
            "profiles": {
                "description": "A table for each platform: [profiles.NAME].",
                "type": "object",
                "propertyNames": {"pattern": f"^{PROFILE_NAME}$"},
                "additionalProperties": _object(PROFILE, "One platform."),
            },
        },
        "$defs": {"keys": {"type": "object", "additionalProperties": text_or_table}},
    }


def _object(table: Table, description: str) -> dict[str, Any]:
    return {
        "description": description,
        "type": "object",
        "additionalProperties": False,
        "required": [name for name, key in table.items() if key.default is MISSING],
        "properties": _properties(table),
    }


def _properties(table: Table) -> dict[str, Any]:
    found = {}
    for name, key in table.items():
        found[name] = {"description": key.help, **key.kind.schema}
        if isinstance(key.default, bool | int | float | str) and key.default != "":
            found[name]["default"] = key.default
    return found
