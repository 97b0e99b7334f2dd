"""`platui config schema`: config.toml for editors."""

from __future__ import annotations

import json

from platui.cli.told import say_lines
from platui.config.json_schema import json_schema


def print_schema() -> int:
    """Print it; returns the exit code."""
    say_lines(schema_text().splitlines())
    return 0


def schema_text() -> str:
    """Return the schema as it is shipped."""
    return json.dumps(json_schema(), indent=2) + "\n"
