"""`platui config schema` and `config example`: config.toml for editors, and for those who edit."""

from __future__ import annotations

import json
from importlib.resources import files

from platui.cli.told import say_lines
from platui.config.json_schema import json_schema


def print_schema() -> int:
    """Print it; returns the exit code."""
    say_lines(schema_text().splitlines())
    return 0


def schema_text() -> str:
    """Return the schema as it is shipped."""
    return json.dumps(json_schema(), indent=2) + "\n"


def print_example() -> int:
    """Print the example that is shipped; returns the exit code."""
    say_lines(example_text().splitlines())
    return 0


def example_text() -> str:
    """Return a config.toml with every key, most of them at their defaults."""
    return (files("platui.config") / "example.toml").read_text("utf-8")
