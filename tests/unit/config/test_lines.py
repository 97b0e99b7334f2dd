"""On which line each key of a config.toml stands."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from platui.config.problems import line_of, lines_of

TEXT = '''\
# theme = "in a comment"
theme = "ansi"   # [not.a.table]
"mouse" = false
poll = { running = 2, idle = 30 }

[keys]
"log.follow" = "F"
pipelines.refresh = """
[no.table]
no = "key"
"""

[profiles.prod]
url = 'https://h # no comment'
token_command = [
  "pass",   # ]
  "[x]",
]
writes = "off"

[ profiles . "a.b" ]
url = "https://h"

[[errors]]
name = "one"
[[errors]]
name = "two"
'''
LINES = {
    "theme": 2,
    "mouse": 3,
    "poll": 4,
    "keys": 6,
    "keys.log.follow": 7,
    "keys.pipelines.refresh": 8,
    "profiles.prod": 13,
    "profiles.prod.url": 14,
    "profiles.prod.token_command": 15,
    "profiles.prod.writes": 19,
    "profiles.a.b": 21,
    "profiles.a.b.url": 22,
    "errors[1]": 24,
    "errors[1].name": 25,
    "errors[2]": 26,
    "errors[2].name": 27,
}


def test_tables_and_keys_are_found_where_they_are() -> None:
    """Neither comments nor what stands in texts and lists is taken for one."""
    tomllib.loads(TEXT)
    assert lines_of(TEXT) == LINES


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("profiles.prod.url", 14),
        ("profiles.prod.missing", 13),
        ("poll.idle", 4),
        ("errors[2].pattern", 26),
        ("nowhere", None),
        ("nowhere.at.all", None),
    ],
)
def test_what_is_missing_is_where_its_table_is(key: str, line: int | None) -> None:
    """As near as it can be told."""
    assert line_of(key, lines_of(TEXT)) == line


@pytest.mark.parametrize("text", ["", "\n", "a = ", '"', "[[[", "'''", "]]]", "a.b.c = {"])
def test_what_is_no_toml_does_no_harm(text: str) -> None:
    """Whoever asks may be wrong."""
    found: dict[str, Any] = dict(lines_of(text))
    assert all(isinstance(line, int) for line in found.values())
